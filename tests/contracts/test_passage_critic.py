"""One body for every implementation of the PassageCritic seam."""

from __future__ import annotations

import pytest

from walker.recording.recorded_passage_critic import RecordedPassageCritic
from walker.recording.recording import Recording
from walker.seams.chat import ChatReply, ChatRequest
from walker.seams.passage_critic import KEEP_FROM, OfferedPassage, PassageCritic, kept_places
from walker.settings import ModelSettings
from walker.strategies.passages.builtin_passage_critic import BuiltinPassageCritic
from walker.strategies.passages.model_passage_critic import ModelPassageCritic
from walker.testing.fakes import ScriptedChat
from walker.testing.scripted_passage_critic import ScriptedPassageCritic

QUESTION = "How deep is the diving pool of the swimming hall?"
RIGHT = "The diving pool of the swimming hall is 4.5 metres deep."
PASSAGES = (
    OfferedPassage(text="Tickets are sold at the door.", title="Prices", url="https://a.example/prices"),
    OfferedPassage(text=RIGHT, title="Swimming hall", headings=("Pools",), url="https://a.example/hall"),
    OfferedPassage(text=" ", title="Swimming hall", url="https://a.example/hall", place=1),
    OfferedPassage(text="Our chess club meets on Mondays.", title="Clubs", url="https://a.example/clubs"),
    *(
        OfferedPassage(text=f"News of week {week}.", title="News", url=f"https://a.example/news/{week}")
        for week in range(20)
    ),
)


def _says(request: ChatRequest) -> ChatReply:
    return ChatReply(text="Yes" if RIGHT in request.messages[-1].content else "No")


@pytest.fixture(params=["scripted", "builtin", "model", "recorded"])
def critic(request: pytest.FixtureRequest) -> PassageCritic:
    model = ModelPassageCritic(ScriptedChat(_says), ModelSettings(name="m"), BuiltinPassageCritic())
    made: dict[str, PassageCritic] = {
        "scripted": ScriptedPassageCritic({"4.5 metres": 0.9}),
        "builtin": BuiltinPassageCritic(),
        "model": model,
        "recorded": RecordedPassageCritic(model, Recording()),
    }
    return made[request.param]


async def test_each_passage_gets_a_weight_in_its_order(critic: PassageCritic) -> None:
    weights = await critic.weigh(QUESTION, PASSAGES)
    assert len(weights) == len(PASSAGES)
    assert all(0 <= weight.chance <= 1 for weight in weights)
    assert max(weights, key=lambda weight: weight.chance) == weights[1]
    assert weights[1].chance >= KEEP_FROM
    assert 1 in kept_places(weights)


async def test_a_passage_without_text_weighs_nothing(critic: PassageCritic) -> None:
    weights = await critic.weigh(QUESTION, PASSAGES)
    assert weights[2].chance == 0
    assert weights[2].by == "nothing"


async def test_no_passages_have_no_weights(critic: PassageCritic) -> None:
    assert await critic.weigh(QUESTION, ()) == ()


async def test_the_same_passages_weigh_the_same(critic: PassageCritic) -> None:
    assert await critic.weigh(QUESTION, PASSAGES) == await critic.weigh(QUESTION, PASSAGES)


async def test_any_text_is_a_question(critic: PassageCritic) -> None:
    for question in ("?", "  ", "游泳池有多深？", "a" * 3000, "\ud83d half a pair"):
        assert len(await critic.weigh(question, PASSAGES[:3])) == 3
