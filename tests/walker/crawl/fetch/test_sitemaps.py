from __future__ import annotations

import gzip
import tracemalloc
import zlib

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from walker.crawl.fetch import sitemaps
from walker.crawl.fetch.sitemaps import BadSitemap, SitemapParser, SitemapWalk

HERE = "https://example.org/sitemap.xml"
NS = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'
PAGES = f"""<?xml version="1.0" encoding="UTF-8"?>
<urlset {NS} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
  <url><loc> https://example.org/a?b=1&amp;c=2 </loc><image:image><image:loc>https://example.org/a.png</image:loc></image:image></url>
  <url><lastmod>2024-01-01</lastmod><loc><![CDATA[https://example.org/ü]]></loc></url>
  <url><loc>/relative</loc></url><url><loc></loc></url><url><loc>mailto:a@b.org</loc></url>
</urlset>""".encode()
ADDRESSES = ["https://example.org/a?b=1&c=2", "https://example.org/ü", "https://example.org/relative"]


def read(body: bytes, piece: int = 1 << 20) -> list[str]:
    parser = SitemapParser(HERE)
    found = [entry.url for start in range(0, len(body), piece) for entry in parser.feed(body[start : start + piece])]
    return found + [entry.url for entry in parser.close()]


@pytest.mark.parametrize(
    "body",
    [
        PAGES,
        gzip.compress(PAGES),
        gzip.compress(PAGES[:200]) + gzip.compress(PAGES[200:]) + b"\0" * 20,
        b"\xef\xbb\xbf\n" + PAGES.split(b"\n", 1)[1],
        PAGES.decode().replace("UTF-8", "UTF-16").encode("utf-16"),
        "\n".join(["# list", *ADDRESSES[:2], "", "not an address", "https://example.org/relative"]).encode(),
        "\r\n".join(ADDRESSES).encode(),
        b"<rss><channel><link>https://example.org/</link>"
        + "".join(f"<item><link>{url.replace('&', '&amp;')}</link></item>" for url in ADDRESSES).encode()
        + b"</channel></rss>",
        (
            '<feed xmlns="http://www.w3.org/2005/Atom"><link href="https://example.org/"/>'
            + "".join(
                f'<entry><link rel="edit" href="/e"/><link href="{url.replace("&", "&amp;")}"/></entry>'
                for url in ADDRESSES
            )
            + "</feed>"
        ).encode(),
    ],
)
@pytest.mark.parametrize("piece", [1, 7, 1 << 20])
def test_every_form_of_a_sitemap_is_read(body: bytes, piece: int) -> None:
    assert read(body, piece) == ADDRESSES


def test_an_item_without_a_link_is_found_by_its_permanent_address() -> None:
    body = (
        "<rss><channel>"
        "<item><title>A</title><guid>https://example.org/a</guid></item>"
        "<item><guid isPermaLink='true'>https://example.org/b</guid><description>x</description></item>"
        "<item><guid isPermaLink='false'>https://example.org/no-address</guid></item>"
        "<item><guid>tag:example.org,2024:1</guid></item>"
        "<item><guid>https://example.org/?p=7</guid><link>https://example.org/c</link></item>"
        "<item><link></link><guid>https://example.org/d</guid></item>"
        "</channel></rss>"
    )
    assert read(body.encode()) == [f"https://example.org/{name}" for name in "abcd"]


def test_a_page_for_telephones_is_no_further_page() -> None:
    body = (
        f'<urlset {NS} xmlns:xhtml="http://www.w3.org/1999/xhtml"><url><loc>https://example.org/a</loc>'
        '<xhtml:link rel="alternate" media="only screen and (max-width: 640px)" href="https://m.example.org/a"/>'
        '<xhtml:link rel="alternate" hreflang="de" href="https://example.org/de/a"/></url></urlset>'
    )
    assert read(body.encode()) == ["https://example.org/a", "https://example.org/de/a"]


def pages(*urls: str) -> bytes:
    return f"<urlset {NS}>{''.join(f'<url><loc>{url}</loc></url>' for url in urls)}</urlset>".encode()


def declared(encoding: str, *urls: str) -> str:
    return f'<?xml version="1.0" encoding="{encoding}"?>\n' + pages(*urls).decode()


CARELESS: dict[str, tuple[bytes, str]] = {
    "an ampersand as in the address bar": (declared("UTF-8", "/?a=1&b=2&amp;c=3&copy=4").encode(), "/?a=1&b=2&c=3&copy=4"),
    "names of characters that only HTML has": (declared("UTF-8", "/caf&eacute;&#33;&#0;").encode(), "/café!\ufffd"),
    "ampersands where none are special": (declared("UTF-8", "<![CDATA[/?a=1&amp=2]]>").encode(), "/?a=1&amp=2"),
    "says UTF-16 and is not": (declared("UTF-16", "/ü").encode(), "/ü"),
    "says UTF-8 and is UTF-16": (declared("UTF-8", "/ü").encode("utf-16"), "/ü"),
    "UTF-16 without a mark": (declared("UTF-16", "/ü").encode("utf-16-be"), "/ü"),
    "an old encoding": (declared("windows-1252", "/“ü").encode("windows-1252"), "/“ü"),
    "an encoding of several bytes": (declared("Shift_JIS", "/漢字").encode("shift_jis"), "/漢字"),
    "another": (declared("gb2312", "/汉字").encode("gb2312"), "/汉字"),
    "an encoding that nobody knows": (declared("klingon", "/ü").encode(), "/ü"),
    "an encoding that is none of text": (declared("base64", "/ü").encode(), "/ü"),
    "a wrong byte": (declared("UTF-8", "/ü").encode("latin-1"), "/\ufffd"),
    "bytes that XML forbids": (declared("UTF-8", "/a\0\x0b").encode() + b"\0", "/a"),
    "two marks": (b"\xef\xbb\xbf\n" + declared("UTF-8", "/ü").encode("utf-8-sig"), "/ü"),
    "a prefix from nowhere": (b"<urlset><url><loc>/a</loc><i:image><i:loc>/b.png</i:loc></i:image></url></urlset>", "/a"),
    "upper case": (b"<URLSET><URL><LOC>/a</LOC></URL></URLSET>", "/a"),
    "other languages only": (b'<urlset><url><xhtml:link rel="alternate" hreflang="de" href="/de/a"/></url></urlset>', "/de/a"),
    "a list in UTF-16": ("HTTPS://example.org/ü\r\n".encode("utf-16"), "/ü"),
}  # fmt: skip


@pytest.mark.parametrize("what", CARELESS)
@pytest.mark.parametrize("piece", [1, 5, 1 << 20])
def test_carelessly_written_sitemaps_are_read(what: str, piece: int) -> None:
    body, path = CARELESS[what]
    assert read(body, piece) == [f"https://example.org{path}"]


@pytest.mark.parametrize(
    ("body", "what"),
    [
        (b"<!DOCTYPE urlset [<!ENTITY a 'b'>]><urlset><url><loc>&a;</loc></url></urlset>", "it has a document type"),
        (b"<!DOCTYPE urlset SYSTEM 'file:///etc/passwd'><urlset/>", "it has a document type"),
        (b"<!doctype html><html></html>", "not well-formed XML"),
        (b"<html><body>Not found</body></html>", "<html> is not a sitemap"),
        (b"<urlset>" + b"<a>" * 40, "nested deeper than 32"),
        (b"<urlset><url>", "not well-formed XML"),
        (gzip.compress(PAGES)[:-20], "the compressed file is truncated"),
        (b"\x1f\x8b" + b"x" * 50, "the compressed file is damaged"),
        (b"x" * 5000, "neither XML nor a list"),
    ],
)
def test_what_is_no_sitemap_says_so(body: bytes, what: str) -> None:
    with pytest.raises(BadSitemap, match=what):
        read(body)


def test_a_packed_bomb_is_cut_at_the_limit() -> None:
    packer = zlib.compressobj(9, zlib.DEFLATED, zlib.MAX_WBITS | 16)
    bomb = packer.compress(f"<urlset {NS}>".encode()) + b"".join(packer.compress(b" " * (1 << 20)) for _ in range(80))
    bomb += packer.flush()
    tracemalloc.start()
    with pytest.raises(BadSitemap, match="larger than 50 MiB"):
        read(bomb)
    assert tracemalloc.get_traced_memory()[1] < 8 << 20
    tracemalloc.stop()


@settings(max_examples=200)
@given(st.binary(max_size=300), st.integers(1, 50))
def test_no_bytes_break_the_reader(body: bytes, piece: int) -> None:
    try:
        assert all(url.startswith(("http://", "https://")) for url in read(body, piece))
    except BadSitemap as error:
        assert str(error)  # noqa: PT017 - either outcome is right


class Files:
    def __init__(self, files: dict[str, bytes]) -> None:
        self.files, self.asked = files, list[str]()

    async def fetch(self, url: str) -> tuple[int, bytes]:
        self.asked.append(url)
        return (200, self.files[url]) if url in self.files else (404, b"")


def index(*urls: str) -> bytes:
    return (
        f"<sitemapindex {NS}>{''.join(f'<sitemap><loc>{url}</loc></sitemap>' for url in urls)}</sitemapindex>".encode()
    )


async def walked(files: Files, *start: str) -> tuple[list[str], list[str]]:
    walk = SitemapWalk(files.fetch, lambda url: url.startswith("https://a.org/"))
    return [url async for url in walk.addresses(start)], walk.problems


async def test_an_index_is_followed_in_its_order_each_file_once() -> None:
    files = Files(
        {
            "https://a.org/i": index(
                "https://a.org/1", "2.gz", "https://a.org/gone", "https://a.org/i", "https://a.org/1#x"
            ),
            "https://a.org/1": pages("https://a.org/x", "https://other.org/y"),
            "https://a.org/2.gz": gzip.compress(pages("https://a.org/z")),
        }
    )
    assert await walked(files, "https://a.org/i", "https://a.org/1") == (
        ["https://a.org/x", "https://a.org/z"],
        ["https://a.org/gone: answers 404"],
    )
    assert files.asked == ["https://a.org/i", "https://a.org/1", "https://a.org/2.gz", "https://a.org/gone"]


async def test_what_stands_before_a_fault_counts() -> None:
    files = Files(
        {"https://a.org/1": pages("https://a.org/x")[:-9] + b"<", "https://a.org/2": pages("https://a.org/y")}
    )
    found, [problem] = await walked(files, "https://a.org/1", "https://a.org/2")
    assert found == ["https://a.org/x", "https://a.org/y"]
    assert problem.startswith("https://a.org/1: not well-formed XML")


async def test_endless_indexes_end(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = Files({f"https://a.org/{number}": index(f"https://a.org/{number + 1}") for number in range(20)})
    found, problems = await walked(chain, "https://a.org/0")
    assert (found, problems) == ([], ["https://a.org/3: indexes nested deeper than 3"])
    monkeypatch.setattr(sitemaps, "MOST_FILES", 5)
    wide = Files({"https://a.org/0": index(*(f"https://a.org/w{number}" for number in range(20)))})
    _, problems = await walked(wide, "https://a.org/0")
    assert len(wide.asked) == 5
    assert problems[-1] == "https://a.org/w4: more than 5 sitemaps"
