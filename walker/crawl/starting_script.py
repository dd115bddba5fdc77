"""A crawl script to start from, made from one page: its scope, and a rule for the records that stand on it."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable

from lxml import etree

from perception.document.dom import Element, base_address, parse_page, text_in
from perception.snapshot import Snapshot
from walker.crawl.crawl_browsers import CrawlBrowsers
from walker.crawl.errors import PageUnavailable
from walker.crawl.pages.field_values import value_of
from walker.crawl.script.selectors import BadSelector, compiled
from walker.crawl.script.spec import FieldType
from walker.crawl.script.spec_loader import spec_of_root
from walker.errors import UsageError
from walker.seams.protocols import PageFailure

LEAST_RECORDS, MOST_FIELDS = 3, 6
COMMON = 0.8
"""Share of the records that have a field."""
_NAME = re.compile(r"[A-Za-z][\w-]*")
_DIGITS = r"(?:[1-9]\d{0,2}(?:[ .,'’]\d{3})+(?:[.,]\d{1,2})?|(?:0|[1-9]\d*)(?:[.,]\d+)?)"
_AMOUNT = re.compile(
    rf"(?:[^\w\s]|R\$|[A-Z]{{3}}|kr\.?|Rs\.?)?\s?[-+]?{_DIGITS}\s?(?:%|[^\w\s]|[A-Z]{{3}}|kr\.?|zł|Kč)?"
)
"""A number, with a sign of money or percent at most: of other units the text alone tells which. No date, and no digits that a zero
begins, as those of telephones."""
_OUTSIDE = ("nav", "header", "footer", "aside")
_TITLES = "h1, h2, h3, h4, h5, h6"


async def page_at(url: str, chromium: str = "", *, driver: str = "auto") -> tuple[Element, Snapshot]:
    """A page as a crawl reads it. Raises `PageUnavailable`, and `UsageError` for no address."""
    spec = spec_of_root(url, driver=driver, concurrency=1)
    async with CrawlBrowsers(spec, chromium=chromium) as browsers:
        opened = await browsers.browsers[0].open(spec.start[0])
    if isinstance(opened, PageFailure):
        raise PageUnavailable(opened.message, where=url, advice="Check the address in a browser")
    if opened.status >= 400:
        raise PageUnavailable(f"the server answered with HTTP {opened.status}", where=url, advice="Check the address")
    return parse_page(opened.html), opened


async def values_at(
    url: str, selector: str, field: tuple[FieldType, str], chromium: str = "", *, driver: str = "auto"
) -> list[str]:
    """What a selector finds on a page, each as a field of this type and attribute gives it, "" where it gives nothing. Raises as
    `page_at`, and `UsageError` for a bad selector."""
    try:
        find = compiled(selector)
    except BadSelector as error:
        raise UsageError(str(error), advice="CSS, or XPath where it begins with / ./ or (") from None
    root, snapshot = await page_at(url, chromium, driver=driver)
    base, (kind, attribute) = base_address(root, snapshot.final_url), field
    values = (value_of([one], kind, attribute, base, snapshot.fetched_at) for one in find(root))
    return ["" if value is None else str(value) for value in values]


async def make_starting_script(url: str, chromium: str = "") -> str:
    """The text of a script in YAML for the site of a page. Raises as `page_at`."""
    root, snapshot = await page_at(url, chromium)
    lines = [
        "# A script to start from; docs/crawl-scripts.md says what else it may hold.",
        f"start: {json.dumps(snapshot.final_url)}",
        "scope:",
        "  pages: 200                       # no more pages than this; 0 for no limit",
        "keep: [links, markdown]            # of every page",
        "polite:",
        "  delay: 0.5                       # seconds between two fetches",
        "  # contact: you@example.org       # so that the site's people can reach you",
    ]
    each = _each_of(root)
    if not each:
        lines += [
            "# No list of records stands out on this page. `items: auto` finds lists and tables by itself.",
            "items: auto",
        ]
        return "\n".join([*lines, ""])
    records = compiled(each)(root)
    lines += [
        "pages:",
        '  - match: "**"',
        "    items:",
        f"      - each: {json.dumps(each)}    # {len(records)} on this page",
    ]
    lines += ["        fields:"]
    lines += [f"          {name}: {rule}    # {_shown(example)}" for name, rule, example in _fields_of(records)]
    return "\n".join([*lines, "output:", "  items: items.csv", ""])


def _each_of(root: Element) -> str:
    """The selector of the records that make most of the page, "" if none stands out."""
    groups: Counter[str] = Counter()
    for element in root.iter(etree.Element):
        if not any(each.tag in _OUTSIDE for each in (element, *element.iterancestors())):
            for selector in _selectors(element):
                groups[selector] += 1
    best, most = "", 0.0
    for selector, count in groups.items():
        records = compiled(selector)(root) if count >= LEAST_RECORDS else []
        beside = Counter(id(record.getparent()) for record in records)
        if not records or beside.most_common(1)[0][1] < LEAST_RECORDS:
            continue
        texts = [text_in(record) for record in records]
        links = sum(bool(record.xpath(".//a[@href]")) for record in records) / len(records)
        weight = len(set(texts)) ** 0.5 * min(200.0, sum(map(len, texts)) / len(texts)) * (0.5 + links)
        if weight > most:
            best, most = selector, weight
    return best


def _selectors(element: Element) -> Iterable[str]:
    """By its class, else as a row or an entry of a list."""
    if names := _classes(element):
        yield f"{element.tag}.{names[0]}"
    elif element.tag in ("li", "tr", "article"):
        parent = element.getparent()
        if parent is not None and (around := _classes(parent)):
            yield f".{around[0]} > {element.tag}"
        elif element.tag == "article":
            yield "article"


def _classes(element: Element) -> list[str]:
    return [name for name in (element.get("class") or "").split() if _NAME.fullmatch(name)]


def _fields_of(records: list[Element]) -> list[tuple[str, str, str]]:
    """(name, rule as YAML, example) of what most records have: a title, a link, and what classes name."""
    found: dict[str, tuple[str, str]] = {}
    title = next((selector for selector in (_TITLES, "a") if _share(records, selector) >= COMMON), "")
    if title:
        found["name"] = title, _first(records, title)
    for element in records[0].iterdescendants(etree.Element):
        said, names = text_in(element), _classes(element)
        field = names[0].replace("-", "_") if names else ""
        if (
            not field
            or not said
            or field in found
            or len(found) >= MOST_FIELDS
            or said == found.get("name", ("", ""))[1]
        ):
            continue
        if _share(records, f".{names[0]}") >= COMMON:
            found[field] = f".{names[0]}", said
    rules = [(name, _rule(records, selector), said) for name, (selector, said) in found.items()]
    if _share(records, "a[href]") >= COMMON:
        links = [link.get("href") for record in records for link in compiled("a[href]")(record)]
        rules.append(("link", "{select: a, attr: href, type: url}", links[0]))
    return rules


def _rule(records: list[Element], selector: str) -> str:
    """The rule of a field as YAML: a number where every record has one there."""
    texts = [text_in(each) for record in records for each in compiled(selector)(record)[:1]]
    if texts and all(_AMOUNT.fullmatch(text.strip()) for text in texts):
        kind = "integer" if all(text.strip().isdecimal() for text in texts) else "number"
        return f"{{select: {json.dumps(selector)}, type: {kind}}}"
    return json.dumps(selector)


def _first(records: list[Element], selector: str) -> str:
    """The text of the first thing that a selector finds in any record."""
    return next((text_in(found) for record in records for found in compiled(selector)(record)), "")


def _share(records: list[Element], selector: str) -> float:
    return sum(bool(compiled(selector)(record)) for record in records) / len(records)


def _shown(example: str) -> str:
    return " ".join(example.split())[:60]
