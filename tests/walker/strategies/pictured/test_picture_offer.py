"""A search by picture is offered to a model where the walk has one, and changes no prompt of another walk."""

from __future__ import annotations

import json

import msgspec
import pytest

from memory.state import WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UrlStack
from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.fixtures.paper import HOME, ranker
from tests.walker.strategies.test_model_strategies import boats, pictured, standing, talk, task
from walker.asked_picture.picture_hits import FoundPages, sections_of
from walker.rules.scope import WalkScope
from walker.seams.actions import Action, FollowLink, GiveAnswer, GoBack, Refusal, SearchPicture
from walker.seams.picture_pages import ROOTS, PictureName
from walker.seams.search_protocols import PictureHit, QuestionPicture
from walker.seams.searches import start_address
from walker.seams.task import Task
from walker.strategies.builtin.builtin_explorer import BuiltinExplorer
from walker.strategies.model.model_explorer import ModelExplorer
from walker.strategies.model.prompt_values import Offers, PromptValues
from walker.testing.fakes import ScriptedChat

PHOTO = QuestionPicture(digest="ab" * 32, media_type="image/png", width=640, height=480)


def reply(action: str, **given: object) -> str:
    return json.dumps({"action": action, "number": 0, "reason": "so"} | given)


async def proposed(
    chat: ScriptedChat, observation: Observation, asked: Task, *, may: bool, refused: tuple[Refusal, ...] = ()
) -> Action:
    values = PromptValues(ranker(), Offers(tools=frozenset(("search_picture",) if may else ())))
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


BY_PAGE = PictureName(
    name="Gull Mill",
    by="page",
    url="http://a.example/mill",
    page="Gull Mill – Museum",
    said="Gull Mill in 1764",
    is_sure=True,
)


@pytest.mark.parametrize(
    ("language", "shown", "told"),
    [
        ("en", None, "which the walk's first page shows"),
        ("zh", None, "图片显示在浏览的第一页上"),
        (
            "en",
            BY_PAGE,
            "The question's picture shows: Gull Mill (says the page “Gull Mill – Museum” (http://a.example/mill), which shows",
        ),
        ("zh", BY_PAGE, "问题的图片显示的是: Gull Mill（依据"),
        (
            "en",
            PictureName(name="GULL MILL", by="words"),
            "The question's picture shows, as far as is known: GULL MILL (these are the largest words read in it)",
        ),
    ],
)
async def test_every_prompt_says_what_the_picture_shows_and_whence_that_is_known(
    language: str, shown: PictureName | None, told: str
) -> None:
    asked = msgspec.structs.replace(task("Who built this?"), language=language, picture=PHOTO, shown=shown)
    chat = ScriptedChat(lambda _: reply("back"))
    await proposed(chat, pictured(), asked, may=False)
    assert told in chat.asked[0].messages[-1].content.replace(" (依据", "（依据")


async def test_a_walk_without_such_a_search_is_not_told_of_it() -> None:
    chat = ScriptedChat(lambda _: reply("back"))
    await proposed(chat, pictured(), task(), may=False)
    assert "search_picture" not in "".join(message.content for message in chat.asked[0].messages)
    assert "search_picture" not in chat.asked[0].schema["properties"]["action"]["enum"]


START = start_address((HOME,), PHOTO.digest)
MILL = PictureHit(url=HOME + "mill.html", title="Gull Mill", words="Gull Mill in 1764", score=0.97)
SAILS = PictureHit(url=HOME + "sails.html", title="Four sails", score=0.95, found_by="hash")


async def next_of_start(
    chat: ScriptedChat, hits: tuple[PictureHit, ...], refused: tuple[Refusal, ...] = ()
) -> tuple[Action, Observation]:
    """What is done on the first page of a walk, where a search by picture has found these, and that page."""
    good, others, _ = sections_of(FoundPages(hits=hits), WalkScope(root_url=HOME, kind="host"))
    html = f"<title>The picture</title><main><h1>Who built this?</h1>{good}<h2>{ROOTS}</h2><a href={HOME}>{HOME}</a>{others}</main>"
    observation = observe(Snapshot(url=START, final_url=START, status=200, html=html))
    asked = msgspec.structs.replace(task("Who built this?"), picture=PHOTO, root_url=START)
    frame = Frame(url=START, key=key_of(START), title="The picture", reason="the root of the walk")
    memory = WalkMemory(step=1, stack=UrlStack().push(frame))
    explorer = ModelExplorer(talk(chat), ranker(), BuiltinExplorer(ranker()))
    return await explorer.propose(asked, observation, memory, refused), observation


async def test_the_only_page_that_surely_shows_the_picture_is_opened_without_a_question() -> None:
    chat = ScriptedChat(lambda _: reply("answer"))
    action, observation = await next_of_start(chat, (MILL,))
    assert isinstance(action, FollowLink)
    opened = observation.link(action.link_id)
    assert opened is not None
    assert opened.url == MILL.url
    assert chat.asked == []


@pytest.mark.parametrize(
    "hits",
    [
        (msgspec.structs.replace(MILL, score=0.7),),
        (msgspec.structs.replace(MILL, found_by="words"),),
        (MILL, SAILS),
        (msgspec.structs.replace(MILL, url="http://other.example/"),),
        (),
    ],
)
async def test_where_it_is_not_sure_or_not_the_only_one_the_model_is_asked(hits: tuple[PictureHit, ...]) -> None:
    chat = ScriptedChat(lambda _: reply("answer"))
    action, _ = await next_of_start(chat, hits)
    assert isinstance(action, GiveAnswer)
    assert len(chat.asked) == 1


async def test_a_page_that_was_refused_is_not_insisted_on() -> None:
    chat = ScriptedChat(lambda _: reply("answer"))
    refused = (Refusal(action=FollowLink(link_id=1), reason="it failed to load"),)
    action, _ = await next_of_start(chat, (MILL,), refused)
    assert isinstance(action, GiveAnswer)
