"""`walker init` and `walker test-selector`: the first minutes with a site."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import Ended, closed_address, walker_here

CARD = (
    '<li class="col"><article class="book"><h3><a href="/book/{n}" title="t">Book number {n}</a></h3>'
    '<p class="book-price">£{n}.50</p><i class=place>Shelf {n}</i><i class=pages>{n}20</i>'
    "<i class=added>0{n}.05.2024</i></article></li>"
)
CARDS = "".join(CARD.format(n=number) for number in range(1, 9))
LINKS = "".join(f"<li class=entry><a href=/{word}>{word}</a></li>" for word in "home shop news help about jobs".split())
SHOP = f"<html lang=en><title>Books</title><nav><ul>{LINKS}</ul></nav><h1>Books</h1><ol>{CARDS}</ol>"


@pytest.fixture(scope="module")
def shop() -> Iterator[str]:
    with serve({"/": SHOP, "/plain": "<title>Plain</title><p>Nothing but a sentence stands on this page.</p>"}) as home:
        yield f"{home}/"


def run(folder: Path, *arguments: str) -> Ended:
    return walker_here(*arguments, folder=folder)


def test_a_starting_script_is_valid_and_finds_the_records(shop: str, tmp_path: Path) -> None:
    ended = run(tmp_path, "init", shop, "-o", "books.yaml")
    assert ended.code == 0, ended.err
    assert run(tmp_path, "crawl", "--check", "books.yaml").code == 0
    crawled = run(tmp_path, "crawl", "books.yaml", "--driver", "http", "-q")
    assert crawled.code == 0, crawled.err
    rows = list(csv.DictReader((tmp_path / "items.csv").read_text().splitlines()))
    assert len(rows) == 8
    assert (rows[0]["name"], rows[0]["book_price"], rows[0]["link"]) == ("Book number 1", "1.5", f"{shop}book/1")
    assert (rows[0]["place"], rows[0]["pages"], rows[0]["added"]) == ("Shelf 1", "120", "01.05.2024")
    again = run(tmp_path, "init", shop, "-o", "books.yaml")
    assert (again.code, "it is there already" in again.line) == (2, True)
    assert run(tmp_path, "init", shop, "-o", "books.yaml", "--force").code == 0


def test_a_page_without_records_gives_a_script_too(shop: str, tmp_path: Path) -> None:
    assert run(tmp_path, "init", f"{shop}plain").code == 0
    assert "items: auto" in (tmp_path / "127.0.0.1.yaml").read_text()
    assert run(tmp_path, "crawl", "--check", "127.0.0.1.yaml").code == 0


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (("article.book h3",), [f"Book number {number}" for number in range(1, 9)]),
        ((".book-price", "--type", "number"), [f"{number}.5" for number in range(1, 9)]),
        (("//article//a", "--attr", "href", "--type", "url"), [f"{{shop}}book/{number}" for number in range(1, 9)]),
    ],
)
def test_a_selector_is_tried(shop: str, tmp_path: Path, arguments: tuple[str, ...], found: list[str]) -> None:
    ended = run(tmp_path, "test-selector", shop, *arguments)
    assert (ended.code, ended.out.splitlines()) == (0, [one.format(shop=shop) for one in found])
    assert ended.line == "8 found"
    assert json.loads(run(tmp_path, "test-selector", shop, *arguments, "--json").out) == ended.out.splitlines()


def test_what_finds_nothing_or_cannot_be_is_told(shop: str, tmp_path: Path) -> None:
    none = run(tmp_path, "test-selector", shop, ".none")
    assert (none.code, none.out, none.line) == (3, "", "0 found")
    bad = run(tmp_path, "test-selector", shop, "li[")
    assert (bad.code, len(bad.err.splitlines())) == (2, 1)
    for command in (("test-selector", closed_address(), "p"), ("init", closed_address()), ("init", f"{shop}gone")):
        gone = run(tmp_path, *command)
        assert (gone.code, len(gone.err.splitlines())) == (1, 1), command
