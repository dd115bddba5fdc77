"""A site whose pages nobody links: its robots.txt and its sitemaps, careless and broken ones among them, are all that leads to them.

Below `/reach/` lies what is in a sitemap that a reader can make something of, below `/never/` what is not to be asked for.
"""

from __future__ import annotations

import gzip

from tests.sites.practice.oddities import text_of
from tests.sites.serving import Answer, Asked, moved

MANY = 120
XML = "text/xml"
ROBOTS = """\ufeffUser-Agent: other\r\nDisallow: /\r\n\r\nUSER-AGENT: Walker/9.1 # ours\r\nAllow: /never/allowed/*.htm$\r\nDisallow: /never\r
Crawl-delay: 0\r\n\r\nUser-agent: *\r\nDisallow: /reach\r\n\r\nSITEMAP : /maps/index.xml\r\nsitemap:http://HOST/maps/list.txt#part\r
Sitemap: /maps/gone.xml\r\nSitemap: /maps/moved.xml\r\nSitemap: /maps/page.html\r\nSitemap: http://other.invalid/map.xml\r\nSitemap:\r\n"""


def _index(*maps: str) -> str:
    return f"<sitemapindex>{''.join(f'<sitemap><loc>{one}</loc></sitemap>' for one in maps)}</sitemapindex>"


def _urls(*urls: str, encoding: str = "UTF-8") -> str:
    locations = "".join(f"<url>\n<loc>\n {url}\n</loc></url>" for url in urls)
    return f'<?xml version="1.0" encoding="{encoding}"?>\n<urlset>{locations}</urlset>'


MAPS: dict[str, str | bytes] = {
    "index.xml": _index("/maps/deeper.xml", "plain.xml", "/maps/index.xml"),
    "deeper.xml": _index("many.xml.gz", "odd.xml", "feed.xml", "once-broken.xml"),
    "plain.xml": _urls("/reach/a", "reach/relative", "//HOST/reach/protocol", "/never/forbidden", "/never/allowed/page.htm"),
    "many.xml.gz": gzip.compress(_urls(*(f"/reach/many/{number}" for number in range(MANY))).encode()),
    "odd.xml": _urls(
        "/reach/q?a=1&b=2", "/reach/m\u00fcller", "http://user:pw@HOST/reach/user", "http://elsewhere.example/never/x", encoding="latin1"
    ).encode("latin-1"),
    "feed.xml": "<rss><channel><link>/never/home</link><item><link>/reach/feed</link></item></channel></rss>",
    "once-broken.xml": _urls("/reach/late"),
    "list.txt": "\ufeffhttp://HOST/reach/text one\nhttp://HOST/reach/text\r\n# http://HOST/never/comment\n",
    "page.html": text_of("No sitemap", "<a href=/never/of-page>x</a>"),
    "real.xml": _urls("/reach/moved") + "\n<!-- 0.1 s --> trailing",
}  # fmt: skip
MAPPED = (
    *"a protocol feed late text moved m\u00fcller user".split(),
    "q?a=1&b=2",
    *(f"many/{number}" for number in range(MANY)),
)


def mapped_site(asked: Asked) -> Answer | str | None:
    """Answers for all of it."""
    host = asked.headers["host"]
    match asked.parts:
        case ["robots.txt"]:
            return Answer(body=ROBOTS.replace("HOST", host), kind="text/html")
        case ["maps", "moved.xml"]:
            return moved("/maps/real.xml", 301)
        case ["maps", "once-broken.xml"] if asked.time == 1:
            return Answer(status=503, headers=(("Retry-After", "0"),))
        case ["maps", name] if name in MAPS:
            made = MAPS[name]
            data = made if isinstance(made, bytes) else made.encode()
            return Answer(body=data if name.endswith("gz") else data.replace(b"HOST", host.encode()), kind=XML)
        case [] | ["reach" | "never" | "maps", _, *_]:
            return None if asked.path.startswith("/maps/") and "reach" not in asked.parts else text_of(asked.path)
    return None
