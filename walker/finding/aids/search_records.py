"""Search indexes that list pages as records (MkDocs, Docusaurus, lunr, mdBook, Jekyll and Hugo themes): address, title and text."""

from __future__ import annotations

from collections.abc import Iterator
from html import unescape
from typing import Any
from urllib.parse import urljoin

from memory.url_key import join_link
from memory.words import lazy_re
from walker.finding.aids.js_values import read_value
from walker.finding.aids.named_page import MOST_PAGES, MOST_TEXT, NamedPage

_ADDRESSES = ("location", "url", "relUrl", "permalink", "href", "uri", "link", "path", "u")
_TITLES = ("title", "full_name", "pageTitle", "name", "heading", "doc", "t")
_TEXTS = ("text", "content", "body", "contents", "description", "summary", "excerpt", "keywords", "s")
DEEPEST = 8
MOST_VALUES = 400_000
"""Objects and lists that are looked through."""
_TAG = lazy_re.compile(r"<[^<>]{0,2000}>")


def read_records(text: str, base: str) -> tuple[NamedPage, ...]:
    """The pages of an index, each once with the texts of its sections; `base` is what its addresses are relative to. Raises
    `walker.finding.aids.js_values.NotAValue`."""
    pages: dict[str, list[str]] = {}
    titles: dict[str, str] = {}
    for address, title, said in _records(read_value(text)):
        url = join_link(base, address.lstrip("/") if _is_rooted_below(base, address) else address)
        if not url:
            continue
        page, _, section = url.partition("#")
        if page not in pages and len(pages) >= MOST_PAGES:
            continue
        if not section or page not in titles:
            titles[page] = title or titles.get(page, "")
        pages.setdefault(page, []).append(f"{title}\n{said}" if section else said)
    return tuple(
        NamedPage(url=url, title=titles[url], text="\n".join(texts).strip()[:MOST_TEXT]) for url, texts in pages.items()
    )


def _is_rooted_below(base: str, address: str) -> bool:
    """Whether an address that begins with a slash means the folder of the site, not the root of its host: where it does not name the
    folder itself."""
    folder = "/" + base.partition("://")[2].partition("/")[2]
    return address.startswith("/") and not address.startswith("//") and folder != "/" and not address.startswith(folder)


def _records(value: Any) -> Iterator[tuple[str, str, str]]:
    """Address, title and text of each record, wherever it lies."""
    seen = 0
    waiting: list[tuple[Any, int]] = [(value, 0)]
    while waiting and seen < MOST_VALUES:
        one, depth = waiting.pop()
        seen += 1
        if isinstance(one, dict):
            addresses = one.get("doc_urls")
            if isinstance(addresses, list):
                yield from _of_mdbook(one, addresses)
                continue
            address, title = _first(one, _ADDRESSES), _first(one, _TITLES)
            if address and title:
                yield address, _plain(title), _plain(_text(one))
                waiting.extend((child, depth + 1) for child in reversed(_parts(one)) if depth < DEEPEST)
                continue
        inner = list(one.values()) if isinstance(one, dict) else one if isinstance(one, list) else []
        if depth < DEEPEST:
            waiting.extend((child, depth + 1) for child in reversed(inner) if isinstance(child, dict | list))


def _parts(record: dict[str, Any]) -> list[list[Any]]:
    """The lists of a record, which may hold further records (the types within a module)."""
    return [child for child in record.values() if isinstance(child, list) and child and isinstance(child[0], dict)]


def _of_mdbook(value: dict[str, Any], addresses: list[Any]) -> Iterator[tuple[str, str, str]]:
    """MdBook keeps addresses apart from its documents, which have numbers."""
    index = value.get("index")
    store = index.get("documentStore") if isinstance(index, dict) else None
    docs = store.get("docs") if isinstance(store, dict) else None
    for number, doc in docs.items() if isinstance(docs, dict) else ():
        if str(number).isdigit() and int(number) < len(addresses) and isinstance(doc, dict):
            yield str(addresses[int(number)]), _plain(_first(doc, _TITLES)), _plain(_text(doc))


def _first(record: dict[str, Any], names: tuple[str, ...]) -> str:
    return next((value for name in names if isinstance(value := record.get(name), str) and value.strip()), "")


def _text(record: dict[str, Any]) -> str:
    found = _first(record, _TEXTS)
    body = record.get("b")
    if not found and isinstance(body, list):
        found = " > ".join(str(one) for one in body if isinstance(one, str))
    return found[: 2 * MOST_TEXT]


def _plain(text: str) -> str:
    return unescape(_TAG.sub(" ", text)).strip() if "<" in text or "&" in text else text.strip()


def base_of(index: str, depth: int) -> str:
    """The folder so many levels above the file of an index.

    >>> base_of("https://a.example/docs/search/search_index.json", 1)
    'https://a.example/docs/'
    """
    return urljoin(index, "../" * depth or "./")
