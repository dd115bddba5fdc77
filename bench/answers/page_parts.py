"""Text and links of one page, as far as they can be told from its HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple
from urllib.parse import unquote, urljoin, urlsplit

import msgspec
from lxml import html as lxml_html

BLOCKS = frozenset(
    """address article aside blockquote body br button caption center dd details dialog div dl dt fieldset figcaption figure footer
    form h1 h2 h3 h4 h5 h6 header hr html label legend li main nav ol option p pre section select summary table tbody td tfoot th
    thead tr ul input textarea""".split()
)
UNSEEN = frozenset("script style noscript template svg title".split())
"""Not `head`: where a page has no `body` tag, the parser leaves elements that it does not know there."""
_CHARSET = re.compile(rb"""<meta[^>]+charset\s*=\s*["']?\s*([\w-]+)""", re.IGNORECASE)
_REFRESH = re.compile(r"""^\s*[\d.]+\s*[;,]\s*url\s*=\s*["']?([^"']+)""", re.IGNORECASE)


class Link(msgspec.Struct, frozen=True, kw_only=True):
    """A link to another page of the site."""

    target: str
    labels: tuple[str, ...]
    """What it may be called: its text, the description of its picture, its title; of a card, whose text is in several blocks, each
    of its lines too."""


class PageParts(msgspec.Struct, frozen=True, kw_only=True):
    """One page. Both texts have their white space collapsed."""

    text: str
    """What the markup shows."""
    whole: str
    """The same with what it hides: closed tabs, closed menus."""
    links: tuple[Link, ...] = ()
    moved_to: str = ""
    """Where a refresh in the markup leads at once."""
    leaves: bool = False
    """Whether that is another site."""
    is_pdf: bool = False


class _Visit(NamedTuple):
    """An element on the way down, or again at its end."""

    node: Any
    around: bool
    """Whether what is around it is shown."""
    inside: bool
    is_end: bool


def read_html(data: bytes, address: str, base: str) -> PageParts:
    """The parts of a page at this address; links outside `base` are left out."""
    document = _parsed(data)
    body = document.find("body")
    body = document if body is None else body
    home = next((found.get("href", "") for found in document.iter("base")), "")
    start = urljoin(address, home)
    texts: tuple[list[str], list[str]] = ([], [])
    _gather(body, texts)
    refresh = _refresh(document)
    moved_to = _target(refresh, start, base) or ""
    return PageParts(
        text=collapsed("".join(texts[0])),
        whole=collapsed("".join(texts[1])),
        links=tuple(_links(document, start, base)),
        moved_to=moved_to,
        leaves=bool(refresh and not moved_to),
    )


def path_of(address: str, base: str) -> str | None:
    """The path of a page below the base, folders by their index page; a route in the fragment stays. None for another site."""
    try:
        whole, home = urlsplit(address), urlsplit(base)
    except ValueError:
        return None
    if (whole.scheme, whole.netloc) != (home.scheme, home.netloc) or not whole.path.startswith(home.path):
        return None
    path = unquote(whole.path[len(home.path) :]).lstrip("/")
    fragment = whole.fragment.partition("?")[0]  # a place on the page
    route = f"#{fragment}" if fragment.startswith(("/", "!/")) and fragment.strip("/!") else ""
    return (path + "index.html" if not path or path.endswith("/") else path) + route


def collapsed(text: str) -> str:
    """Text with each run of white space as one space."""
    return " ".join(text.replace("\xa0", " ").split())


def _parsed(data: bytes) -> Any:
    named = _CHARSET.search(data[:4096])
    encoding = named[1].decode() if named else "utf-8"
    try:
        text = data.decode(encoding)
    except (LookupError, UnicodeDecodeError):
        text = data.decode("utf-8", "replace") if encoding.lower() != "utf-8" else data.decode("latin-1")
    text = re.sub(r"^\s*<\?xml[^>]*\?>", "", text.lstrip("\ufeff"))
    return lxml_html.document_fromstring(text or "<p></p>", parser=lxml_html.HTMLParser(huge_tree=True))


def _gather(body: Any, texts: tuple[list[str], list[str]]) -> None:
    """Add the text to what is shown and to the whole; without recursion, for pages that nest deeply."""
    todo: list[_Visit] = [_Visit(body, True, True, is_end=False)]
    while todo:
        visit = todo.pop()
        node = visit.node
        unseen = not isinstance(node.tag, str) or node.tag.lower() in UNSEEN
        gap = "\n" if not unseen and node.tag.lower() in BLOCKS else ""
        if unseen or visit.is_end:
            _add(texts, gap, shown=visit.inside)
            _add(texts, (node.tail or "") if node is not body else "", shown=visit.around)
            continue
        inside = visit.inside and not _is_hidden(node)
        _add(texts, gap + (node.text or ""), shown=inside)
        todo.append(_Visit(node, visit.around, inside, is_end=True))
        todo += [_Visit(child, inside, inside, is_end=False) for child in reversed(node)]


def _add(texts: tuple[list[str], list[str]], text: str, *, shown: bool) -> None:
    texts[1].append(text)
    if shown:
        texts[0].append(text)


def _is_hidden(node: Any) -> bool:
    style = (node.get("style") or "").replace(" ", "").lower()
    return "display:none" in style or node.get("hidden") is not None


def _links(document: Any, start: str, base: str) -> Iterator[Link]:
    for anchor in document.iter("a", "area"):
        target = _target(anchor.get("href"), start, base)
        if target is not None:
            yield Link(target=target, labels=tuple(_labels(anchor)))


def _labels(anchor: Any) -> Iterator[str]:
    said = collapsed("".join(anchor.itertext()))
    pictures = [collapsed(picture.get("alt") or picture.get("title") or "") for picture in anchor.iter("img")]
    named = [said, collapsed(" ".join([said, *pictures])), collapsed(" ".join([*pictures, said])), *pictures]
    named += [collapsed(anchor.get(name) or "") for name in ("aria-label", "title", "alt")]
    texts: tuple[list[str], list[str]] = ([], [])
    _gather(anchor, texts)
    named += [collapsed(line) for line in "".join(texts[1]).split("\n")]
    return iter(dict.fromkeys(label for label in named if label))


def _refresh(document: Any) -> str:
    for meta in document.iter("meta"):
        told = _REFRESH.match(meta.get("content") or "")
        if (meta.get("http-equiv") or "").lower() == "refresh" and told:
            return told[1]
    return ""


def _target(href: str | None, start: str, base: str) -> str | None:
    try:
        return path_of(urljoin(start, href.strip()), base) if href else None
    except ValueError:
        return None
