"""Fetches pages as a browser shows them, for sites whose text or links come from scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple
from urllib.parse import quote

from playwright.sync_api import Error, sync_playwright

from answers.page_parts import path_of, read_html
from answers.site_map import Fetch, Fetched, OverHttp
from walker.browser.launch.find_chromium import find_browser

SETTLED_MS = 4000
"""Longest wait for a page's requests to end."""
AFTER_MS = 250


def folder_of(path: str) -> str:
    """The path of an index page without the file's name: the routes of scripts do not know it."""
    return path.removesuffix("index.html") if path == "index.html" or path.endswith("/index.html") else path


class Shown(NamedTuple):
    """A page as a browser shows it."""

    address: str
    markup: str


@contextmanager
def rendered(base: str) -> Iterator[Fetch]:
    """Yields a fetcher of rendered pages below the base; files that are no page are fetched plainly."""
    with OverHttp(base) as plain, shown_pages(base) as show:

        def fetch(path: str) -> Fetched | None:
            bare = folder_of(path.partition("#")[0])
            answer = plain.get(bare)
            kind = answer[1].get("content-type", "").partition(";")[0] if answer else ""
            if answer is None or answer[0] >= 400 or (kind and kind not in ("text/html", "text/plain")):
                return plain(bare) if kind == "application/pdf" else None
            shown = show(path)
            where = path_of(shown.address, base) if shown else ""
            if shown is None or not where:
                return None
            return Fetched(path=where, parts=read_html(shown.markup.encode(), shown.address, base))

        yield fetch


@contextmanager
def shown_pages(base: str) -> Iterator[Callable[[str], Shown | None]]:
    """Yields a function from paths below the base to pages after their scripts ran; None for one that leads elsewhere at once."""
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=find_browser("").path, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 1024})
        context.route(lambda url: not url.startswith(base), lambda route: route.abort())
        page = context.new_page()

        def show(path: str) -> Shown | None:
            bare, _, route = path.partition("#")
            try:
                page.goto("about:blank")
                address = base + quote(folder_of(bare)) + (f"#{route}" if route else "")
                page.goto(address, wait_until="load", timeout=30_000)
                page.wait_for_load_state("networkidle", timeout=SETTLED_MS)
            except Error:
                pass  # what is there by now is read
            page.wait_for_timeout(AFTER_MS)
            try:
                return Shown(page.url, page.content())
            except Error:
                return None

        try:
            yield show
        finally:
            browser.close()


def text_seen(base: str, path: str) -> str:
    """What a browser shows of a page, style sheets included; "" where it does not load."""
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=find_browser("").path, args=["--no-sandbox"])
        page = browser.new_page()
        try:
            page.goto(base + quote(folder_of(path)), wait_until="load", timeout=30_000)
            return str(page.inner_text("body"))
        except Error:
            return ""
        finally:
            browser.close()
