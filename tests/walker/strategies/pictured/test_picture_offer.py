"""A search by picture is offered to a model where the walk has one, and changes no prompt of another walk."""

from __future__ import annotations

import json

import msgspec
import pytest

from memory.state import WalkMemory
from perception.observation import Observation
from tests.fixtures.paper import ranker
from tests.walker.strategies.test_model_strategies import boats, pictured, standing, talk, task
from walker.seams.actions import Action, GoBack, Refusal, SearchPicture
from walker.seams.search_protocols import QuestionPicture
from walker.seams.task import Task
from walker.strategies.builtin.builtin_explorer import BuiltinExplorer
from walker.strategies.model.model_explorer import ModelExplorer
from walker.strategies.model.prompt_values import PromptValues
from walker.testing.fakes import ScriptedChat

PHOTO = QuestionPicture(digest="ab" * 32, media_type="image/png", width=640, height=480)


def reply(action: str, **given: object) -> str:
    return json.dumps({"action": action, "number": 0, "reason": "so"} | given)


async def proposed(
    chat: ScriptedChat, observation: Observation, asked: Task, *, may: bool, refused: tuple[Refusal, ...] = ()
) -> Action:
    values = PromptValues(ranker(), tools=frozenset(("search_picture",) if may else ()))
    explorer = ModelExplorer(talk(chat), ranker(), BuiltinExplorer(ranker()), values=values)
    memory: WalkMemory = standing(observation, asked)
    return await explorer.propose(asked, observation, memory, refused)


async def test_a_part_of_a_picture_is_searched_by() -> None:
    chat = ScriptedChat(lambda _: reply("search_picture", number=1, box=[0.5, 0, 1, 1]))
    refused = (Refusal(action=SearchPicture(box=(0, 0, 1, 1), image_index=2), reason="searched by already"),)
    action = await proposed(chat, pictured(), task(), may=True, refused=refused)
    assert action == SearchPicture(box=(0.5, 0, 1, 1), image_index=1, reason="so")
    sent = chat.asked[0].messages[-1].content
    assert "search_picture" in sent.rpartition("Possible now")[2]
    told = "".join(message.content for message in chat.asked[0].messages)
    assert "- search_picture: pages that show a picture of this page" in told
    assert "SearchPicture 2 [0, 0, 1, 1]: searched by already" in sent
    assert "search_picture" in chat.asked[0].schema["properties"]["action"]["enum"]


async def test_a_whole_picture_needs_no_box() -> None:
    chat = ScriptedChat(lambda _: reply("search_picture", number=1))
    assert await proposed(chat, pictured(), task(), may=True) == SearchPicture(image_index=1, reason="so")


@pytest.mark.parametrize("may", [False, True])
async def test_it_is_not_offered_without_a_search_or_without_a_picture(may: bool) -> None:
    replies = iter((reply("search_picture", number=1), reply("back")))
    chat = ScriptedChat(lambda _: next(replies))
    observation = boats() if may else pictured()
    assert isinstance(await proposed(chat, observation, task(), may=may), GoBack)
    assert "search_picture" not in chat.asked[0].messages[-1].content.rpartition("Possible now")[2]
    said = "no picture to search by" if may else "search_picture is not possible"
    assert said in chat.asked[1].messages[-1].content


@pytest.mark.parametrize(
    ("language", "before", "after"),
    [
        ("en", "which the walk's first page shows", "The picture shows, as far as is known: Gull Mill"),
        ("zh", "图片显示在浏览的第一页上", "目前所知图片内容: Gull Mill"),
    ],
)
async def test_a_prompt_says_that_there_is_a_picture_and_what_it_shows(language: str, before: str, after: str) -> None:
    asked = msgspec.structs.replace(task("Who built this?"), language=language, picture=PHOTO)
    for one, said in ((asked, before), (msgspec.structs.replace(asked, pictured="Gull Mill"), after)):
        chat = ScriptedChat(lambda _: reply("back"))
        await proposed(chat, pictured(), one, may=False)
        assert said in chat.asked[0].messages[-1].content


async def test_a_walk_without_such_a_search_is_not_told_of_it() -> None:
    chat = ScriptedChat(lambda _: reply("back"))
    await proposed(chat, pictured(), task(), may=False)
    assert "search_picture" not in "".join(message.content for message in chat.asked[0].messages)
    assert "search_picture" not in chat.asked[0].schema["properties"]["action"]["enum"]
