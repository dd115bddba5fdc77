"""Selectors of scripts: CSS, or XPath if the text begins with `/`, `./` or `(`."""

from __future__ import annotations

import re
from functools import lru_cache

import cssselect
from lxml import etree, html
from lxml.cssselect import CSSSelector

_XPATH_TEXTS = re.compile(r"'[^']*'|\"[^\"]*\"")
_XPATH_CALLS = re.compile(r"([A-Za-z_][\w.:-]*)\s*\(")
_XPATH_FUNCTIONS = frozenset(
    "last position count id local-name namespace-uri name string concat starts-with contains substring-before substring-after"
    " substring string-length normalize-space translate boolean not true false lang number sum floor ceiling round"
    " node text comment processing-instruction and or div mod".split()
)
_NOTHING = html.document_fromstring("<html></html>")


class BadSelector(ValueError):
    """Invalid selector; the message says why."""


def is_xpath(selector: str) -> bool:
    """Whether a selector is XPath rather than CSS."""
    return selector.startswith(("/", "./", "("))


@lru_cache(maxsize=1024)
def compiled(selector: str) -> etree.XPath:
    """The compiled selector. Raises `BadSelector`."""
    try:
        found = etree.XPath(selector) if is_xpath(selector) else CSSSelector(selector, translator="html")
        found(_NOTHING)  # unknown prefixes are reported only when an expression is evaluated
    except (cssselect.SelectorError, etree.XPathError) as error:
        kind = "XPath" if is_xpath(selector) else "CSS"
        raise BadSelector(f"'{selector}' is not supported {kind} ({error})") from None
    if is_xpath(selector):
        for name in _XPATH_CALLS.findall(_XPATH_TEXTS.sub("", selector)):
            if name.rpartition("::")[2] not in _XPATH_FUNCTIONS:
                raise BadSelector(f"'{selector}' is not supported XPath ({name}() is not a function of XPath 1.0)")
    return found


def why_no_selector(selector: str, *, in_browser: bool = False) -> str:
    """Why a selector is invalid, "" for a valid one. `in_browser` allows pseudo-classes that need a browser (`:hover`)."""
    try:
        if in_browser and not is_xpath(selector):
            cssselect.parse(selector)
        else:
            compiled(selector)
    except cssselect.SelectorError as error:
        return f"'{selector}' is not CSS ({error})"
    except BadSelector as error:
        return str(error)
    return ""
