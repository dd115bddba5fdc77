"""Crawler trap detection: one rule, by which a branch of a site is cut.

A *branch* is the set of pages whose URLs have one template, found on pages of one template; so the items that lists link to and the
items that other items link to as related are two branches, and only a self-referential one is ever under suspicion. A page *gives*
something if it has items, new text (shares of word bigrams, `memory.near_duplicates`), or links into branches that gave something.
A page that gives nothing but adds new URLs has only made the crawl longer: it adds to the suspicion of its branch, by the weights
below; a page that gives something resets it. At `cut_after` the branch is cut. A page without new URLs adds nothing, whatever its
content: a branch that does not grow ends by itself.

New text alone is no proof, since a trap can generate it. Pages of new text that only link to more of their own kind add a little
suspicion, by their growth and by the form of their URLs:

- *A long list* (200 pages) is not cut: each page links to new items, and the branch of the items gives something. If the next page
  is visited before the items, then after every sixteen pages that relied on untried branches one page of these is fetched
  (`Standing.probe`). If all items were found before by other paths, the list still links to other ones on each page
  (`Found.reached`); a trap links to the same ones again.
- *A long book* (300 chapters, each linking to the next) is not cut: one new URL per page is no growth, and the weight of a chain
  with human-made URLs, 1/400, allows 4,800 chapters (480 if URLs are tokens).
- *A large wiki* is not cut: its pages link back to known pages, which generated pages never do. The weight is proportional to the
  third power of the share of links to new pages, and more than `KNOWN_LINKS` links back reset the suspicion.
- *A mirror of generated text* has none of this: each page links to two or more new URLs, none links back, and the URLs cannot be
  guessed (tokens, long numbers, ever deeper folders): 1/8 per page, cut after 96. With plain words as URLs it is cut after 480, with
  small numbers after 4,800: a site of two thousand generated pages grows alike, and must not be lost.

A trap may give each page a template of its own (facets, generated folders). So branches that share all but query and deeper folders
are a *family*, to which each branch adds the suspicion of its first pages only; when a family is cut, its branches that gave
something continue. A cut is no verdict on a page: a page that is also linked from an open branch is fetched (`is_open`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import msgspec

from walker.crawl.traps.templates import AddressKind, family_of, kind_of, template_of

Text = Literal["new", "other numbers", "known"]

WEIGHTS: Mapping[Text, Mapping[AddressKind, tuple[float, float]]] = {
    "known": {"number": (1, 1), "word": (1, 1), "date": (1, 1), "page": (1, 1), "token": (1, 1), "deep": (3, 3)},
    "other numbers": {
        "number": (1 / 4, 1 / 200),
        "word": (1, 1),
        "date": (1, 1),
        "page": (1, 1),
        "token": (1, 1),
        "deep": (3, 3),
    },
    "new": {
        "number": (1 / 400, 1 / 400),
        "word": (1 / 400, 1 / 40),
        "date": (1 / 400, 1 / 400),
        "page": (1 / 400, 1 / 400),
        "token": (1 / 40, 1 / 8),
        "deep": (1 / 40, 1 / 8),
    },
}
"""Suspicion added by a page that gives nothing, by its text and by how its URLs differ: with one new URL, and with more. Numbers
identify items (`/item/17`), but not dates, page numbers and sessions."""
SWELLS = 8
"""New URLs on a page that gives nothing from which it counts twice: a month with all its days, a shop with all its filters."""
WEAK_PROMISE = 1 / 200
"""Weight of a page that only links to pages which differ in nothing but their numbers."""
KNOWN_LINKS = 4
"""Links to known pages of its own template that a trap page may have: up, back, first, last."""
TRIED = 3
"""Pages of a branch after which links into it count only if it gave something."""
PROBE_EVERY = 16
FIRST_PAGES = 2
"""First pages of a branch whose suspicion its family shares, at most 1 each."""
ENOUGH_PAIRS, ENOUGH_SHARE, MANY_PAIRS = 8, 0.15, 40
"""A page has new text with so many new bigrams and this share of all its bigrams, or with that many regardless of the share. The
varying words of a "not found" page or of a calendar's heading are fewer."""
ENOUGH_NUMBERS, ENOUGH_NUMBERS_SHARE = 5, 0.3
"""A page has new text also with so many numbers that occurred nowhere before, and this share of all its numbers: a page of a table of
figures. The months of a calendar and the pages behind the last one of a list repeat theirs."""


class Branch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The record of a branch, or of a family of branches; stored in the job by name."""

    name: str
    family: str = ""
    """Name of its family; "" for a family."""
    pages: int = 0
    """Number of branches of a family."""
    gave: int = 0
    """Number of pages that gave something."""
    numbered: int = 0
    """Number of pages without new links that differ from known ones in their numbers only."""
    doubt: float = 0.0
    """Suspicion of pages without new content, since the last one with new content."""
    unproved: float = 0.0
    """Suspicion of pages with new text that only link to more of it."""
    promises: int = 0
    """Consecutive pages that were credited for links into untried branches only."""
    cut: str = ""
    """Why it was cut, one line; "" while it is open."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """The result of parsing a page and adding its links to the frontier."""

    branch: str
    duplicate_of: int = 0
    """Row of a stored page with the same text, title and numbers; 0 for none."""
    novelty: float = 1.0
    """Share 0..1 of its text that occurred on no earlier page (`SeenText.novelty`)."""
    text_size: int = 0
    """Number of distinct bigrams in its text."""
    numbers: int = 0
    """Number of distinct numbers in its text,"""
    new_numbers: int = 0
    """and of those that occurred on no earlier page."""
    items: int = 0
    """Number of new items."""
    failed: bool = False
    """It has a problem, so its content does not count."""
    new_links: Mapping[str, int] = {}
    """New URLs in scope, by branch."""
    reached: int = 0
    """Number of its links to known, unrelated URLs that no page of its family had linked to."""
    known_links: int = 0
    """Number of its links to URLs of its own template that were known before, other than itself and its parent."""


class Standing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The verdict on a page and its branch."""

    kind: Literal["keep", "duplicate", "cut"] = "keep"
    """`cut`: the page is stored (as a duplicate, if `duplicate_of` is set), and its branch or family is cut."""
    duplicate_of: int = 0
    reason: str = ""
    probe: str = ""
    """A branch of which one page is to be fetched next, to learn whether it gives something; "" for none."""
    changed: tuple[Branch, ...] = ()
    """Changed records to store: the branch and its family."""


def branch_of(url: str, parent_url: str) -> str:
    """The branch of a page, by its URL and that of the page linking to it; "" as parent for a start URL."""
    template = template_of(url)
    return f"{template_of(parent_url) if parent_url else ''} > {template}"


def family_name(branch: str) -> str:
    """Name of the family of a branch."""
    parent, _, own = branch.rpartition(" > ")
    return f"{family_of(parent) if parent else ''} >> {family_of(own)}"


def is_open(branch: str, known: Mapping[str, Branch]) -> bool:
    """Whether pages of a branch are fetched. `known` has its record and that of its family, if they exist."""
    own, family = known.get(branch), known.get(family_name(branch))
    if own is not None and own.cut:
        return False
    return family is None or not family.cut or (own is not None and bool(own.gave or own.numbered))


def judge(found: Found, known: Mapping[str, Branch], cut_after: int) -> Standing:
    """Weigh a page. `known` has the existing records of its branch, of those of its new links and of their families; with
    `cut_after` 0 nothing is cut."""
    family_key = family_name(found.branch)
    own = known.get(found.branch) or Branch(name=found.branch, family=family_key)
    family = known.get(family_key) or Branch(name=family_key)
    weighed = _weigh(found, own, known)
    # A branch adds to its family's suspicion with its first pages only: one trap must not close its whole folder.
    share = min(1.0, weighed.doubt) if own.pages < FIRST_PAGES else 0.0
    family = _next(family, msgspec.structs.replace(weighed, doubt=share), counts=own.pages == 0)
    own = _next(own, weighed, counts=True)
    reason = ""
    if cut_after:
        own, reason = _cut(own, cut_after)
        family, because = _cut(family, cut_after)
        reason = reason or because
    probe = ""
    if own.promises and own.promises % PROBE_EVERY == 0:
        probe = max(weighed.untried, key=lambda name: found.new_links[name], default="")
    return Standing(
        kind="cut" if reason else "duplicate" if found.duplicate_of else "keep",
        duplicate_of=found.duplicate_of,
        reason=reason or (f"same text as page {found.duplicate_of}" if found.duplicate_of else ""),
        probe=probe,
        changed=(own, family),
    )


class _Weighed(msgspec.Struct, frozen=True, kw_only=True):
    gives: bool = False
    says: bool = False
    """Its text is new, which resets the suspicion for pages without new content."""
    numbered: bool = False
    doubt: float = 0.0
    unproved: float = 0.0
    untried: tuple[str, ...] = ()


def _weigh(found: Found, own: Branch, known: Mapping[str, Branch]) -> _Weighed:
    template = own.name.rpartition(" > ")[2]
    kind = kind_of(template)
    text = _text(found)
    proved, weak, untried, empty = _credit(found.new_links, template, known)
    if found.failed:
        return _Weighed(doubt=1.0 if found.new_links else 0.0)
    if found.items or proved:
        return _Weighed(gives=True, says=True)
    if text != "new" and found.reached and not untried:
        return _Weighed(says=True)
    if text == "new":
        if not empty or found.known_links > KNOWN_LINKS:
            return _Weighed(gives=True, says=True)
        led_on = empty / (empty + found.known_links)
        return _Weighed(says=True, unproved=WEIGHTS["new"][kind][empty > 1] * led_on**3)
    if untried:
        return _Weighed(untried=untried)
    if weak:
        return _Weighed(unproved=WEAK_PROMISE)
    if empty:
        return _Weighed(doubt=WEIGHTS[text][kind][empty > 1] * (2 if empty >= SWELLS else 1))
    return _Weighed(numbered=text == "other numbers" and kind in ("number", "word"))


def _text(found: Found) -> Text:
    pairs = found.novelty * found.text_size
    if (pairs >= ENOUGH_PAIRS and found.novelty >= ENOUGH_SHARE) or pairs >= MANY_PAIRS:
        return "new"
    if found.new_numbers >= max(ENOUGH_NUMBERS, ENOUGH_NUMBERS_SHARE * found.numbers):
        return "new"
    return "known" if found.duplicate_of else "other numbers"


def _credit(
    new_links: Mapping[str, int], template: str, known: Mapping[str, Branch]
) -> tuple[bool, bool, tuple[str, ...], int]:
    """Classify the branches of new links: whether one gave something, whether one had other numbers at least, those that were
    hardly tried; and the number of links to other branches."""
    proved = weak = False
    untried: list[str] = []
    empty = 0
    for name, count in new_links.items():
        if are_akin(name.rpartition(" > ")[2], template) or not is_open(name, known):
            empty += count
            continue
        record = known.get(name)
        if record is None or (record.pages < TRIED and not record.gave):
            # If each URL has a template of its own, only their family can have been tried.
            record = known.get(family_name(name), record)
        if record is None or (record.pages < TRIED and not record.gave and not record.numbered):
            untried.append(name)
        elif record.gave:
            proved = True
        elif record.numbered:
            weak = True
        else:
            empty += count
    return proved, weak, tuple(untried), empty


def are_akin(first: str, second: str) -> bool:
    """Whether URLs of two templates are views of one thing: equal, or with more or fewer query parameters, or in other folders of
    one family. Links between them prove nothing.

    >>> are_akin("x/shop?colour", "x/shop?colour&size"), are_akin("x/index.php?list&page", "x/index.php?id")
    (True, False)
    """
    if first == second:
        return True
    (path, _, names), (other_path, _, other_names) = first.partition("?"), second.partition("?")
    if path != other_path:
        return family_of(first) == family_of(second)
    few, many = sorted((set(names.split("&")) - {""}, set(other_names.split("&")) - {""}), key=len)
    return few <= many


def _next(branch: Branch, weighed: _Weighed, *, counts: bool) -> Branch:
    """The record of a branch after a page."""
    settled = weighed.gives or weighed.says
    return msgspec.structs.replace(
        branch,
        pages=branch.pages + counts,
        gave=branch.gave + weighed.gives,
        numbered=branch.numbered + weighed.numbered,
        doubt=0.0 if settled else branch.doubt + weighed.doubt,
        unproved=0.0 if weighed.gives else branch.unproved + weighed.unproved,
        promises=branch.promises + 1 if weighed.untried else 0,
    )


def _cut(branch: Branch, cut_after: int) -> tuple[Branch, str]:
    """The record, cut if it is due, and the reason if it is cut now. Compared with a tolerance, as it is a sum of many floats."""
    if branch.cut or max(branch.doubt, branch.unproved) < cut_after - 1e-6:
        return branch, ""
    which = "pages" if branch.family else "branches"
    reason = (
        f"nothing new on its last {cut_after} {which} and more"
        if branch.doubt >= branch.unproved
        else f"{branch.pages} {which} of text that only link to more of it"
    )
    return msgspec.structs.replace(branch, cut=reason), reason
