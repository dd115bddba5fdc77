"""Pages over plain HTTP, from real servers on loopback that do what servers should not."""

from __future__ import annotations

import asyncio
import gzip
import ssl
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import brotli
import pytest
import zstandard

from perception.snapshot import Snapshot
from tests.sites.misbehaving import serve_misbehaving
from tests.sites.over_tls import make_certificate
from walker.browser.egress.stream_server import StreamServer
from walker.browser.http import http_backend
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpAnswer, HttpClient
from walker.browser.page.meta_refresh import leads_on_to
from walker.seams.actions import Click, Operate
from walker.seams.protocols import PageFailure

Answer = Callable[[str, dict[str, str], asyncio.StreamWriter], Awaitable[None]]
BIG = 64 << 20


class Site:
    """What one raw server answers, and what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, dict[str, str]]] = []
        self.connections = 0
        self.answer: Answer = plain("<p>hello</p>")
        self.home = ""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with suppress(OSError, asyncio.IncompleteReadError):
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
                headers = {name.lower(): value for name, _, value in (line.partition(": ") for line in head[1:])}
                self.asked.append((head[0].split(" ")[1], headers))
                await self.answer(head[0].split(" ")[1], headers, writer)
                if writer.is_closing():
                    return
                await writer.drain()


def reply(body: bytes, *headers: str, status: str = "200 OK", length: bool = True) -> Answer:
    async def answer(path: str, asked: dict[str, str], writer: asyncio.StreamWriter) -> None:
        lines = [f"HTTP/1.1 {status}", *headers, *([f"Content-Length: {len(body)}"] if length else [])]
        writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + body)
        if not length:
            await writer.drain()
            writer.close()

    return answer


def plain(html: str) -> Answer:
    return reply(html.encode(), "Content-Type: text/html; charset=utf-8")


@asynccontextmanager
async def serving(site: Site, tls: ssl.SSLContext | None = None, host: str = "127.0.0.1") -> AsyncIterator[str]:
    server = StreamServer(site.serve, tls=tls)
    _, port = await server.start()
    try:
        yield f"{'https' if tls else 'http'}://{host}:{port}/"
    finally:
        await server.close()


@pytest.fixture
async def site() -> AsyncIterator[Site]:
    made = Site()
    async with serving(made) as made.home:
        yield made


async def opened(site: Site, path: str = "", **bounds: float) -> Snapshot | PageFailure:
    async with HttpClient(site.home, **bounds) as client:  # type: ignore[arg-type]
        return await HttpBrowser(client).open(site.home + path)


def kind_of(answer: object) -> str:
    assert isinstance(answer, PageFailure), answer
    assert "\n" not in answer.message
    return answer.kind


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("hung", "timeout"),
        ("reset", "empty"),
        ("ring", "redirect_loop"),
        ("endless", "timeout"),
        ("nothing", "empty"),
        ("file", "download"),
        ("paper", "not_a_page"),
        ("inwards", "blocked_address"),
    ],
)
async def test_what_is_no_page_is_a_named_failure(path: str, kind: str) -> None:
    with serve_misbehaving() as home:
        async with HttpClient(home, page_seconds=1.5) as client:
            browser = HttpBrowser(client)
            failure = await browser.open(home + path)
            assert isinstance(failure, PageFailure)
            assert (failure.kind, failure.url) == (kind, home + path)
            assert isinstance(await browser.open(home + "plain"), Snapshot)


async def test_hosts_ports_and_certificates_that_fail_are_told_apart(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_backend, "TLS_SECONDS", 1)  # the site waits for more than the greeting, and says nothing
    async with HttpClient(site.home, "http://127.0.0.1:9/") as client:
        browser = HttpBrowser(client)
        assert kind_of(await browser.open("http://no-such-host.invalid/")) == "unknown_host"
        assert kind_of(await browser.open("http://127.0.0.1:9/")) == "refused"
        assert kind_of(await browser.open(site.home.replace("http:", "https:"))) == "tls"
        assert kind_of(await browser.open("http://[::1/")) == "other"
        site.answer = reply(b"", length=True, status="two hundred")
        assert kind_of(await browser.open(site.home)) == "other"


INWARDS = (
    "http://169.254.169.254/latest/", "http://10.0.0.1/", "http://[::ffff:10.0.0.1]/", "http://0/", "http://[::]/",
    "http://2852039166/", "http://0xa9.0xfe.0xa9.0xfe/", "http://127.1:9/", "http://localhost:9/",
    "http://2130706433:9/", "http://0x7f.0.0.1:9/", "http://[64:ff9b::7f00:1]:9/", "http://[fe80::1]/",
)  # fmt: skip


@pytest.mark.parametrize("inwards", INWARDS)
async def test_private_addresses_are_refused_asked_for_or_redirected_to(site: Site, inwards: str) -> None:
    async with HttpClient(site.home) as client:
        browser = HttpBrowser(client)
        assert kind_of(await browser.open(inwards)) == "blocked_address"
        site.answer = reply(b"", f"Location: {inwards}", status="302 Found")
        assert kind_of(await browser.open(site.home)) == "blocked_address"
        site.answer = plain(f"<meta http-equiv=refresh content='0;url={inwards}'>")
        assert kind_of(await browser.open(site.home)) == "blocked_address"
        assert client.dialer.take_blocked()


async def test_every_hop_is_judged_and_other_schemes_are_not_followed(site: Site) -> None:
    other = Site()
    async with serving(other) as elsewhere, HttpClient(site.home) as client:
        browser = HttpBrowser(client)

        async def hop(path: str, asked: dict[str, str], writer: asyncio.StreamWriter) -> None:
            to = elsewhere if path == "/2" else "/2"
            await reply(b"moved", f"Location: {to}", status="301 Moved")(path, asked, writer)

        site.answer = hop
        assert kind_of(await browser.open(site.home + "1")) == "blocked_address"
        assert other.asked == []
        site.answer = reply(b"", "Location: file:///etc/passwd", status="302 Found")
        assert kind_of(await browser.open(site.home)) == "bad_scheme"


async def test_octal_addresses_are_not_asked(site: Site) -> None:
    assert kind_of(await HttpBrowser(HttpClient(site.home)).open("http://0251.0376.0251.0376/")) == "other"


async def test_the_own_address_in_other_spellings_is_the_own_address(site: Site) -> None:
    port = site.home.rsplit(":", 1)[1]
    async with HttpClient(site.home) as client:
        for host in ("2130706433", "0x7f.0.0.1", "127.1"):
            assert isinstance(await HttpBrowser(client).open(f"http://{host}:{port}"), Snapshot)


@pytest.mark.parametrize("packing", ["gzip", "deflate", "br", "zstd"])
async def test_bombs_are_not_unpacked(site: Site, packing: str) -> None:
    zeros = bytes(BIG)
    packers = {"gzip": gzip.compress, "deflate": zlib.compress, "br": brotli.compress, "zstd": zstandard.compress}
    packed = packers[packing](zeros)
    site.answer = reply(packed, "Content-Type: text/html", f"Content-Encoding: {packing}")
    failure = await opened(site)
    assert kind_of(failure) == "unreadable"
    assert "times its size" in failure.message  # type: ignore[union-attr]
    twice = gzip.compress(gzip.compress(zeros))
    site.answer = reply(twice, "Content-Type: text/html", "Content-Encoding: gzip, gzip")
    assert kind_of(await opened(site)) == "unreadable"


async def test_a_page_is_read_up_to_its_bound(site: Site) -> None:
    html = ("<p>" + "words and more of them " * 400 + "</p>").encode()
    for answer in (
        reply(html, "Content-Type: text/html"),
        reply(html, "Content-Type: text/html", length=False),
        reply(gzip.compress(html), "Content-Type: text/html", "Content-Encoding: gzip"),
    ):
        site.answer = answer
        fits = await opened(site, page_bytes=len(html))
        assert isinstance(fits, Snapshot)
        assert fits.html.encode() == html
        failure = await opened(site, page_bytes=len(html) - 1)
        assert kind_of(failure) == "unreadable"
        assert "larger than" in failure.message  # type: ignore[union-attr]


async def test_broken_and_unasked_packing_is_named(site: Site) -> None:
    site.answer = reply(b"no gzip at all", "Content-Type: text/html", "Content-Encoding: gzip")
    assert kind_of(await opened(site)) == "other"
    site.answer = reply(b"\x1f\x9d\x90", "Content-Type: text/html", "Content-Encoding: compress")
    assert kind_of(await opened(site)) == "other"
    # What is not packed at all, whatever is said of it.
    site.answer = reply("<p>Größe".encode(), "Content-Type: text/html; charset=utf-8", "Content-Encoding: UTF-8")
    page = await opened(site)
    assert isinstance(page, Snapshot)
    assert page.html == "<p>Größe"


async def test_a_server_that_drips_is_left_in_time(site: Site) -> None:
    async def drip(path: str, asked: dict[str, str], writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 100000\r\n\r\n")
        while not writer.is_closing():
            writer.write(b"x")
            await writer.drain()
            await asyncio.sleep(0.02)

    site.answer = drip
    assert kind_of(await asyncio.wait_for(opened(site, page_seconds=0.5), 20)) == "timeout"


async def test_half_a_page_is_no_page(site: Site) -> None:
    async def half(path: str, asked: dict[str, str], writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 1000\r\n\r\n<p>the beginning")
        await writer.drain()
        writer.close()

    site.answer = half
    assert kind_of(await opened(site)) == "refused"


@pytest.mark.parametrize(
    ("body", "header"),
    [
        ("<p>héllo 你好</p>".encode("utf-8-sig"), "text/html; charset=iso-8859-1"),
        ("<p>héllo</p>".encode("latin-1"), "text/html; charset=iso-8859-1"),
        ("<p>你好héllo</p>".encode("gb18030"), "text/html; charset=gb2312"),
        ("<meta charset=windows-1251><p>héllo</p>".replace("é", "д").encode("cp1251"), "text/html"),
        ("<p>héllo</p>".encode(), ""),
    ],
)
async def test_letters_are_those_that_were_written(site: Site, body: bytes, header: str) -> None:
    site.answer = reply(body, *([f"Content-Type: {header}"] if header else []))
    page = await opened(site)
    assert isinstance(page, Snapshot)
    assert any(word in page.html for word in ("héllo", "hдllo"))
    assert page.content_type == "text/html"


async def test_types_are_told_apart(site: Site) -> None:
    site.answer = reply(b'{"a": "<b>"}', "Content-Type: application/json")
    json = await opened(site)
    assert isinstance(json, Snapshot)
    assert '{"a": "&lt;b&gt;"}' in json.html
    for body, header, kind in (
        (b"\x00\x01", "X: none", "download"),
        (b"\x89PNG", "Content-Type: image/png", "not_a_page"),
        (b"PK", "Content-Type: application/zip", "download"),
        (b"<p>", "Content-Disposition: attachment; filename=a.html", "download"),
    ):
        site.answer = reply(body, header)
        assert kind_of(await opened(site)) == kind
    site.answer = reply(b"just words", "X: none")
    words = await opened(site)
    assert isinstance(words, Snapshot)
    assert words.content_type == "text/plain"


async def test_cookies_and_headers_go_with_every_browser_of_a_crawl(site: Site) -> None:
    site.answer = reply(b"<p>x", "Content-Type: text/html", "Set-Cookie: seen=yes; Path=/")
    async with HttpClient(site.home, headers={"User-Agent": "walker (+mailto:me@a.example)"}) as client:
        await HttpBrowser(client).open(site.home)
        await HttpBrowser(client).open(site.home + "b")
    assert [asked[1].get("cookie") for asked in site.asked] == [None, "seen=yes"]
    assert {asked[1]["user-agent"] for asked in site.asked} == {"walker (+mailto:me@a.example)"}
    assert site.connections == 1, "a connection is used again"


async def test_a_connection_that_was_closed_meanwhile_costs_no_page(site: Site) -> None:
    async def once(path: str, asked: dict[str, str], writer: asyncio.StreamWriter) -> None:
        if path == "/late" and len(site.asked) == 2:
            writer.close()
            return
        await plain("<p>here</p>")(path, asked, writer)

    site.answer = once
    async with HttpClient(site.home) as client:
        browser = HttpBrowser(client)
        assert isinstance(await browser.open(site.home), Snapshot)
        assert isinstance(await browser.open(site.home + "late"), Snapshot)
    assert site.connections == 2


async def test_many_pages_at_a_time(site: Site) -> None:
    async def echo(path: str, asked: dict[str, str], writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(0.01)
        await plain(f"<title> {path}\n</title>")(path, asked, writer)

    site.answer = echo
    async with HttpClient(site.home, connections=5) as client:
        browser = HttpBrowser(client)
        pages = await asyncio.gather(*[browser.open(f"{site.home}{n}") for n in range(60)])
    assert [page.title for page in pages if isinstance(page, Snapshot)] == [f"/{n}" for n in range(60)]
    assert site.connections <= 5


async def test_what_only_a_drawn_page_can_do_is_one_line(site: Site) -> None:
    async with HttpClient(site.home) as client:
        browser = HttpBrowser(client)
        await browser.open(site.home)
        for done in (await browser.act(Operate(action=Click(control_id=1), selector="a")), await browser.see()):
            assert isinstance(done, PageFailure)
            assert done.url == site.home
            assert "driver" in done.message


async def test_a_stub_that_leads_on_gives_the_page_it_leads_to(site: Site) -> None:
    async def lead(path: str, asked: dict[str, str], writer: asyncio.StreamWriter) -> None:
        stub = "<META HTTP-EQUIV='Refresh' CONTENT=\"0; URL='next'\">"
        pages = {"/a/": stub, "/a/next": "<title>Next</title>", "/ring": "<meta http-equiv=refresh content=0;ring>"}
        await plain(pages[path])(path, asked, writer)

    site.answer = lead
    page = await opened(site, "a/")
    assert isinstance(page, Snapshot)
    assert (page.url, page.final_url, page.title) == (site.home + "a/", site.home + "a/next", "Next")
    assert kind_of(await opened(site, "ring")) == "redirect_loop"


@pytest.mark.parametrize(
    "stays",
    [
        "<meta http-equiv=refresh content=60>", "<meta http-equiv=refresh content='30;url=/b'>",
        "<noscript><meta http-equiv=refresh content='0;url=/b'></noscript>",
        "<!-- <meta http-equiv=refresh content='0;url=/b'> -->",
        "<script>'<meta http-equiv=refresh content=0;/b>'</script>",
    ],
)  # fmt: skip
def test_a_page_that_stays_leads_nowhere(stays: str) -> None:
    assert leads_on_to(stays, "http://a.example/") == ""
    assert leads_on_to(stays, "http://a.example/", "1;url=c") == "http://a.example/c"


async def test_names_and_certificates_are_those_of_the_address(tmp_path: Path) -> None:
    key, certificate = make_certificate(tmp_path, "DNS:localhost")
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    names: list[str] = []
    server.sni_callback = lambda _, name, __: names.append(name or "")
    site, trusting = Site(), ssl.create_default_context(cafile=str(certificate))
    async with serving(site, server, "localhost") as home:
        async with HttpClient(home, certificates=trusting) as client:
            answer = await client.fetch(home)
            assert isinstance(answer, HttpAnswer), answer
            assert answer.body == b"<p>hello</p>"
            assert kind_of(await client.fetch(home.replace("localhost", "127.0.0.1"))) == "tls"
        async with HttpClient(home) as client:
            untrusted = await client.fetch(home)
    assert kind_of(untrusted) == "tls"
    assert "certificate is not valid" in untrusted.message  # type: ignore[union-attr]
    assert "localhost" in names


async def test_a_cookie_that_no_header_can_carry_costs_no_page(site: Site) -> None:
    asked_with: list[str] = []

    async def told(path: str, asked: dict[str, str], writer: asyncio.StreamWriter) -> None:
        asked_with.append(asked.get("cookie", ""))
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 4\r\nConnection: close\r\n")
        writer.write("Set-Cookie: name=Jürgen; Path=/\r\nSet-Cookie: plain=a%20b; Path=/\r\n\r\n<p>x".encode())
        await writer.drain()
        writer.close()

    site.answer = told
    async with HttpClient(site.home) as client:
        for _ in range(2):
            assert isinstance(await HttpBrowser(client).open(site.home), Snapshot)
    assert asked_with[0] == ""
    assert set(asked_with[1].split("; ")) == {"name=J%C3%BCrgen", "plain=a%20b"}
