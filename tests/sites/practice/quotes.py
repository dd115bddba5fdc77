"""A site of a hundred sayings in all the ways in which such a site is shown: pages, endless scroll, scripts, tables, forms."""

from __future__ import annotations

import json
from collections.abc import Sequence
from html import escape

import msgspec

from tests.sites.serving import Answer, Asked, moved
from tests.sites.traps.words import Words

A_PAGE, PAGES = 10, 10
_TAGS = ["life", "love", "truth", "humour", "books", "reading", "friends", "simile", "change", "deep-thoughts"]
_CSRF = "kQvTzUhBcNwYxLsJ"


class Quote(msgspec.Struct, frozen=True, kw_only=True):
    """One saying."""

    text: str
    author: str
    tags: tuple[str, ...]

    @property
    def slug(self) -> str:
        """Of its author."""
        return self.author.replace(" ", "-").replace(".", "-").replace("é", "e")


def _quote(number: int) -> Quote:
    words = Words("quote", number)
    # As on such sites: a few authors say much, most say one thing.
    name = Words("author", number % 17 if number % 3 else number % 50).name()
    tags = tuple(dict.fromkeys(_TAGS[(number * step + step) % len(_TAGS)] for step in range(1, 1 + number % 5)))
    author = name.replace(" ", ".é. ", 1) if number % 17 == 5 and number % 3 else name
    return Quote(text=f"“{words.prose(1 + number % 3)} It’s so.”", author=author, tags=tags)


QUOTES = tuple(_quote(number) for number in range(A_PAGE * PAGES))
AUTHORS = {quote.slug: quote.author for quote in QUOTES}


def quotes_site(asked: Asked) -> Answer | str | None:
    """Answers for all of its parts."""
    parts = asked.parts
    match parts:
        case [] | ["page", _]:
            return _listed("", QUOTES, parts, user=asked.cookies.get("session", ""))
        case ["tag", tag, *rest] if rest[:1] in ([], ["page"]):
            found = [quote for quote in QUOTES if tag in quote.tags]
            return _listed(f"/tag/{tag}", found, rest, heading=f"Viewing tag: <a href=/tag/{tag}/page/1/>{tag}</a>")
        case ["author", slug] if slug in AUTHORS:
            return _author(slug) if asked.path.endswith("/") else moved(f"{asked.path}/", 301)
        case ["scroll"]:
            return _page(_SCROLL, script=_JQUERY + _SCROLL_SCRIPT)
        case ["api", "quotes"]:
            return _api(int(asked.query.get("page", "1")))
        case ["js" | "js-delayed" | "js-onclick", *rest] if rest[:1] in ([], ["page"]):
            return _by_script(parts[0], rest, int(asked.query.get("delay", "1500")))
        case ["tableful", "tag", tag, *rest]:
            return _table(f"/tableful/tag/{tag}", [quote for quote in QUOTES if tag in quote.tags], rest)
        case ["tableful", *rest]:
            return _table("/tableful", QUOTES, rest)
        case ["login"]:
            return _login(asked)
        case ["logout"]:
            return moved("/", cookie="session=; Path=/; Max-Age=0")
        case ["search.aspx"]:
            return _search({})
        case ["filter.aspx"] if asked.method == "POST":
            return _search(asked.form)
        case ["random"]:
            return _page(_cards([QUOTES[(asked.time * 37) % len(QUOTES)]]))
        case ["site"]:
            return _page("".join(f"<li><a href={way}>{way}</a>" for way in ("/", "/scroll", "/js/", "/tableful/")))
    return None


def _page(body: str, *, script: str = "", user: str = "") -> str:
    who = '<a href="/logout">Logout</a>' if user else '<a href="/login">Login</a>'
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="UTF-8"><title>Quotes to Try</title>'
        '<link rel="stylesheet" href="/static/bootstrap.min.css"></head>\n<body><div class="container">'
        '<div class="row header-box"><div class="col-md-8"><h1><a href="/" style="text-decoration: none">Quotes to Try</a></h1>'
        f'</div><div class="col-md-4"><p>{who}</p></div></div>\n{body}\n</div>'
        '<footer class="footer"><div class="container"><p class="text-muted">Quotes by: nobody at all</p></div></footer>'
        f"{script}</body></html>"
    )


def _card(quote: Quote) -> str:
    tags = "".join(f'<a class="tag" href="/tag/{tag}/page/1/">{tag}</a>\n' for tag in quote.tags)
    return (
        '<div class="quote" itemscope itemtype="http://schema.org/CreativeWork">'
        f'<span class="text" itemprop="text">{escape(quote.text)}</span>\n'
        f'<span>by <small class="author" itemprop="author">{quote.author}</small>\n'
        f'<a href="/author/{quote.slug}">(about)</a></span>\n<div class="tags">Tags:'
        f'<meta class="keywords" itemprop="keywords" content="{",".join(quote.tags)}" />\n{tags}</div></div>\n'
    )


def _cards(quotes: Sequence[Quote]) -> str:
    return "".join(map(_card, quotes))


def _slice(quotes: Sequence[Quote], rest: Sequence[str]) -> tuple[int, Sequence[Quote], bool] | None:
    if rest and (len(rest) < 2 or not rest[-1].isdecimal()):
        return None
    number = int(rest[-1]) if rest else 1
    return number, quotes[(number - 1) * A_PAGE : number * A_PAGE], len(quotes) > number * A_PAGE


def _pager(base: str, number: int, *, more: bool) -> str:
    before = (
        f'<li class="previous"><a href="{base}/page/{number - 1}/"><span>←</span> Previous</a></li>'
        if number > 1
        else ""
    )
    after = f'<li class="next"><a href="{base}/page/{number + 1}/">Next <span>→</span></a></li>' if more else ""
    return f'<nav><ul class="pager">{before}{after}</ul></nav>'


def _listed(
    base: str, quotes: Sequence[Quote], rest: Sequence[str], *, heading: str = "", user: str = ""
) -> str | None:
    if (found := _slice(quotes, rest)) is None:
        return None
    number, shown, more = found
    cloud = "".join(
        f'<span class="tag-item"><a class="tag" style="font-size: {28 - 2 * size}px" href="/tag/{tag}/">{tag}</a></span>'
        for size, tag in enumerate(_TAGS)
    )
    return _page(
        (f"<h3>{heading}</h3>" if heading else "")
        + f'<div class="row"><div class="col-md-8">{_cards(shown) or "No quotes found!"}{_pager(base, number, more=more)}</div>'
        f'<div class="col-md-4 tags-box"><h2>Top Ten tags</h2>{cloud}</div></div>',
        user=user,
    )


def _author(slug: str) -> str:
    words = Words("life", slug)
    return _page(
        f'<div class="author-details"><h3 class="author-title">{AUTHORS[slug]}\n    </h3><p><strong>Born:</strong> '
        f'<span class="author-born-date">March {1 + len(slug)}, 18{50 + len(slug)}</span> '
        f'<span class="author-born-location">in {words.name(1)}</span></p><p><strong>Description:</strong></p>'
        f'<div class="author-description">{words.prose(8)}</div></div>'
    )


def _api(number: int) -> Answer:
    shown = QUOTES[(number - 1) * A_PAGE : number * A_PAGE]
    body = {
        "has_next": number < PAGES,
        "page": number,
        "quotes": [{"text": q.text, "author": {"name": q.author, "slug": q.slug}, "tags": list(q.tags)} for q in shown],
        "tag": None,
        "top_ten_tags": [[tag, 10] for tag in _TAGS],
    }
    return Answer(body=json.dumps(body), kind="application/json")


_JQUERY = """<script>
function addQuote(q, where) {
  var d = document.createElement('div'); d.className = 'quote';
  d.innerHTML = '<span class="text">' + q.text + '</span><span>by <small class="author">' + q.author.name + '</small></span>' +
    '<div class="tags">Tags: ' + q.tags.map(function (t) { return '<a class="tag">' + t + '</a>'; }).join(' ') + '</div>';
  where.appendChild(d);
}
</script>"""
_SCROLL = '<div class="row"><div class="col-md-8"><div class="quotes"></div><h4 id="loading" style="display: none">Loading...</h4></div></div>'
_SCROLL_SCRIPT = """<script>
var page = 1, more = true, busy = false;
function next() {
  if (busy || !more) return;
  busy = true; document.getElementById('loading').style.display = '';
  fetch('/api/quotes?page=' + page).then(function (r) { return r.json(); }).then(function (data) {
    data.quotes.forEach(function (q) { addQuote(q, document.querySelector('.quotes')); });
    more = data.has_next; page += 1; busy = false; document.getElementById('loading').style.display = 'none';
  });
}
document.head.insertAdjacentHTML('beforeend', '<style>.quote { height: 160px }</style>');
window.addEventListener('scroll', function () {
  if (window.innerHeight + window.scrollY >= document.body.offsetHeight - 100) next();
});
next();
</script>"""


def _by_script(kind: str, rest: Sequence[str], delay: int) -> str | None:
    if (found := _slice(QUOTES, rest)) is None:
        return None
    number, shown, more = found
    data = [{"text": q.text, "author": {"name": q.author, "slug": q.slug}, "tags": list(q.tags)} for q in shown]
    draw = "data.forEach(function (q) { addQuote(q, document.getElementById('quotesPlaceholder')); });"
    later = f"setTimeout(function () {{ {draw} }}, {delay});" if kind == "js-delayed" else draw
    return _page(
        f'<div id="quotesPlaceholder"></div>{_pager(f"/{kind}", number, more=more)}',
        script=f"{_JQUERY}<script>\n    var data = {json.dumps(data, indent=4)};\n    {later}\n</script>",
    )


def _table(base: str, quotes: Sequence[Quote], rest: Sequence[str]) -> str | None:
    if (found := _slice(quotes, rest)) is None:
        return None
    number, shown, more = found
    rows = "".join(
        f'<tr style="border-bottom: 0px; "><td style="padding-top: 2em;">{escape(q.text)} Author: {q.author}</td></tr>'
        '<tr style="border-bottom: 0px; "><td style="padding-bottom: 2em;">Tags: '
        + " ".join(f'<a href="/tableful/tag/{tag}/page/1/">{tag}</a>' for tag in q.tags)
        + "</td></tr>"
        for q in shown
    )
    return _page(
        f'<table border="0" style="margin: auto; width: 80%"><tbody>{rows}</tbody></table>{_pager(base, number, more=more)}'
    )


def _login(asked: Asked) -> Answer | str:
    if asked.method == "POST":
        if asked.form.get("csrf_token") == _CSRF and asked.form.get("username") and asked.form.get("password"):
            return moved("/", cookie="session=s1; Path=/; HttpOnly")
        note = "<p class=error>Error while logging in: please, provide your username.</p>"
    else:
        note = ""
    return _page(
        f'{note}<form action="/login" method="post" accept-charset="utf-8"><input type="hidden" name="csrf_token" value="{_CSRF}"/>'
        '<label for="username">Username</label><input type="text" class="form-control" id="username" name="username"/>'
        '<label for="password">Password</label><input type="password" class="form-control" id="password" name="password"/>'
        '<input type="submit" value="Login" class="btn btn-primary" /></form>'
    )


def _search(form: dict[str, str] | object) -> str:
    chosen = dict(form) if isinstance(form, dict) else {}
    author, tag = chosen.get("author", ""), chosen.get("tag", "")
    names = sorted(set(AUTHORS.values()))
    tags = sorted({one for quote in QUOTES if quote.author == author for one in quote.tags})
    found = [quote for quote in QUOTES if quote.author == author and tag in quote.tags]

    def options(values: Sequence[str], value: str) -> str:
        return "<option>----------</option>" + "".join(
            f'<option value="{one}"{" selected" if one == value else ""}>{one}</option>' for one in values
        )

    return _page(
        '<form name="filterform" id="filterform" action="/filter.aspx" method="post">'
        f'<select name="author" id="author" onchange="this.form.submit()">{options(names, author)}</select>'
        f'<select name="tag" id="tag">{options(tags, tag)}</select>'
        '<input type="submit" name="submit_button" value="Search" />'
        f'<input type="hidden" name="__VIEWSTATE" id="__VIEWSTATE" value="{len(tags):08d}YWJj" /></form>'
        f'<div class="results">{_cards(found)}</div>'
    )
