"""A shop of a thousand books in fifty pages and fifty categories, with addresses that are relative in all depths."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import accumulate

import msgspec

from tests.sites.serving import Answer, Asked
from tests.sites.traps.words import Words

BOOKS, A_PAGE = 1000, 20
RATINGS = ("One", "Two", "Three", "Four", "Five")
_SIZES = (
    152,
    75,
    67,
    65,
    65,
    110,
    54,
    35,
    34,
    29,
    29,
    26,
    22,
    20,
    19,
    17,
    16,
    15,
    14,
    13,
    11,
    10,
    9,
    8,
    8,
    7,
    7,
    6,
    5,
    5,
)
_REST = BOOKS - sum(_SIZES) - 19
CATEGORY_SIZES = (*_SIZES, _REST, *([1] * 19))
"""Some categories have several pages, most one, many a single book."""


class Book(msgspec.Struct, frozen=True, kw_only=True):
    """One book."""

    number: int
    title: str
    slug: str
    price: float
    rating: str
    category: int


CATEGORIES = tuple(Words("category", number).name(1) for number in range(len(CATEGORY_SIZES)))
_ENDS = tuple(accumulate(CATEGORY_SIZES))


def _book(number: int) -> Book:
    words = Words("book", number)
    title = words.name(2 + number % 6) + (f" (Tales & Sorrows #{number % 9})" if number % 4 == 0 else "")
    # Several books have one title, and are told apart by their address only.
    title = title if number % 100 != 7 else "The Same Title"
    slug = "".join(c if c.isalnum() else "-" for c in title.lower().replace(" (", "-")).strip("-")
    place = (number * 7919) % BOOKS
    category = next(k for k, end in enumerate(_ENDS) if place < end)
    return Book(
        number=number,
        title=title,
        slug=f"{slug}_{BOOKS - number}",
        price=round(10 + (number * 37 % 5000) / 100, 2),
        rating=RATINGS[number * 3 % 5],
        category=category,
    )


ALL_BOOKS = tuple(_book(number) for number in range(BOOKS))
_BY_SLUG = {book.slug: book for book in ALL_BOOKS}


def books_site(asked: Asked) -> Answer | str | None:
    """Answers for all of it."""
    match asked.parts:
        case [] | ["index.html"]:
            return _list("All products", ALL_BOOKS, 1, up="", catalogue="catalogue/", pages="catalogue/page-{}.html")
        case ["catalogue", page] if page.startswith("page-"):
            number = int(page.removeprefix("page-").removesuffix(".html"))
            if number > BOOKS // A_PAGE:
                return None
            return _list("All products", ALL_BOOKS, number, up="../", catalogue="", pages="page-{}.html")
        case ["catalogue", "category", "books_1", page]:
            return _category("Books", ALL_BOOKS, page, "../../", "../../../")
        case ["catalogue", "category", "books", name, page] if name.rpartition("_")[2].isdecimal():
            number = int(name.rpartition("_")[2]) - 2
            if not 0 <= number < len(CATEGORIES) or name != _folder(number):
                return None
            found = [book for book in ALL_BOOKS if book.category == number]
            return _category(CATEGORIES[number], found, page, "../../../", "../../../../")
        case ["catalogue", slug, "index.html"] if slug in _BY_SLUG:
            # As the site has it: pounds are written as UTF-8, and the server says nothing of it.
            return _product(_BY_SLUG[slug])
        case ["media", *_]:
            return Answer(body=b"\xff\xd8\xff\xe0fake", kind="image/jpeg")
    return None


def _folder(number: int) -> str:
    return f"{CATEGORIES[number].lower()}_{number + 2}"


def _page(title: str, body: str, *, up: str, catalogue: str, side: str = "") -> Answer:
    html = (
        f'<!DOCTYPE html>\n<!--[if lt IE 7]>      <html lang="en-us" class="no-js lt-ie9 lt-ie8 lt-ie7"> <![endif]-->\n'
        f'<!--[if gt IE 8]><!--> <html lang="en-us" class="no-js"> <!--<![endif]-->\n<head><title>\n    {title} | Books to Try - Sandbox\n'
        f'</title><meta http-equiv="content-type" content="text/html; charset=UTF-8" />'
        f'<link rel="shortcut icon" href="{up}static/favicon.ico" /><link rel="stylesheet" href="{up}static/styles.css" /></head>\n'
        f'<body id="default" class="default"><header class="header container-fluid"><div class="page_inner"><div class="row">'
        f'<div class="col-sm-8 h1"><a href="{up}index.html">Books to Try</a><small> We love being tried!</small></div></div></div></header>'
        f'<div class="container-fluid page"><div class="page_inner">{body}</div></div><footer class="footer container-fluid"></footer>'
        f'<script src="{up}static/jquery.min.js"></script><script type="text/javascript">$(function() {{}});</script></body></html>'
    )
    return Answer(body=html, kind="text/html")


def _category(name: str, books: Sequence[Book], page: str, catalogue: str, up: str) -> Answer | None:
    number = 1 if page == "index.html" else int(page.removeprefix("page-").removesuffix(".html"))
    if (number - 1) * A_PAGE >= len(books):
        return None
    return _list(name, books, number, up=up, catalogue=catalogue, pages="page-{}.html", first="index.html")


def _list(
    name: str, books: Sequence[Book], number: int, *, up: str, catalogue: str, pages: str, first: str = ""
) -> Answer:
    shown = books[(number - 1) * A_PAGE : number * A_PAGE]
    last = -(-len(books) // A_PAGE)
    before = first if number == 2 and first else pages.format(number - 1)
    pager = (f'<li class="previous"><a href="{before}">previous</a></li>' if number > 1 else "") + (
        f'<li class="current">\n            Page {number} of {last}\n            </li>' if last > 1 else ""
    )
    pager += f'<li class="next"><a href="{pages.format(number + 1)}">next</a></li>' if number < last else ""
    side = "".join(
        f'<li><a href="{catalogue}category/books/{_folder(k)}/index.html">\n   {one}\n   </a></li>'
        for k, one in enumerate(CATEGORIES)
    )
    body = (
        f'<ul class="breadcrumb"><li><a href="{up}index.html">Home</a></li><li class="active">{name}</li></ul><div class="row">'
        f'<aside class="sidebar col-sm-4 col-md-3"><div class="side_categories"><ul class="nav nav-list"><li>'
        f'<a href="{catalogue}category/books_1/index.html">Books</a><ul>{side}</ul></li></ul></div></aside>'
        f'<div class="col-sm-8 col-md-9"><div class="page-header action"><h1>{name}</h1></div>'
        f'<form method="get" class="form-horizontal"><div style="display:none"></div><strong>{len(books)}</strong> results - showing '
        f"<strong>{(number - 1) * A_PAGE + 1}</strong> to <strong>{(number - 1) * A_PAGE + len(shown)}</strong>.</form>"
        f'<section><div class="alert alert-warning" role="alert"><strong>Warning!</strong> This is a demo website for trying crawlers. '
        f'Prices and ratings here were randomly assigned and have no real meaning.</div><div><ol class="row">'
        f'{"".join(_pod(book, up, catalogue) for book in shown)}</ol><div><ul class="pager">{pager}</ul></div></div></section></div></div>'
    )
    return _page(name, body, up=up, catalogue=catalogue)


def _pod(book: Book, up: str, catalogue: str) -> str:
    title = escape(book.title)
    short = escape(book.title if len(book.title) < 40 else book.title[:36] + " ...")
    return (
        f'<li class="col-xs-6 col-sm-4 col-md-3 col-lg-3"><article class="product_pod"><div class="image_container">'
        f'<a href="{catalogue}{book.slug}/index.html"><img src="{up}media/cache/{book.number}.jpg" alt="{title}" class="thumbnail"></a></div>'
        f'<p class="star-rating {book.rating}"><i class="icon-star"></i><i class="icon-star"></i></p>'
        f'<h3><a href="{catalogue}{book.slug}/index.html" title="{title}">{short}</a></h3><div class="product_price">'
        f'<p class="price_color">£{book.price:.2f}</p><p class="instock availability"><i class="icon-ok"></i>\n    \n        In stock\n    \n</p>'
        f'<form><button type="submit" class="btn btn-primary btn-block" data-loading-text="Adding...">Add to basket</button></form>'
        f"</div></article></li>"
    )


def _product(book: Book) -> Answer:
    words = Words("description", book.number)
    stock = 1 + book.number * 13 % 22
    others = "".join(_pod(ALL_BOOKS[(book.number + step) % BOOKS], "../../", "../") for step in (1, 2, 3))
    body = (
        f'<ul class="breadcrumb"><li><a href="../../index.html">Home</a></li><li><a href="../category/books_1/index.html">Books</a></li>'
        f'<li><a href="../category/books/{_folder(book.category)}/index.html">{CATEGORIES[book.category]}</a></li>'
        f'<li class="active">{escape(book.title)}</li></ul><div id="content_inner"><article class="product_page"><div class="row">'
        f'<div class="col-sm-6 product_main"><h1>{escape(book.title)}</h1><p class="price_color">£{book.price:.2f}</p>'
        f'<p class="instock availability"><i class="icon-ok"></i>\n    \n        In stock ({stock} available)\n    \n</p>'
        f'<p class="star-rating {book.rating}"><i class="icon-star"></i></p></div></div>'
        f'<div id="product_description" class="sub-header"><h2>Product Description</h2></div><p>{words.prose(5)} ...more</p>'
        f'<div class="sub-header"><h2>Product Information</h2></div><table class="table table-striped"><tr><th>UPC</th><td>{words.token()}</td></tr>'
        f"<tr><th>Product Type</th><td>Books</td></tr><tr><th>Price (excl. tax)</th><td>£{book.price:.2f}</td></tr>"
        f"<tr><th>Price (incl. tax)</th><td>£{book.price:.2f}</td></tr><tr><th>Tax</th><td>£0.00</td></tr>"
        f"<tr><th>Availability</th><td>In stock ({stock} available)</td></tr><tr><th>Number of reviews</th><td>0</td></tr></table>"
        f'<section><div id="reviews" class="sub-header"></div></section><div class="sub-header"><h2>Products you recently viewed</h2></div>'
        f'<ul class="row">{others}</ul></article></div>'
    )
    return _page(escape(book.title), body, up="../../", catalogue="../")
