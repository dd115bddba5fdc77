"""What the built-in critic makes of a page whose picture says what is asked for."""

from __future__ import annotations

import msgspec
import pytest

from memory.counting.counter import Counter
from memory.state import WalkMemory
from perception.geometry import Box
from perception.observation import Observation
from perception.picture_lines import PictureLines, PlacedText
from tests.fixtures.paper import observed, page, ranker
from walker.assembly import read_task
from walker.strategies.builtin.builtin_critic import BuiltinCritic

pytestmark = pytest.mark.asyncio(loop_scope="session")

PROSE = (
    "<h2>Shares of the yard</h2><p>If ten crews get equal shares of Account A2, each of them is allocated 1% of the yard.</p>"
    "<p>The share of Account A2 in the yard is 3% at most.</p>"
)


def with_picture(body: str, words: list[tuple[float, float, str]], name: str = "shares.png") -> Observation:
    """A page in whose picture these words were read, at their places."""
    lines = tuple(PlacedText(text=text, box=Box(x=x, y=y, width=9.0 * len(text), height=14)) for x, y, text in words)
    picture = PictureLines(
        box=Box(x=0, y=0, width=700, height=500), lines=lines, name=name, heading="Shares of the yard"
    )
    return msgspec.structs.replace(observed(page("Shares", body)), picture_lines=(picture,))


async def found(question: str, seen: Observation) -> list[str]:
    task = read_task(seen.url, question, "en")
    memory = WalkMemory(counter=Counter.start(task.requirement), step=1)
    findings = await BuiltinCritic(ranker()).find(task, seen, memory)
    return [one.text for one in findings.findings]


SHARES = [(60.0, 40.0, "Account A1"), (300.0, 40.0, "Account A2"), (80.0, 140.0, "10%"), (320.0, 140.0, "12%")]


async def test_the_picture_comes_before_the_prose_where_the_question_says_that_it_shows_it() -> None:
    seen = with_picture(PROSE, SHARES)
    assert (await found("In the diagram, what percentage of the yard is allocated to Account A2?", seen))[0] == "12%"
    assert (await found("What percentage of the yard is allocated to Account A2?", seen))[0] != "10%"


MARKS = [
    (20.0, 60.0, "Zone Mark"),
    (220.0, 60.0, "Harbour Mark"),
    (420.0, 60.0, "Berth Mark"),
    (220.0, 160.0, "Unused"),
]


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("In the layout of the marks, which field lies directly to the right of the harbour mark?", "Berth Mark"),
        ("In the diagram, which field lies to the left of the harbour mark?", "Zone Mark"),
        ("In the picture, what stands below the harbour mark?", "Unused"),
        ("Which field does the drawing show between Zone Mark and Berth Mark?", "Harbour Mark"),
    ],
)
async def test_what_lies_beside_a_text_of_a_picture_is_found(question: str, answer: str) -> None:
    seen = with_picture("<p>The harbour mark is set when a boat has come in.</p>", MARKS)
    assert (await found(question, seen))[0] == answer


async def test_a_question_that_points_to_no_picture_asks_for_no_side() -> None:
    seen = with_picture("<p>The harbour mark is set when a boat has come in, by the harbour master.</p>", MARKS)
    assert (await found("Who set the harbour mark, and stands below the harbour master?", seen))[0] != "Unused"
