"""How HTML tags are read: which text they skip, which begin a block, of which kind."""

from __future__ import annotations

import re

from perception.observation import BlockKind

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

PERMALINK = re.compile(r"(^|\s)(headerlink|permalink|heading-?anchor|anchor-?link|header-?anchor)(\s|$)")
PERMALINK_TEXTS = frozenset(("¶", "#", "§", "🔗", ""))
CONTROL_TAGS = frozenset(("button", "input", "select", "textarea"))
FIGURE_TAGS = frozenset(("img", "canvas", "svg", "video", "audio", "object"))
RECORD_PARTS = frozenset(("li", "tr", "dt", "dd", "td", "th"))
"""Elements that are entries, or parts of entries, of a list or a table."""
