"""When a part of a site is given up: one rule, for all traps.

A *branch* is the pages whose addresses have one template, found on pages of one template; so the items that lists lead to and the
items that other items call related are two branches, and only that which feeds on itself is ever in doubt. What a page *gives*:
items, text that no page had (shares of word pairs, `memory.near_duplicates`), or ways into branches that gave. A page that gives
nothing and still brings addresses that were not known has only made the crawl longer: it adds to the doubt about its branch, by
the weights below; a page that gives takes the doubt away. At `cut_after` the branch is cut. A page that brings no new address
adds none, whatever it says: what does not grow ends by itself.

New text alone is no proof, since a trap can make it up. Pages of new text that only lead on to more of their own kind add a little
doubt, by how they grow and by how their addresses are made:

- *A long list* (200 pages) is not cut: each page leads to items that are new, and the branch of the items gives. Where the next
  page is visited first, each time sixteen pages lived on promises one promised page is asked for (`Standing.probe`). Where the
  items were all found before, on other ways, the list still leads to other ones on each page (`Found.reached`); a trap leads to
  the same ones again.
- *A long book* (300 chapters, each leading to the next) is not cut: one new address a page is no growth, and the weight of a
  chain with addresses that people make, 1/400, allows 4,800 chapters (480 where addresses are tokens).
- *A large wiki* is not cut: its pages keep leading back to pages that are known, a made-up space never does. The weight goes
  with the third power of the share of links that lead on, and more than `KNOWN_LINKS` that lead back take the doubt away.
- *A mirror of made-up text* has none of this: each page leads to two or more new addresses, none leads back, and nobody could
  have guessed them (tokens, long numbers, ever deeper folders): 1/8 a page, cut after 96. With plain words as addresses 480,
  with small numbers 4,800: so grows also a site of two thousand generated pages, which must not be lost.

A trap may give each page a template of its own (facets, made-up folders). So branches that share all but query and deeper folders
are a *family*, to which each branch adds the doubt of its first pages only; when it is cut, its branches that gave something go on.
A cut is no verdict on a page: what is found again from a branch that stands is fetched (`is_open`).
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
"""Doubt that a page adds which gives nothing, by its text and by what tells its address from others: where it brings one address
that was not known, and where it brings more. Numbers tell things apart (`/item/17`), but not dates, pages of lists and sessions."""
SWELLS = 8
"""New addresses on a page without anything new that make it count twice: a month with all its days, a shop with all its filters."""
WEAK_PROMISE = 1 / 200
"""Of a page that only leads to pages which differ in nothing but their numbers."""
KNOWN_LINKS = 4
"""Links to known pages of its own template that a page of a trap may have: up, back, first, last."""
TRIED = 3
"""Pages of a branch after which it must have given something for ways into it to count."""
PROBE_EVERY = 16
FIRST_PAGES = 2
"""Of a branch, whose doubt its family shares, at most 1 each."""
ENOUGH_PAIRS, ENOUGH_SHARE, MANY_PAIRS = 8, 0.15, 40
"""A page says something new with so many new pairs of words and this share of all its pairs, or with that many whatever the
share. The made-up words of a "not found" page or of a calendar's heading are fewer."""


class Branch(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the job knows of a branch, or of a family of branches; kept in the store under its name."""

    name: str
    family: str = ""
    """Name of its family; "" for a family."""
    pages: int = 0
    """Of a family, branches."""
    gave: int = 0
    """Pages that gave something."""
    numbered: int = 0
    """Pages that lead no further and differ from known ones in their numbers."""
    doubt: float = 0.0
    """Of pages with nothing new to say, since the last that had."""
    unproved: float = 0.0
    """Of pages with new text that lead to nothing but more of it."""
    promises: int = 0
    """Pages in a row that lived on ways into branches nobody has tried."""
    cut: str = ""
    """Why it was cut, for a person; "" while it stands."""


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What reading a page and entering its links brought."""

    branch: str
    duplicate_of: int = 0
    """Row of a kept page with the same text, name and numbers; 0 for none."""
    novelty: float = 1.0
    """Share of its text that occurred on no page (`SeenText.novelty`)."""
    text_size: int = 0
    """Different pairs of words in its text."""
    items: int = 0
    """That were not known."""
    failed: bool = False
    """It has a problem: what it says does not count."""
    new_links: Mapping[str, int] = {}
    """Addresses that were not known before, by branch; those out of scope left out."""
    reached: int = 0
    """Its links to known addresses that are not akin to its own and that no page of its family had."""
    known_links: int = 0
    """Its links to addresses of its own template that were known before it, other than itself and its parent."""


class Standing(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What becomes of a page and of its branch."""

    kind: Literal["keep", "duplicate", "cut"] = "keep"
    """`cut`: the page is kept (or a duplicate, where `duplicate_of` says so), and its branch or family ends with it."""
    duplicate_of: int = 0
    reason: str = ""
    probe: str = ""
    """A branch of which one page is to be fetched next, to learn whether it gives anything; "" for none."""
    changed: tuple[Branch, ...] = ()
    """To be stored: the branch and its family."""


def branch_of(url: str, parent_url: str) -> str:
    """The branch that a page belongs to by where it was found; "" as parent for a start address."""
    template = template_of(url)
    return f"{template_of(parent_url) if parent_url else ''} > {template}"


def family_name(branch: str) -> str:
    """The family of a branch."""
    parent, _, own = branch.rpartition(" > ")
    return f"{family_of(parent) if parent else ''} >> {family_of(own)}"


def is_open(branch: str, known: Mapping[str, Branch]) -> bool:
    """Whether pages of a branch are to be fetched. `known` holds it and its family, where the store does."""
    own, family = known.get(branch), known.get(family_name(branch))
    if own is not None and own.cut:
        return False
    return family is None or not family.cut or (own is not None and bool(own.gave or own.numbered))


def judge(found: Found, known: Mapping[str, Branch], cut_after: int) -> Standing:
    """Weigh a page. `known` holds what the store has of its branch, of those of its new links and of their families; with
    `cut_after` 0 nothing is cut."""
    family_key = family_name(found.branch)
    own = known.get(found.branch) or Branch(name=found.branch, family=family_key)
    family = known.get(family_key) or Branch(name=family_key)
    weighed = _weigh(found, own, known)
    # A branch makes its family doubtful with its first pages only: one trap must not close the folder it lies in.
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
        probe = max(weighed.promised, key=lambda name: found.new_links[name], default="")
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
    """Its text is new: no doubt of the plain kind stays."""
    numbered: bool = False
    doubt: float = 0.0
    unproved: float = 0.0
    promised: tuple[str, ...] = ()


def _weigh(found: Found, own: Branch, known: Mapping[str, Branch]) -> _Weighed:
    template = own.name.rpartition(" > ")[2]
    kind = kind_of(template)
    text = _text(found)
    proved, weak, promised, empty = _credit(found.new_links, template, known)
    if found.failed:
        return _Weighed(doubt=1.0 if found.new_links else 0.0)
    if found.items or proved:
        return _Weighed(gives=True, says=True)
    if text != "new" and found.reached and not promised:
        return _Weighed(says=True)
    if text == "new":
        if not empty or found.known_links > KNOWN_LINKS:
            return _Weighed(gives=True, says=True)
        led_on = empty / (empty + found.known_links)
        return _Weighed(says=True, unproved=WEIGHTS["new"][kind][empty > 1] * led_on**3)
    if promised:
        return _Weighed(promised=promised)
    if weak:
        return _Weighed(unproved=WEAK_PROMISE)
    if empty:
        return _Weighed(doubt=WEIGHTS[text][kind][empty > 1] * (2 if empty >= SWELLS else 1))
    return _Weighed(numbered=text == "other numbers" and kind in ("number", "word"))


def _text(found: Found) -> Text:
    pairs = found.novelty * found.text_size
    if (pairs >= ENOUGH_PAIRS and found.novelty >= ENOUGH_SHARE) or pairs >= MANY_PAIRS:
        return "new"
    return "known" if found.duplicate_of else "other numbers"


def _credit(
    new_links: Mapping[str, int], template: str, known: Mapping[str, Branch]
) -> tuple[bool, bool, tuple[str, ...], int]:
    """Of the branches that new links lead to: whether one gave, whether one had other numbers at least, those that were hardly
    tried; and how many of the links lead to none of these."""
    proved = weak = False
    promised: list[str] = []
    empty = 0
    for name, count in new_links.items():
        if are_akin(name.rpartition(" > ")[2], template) or not is_open(name, known):
            empty += count
            continue
        record = known.get(name)
        if record is None or (record.pages < TRIED and not record.gave):
            # Where each address has a template of its own, only their family can have been tried.
            record = known.get(family_name(name), record)
        if record is None or (record.pages < TRIED and not record.gave and not record.numbered):
            promised.append(name)
        elif record.gave:
            proved = True
        elif record.numbered:
            weak = True
        else:
            empty += count
    return proved, weak, tuple(promised), empty


def are_akin(first: str, second: str) -> bool:
    """Whether addresses of two templates show one thing in other ways: the same, with another query that says more or less, or
    in other folders of one family. Ways from one to the other prove nothing.

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
    """The record after a page."""
    settled = weighed.gives or weighed.says
    return msgspec.structs.replace(
        branch,
        pages=branch.pages + counts,
        gave=branch.gave + weighed.gives,
        numbered=branch.numbered + weighed.numbered,
        doubt=0.0 if settled else branch.doubt + weighed.doubt,
        unproved=0.0 if weighed.gives else branch.unproved + weighed.unproved,
        promises=branch.promises + 1 if weighed.promised else 0,
    )


def _cut(branch: Branch, cut_after: int) -> tuple[Branch, str]:
    """The record, cut if it is due; and why, where it is cut now. The sum of many weights is no round number."""
    if branch.cut or max(branch.doubt, branch.unproved) < cut_after - 1e-6:
        return branch, ""
    which = "pages" if branch.family else "branches"
    reason = (
        f"nothing new on its last {cut_after} {which} and more"
        if branch.doubt >= branch.unproved
        else f"{branch.pages} {which} of text that lead to nothing but more of it"
    )
    return msgspec.structs.replace(branch, cut=reason), reason
