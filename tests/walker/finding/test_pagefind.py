"""An index of Pagefind is read as far as it is one."""

from __future__ import annotations

import contextlib
import gzip
import json
from collections.abc import Callable

import pytest

from perception.snapshot import Snapshot
from tests.sites.pages_on_loopback import serve_site
from tests.walker.finding.conftest import finding_browser
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.finding.aids.pagefind import MARK, NotPagefind, fragment_files, meta_file, read_fragment
from walker.finding.polite_site import PoliteSite
from walker.seams.searches import search_address

HOME = "https://docs.example/guide/"


def cbor(value: object) -> bytes:
    """Lists, texts and numbers, as CBOR writes them."""
    if isinstance(value, list):
        return head(4, len(value)) + b"".join(map(cbor, value))
    if isinstance(value, str):
        return head(3, len(value.encode())) + value.encode()
    assert isinstance(value, int)
    return head(0, value)


def head(kind: int, count: int) -> bytes:
    if count < 24:
        return bytes([kind << 5 | count])
    return bytes([kind << 5 | 25]) + count.to_bytes(2, "big")


def packed(data: bytes) -> bytes:
    return gzip.compress(MARK + data)


LANGUAGES = {"de": {"hash": "de_1", "page_count": 1}, "en": {"hash": "en_2", "page_count": 30}}
ENTRY = json.dumps({"version": "1.3.0", "languages": LANGUAGES})
META = packed(cbor(["1.3.0", [["en_aa", 120], ["en_bb", 300], ["../evil", 1]], [["a", "m", "en_x"]], [], []]))
FRAGMENT = packed(json.dumps({"url": "/boats/", "content": "Mantis: 1997", "meta": {"title": "Boats"}}).encode())


def test_the_list_names_a_file_for_each_page() -> None:
    assert meta_file(ENTRY.encode()) == "pagefind.en_2.pf_meta"
    assert fragment_files(META) == ("fragment/en_aa.pf_fragment", "fragment/en_bb.pf_fragment")


def test_a_file_is_a_page_of_the_site() -> None:
    page = read_fragment(FRAGMENT, HOME)
    assert page is not None
    assert (page.url, page.title, page.text) == (HOME + "boats/", "Boats", "Mantis: 1997")


NO_LISTS: dict[str, Callable[[], bytes]] = {
    "empty": lambda: b"",
    "not compressed": lambda: b"no gzip",
    "no mark": lambda: gzip.compress(b"no mark"),
    "nothing behind the mark": lambda: packed(b""),
    "a count without end": lambda: packed(b"\x9b" + b"\xff" * 8),
    "too deep": lambda: packed(b"\x81" * 5000),
    "cut off": lambda: packed(cbor(["1.3.0"])[:-1]),
    "of no length": lambda: packed(b"\xbf"),
    "fewer items than told": lambda: packed(b"\x82\x61a\x9a\x00\xff\xff\xff"),
    "a bomb": lambda: gzip.compress(MARK + b"\0" * (64 << 20)),
}
"""Made when a test runs: compressed bytes hold the time, and no two processes would collect the same tests."""


@pytest.mark.parametrize("kind", NO_LISTS)
def test_what_is_no_list_names_nothing(kind: str) -> None:
    data = NO_LISTS[kind]()
    with contextlib.suppress(NotPagefind):
        assert fragment_files(data) == ()


@pytest.mark.parametrize(
    "data", [b"", b"[1]", b'{"languages": 3}', b'{"languages": {"en": {"hash": "../x"}}}', b"[" * 100_000]
)
def test_an_entry_without_an_index_is_none(data: bytes) -> None:
    with pytest.raises(NotPagefind):
        meta_file(data)


async def test_a_site_of_scripts_is_searched_by_its_index() -> None:
    script = '<script src="/pagefind/pagefind-ui.js"></script>'
    shell = f'<html><head><title>App</title>{script}</head><body><div id="app"></div></body></html>'
    meta = packed(cbor(["1.3.0", [["en_aa", 120]], [], [], []]))
    pages: dict[str, str | bytes] = {
        "/": shell,
        "/pagefind/pagefind-entry.json": json.dumps({"languages": {"en": {"hash": "en_2", "page_count": 1}}}),
        "/pagefind/pagefind.en_2.pf_meta": meta,
        "/pagefind/fragment/en_aa.pf_fragment": FRAGMENT,
    }
    with serve_site(pages) as served:
        async with HttpClient(served.home) as client:
            made = finding_browser(HttpBrowser(client), PoliteSite(served.home), served.home)
            await made.open(served.home)
            opened = await made.open(search_address("year of Mantis"))
            assert isinstance(opened, Snapshot)
            assert f'<a href="{served.home}boats/">Boats</a>' in opened.html
            assert "Pagefind: 1 pages named" in opened.html
            await made.close()
