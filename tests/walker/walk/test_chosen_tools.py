"""Tools that a user switches on: the letters of a part by OCR alone, and where an element is."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from perception.element_map import ElementMap, PageElement
from tests.fixtures.paper import HOME, page, task_for
from tests.walker.walk.test_crop_walk import MENU, PAGES, QUESTION, SOUP, VIEW, WHOLE, Loupe, Script, edges, rules
from traces.events import ActionRefused, ElementLocated, PictureCropped
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordingSink, with_recording
from walker.run_setup import new_recorder
from walker.runs.replay import replay_run
from walker.seams.actions import Action, Crop, FollowLink, Ground, ReadLetters
from walker.seams.outcome import Outcome
from walker.seams.protocols import Edges, TraceSink
from walker.settings import ChosenTool, ModelSettings, Settings
from walker.testing.fakes import EventList, Paper, PaperSite
from walker.walk.loop import walk

BUTTON = PageElement(
    id=2, kind="control", role="button", name="Book a table", text="", x=80.0, y=600.0, width=160.0, height=40.0,
    selector="#book",
)  # fmt: skip
LINK = PageElement(
    id=3, kind="link", role="link", name="Opening hours", text="", x=0.0, y=700.0, width=80.0, height=20.0
)
SHOWN = msgspec.structs.replace(VIEW, map=ElementMap(elements=(*VIEW.map.elements, BUTTON, LINK)))
HTML = page(
    "Menu",
    "<p>Our menu changes with the season, and with what the boats bring home.</p>"
    '<button id="book">Book a table</button> <a href="/hours.html">Opening hours</a>',
)
SITE: dict[str, str | Paper] = {**PAGES, HOME + "menu.html": msgspec.structs.replace(MENU, view=SHOWN, html=HTML)}
ON: frozenset[ChosenTool] = frozenset(("ocr", "ground"))
LETTERS = ReadLetters(box=WHOLE, image_index=1)


async def walked(made: Edges, sink: TraceSink, tools: frozenset[ChosenTool] = ON) -> Outcome:
    task = task_for(QUESTION)
    ruled = rules(task)
    policy = msgspec.structs.replace(ruled.policy, tools=tools)
    return await walk(task, made, msgspec.structs.replace(ruled, policy=policy), sink)


async def test_letters_are_read_and_no_vision_model_is_asked() -> None:
    for action, asked in ((LETTERS, 1), (Crop(box=WHOLE, image_index=1), 2)):
        vision, model = Loupe((*SOUP[:2], 9.0)), Loupe()
        events = EventList()
        await walked(edges(PaperSite(SITE), Script(FollowLink(link_id=1), action), vision, model), events)
        assert [request.view.frame.scale for request in vision.asked] == [1.0, 4.0]
        assert len(model.asked) == asked, "of the page itself, and of a crop"
        assert sum(isinstance(event, PictureCropped) for event in events.events) == 1


async def test_letters_answer() -> None:
    outcome = await walked(
        edges(PaperSite(SITE), Script(FollowLink(link_id=1), LETTERS), Loupe((*SOUP[:2], 3.0))), EventList()
    )
    assert outcome.answer.startswith("9.50")


async def test_a_part_is_read_once_by_whatever_tool() -> None:
    events = EventList()
    explorer = Script(FollowLink(link_id=1), LETTERS, Crop(box=WHOLE, image_index=1), LETTERS)
    await walked(edges(PaperSite(SITE), explorer, Loupe()), events)
    told = [event.reason for event in events.events if isinstance(event, ActionRefused)]
    assert told == ["picture 2 shows that part already"] * 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("the button to book a table", "button “Book a table”, control 1, at [0.1, 0.75, 0.3, 0.8] of picture 0"),
        ("opening hours link", "link “Opening hours”, link [1], at [0.0, 0.875, 0.1, 0.9] of picture 0"),
        ("the shopping cart", "no element of this page is called so"),
    ],
)
async def test_where_an_element_is_stands_among_the_steps(words: str, said: str) -> None:
    explorer, events = Script(FollowLink(link_id=1), Ground(words=words)), EventList()
    await walked(edges(PaperSite(SITE), explorer, Loupe()), events)
    (located,) = [event for event in events.events if isinstance(event, ElementLocated)]
    assert located.told.startswith(said)
    assert explorer.memories[-1].moves[-1].outcome == located.told


async def test_an_element_is_looked_for_once_and_not_without_words() -> None:
    events = EventList()
    explorer = Script(FollowLink(link_id=1), Ground(words="menu"), Ground(words="menu"), Ground(words=" "))
    await walked(edges(PaperSite(SITE), explorer, Loupe()), events)
    told = [event.reason for event in events.events if isinstance(event, ActionRefused)]
    assert told == ["this was looked for on this page already", "there are no words that say which element"]


@pytest.mark.parametrize("action", [LETTERS, Ground(words="menu")])
async def test_a_tool_that_is_not_switched_on_is_refused(action: Action) -> None:
    site, events = PaperSite(SITE), EventList()
    await walked(edges(site, Script(FollowLink(link_id=1), action), Loupe()), events, frozenset())
    assert [event.reason for event in events.events if isinstance(event, ActionRefused)] == [
        "this walk has no such tool"
    ]
    assert len(site.drawn) == 1


async def test_a_page_that_cannot_be_drawn_has_no_places() -> None:
    flat = {**SITE, HOME + "menu.html": msgspec.structs.replace(MENU, view=None)}
    events = EventList()
    await walked(edges(PaperSite(flat), Script(FollowLink(link_id=1), Ground(words="menu")), Loupe()), events)
    (located,) = [event for event in events.events if isinstance(event, ElementLocated)]
    assert (located.element, located.box, located.told) == (0, (), "the page cannot be drawn")


async def test_a_walk_with_both_replays(tmp_path: Path) -> None:
    settings = Settings(runs_folder=tmp_path, seed="seed", model=ModelSettings(name="m"), tools=("ocr", "ground"))
    recorder = new_recorder(task_for(QUESTION), settings)
    recording = Recording(recorder=recorder)
    explorer = Script(FollowLink(link_id=1), Ground(words="book a table"), LETTERS)
    made = with_recording(edges(PaperSite(SITE), explorer, Loupe((*SOUP[:2], 3.0))), recording)
    outcome = await walked(made, RecordingSink(recorder, recording))
    recorder.close()
    report = await replay_run(recorder.folder)
    assert report.outcome is not None
    assert report.outcome.answer == outcome.answer
