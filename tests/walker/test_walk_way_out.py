"""Walks send their own headers to the root's site only, and go through the proxy that is named."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from tests.sites.loopback_proxy import serve_proxy
from tests.sites.over_tls import chromium_that_trusts_all, served_over_tls
from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from walker.asking import ask
from walker.errors import RootUnreachable, UsageError
from walker.settings import Limits, Settings

SECRET = "quince-2718-fig"
QUESTION = "When does the museum open?"


class GuardedSite(LoopbackSite):
    """Answers those who have the key."""

    def __init__(self) -> None:
        super().__init__()
        self.keys: list[tuple[str, str]] = []
        """Host and key of each request."""

    def answer(self, asked: Asked) -> Answer:
        """A page with a picture from elsewhere."""
        key = asked.headers.get("Authorization", "")
        self.keys.append((asked.headers.get("Host", "").partition(":")[0], key))
        if asked.path != "/":
            return Answer(status=404)
        if key != f"Bearer {SECRET}":
            return Answer("<h1>Who are you?</h1>", 403)
        picture = f"<img src='http://localhost:{self.server_address[1]}/x.png' alt='The hall'>"
        return Answer(f"<title>Museum</title><h1>Museum</h1><p>The museum opens at 9:45 on weekdays.</p>{picture}")


@pytest.fixture
def site() -> Iterator[GuardedSite]:
    with serving(GuardedSite()) as server:
        yield server


def settings(folder: Path, proxy: str = "") -> Settings:
    return Settings(
        limits=Limits(pages=2, seconds=60),
        runs_folder=folder,
        headers=(("Authorization", f"Bearer {SECRET}"),),
        proxy=proxy,
        network=True,
        sure=0,
    )


def written(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())


async def test_headers_reach_the_site_of_the_root_only_and_no_recording(
    site: GuardedSite, tmp_path: Path, kept_chromium: None
) -> None:
    outcome = await ask(site.home, QUESTION, settings=settings(tmp_path))
    assert "9:45" in outcome.answer
    assert {key for host, key in site.keys if host == "127.0.0.1"} == {f"Bearer {SECRET}"}
    assert {key for host, key in site.keys if host == "localhost"} == {""}
    assert SECRET.encode() not in written(tmp_path)


async def test_headers_go_with_a_walk_over_https(tmp_path: Path) -> None:
    with served_over_tls(GuardedSite(), tmp_path) as site:
        root = f"https://127.0.0.1:{site.server_address[1]}/"
        trusting = chromium_that_trusts_all(tmp_path)
        own = msgspec.structs.replace(settings(tmp_path / "runs"), chromium=trusting, scout_pages=0)
        outcome = await ask(root, QUESTION, settings=own)
        assert "9:45" in outcome.answer
        assert f"Bearer {SECRET}" in {key for _, key in site.keys}
        assert SECRET.encode() not in written(tmp_path / "runs")


async def test_a_walk_goes_through_its_proxy(site: GuardedSite, tmp_path: Path, kept_chromium: None) -> None:
    with serve_proxy({"museum.test:80": ("127.0.0.1", site.server_address[1])}) as proxy:
        outcome = await ask("http://museum.test/", QUESTION, settings=settings(tmp_path, f"http://{proxy.place}"))
        assert "9:45" in outcome.answer
        assert "GET http://museum.test/" in proxy.asked
        assert not [one for one in proxy.asked if "localhost" in one]


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (Settings(proxy="museum:80"), "the proxy is no proxy"),
        (Settings(headers=(("Cookie", "a=b"),)), "the header Cookie is set by Walker itself"),
    ],
)
async def test_what_cannot_be_is_told_in_one_line(wrong: Settings, said: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=said):
        await ask("http://127.0.0.1:9/", QUESTION, settings=wrong)


async def test_a_proxy_that_does_not_answer_is_told_as_one(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        place = f"http://127.0.0.1:{closed.getsockname()[1]}"
        with pytest.raises(RootUnreachable, match=r"the proxy that was named does not answer.* --proxy"):
            await ask("http://museum.test/", QUESTION, settings=settings(tmp_path, place))
