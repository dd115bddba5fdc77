"""Fetches pages as a browser shows them, for sites whose text or links come from scripts."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
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


@contextmanager
def rendered(base: str) -> Iterator[Fetch]:
    """Yields a fetcher of rendered pages below the base; files that are no page are fetched plainly."""
    with OverHttp(base) as plain, sync_playwright() as player:
        browser = player.chromium.launch(executable_path=find_browser("").path, args=["--no-sandbox"])
        context = browser.new_context(viewport={"width": 1280, "height": 1024})
        context.route(lambda url: not url.startswith(base), lambda route: route.abort())
        page = context.new_page()

        def fetch(path: str) -> Fetched | None:
            bare, _, route = path.partition("#")
            bare = folder_of(bare)
            answer = plain.get(bare)
            kind = answer[1].get("content-type", "").partition(";")[0] if answer else ""
            if answer is None or answer[0] >= 400 or (kind and kind not in ("text/html", "text/plain")):
                return plain(bare) if kind == "application/pdf" else None
            try:
                page.goto("about:blank")
                page.goto(base + quote(bare) + (f"#{route}" if route else ""), wait_until="load", timeout=30_000)
                page.wait_for_load_state("networkidle", timeout=SETTLED_MS)
            except Error:
                pass  # what is there by now is read
            page.wait_for_timeout(AFTER_MS)
            try:
                shown, where = page.content(), path_of(page.url, base)
            except Error:
                return None
            parts = read_html(shown.encode(), page.url, base) if where else None
            return Fetched(path=where, parts=parts) if where and parts else None

        try:
            yield fetch
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
