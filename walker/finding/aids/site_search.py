"""The site's own search, as an address with a place for words: of a form with GET, or of an OpenSearch description."""

from __future__ import annotations

import re
from urllib.parse import quote_plus, urlencode, urljoin, urlsplit

import msgspec
from lxml import etree

from memory.url_key import join_link
from memory.words import STOP_WORDS, lazy_re, token_places
from perception.document.dom import Element

_QUERY_FIELD = lazy_re.compile(
    r"^(?:q|s|k|wd|kw|query|search\w*|keywords?|term|text|p_q|searchterms?|suchbegriff|buscar|recherche|stichwort)$",
    re.IGNORECASE,
)
_WITHOUT_SPACES = lazy_re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_FORM = etree.XPath("//form")
_TEMPLATE_PARAMETER = lazy_re.compile(r"\{([A-Za-z:]+)(\??)\}")
FIELDS_AT_MOST = 12
TEMPLATE_CHARS = 2_000


class SearchAddress(msgspec.Struct, frozen=True, kw_only=True):
    """The address of a search: what stands before its words and after them."""

    before: str
    after: str = ""

    def of(self, query: str) -> str:
        """The address of the search for these words."""
        return f"{self.before}{quote_plus(query, errors='replace')}{self.after}"


def rarest_word(query: str) -> str:
    """The word of a query that fewest pages have, as far as one can tell without them: the longest of those with a capital, a digit or
    a sign, which name things, else the longest of all. "" for none; Chinese and Japanese write no words.

    >>> rarest_word("How many tonnes does the crane Goliath lift?"), rarest_word("When did the lighthouse burn?")
    ('Goliath', 'lighthouse')
    """
    places = [query[start:end] for start, end, forms in token_places(query) if not STOP_WORDS.issuperset(forms)]
    words = [word for word in places if not _WITHOUT_SPACES.search(word)]
    if not words:
        return ""
    # A sentence begins with a capital, whatever its first word is.
    begins = query.lstrip()[: len(words[0])] == words[0]
    named = [word for word in words[begins:] if not word.islower()]
    return max(named or words, key=len)


def search_form(root: Element, url: str) -> SearchAddress | None:
    """The first form of a page that searches its site with GET; None where there is none."""
    for form in _FORM(root):
        if (form.get("method") or "get").strip().lower() != "get":
            continue
        action = join_link(url, form.get("action") or url)
        if not action or urlsplit(action).netloc != urlsplit(url).netloc:
            continue
        inputs = list(form.iter("input"))[:FIELDS_AT_MOST]
        field = next((one for one in inputs if _takes_words(one)), None)
        if field is None:
            continue
        fixed = [
            (one.get("name"), one.get("value") or "")
            for one in inputs
            if one.get("name") and (one.get("type") or "").lower() == "hidden"
        ]
        before = action.partition("#")[0].partition("?")[0] + "?"
        before += urlencode(fixed) + ("&" if fixed else "")
        return SearchAddress(before=f"{before}{quote_plus(str(field.get('name')))}=")
    return None


def _takes_words(field: Element) -> bool:
    kind, name = (field.get("type") or "text").lower(), field.get("name") or ""
    return bool(name) and (kind == "search" or (kind == "text" and _QUERY_FIELD.match(name) is not None))


def open_search(text: str, url: str) -> SearchAddress | None:
    """The address that an OpenSearch description gives for pages; None for a description that is damaged, or has none."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False, huge_tree=False)
    try:
        root = etree.fromstring(text.lstrip("\ufeff \n\r\t").encode(), parser)
    except (etree.XMLSyntaxError, ValueError):
        return None
    for one in root.iter("{*}Url"):
        template = (one.get("template") or "")[:TEMPLATE_CHARS]
        is_page = (one.get("type") or "").partition(";")[0].strip().lower() in ("text/html", "application/xhtml+xml")
        if is_page and (one.get("method") or "get").lower() == "get" and "{searchTerms}" in template:
            before, _, after = template.partition("{searchTerms}")
            address = urljoin(url, _filled(before))
            if urlsplit(address).scheme in ("http", "https"):
                return SearchAddress(before=address, after=_filled(after))
    return None


def _filled(part: str) -> str:
    """A part of a template, its other parameters given: the first page, in any language; optional ones left empty."""
    return _TEMPLATE_PARAMETER.sub(lambda one: "" if one[2] else "1" if one[1].startswith("start") else "*", part)
