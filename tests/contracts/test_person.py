"""Contract of `Person`: a choice is one of those that were offered, and nobody is asked where nobody is there."""

from __future__ import annotations

import pytest

from memory.counting.counter import Counter
from memory.state import WalkMemory
from memory.url_stack import UrlStack
from tests.fixtures.paper import HOME, page, task_for
from walker.browser.page.live_reader import LiveReader
from walker.handover.live_person import LivePerson
from walker.handover.whom_to_ask import AskPerson
from walker.seams.actions import GiveAnswer
from walker.seams.protocols import Person
from walker.seams.web.asked_person import Answerable, Choice, Pause, Picked
from walker.testing.fakes import PaperSite

OTHER = ((Choice(text="Alpha", url=f"{HOME}a"), 0.1),)


async def last(pause: Pause) -> int:
    return len(pause.choices)


async def both(ask: AskPerson | None) -> tuple[Picked, Picked]:
    """What comes of asking for an answer and for a step."""
    person: Person = LivePerson(ask, lambda *_: OTHER, 0.5)
    task, site = task_for("Which bell rings at noon?"), PaperSite({HOME: page("Paper", "<p>Words.</p>")})
    observation = await LiveReader().read(await site.open(HOME))  # type: ignore[arg-type]
    memory = WalkMemory(stack=UrlStack(), counter=Counter.start(task.requirement))
    answer = await person.pick_answer(task.question, (Answerable(answer="the third"),), 0.2)
    return answer, await person.pick_step(task, observation, memory, GiveAnswer(reason="nothing left"))


async def test_what_is_chosen_was_offered_and_the_wait_is_told() -> None:
    for picked in await both(last):
        assert picked.pause is not None
        assert picked.choice == picked.pause.choices[-1]
        assert picked.seconds >= 0


@pytest.mark.parametrize("step", [0, 1])
async def test_nobody_is_asked_where_nobody_is_there(step: int) -> None:
    assert (await both(None))[step] == Picked()
