"""Laws of the loop: a stage is a function of the state that it is given, and what it is given stays as it was."""

from __future__ import annotations

import msgspec
import numpy as np
import pytest

from memory.url_stack import UrlStack
from perception.element_map import View
from perception.geometry import Box
from perception.images.image import encode_picture
from perception.snapshot import BlindRegion, Layout
from tests.fixtures.paper import HOME, crew_for, page, rules_for, task_for
from walker.seams.actions import Click, Enlarge, Move, Open, Operate, Pop, Return
from walker.seams.protocols import Look, LookRequest, Seen
from walker.seams.web.asked_person import Choice, Pause, Picked
from walker.testing.fakes import EventList, Paper, PaperSite
from walker.walk.arrival import check_viability, take_move
from walker.walk.choosing import final_reason, load_ahead, stop_reason
from walker.walk.closing import begin_walk
from walker.walk.reading import count_items, judge_findings, keep_findings
from walker.walk.vision_cascade import READ_PAGE, READ_PART
from walker.walk.walk_state import CloserLook, Fresh, NothingNew, Stage, WalkContext, WalkState, count_pause

MENU, SOUPS = HOME + "menu.html", HOME + "soups.html"
BOARD = Box(x=0.0, y=200.0, width=400.0, height=200.0)
BLIND = BlindRegion(kind="media", box=BOARD, heading="Menu", near="Menu", detail=2.0)
VIEW = View(
    url=MENU,
    picture=encode_picture(np.full((800, 800, 3), 255, np.uint8)),
    width=800,
    height=800,
    shown=Box(x=0.0, y=0.0, width=800.0, height=800.0),
    prints=(1, 2),
)
PAGES: dict[str, str | Paper] = {
    HOME: page(
        "Cafe", '<p>A cafe that has soup and fish.</p><a href="/menu.html">Menu</a><a href="/soups.html">Soups</a>'
    ),
    MENU: Paper(
        html=page("Menu", "<p>Our menu of soup and fish changes with the season.</p><button id=more>More</button>"),
        view=VIEW,
        layout=Layout(viewport_width=800, viewport_height=800, page_height=800, blind=(BLIND,)),
        controls={"#more": SOUPS},
    ),
    SOUPS: page("Soups", "<p>There are three soups with fish, and the kitchen makes one of them each day.</p>"),
}
LEARN: tuple[Stage, ...] = (keep_findings, count_items, judge_findings)
ROOT, TO_MENU, TO_SOUPS = Open(url=HOME), Open(url=MENU), Open(url=SOUPS)
PRESS = Operate(action=Click(control_id=1), selector="#more")
PART = Enlarge(box=BOARD, scale=4.0, image_index=1)


class Eye:
    """Sees one line in whatever it is shown; a vision model gives it as the answer too."""

    def __init__(self, text: str, answer: str = "") -> None:
        self._look = Look(
            seen=(Seen(text=text, source="ocr", box=Box(x=9.0, y=210.0, width=90.0, height=12.0)),),
            answer=answer,
            model="eye",
            regions=1,
        )

    async def look(self, request: LookRequest) -> Look:
        return self._look


def context_of(site: PaperSite) -> tuple[WalkContext, EventList]:
    task, events = task_for("How much does the fish soup cost?"), EventList()
    edges = msgspec.structs.replace(
        crew_for(site), vision=Eye("Ginger beer | 3.10 EUR"), vision_model=Eye("Fish soup | 9.50 EUR", "9.50 EUR")
    )
    rules = msgspec.structs.replace(
        rules_for(task), threshold=100.0, look_threshold=100.0, side_by_side=True, prefetch=lambda _, __: (1, 2)
    )
    return WalkContext(task=task, edges=edges, rules=rules, sink=events), events


async def led(context: WalkContext, *moves: Move) -> tuple[WalkState, object]:
    """The state after moves, each page of which was read."""
    state, page = begin_walk(context), NothingNew()
    for move in moves:
        if not isinstance(page, NothingNew):
            for stage in (*(READ_PAGE if isinstance(page, Fresh) else READ_PART), *LEARN):
                state = await stage(context, state)
        state, page = await check_viability(context, *await take_move(context, state, move))  # type: ignore[assignment]
    return state, page


@pytest.mark.parametrize(
    ("moves", "kind", "stages"),
    [
        ((ROOT,), Fresh, (load_ahead, *READ_PAGE, *LEARN)),
        ((ROOT, TO_MENU), Fresh, (load_ahead, *READ_PAGE, *LEARN)),
        ((ROOT, TO_MENU, PART), CloserLook, (*READ_PART, *LEARN)),
    ],
)
async def test_a_stage_gives_the_same_for_the_same_state_and_leaves_it_as_it_was(
    moves: tuple[Move, ...], kind: type, stages: tuple[Stage, ...]
) -> None:
    context, _ = context_of(PaperSite(PAGES))
    state, page = await led(context, *moves)
    assert isinstance(page, kind)
    changed = 0
    for stage in stages:
        before = msgspec.json.encode(state)
        after = await stage(context, state)
        assert await stage(context, state) == after
        assert msgspec.json.encode(state) == before
        changed += after != state
        state = after
    assert changed >= 3, "the stages do something"


async def test_the_passes_look_and_what_they_see_stays_with_the_page() -> None:
    context, _ = context_of(PaperSite(PAGES))
    state, _ = await led(context, ROOT, TO_MENU, Pop())
    menu = state.pages[next(key for key in state.pages if key.endswith("/menu.html"))]
    assert state.looks >= 2
    assert menu.looked is not None
    assert {"Ginger beer | 3.10 EUR", "Fish soup | 9.50 EUR"} <= set(menu.observation.seen_text)


@pytest.mark.parametrize("move", [TO_SOUPS, PRESS, Return(depth=1, url=SOUPS), Pop(), PART])
async def test_a_move_leaves_the_state_that_it_is_given(move: Move) -> None:
    context, _ = context_of(PaperSite(PAGES))
    state, _ = await led(context, ROOT, TO_MENU)
    before = msgspec.json.encode(state)
    moved, _ = await take_move(context, state, move)
    assert moved != state
    assert msgspec.json.encode(state) == before


@pytest.mark.parametrize("move", [TO_SOUPS, PRESS, Return(depth=1, url=SOUPS)])
async def test_a_page_is_entered_alike_however_it_is_come_to(move: Move) -> None:
    context, events = context_of(PaperSite(PAGES))
    state, _ = await led(context, ROOT, TO_MENU)
    told = len(events.events)
    state, page = await take_move(context, state, move)
    assert isinstance(page, Fresh)
    assert state.frame.url == SOUPS
    assert state.memory.stack.has_entered(state.frame.key)
    assert state.shown_key == state.frame.key
    assert (state.memory.pages[-1].url, state.memory.pages[-1].outcome) == (SOUPS, "read")
    assert [kind for kind in events.kinds()[told:] if kind != "stack"] == ["page.open", "obs"]
    assert events.kinds()[-1] == "stack"


async def test_a_page_that_cannot_be_had_leaves_the_walk_standing() -> None:
    context, _ = context_of(PaperSite(PAGES))
    state, _ = await led(context, ROOT)
    gone, page = await check_viability(context, *await take_move(context, state, Open(url=HOME + "gone.html")))
    assert isinstance(page, NothingNew)
    assert gone.frame == state.memory.stack.enter(HOME.removesuffix("/") + "/gone.html").top
    assert [note.outcome for note in gone.memory.pages] == ["read", "read"]


async def test_the_time_in_which_a_person_was_asked_is_left_out_of_that_between_pages() -> None:
    context, _ = context_of(PaperSite(PAGES))
    state, _ = await led(context, ROOT)
    pause = Pause(kind="next step", text="Where to?", choices=(Choice(text="here"),))
    asked = count_pause(context, state, Picked(pause=pause, seconds=60.0))
    assert asked.elapsed == state.elapsed, "no page has come since"
    at = state.last_seen + 75.0
    later = asked.saw_page(state.frame.key, state.page.observation, at)
    assert later.elapsed == pytest.approx(state.elapsed + 15.0)
    assert count_pause(context, later, Picked(pause=pause, seconds=30.0)).elapsed == later.elapsed


async def test_reasons_to_stop_are_read_off_the_state() -> None:
    context, _ = context_of(PaperSite(PAGES))
    state, _ = await led(context, ROOT)
    assert stop_reason(context, state) is None
    sufficient = msgspec.structs.replace(state.verdict, sufficient=True)
    assert stop_reason(context, msgspec.structs.replace(state, verdict=sufficient)) == "answered"
    assert stop_reason(context, msgspec.structs.replace(state, last_seen=state.first_seen + 1e9)) == "budget"
    assert final_reason(context, state) == "gave up", "links of the root are untried"
    everything = UrlStack().push(msgspec.structs.replace(state.frame, untried=()))
    assert final_reason(context, state.remember(stack=everything)) == "exhausted"
