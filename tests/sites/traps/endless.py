"""The traps: each a path that never ends, and what is answered below it."""

from __future__ import annotations

import html
from collections.abc import Callable, Mapping
from urllib.parse import parse_qsl, unquote, urlencode

import msgspec

from tests.sites.traps.real import Shape, card, framed, truth
from tests.sites.traps.words import Words

MONTHS = "January February March April May June July August September October November December".split()


class Visit(msgspec.Struct, frozen=True, kw_only=True):
    """What came in."""

    path: str
    query: str
    shape: Shape
    visit: int
    """Number of this request of all."""

    def number(self, name: str, default: int) -> int:
        """A number in the query."""
        value = dict(parse_qsl(self.query)).get(name, "")
        return int(value) if value.isdigit() else default

    @property
    def rest(self) -> str:
        """The path below the trap's first folder."""
        return self.path.strip("/").partition("/")[2]


class Trap(msgspec.Struct, frozen=True, kw_only=True):
    """One endless place."""

    name: str
    prefixes: tuple[str, ...]
    """First folders of its paths."""
    entry: str
    answer: Callable[[Visit], str]
    """The page; a text that begins with `->` is a redirect."""


def _calendar(asked: Visit) -> str:
    parts = [int(part) for part in asked.rest.split("/") if part.isdigit()]
    year, month, *day = [*parts, *(2026, 11)[len(parts) :]]
    month = min(max(month, 1), 12)
    title = f"{MONTHS[month - 1]} {year}"
    if day:
        return framed(
            title,
            f"<h1>{day[0]} {title}</h1><p>No events on this day.</p><a href='/calendar/{year}/{month}'>{title}</a>",
        )
    ahead, back = divmod(year * 12 + month, 12), divmod(year * 12 + month - 2, 12)
    days = "".join(f"<td><a href='/calendar/{year}/{month}/{number}'>{number}</a></td>" for number in range(1, 29))
    return framed(
        title,
        f"<h1>{title}</h1><a href='/calendar/{back[0]}/{back[1] + 1}'>Previous month</a>"
        f"<a href='/calendar/{ahead[0]}/{ahead[1] + 1}'>Next month</a><p>There are no events in this month.</p>"
        f"<table><tr>{days}</tr></table>",
    )


def _session(asked: Visit) -> str:
    token = Words("session", asked.visit).token()
    page = asked.rest.partition("/")[2] or "front"
    links = "".join(
        f"<li><a href='/s/{token}/{name}'>{name}</a></li>" for name in ("front", "basket", "help", "returns")
    )
    return framed(f"Shop: {page}", f"<h1>{page}</h1><p>{Words('session', page).prose(4)}</p><ul>{links}</ul>")


def _repeats_last(asked: Visit) -> str:
    page = asked.number("page", 1)
    words = Words("archive", min(page, 4))
    entries = "".join(f"<li>{words.sentence()}</li>" for _ in range(8))
    return framed(
        "Archive", f"<h1>Archive</h1><ul>{entries}</ul><p>Page {page}</p><a href='/archive?page={page + 1}'>Older</a>"
    )


def _empty_pages(asked: Visit) -> str:
    page = asked.number("page", 1)
    words = Words("news", page)
    entries = "".join(f"<li>{words.sentence()}</li>" for _ in range(8)) if page <= 3 else ""
    return framed("News", f"<h1>News</h1><ul>{entries}</ul><a href='/news?page={page + 1}'>Next page</a>")


def _concatenation(_: Visit) -> str:
    words = Words("manual")
    links = "<a href='topics/index/'>Topics</a> <a href='help/'>Help</a>"
    return framed("Manual", f"<h1>Manual</h1><p>{words.prose(5)}</p>{links}")


_FACETS = {
    "colour": ("red", "green", "blue"),
    "size": ("s", "m", "l"),
    "sort": ("name", "price"),
    "dir": ("up", "down"),
    "view": ("grid", "list"),
    "brand": ("bor", "cel", "dun", "est"),
    "made": ("wood", "glass", "iron"),
}


def _facets(asked: Visit) -> str:
    chosen = {name: value for name, value in parse_qsl(asked.query) if value in _FACETS.get(name, ())}
    shown = [
        item
        for item in truth(asked.shape).items[:30]
        if chosen.get("colour", _FACETS["colour"][item.number % 3]) == _FACETS["colour"][item.number % 3]
        and chosen.get("size", _FACETS["size"][item.number // 3 % 3]) == _FACETS["size"][item.number // 3 % 3]
    ]
    if "sort" in chosen:
        shown.sort(
            key=lambda item: item.name if chosen["sort"] == "name" else item.price, reverse=chosen.get("dir") == "down"
        )
    links = "".join(
        f"<li><a href='/shop?{html.escape(urlencode({**chosen, name: value}))}'>{name}: {value}</a></li>"
        for name, values in _FACETS.items()
        for value in values
    )
    picked = ", ".join(chosen.values()) or "everything"
    return framed("Shop", f"<h1>Shop: {picked}</h1><ul>{links}</ul>{''.join(map(card, shown))}")


def _soft_404(asked: Visit) -> str:
    words = Words("lost", asked.path)
    links = "".join(f"<li><a href='/lost/{words.token()}'>{words.rare()}</a></li>" for _ in range(3))
    return framed(
        "Not found",
        f"<h1>Page not found</h1><p>We could not find {html.escape(asked.path)} anywhere, sorry."
        f" Perhaps one of these helps:</p><ul>{links}</ul>",
    )


def _refresh_ring(asked: Visit) -> str:
    hop = asked.number("hop", 0) + 1
    return (
        f"<title>One moment</title><meta http-equiv=refresh content='0; url=/refresh?hop={hop}'>"
        f"<p>One moment, you are being taken on.</p>"
    )


def _state_ring(asked: Visit) -> str:
    step = int(asked.rest) if asked.rest.isdigit() else 0
    script = (
        "<script>const on = () => { const step = Number(location.pathname.split('/')[2] || 0) + 1;"
        "const link = document.querySelector('#on'); history.pushState({}, '', '/state/' + step);"
        "link.href = '/state/' + (step + 1); link.textContent = 'Step ' + (step + 1) };"
        "document.querySelector('#on').addEventListener('click', event => { event.preventDefault(); on() });"
        "if (document.readyState !== 'loading') on(); else addEventListener('DOMContentLoaded', on)</script>"
    )
    return framed(
        "Steps",
        f"<h1>Steps</h1><p>{Words('state').prose(3)}</p><a id=on href='/state/{step + 1}'>Step {step + 1}</a>{script}",
    )


_POSTS = 25


def _posts(offset: int, count: int) -> str:
    picked = Words("feed", offset).order(_POSTS)[:count]
    return "".join(
        f"<div class=post><h2>{Words('post', n).name()}</h2><p>{Words('post', n).prose(2)}</p></div>" for n in picked
    )


def _endless_scroll(asked: Visit) -> str:
    after = asked.number("after", 0)
    if asked.rest == "part":
        return _posts(after, 10)
    script = (
        "<script>let after = " + str(after + 10) + "; let busy = false; addEventListener('scroll', async () => {"
        "if (busy || innerHeight + scrollY < document.body.scrollHeight - 200) return; busy = true;"
        "const part = await (await fetch('/feed/part?after=' + after)).text(); after += 10;"
        "document.querySelector('#feed').insertAdjacentHTML('beforeend', part); busy = false })</script>"
    )
    return framed(
        "Feed",
        f"<h1>Feed</h1><div id=feed>{_posts(after, 10)}</div><a href='/feed?after={after + 10}'>Older posts</a>{script}",
    )


def _load_more(asked: Visit) -> str:
    offset = asked.number("offset", 0)
    entries = "".join(f"<li>{Words('more', place).sentence()}</li>" for place in range(6))
    if asked.rest == "part":
        return entries
    script = (
        "<script>let offset = 6; document.querySelector('#load').addEventListener('click', async event => { event.preventDefault();"
        "const part = await (await fetch('/more/part?offset=' + offset)).text(); offset += 6;"
        "document.querySelector('#list').insertAdjacentHTML('beforeend', part) })</script>"
    )
    return framed(
        "More",
        f"<h1>More</h1><ul id=list>{entries}</ul><a id=load class=button href='/more?offset={offset + 6}'>Load more</a>{script}",
    )


def _mirror(asked: Visit) -> str:
    words = Words("mirror", asked.path)
    links = "".join(f"<li><a href='/mirror/{words.token()}'>{words.name()}</a></li>" for _ in range(4))
    return framed(
        words.name(), f"<h1>{words.name(3)}</h1><p>{words.prose(8)}</p><p>{words.prose(8)}</p><ul>{links}</ul>"
    )


def _maze(asked: Visit) -> str:
    words = Words("maze", asked.path)
    links = "".join(
        f"<li><a href='/{html.escape(asked.path.strip('/'))}/{words.rare()}'>{words.name()}</a></li>" for _ in range(3)
    )
    return framed(words.name(), f"<h1>{words.name()}</h1><p>{words.prose(7)}</p><ul>{links}</ul>")


def _escaping(asked: Visit) -> str:
    again = html.escape(html.escape(unquote(asked.query))) if asked.query else "q=lamp&amp;lang=en"
    return framed(
        "Search", f"<h1>Search</h1><p>{Words('find').prose(4)}</p><a href='/find?{again}'>In another language</a>"
    )


def _redirects(asked: Visit) -> str:
    step, _, hop = asked.rest.partition("/")
    number = int(step) if step.isdigit() else 1
    if asked.path.startswith("/hop"):
        count = int(hop) if hop.isdigit() else 0
        return f"->/hop/{number}/{count + 1}" if count < 3 else f"->/landed/{number}"
    return framed(
        "Landed", f"<h1>Landed</h1><p>You were sent on {number} times.</p><a href='/hop/{number + 1}'>Again</a>"
    )


TRAPS: Mapping[str, Trap] = {
    name: Trap(name=name, prefixes=tuple(prefixes.split()), entry=entry, answer=answer)
    for name, prefixes, entry, answer in (
        ("calendar", "calendar", "/calendar/2026/11", _calendar),
        ("session", "s", "/s/0123456789abcdef/front", _session),
        ("repeats_last", "archive", "/archive?page=1", _repeats_last),
        ("empty_pages", "news", "/news?page=1", _empty_pages),
        ("concatenation", "manual", "/manual/", _concatenation),
        ("facets", "shop", "/shop", _facets),
        ("soft_404", "lost", "/lost/fedcba9876543210", _soft_404),
        ("refresh_ring", "refresh", "/refresh?hop=1", _refresh_ring),
        ("state_ring", "state", "/state/1", _state_ring),
        ("endless_scroll", "feed", "/feed", _endless_scroll),
        ("load_more", "more", "/more", _load_more),
        ("mirror", "mirror", "/mirror/00112233445566aa", _mirror),
        ("maze", "maze", "/maze/entrance", _maze),
        ("escaping", "find", "/find?q=lamp&lang=en", _escaping),
        ("redirects", "hop landed", "/hop/1", _redirects),
    )
}
_BY_PREFIX = {prefix: trap for trap in TRAPS.values() for prefix in trap.prefixes}


def trap_of(path: str) -> Trap | None:
    """The trap that a path belongs to."""
    return _BY_PREFIX.get(path.strip("/").partition("/")[0])
