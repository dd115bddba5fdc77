"""The part of the site that is worth crawling, and what is true of it."""

from __future__ import annotations

import html
from functools import cache

import msgspec

from tests.sites.traps.words import Words


class Shape(msgspec.Struct, frozen=True, kw_only=True):
    """How much there is; the usual shape has 120 pages."""

    seed: int = 7
    categories: int = 5
    pages: int = 3
    """List pages of a category."""
    per_page: int = 6
    """Items on a list page."""
    chapters: int = 10
    """Of the guide: each leads to the next and to nothing else; only the first is in its table of contents."""
    next_first: bool = False
    """Whether a list page leads to the next one before it names its items."""


class Item(msgspec.Struct, frozen=True, kw_only=True):
    """One thing of the catalogue."""

    number: int
    name: str
    price: float
    made_on: str
    in_stock: bool
    category: int
    path: str
    text: str


class Truth(msgspec.Struct, frozen=True, kw_only=True):
    """What a crawl must come to."""

    pages: tuple[str, ...]
    """Paths of all real pages."""
    items: tuple[Item, ...]


@cache
def truth(shape: Shape = Shape()) -> Truth:  # noqa: B008 (frozen)
    """Every real page and item of a site of this shape."""
    items = _items(shape)
    lists = [
        _list_path(shape, category, page) for category in range(shape.categories) for page in range(1, shape.pages + 1)
    ]
    chapters = [f"/guide/chapter-{number}" for number in range(1, shape.chapters + 1)]
    fixed = ["/", "/about", "/contact", "/terms", "/guide/"]
    return Truth(pages=(*fixed, *lists, *(item.path for item in items), *chapters), items=items)


def real_page(shape: Shape, path: str, traps: tuple[tuple[str, str], ...]) -> str | None:
    """The page at a path (with its query), None where there is none. `traps` are labels and addresses of ways into traps."""
    made = _pages(shape).get(path)
    if made is None:
        return None
    ways = "".join(f'<li><a href="{html.escape(href)}">{label}</a></li>' for label, href in traps)
    return made.replace("<!--ways-->", f"<ul class=more>{ways}</ul>" if path in ("/", "/about") else "")


def framed(title: str, body: str) -> str:
    """A page in the frame that all pages of the site have."""
    return (
        f"<!doctype html><html lang=en><head><title>{title}</title></head><body>"
        "<nav><a href='/'>Home</a> <a href='/about'>About us</a> <a href='/guide/'>Guide</a></nav>"
        f"<main>{body}</main>"
        "<footer><p>Kept by nobody in particular.</p><a href='/terms'>Terms</a> <a href='/contact'>Contact</a></footer></body></html>"
    )


@cache
def _items(shape: Shape) -> tuple[Item, ...]:
    count = shape.categories * shape.pages * shape.per_page
    made = []
    for number in range(1, count + 1):
        words = Words(shape.seed, "item", number)
        name = words.name()
        made.append(
            Item(
                number=number,
                name=name,
                price=round(5 + words.pick(400_000) / 100, 2),
                made_on=f"20{10 + words.pick(15)}-{1 + words.pick(12):02}-{1 + words.pick(28):02}",
                in_stock=bool(words.pick(2)),
                category=(number - 1) // (shape.pages * shape.per_page),
                path=f"/item/{number}-{name.lower().replace(' ', '-')}",
                text=words.prose(4),
            )
        )
    return tuple(made)


@cache
def _pages(shape: Shape) -> dict[str, str]:
    names = [_category(shape, category) for category in range(shape.categories)]
    tops = "".join(f"<li><a href='{_list_path(shape, place, 1)}'>{name}</a></li>" for place, name in enumerate(names))
    words = Words(shape.seed, "fixed")
    made = {
        "/": framed("Odds and ends", f"<h1>Odds and ends</h1><p>{words.prose(3)}</p><ul>{tops}</ul><!--ways-->"),
        "/about": framed("About us", f"<h1>About us</h1><p>{words.prose(5)}</p><!--ways-->"),
        "/contact": framed("Contact", f"<h1>Contact</h1><p>{words.prose(2)}</p>"),
        "/terms": framed("Terms", f"<h1>Terms</h1><p>{words.prose(9)}</p>"),
        "/guide/": framed("Guide", f"<h1>Guide</h1><p>{words.prose(2)}</p><a href='chapter-1'>Begin</a>"),
    }
    items = _items(shape)
    for category in range(shape.categories):
        for page in range(1, shape.pages + 1):
            made[_list_path(shape, category, page)] = _list_page(shape, category, page)
    for item in items:
        made[item.path] = _item_page(shape, item)
    for number in range(1, shape.chapters + 1):
        made[f"/guide/chapter-{number}"] = _chapter(shape, number)
    return made


def _category(shape: Shape, category: int) -> str:
    return Words(shape.seed, "category", category).name(1)


def _list_path(shape: Shape, category: int, page: int) -> str:
    path = f"/catalog/{_category(shape, category).lower()}"
    return path if page == 1 else f"{path}?page={page}"


def _list_page(shape: Shape, category: int, page: int) -> str:
    first = category * shape.pages * shape.per_page + (page - 1) * shape.per_page
    cards = "".join(card(item) for item in _items(shape)[first : first + shape.per_page])
    onwards = ""
    if page < shape.pages:
        onwards = f"<a rel=next href='{_list_path(shape, category, page + 1)}'>Next page</a>"
    name = _category(shape, category)
    heading = f"<h1>{name}</h1><p>Page {page} of {shape.pages}</p>"
    body = f"{onwards}{cards}" if shape.next_first else f"{cards}{onwards}"
    return framed(name, heading + body)


def card(item: Item) -> str:
    """An item as lists show it."""
    return (
        f"<div class=card><h2><a href='{item.path}'>{item.name}</a></h2><span class=price>${item.price:,.2f}</span>"
        f"<p>{item.text.split('.')[0]}.</p></div>"
    )


def _item_page(shape: Shape, item: Item) -> str:
    siblings = [other for other in _items(shape) if other.category == item.category and other is not item]
    related = [siblings[Words(shape.seed, item.number, "related", place).pick(len(siblings))] for place in range(2)]
    links = "".join(f"<li><a href='{other.path}'>{other.name}</a></li>" for other in related) if siblings else ""
    stock = "In stock" if item.in_stock else "Sold out"
    return framed(
        item.name,
        f"<article class=item><h1>{item.name}</h1><span class=price>${item.price:,.2f}</span><span class=stock>{stock}</span>"
        f"<time datetime={item.made_on}>{item.made_on}</time><p class=text>{item.text}</p></article><h2>Others</h2><ul>{links}</ul>",
    )


def _chapter(shape: Shape, number: int) -> str:
    words = Words(shape.seed, "chapter", number)
    onwards = f"<a href='chapter-{number + 1}'>Next chapter</a>" if number < shape.chapters else "<p>The end.</p>"
    back = f"<a href='chapter-{number - 1}'>Previous chapter</a>" if number > 1 else ""
    return framed(
        f"Chapter {number}", f"<h1>{words.name(3)}</h1><p>{words.prose(6)}</p><p>{words.prose(6)}</p>{back} {onwards}"
    )
