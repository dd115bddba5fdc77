"""How HTML tags, ARIA roles and conventional class names are interpreted."""

from __future__ import annotations

import re

from perception.observation import BlockKind, Region

SKIPPED = frozenset(
    [
        "script",
        "style",
        "template",
        "noscript",
        "head",
        "link",
        "meta",
        "select",
        "option",
        "textarea",
        "datalist",
        "iframe",
        "object",
    ]
)
"""Elements whose text is ignored; figures and controls among them are described by their attributes."""

BLOCKS = frozenset(
    [
        "address",
        "article",
        "aside",
        "blockquote",
        "body",
        "caption",
        "center",
        "dd",
        "details",
        "dialog",
        "dir",
        "div",
        "dl",
        "dt",
        "fieldset",
        "figcaption",
        "figure",
        "footer",
        "form",
        "frame",
        "frameset",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hgroup",
        "hr",
        "html",
        "legend",
        "li",
        "main",
        "menu",
        "nav",
        "ol",
        "p",
        "pre",
        "section",
        "summary",
        "table",
        "tbody",
        "td",
        "tfoot",
        "th",
        "thead",
        "tr",
        "ul",
    ]
)
HEADINGS = {f"h{level}": level for level in range(1, 7)}

KINDS: dict[str, BlockKind] = {
    "li": "item",
    "dt": "term",
    "dd": "definition",
    "pre": "code",
    "blockquote": "quote",
    "caption": "caption",
    "figcaption": "caption",
    "tr": "row",
    "summary": "term",
    **dict.fromkeys(HEADINGS, "heading"),
}

_REGION_TAGS: dict[str, Region] = {
    "nav": "nav",
    "main": "main",
    "aside": "aside",
    "footer": "footer",
    "header": "header",
}
_REGION_ROLES: dict[str, Region] = {
    "navigation": "nav",
    "menu": "nav",
    "menubar": "nav",
    "main": "main",
    "contentinfo": "footer",
    "banner": "header",
    "complementary": "aside",
}
_REGION_NAMES: tuple[tuple[re.Pattern[str], Region], ...] = (
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
PERMALINK = re.compile(r"(^|\s)(headerlink|permalink|heading-?anchor|anchor-?link|header-?anchor)(\s|$)")
PERMALINK_TEXTS = frozenset(("¶", "#", "§", "🔗", ""))


def region_of(tag: str, role: str, names: str, inherited: Region) -> Region:
    """The region that an element opens, else the inherited one. `names` is its id and classes."""
    if role in _REGION_ROLES:
        return _REGION_ROLES[role]
    if tag in _REGION_TAGS:
        return _REGION_TAGS[tag]
    if names and inherited == "main":
        for name in names.lower().split():
            for pattern, region in _REGION_NAMES:
                if pattern.match(name):
                    return region
    return inherited
