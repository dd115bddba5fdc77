"""Where a counted number comes from: each unit with its page and quote, the duplicates merged into it, and the rejected candidates."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from memory.counting.counter import Merge
from memory.counting.requirement import Requirement
from memory.findings import Findings, Item
from traces.errors import TraceReadError
from traces.events import CounterMoved, EdgeCall, FindingsAdded, TaskAnalysed, WalkStarted
from traces.reading.reader import Run
from traces.store.blobs import BlobRef
from walker.errors import UsageError
from walker.runs.unit_places import PagesOfSteps, UnitPlace


class Unit(msgspec.Struct, frozen=True, kw_only=True):
    """One of the things that were counted."""

    number: int
    name: str
    step: int
    url: str
    quote: str
    key: str = ""
    """The site's own identifier, mostly its URL."""
    merged: tuple[Merge, ...] = ()
    """Candidates that were taken for it, and why."""
    place: UnitPlace = UnitPlace()
    """Its place on the page."""


class Rejected(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate that was neither counted nor merged."""

    name: str
    step: int
    url: str
    reason: str


class Account(msgspec.Struct, frozen=True, kw_only=True):
    """All of a counter."""

    run: str
    question: str
    mode: str
    target: int
    noun: str
    constraint: str = ""
    """Which of the things named by the noun."""
    found: int
    complete: bool
    stated_total: int
    """What the site says there is, 0 if it says nothing."""
    end_seen: bool
    units: tuple[Unit, ...]
    rejected: tuple[Rejected, ...]


def has_counted(run: Run) -> bool:
    """Whether any item was counted."""
    return any(isinstance(event, CounterMoved) and event.found for event in run.events)


def account_for(run: Run, pages: PagesOfSteps) -> Account:
    """Every unit of a run's counter, with its place on those pages; raises `UsageError` where it counted nothing by its question."""
    start = next((event for event in run.events if isinstance(event, WalkStarted)), None)
    analysed = next((event for event in run.events if isinstance(event, TaskAnalysed)), None)
    asked = analysed or start
    requirement = msgspec.convert(asked.requirement, Requirement) if asked else Requirement()
    if start is None or requirement.mode == "none":
        is_off = start is not None and start.requirement.get("mode", "none") != "none"
        why = "its model took the number for one that the site states" if is_off else "its question asks for no number"
        advice = (
            "Ask with --analysis rules" if is_off else "Ask a counting question, such as 'how many people are listed'"
        )
        raise UsageError(f"this walk counted nothing: {why}", where=str(run.folder), advice=advice)
    units: list[Unit] = []
    rejected: list[Rejected] = []
    total, end_seen, complete = 0, False, False
    for moved, findings in _moves(run):
        fresh = _fresh(moved, findings, len(units))
        units += fresh
        merges = [msgspec.convert(merge, Merge) for merge in moved.merged]
        units = _with_merges(units, merges)
        rejected += _turned_away(moved, findings, fresh, merges, requirement)
        total, end_seen = max(total, findings.list_total), end_seen or findings.list_ended
        complete = moved.complete
    return Account(
        run=str(run.folder),
        question=start.question,
        mode=requirement.mode,
        target=requirement.target,
        noun=requirement.noun,
        constraint=analysed.constraint if analysed is not None else "",
        found=len(units),
        complete=complete,
        stated_total=total,
        end_seen=end_seen,
        units=tuple(msgspec.structs.replace(unit, place=pages.place_of(_item_of(unit))) for unit in units),
        rejected=tuple(rejected),
    )


def _item_of(unit: Unit) -> Item:
    return Item(name=unit.name, page_url=unit.url, step=unit.step, quote=unit.quote, key=unit.key)


def _moves(run: Run) -> Iterator[tuple[CounterMoved, Findings]]:
    """Each counter event with the findings that led to it: the critic's last for the page."""
    findings = Findings()
    for event in run.events:
        if isinstance(event, EdgeCall) and (event.seam, event.method) == ("critic", "find") and not event.error:
            findings = _whole(run, event)
        elif isinstance(event, CounterMoved):
            yield event, findings
            findings = Findings()
        elif isinstance(event, FindingsAdded) and event.items != len(findings.items):
            findings = Findings()


def _whole(run: Run, call: EdgeCall) -> Findings:
    plain = call.outcome
    try:
        if isinstance(plain, dict) and "$b" in plain:
            plain = msgspec.json.decode(run.blobs.get(msgspec.convert(plain, BlobRef)))
        return msgspec.convert(plain, Findings)
    except (TraceReadError, msgspec.ValidationError):
        return Findings()


def _fresh(moved: CounterMoved, findings: Findings, before: int) -> list[Unit]:
    keys = {(item.name, item.page_url): item.key for item in reversed(findings.items)}
    return [
        Unit(
            number=before + place,
            name=added["name"],
            step=moved.step,
            url=added["url"],
            quote=added["quote"],
            key=keys.get((added["name"], added["url"]), ""),
        )
        for place, added in enumerate(moved.added, start=1)
    ]


def _with_merges(units: list[Unit], merges: list[Merge]) -> list[Unit]:
    """Each merge with its unit: the first of that name."""
    into: dict[str, list[Merge]] = {}
    for merge in merges:
        into.setdefault(merge.into, []).append(merge)
    return [
        msgspec.structs.replace(unit, merged=(*unit.merged, *into.pop(unit.name))) if unit.name in into else unit
        for unit in units
    ]


def _turned_away(
    moved: CounterMoved, findings: Findings, fresh: list[Unit], merges: list[Merge], requirement: Requirement
) -> list[Rejected]:
    taken = [unit.name for unit in fresh] + [merge.name for merge in merges]
    rejected = []
    for item in findings.items:
        if item.name in taken:
            taken.remove(item.name)
            continue
        rejected.append(Rejected(name=item.name, step=moved.step, url=item.page_url, reason=_reason(item, requirement)))
    return rejected


def _reason(item: Item, requirement: Requirement) -> str:
    if not item.name.strip() and not item.key:
        return "it has neither a name nor an address"
    if requirement.mode == "quota":
        return f"the {requirement.target} that were asked for had been found"
    return "the recording does not say"
