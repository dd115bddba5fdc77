"""The rule that cuts: every trap stops, and nothing real is lost."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Literal

import msgspec
import pytest

from tests.sites.traps import TRAPS, Shape, serve_traps
from tests.sites.traps.words import Words
from tests.walker.crawl.simulated_crawl import SimulatedCrawl
from walker.crawl.traps.branches import Branch, Found, Standing, are_akin, branch_of, family_name, is_open, judge
from walker.crawl.traps.family_links import FamilyLinks

Order = Literal["depth-first", "breadth-first"]
ORDERS: tuple[Order, ...] = ("depth-first", "breadth-first")
WASTE_AT_MOST = {"calendar": 160, "mirror": 100, "maze": 480, "state_ring": 50, "redirects": 250, "facets": 120}
"""Requests; the others at most 25. Under breadth-first order a month's days are asked for before the month after the next."""
SMALL = Shape(categories=2, pages=2, per_page=8, chapters=4)
LISTS = "x/list?page > x/list?page"
ITEMS = "x/list?page > x/item/{n}"


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("name", TRAPS)
def test_a_trap_is_left_and_the_site_is_not(name: str, order: Order) -> None:
    with serve_traps(SMALL, traps=(name,)) as site:
        crawl = SimulatedCrawl(site.address + "/", order, fetch=site.fetch, most=3000)
        crawl.run()
        assert {site.address + path for path in site.truth().pages} <= set(crawl.fetched())
        assert site.counts()[name] <= WASTE_AT_MOST.get(name, 25)
        assert crawl.cuts or name == "soft_404"  # its pages say what they are


@pytest.mark.parametrize(("order", "next_first"), [("depth-first", True), ("breadth-first", False)])
def test_long_lists_and_a_long_book_are_read_to_the_end(order: Order, next_first: bool) -> None:
    shape = Shape(categories=1, pages=200, per_page=1, chapters=300, next_first=next_first)
    with serve_traps(shape, traps=("calendar",)) as site:
        crawl = SimulatedCrawl(site.address + "/", order, fetch=site.fetch)
        crawl.run()
        assert {site.address + path for path in site.truth().pages} <= set(crawl.fetched())


Page = Callable[[str], str | None]


def framed(title: str, text: str, links: list[str]) -> str:
    ways = "".join(f"<a href='{link}'>{link.rsplit('/', 1)[-1]}</a> " for link in links)
    return f"<html><title>{title}</title><nav><a href='/'>home</a></nav><h1>{title}</h1><p>{text}</p>{ways}</html>"


def tree(size: int, text: Callable[[int], str]) -> Page:
    def page(path: str) -> str | None:
        number = int(path.rpartition("/")[2] or 1)
        children = [f"/p/{child}" for child in (2 * number, 2 * number + 1) if child <= size]
        return framed(f"Page {number}", text(number), children) if number <= size else None

    return page


def wiki(size: int, degree: int) -> Page:
    names = [f"{Words('wiki', number).rare()}{number}" for number in range(size)]
    places = {name: number for number, name in enumerate(names)}

    def page(path: str) -> str | None:
        number = places.get(path.rpartition("/")[2], 0)
        chance = random.Random(number)
        links = [f"/wiki/{names[int(size * chance.random() ** 2)]}" for _ in range(degree)]
        links.append(f"/wiki/{names[(number + 1) % size]}")
        return framed(names[number], Words("text", number).prose(3), links)

    return page


def numbered_lists(pages: int, next_first: bool) -> Page:
    def page(path: str) -> str | None:
        if path.startswith("/item/"):
            return framed(f"Item {path[6:]}", f"Price ${path[6:]}", [])
        number = int(path.partition("=")[2] or 1)
        items = [f"/item/{10 * number + place}" for place in range(10)]
        onwards = [f"/list?page={number + 1}"] if number < pages else []
        return framed("List", "Everything that there is", onwards + items if next_first else items + onwards)

    return page


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(
    ("page", "size"),
    [
        (tree(300, lambda number: Words("tree", number).prose(3)), 300),
        (tree(300, lambda _: "The same words on every page of the site"), 300),
        (wiki(300, 8), 300),
        (numbered_lists(40, next_first=False), 440),
        (numbered_lists(40, next_first=True), 440),
    ],
    ids=["tree", "tree with other numbers only", "wiki", "numbered items", "numbered items, next page first"],
)
def test_real_sites_of_other_shapes_are_read_to_the_end(page: Page, size: int, order: Order) -> None:
    def fetch(url: str) -> tuple[int, str, bytes]:
        made = page("/" + url.split("/", 3)[3])
        return (404, url, b"") if made is None else (200, url, made.encode())

    crawl = SimulatedCrawl("http://example.org/", order, fetch=fetch)
    crawl.run()
    assert crawl.cuts == []
    assert len(crawl.fetched()) in (size, size + 1)


def run(found: list[Found], known: dict[str, Branch], cut_after: int = 12) -> Standing:
    standing = Standing()
    for one in found:
        standing = judge(one, known, cut_after)
        known.update((branch.name, branch) for branch in standing.changed)
    return standing


BARREN = Found(branch=LISTS, novelty=0, text_size=50, duplicate_of=7, new_links={LISTS: 1})


def test_a_branch_is_cut_after_so_many_pages_without_anything_new() -> None:
    known: dict[str, Branch] = {}
    assert run([BARREN] * 11, known).kind == "duplicate"
    assert is_open(LISTS, known)
    standing = run([BARREN], known)
    assert (standing.kind, standing.duplicate_of) == ("cut", 7)
    assert standing.reason == "nothing new on its last 12 pages and more"
    assert not is_open(LISTS, known)
    assert is_open(ITEMS, known)
    assert run([BARREN], known).kind == "duplicate"


def test_nothing_is_cut_where_the_script_says_so() -> None:
    assert run([BARREN] * 500, {}, cut_after=0).kind == "duplicate"


@pytest.mark.parametrize(
    "giving",
    [
        msgspec.structs.replace(BARREN, items=1),
        msgspec.structs.replace(BARREN, novelty=0.5, duplicate_of=0),
        msgspec.structs.replace(BARREN, new_links={LISTS: 1, ITEMS: 3}),
    ],
    ids=["items", "text", "ways into a branch that gave"],
)
def test_what_a_page_gives_takes_the_doubt_away(giving: Found) -> None:
    known = {ITEMS: Branch(name=ITEMS, family=family_name(ITEMS), pages=5, gave=5)}
    assert run([BARREN] * 11 + [giving] + [BARREN] * 11, known).kind == "duplicate"


def test_pages_that_bring_no_address_are_never_cut() -> None:
    leaf = Found(branch=ITEMS, novelty=0, text_size=9)
    assert run([leaf] * 5000, {}).kind == "keep"


def test_what_a_failed_page_says_does_not_count() -> None:
    failed = Found(branch=LISTS, novelty=1, text_size=300, failed=True, new_links={LISTS: 2})
    assert run([failed] * 12, {}).kind == "cut"


def test_who_lives_on_promises_is_put_to_the_test() -> None:
    promising = Found(branch=LISTS, novelty=0, text_size=40, new_links={LISTS: 1, ITEMS: 10})
    known: dict[str, Branch] = {}
    assert run([promising] * 15, known).probe == ""
    assert run([promising], known).probe == ITEMS
    run([Found(branch=ITEMS, duplicate_of=1, novelty=0, text_size=9, new_links={ITEMS: 1})] * 3, known)
    assert run([promising] * 5, known).kind == "keep"
    assert run([promising], known).kind == "cut"


def test_where_each_page_has_a_template_of_its_own_the_family_is_put_to_the_test() -> None:
    names = [f"x/list?page > x/thing/{word}_{{n}}" for word in "abcdefghijklmnopqrst"]
    known: dict[str, Branch] = {}
    run([Found(branch=name, duplicate_of=1, novelty=0, text_size=9, new_links={name: 1}) for name in names[:3]], known)
    listing = [Found(branch=LISTS, novelty=0, text_size=40, new_links={LISTS: 1, name: 3}) for name in names[3:]]
    assert run(listing[:11], known).kind == "keep"
    assert run(listing[11:12], known).kind == "cut"


def test_a_family_is_cut_but_for_what_gave() -> None:
    known: dict[str, Branch] = {}
    names = [f"x/shop?a > x/shop?a&{name}" for name in "bcdefg"]
    good = "x/shop?a > x/shop?a&z"
    run([Found(branch=good, novelty=1, text_size=100)], known)
    barren = [
        Found(branch=name, duplicate_of=1, novelty=0, text_size=50, new_links={name: 1}) for name in names for _ in "ab"
    ]
    assert run(barren, known).reason == "nothing new on its last 12 branches and more"
    assert not any(is_open(name, known) for name in names)
    assert not is_open("x/shop?a > x/shop?a&h", known)
    assert is_open(good, known)


def test_one_trap_does_not_close_its_family() -> None:
    known: dict[str, Branch] = {}
    assert run([BARREN] * 12, known).kind == "cut"
    assert not known[family_name(LISTS)].cut


@pytest.mark.parametrize(
    ("first", "second", "akin"),
    [
        ("x/shop?a", "x/shop?a&b", True),
        ("x/shop", "x/shop?a", True),
        ("x/maze/bor/{w}", "x/maze/bor/cel/{w}", True),
        ("x/index.php?list&page", "x/index.php?id", False),
        ("x/list?page", "x/item/{n}", False),
    ],
)
def test_what_shows_the_same_in_other_ways_is_akin(first: str, second: str, akin: bool) -> None:
    assert are_akin(first, second) == are_akin(second, first) == akin


def test_a_branch_is_where_a_page_was_found() -> None:
    assert branch_of("http://x/item/3", "http://x/list?page=2") == ITEMS
    assert branch_of("http://x/item/3", "http://x/item/9") != ITEMS
    assert branch_of("http://x/", "") == " > x/"
    assert family_name(ITEMS) == "x/list >> x/item/{n}"


def test_a_list_of_what_was_found_before_leads_to_other_pages_each_time() -> None:
    links = FamilyLinks()
    first = ["http://x/item/1", "http://x/item/2", "http://x/list?page=9"]
    assert links.reached(LISTS, first) == 2
    assert links.reached(LISTS, first) == 0
    assert links.reached(LISTS, ["http://x/item/3", "http://x/item/1"]) == 1
    assert links.reached("x/{w} > x/{w}", ["http://x/item/1"]) == 1
    reaching = msgspec.structs.replace(BARREN, reached=1)
    assert run([BARREN] * 11 + [reaching] + [BARREN] * 11, {}).kind == "duplicate"


def test_a_branch_is_kept_as_data() -> None:
    branch = Branch(name=LISTS, family="f", pages=3, doubt=2.5)
    assert msgspec.json.decode(msgspec.json.encode(branch), type=Branch) == branch
