"""Asking a question of given pages, without a walk."""

from __future__ import annotations

import asyncio

from answers.leafing import leaf_through

from tests.fixtures.paper import HOME, observed, page, ranker
from walker.strategies.builtin.builtin_critic import BuiltinCritic

QUESTION = "How long is the research vessel Mantis?"
START = observed(page("Reef Station", "<p>The station has boats.</p>"))
BOATS = observed(page("Boats", "<p>The research vessel Mantis is 18.4 metres long.</p>"), HOME + "boats.html")
LUNCH = observed(page("Lunch", "<p>Lunch is at noon, and 12 metres of tables are laid.</p>"), HOME + "lunch.html")


def test_the_pages_are_read_in_order_until_it_is_enough() -> None:
    ended, memory, _ = asyncio.run(leaf_through(QUESTION, "en", [LUNCH, BOATS], BuiltinCritic(ranker())))
    assert ended.answer.startswith("18.4 m")
    assert ended.pages == 2
    assert [note.title for note in memory.pages] == ["Lunch", "Boats"]


def test_the_home_page_is_known_and_not_read() -> None:
    ended, memory, _ = asyncio.run(leaf_through(QUESTION, "en", [BOATS], BuiltinCritic(ranker()), START))
    assert ended.pages == 1
    assert [note.title for note in memory.pages] == ["Reef Station", "Boats"]
    assert {finding.url for finding in memory.findings} == {HOME + "boats.html"}
