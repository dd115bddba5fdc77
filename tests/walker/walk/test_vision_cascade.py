"""The cascade in a walk: what is looked at, by whom, how often, and what the record says of it."""

from __future__ import annotations

import json

import msgspec
import numpy as np
import pytest

from memory.findings import Findings
from memory.state import WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UrlStack
from perception.document.reading import observe
from perception.element_map import View
from perception.geometry import Box
from perception.images.image import encode_picture
from perception.observation import Observation
from perception.snapshot import BlindRegion, Layout, Snapshot
from tests.fixtures.paper import HOME, crew_for, page, ranker, rules_for, task_for
from traces.events import FindingsAdded, GateDecided, PageLookedAt
from walker.rules.budget import Budget
from walker.rules.policy import Policy
from walker.rules.scope import WalkScope
from walker.seams.outcome import Outcome
from walker.seams.protocols import Edges, Look, LookRequest, Seen
from walker.seams.searches import start_address
from walker.settings import Limits, ModelSettings
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.model.model_critic import ModelCritic
from walker.strategies.model.model_talk import ModelTalk
from walker.strategies.strategy_assembly import model_strategies
from walker.testing.fakes import EventList, Paper, PaperSite, ScriptedChat
from walker.vision.builtin_vision import page_words
from walker.walk.loop import walk
from walker.walk.vision_cascade import (
    ask_vision_model,
    keep_look,
    keep_shown,
    read_words,
    refine,
    run_ocr,
    run_ocr_closer,
)
from walker.walk.walk_state import Reading, Rules, WalkContext, WalkState

QUESTION = "How much does the fish soup cost?"
CHART = BlindRegion(kind="media", box=Box(x=0, y=200, width=600, height=300), heading="Menu", near="Menu")
VIEW = View(
    url=HOME + "menu.html",
    picture=encode_picture(np.zeros((8, 8, 3), np.uint8)),
    width=8,
    height=8,
    shown=Box(x=0, y=0, width=800, height=800),
    prints=(1, 2),
)
WORDS = "<p>Our menu changes with the season, and with what the boats bring home.</p>"
MENU = Paper(
    html=page("Menu", WORDS), view=VIEW, layout=Layout(viewport_width=800, viewport_height=800, blind=(CHART,))
)
PAGES: dict[str, str | Paper] = {
    HOME: page("Cafe", '<p>A cafe by the harbour.</p><a href="/menu.html">Menu</a>'),
    HOME + "menu.html": MENU,
}


class Eye:
    """A vision model with a scripted result."""

    def __init__(self, *texts: str) -> None:
        self._look = Look(
            seen=tuple(Seen(text=text, source="ocr", box=Box(x=9, y=210, width=90, height=20)) for text in texts),
            model="told",
            regions=1,
        )
        self.asked: list[LookRequest] = []

    def says(self, look: Look) -> None:
        """Give this instead."""
        self._look = look

    async def look(self, request: LookRequest) -> Look:
        self.asked.append(request)
        return self._look


def edges(site: PaperSite, vision: Eye, model: Eye | None = None) -> Edges:
    plain = crew_for(site)
    return Edges(
        browser=site,
        reader=plain.reader,
        vision=vision,
        explorer=plain.explorer,
        critic=plain.critic,
        vision_model=model,
    )


async def walked(
    made: Edges, *, may_look: bool = True, question: str = QUESTION, looks: int = 15
) -> tuple[Outcome, EventList]:
    task, events = task_for(question), EventList()
    rules = Rules(
        policy=Policy(scope=WalkScope(root_url=task.root_url, kind="host"), max_depth=5),
        budget=Budget(limits=Limits(looks=looks)),
        threshold=70,
        may_look=may_look,
        similarity=lambda one, other: ranker().similarities(one, [other])[0],
    )
    return await walk(task, made, rules, events), events


def gates(events: EventList) -> list[str]:
    return [event.choice for event in events.events if isinstance(event, GateDecided)]


async def test_a_page_whose_text_is_trusted_is_not_drawn() -> None:
    vision = Eye("never")
    outcome, events = await walked(
        edges(PaperSite({HOME: page("Soup", "<p>The fish soup costs 9.50 EUR.</p>")}), vision)
    )
    assert vision.asked == []
    assert set(gates(events)) == {"read"}
    assert outcome.usage.vision_calls == 0


async def test_what_ocr_reads_answers_and_is_cited() -> None:
    vision, model = Eye("Fish soup | 9.50 EUR"), Eye("never")
    outcome, events = await walked(edges(PaperSite(PAGES), vision, model))
    assert outcome.answer.startswith("9.50")
    assert outcome.citations[0].quote == "Fish soup | 9.50 EUR"
    assert outcome.citations[0].url == HOME + "menu.html"
    assert [request.regions for request in vision.asked] == [(CHART.box,)], "exactly the blind rectangles"
    assert model.asked == [], "what was read is enough"
    assert gates(events)[-2:] == ["glance", "read"]
    assert outcome.usage.vision_calls == 1


async def test_what_ocr_cannot_read_goes_to_the_model_once() -> None:
    vision, model = Eye(), Eye("Fish soup | 9.50 EUR")
    outcome, events = await walked(edges(PaperSite(PAGES), vision, model))
    assert outcome.answer.startswith("9.50")
    assert len(model.asked) == 1
    assert gates(events)[-2:] == ["glance", "look"]
    looked = [event for event in events.events if isinstance(event, PageLookedAt)]
    assert [(event.model, event.regions) for event in looked] == [("told", 1), ("told", 1)]


async def test_what_a_picture_shows_is_a_finding_though_it_does_not_answer() -> None:
    shows = "a menu of a harbour restaurant, soups at its top"
    model = Eye()
    model.says(Look(seen=(Seen(text=shows, source="model"),), shows=shows, model="told", regions=1))
    _, events = await walked(edges(PaperSite(PAGES), Eye(), model))
    found = [one for event in events.events if isinstance(event, FindingsAdded) for one in event.findings]
    kept = [one for one in found if one["quote"] == shows]
    assert [(one["text"], one["url"], one["score"] < 0.5) for one in kept] == [(shows, HOME + "menu.html", True)]


@pytest.mark.parametrize(
    "shows",
    [
        "decorative photo, no prices shown",
        "a group photo of people on a quay",
        "a timetable of boats, the fish soup is not listed",
        "a map of the harbour; the answer is not here",
        "a list of soups, what the fish soup costs is not shown",
    ],
)
async def test_a_look_that_found_nothing_is_told_by_its_step_and_is_no_finding(shows: str) -> None:
    model = Eye()
    model.says(Look(seen=(Seen(text=shows, source="model"),), shows=shows, model="told", regions=1))
    context, state = await on_the_menu(PaperSite(PAGES), Eye())
    context = msgspec.structs.replace(context, edges=edges(PaperSite(PAGES), Eye(), model))
    assert isinstance(await context.edges.browser.open(HOME + "menu.html"), Snapshot)
    for stage in (*refine(run_ocr, run_ocr_closer, ask_vision_model), keep_look, keep_shown):
        state = await stage(context, state)
    assert len(model.asked) == 1
    assert state.found.findings == ()
    assert [(note.what, note.outcome) for note in state.memory.moves] == [("look at a picture", shows)]


async def test_without_vision_nothing_is_looked_at() -> None:
    vision = Eye("Fish soup | 9.50 EUR")
    outcome, events = await walked(edges(PaperSite(PAGES), vision), may_look=False)
    assert vision.asked == []
    assert not outcome.answer.startswith("9.50")
    reasons = [event.reason for event in events.events if isinstance(event, GateDecided)]
    assert "vision is switched off" in reasons or len(reasons) == 1


async def test_a_page_that_cannot_be_drawn_is_read_by_its_own_words() -> None:
    html = page("Menu", WORDS + "<img src=m.png width=600 height=300 title='Fish soup 9.50 EUR'>")
    site = PaperSite({**PAGES, HOME + "menu.html": Paper(html=html, layout=MENU.layout)})

    class Words:
        async def look(self, request: LookRequest) -> Look:
            assert request.view.picture == b""
            return Look(seen=tuple(Seen(text=text, source="page") for text in page_words(request.observation)))

    made = edges(site, Eye())
    outcome, _ = await walked(
        Edges(browser=site, reader=made.reader, vision=Words(), explorer=made.explorer, critic=made.critic)
    )
    assert outcome.answer.startswith("9.50")


async def on_the_menu(site: PaperSite, vision: Eye) -> tuple[WalkContext, WalkState]:
    """A walk whose critic has read the menu and found nothing; nobody has looked at it."""
    task = task_for(QUESTION)
    context = WalkContext(task=task, edges=edges(site, vision), rules=rules_for(task), sink=EventList())
    opened = await site.open(HOME + "menu.html")
    assert isinstance(opened, Snapshot)
    observation, key = observe(opened), key_of(opened.final_url)
    frame = Frame(url=opened.final_url, key=key, title="Menu", reason="test")
    state = WalkState(memory=WalkMemory(step=1, stack=UrlStack().push(frame)), shown_key=key)
    return context, begin_reading(state.saw_page(key, observation, opened.fetched_at), observation)


def begin_reading(state: WalkState, observation: Observation) -> WalkState:
    return msgspec.structs.replace(state, reading=Reading(observation=observation, findings=Findings()))


async def looked_at(context: WalkContext, state: WalkState) -> WalkState:
    for stage in (*refine(run_ocr, run_ocr_closer, ask_vision_model), keep_look):
        state = await stage(context, state)
    return state


@pytest.mark.parametrize(("prints", "looks"), [((1, 2), 1), ((1, 2 ^ 0b111), 1), ((1, 2 ^ 0xFFF), 2), ((1,), 2)])
async def test_a_page_is_looked_at_again_only_if_it_changed(prints: tuple[int, ...], looks: int) -> None:
    picture = encode_picture(np.full((8, 8, 3), sum(prints) % 200, np.uint8))
    changed = msgspec.structs.replace(VIEW, prints=prints, picture=picture)
    site = PaperSite(PAGES)
    vision = Eye("Ginger beer | 3.10 EUR")
    context, state = await on_the_menu(site, vision)
    observation = state.page.observation
    for view in (VIEW, changed):
        site.show(view)
        state = await looked_at(context, begin_reading(state, observation))
        assert "Ginger beer | 3.10 EUR" in state.page.observation.seen_text
    assert len(vision.asked) == looks


async def test_a_browser_that_was_elsewhere_is_brought_back_first() -> None:
    site, vision = PaperSite(PAGES), Eye("Ginger beer | 3.10 EUR")
    context, state = await on_the_menu(site, vision)
    await site.open(HOME + "walker-probe")
    await looked_at(context, msgspec.structs.replace(state, shown_key=""))
    assert site.opened[-1] == HOME + "menu.html"
    assert vision.asked[0].view.prints == VIEW.prints


BOARD = msgspec.structs.replace(CHART, source=HOME + "board.png")
MOVED = msgspec.structs.replace(BOARD, box=Box(x=100, y=400, width=300, height=150))


async def test_a_picture_is_read_once_on_all_pages() -> None:
    drinks = page("Menu", WORDS)
    site = PaperSite(
        {
            HOME + "menu.html": Paper(html=drinks, view=VIEW, layout=Layout(blind=(BOARD,))),
            HOME + "drinks.html": Paper(html=drinks, view=VIEW, layout=Layout(blind=(MOVED,))),
        }
    )
    vision = Eye("Ginger beer | 3.10 EUR")
    context, state = await on_the_menu(site, vision)
    state = await looked_at(context, state)
    opened = await site.open(HOME + "drinks.html")
    assert isinstance(opened, Snapshot)
    key = key_of(opened.final_url)
    frame = Frame(url=opened.final_url, key=key, title="Drinks", reason="test")
    state = msgspec.structs.replace(state.remember(stack=state.memory.stack.push(frame)), shown_key=key)
    state = await looked_at(context, begin_reading(state.saw_page(key, observe(opened), 2.0), observe(opened)))
    assert "Ginger beer | 3.10 EUR" in state.page.observation.seen_text
    assert [request.regions for request in vision.asked if request.view.picture] == [(BOARD.box,)]
    assert len(site.drawn) == 1
    seen = state.under_way.look.seen[0]
    assert seen.box == Box(x=104.5, y=405.0, width=45.0, height=10.0), "at the place where the picture stands now"


class Reads:
    """Reads one line of a height in CSS pixels, or nothing."""

    def __init__(self, height: float) -> None:
        self._height = height

    async def look(self, request: LookRequest) -> Look:
        box = Box(x=9, y=210, width=90, height=self._height)
        seen = (Seen(text="Ginger beer | 3.10 EUR", source="ocr", box=box),) if self._height else ()
        return Look(seen=seen, model="reads", regions=1)


@pytest.mark.parametrize(
    ("detail", "height", "scales"),
    [
        (2.5, 12, [1.0, 2.5]),
        (2.5, 30, [1.0]),
        (2.5, 0, [1.0]),
        (3.5, 0, [1.0, 3.5]),
    ],
)
async def test_a_picture_is_drawn_larger_where_its_letters_are_small_or_may_be(
    detail: float, height: float, scales: list[float]
) -> None:
    board = msgspec.structs.replace(
        CHART, source=HOME + "board.png", detail=detail, near="How much does the fish soup cost"
    )
    site = PaperSite({HOME + "menu.html": Paper(html=page("Menu", WORDS), view=VIEW, layout=Layout(blind=(board,)))})
    context, state = await on_the_menu(site, Eye())
    context = msgspec.structs.replace(context, edges=msgspec.structs.replace(context.edges, vision=Reads(height)))
    await looked_at(context, state)
    assert [scale for _, scale in site.drawn] == scales


async def test_a_picture_that_stands_on_many_pages_is_not_looked_at() -> None:
    site, vision = PaperSite(PAGES), Eye("never")
    context, state = await on_the_menu(site, vision)
    observation = msgspec.structs.replace(state.page.observation, blind=(BOARD,))
    for number in range(3):
        state = state.saw_page(f"page {number}", observation, float(number))
    await looked_at(context, begin_reading(state, observation))
    assert vision.asked == []


@pytest.mark.parametrize(("threshold", "looks"), [(100.0, 1), (0.0, 0)])
async def test_the_papers_gate_looks_at_the_whole_page(threshold: float, looks: int) -> None:
    site, vision = PaperSite(PAGES), Eye("Ginger beer | 3.10 EUR")
    context, state = await on_the_menu(site, vision)
    rules = msgspec.structs.replace(context.rules, gate="paper", threshold=threshold)
    await looked_at(msgspec.structs.replace(context, rules=rules), state)
    assert [request.view for request in vision.asked] == [VIEW] * looks


def test_an_observation_keeps_its_blind_rectangles() -> None:
    assert Observation(url="u", status=200, blind=(CHART,)).blind == (CHART,)


async def test_the_page_of_the_questions_picture_is_read_once_its_picture_was() -> None:
    site = PaperSite(PAGES)
    context, state = await on_the_menu(site, Eye())
    start = Observation(url=start_address((HOME,), "ab" * 32), status=200, blocks=state.under_way.observation.blocks)
    chat = ScriptedChat(lambda _: "{}")
    critic = ModelCritic(ModelTalk(chat, ModelSettings(name="told"), "seed"), ranker(), BuiltinCritic(ranker()))
    context = msgspec.structs.replace(context, edges=msgspec.structs.replace(context.edges, critic=critic))
    unread = msgspec.structs.replace(state, reading=Reading(observation=start))
    state = await read_words(context, unread)
    assert state.found == Findings()
    assert chat.asked == []
    read = msgspec.structs.replace(start, seen_text=("Fish soup",))
    await read_words(context, msgspec.structs.replace(state, reading=Reading(observation=read)))
    assert chat.asked != []


@pytest.mark.parametrize(("is_enough", "glances"), [(True, 0), (False, 1)])
async def test_after_a_page_that_is_enough_no_picture_is_looked_at(is_enough: bool, glances: int) -> None:
    """Though the question points to a picture."""
    prices = page("Menu", "<p>The fish soup costs 9.50 EUR, says the menu.</p>")
    site = PaperSite({HOME: Paper(html=prices, view=VIEW, layout=MENU.layout)})
    found = {"answer": "9.50 EUR", "quote": "The fish soup costs 9.50 EUR", "confidence": 40}
    step = {
        "relevance": 40,
        "findings": [found],
        "sufficient": is_enough,
        "answer": "9.50 EUR",
        "cite": [1],
        "action": "answer",
    }
    chat = ScriptedChat(lambda _: json.dumps(step))
    explorer, critic = model_strategies(chat, ModelSettings(name="told"), ranker(), seed="seed")
    vision = Eye("Open daily")
    made = msgspec.structs.replace(edges(site, vision), explorer=explorer, critic=critic)
    await walked(made, question="How much does the fish soup in the picture of the menu cost?")
    assert len(vision.asked) == glances
    assert [one.schema_name for one in chat.asked] == ["step"] if is_enough else len(chat.asked) > 1
