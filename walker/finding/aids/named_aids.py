"""The aids that the markup of a site's first page names."""

from __future__ import annotations

import re
from urllib.parse import urljoin, urlsplit

import msgspec
from lxml import etree

from memory.url_key import join_link
from perception.document.dom import Element, base_address, parse_page
from walker.finding.aids.site_search import SearchAddress, search_form

INDEXES_AT_MOST = 3
FEEDS_AT_MOST = 2
_SCRIPTS = etree.XPath("//script/@src | //link/@href")
_SPHINX = re.compile(
    r"(.*/|^)(?:_static/(?:documentation_options|doctools|searchtools|sphinx_highlight)\.js|searchindex\.js)$"
)
_PAGEFIND = re.compile(r"(.*/|^)pagefind(?:-[a-z-]+)?\.(?:js|css)$")
_MDBOOK = re.compile(r"(.*/|^)(?:searcher|elasticlunr\.min|book)(?:-[0-9a-f]{6,10})?\.js$")
_JSON = re.compile(r"""["'(=]\s*([\w./:%~+-]{0,200}(?:search|index|lunr)[\w./%~+-]{0,100}\.json)\b""", re.IGNORECASE)
_GENERATOR = etree.XPath("string(//meta[translate(@name, 'GENERATOR', 'generator') = 'generator']/@content)")
_OF_GENERATOR = {
    "mkdocs": ("search/search_index.json",),
    "zensical": ("search/search_index.json", "search.json"),
    "docusaurus": ("search-index.json", "search-doc.json"),
}
_BASE_IN_CONFIG = re.compile(r'"base"\s*:\s*"([^"]{0,200})"')


class NamedIndex(msgspec.Struct, frozen=True, kw_only=True):
    """A search index that lists records: its address, and what its addresses are relative to."""

    url: str
    base: str


class NamedAids(msgspec.Struct, frozen=True, kw_only=True):
    """What a page says of its site's aids; all addresses are absolute."""

    sphinx: str = ""
    """Folder of `searchindex.js`."""
    pagefind: str = ""
    """Folder of the index of Pagefind."""
    indexes: tuple[NamedIndex, ...] = ()
    feeds: tuple[str, ...] = ()
    open_search: str = ""
    form: SearchAddress | None = None
    links: tuple[str, ...] = ()
    """Addresses of its links."""


def aids_named_on(html: str, url: str) -> NamedAids:
    """The aids that the page at this address names."""
    root = parse_page(html)
    base = base_address(root, url)
    files = [str(one).partition("?")[0] for one in _SCRIPTS(root)]
    return NamedAids(
        sphinx=_folder(files, _SPHINX, base),
        pagefind=_folder(files, _PAGEFIND, base),
        indexes=_indexes(root, html, files, base),
        feeds=_linked(root, base, "alternate", ("application/rss+xml", "application/atom+xml"))[:FEEDS_AT_MOST],
        open_search=next(iter(_linked(root, base, "search", ("application/opensearchdescription+xml",))), ""),
        form=search_form(root, url),
        links=tuple(link for one in root.iter("a") if (link := join_link(base, one.get("href") or ""))),
    )


def _folder(files: list[str], pattern: re.Pattern[str], base: str) -> str:
    match = next((match for file in files if (match := pattern.search(file))), None)
    return (join_link(base, match[1] or "./") or "") if match else ""


def _indexes(root: Element, html: str, files: list[str], base: str) -> tuple[NamedIndex, ...]:
    """Where records may lie: where the generator of the site puts them, and what the markup names."""
    generator = str(_GENERATOR(root)).lower()
    config = _BASE_IN_CONFIG.search(html)
    home = urljoin(base, (config[1].rstrip("/") + "/") if config else "/" if "docusaurus" in generator else "./")
    found = [
        NamedIndex(url=urljoin(home, file), base=home)
        for name, paths in _OF_GENERATOR.items()
        if name in generator
        for file in paths
    ]
    if "mdbook" in html[:3000].lower() and (folder := _folder(files, _MDBOOK, base)):
        found += [NamedIndex(url=urljoin(folder, file), base=folder) for file in ("searchindex.json", "searchindex.js")]
    for named in dict.fromkeys(_JSON.findall(html)):
        url = join_link(base, named)
        if url and urlsplit(url).netloc == urlsplit(base).netloc and "manifest" not in url:
            folder = urljoin(url, "../" if url.endswith("/search/search_index.json") else "./")
            found.append(NamedIndex(url=url, base=folder))
    return tuple({one.url: one for one in found}.values())[:INDEXES_AT_MOST]


def _linked(root: Element, base: str, relation: str, types: tuple[str, ...]) -> tuple[str, ...]:
    found = (
        join_link(base, one.get("href") or "")
        for one in root.iter("link")
        if relation in (one.get("rel") or "").lower().split() and (one.get("type") or "").lower() in types
    )
    return tuple(dict.fromkeys(address for address in found if address))
