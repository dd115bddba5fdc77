"""A site on loopback of which some pages are their source, some are filled by script, and some only seem to be the former."""

# ruff: noqa: E501 (a page stands on one line)
from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager

from tests.sites.serving import Answer, Asked, LoopbackSite, moved, serving

PROSE = "<p>" + " ".join(f"word{n} of the article" for n in range(40)) + "</p>"
MENU = "<script src=/menu.js></script><nav><a href=/>home</a><a href='/static/2'>two</a></nav>"
FILES = {
    "/menu.js": "document.documentElement.className = 'ready';",
    "/item.js": "fetch('/api').then(answer => answer.text()).then(text => { const p = document.createElement('p'); p.textContent = text; document.body.append(p) })",
    "/api": "delivered in three days",
    "/price.js": "const place = document.getElementById('price'); if (place) { place.textContent = 'costs twelve'; }",
}
DOUBTFUL = {
    "onclick": "<script>var x</script><div onclick=\"location.href='/static/1'\">go</div>",
    "more": "<script>var x</script><button>Load more</button>",
    "refresh": "<meta http-equiv=refresh content='90; url=/static/1'>",
    "shadow": "<div><template shadowrootmode=open><p>in the shadow</p></template></div>",
    "frame": "<iframe src=/plain/1></iframe>",
    "lazy": "<script>var x</script><img data-src=/x.png>",
    "asks": "<noscript>Please enable JavaScript to see all prices.</noscript>",
    "busy": "<script>var x</script><div aria-busy=true></div>",
    "braces": "<script>var x</script><p>Hello {{ user.name }}</p>",
    "waits": "<script>var x</script><p>Loading…</p>",
}


def page(path: str, visit: int) -> str | None:
    """The page at a path, None for none. `visit` counts all requests."""
    kind, _, name = path.strip("/").partition("/")
    number = int(name) if name.isdecimal() else 0
    title = f"<title>{kind} {name}</title><h1>{kind} {name}</h1>"
    match kind:
        case "static":
            return title + MENU + PROSE + f"<a href=/static/{number + 1}>next</a>"
        case "shelf":
            return title + MENU + PROSE
        case "plain":
            return title + PROSE + f"<a href=/plain/{number + 1}>next</a>"
        case "app":
            return f"<title>app</title><div id=root></div><script>root.innerHTML = '<h1>app {name}</h1><a href=/app/{number + 1}>next</a>' + '<p>' + 'filled '.repeat(60)</script>"
        case "item":
            return title + PROSE + "<script src=/item.js></script>"
        case "late":
            late = "<script>document.body.append('and what only a script adds')</script>" if number > 5 else ""
            return title + MENU + PROSE + late
        case "quiet":
            place = "<span id=price></span>" if number > 5 else "<span id=price>costs ten</span>"
            return title + PROSE + ("" if number <= 5 else place) + "<script src=/price.js></script>"
        case "sly":
            # Nothing in its source tells that the script does something from the tenth page on.
            return (
                title
                + MENU
                + PROSE
                + f"<script>if ({number} > 9) document.querySelector('h1').append(' revealed')</script>"
            )
        case "clock":
            return (
                title
                + MENU
                + PROSE
                + f"<p>Visitor {visit} at 12:{visit % 60:02}:07</p><a href='/static/1?visit={visit}'>you</a>"
            )
        case "doubtful":
            return title + PROSE + DOUBTFUL[name] if name in DOUBTFUL else None
        case _:
            return None


@contextmanager
def serve_half_scripted() -> Iterator[LoopbackSite]:
    """The site, while the block lasts."""
    visits = itertools.count(1)

    def answer(asked: Asked) -> Answer | str | None:
        if asked.path.startswith("/moved/"):
            return moved("/static/" + asked.path.rsplit("/", 1)[1])
        if asked.path in FILES:
            return Answer(FILES[asked.path], kind="text/javascript" if asked.path.endswith(".js") else "text/plain")
        return page(asked.path, next(visits))

    with serving(LoopbackSite(answer)) as site:
        yield site
