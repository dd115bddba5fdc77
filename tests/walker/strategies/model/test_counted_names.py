"""Names of items as a model copies them from the lines that tell counted things."""

from __future__ import annotations

import pytest

from memory.counting.requirement import Requirement
from memory.findings import Findings
from tests.fixtures.paper import page
from tests.walker.strategies.model.shown_page import seen
from walker.models.replies import FindReply, ItemReply
from walker.strategies.model.named_items import NamedItems
from walker.strategies.model.quotes import PageText

HERE = page("Boats", "<ul><li>Mantis</li><li>Squid</li><li>7: the film</li></ul>")


@pytest.mark.parametrize(
    ("name", "kept"),
    [("4: Mantis", ["Mantis"]), ("[1] 4: Squid", ["Squid"]), ("7: the film", ["7: the film"]), ("4: Orca", [])],
)
def test_a_count_before_a_name_is_no_part_of_it(name: str, kept: list[str]) -> None:
    observation = seen(HERE)
    items = NamedItems(observation, PageText(observation), 1, Requirement(mode="exhaustive"))
    found = items.add_to(Findings(), FindReply(relevance=40, items=(ItemReply(name=name, quote=name),)))
    assert [item.name for item in found.items] == kept
    assert bool(found.refused) == (not kept)


def test_what_is_added_in_brackets_is_no_part_of_a_name_but_where_it_tells_like_names_apart() -> None:
    observation = seen(page("News", "<ul><li>New boats</li><li>New boats</li><li>Squid (old)</li></ul>"))
    reader = NamedItems(observation, PageText(observation), 1, Requirement(mode="exhaustive"))

    def kept(*names: str) -> list[str]:
        told = tuple(ItemReply(name=name, quote=name.split(" (")[0]) for name in names)
        return [one.name for one in reader.add_to(Findings(), FindReply(relevance=40, items=told)).items]

    assert kept("New boats (2022-05-30)", "Squid (old)") == ["New boats", "Squid (old)"]
    assert kept("New boats (May)", "New boats (June)") == [], "as one they would count less than there are"


BOTH = page(
    "Station", "<h2>Boats</h2><ul><li>Mantis</li><li>Squid</li></ul><h2>Crew</h2><p>Ada and Ben sail; Cleo cooks.</p>"
)


def items(*named: tuple[str, tuple[int, ...]]) -> tuple[ItemReply, ...]:
    return tuple(ItemReply(name=name, quote="Ada and Ben sail; Cleo cooks.", part=part) for name, part in named)


def test_items_of_several_parts_of_the_question_are_told_and_counted_apart() -> None:
    observation = seen(BOTH)
    reader = NamedItems(
        observation, PageText(observation), 1, Requirement(mode="exhaustive", noun="boats"), frozenset((0,))
    )
    (boats,) = (one.id for one in observation.record_sets if one.records[0].name == "Mantis")
    reply = FindReply(
        relevance=40, list=boats, list_part=(1,), items=items(("Ada", (2,)), ("Ben", (2,)), ("Cleo", (2,)))
    )
    found = reader.add_to(Findings(), reply)
    assert [(one.text, one.parts) for one in found.findings] == [
        ("2: Mantis; Squid", (0,)),
        ("3: Ada; Ben; Cleo", (1,)),
    ]
    assert [item.name for item in found.items] == ["Mantis", "Squid"], "the crew is none of the counted boats"


def test_items_without_a_part_are_one_finding_and_all_counted() -> None:
    observation = seen(BOTH)
    reader = NamedItems(observation, PageText(observation), 1, Requirement(mode="exhaustive"), frozenset((0,)))
    found = reader.add_to(Findings(), FindReply(relevance=40, items=items(("Ada", ()), ("Ben", ()))))
    assert [one.text for one in found.findings] == ["2: Ada; Ben"]
    assert len(found.items) == 2
