"""A small site with known truth, for crawls: lists of items over several pages, categories, redirects."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving

ITEMS = 60
A_PAGE = 6
COPIES = 3
"""Addresses under which a category says what it says under its own."""
PAGES = 1 + ITEMS // A_PAGE + ITEMS + 4
"""Front, lists, items, categories."""
SENTENCES = (
    "lamp chair table river stone garden window letter bridge market forest harbour kettle ladder mirror pillow".split()
)


def item_text(number: int) -> str:
    words = [SENTENCES[(number * 7 + k * (number + 3)) % len(SENTENCES)] + str((number * k) % 11) for k in range(40)]
    return " ".join(words)


def page_of(path: str) -> str | None:
    """The markup of an address, None where there is none."""
    name, _, number = path.strip("/").partition("/")
    if path == "/":
        lists = "".join(f"<a href=/list/{n}>List {n}</a> " for n in range(ITEMS // A_PAGE))
        return f"<title>Front</title><h1>Front</h1>{lists}<a href=/category/0>Category</a><a href=/old/3>Old</a>"
    if name == "list" and number.isdecimal() and int(number) < ITEMS // A_PAGE:
        n = int(number)
        rows = "".join(f"<li><a href=/item/{i}>Item {i}</a></li>" for i in range(n * A_PAGE, (n + 1) * A_PAGE))
        return (
            f"<title>List {n}</title><h1>List {n}</h1><ul>{rows}</ul><a href=/list/{n + 1}>Next</a><a href=/>Front</a>"
        )
    if name == "item" and number.isdecimal() and int(number) < ITEMS:
        n = int(number)
        source = f"&from={n}" if n < COPIES else ""
        return (
            f"<title>Item {n}</title><h1>Item {n}</h1><p class=price>{n * 3 + 1} EUR</p><p>{item_text(n)}</p>"
            f"<a href=/item/{(n * 5 + 1) % ITEMS}>Related</a><a href=/category/{n % 4}?utm_source=item{n}{source}>Category</a>"
        )
    if name == "category" and number.isdecimal() and int(number) < 4:
        n = int(number)
        rows = "".join(f"<a href=/item/{i}>Item {i}</a> " for i in range(n, ITEMS, 4))
        return f"<title>Category {n}</title><h1>Category {n}</h1>{rows}"
    return None


class CrawlSite(LoopbackSite):
    """Takes `delay` seconds for a page, and counts how many it is asked for at a time."""

    def __init__(self, delay: float) -> None:
        super().__init__(keep_alive=True)
        self.delay = delay
        self.at_a_time = self.most_at_a_time = 0
        self._lock = threading.Lock()

    def wait_for(self, pages: int) -> None:
        """Return when so many were asked for."""
        while len(self.asked) < pages:
            time.sleep(0.01)

    def answer(self, asked: Asked) -> Answer | None:
        """The page, after the delay."""
        with self._lock:
            self.at_a_time += 1
            self.most_at_a_time = max(self.most_at_a_time, self.at_a_time)
        time.sleep(self.delay)
        with self._lock:
            self.at_a_time -= 1
        if asked.path.startswith("/old/"):
            return moved(asked.path.replace("old", "item"), 301)
        page = page_of(asked.path)
        return None if page is None else Answer(f"<!doctype html><html><body>{page}</body></html>")


@contextmanager
def serve_crawl_site(delay: float = 0.0) -> Iterator[CrawlSite]:
    """The site, while the block lasts."""
    with serving(CrawlSite(delay)) as site:
        yield site
