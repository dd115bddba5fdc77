"""What the built-in critic makes of a page whose picture says what is asked for."""

from __future__ import annotations

import msgspec
import pytest

from memory.counting.counter import Counter
from memory.findings import Finding
from memory.state import WalkMemory
from perception.geometry import Box
from perception.observation import Observation
from perception.picture_lines import PictureLines, PlacedText
from tests.fixtures.paper import observed, page, ranker
from walker.assembly import read_task
from walker.settings import SURE
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


async def findings_of(question: str, seen: Observation) -> tuple[Finding, ...]:
    task = read_task(seen.url, question, "en")
    memory = WalkMemory(counter=Counter.start(task.requirement), step=1)
    return (await BuiltinCritic(ranker()).find(task, seen, memory)).findings


async def found(question: str, seen: Observation) -> list[str]:
    return [one.text for one in await findings_of(question, seen)]


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


async def best(question: str, seen: Observation) -> tuple[str, float]:
    task = read_task(seen.url, question, "en")
    memory = WalkMemory(counter=Counter.start(task.requirement), step=1)
    critic = BuiltinCritic(ranker())
    findings = await critic.find(task, seen, memory)
    verdict = await critic.judge(task, msgspec.structs.replace(memory, findings=findings.findings))
    return verdict.answer, verdict.confidence


async def test_what_stands_at_the_label_that_is_named_is_told_though_others_are_like_it() -> None:
    beside = [(560.0, 40.0, "Account A"), (580.0, 140.0, "40%")]
    seen = with_picture(PROSE, [*SHARES, *beside])
    answer, confidence = await best("In the diagram, what percentage of the yard is allocated to Account A2?", seen)
    assert answer == "12%"
    assert confidence >= SURE


def poster(*words: tuple[float, float, float, str]) -> Observation:
    """A page with a picture in which these words were read, at their places and heights."""
    lines = tuple(
        PlacedText(text=text, box=Box(x=x, y=y, width=0.6 * height * len(text), height=height))
        for x, y, height, text in words
    )
    picture = PictureLines(box=Box(x=0, y=0, width=700, height=500), lines=lines, name="poster.png", heading="The fair")
    prose = "<p>The poster of the fair hangs at the gate of the yard, and the crews like its dog.</p>"
    return msgspec.structs.replace(observed(page("The fair", prose)), picture_lines=(picture,))


THANKS = (
    (20.0, 20.0, 16.0, "Office of the yard"),
    (200.0, 200.0, 60.0, "Many"),
    (200.0, 270.0, 60.0, "thanks!"),
    (520.0, 470.0, 14.0, "Printed by Ann"),
    (20.0, 470.0, 14.0, "No. 184"),
)


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What do the large letters on the poster of the fair say?", "Many thanks!"),
        ("Which word stands on the poster of the fair over the gate?", "thanks!"),
        ("Which number is shown in the lower left corner of the poster?", "No. 184"),
        ("In the poster, who is named at the bottom right?", "Printed by Ann"),
    ],
)
async def test_what_is_written_large_and_what_stands_in_a_corner_is_found(question: str, answer: str) -> None:
    words = THANKS if "word" not in question else (THANKS[0], THANKS[2], THANKS[3])
    assert (await found(question, poster(*words)))[0] == answer


async def test_a_picture_without_a_text_in_that_corner_has_none_there() -> None:
    assert "Many thanks!" not in await found("What stands at the top right of the poster?", poster(*THANKS[1:3]))


async def test_a_size_of_two_numbers_is_told_whole() -> None:
    seen = with_picture("<p>Icons have a size.</p>", [(20.0, 40.0, "Size of the icons:"), (320.0, 40.0, "128×96")])
    assert (await found("What size of the icons does the screenshot show?", seen))[0] == "128×96"


async def test_the_label_of_the_next_value_is_no_value() -> None:
    words = [(20.0, 40.0, "Name of the berth:"), (20.0, 70.0, "Length of the berth:"), (320.0, 40.0, "Old Quay")]
    seen = with_picture("<p>A berth has a name.</p>", words)
    assert "Length of the berth:" not in await found("Which name of the berth does the screenshot show?", seen)


async def test_words_that_may_mean_a_picture_leave_little_to_the_prose_where_it_has_the_value_at_its_label() -> None:
    prose = (
        "<p>The latitude of the example is entered as 54.1 for a berth.</p>"
        "<p>The latitude of a berth is 12.5 in the example.</p>"
    )
    seen = with_picture(prose, [(20.0, 40.0, "Latitude:"), (320.0, 40.0, "N 48.867")])
    answer, confidence = await best("Which latitude is entered in the example of a berth?", seen)
    assert "48.867" in answer
    assert confidence >= SURE


FERRIES = [
    (20.0, 40.0, "Town"), (160.0, 40.0, "First ferry"), (320.0, 40.0, "Last ferry"),
    (20.0, 70.0, "Hollen"), (160.0, 70.0, "6:33"), (320.0, 70.0, "19:30"),
    (20.0, 100.0, "Oderby"), (160.0, 100.0, "7:36"), (320.0, 100.0, "18:46"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("At what time does the last ferry from Oderby leave?", "18:46"),
        ("In the picture, at what time does the first ferry from Hollen leave?", "6:33"),
    ],
)
async def test_no_head_says_time_and_a_cell_comes_before_the_first_of_its_column(question: str, answer: str) -> None:
    seen = with_picture("<p>Ferries leave from the old pier, whatever the weather.</p>", FERRIES, name="ferries.png")
    told = await findings_of(question, seen)
    best = max((one for one in told if one.pictured is not msgspec.UNSET), key=lambda one: one.score)
    assert (best.text, best.pictured.place if best.pictured else "") == (answer, "cell")
    others = [one.score for one in told if one.text != answer]
    assert all(one < 0.8 * best.score for one in others)


async def test_what_was_read_in_a_picture_only_is_told_apart() -> None:
    told = await findings_of(
        "In the diagram, what percentage of the yard is allocated to Account A2?", with_picture(PROSE, SHARES)
    )
    assert {one.text: one.pictured is not msgspec.UNSET for one in told}["12%"]
    assert any(one.pictured is msgspec.UNSET for one in told)


async def test_a_line_that_ends_within_its_brackets_is_no_answer() -> None:
    states = [(20.0, 40.0, "(Harbour and Harbour6"), (20.0, 62.0, "only)"), (220.0, 40.0, "Clear State")]
    seen = with_picture("<p>The harbour has states, which its commands change.</p>", states)
    assert "(Harbour and Harbour6" not in await found("Which state is the initial one in the Harbour diagram?", seen)
