"""A crawl's own headers reach its hosts and no others, and a proxy that it names carries all it fetches."""

from __future__ import annotations

import json
import sqlite3
import ssl
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sites.loopback_proxy import LoopbackProxy, serve_proxy
from tests.sites.over_tls import chromium_that_trusts_all, served_over_tls
from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving
from walker.browser.http.http_client import HttpAnswer, HttpClient
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script import way_out_of_script
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root
from walker.crawl.script.spec_problems import BadScript
from walker.errors import UsageError
from walker.seams.web.way_out import WayOut, read_proxy

SECRET = "kiwi-4711-plum-0815"
DRIVERS = ["http", "auto", "playwright", "selenium"]
PASSWORD = "p:w@/?#%41 x"


class HeadersSite(LoopbackSite):
    """Notes for each request the host that it was for and the key that came with it."""

    def __init__(self, *, secure: bool = False) -> None:
        super().__init__()
        self._scheme = "https" if secure else "http"
        self.keys: list[tuple[str, str, str]] = []
        """Host, path, key."""

    @property
    def elsewhere(self) -> str:
        """The same server by another name, without a slash."""
        return f"{self._scheme}://localhost:{self.server_address[1]}"

    def answer(self, asked: Asked) -> Answer:
        """Pages with a picture from elsewhere, and an address that leads there."""
        host = asked.headers.get("Host", "").partition(":")[0]
        self.keys.append((host, asked.path, asked.headers.get("X-Key", "")))
        if asked.path == "/":
            picture = f"<img src='{self.elsewhere}/picture.png'><img src='/own.png'>"
            return Answer(f"<h1>Front</h1>{picture}<a href='/two'>Two</a> <a href='/away'>Away</a>")
        if asked.path == "/two":
            return Answer("<h1>Two</h1><p>The second of the pages.</p>")
        if asked.path == "/away":
            return moved(f"{self.elsewhere}/landing")
        if asked.path == "/landing":
            return Answer("<h1>Landing</h1><p>On another host.</p>")
        return Answer(status=404)


@pytest.fixture
def site() -> Iterator[HeadersSite]:
    with serving(HeadersSite()) as server:
        yield server


async def crawled(start: str, folder: Path, environment: dict[str, str] | None = None, **parts: Any) -> CrawlReport:
    spec = spec_of_root(start, **parts)
    return await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder, environment=environment or {}))


def told(folder: Path) -> bytes:
    """All that a crawl has written."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    with sqlite3.connect(folder / "job.sqlite") as base:
        base.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return b"".join(path.read_bytes() for path in files)


@pytest.mark.parametrize("driver", DRIVERS)
async def test_own_headers_reach_the_crawls_hosts_and_no_others(site: HeadersSite, tmp_path: Path, driver: str) -> None:
    headers = {"X-Key": "Bearer ${API_KEY}", "Accept-Language": "de"}
    folder, warc = tmp_path / "job", tmp_path / "traffic.warc"
    output = {"warc": warc}
    report = await crawled(site.home, folder, {"API_KEY": SECRET}, driver=driver, headers=headers, output=output)
    assert report.pages == 2
    own = {path: key for host, path, key in site.keys if host == "127.0.0.1" and path != "/favicon.ico"}
    assert {"/", "/two", "/away", "/robots.txt"} <= set(own)
    assert set(own.values()) == {f"Bearer {SECRET}"}
    others = [(path, key) for host, path, key in site.keys if host != "127.0.0.1"]
    assert others
    assert all(key == "" for _, key in others)
    written = told(folder) + warc.read_bytes() + json.dumps(report.describe()).encode()
    assert SECRET.encode() not in written
    assert b"/two" in written


@pytest.mark.parametrize("driver", ["playwright", "selenium"])
async def test_own_headers_over_https_are_lost_on_the_way_to_another_host(tmp_path: Path, driver: str) -> None:
    with served_over_tls(HeadersSite(secure=True), tmp_path) as site:
        start = f"https://127.0.0.1:{site.server_address[1]}/"
        chromium = chromium_that_trusts_all(tmp_path)
        spec = spec_of_root(start, driver=driver, headers={"X-Key": SECRET})
        await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path / "job", chromium=chromium))
        # A browser asks for icons beside its pages.
        of_pages = [one for one in site.keys if one[1] not in ("/robots.txt", "/favicon.ico")]
        own = {path: key for host, path, key in of_pages if host == "127.0.0.1"}
        assert {"/", "/two", "/away", "/own.png"} <= set(own)
        assert set(own.values()) == {SECRET}
        others = {path: key for host, path, key in of_pages if host != "127.0.0.1"}
        assert others == {"/picture.png": "", "/landing": ""}


async def test_own_headers_over_https_outlast_pages_that_never_come_and_large_ones(tmp_path: Path) -> None:
    class WorseSite(HeadersSite):
        def answer(self, asked: Asked) -> Answer:
            if asked.path.startswith(("/script", "/two", "/three")):
                self.keys.append(("127.0.0.1", asked.path, asked.headers.get("X-Key", "")))
            if asked.path == "/two":
                scripts = "".join(f"<script src='/script-{n}'></script>" for n in range(20))
                return Answer(f"<h1>Two</h1>{scripts}<p>{'A large page. ' * 200_000}</p><a href='/three'>Three</a>")
            if asked.path == "/away":
                time.sleep(13)
            if asked.path.startswith(("/script", "/three")):
                return Answer("document.title += 'x'" if asked.path != "/three" else "<h1>Three</h1>")
            return super().answer(asked)

    with served_over_tls(WorseSite(secure=True), tmp_path) as site:
        start = f"https://127.0.0.1:{site.server_address[1]}/"
        parts: dict[str, Any] = {"page_seconds": 8.0, "concurrency": 1, "polite": {"retries": 0}}
        spec = spec_of_root(start, driver="selenium", headers={"X-Key": SECRET}, **parts)
        settings = CrawlSettings(folder=tmp_path / "job", chromium=chromium_that_trusts_all(tmp_path))
        report = await crawl(CrawlScript(spec=spec), settings)
        assert report.pages == 3
        own = {path: key for _, path, key in site.keys if path.startswith(("/script", "/two", "/three"))}
        assert len(own) == 22
        assert set(own.values()) == {SECRET}


def test_where_no_pipe_can_be_handed_over_the_script_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(way_out_of_script, "CAN_HAND_OVER_PIPES", False)
    with pytest.raises(BadScript, match="cannot send them over https on this system"):
        spec_of_root("https://a.example/", headers={"X-Key": "a"}, driver="selenium")


async def test_an_https_site_is_fetched_through_a_proxy_that_sees_none_of_it(tmp_path: Path) -> None:
    with served_over_tls(HeadersSite(secure=True), tmp_path) as site:
        port = site.server_address[1]
        trusted = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
        with serve_proxy({f"127.0.0.1:{port}": ("127.0.0.1", port)}) as proxy:
            url = f"https://127.0.0.1:{port}/two"
            way_out = WayOut(proxy=read_proxy(f"http://{proxy.place}"))
            async with HttpClient(url, certificates=trusted, way_out=way_out) as client:
                answer = await client.fetch(url)
            assert isinstance(answer, HttpAnswer)
            assert b"The second of the pages" in answer.body
            assert proxy.asked == [f"CONNECT 127.0.0.1:{port}"]


async def test_a_job_goes_on_with_another_key(site: HeadersSite, tmp_path: Path) -> None:
    await crawled(site.home, tmp_path, {"K": "first-key-of-all"}, driver="http", headers={"X-Key": "${K}"})
    report = await crawled(site.home, tmp_path, driver="http", headers={"X-Key": "another"})
    assert report.pages == 2


@pytest.mark.parametrize(
    ("parts", "said"),
    [
        ({"headers": {"X Key": "a"}}, "is no name of a header field"),
        ({"headers": {"User-Agent": "a"}}, "polite"),
        ({"headers": {"Host": "a"}}, "set by Walker itself"),
        ({"headers": {"X-Key": "a\r\nX-Other: b"}}, "cannot be sent"),
        ({"proxy": "ftp://a:1"}, "is no proxy"),
        ({"proxy": "http://a"}, "expected a host and a port"),
        ({"proxy": "http://${HOST}:80"}, "user and password only"),
    ],
)
def test_what_cannot_be_sent_is_told_before_anything_is_fetched(parts: dict[str, Any], said: str) -> None:
    with pytest.raises(BadScript, match=said):
        spec_of_root("https://a.example/", **parts)


async def test_a_missing_value_is_told_in_one_line(site: HeadersSite, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="API_KEY is not in the environment"):
        await crawled(site.home, tmp_path, driver="http", headers={"X-Key": "${API_KEY}"})


@pytest.fixture(params=["http", "socks5"])
def proxy(request: pytest.FixtureRequest, site: HeadersSite) -> Iterator[tuple[str, LoopbackProxy]]:
    """Its address with names of variables for credentials, and the proxy, which alone knows the site's name."""
    names = {"site.test:80": ("127.0.0.1", site.server_address[1])}
    with serve_proxy(names, f"ann:{PASSWORD}") as server:
        yield f"{request.param}://${{PROXY_USER}}:${{PROXY_PASSWORD}}@{server.place}", server


LOGIN = {"PROXY_USER": "ann", "PROXY_PASSWORD": PASSWORD}


@pytest.mark.parametrize("driver", DRIVERS)
async def test_a_proxy_fetches_everything_and_resolves_the_names(
    site: HeadersSite, proxy: tuple[str, LoopbackProxy], tmp_path: Path, driver: str
) -> None:
    url, server = proxy
    report = await crawled("http://site.test/", tmp_path, LOGIN, driver=driver, proxy=url, headers={"X-Key": "k"})
    assert report.pages == 2
    assert {path: key for _, path, key in site.keys if path in ("/", "/two")} == {"/": "k", "/two": "k"}
    assert len(server.asked) >= 3
    assert not [one for one in server.asked if "site.test" not in one], "what is refused does not even reach the proxy"
    assert PASSWORD.encode() not in told(tmp_path)


@pytest.mark.parametrize("driver", ["http", "playwright"])
async def test_what_may_not_be_fetched_is_refused_before_the_proxy_hears_of_it(
    site: HeadersSite, proxy: tuple[str, LoopbackProxy], tmp_path: Path, driver: str
) -> None:
    url, server = proxy
    inner = ["127.0.0.1:8091", "169.254.169.254", "metadata.internal", "router", server.place, "[::1]:8091", "0x7f.1"]

    def answer(asked: Asked) -> Answer:
        if asked.path == "/":
            ways = "".join(f"<img src='http://{host}/x'><a href='/to/{n}'>{n}</a>" for n, host in enumerate(inner))
            return Answer(f"<h1>Front</h1>{ways}")
        return moved(f"http://{inner[int(asked.parts[1])]}/") if asked.parts[0] == "to" else Answer(status=404)

    site.answer = answer  # type: ignore[method-assign]
    report = await crawled("http://site.test/", tmp_path, LOGIN, driver=driver, proxy=url)
    assert report.pages == 1
    assert sum(count for why, count in report.failures.items() if why.startswith("blocked_address")) == len(inner)
    assert {one.partition(" ")[2].removeprefix("http://").partition("/")[0] for one in server.asked} <= {
        "site.test",
        "site.test:80",
    }


@pytest.mark.parametrize("kind", ["http", "socks5"])
async def test_a_proxy_that_does_not_let_in_or_answer_is_named(site: HeadersSite, tmp_path: Path, kind: str) -> None:
    names = {"site.test:80": ("127.0.0.1", site.server_address[1])}
    with serve_proxy(names, "ann:right") as server:
        parts: dict[str, Any] = {"driver": "http", "polite": {"retries": 0, "robots": False}}
        url = f"{kind}://ann:wrong@{server.place}"
        wrong = await crawled("http://site.test/", tmp_path / "wrong", proxy=url, **parts)
    gone = await crawled("http://site.test/", tmp_path / "gone", proxy=f"{kind}://{server.place}", **parts)
    assert [why for why in wrong.failures if "asks for other credentials" in why and server.place in why]
    assert [why for why in gone.failures if "does not answer" in why and server.place in why]
    assert site.keys == []
