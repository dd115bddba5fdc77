"""Items that a model counted: entries of a list that it chose by number, and things that it named, checked on the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec

from memory.counting.answer_names import enumerated
from memory.counting.identity import bare_name, plain_name
from memory.counting.requirement import Requirement
from memory.findings import Finding, Findings, Item
from memory.words import lazy_re
from perception.document.visible import visible_text
from perception.observation import Observation, RecordSet
from walker.models.replies import FindReply, ItemReply
from walker.strategies.answers.lists import items_of, with_items
from walker.strategies.model.digest.page_lists import shown_sets
from walker.strategies.model.quotes import PageText, QuotePlaces, squeezed

_BETWEEN_NAMES = lazy_re.compile(r"\s*[;\n；]\s*")
_HAN, _WORD = lazy_re.compile(r"[\u3040-\u9fff]"), lazy_re.compile(r"\w+")
_COUNT_BEFORE = lazy_re.compile(r"^\s*(?:\[\d+\]\s*)?\d{1,4}\s*[:：]\s*")
_ADDED = lazy_re.compile(r"\s*[(（][^()（）]*[)）]\s*$")
LEAST_NAMES = 2
NAME_CHARS = 200
QUOTE_CHARS = 160
VALUE_CHARS = 60
TOLD_CHARS = 600
LIST_CHARS = 240
"""Of the names of a list in the finding that tells of it; the counter has them all."""
LISTED_SHARE = 0.5
"""Share of the named items that are entries of the chosen list from which they are taken as a choice among its entries."""
REFUSED_CHARS = 60
"""Of what was refused, in the line that says why."""
MOST_PARTS = 12
"""Of a question; a greater number in a reply is none of a part."""

_Groups = Mapping[tuple[int, ...], tuple[Item, ...]]
"""Items by the parts of the question that they belong to."""


class NamedItems:
    """Reads what a model chose and named on one page. The things are counted where the question counts; in any case they are a
    finding, which the model can cite and the judge sees."""

    def __init__(
        self,
        observation: Observation,
        said: PageText,
        step: int,
        requirement: Requirement,
        counting: frozenset[int] = frozenset(),
    ) -> None:
        """`counting`: places of the parts of the question whose things are counted, where others ask for something else; none: all."""
        self._observation, self._said, self._step, self._requirement = observation, said, step, requirement
        self._counting = counting
        self._known_places: QuotePlaces | None = None

    def add_to(self, findings: Findings, reply: FindReply, answer: str = "") -> Findings:
        """The findings with the items that the model chose, and a finding that tells them, the last. The end of a list is known only
        where the model chose one by number: things that it named one by one may go on anywhere. `answer`: what it answers so far;
        of a list that is longer than what is wanted, these are the entries that it means."""
        chosen = next((records for records in shown_sets(self._observation) if records.id == reply.list), None)
        listed = items_of(chosen, self._observation.url, self._step) if chosen is not None else ()
        # One quote of a finding that enumerates several stands beside one of them.
        named, refused = self._verified(reply.items or _enumerated(findings), each_proved=bool(reply.items))
        if reply.list and chosen is None:
            refused = (*refused, f"list {reply.list}: this page has no list of this number")
        findings = msgspec.structs.replace(findings, refused=(*findings.refused, *refused))
        if listed:
            groups = _by_part(self._together(listed, named, answer), reply)
            return self._counted(self._told(findings, groups, chosen), groups, chosen)
        if not named:
            return findings
        groups = _by_part(named, reply)
        counted = self._counted(self._told(findings, groups) if reply.items else findings, groups)
        return msgspec.structs.replace(counted, list_ended=False)

    def _told(self, findings: Findings, groups: _Groups, chosen: RecordSet | None = None) -> Findings:
        """The findings, and one more for what belongs to each part of the question."""
        heading = " > ".join(chosen.headings) if chosen is not None else ""
        for parts, items in groups.items():
            quote = self._said.consecutive(tuple(item.quote for item in items)) if chosen is not None else ""
            findings = with_finding(findings, items, heading, quote, parts)
        return findings

    def _counted(self, findings: Findings, groups: _Groups, chosen: RecordSet | None = None) -> Findings:
        """The findings with the items to count, without those of parts of the question that count nothing."""
        counting = self._counting
        items = [
            one for parts, group in groups.items() if not (parts and counting) or counting & {*parts} for one in group
        ]
        if self._requirement.mode == "none" or not items:
            return findings
        return with_items(findings, tuple(items), self._observation, chosen)

    def _together(self, listed: tuple[Item, ...], named: tuple[Item, ...], answer: str) -> tuple[Item, ...]:
        """The chosen list, or of it what the model named; and what it named beside the list. A quota counts no more than its target:
        of a longer list first what the model named or answers."""
        names = {bare_name(item.name): item.value for item in named}
        listed = tuple(msgspec.structs.replace(item, value=names.get(bare_name(item.name), "")) for item in listed)
        picked = tuple(item for item in listed if bare_name(item.name) in names)
        known = {bare_name(item.name) for item in listed}
        beside = tuple(item for item in named if bare_name(item.name) not in known)
        if len(picked) > LISTED_SHARE * len(named):
            return (*picked, *beside)
        if self._requirement.mode != "quota":
            return (*listed, *beside)
        meant = [_as_words(name) for name in enumerated(answer)]
        first = tuple(item for item in listed if any(name in _as_words(item.name) for name in meant))
        return tuple(dict.fromkeys((*beside, *picked, *first, *listed)))

    def _verified(self, items: tuple[ItemReply, ...], *, each_proved: bool) -> tuple[tuple[Item, ...], tuple[str, ...]]:
        """The items whose quote is on the page and has their name in it or near it, anywhere on the page where not `each_proved`; and
        a line for each other one, and for each value that is not taken. A link that has exactly this name identifies its item."""
        addresses = {bare_name(link.label): link.url for link in reversed(self._observation.links) if link.label}
        kept, refused = [], []
        for item in self._as_on_page(items):
            quote = item.quote or item.name
            name = self._said.as_written(item.name)[:NAME_CHARS]
            if why := self._why_not(name, quote, each_proved=each_proved):
                refused.append(f"item “{visible_text(item.name)[:REFUSED_CHARS]}”: {why}")
                continue
            key = addresses.get(bare_name(name), "")
            written = self._said.as_written(quote)[:QUOTE_CHARS]
            value = visible_text(item.value)[:VALUE_CHARS]
            if value and not (self._said.holds(value) and self._places.are_near(value, quote)):
                refused.append(
                    f"item “{visible_text(item.name)[:REFUSED_CHARS]}”: its value does not stand at its quote"
                )
                value = ""
            kept.append(
                Item(name=name, page_url=self._observation.url, step=self._step, quote=written, key=key, value=value)
            )
        return tuple(kept), tuple(refused)

    def _as_on_page(self, items: tuple[ItemReply, ...]) -> list[ItemReply]:
        """The items without the number before their names, as prompts tell counted things ("4: boats"), or what is added to them in
        brackets ("New boats (2022-05-30)"), where only the rest stands on the page. What tells like names apart stays."""
        rests = [self._name_on_page(item.name) for item in items]
        return [
            msgspec.structs.replace(item, name=rest, quote=rest if item.quote == item.name else item.quote)
            if rests.count(rest) == 1
            else item
            for item, rest in zip(items, rests, strict=True)
        ]

    def _name_on_page(self, name: str) -> str:
        if self._said.holds(name):
            return name
        rests = (pattern.sub("", name) for pattern in (_COUNT_BEFORE, _ADDED))
        return next((rest for rest in rests if rest and self._said.holds(rest)), name)

    def _why_not(self, name: str, quote: str, *, each_proved: bool) -> str:
        if not name:
            return "it has no name"
        if not self._said.holds(quote):
            return why_not_quoted(self._said, quote)
        if squeezed(name) in squeezed(quote):
            return ""
        if not self._said.holds(name):
            return "its quote does not hold this name, nor does the page"
        return (
            ""
            if not each_proved or self._places.are_near(name, quote)
            else "its name stands far from this quote: quote what stands at it"
        )

    @property
    def _places(self) -> QuotePlaces:
        if self._known_places is None:
            self._known_places = QuotePlaces(self._observation)
        return self._known_places


def _as_words(name: str) -> str:
    """A name between spaces, for finding it whole within another; Chinese and Japanese write none."""
    plain = plain_name(name)
    return plain if _HAN.search(plain) else f" {' '.join(_WORD.findall(plain))} "


def part_places(numbers: Sequence[int]) -> tuple[int, ...]:
    """Places, from 0, of the parts of a question that a reply numbers from 1."""
    return tuple(sorted({number - 1 for number in numbers if 1 <= number <= MOST_PARTS}))


def _by_part(items: tuple[Item, ...], reply: FindReply) -> _Groups:
    """The items by the places of the parts of the question that they belong to, as the reply says of each, else of its list."""
    said = {bare_name(item.name): part_places(item.part) for item in reply.items if item.part}
    of_list = part_places(reply.list_part)
    groups: dict[tuple[int, ...], tuple[Item, ...]] = {}
    for item in items:
        parts = said.get(bare_name(item.name), of_list)
        groups[parts] = (*groups.get(parts, ()), item)
    return groups


def with_finding(
    findings: Findings, items: tuple[Item, ...], heading: str = "", quote: str = "", parts: tuple[int, ...] = ()
) -> Findings:
    """The findings and one more that tells the counted items by name: where they stand on the page, the judge can weigh them.
    `quote`: more of the page than its first entry; `parts`: places of the parts of the question that they belong to."""
    names, most = "; ".join(item.told for item in items), LIST_CHARS if heading else TOLD_CHARS
    told = Finding(
        text=f"{len(items)}: {names[:most]}{'…' if len(names) > most else ''}",
        quote=quote or items[0].quote,
        url=items[0].page_url,
        step=items[0].step,
        score=max((finding.score for finding in findings.findings), default=0.5),
        heading=heading,
        part=parts[0] if parts else 0,
        parts=parts,
    )
    return msgspec.structs.replace(findings, findings=(*findings.findings, told))


def why_not_quoted(said: PageText, quote: str) -> str:
    """Why a quote is refused, with what the page says instead."""
    nearest = said.nearest(quote)
    return "its quote is not on the page" + (f", which says “{nearest}”" if nearest else "")


def _enumerated(findings: Findings) -> tuple[ItemReply, ...]:
    """The names in a finding that enumerates several: "a; b; c", with its quote."""
    for finding in findings.findings:
        names = [name for name in _BETWEEN_NAMES.split(finding.text) if name]
        if len(names) >= LEAST_NAMES:
            return tuple(ItemReply(name=name, quote=finding.quote) for name in names)
    return ()
