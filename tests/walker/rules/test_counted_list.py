"""When scrolling a page is worth a try."""

from __future__ import annotations

import pytest

from memory.state import NOTHING_CHANGED, MoveNote, WalkMemory
from memory.url_stack import Frame, UrlStack
from perception.observation import Observation, Record, RecordSet
from walker.rules.counted_list import may_show_more

LIST = RecordSet(id=1, kind="list", records=tuple(Record(name=name, text=name) for name in ("Orca", "Kelp", "Tern")))
MENU = RecordSet(id=1, kind="list", records=LIST.records, region="nav")


def page(*lists: RecordSet, may_grow: bool = True) -> Observation:
    return Observation(url="http://a/here", status=200, may_grow=may_grow, record_sets=lists)


def scrolled_in_vain(*pages: str) -> WalkMemory:
    notes = tuple(MoveNote(step=1, page=key, what="scroll", outcome=NOTHING_CHANGED) for key in pages)
    return WalkMemory(step=5, stack=UrlStack().push(Frame(url="http://a/here", key="here")), moves=notes)


@pytest.mark.parametrize(
    ("observation", "memory", "more"),
    [
        (page(), scrolled_in_vain(), True),
        (page(may_grow=False), scrolled_in_vain(), False),
        (page(LIST), scrolled_in_vain("here"), False),
        (page(), scrolled_in_vain("other"), False),
        (page(LIST), scrolled_in_vain("other"), True),
        (page(MENU), scrolled_in_vain("other"), False),
        (page(LIST), scrolled_in_vain("other", "third", "fourth"), False),
    ],
)
def test_what_was_scrolled_in_vain_tells_of_other_pages(
    observation: Observation, memory: WalkMemory, *, more: bool
) -> None:
    assert may_show_more(observation, memory) is more
