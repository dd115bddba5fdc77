"""What the built-in critic answers from what was found."""

from __future__ import annotations

from memory.counting.requirement import Requirement
from memory.findings import Finding
from memory.state import WalkMemory
from tests.fixtures.paper import ranker
from walker.seams.task import Task
from walker.settings import SURE
from walker.strategies.builtin.builtin_critic import BuiltinCritic

QUESTION = "By how many piles is the deal of Forty Thieves larger than the deal of Scorpion?"


def finding(text: str, part: int, score: float, quote: str) -> Finding:
    return Finding(text=text, quote=quote, url="http://cards.example/", step=1, score=score, part=part)


async def judged(*findings: Finding) -> tuple[str, float]:
    task = Task(question=QUESTION, root_url="http://cards.example/", requirement=Requirement())
    verdict = await BuiltinCritic(ranker()).judge(task, WalkMemory(findings=findings))
    return verdict.answer, verdict.confidence


async def test_one_passage_is_not_compared_with_itself() -> None:
    thieves, scorpion = "Forty cards are dealt to 10 piles.", "Scorpion has 7 piles."
    answer, _ = await judged(
        finding("10", 0, 0.9, thieves), finding("10", 1, 0.9, thieves), finding("7", 1, 0.8, scorpion)
    )
    assert answer.startswith("3")


async def test_a_second_choice_is_less_sure_than_a_best_one() -> None:
    thieves, scorpion = "Forty cards are dealt to 10 piles.", "Scorpion has 7 piles."
    _, second = await judged(
        finding("10", 0, 0.9, thieves), finding("10", 1, 0.9, thieves), finding("7", 1, 0.8, scorpion)
    )
    _, best = await judged(finding("10", 0, 0.9, thieves), finding("7", 1, 0.9, scorpion))
    assert 0 < second < best


async def test_one_passage_alone_is_not_compared_with_itself() -> None:
    answer, _ = await judged(finding("10", 0, 0.9, "10 piles"), finding("10", 1, 0.9, "10 piles"))
    assert answer == ""


async def test_one_value_is_no_answer_to_two_things_asked_at_once() -> None:
    asked = "Welche Nummern kann man an der Kasse eingeben, und welche steht für Abholung?"
    task = Task(question=asked, root_url="http://cards.example/", language="de", requirement=Requirement())
    passage = "An der Kasse kann man 1 bis 40 eingeben, und die 99 steht für Abholung."
    value, both = [
        await BuiltinCritic(ranker()).judge(task, WalkMemory(findings=(finding(text, 0, 0.99, passage),)))
        for text in ("99", passage)
    ]
    assert value.answer == "99"
    assert value.confidence < SURE <= both.confidence
    assert value.missing
    assert not value.sufficient
