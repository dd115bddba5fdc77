"""Extracts links: every URL in a page's markup or headers that a browser could navigate to."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlencode

import msgspec
from lxml import etree

from memory.url_key import join_link
from perception.document.addresses import absolute_url, without_fragment
from perception.document.dom import Element, base_address, parse_page, text_in
from walker.crawl.job_records import FoundLink
from walker.crawl.pages.header_links import REFRESH, RELATIONS, HeaderLinks

LINKS_AT_MOST = 250_000
"""Most links of a page, rarely exceeded within the limits of a crawl; those of 32 MB take about two seconds."""
OPTIONS_AT_MOST = 100
"""Most URLs generated from one form."""
LABEL_CHARS = 200
DEEPEST_SRCDOC = 3
"""Documents written into attributes of documents in attributes."""

_TAGS = ("a", "area", "link", "meta", "form", "iframe", "frame", "object", "embed", "script")
_SPECIAL = etree.XPath(
    "//*[@onclick or self::select[@onchange] or @data-href or @data-url or (@formaction and not(self::a))]"
)
_SPECIAL_NAMES = (
    "onclick=",
    "onClick=",
    "ONCLICK=",
    "onclick =",
    "onchange",
    "onChange",
    "data-href=",
    "data-url=",
    "formaction=",
    "formAction=",
)
_TEMPLATED = etree.XPath("//template[not(@shadowrootmode or @shadowroot)]//*")
"""Content of templates, which is shown only if a script copies it."""
_FRAMED = etree.XPath("//*[@data-walker-frame]")
_UNNAMED = frozenset(("form", "iframe", "frame", "object", "script"))
"""Elements whose text is no name of what they lead to."""
_NO_HEADERS = HeaderLinks()
_WITH_VALUE = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
_LOCATION = re.compile(
    r"(?:\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:assign|replace)\s*\(|\bwindow\.open\s*\(|\brouter\.push\s*\(|\bpushState\s*\([^,]*,[^,]*,)"
    r"\s*(['\"])([^'\"]+)\1(?!\s*\+)"
)
"""A literal URL in a script; concatenated ones are not found."""
_GOES_TO_CHOICE = re.compile(
    r"\blocation(?:\.href)?\s*=(?!=)|\blocation\.(?:assign|replace)\s*\(|\bwindow\.open\s*\(", re.IGNORECASE
)
_GOES_ON = ("location", ".open", "router.push", "pushState")
_CODE = ("javascript", "ecmascript", "module")
_ADDRESS = re.compile(r"(?:https?:)?//|[/?]|\.\.?/|[\w-]+\.html?\b")


class PageHead(msgspec.Struct, frozen=True, kw_only=True):
    """Metadata from the head of a page."""

    base: str
    title: str = ""
    canonical_url: str = ""
    refresh_url: str = ""
    """Target of a meta refresh."""
    nofollow: bool = False


def read_head(root: Element, url: str) -> PageHead:
    """Base URL, title, canonical URL and robots directives."""
    base_url = base_address(root, url)
    canonical = refresh = ""
    nofollow = False
    for element in root.iter("meta", "link"):
        if element.tag == "link":
            if "canonical" in _relations(element):
                canonical = canonical or _absolute(base_url, element.get("href") or "")
        elif (element.get("name") or "").lower() in ("robots", "walker"):
            nofollow = nofollow or forbids_following(element.get("content") or "")
        elif (element.get("http-equiv") or "").lower() == "refresh" and (
            match := REFRESH.match(element.get("content") or "")
        ):
            refresh = refresh or (_absolute(base_url, match[1]) if match[1] else "")
    return PageHead(
        base=base_url,
        title=text_in(root.find(".//title")),
        canonical_url=canonical,
        refresh_url=refresh,
        nofollow=nofollow,
    )


def forbids_following(directives: str) -> bool:
    """Whether robots directives forbid following links ("noindex, nofollow"). A header directive may be prefixed with the name of
    a robot, for which alone it is.

    >>> forbids_following("noindex, nofollow"), forbids_following("otherbot: nofollow, noindex"), forbids_following("none")
    (True, False, True)
    """
    own = True
    for directive in directives.lower().split(","):
        robot, colon, rest = directive.rpartition(":")
        if colon and robot.strip() not in _WITH_VALUE:
            own = robot.strip() in ("walker", "*")
        if own and (rest if colon else directive).strip() in ("nofollow", "none"):
            return True
    return False


def read_page_links(
    root: Element, head: PageHead, url: str, html: str, headers: HeaderLinks = _NO_HEADERS, *, depth: int = 0
) -> tuple[FoundLink, ...]:
    """Links in document order, each URL once, without links to the page itself, and then those of its headers. `html` is the page's
    markup; `depth` counts the documents in attributes around it."""
    here = without_fragment(url)
    frames = {frame: _base_in(frame) for frame in _FRAMED(root)} if "data-walker-frame" in html else {}
    special = _SPECIAL(root) if any(name in html for name in _SPECIAL_NAMES) else []
    unread: set[Element] = set(_TEMPLATED(root)) if "template" in html else set()
    found: dict[str, FoundLink] = {}
    met: set[tuple[str, str]] = set()
    for element in _carriers(root, {*special, *frames}, unread):
        base = _base_of(element, frames, head.base) if frames else head.base
        nofollow = element.tag in ("a", "area") and "nofollow" in _relations(element)
        label = None
        for written in _written(element):
            if (base, written) in met or (written[:1] == "#" and written[1:2] not in ("/", "!")):
                continue
            met.add((base, written))
            target = without_fragment(_absolute(base, written))
            if not target or target == here or target in found:
                continue
            label = _label(element) if label is None else label
            found[target] = FoundLink(url=target, label=label, nofollow=nofollow)
        for link in _links_in_attribute(element, base, url, depth):
            found.setdefault(link.url, link)
        if len(found) >= LINKS_AT_MOST:
            break
    for target in map(without_fragment, headers.urls):
        if target != here:
            found.setdefault(target, FoundLink(url=target))
    return tuple(found.values())


def _links_in_attribute(frame: Element, base: str, url: str, depth: int) -> tuple[FoundLink, ...]:
    """Links of a document that is written into the attribute of a frame, whose base is that of the page around it."""
    html = frame.get("srcdoc") if frame.tag == "iframe" and depth < DEEPEST_SRCDOC else None
    if html is None:
        return ()
    root = parse_page(html)
    return read_page_links(root, PageHead(base=base_address(root, base)), url, html, depth=depth + 1)


def _carriers(root: Element, special: set[Element], unread: set[Element]) -> Iterator[Element]:
    """Elements that may have a link, in document order."""
    if not special:
        yield from (element for element in root.iter(*_TAGS) if element not in unread) if unread else root.iter(*_TAGS)
        return
    tags = frozenset(_TAGS)
    yield from (
        element for element in root.iter() if (element.tag in tags or element in special) and element not in unread
    )


def _written(element: Element) -> Iterator[str]:
    """URLs as written in the element."""
    tag, attributes = element.tag, element.attrib
    if tag in ("a", "area"):
        href = attributes.get("href") or attributes.get("xlink:href") or ""
        yield from _of_script(href) if href[:11].lower() == "javascript:" else (href,)
    elif tag == "form":
        yield from _of_form(element)
    elif tag in ("iframe", "frame", "embed", "object"):
        yield attributes.get("data" if tag == "object" else "src") or ""
    elif tag in ("link", "meta", "script"):
        yield from _of_program(element) if tag == "script" else _of_head(element)
    if "data-walker-frame" in attributes:
        yield attributes["data-walker-frame"]
    for name in ("data-href", "data-url", "formaction"):
        if (value := attributes.get(name)) and _ADDRESS.match(value):
            yield value
    if "onclick" in attributes:
        yield from _of_script(attributes["onclick"])
    if tag == "select" and _GOES_TO_CHOICE.search(attributes.get("onchange", "")):
        yield from (value for value in _values(element, "select")[:OPTIONS_AT_MOST] if _ADDRESS.match(value))


def _of_head(element: Element) -> Iterator[str]:
    if element.tag == "link":
        relations = _relations(element)
        if not RELATIONS.isdisjoint(relations) or ("alternate" in relations and "hreflang" in element.attrib):
            yield element.get("href") or ""
    elif (element.get("http-equiv") or "").lower() == "refresh":
        match = REFRESH.match(element.get("content") or "")
        yield match[1] if match else ""


def _relations(element: Element) -> list[str]:
    return (element.get("rel") or "").lower().split()


def _of_program(element: Element) -> Iterator[str]:
    """Literal URLs that a script in the page goes to, at once, after a while or when something is pressed."""
    kind, code = (element.get("type") or "").lower(), element.text or ""
    if (not kind or any(name in kind for name in _CODE)) and any(name in code for name in _GOES_ON):
        yield from _of_script(code)


def _of_script(code: str) -> Iterator[str]:
    for match in _LOCATION.finditer(code):
        yield match[2]


def _of_form(form: Element) -> Iterator[str]:
    """URLs that a GET form can submit: with its defaults, and with each option. None for a form with an empty text field."""
    if (form.get("method") or "get").lower() != "get":
        return
    chosen: dict[str, str] = {}
    choices: list[tuple[str, str]] = []
    typed = False
    for field in form.iter("input", "select"):
        name = field.get("name")
        if not name or "disabled" in field.attrib:
            continue
        kind = (field.get("type") or "text").lower() if field.tag == "input" else "select"
        values = _values(field, kind)
        if kind in ("select", "radio"):
            choices += [(name, value) for value in values]
            if field.tag == "select" or "checked" in field.attrib:
                selected = field.find(".//option[@selected]") if field.tag == "select" else None
                value = (_values(selected, "option") if selected is not None else values)[:1]
                chosen.update({name: value[0]} if value else {})
        elif (
            kind not in ("submit", "button", "image", "reset", "file", "password", "checkbox")
            or "checked" in field.attrib
        ):
            chosen[name] = values[0] if values else ""
            typed = typed or (kind not in ("hidden", "checkbox") and not chosen[name])
    if not choices and (typed or not chosen):
        return
    action = (form.get("action") or "").partition("#")[0].partition("?")[0]
    asked = [chosen, *({**chosen, name: value} for name, value in choices[:OPTIONS_AT_MOST])]
    yield from dict.fromkeys(f"{action}?{urlencode(fields)}" for fields in asked if fields)


def _values(field: Element, kind: str) -> list[str]:
    if kind == "select":
        return [value for option in field.iter("option") for value in _values(option, "option")]
    if kind == "option":
        value = field.get("value")
        return [] if "disabled" in field.attrib else [text_in(field) if value is None else value]
    return [field.get("value") or ("on" if kind in ("radio", "checkbox") else "")]


def _absolute(base: str, written: str) -> str:
    return (join_link(base, written) or "") if "\\" in written else absolute_url(base, written)


def _base_in(frame: Element) -> str:
    """The base URL in an inlined frame, "" for one that was written by the page and has the base of what is around it."""
    for name in ("data-walker-base", "data-walker-frame"):
        if (frame.get(name) or "").startswith(("http://", "https://")):
            return str(frame.get(name))
    return ""


def _base_of(element: Element, frames: dict[Element, str], base: str) -> str:
    """The base URL for an element: links in an inlined frame are resolved against the frame's URL."""
    for above in element.iterancestors():
        if frames.get(above):
            return frames[above]
    return base


def _label(element: Element) -> str:
    text = text_in(element) if element.tag not in _UNNAMED else ""
    if not text:
        named = next(
            (each for each in element.iter("img", "a", "area") if each.get("alt") or each.get("aria-label")), element
        )
        text = named.get("aria-label") or named.get("alt") or element.get("title") or ""
    return text[:LABEL_CHARS]
