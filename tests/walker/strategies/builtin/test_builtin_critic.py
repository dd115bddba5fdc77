"""What the critic without a model finds on a page, and when it has found enough."""

from __future__ import annotations

import pytest

from memory.counting.counter import Counter
from memory.findings import Finding, Item
from memory.state import WalkMemory
from tests.fixtures.paper import HOME, observed, page, ranker, task_for
from walker.strategies.builtin.answer_confidence import confidence_in
from walker.strategies.builtin.builtin_critic import ENOUGH, FINDINGS_A_PART, FLOOR, BuiltinCritic
from walker.strategies.question.question import read_question

BOATS = page(
    "Boats",
    "<p>The research vessel Mantis was launched in 1997 and is 18.4 metres long.</p>"
    "<p>The research vessel Heron was launched in 1985 and is 12 metres long.</p>"
    "<p>Lunch is at noon.</p><p>Visitors are welcome.</p>",
)
HOW_LONG = "How long is the research vessel Mantis?"
OLDER = "How many years older is the Heron than the Mantis?"


def finding(text: str, score: float, part: int = 0, quote: str = "") -> Finding:
    return Finding(text=text, quote=quote or text, url=HOME, step=1, score=score, part=part)


def memory_with(*findings: Finding) -> WalkMemory:
    return WalkMemory(step=1, findings=findings)


async def test_findings_are_few_distinct_and_quoted_from_the_page() -> None:
    observation = observed(BOATS)
    found = await BuiltinCritic(ranker()).find(task_for(HOW_LONG), observation, WalkMemory(step=1))
    texts = [one.text for one in found.findings]
    assert texts[0].startswith("18.4 m")
    assert len(texts) == len(set(texts)) <= FINDINGS_A_PART
    assert [one.score for one in found.findings] == sorted((one.score for one in found.findings), reverse=True)
    assert all(FLOOR <= one.score <= 1 for one in found.findings)
    shown = " ".join(block.text for block in observation.blocks)
    assert all(one.quote in shown for one in found.findings)
    assert found.findings[0].heading == "Boats"


async def test_the_same_page_gives_the_same_findings() -> None:
    critic, task = BuiltinCritic(ranker()), task_for(HOW_LONG)
    first = await critic.find(task, observed(BOATS), WalkMemory(step=1))
    assert await critic.find(task, observed(BOATS), WalkMemory(step=1)) == first


async def test_each_part_of_a_comparison_has_findings_of_its_own() -> None:
    found = await BuiltinCritic(ranker()).find(task_for(OLDER), observed(BOATS), WalkMemory(step=1))
    assert {one.part for one in found.findings} == {0, 1}
    best = [next(one for one in found.findings if one.part == part) for part in (0, 1)]
    assert [one.text for one in best] == ["1985", "1997"]


async def test_nothing_found_is_no_answer() -> None:
    verdict = await BuiltinCritic(ranker()).judge(task_for(HOW_LONG), WalkMemory())
    assert (verdict.sufficient, verdict.answer, verdict.confidence) == (False, "", 0)
    assert verdict.missing


async def test_an_answer_is_enough_from_a_confidence_on() -> None:
    quote = "The research vessel Mantis is 18.4 metres long."
    for score in (0.2, 0.6, 0.99):
        memory = memory_with(finding("18.4 metres", score, quote=quote))
        verdict = await BuiltinCritic(ranker()).judge(task_for(HOW_LONG), memory)
        assert verdict.answer == "18.4 metres"
        assert verdict.confidence == pytest.approx(confidence_in(memory.findings, 0, HOW_LONG), abs=1e-3)
        assert verdict.sufficient == (verdict.confidence >= ENOUGH)
        assert [one.quote for one in verdict.citations] == [quote]


async def test_two_values_are_computed_with_and_no_surer_than_the_less_sure_one() -> None:
    sure, doubtful = finding("1985", 0.95, 0), finding("1997", 0.3, 1)
    memory = memory_with(sure, doubtful)
    verdict = await BuiltinCritic(ranker()).judge(task_for(OLDER), memory)
    assert verdict.answer.startswith("12")
    parts = read_question(OLDER).parts
    least = min(confidence_in(memory.findings, number, part.text) for number, part in enumerate(parts))
    assert 0 < verdict.confidence <= least + 1e-3
    alone = await BuiltinCritic(ranker()).judge(task_for(OLDER), memory_with(sure))
    assert (alone.answer, alone.confidence) == ("", 0), "half of a comparison is no answer"
    assert alone.missing


async def test_what_was_counted_is_the_answer_once_its_end_was_seen() -> None:
    task = task_for("How many boats are listed?")
    counter = Counter.start(task.requirement).add(
        (Item(name="Mantis", page_url=HOME, step=1, quote="Mantis"),), similarity=lambda one, other: float(one == other)
    )
    told = finding("1 (Mantis)", 0.8)
    open_count = WalkMemory(step=1, findings=(told,), counter=counter)
    ended = WalkMemory(step=1, findings=(told,), counter=counter.saw_end())
    critic = BuiltinCritic(ranker())
    first, last = await critic.judge(task, open_count), await critic.judge(task, ended)
    assert (first.sufficient, last.sufficient, last.answer) == (False, True, "1")
    assert first.confidence < last.confidence
    assert first.missing
    assert last.missing == ()
