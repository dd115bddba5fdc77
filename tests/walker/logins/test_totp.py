"""One-time passwords are those of RFC 6238, and made when they are asked for."""

from __future__ import annotations

import base64

import pytest

from walker.errors import UsageError
from walker.logins.totp import WithCodes, one_time_password

SECRET = base64.b32encode(b"12345678901234567890").decode()


@pytest.mark.parametrize(
    ("at", "code"),
    [(59, "287082"), (1111111109, "081804"), (1111111111, "050471"), (1234567890, "005924"), (20000000000, "353130")],
)
def test_codes_are_those_of_the_standard(at: float, code: str) -> None:
    """The last six of the eight digits in appendix B of RFC 6238."""
    assert one_time_password(SECRET, at) == code


def test_a_secret_may_be_written_as_apps_show_it() -> None:
    assert one_time_password("gezd gnbv gy3t qojq gezd gnbv gy3t qojq", 59) == "287082"


def test_no_secret_is_told_without_what_was_given() -> None:
    with pytest.raises(UsageError) as refused:
        one_time_password("not base 32 at all 018!", 0)
    assert "018" not in str(refused.value)


def test_the_code_of_the_moment_stands_beside_the_environment() -> None:
    now = [59.0]
    environment = WithCodes({"WIKI": SECRET, "NAME": "ali"}, "WIKI", clock=lambda: now[0])
    assert (environment["NAME"], environment["WIKI_CODE"]) == ("ali", "287082")
    now[0] = 1111111109
    assert environment["WIKI_CODE"] == "081804"
    assert set(environment) == {"WIKI", "NAME", "WIKI_CODE"}
    with pytest.raises(UsageError):
        WithCodes({}, "WIKI")
