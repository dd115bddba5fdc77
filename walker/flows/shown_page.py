"""A page as a play sees it, and its links and controls as targets of steps: found by locators, and described by them."""

from __future__ import annotations

import re
import unicodedata
from functools import cached_property
from hashlib import blake2b
from urllib.parse import urlsplit

import msgspec
from rapidfuzz import fuzz

from memory.url_key import key_or, same_site
from perception.document.addresses import absolute_url
from perception.document.controls.control_reading import selector_of
from perception.document.dom import Element, base_address, parse_page
from perception.observation import Control, Link, Observation
from perception.snapshot import Snapshot
from walker.crawl.script.selectors import BadSelector, compiled
from walker.flows.script import Fingerprint, Locator

ROLES = {
    "button": "button",
    "submit": "button",
    "text": "textbox",
    "search": "searchbox",
    "select": "combobox",
    "checkbox": "checkbox",
    "link": "link",
    "password": "textbox",
}
_FIELDS = frozenset(("textbox", "searchbox", "combobox"))
LIKE, APART = 70.0, 5.0
"""Likeness 0..100 of texts from which a target is the one that is meant, and how far the next has to be below it. With the label of
a link of the bundled site changed in one of three ways, 789 of 861 were found again, 68 left undecided and 4 taken for another."""
TEXT_CHARS, HEADINGS_KEPT, LINES_KEPT = 160, 6, 24
_CLASS = re.compile(r"^[A-Za-z][\w-]*$")


class Target(msgspec.Struct, frozen=True, kw_only=True):
    """A link or a control of a page."""

    name: str
    role: str
    under: str
    around: str
    """Its name with the text around it."""
    url: str = ""
    """Of a link: where it leads."""
    number: int = 0
    """Of the link or the control, on its page."""
    selector: str = ""
    """Of a control."""


class ShownPage:
    """A page with what was read of it; parsed again only where CSS asks for it."""

    def __init__(self, snapshot: Snapshot, observation: Observation) -> None:
        self.snapshot, self.observation = snapshot, observation

    @property
    def url(self) -> str:
        """Its address, after redirects."""
        return self.snapshot.final_url

    @cached_property
    def root(self) -> Element:
        """The parsed page."""
        return parse_page(self.snapshot.html)

    @cached_property
    def links(self) -> tuple[Target, ...]:
        """Its links, in the page's order."""
        return tuple(map(_of_link, self.observation.links))

    @cached_property
    def controls(self) -> tuple[Target, ...]:
        """Its controls, likewise; none that the policy of walks refuses: password fields, and forms that post."""
        allowed = (one for one in self.observation.controls if one.kind != "password" and one.form_method != "post")
        return tuple(map(_of_control, allowed))

    @cached_property
    def headings(self) -> tuple[str, ...]:
        """The texts of its headings that can be seen, those of the main part first."""
        found = [block for block in self.observation.blocks if block.kind == "heading" and not block.hidden]
        return tuple(block.text for block in sorted(found, key=lambda block: block.region != "main"))

    @cached_property
    def visible(self) -> str:
        """All text that can be seen, one form."""
        blocks = (block for block in self.observation.blocks if not block.hidden and not block.opener)
        return one_form("\n".join(block.text for block in blocks))

    @cached_property
    def fingerprint(self) -> Fingerprint:
        """What it is like."""
        blocks = (block.text for block in self.observation.blocks if not block.hidden and block.region == "main")
        digests = sorted(
            {blake2b(one_form(text).encode(), digest_size=3).hexdigest() for text in blocks if text.strip()}
        )
        return Fingerprint(
            title=self.observation.title, headings=self.headings[:HEADINGS_KEPT], lines=" ".join(digests[:LINES_KEPT])
        )


def one_form(text: str) -> str:
    """A text for comparison: without case, and with single spaces."""
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


def locate(page: ShownPage, locator: Locator, *, is_link: bool, start: str) -> Target | str:
    """What a locator finds among a page's links, or controls; else why it finds nothing. Links that lead to one page are one."""
    targets = page.links if is_link else page.controls
    match locator.kind:
        case "name":
            found = [one for one in targets if one_form(one.name) == one_form(locator.name) and _plays(one, locator)]
            return _only(found, locator, f"{locator.role or 'target'} {locator.name!r}")
        case "text":
            return _likest(targets, locator.text)
        case "css":
            return _by_css(page, targets, locator.css)
        case "address":
            found = [one for one in targets if one.url and address_of(one.url, start) == locator.address]
            return found[0] if found else f"no link leads to {locator.address}"
        case _:
            return _by_place(targets, locator)


def locators_of(page: ShownPage, target: Target, start: str) -> tuple[Locator, ...]:
    """All that finds this target on this page, the most telling first; each was tried, and finds it."""
    is_link = bool(target.url)
    same = _place_among(page.links if is_link else page.controls, target)
    tried = (
        Locator(role=target.role, name=target.name) if target.name else None,
        Locator(role=target.role, name=target.name, under=target.under) if target.name and target.under else None,
        Locator(text=target.around) if one_form(target.around) != one_form(target.name) else None,
        Locator(css=css) if (css := _css_of(page, target)) else None,
        Locator(address=address_of(target.url, start)) if is_link else None,
        Locator(role=target.role, under=target.under, place=same),
    )
    found = [one for one in tried if one is not None and _finds(page, one, target, is_link=is_link, start=start)]
    if [one.kind for one in found[:2]] == ["name", "name"]:
        del found[1]  # the name alone is enough
    return tuple(found)


def address_of(url: str, start: str) -> str:
    """An address as a script writes it: path and query on the site of its start, else whole; no fragment."""
    whole = url.partition("#")[0]
    parts = urlsplit(whole)
    if not same_site(whole, start):
        return whole
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def _of_link(link: Link) -> Target:
    around = " ".join(f"{link.label} {link.context}".split())[:TEXT_CHARS]
    return Target(name=link.label, role="link", under=link.heading, around=around, url=link.url, number=link.id)


def _of_control(control: Control) -> Target:
    around = " ".join(f"{control.name} {control.group}".split())[:TEXT_CHARS]
    return Target(
        name=control.name,
        role=ROLES[control.kind],
        under=control.group,
        around=around,
        number=control.id,
        selector=control.selector,
    )


def _plays(target: Target, locator: Locator) -> bool:
    """Whether it has the role that is asked for; one field is as good as another, since themes change `text` to `search`."""
    return not locator.role or target.role == locator.role or {target.role, locator.role} <= _FIELDS


def _only(found: list[Target], locator: Locator, what: str) -> Target | str:
    if locator.under:
        found = [one for one in found if one_form(one.under) == one_form(locator.under)]
    if not found:
        return f"there is no {what}{f' under {locator.under!r}' if locator.under else ''}"
    if len({_identity(one) for one in found}) > 1:
        return f"{len(found)} are {what}"
    return found[0]


def _identity(target: Target) -> str:
    return key_or(target.url, target.url) if target.url else target.selector


def _likest(targets: tuple[Target, ...], text: str) -> Target | str:
    wanted = one_form(text)
    rated = sorted(
        ((fuzz.ratio(wanted, one_form(one.around)), -place) for place, one in enumerate(targets)), reverse=True
    )
    if not rated or rated[0][0] < LIKE:
        return f"nothing is like {text[:60]!r}"
    best = targets[-rated[0][1]]
    if any(_identity(targets[-place]) != _identity(best) for rate, place in rated if rate > rated[0][0] - APART):
        return f"several are like {text[:60]!r}"
    return best


def _by_css(page: ShownPage, targets: tuple[Target, ...], css: str) -> Target | str:
    direct = next((one for one in targets if one.selector and one.selector == css), None)
    if direct is not None:
        return direct
    try:
        elements = compiled(css)(page.root)
    except BadSelector as error:
        return str(error)
    if len(elements) != 1:
        return f"{len(elements)} elements are {css}" if elements else f"no element is {css}"
    element = elements[0]
    base = base_address(page.root, page.url)
    url, path = absolute_url(base, element.get("href") or "") if element.tag == "a" else "", selector_of(element)
    found = next(
        (one for one in targets if (one.url and one.url == url) or (one.selector and one.selector == path)), None
    )
    return found or f"{css} is nothing that can be followed or pressed"


def _by_place(targets: tuple[Target, ...], locator: Locator) -> Target | str:
    same = [one for one in targets if _plays(one, locator) and one_form(one.under) == one_form(locator.under)]
    if len(same) < locator.place:
        return f"there are {len(same)} of {locator.role or 'its kind'}{f' under {locator.under!r}' if locator.under else ''}"
    return same[locator.place - 1]


def _place_among(targets: tuple[Target, ...], target: Target) -> int:
    same = [one for one in targets if one.role == target.role and one_form(one.under) == one_form(target.under)]
    return 1 + next((place for place, one in enumerate(same) if one.number == target.number), 0)


def _css_of(page: ShownPage, target: Target) -> str:
    if target.selector:
        return target.selector
    base = base_address(page.root, page.url)
    leading = [one for one in page.root.iter("a") if absolute_url(base, one.get("href") or "") == target.url]
    named = [one for one in leading if one_form("".join(one.itertext())) == one_form(target.name)]
    element = next(iter(named or leading), None)
    if element is None:
        return ""
    for name in (element.get("class") or "").split():
        if _CLASS.match(name) and len(compiled(f"a.{name}")(page.root)) == 1:
            return f"a.{name}"
    return selector_of(element)


def _finds(page: ShownPage, locator: Locator, target: Target, *, is_link: bool, start: str) -> bool:
    found = locate(page, locator, is_link=is_link, start=start)
    return isinstance(found, Target) and _identity(found) == _identity(target)
