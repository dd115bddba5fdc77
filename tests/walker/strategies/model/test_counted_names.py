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
