"""The region of a page that an element opens: what landmarks say, and where only a name speaks, what the element does.

Class names alone decide nothing: a "sidebar" may be a box of the article, a "menu" that of a restaurant.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from perception.document.dom import Element
from perception.document.link_density import CLEAR_NAVIGATION, LEAST_NAVIGATION, density_of
from perception.document.regions.tables import is_link_column
from perception.observation import Region

_TAGS: dict[str, Region] = {"nav": "nav", "main": "main", "aside": "aside", "footer": "footer", "header": "header"}
LANDMARKS = frozenset(_TAGS)
"""Tags that open a region without any attribute."""
_ROLES: dict[str, Region] = {
    "navigation": "nav",
    "menu": "nav",
    "menubar": "nav",
    "main": "main",
    "contentinfo": "footer",
    "banner": "header",
    "complementary": "aside",
}
_NAMED: tuple[tuple[re.Pattern[str], Region], ...] = (
    (
        re.compile(
            r"^(nav|navbar|navigation|menu|menubar|mainmenu|submenu|topmenu|breadcrumbs?|crumbs|site-?nav|main-?nav)$"
        ),
        "nav",
    ),
    (
        re.compile(
            r"^(sidebar|sphinxsidebar|side-?bar|side_?categories|side-?nav|site-?sidebar|tags?-?(?:cloud|box))$"
        ),
        "aside",
    ),
    (re.compile(r"^(footer|site-?footer|page-?footer|foot|copyright)$"), "footer"),
    (re.compile(r"^(site-?header|page-?header|masthead|topbar|top-?bar)$"), "header"),
    (re.compile(r"^(main|content|main-?content|page-?content|article)$"), "main"),
)
_HINT = re.compile(r"nav(?!y|el)|menu|side-?bar|crumb|pager|prev-?next|top-?bar|tool-?bar|tag-?cloud|foot(?!note)")
"""What names of navigation and page furniture have in them; it counts only where the links are dense."""
_FOOT = re.compile(r"(?:^|[\s_-])foot(?:er)?(?:[\s_-]|$)")
"""A name that has a footer in it, as one of several words."""
_UNREAD = ("script", "style", "template", "noscript", "link")
_DIALOGS = ("dialog", "alertdialog")
_PARTS_OF_TEXT = ("tablist", "tabpanel", "note", "doc-footnote", "doc-tip", "doc-notice")
_ARTICLE_PARTS = ("header", "footer")
MUCH_PROSE = 400
"""Letters outside of links; a named footer with more within an article is part of the article's text."""
FEW_LETTERS = 120
"""A named strip with no more letters, and a link, is navigation whatever its share: breadcrumbs end without a link."""
_MAINS = ".//main | .//*[@role='main'] | .//h1"
Named = Region | Literal["hint", "foot", ""]


def region_of(element: Element, role: str, names: str, inherited: Region, *, in_article: bool) -> Region:
    """The region that a block element opens, else the inherited one. `names`: its id and classes; `in_article`: within main,
    article or a section."""
    tag = element.tag
    if (role in _DIALOGS or tag == "dialog") and inherited == "main" and not in_article:
        return "aside" if _follows_landmark(element) else inherited
    if role in _ROLES or tag in _TAGS:
        if in_article and tag in _ARTICLE_PARTS and role not in _ROLES:
            return inherited
        return _landmark(element, _ROLES.get(role) or _TAGS[tag], inherited, in_article=in_article)
    if inherited != "main" or tag in ("body", "html") or role in _PARTS_OF_TEXT:
        return inherited
    if tag == "td":
        return "nav" if is_link_column(element) else inherited
    named = named_region(names)
    return _by_name(element, named, in_article=in_article) if named else inherited


@lru_cache(maxsize=1 << 12)
def named_region(names: str) -> Named:
    """The region that ids and classes speak of, "hint" for a vague hint at navigation, "foot" at a footer, "" for nothing.

    >>> named_region("box sidebar"), named_region("left-menu"), named_region("wrap footer-area"), named_region("entry")
    ('aside', 'hint', 'foot', '')
    """
    words = names.lower().split()
    for word in words:
        for pattern, region in _NAMED:
            if pattern.match(word):
                return region
    if any(_FOOT.search(word) for word in words):
        return "foot"
    return "hint" if any(_HINT.search(word) for word in words) else ""


def names_margin(tag: str, role: str, names: str) -> bool:
    """Whether an element is called navigation, aside or footer, by its tag, role, ids or classes."""
    region = _ROLES.get(role) or _TAGS.get(tag) or named_region(names)
    return region in ("nav", "aside", "footer")


def _landmark(element: Element, region: Region, inherited: Region, *, in_article: bool) -> Region:
    """The region of a landmark. An aside within the text is a note, and a header may hold the title and the lead of the page."""
    if region == "aside" and inherited == "main":
        density = density_of(element)
        if in_article and density.share < LEAST_NAVIGATION:
            return "main"
    if region == "header" and inherited == "main" and element.find(".//h1") is not None:
        density = density_of(element)
        if density.share < LEAST_NAVIGATION and density.letters - density.linked > FEW_LETTERS:
            return "main"
    return region


def _by_name(element: Element, named: Named, *, in_article: bool) -> Region:
    if named == "main":
        return "main"
    if named in ("header", "footer"):
        return _furniture(element, named, in_article=in_article)
    density = density_of(element)
    # With more text than links it says something, such as where somebody is and when.
    if named == "foot" and not in_article and density.share >= LEAST_NAVIGATION and _ends_page(element):
        return _furniture(element, "footer", in_article=in_article)
    if not density.links or element.xpath(_MAINS):
        return "main"
    if named in ("hint", "foot"):
        is_strip = density.share >= CLEAR_NAVIGATION and density.has_short_labels
        return "nav" if is_strip else "main"
    is_strip = named == "nav" and density.letters <= FEW_LETTERS
    if is_strip or (density.share >= LEAST_NAVIGATION and (density.has_short_labels or not in_article)):
        return "nav" if named == "nav" else "aside"
    return "main"


def _furniture(element: Element, named: Region, *, in_article: bool) -> Region:
    """A part named header or footer, unless it wraps the page, or a footer of an article is text of it."""
    if element.xpath(_MAINS):
        return "main"
    if named == "footer" and in_article:
        density = density_of(element)
        return "main" if density.letters - density.linked > MUCH_PROSE else named
    return named


def _ends_page(element: Element) -> bool:
    """Whether nothing follows an element but what is called footer too, and it is the smaller part of the page."""
    part = element
    for part in (element, *element.iterancestors()):
        if part.tag in ("body", "html"):
            break
        if not all(_FOOT.search(_names_of(other)) or not _holds_text(other) for other in part.itersiblings()):
            return False
    return 2 * density_of(element).letters < density_of(part).letters


def _follows_landmark(element: Element) -> bool:
    """Whether the main part or the footer of the page stands before an element, and not around it."""
    return any(
        before.tag in ("main", "footer") or next(before.iter("main", "footer"), None) is not None
        for part in (element, *element.iterancestors())
        for before in part.itersiblings(preceding=True)
        if isinstance(before.tag, str)
    )


def _holds_text(element: Element) -> bool:
    return isinstance(element.tag, str) and element.tag not in _UNREAD and any(map(str.strip, element.itertext()))


def _names_of(element: Element) -> str:
    is_element = isinstance(element.tag, str)
    return f"{element.get('id') or ''} {element.get('class') or ''} {element.tag}".lower() if is_element else ""
