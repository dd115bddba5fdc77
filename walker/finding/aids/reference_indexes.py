"""Search indexes of API references that are laid out by name (Javadoc, Doxygen, TypeDoc) and the list of pages of VitePress.

Each reader gives a page for each file that is named, with the names of what is documented on it as its text.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from memory.url_key import join_link
from memory.words import lazy_re
from walker.finding.aids.js_values import NotAValue, read_value
from walker.finding.aids.named_page import MOST_PAGES, MOST_TEXT, NamedPage

DOXYGEN_FILES = 40
"""Files of a Doxygen index that are read: it has one for each first letter."""
MOST_UNPACKED = 16 << 20
DEEPEST = 8
_ALL_LETTERS = lazy_re.compile(r"indexSectionsWithContent\s*=\s*\{\s*0\s*:\s*\"([^\"]{0,400})\"")
_PACKED = lazy_re.compile(r"base64,([A-Za-z0-9+/=\s]+)[\"']|=\s*[\"']([A-Za-z0-9+/=]{40,})[\"']")
_SITE_DATA = lazy_re.compile(r"__VP_SITE_DATA__\s*=\s*JSON\.parse\((\"(?:[^\"\\]|\\.)*\")\)")
_VITEPRESS_NAME = lazy_re.compile(r"[^\s?#\\]{1,300}\.md")

Entry = tuple[str, str, str]
"""Address relative to the index, name, and what is said of it; an address with a fragment is a part of its page."""


def read_javadoc(types: str, members: str, packages: str, folder: str) -> tuple[NamedPage, ...]:
    """The pages of classes and packages from `type-search-index.js`, `member-search-index.js` and `package-search-index.js`; the
    last two may be empty. Raises `walker.finding.aids.js_values.NotAValue`."""
    named = _records(read_value(types), "l")
    packed = _records(read_value(packages), "l") if packages else ()
    modules = {one["l"]: one["m"] for one in packed if isinstance(one.get("m"), str)}

    def place(package: str) -> str:
        module = modules.get(package, "")
        return (f"{module}/" if module else "") + (package.replace(".", "/") + "/" if package != "<Unnamed>" else "")

    def entries() -> Iterator[Entry]:
        for one in named:
            package, label = str(one.get("p") or ""), one["l"]
            yield str(one.get("u") or one.get("url") or f"{place(package)}{label}.html"), label, package
        for one in packed:
            yield str(one.get("u") or one.get("url") or place(one["l"]) + "package-summary.html"), one["l"], "package"
        for one in _records(read_value(members), "l") if members else ():
            yield f"{place(str(one.get('p') or ''))}{one.get('c')}.html#{one['l']}", one["l"], ""

    return _as_pages(entries(), folder)


def doxygen_files(data: str) -> tuple[str, ...]:
    """Names of the files of an index, beside its `searchdata.js`; none where that is not Doxygen's."""
    letters = _ALL_LETTERS.search(data)
    return tuple(f"all_{number:x}.js" for number in range(min(len(letters[1]), DOXYGEN_FILES))) if letters else ()


def read_doxygen(texts: Iterable[str], folder: str) -> tuple[NamedPage, ...]:
    """The pages that the files of an index name; `folder` is that of the files. Files that hold no data are left out."""

    def entries() -> Iterator[Entry]:
        for text in texts:
            try:
                found = read_value(text)
            except NotAValue:
                continue
            for one in found if isinstance(found, list) else ():
                label, *places = one[1] if _is_list(one, 2) and _is_list(one[1], 2) else ("",)
                for place in places:
                    if _is_list(place, 1) and isinstance(label, str) and isinstance(place[0], str):
                        scope = place[2] if len(place) > 2 and isinstance(place[2], str) else ""
                        yield place[0], label, scope

    return _as_pages(entries(), folder)


def read_typedoc(text: str, folder: str) -> tuple[NamedPage, ...]:
    """The pages of `assets/search.js`, compressed or not; `folder` is that of the site. Raises
    `walker.finding.aids.js_values.NotAValue`."""
    packed = _PACKED.search(text)
    value = read_value(_unpacked(packed[1] or packed[2]) if packed else text)
    rows = _records(value.get("rows") if isinstance(value, dict) else None, "name")
    return _as_pages(((str(one.get("url") or ""), one["name"], str(one.get("parent") or "")) for one in rows), folder)


def read_vitepress(names: str, first_page: str, folder: str, links: Iterable[str]) -> tuple[NamedPage, ...]:
    """The pages of `hashmap.json`, with the titles that the menus in the markup of the first page give them. `links`: addresses
    on that page, by which is known how addresses end. Raises `walker.finding.aids.js_values.NotAValue`."""
    value, known = read_value(names), {link.partition("#")[0] for link in links}
    if not isinstance(value, dict):
        raise NotAValue("it is no list of pages")
    suffix = "" if any(link.startswith(folder) and not link.endswith((".html", "/")) for link in known) else ".html"
    titles = dict(_menu_entries(_site_data(first_page), folder))
    found: dict[str, NamedPage] = {}
    for name in list(value)[:MOST_PAGES]:
        if not isinstance(name, str) or not _VITEPRESS_NAME.fullmatch(name):
            continue
        flat = name.removesuffix(".md")
        spellings = [join_link(folder, _ending(one, suffix)) or "" for one in (flat, flat.replace("_", "/"))]
        url = spellings[0] if spellings[0] in known else spellings[1]
        if url:
            title = titles.get(url.removesuffix(".html").rstrip("/"), "")
            found[url] = NamedPage(url=url, title=title)
    return tuple(found.values())


def _ending(name: str, suffix: str) -> str:
    if name == "index" or name.endswith("/index"):
        return name.removesuffix("index") or "./"
    return name + suffix


def _site_data(markup: str) -> Any:
    """What a page of VitePress says of its site; None where it says nothing that can be read."""
    said = _SITE_DATA.search(markup)
    try:
        return msgspec.json.decode(msgspec.json.decode(said[1], type=str)) if said else None
    except (msgspec.DecodeError, RecursionError, UnicodeError):
        return None


def _menu_entries(value: Any, folder: str, depth: int = 0) -> Iterator[tuple[str, str]]:
    """Address without its ending, and label, of each entry of a menu."""
    if isinstance(value, dict):
        link, text = value.get("link"), value.get("text")
        if isinstance(link, str) and isinstance(text, str) and (url := join_link(folder, link.lstrip("/"))):
            yield url.partition("#")[0].removesuffix(".html").rstrip("/"), text
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for one in inner if depth < DEEPEST else ():
        yield from _menu_entries(one, folder, depth + 1)


def _unpacked(text: str) -> str:
    """Text that was compressed (gzip or zlib) and written in Base64."""
    try:
        opened = zlib.decompressobj(wbits=47).decompress(base64.b64decode(text), MOST_UNPACKED)
    except (binascii.Error, ValueError, zlib.error):
        raise NotAValue("it cannot be unpacked") from None
    return opened.decode(errors="replace")


def _as_pages(entries: Iterable[Entry], folder: str) -> tuple[NamedPage, ...]:
    titles: dict[str, str] = {}
    texts: dict[str, list[str]] = {}
    for address, name, about in entries:
        url = join_link(folder, address) if address else None
        page, _, part = (url or "").partition("#")
        if not page or (page not in texts and len(texts) >= MOST_PAGES):
            continue
        if not part:
            titles.setdefault(page, name)
        texts.setdefault(page, []).append(f"{name} ({about})" if about else name)
    return tuple(
        NamedPage(url=page, title=titles.get(page, ""), text="\n".join(dict.fromkeys(said))[:MOST_TEXT])
        for page, said in texts.items()
    )


def _records(value: Any, name: str) -> tuple[dict[str, Any], ...]:
    """The objects of a list that have a name."""
    several = value if isinstance(value, list) else ()
    return tuple(one for one in several if isinstance(one, dict) and isinstance(one.get(name), str))


def _is_list(value: Any, least: int) -> bool:
    return isinstance(value, list) and len(value) >= least
