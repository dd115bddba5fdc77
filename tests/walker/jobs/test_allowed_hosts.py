from __future__ import annotations

import pytest

from walker.errors import UsageError
from walker.jobs.allowed_hosts import check_address


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:8080/",
        "http://localhost/",
        "http://169.254.169.254/latest",
        "http://[::1]/",
        "http://10.0.0.1/",
    ],
)
async def test_without_a_list_only_public_hosts_may_be_named(url: str) -> None:
    with pytest.raises(UsageError, match="not public"):
        await check_address(url, ())


async def test_the_advice_holds_for_whichever_server_is_asked() -> None:
    with pytest.raises(UsageError) as raised:
        await check_address("http://127.0.0.1:8080/", ())
    assert "can allow it with --allow 127.0.0.1:8080" in str(raised.value)
    assert "mcp" not in str(raised.value), "walker serve says it too"


async def test_with_a_list_only_its_hosts_may_be_named() -> None:
    allowed = ("docs.example.org", "127.0.0.1:8080")
    for url in ("https://docs.example.org/a", "http://127.0.0.1:8080/"):
        assert await check_address(url, allowed) == url
    for url in (
        "https://example.org/",
        "http://127.0.0.1:8081/",
        "https://docs.example.org.evil.example/",
        "https://a.docs.example.org/",
    ):
        with pytest.raises(UsageError, match="not allowed"):
            await check_address(url, allowed)
