"""Items that a model counted: entries of a list that it chose by number, and things that it named, checked on the page."""

from __future__ import annotations

import re

from memory.counting.identity import bare_name
from memory.findings import Finding, Findings, Item
from perception.document.visible import visible_text
from perception.observation import Observation
from walker.models.replies import FindReply, ItemReply
from walker.strategies.answers.lists import items_of, with_items
from walker.strategies.model.digest.page_lists import shown_sets
from walker.strategies.model.quotes import plain, stands_on

_BETWEEN_NAMES = re.compile(r"\s*[;\n；]\s*")
LEAST_NAMES = 2
NAME_CHARS = 200
QUOTE_CHARS = 160
LISTED_SHARE = 0.5
"""Share of the named items that are entries of the chosen list from which they are taken as a choice among its entries."""


def with_chosen_items(findings: Findings, reply: FindReply, observation: Observation, step: int) -> Findings:
    """The findings with the items that the model chose. The end of a list is known only where the model chose one by number: things
    that it named one by one may go on anywhere, so they are a finding too, for the judge."""
    chosen = next((records for records in shown_sets(observation) if records.id == reply.list), None)
    listed = items_of(chosen, observation.url, step) if chosen is not None else ()
    named = _verified(reply.items or _enumerated(findings), observation, step)
    if listed:
        return with_items(findings, _together(listed, named), observation)
    if not named:
        return findings
    names = "; ".join(item.name for item in named)
    told = Finding(
        text=f"{len(named)}: {names}"[:600],
        quote=named[0].quote,
        url=observation.url,
        step=step,
        score=_score(findings),
    )
    made = with_items(findings, named, observation)
    return Findings(
        relevance=made.relevance,
        findings=(*made.findings, told),
        items=made.items,
        list_total=made.list_total,
        list_continues=made.list_continues,
        gist=made.gist,
        note=made.note,
    )


def _enumerated(findings: Findings) -> tuple[ItemReply, ...]:
    """The names in a finding that enumerates several: "a; b; c", with its quote."""
    for finding in findings.findings:
        names = [name for name in _BETWEEN_NAMES.split(finding.text) if name]
        if len(names) >= LEAST_NAMES:
            return tuple(ItemReply(name=name, quote=finding.quote) for name in names)
    return ()


def _score(findings: Findings) -> float:
    return max((finding.score for finding in findings.findings), default=0.5)


def _together(listed: tuple[Item, ...], named: tuple[Item, ...]) -> tuple[Item, ...]:
    """The chosen list, or of it what the model named; and what it named beside the list."""
    names = {bare_name(item.name) for item in named}
    picked = tuple(item for item in listed if bare_name(item.name) in names)
    known = {bare_name(item.name) for item in listed}
    beside = tuple(item for item in named if bare_name(item.name) not in known)
    return (*(picked if len(picked) > LISTED_SHARE * len(named) else listed), *beside)


def _verified(items: tuple[ItemReply, ...], observation: Observation, step: int) -> tuple[Item, ...]:
    """The items whose quote is on the page and holds their name; a link that has exactly this name identifies them."""
    addresses = {bare_name(link.label): link.url for link in reversed(observation.links) if link.label}
    kept = []
    for item in items:
        name, quote = visible_text(item.name)[:NAME_CHARS], visible_text(item.quote or item.name)
        if name and plain(name) in plain(quote) and stands_on(observation, quote):
            key = addresses.get(bare_name(name), "")
            kept.append(Item(name=name, page_url=observation.url, step=step, quote=quote[:QUOTE_CHARS], key=key))
    return tuple(kept)
