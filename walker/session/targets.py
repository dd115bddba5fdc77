"""Which links and controls of a page words mean, without a model: by their labels, what stands around them, and their place."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from functools import partial
from typing import Literal

import msgspec

from memory.url_key import same_site
from perception.grounding.label_similarity import content_words, phrase_likeness, role_asked
from perception.observation import Control, ControlKind, Link, Observation
from walker.flows.shown_page import ROLES, TEXT_CHARS, Target, one_form
from walker.rules.scope import WalkScope

Permission = Literal["press", "type", "post", "leave"]
PERMISSIONS: tuple[Permission, ...] = ("press", "type", "post", "leave")
Allowed = Permission | tuple[Permission, ...] | Collection[Permission]
"""What a call allows: one permission or several."""
FOUND_FROM = 0.58
"""Least score of a target that words mean; that of `perception.grounding`."""
AROUND = 0.8
"""Share that remains of the score of words that stand around a target, and not in its label."""
OTHER_ROLE, FAR, OF_MAIN = 0.5, 0.55, 0.04
"""What is left of a score where another kind of thing was asked for, and where a word is like another by its stem alone; what the
main part of a page adds."""
MOST_ENDING = 3
"""Letters by which words of one stem differ, that are one word."""
OTHER_NAMED = 0.99
"""Share of a noun's words that title and headings have to say."""
MOST_TARGETS = 40
_FIELDS = frozenset(("text", "search", "select", "password"))
_PAGING = re.compile(r"^(the )?(pagination|pager|paging|next( page)?|previous( page)?|page \d+|下一页|上一页|翻页)$")
_ALL_OF_A_ROLE = re.compile(
    r"^(all |the |every |all the )*(links?|buttons?|fields?|inputs?|check ?box(es)?|controls?)$"
)
_ORDINALS = {
    name: number
    for number, names in enumerate(
        ("first 1st 第一", "second 2nd 第二", "third 3rd 第三", "fourth 4th", "fifth 5th"), start=1
    )
    for name in names.split()
}
_ORDINAL = re.compile(rf"\b(?:(?P<word>{'|'.join(_ORDINALS)}|last)|(?P<number>\d+)(?:st|nd|rd|th))\b", re.IGNORECASE)
_UNDER = re.compile(r"(?P<words>.+) under (?:the heading )?[\"“']?(?P<heading>.+?)[\"”']?")
_ENTRIES = re.compile(
    r"^(the )?(search )?(results?|items?|entry|entries|hits?|articles?|products?|rows?|stor(y|ies)|ones?)$"
)


class ActionTarget(Target, frozen=True, kw_only=True):
    """A link or a control of the page that a session shows.

    for one in await session.observe("pagination"):
        print(one.kind, one.name, one.url, one.needs)
    """

    kind: ControlKind
    needs: tuple[Permission, ...] = ()
    """What an `act` on it has to allow."""
    score: float = 0.0
    """How well the words fit, 0..1."""
    step: int = 0
    """Of the page that it stands on."""
    state: tuple[str, ...] = ()
    """Of a control: expanded, checked, disabled ..."""


def permissions_of(allow: Allowed) -> Collection[Permission]:
    """The permissions as several."""
    return (allow,) if isinstance(allow, str) else allow


def all_targets(observation: Observation, scope: WalkScope, step: int) -> tuple[ActionTarget, ...]:
    """All links and controls that can be followed or used, links first."""
    links = (one for one in observation.links if not one.hidden or one.opener)
    controls = (one for one in observation.controls if not one.hidden and "disabled" not in one.state)
    of_link = partial(_of_link, here=observation.url, scope=scope, step=step)
    opening = {one.opener for one in observation.controls} | {one.opener for one in observation.links}
    opening |= {one.opener for one in observation.blocks}
    harmless = {one.id for one in observation.controls if one.name in opening} | {observation.pagination.next_control}
    # A form with GET asks for something only where there is something to fill in: others may be "Add to cart" just as well.
    asking = {one.form_action for one in observation.controls if one.kind in _FIELDS and _method(one) == "get"}
    return (
        *map(of_link, links),
        *(
            _of_control(one, step, is_harmless=one.id in harmless, is_asking=one.form_action in asking)
            for one in controls
        ),
    )


def find_targets(observation: Observation, words: str, scope: WalkScope, step: int) -> tuple[ActionTarget, ...]:
    """The targets that the words may mean, the best first, in the page's order where they are equal; () for none."""
    targets = all_targets(observation, scope, step)
    wanted = one_form(words)
    if _PAGING.match(wanted):
        return tuple(_paging(observation, targets, wanted))
    if kind := _ALL_OF_A_ROLE.match(wanted):
        return tuple(_of_role(targets, kind[2]))[:MOST_TARGETS]
    if ordinal := _ORDINAL.search(wanted):
        rest = _ORDINAL.sub(" ", wanted)
        return _nth(observation, targets, _number(ordinal), " ".join(rest.split()))
    if under := _UNDER.fullmatch(wanted):
        heading = content_words(under["heading"])
        found = _ranked(observation, targets, under["words"])
        return tuple(one for one in found if phrase_likeness(heading, content_words(one.under))[0] >= FOUND_FROM)
    return _ranked(observation, targets, wanted)


def nearest_names(observation: Observation, words: str, scope: WalkScope) -> tuple[str, ...]:
    """Names of what is most like the words, for a message; () where nothing is."""
    rated = [(_score(words, one, in_main=False), one.name) for one in all_targets(observation, scope, 0) if one.name]
    return tuple(dict.fromkeys(name for score, name in sorted(rated, key=lambda one: -one[0]) if score >= 0.2))[:3]


def _ranked(observation: Observation, targets: tuple[ActionTarget, ...], words: str) -> tuple[ActionTarget, ...]:
    main = {link.id for link in observation.links if link.region == "main"}
    rated = []
    for place, one in enumerate(targets):
        score = _score(words, one, in_main=bool(one.selector) or one.number in main)
        if score >= FOUND_FROM:
            rated.append((-score, place, msgspec.structs.replace(one, score=round(score, 4))))
    return tuple(one for _, _, one in sorted(rated, key=lambda entry: entry[:2]))[:MOST_TARGETS]


def _score(words: str, target: ActionTarget, *, in_main: bool) -> float:
    """0..1; 1 only for the very label."""
    if one_form(target.name) == one_form(words):
        return 1.0
    asked = content_words(words)
    held, back = phrase_likeness(asked, content_words(target.name))
    around, _ = phrase_likeness(asked, content_words(f"{target.around} {target.under}"))
    score = max(0.7 * held + 0.3 * back, AROUND * around if held > 0 or not target.name else 0.0)
    if _is_far(words, target):
        score *= FAR
    role = role_asked(words)
    if role and role not in (target.role, "icon", "img"):
        score *= 1.0 if role == "textbox" and target.kind in _FIELDS else OTHER_ROLE
    return min(0.99, score * (1 - OF_MAIN) + (OF_MAIN if in_main else 0.0)) if score else 0.0


def _is_far(words: str, target: ActionTarget) -> bool:
    """Whether a word of these is like one of the label by its stem alone: "publications" is not what "public" is about."""
    label = {word: content_words(word) for word in one_form(target.name).split()}
    for word in one_form(words).split():
        alike = [one for one, stem in label.items() if stem == content_words(word)]
        if alike and all(abs(len(one) - len(word)) > MOST_ENDING for one in alike):
            return True
    return False


def _paging(observation: Observation, targets: tuple[ActionTarget, ...], wanted: str) -> Iterator[ActionTarget]:
    """The links and controls of the pagination; of "next page" only what leads there."""
    pagination = observation.pagination
    if (page := re.search(r"page (\d+)$", wanted)) is not None:
        yield from (_sure(one) for one in targets if one.url in pagination.page_urls and one.name.strip() == page[1])
        return
    is_next = not any(word in wanted for word in ("previous", "上一页"))
    is_previous = not any(word in wanted for word in ("next", "下一页"))
    seen: set[str] = set()
    for one in targets:
        leads = (
            (is_next and one.url == pagination.next_url)
            or (is_previous and one.url == pagination.previous_url)
            or (is_next and is_previous and one.url in pagination.page_urls)
        )
        is_more = is_next and one.selector and one.number == pagination.next_control
        if ((one.url and leads) or is_more) and (one.url or one.selector) not in seen:
            seen.add(one.url or one.selector)
            yield _sure(one)


def _of_role(targets: tuple[ActionTarget, ...], noun: str) -> Iterator[ActionTarget]:
    wants = {"l": ("link",), "b": ("button", "submit"), "c": ("checkbox",)}.get(noun[0], tuple(_FIELDS))
    for one in targets:
        if (one.kind in wants and not noun.startswith("control")) or (noun.startswith("control") and one.selector):
            yield _sure(one)


def _nth(
    observation: Observation, targets: tuple[ActionTarget, ...], number: int, rest: str
) -> tuple[ActionTarget, ...]:
    """The n-th of the page's entries, of all things of a kind, or of those that the other words mean; -1 for the last."""
    found: list[ActionTarget]
    if _ENTRIES.match(rest) or not rest or _is_about(observation, rest):
        found = _entries(observation, targets)
    elif kind := _ALL_OF_A_ROLE.match(rest):
        main = {link.id for link in observation.links if link.region == "main"}
        found = [one for one in _of_role(targets, kind[2]) if one.selector or one.number in main]
    else:
        found = sorted(_ranked(observation, targets, rest), key=lambda one: (bool(one.selector), one.number))
    if not found or number > len(found):
        return ()
    return (_sure(found[number if number < 0 else number - 1]),)


def _is_about(observation: Observation, noun: str) -> bool:
    """Whether the page says that these are its entries: "the third book" on a page of books."""
    headings = [block.text for block in observation.blocks if block.kind == "heading" and not block.hidden]
    said = content_words(" ".join((observation.title, *headings[:2])))
    return phrase_likeness(content_words(noun), said)[0] >= OTHER_NAMED


def _entries(observation: Observation, targets: tuple[ActionTarget, ...]) -> list[ActionTarget]:
    """The links of the longest list of the main part, one an entry; without a list the links of the main part."""
    by_url: dict[str, ActionTarget] = {}
    for one in targets:
        if one.url:
            by_url.setdefault(one.url, one)
    lists = [
        [by_url[record.url] for record in found.records if record.url in by_url]
        for found in observation.record_sets
        if found.region == "main" and not found.nested
    ]
    longest = max(lists, key=len, default=[])
    if len(longest) > 1:
        return longest
    main = {link.url for link in observation.links if link.region == "main"}
    return [one for url, one in by_url.items() if url in main]


def _sure(target: ActionTarget) -> ActionTarget:
    return msgspec.structs.replace(target, score=1.0)


def _number(ordinal: re.Match[str]) -> int:
    word = (ordinal["word"] or "").casefold()
    return -1 if word == "last" else _ORDINALS[word] if word else int(ordinal["number"])


def _of_link(link: Link, *, here: str, scope: WalkScope, step: int) -> ActionTarget:
    around = " ".join(f"{link.label} {link.context}".split())[:TEXT_CHARS]
    return ActionTarget(
        name=link.label,
        role="link",
        under=link.heading,
        around=around,
        url=link.url,
        number=link.id,
        kind="link",
        needs=needs_of_address(link.url, here, scope),
        step=step,
    )


def needs_of_address(url: str, here: str, scope: WalkScope) -> tuple[Permission, ...]:
    """What has to be allowed for a link to be followed: to another site `leave`, to a logout `press`."""
    why = scope.why_outside(url)
    if why == "it would end the session":
        return ("press",)
    return () if not why or same_site(url, here) else ("leave",)


def _of_control(control: Control, step: int, *, is_harmless: bool, is_asking: bool) -> ActionTarget:
    return ActionTarget(
        name=control.name,
        role=ROLES[control.kind],
        under=control.group,
        around=" ".join(f"{control.name} {control.group}".split())[:TEXT_CHARS],
        number=control.id,
        selector=control.selector,
        kind=control.kind,
        needs=_needs_of_control(control, is_harmless=is_harmless, is_asking=is_asking),
        step=step,
        state=tuple(control.state),
    )


def _needs_of_control(control: Control, *, is_harmless: bool, is_asking: bool) -> tuple[Permission, ...]:
    """`is_harmless`: it opens a closed part or loads more; `is_asking`: it belongs to a form with GET that has fields."""
    method = _method(control)
    if control.kind in _FIELDS:
        return ("type",)
    if control.kind == "submit":
        return () if method == "get" and is_asking else ("press", "post") if method == "post" else ("press",)
    shows = {"expanded", "collapsed", "selected", "unselected"} & set(control.state)
    return () if control.kind == "button" and (shows or is_harmless) else ("press",)


def _method(control: Control) -> str:
    return control.form_method.casefold()


msgspec.json.Decoder(ActionTarget)  # described at import: docs/design/msgspec.md
