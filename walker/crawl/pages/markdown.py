"""The main part of a page as Markdown, through markdownify."""

from __future__ import annotations

import re
from copy import deepcopy
from typing import Any

from lxml import etree

from perception.document.addresses import absolute_url
from perception.document.dom import Element
from walker.crawl.pages.page_words import FEW_WORDS, drop, drop_margins, drop_unread

_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight|brush:?)-?\s?([\w+#-]+)")
_GAPS = re.compile(r"\n{3,}")
_PERMALINKS = ("¶", "#", "§", "🔗", "🔗\ufe0e", "\u200b")
_NOT_KEPT = ("button", "input", "form", "iframe", "dialog", "canvas", "link", "meta")


def page_markdown(root: Element, base: str, html: str) -> str:
    """Headings, paragraphs, lists, tables, code, quotes and links of the main content, without navigation, asides and footer.
    URLs are absolute. `html` is the page's markup. The tree is not changed."""
    copy = deepcopy(root)
    drop_unread(copy, html)
    main = _main(copy)
    for element in list(main.iter(*_NOT_KEPT)):
        if element.tag != "form" or len("".join(element.itertext()).split()) < FEW_WORDS:
            drop(element)
    for element in list(main.iter("a", "img")):
        if _is_permalink(element):
            drop(element)
        else:
            _make_absolute(element, base)
    markup = etree.tostring(main, method="html", encoding="unicode", with_tail=False)
    try:
        written = _converter().convert(markup)
    except RecursionError:  # markdownify is recursive; a thousand nested elements are not a document
        written = "".join(main.itertext())
    return _GAPS.sub("\n\n", "\n".join(line.rstrip() for line in written.split("\n"))).strip()


def _main(root: Element) -> Element:
    """The main element, or the whole page without navigation, asides and footer."""
    marked = [
        element
        for element in root.iter("main", "article", "div")
        if element.tag == "main" or element.get("role") == "main"
    ]
    if len(marked) == 1 and len("".join(marked[0].itertext()).split()) >= FEW_WORDS:
        drop_margins(marked[0])
        return marked[0]
    whole = deepcopy(root)
    drop_margins(root)
    return root if len("".join(root.itertext()).split()) >= FEW_WORDS else whole


def _is_permalink(element: Element) -> bool:
    """Whether a link is a heading's permalink."""
    written = "".join(element.itertext()).strip()
    return element.tag == "a" and written in _PERMALINKS and (element.get("href") or "").startswith("#")


def _make_absolute(element: Element, base: str) -> None:
    name = "href" if element.tag == "a" else "src"
    written = element.get(name) or ""
    url = absolute_url(base, written) if written.isprintable() else ""
    if url:
        element.set(name, url)
    elif element.tag == "a":
        element.attrib.pop("href", None)
    else:
        drop(element)


def _converter() -> Any:
    from markdownify import ATX, MarkdownConverter  # noqa: PLC0415 - takes 0.1 s, and few scripts keep Markdown

    return MarkdownConverter(
        heading_style=ATX,
        bullets="-",
        code_language_callback=_language,
        escape_misc=False,
        wrap=False,
        bs4_options="lxml",
    )


def _language(element: Any) -> str:
    for each in (element, *element.find_all("code", limit=1)):
        names = " ".join(each.get("class") or ())
        if match := _LANGUAGE.search(names):
            return match[1]
    return ""
