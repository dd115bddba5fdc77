"""A shop of computers in four versions: with page links, page buttons that are no links, "more", and endless scroll."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

import msgspec

from tests.sites.serving import Answer, Asked
from tests.sites.traps.words import Words

A_PAGE = 6
VERSIONS = ("static", "ajax", "more", "scroll")
SIZES = (("128", 0), ("256", 20), ("512", 40), ("1024", 60))


class Product(msgspec.Struct, frozen=True, kw_only=True):
    """One product."""

    id: int
    name: str
    price: float
    stars: int
    reviews: int
    group: tuple[str, str]

    @property
    def text(self) -> str:
        """What is said of it."""
        return Words("product", self.id).sentence()


GROUPS = {("computers", "laptops"): 38, ("computers", "tablets"): 21, ("phones", "touch"): 9}


def _products() -> tuple[Product, ...]:
    made: list[Product] = []
    for group, count in GROUPS.items():
        for _ in range(count):
            number = len(made)
            name = Words("model", number % 50).name(2)
            made.append(
                Product(
                    id=number + 31,
                    name=name,
                    price=99.5 + number * 17.25,
                    stars=1 + number % 4,
                    reviews=number % 15,
                    group=group,
                )
            )
    return tuple(made)


PRODUCTS = _products()
_BY_ID = {product.id: product for product in PRODUCTS}


def shop_site(asked: Asked) -> Answer | str | None:
    """Answers for all of it."""
    match asked.parts:
        case []:
            return _page(
                "Web Scraper Test Sites",
                "".join(
                    f'<h2 class="site-heading"><a href="/test-sites/e-commerce/{one}">Shop, {one}</a></h2><p>{Words(one).prose(2)}</p>'
                    for one in VERSIONS
                )
                + '<h2><a href="/test-sites/tables">Tables</a></h2><h2><a href="/test-sites/popups">Popups</a></h2>',
            )
        case ["test-sites", "e-commerce", version] if version in VERSIONS:
            top = [PRODUCTS[(number * 11 + len(version)) % len(PRODUCTS)] for number in range(3)]
            return _page(
                "E-commerce",
                f'<div class="jumbotron"><h1>E-commerce training site</h1><p>{Words("front", version).prose(3)}</p></div><h2>Top items being scraped right now</h2><div class="row">{_cards(top, version)}</div>',
                version,
            )
        case ["test-sites", "e-commerce", version, "product", number] if number.isdecimal() and int(number) in _BY_ID:
            return _product(_BY_ID[int(number)], version)
        case ["test-sites", "e-commerce", version, "api", group, kind]:
            found = [product for product in PRODUCTS if product.group == (group, kind)]
            start = int(asked.query.get("from", "0"))
            shown = [msgspec.to_builtins(one) | {"text": one.text} for one in found[start : start + A_PAGE]]
            return Answer(body=json.dumps({"products": shown, "total": len(found)}), kind="application/json")
        case ["test-sites", "e-commerce", version, *group] if version in VERSIONS and len(group) <= 2:
            return _group(version, tuple(group), int(asked.query.get("page") or 1))
        case ["test-sites", "tables"]:
            return _page(
                "Tables",
                '<h1>Tables</h1><a href="/test-sites/tables/semantic">Semantic</a> <a href="/test-sites/tables/plain">Without head</a> <a href="/test-sites/tables/multi">Several heads</a>',
            )
        case ["test-sites", "tables", kind] if kind in _HEADS:
            rows = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in table_rows())
            return _page(
                "Table", f'<h1>Table playground</h1><table class="table table-bordered">{_HEADS[kind]}{rows}</table>'
            )
        case ["test-sites", "popups"]:
            links = "".join(
                f"<li><a href=\"#\" onclick=\"window.open('/test-sites/popups/{n}', 'win{n}', 'width=300'); return false;\">Popup {n}</a></li>"
                for n in range(1, 4)
            )
            return _page("Popups", f"<h1>Popup links</h1><ul>{links}</ul>")
        case ["test-sites", "popups", number]:
            return _page(f"Popup {number}", f"<h1>Popup {number}</h1><p>{Words('popup', number).prose(4)}</p>")
        case ["robots.txt"]:
            return Answer(body="User-agent: *\nDisallow:\nSitemap: /sitemap.xml\n", kind="text/plain")
        case ["sitemap.xml"]:
            urls = "".join(
                f"<url><loc>http://{asked.headers['host']}/test-sites/e-commerce/scroll/product/{one.id}</loc></url>"
                for one in PRODUCTS
            )
            return Answer(
                body=f'<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>',
                kind="application/xml",
            )
    return None


def table_rows() -> list[tuple[str, str, str, str]]:
    """Number, first name, last name, user."""
    return [
        (str(n), Words("first", n).name(1), Words("last", n).name(1), f"@{Words('user', n).rare()}")
        for n in range(1, 9)
    ]


_NAMES = "<tr>" + "".join(f"<{{0}}>{name}</{{0}}>" for name in ("#", "First Name", "Last Name", "Username")) + "</tr>"
_HEADS = {
    "semantic": f"<thead>{_NAMES.format('th')}</thead>",
    "plain": _NAMES.format("td"),
    "multi": '<thead><tr><th rowspan="2">#</th><th colspan="2">Name</th><th rowspan="2">Username</th></tr><tr><th>First Name</th><th>Last Name</th></tr></thead>',
}


def _page(title: str, body: str, version: str = "", script: str = "") -> str:
    side = ""
    if version:
        base = f"/test-sites/e-commerce/{version}"
        side = (
            f'<div class="sidebar"><ul class="nav" id="side-menu"><li class="active"><a href="{base}">Home</a></li>'
            + "".join(
                f'<li><a href="{base}/{group}" class="category-link">{group.title()}</a><ul><li><a href="{base}/{group}/{kind}" class="subcategory-link">{kind.title()}</a></li></ul></li>'
                for group, kind in GROUPS
            )
            + "</ul></div>"
        )
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title} | Practice shop</title></head><body>'
        f'<header><nav><a href="/">Home</a></nav></header><div class="wrapper"><div class="container test-site"><div class="row">{side}'
        f'<div class="col-lg-9">{body}</div></div></div></div>{script}</body></html>'
    )


def _card(product: Product, version: str) -> str:
    return (
        f'<div class="col-md-4 col-xl-4 col-lg-4"><div class="card thumbnail"><div class="product-wrapper card-body"><img class="img-fluid" alt="item" src="/images/{product.id}.png">'
        f'<div class="caption"><h4 class="price float-end card-title">${product.price:.2f}</h4><h4><a href="/test-sites/e-commerce/{version}/product/{product.id}" class="title" title="{escape(product.name)}">{escape(product.name[:22])}</a></h4>'
        f'<p class="description card-text">{product.text}</p></div><div class="ratings"><p class="review-count float-end">{product.reviews} reviews</p>'
        f'<p data-rating="{product.stars}">{"<span class=star></span>" * product.stars}</p></div></div></div></div>'
    )


def _cards(products: Sequence[Product], version: str) -> str:
    return "".join(_card(product, version) for product in products)


def _group(version: str, group: tuple[str, ...], page: int) -> str | None:
    found = [product for product in PRODUCTS if product.group[: len(group)] == group]
    if not found:
        return None
    if len(group) == 1:
        return _page(
            group[0],
            f"<h1 class=page-header>{group[0].title()} category</h1><div class=row>{_cards(found[:3], version)}</div>",
            version,
        )
    last = -(-len(found) // A_PAGE)
    head = f"<h1 class=page-header>{group[0].title()} / {group[1].title()}</h1>"
    if version == "static":
        here = f"/test-sites/e-commerce/static/{group[0]}/{group[1]}"
        numbers = "".join(
            f'<li class="page-item"><a class="page-link" href="http://{{host}}{here}?page={n}">{n}</a></li>'.replace(
                "http://{host}", ""
            )
            for n in range(1, last + 1)
        )
        return _page(
            group[1],
            f"{head}<div class=row>{_cards(found[(page - 1) * A_PAGE : page * A_PAGE], version)}</div><ul class=pagination>{numbers}</ul>",
            version,
        )
    body = f'{head}<div class="row ecomerce-items" data-total="{len(found)}" data-api="/test-sites/e-commerce/{version}/api/{group[0]}/{group[1]}"></div>'
    if version == "ajax":
        body += (
            '<div class="btn-group pagination">'
            + "".join(
                f'<button type="button" class="btn btn-default page-link" data-id="{n}">{n}</button>'
                for n in range(1, last + 1)
            )
            + "</div>"
        )
    elif version == "more":
        body += '<a class="btn btn-lg btn-block btn-primary ecomerce-items-scroll-more">More</a>'
    else:
        body += "<style>.card { height: 320px }</style>"
    return _page(group[1], body, version, _SCRIPT.replace("VERSION", version))


_SCRIPT = """<script>
var box = document.querySelector('.ecomerce-items'), shown = 0, busy = false, total = +box.dataset.total;
function card(p) {
  return '<div class="col-md-4"><div class="card thumbnail"><div class="caption"><h4 class="price">$' + p.price.toFixed(2) + '</h4><h4><a href="/test-sites/e-commerce/VERSION/product/' +
    p.id + '" class="title" title="' + p.name + '">' + p.name.slice(0, 22) + '</a></h4><p class="description">' + p.text + '</p></div><div class="ratings"><p class="review-count">' + p.reviews + ' reviews</p></div></div></div>';
}
function load(from, clear) {
  if (busy || from >= total) return;
  busy = true;
  fetch(box.dataset.api + '?from=' + from).then(function (r) { return r.json(); }).then(function (d) {
    if (clear) box.innerHTML = '';
    box.insertAdjacentHTML('beforeend', d.products.map(card).join(''));
    shown = from + d.products.length; busy = false;
    var more = document.querySelector('.ecomerce-items-scroll-more');
    if (more && shown >= total) more.style.display = 'none';
  });
}
load(0, true);
document.querySelectorAll('button.page-link').forEach(function (b) { b.addEventListener('click', function () { load((b.dataset.id - 1) * 6, true); }); });
var more = document.querySelector('.ecomerce-items-scroll-more');
if (more) more.addEventListener('click', function (e) { e.preventDefault(); load(shown, false); });
if ('VERSION' === 'scroll') addEventListener('scroll', function () { if (innerHeight + scrollY > document.body.offsetHeight - 150) load(shown, false); });
</script>"""


def _product(product: Product, version: str) -> str:
    buttons = "".join(
        f'<button class="btn swatch{" btn-primary" if not more else ""}" value="{size}" data-more="{more}">{size}</button>'
        for size, more in SIZES
    )
    script = """<script>
document.querySelectorAll('.swatch').forEach(function (b) { b.addEventListener('click', function () {
  document.querySelector('.price').textContent = '$' + (BASE + +b.dataset.more).toFixed(2);
}); });
</script>""".replace("BASE", str(product.price))
    return _page(
        product.name,
        f'<div class="row"><div class="col-lg-10"><div class="caption"><h4 class="pull-right price">${product.price:.2f}</h4><h4 class="title">{escape(product.name)}</h4>'
        f'<p class="description">{product.text} {Words("long", product.id).prose(3)}</p></div><label class="memory">HDD:</label><div class="swatches">{buttons}</div><div class="ratings">'
        f"<p>{product.reviews} reviews {'<span class=star></span>' * product.stars}</p></div></div></div>",
        version,
        script,
    )
