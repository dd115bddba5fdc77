"""A crop as a step of a walk: who may ask for it, what is seen then, and that its record replays, resumes and forks."""

from __future__ import annotations

import json
import time
from pathlib import Path

import msgspec
import numpy as np
import pytest

from memory.state import WalkMemory
from memory.url_key import key_of
from perception.element_map import ElementMap, PageElement, View
from perception.geometry import Box
from perception.images.image import decode_picture, encode_picture
from perception.observation import Observation
from perception.page_pictures import Shares
from perception.snapshot import BlindRegion, Layout
from tests.fixtures.paper import HOME, crew_for, page, ranker, task_for
from traces.events import ActionRefused, EdgeCall, MoveTaken, PageLookedAt, PictureCropped
from traces.export.training.sharegpt import sharegpt_line
from traces.export.training.trajectory import trajectory_of
from traces.export.training.trl import trl_line
from traces.reading.reader import read_run
from traces.reading.steps import walk_of
from traces.recorded_calls import RecordedCalls
from traces.store.recorder import Recorder
from walker.recording.recording import Recording
from walker.recording.recording_proxies import ComparingSink, RecordingSink, ResumingSink, with_recording
from walker.rules.budget import Budget
from walker.rules.cropping import CropRules
from walker.rules.policy import Policy
from walker.rules.scope import WalkScope
from walker.run_setup import new_recorder
from walker.runs.replay import replay_run, task_of
from walker.runs.training.line_files import pictures_of
from walker.runs.training.trajectories import tools_of
from walker.seams.actions import Action, Crop, FollowLink, GiveAnswer, GoBack, Refusal
from walker.seams.outcome import Outcome, StopReason
from walker.seams.protocols import (
    Edges,
    Explorer,
    Look,
    LookRequest,
    PageFailure,
    Seen,
    TraceSink,
    Verdict,
    VisionModel,
)
from walker.seams.task import Task
from walker.settings import Limits, Settings
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.builtin.builtin_explorer import BuiltinExplorer
from walker.strategies.reader.passage_reader import NetReader
from walker.testing.fakes import EventList, Paper, PaperSite
from walker.walk.loop import walk
from walker.walk.walk_state import Rules

QUESTION = "How much does the fish soup cost?"
BOARD = BlindRegion(kind="media", box=Box(x=0.0, y=200.0, width=400.0, height=200.0), heading="Menu", near="Menu")
WHOLE: Shares = (0, 0, 1, 1)
VIEW = View(
    url=HOME + "menu.html",
    picture=encode_picture(np.full((800, 800, 3), 255, np.uint8)),
    width=800,
    height=800,
    shown=Box(x=0.0, y=0.0, width=800.0, height=800.0),
    map=ElementMap(
        elements=(
            PageElement(
                id=1,
                kind="text",
                role="text",
                name="",
                text="Printed soup 3.10",
                x=10.0,
                y=250.0,
                width=150.0,
                height=20.0,
            ),
        )
    ),
    prints=(1, 2),
)
MENU = Paper(
    html=page("Menu", "<p>Our menu changes with the season, and with what the boats bring home.</p>"),
    view=VIEW,
    layout=Layout(viewport_width=800, viewport_height=800, page_height=800, blind=(BOARD,)),
)
PAGES: dict[str, str | Paper] = {
    HOME: page("Cafe", '<p>A cafe by the harbour.</p><a href="/menu.html">Menu</a>'),
    HOME + "menu.html": MENU,
}
AROUND = Box(x=0.0, y=176.0, width=424.0, height=248.0)
"""The board with what is close around it, as it is drawn for the first look."""
CORNER = Box(x=200.0, y=300.0, width=200.0, height=100.0)
Text = tuple[str, Box, float]
"""What is written, where, and the scale from which it can be read."""
SOUP: Text = ("Fish soup | 9.50 EUR", Box(x=210.0, y=310.0, width=90.0, height=6.0), 6.0)
COLD: Text = ("Printed soup 3.10", Box(x=10.0, y=250.0, width=100.0, height=6.0), 2.0)


class Loupe:
    """OCR that reads what is large enough, in the regions requested."""

    def __init__(self, *texts: Text) -> None:
        self._texts = texts
        self.asked: list[LookRequest] = []

    async def look(self, request: LookRequest) -> Look:
        self.asked.append(request)
        scale = request.view.frame.scale
        seen = [
            Seen(text=text, source="ocr", box=box)
            for text, box, least in self._texts
            if scale >= least and any(box.share_in(region) > 0.9 for region in request.regions)
        ]
        return Look(seen=tuple(seen), model="loupe", regions=len(request.regions))


class Unsatisfied(BuiltinCritic):
    """The built-in critic, for which nothing is enough: the walk goes on, however sure an answer is."""

    async def judge(self, task: Task, memory: WalkMemory) -> Verdict:
        return msgspec.structs.replace(await super().judge(task, memory), sufficient=False)


class Script:
    """An explorer that proposes a list of actions, then the end of the walk."""

    def __init__(self, *actions: Action) -> None:
        self._actions = list(actions)
        self.shown: list[tuple[Observation, tuple[Refusal, ...]]] = []
        self.memories: list[WalkMemory] = []

    async def propose(
        self, task: Task, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]
    ) -> Action:
        self.shown.append((observation, refused))
        self.memories.append(memory)
        return self._actions[len(self.shown) - 1] if len(self.shown) <= len(self._actions) else GiveAnswer()


def rules(task: Task, *, looks: int = 15, may_look: bool = True) -> Rules:
    crops = CropRules(may_look=may_look, looks=looks)
    return Rules(
        policy=Policy(scope=WalkScope(root_url=task.root_url, kind="host"), max_depth=5, crops=crops),
        budget=Budget(limits=Limits(looks=looks)),
        threshold=70.0,
        may_look=may_look,
        similarity=lambda one, other: ranker().similarities(one, [other])[0],
    )


def edges(
    site: PaperSite, explorer: Explorer, vision: VisionModel | None = None, model: VisionModel | None = None
) -> Edges:
    return msgspec.structs.replace(
        crew_for(site),
        vision=vision or Loupe(SOUP, COLD),
        explorer=explorer,
        vision_model=model,
    )


async def walked(made: Edges, sink: TraceSink, **more: int) -> Outcome:
    task = task_for(QUESTION)
    return await walk(task, made, rules(task, **more), sink)  # type: ignore[arg-type]


TWICE = (FollowLink(link_id=1), Crop(box=WHOLE, image_index=1), Crop(box=(0.5, 0.5, 1, 1), image_index=2))


async def test_a_crop_of_a_crop_is_drawn_anew_read_and_answers() -> None:
    site, explorer, vision, events = PaperSite(PAGES), Script(*TWICE), Loupe(SOUP, COLD), EventList()
    outcome = await walked(edges(site, explorer, vision), events)
    assert outcome.answer.startswith("9.50")
    assert outcome.citations[0].quote == SOUP[0]
    assert (outcome.stop_reason, outcome.pages, outcome.steps) == (StopReason.ANSWERED, 2, 2)
    assert site.drawn == [(AROUND, 1.0), (BOARD.box, 4.0), (CORNER, 8.0)]
    cropped = [event for event in events.events if isinstance(event, PictureCropped)]
    assert [(event.image_index, event.number, event.box) for event in cropped] == [
        (1, 2, (0, 200, 400, 200)),
        (2, 3, (CORNER.x, CORNER.y, CORNER.width, CORNER.height)),
    ]
    looks = [event for event in events.events if isinstance(event, PageLookedAt)]
    assert outcome.usage.vision_calls == len(looks) == len(vision.asked)
    assert [request.regions for request in vision.asked] == [(BOARD.box,), (BOARD.box,), (CORNER,)], "exactly that part"
    assert vision.asked[-1].blind[0].heading == "Menu", "what is read stands under the heading of the picture"
    assert [event.move for event in events.events if isinstance(event, MoveTaken)] == ["Open", "Enlarge", "Enlarge"]
    last, _ = explorer.shown[-1]
    assert [(picture.of, picture.scale, picture.texts) for picture in last.pictures] == [
        (-1, 0.0, ()),
        (-1, 1.0, ()),
        (1, 4.0, ()),
    ]
    assert COLD[0] not in last.seen_text, "what the text says at that place is not read twice"


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (Crop(box=WHOLE, image_index=7), "there is no picture 7; there are 2, counted from 0"),
        (Crop(box=(0.5, 0, 0.5, 1), image_index=1), "is not a box"),
        (Crop(box=(0, 0, 1.5, 1), image_index=1), "is not a box"),
        (Crop(box=(0, 0, 0.001, 1), image_index=1), "at least 4 are needed"),
    ],
)
async def test_what_is_no_part_is_refused_with_a_reason_for_the_explorer(action: Crop, said: str) -> None:
    explorer, events = Script(FollowLink(link_id=1), action), EventList()
    site = PaperSite(PAGES)
    await walked(edges(site, explorer), events)
    _, (refusal,) = explorer.shown[-1]
    assert refusal.action == action
    assert said in refusal.reason
    assert [event.reason for event in events.events if isinstance(event, ActionRefused)] == [refusal.reason]
    assert site.drawn == [(AROUND, 1.0)]


async def test_a_part_is_not_looked_at_twice_and_a_closer_part_of_it_is() -> None:
    explorer = Script(
        FollowLink(link_id=1),
        Crop(box=WHOLE, image_index=1),
        Crop(box=WHOLE, image_index=1),
        Crop(box=(0.01, 0, 1, 1), image_index=1),
        Crop(box=(0, 0, 0.5, 0.5), image_index=1),
        Crop(box=(0, 0, 0.5, 0.5), image_index=2),
        Crop(box=(0, 0, 0.5, 0.5), image_index=3),
    )
    await walked(edges(PaperSite(PAGES), explorer, Loupe()), EventList())
    told = [refused[-1].reason if refused else "" for _, refused in explorer.shown]
    assert told[:6] == ["", "", "", *["picture 2 shows that part already"] * 2, ""]
    assert told[6] == "picture 3 shows that part already", "through whatever picture it is asked for"
    assert "cannot be drawn any larger, and was seen 8 times as large" in told[7]


class Focusing:
    """OCR that misreads a letter of what is small."""

    async def look(self, request: LookRequest) -> Look:
        is_close = request.view.frame.scale > 1
        text, confidence = ("Soup of the day 3.70", 0.99) if is_close else ("Soup of the day 8.70", 0.6)
        seen = Seen(text=text, source="ocr", box=COLD[1], confidence=confidence)
        return Look(seen=(seen,), model="loupe", regions=1)


async def test_what_a_crop_reads_anew_takes_the_place_of_what_was_read_before() -> None:
    script = Script(FollowLink(link_id=1), Crop(box=WHOLE, image_index=1))
    await walked(edges(PaperSite(PAGES), script, Focusing()), EventList())
    texts = [block.text for block in script.shown[-1][0].blocks if block.pictured]
    assert texts == ["Soup of the day 3.70"]


async def test_looks_are_charged_and_end() -> None:
    parts = [Crop(box=(0.1 * at, 0, 0.1 * at + 0.1, 1), image_index=1) for at in range(8)]
    for looks, may, drawn, said in (
        (3, True, 3, "3 looks at pictures were made, as many as this walk may"),
        (0, True, 9, "8 parts of this page were looked at closely already"),
        (15, False, 0, "vision is switched off"),
    ):
        explorer, site = Script(FollowLink(link_id=1), *parts, Crop(box=WHOLE, image_index=1)), PaperSite(PAGES)
        outcome = await walked(edges(site, explorer, Loupe()), EventList(), looks=looks, may_look=may)
        assert len(site.drawn) == outcome.usage.vision_calls == drawn
        assert explorer.shown[-1][1][0].reason == said


async def test_a_page_of_nothing_but_text_has_no_picture() -> None:
    explorer = Script(Crop(box=WHOLE))
    await walked(edges(PaperSite(PAGES), explorer), EventList())
    assert explorer.shown[-1][1][0].reason == "this page has no picture; its text is all there is"


async def test_a_part_that_cannot_be_drawn_is_noted_and_not_requested_again() -> None:
    flat = {**PAGES, HOME + "menu.html": msgspec.structs.replace(MENU, view=None)}
    below = Layout(viewport_width=800, viewport_height=800, page_height=5000, blind=(BOARD,))
    short = {**PAGES, HOME + "menu.html": msgspec.structs.replace(MENU, layout=below)}
    for pages, part, why in (
        (flat, Crop(box=WHOLE, image_index=1), "the page cannot be drawn"),
        (short, Crop(box=(0, 0.9, 1, 1)), "nothing is drawn there"),
    ):
        explorer, events = Script(FollowLink(link_id=1), part, part), EventList()
        await walked(edges(PaperSite(pages), explorer), events)
        (cropped,) = [event for event in events.events if isinstance(event, PictureCropped)]
        assert cropped.failure == why
        assert "picture 2 shows that part already" in explorer.shown[-1][1][0].reason


async def test_what_ocr_cannot_read_goes_to_the_vision_model() -> None:
    explorer, vision, model = Script(*TWICE[:2]), Loupe(), Loupe((*SOUP[:2], 3.0))
    outcome = await walked(edges(PaperSite(PAGES), explorer, vision, model), EventList())
    assert outcome.answer.startswith("9.50")
    assert [request.view.frame.scale for request in model.asked] == [1.0, 4.0]
    assert model.asked[-1].regions == (BOARD.box,)


async def test_an_earlier_page_is_brought_back_before_it_is_cropped_and_keeps_its_own_note() -> None:
    both: dict[str, str | Paper] = {
        HOME: msgspec.structs.replace(MENU, html=page("Cafe", '<p>A cafe.</p><a href="/boats.html">Boats</a>')),
        HOME + "boats.html": page("Boats", "<p>The boats are at sea, and bring home fish for the soup.</p>"),
    }
    explorer, site = Script(FollowLink(link_id=1), GoBack(), Crop(box=WHOLE, image_index=1)), PaperSite(both)
    outcome = await walked(edges(site, explorer, Loupe((*SOUP[:2], 4.0))), EventList())
    assert site.opened[-1] == HOME
    assert HOME + "boats.html" in site.opened
    beer = Loupe(("Ginger beer for the boats | 3.10 EUR", SOUP[1], 4.0))
    explorer = Script(FollowLink(link_id=1), GoBack(), Crop(box=WHOLE, image_index=1))
    going_on = msgspec.structs.replace(
        edges(PaperSite(both), explorer, beer), critic=Unsatisfied(ranker(), NetReader())
    )
    await walked(going_on, EventList())
    (home, boats), (home_after, boats_after) = (memory.pages[:2] for memory in explorer.memories[-2:])
    assert boats_after == boats
    assert home_after.relevance != home.relevance
    assert outcome.answer.startswith("9.50")
    assert outcome.citations[0].url == HOME


async def record(folder: Path, *actions: Action) -> tuple[Outcome, Path]:
    task = task_for(QUESTION)
    recorder = new_recorder(task, Settings(runs_folder=folder, seed="seed"))
    recording = Recording(recorder=recorder)
    made = with_recording(edges(PaperSite(PAGES), Script(*actions)), recording)
    outcome = await walk(task, made, rules(task), RecordingSink(recorder, recording))
    recorder.close()
    return outcome, recorder.folder


def derived(folder: Path) -> list[tuple[str, int, bytes]]:
    run = read_run(folder)
    return [(line.k, line.step, bytes(line.d)) for line in run.envelopes if line.k not in ("call", "error")]


async def test_a_walk_with_crops_replays_event_for_event(tmp_path: Path) -> None:
    outcome, folder = await record(tmp_path, *TWICE)
    report = await replay_run(folder)
    assert report.outcome is not None
    spent = msgspec.structs.replace(report.outcome.usage, seconds=outcome.usage.seconds)
    assert (report.outcome.answer, spent) == (outcome.answer, outcome.usage)
    assert report.outcome.usage.seconds == report.walk_seconds, "the time of the walk, not of its replay"
    kinds = [event.k for event in read_run(folder).envelopes]
    assert kinds.count("crop") == 2
    box = next(json.loads(bytes(line.d)) for line in read_run(folder).envelopes if line.k == "crop")
    assert box["box"] == [0, 200, 400, 200]
    run = read_run(folder)
    told = trajectory_of(run, walk_of(run, key_of), tools_of(run))
    assert [turn.tool for turn in told.turns] == ["visit", "follow", "crop", "crop"]
    assert [len(turn.pictures) for turn in told.turns] == [0, 0, 1, 1], (
        "what a crop showed, and no view that it did not ask for"
    )
    files = pictures_of(run, told)
    line = json.loads(sharegpt_line(told))
    assert [*dict.fromkeys(line["images"])] == [*files]
    assert json.dumps(line["conversations"]).count("<image>") == len(line["images"]) == 2
    assert all(decode_picture(picture).size for picture in files.values())
    messages = json.loads(trl_line(told))["messages"]
    assert sum(part == {"type": "image"} for message in messages for part in message["content"]) == 2
    assert {message["role"] for message in messages if {"type": "image"} in message["content"]} == {"user"}


async def test_a_walk_cut_off_anywhere_crops_on(tmp_path: Path) -> None:
    outcome, whole = await record(tmp_path / "whole", *TWICE)
    lines = (whole / "events.jsonl").read_bytes().splitlines(keepends=True)
    for cut in range(1, len(lines)):
        folder = tmp_path / f"cut{cut}"
        folder.mkdir()
        for name in ("run.json",):
            (folder / name).write_bytes((whole / name).read_bytes())
        (folder / "blobs").symlink_to(whole / "blobs")
        (folder / "events.jsonl").write_bytes(b"".join(lines[:cut]))
        if not read_run(folder).events:
            continue
        recorder = Recorder.resume(folder, clock=time.time)
        run = read_run(folder)
        asked = sum(isinstance(event, EdgeCall) and event.seam == "explorer" for event in run.events)
        recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, recorder=recorder)
        task = task_of(run)
        made = with_recording(edges(PaperSite(PAGES), Script(*TWICE[asked:])), recording)
        resumed = await walk(task, made, rules(task), ResumingSink(ComparingSink(run, recording), recorder))
        recorder.close()
        assert resumed.answer == outcome.answer, cut
        assert derived(folder) == derived(whole), cut


async def test_a_fork_after_the_page_keeps_its_crops_and_goes_its_own_way(tmp_path: Path) -> None:
    _, whole = await record(tmp_path / "whole", *TWICE[:2])
    run, task = read_run(whole), task_for(QUESTION)
    recorder = new_recorder(task, Settings(runs_folder=tmp_path / "fork", seed="seed"))
    recording = Recording(recorded_calls=RecordedCalls(run.events), blobs=run.blobs, recorder=recorder, last_step=1)
    site = PaperSite(PAGES)
    made = with_recording(edges(site, Script(*TWICE[1:])), recording)
    outcome = await walk(task, made, rules(task), RecordingSink(recorder, recording))
    recorder.close()
    assert outcome.answer.startswith("9.50")
    assert (await replay_run(recorder.folder)).outcome is not None


async def test_the_built_in_explorer_crops_what_was_too_small_to_be_read() -> None:
    class Blurred(Loupe):
        """Reads everything, and nothing surely below a scale."""

        async def look(self, request: LookRequest) -> Look:
            self.asked.append(request)
            sure = 0.99 if request.view.frame.scale >= 3 else 0.6
            words = ("Fish soup | 9.50 EUR", "Beer | 3.10 EUR") if sure > 0.9 else ("Fsh scup", "Bccr 8.l0")
            seen = [
                Seen(
                    text=text,
                    source="ocr",
                    box=Box(x=10.0, y=210.0 + 30 * at, width=90.0, height=20.0),
                    confidence=sure,
                )
                for at, text in enumerate(words)
            ]
            return Look(seen=tuple(seen), model="blurred", regions=1)

    events, site = EventList(), PaperSite(PAGES)
    outcome = await walked(edges(site, BuiltinExplorer(ranker()), Blurred()), events)
    assert outcome.answer.startswith("9.50")
    assert site.drawn == [(AROUND, 1.0), (BOARD.box, 4.0)]
    assert sum(isinstance(event, PictureCropped) for event in events.events) == 1
    site = PaperSite(PAGES)
    await walked(edges(site, BuiltinExplorer(ranker(), may_look=False), Blurred()), EventList())
    assert site.drawn == [(AROUND, 1.0)]


@pytest.mark.parametrize("is_blank", [True, False])
async def test_a_part_of_one_colour_is_noted_as_blank(*, is_blank: bool) -> None:
    drawing = np.full((800, 800, 3), 255, np.uint8)
    drawing[250:260, 50:350] = 0 if not is_blank else 255
    seen = msgspec.structs.replace(VIEW, picture=encode_picture(drawing))
    site = PaperSite(PAGES | {HOME + "menu.html": msgspec.structs.replace(MENU, view=seen)})
    explorer = Script(FollowLink(link_id=1), Crop(box=WHOLE, image_index=1))
    await walked(edges(site, explorer, Loupe()), EventList())
    last, _ = explorer.shown[-1]
    assert [picture.blank for picture in last.pictures] == [False, False, is_blank]


class DamagedDrawings(PaperSite):
    """Cuts off the end of every picture."""

    async def see(self, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View | PageFailure:
        view = await super().see(whole=whole, box=box, scale=scale)
        return view if isinstance(view, PageFailure) else msgspec.structs.replace(view, picture=view.picture[:-16])


async def test_a_drawing_that_cannot_be_decoded_is_not_taken_for_blank_and_ends_no_walk() -> None:
    explorer = Script(FollowLink(link_id=1), Crop(box=WHOLE, image_index=1))
    await walked(edges(DamagedDrawings(PAGES), explorer, Loupe()), EventList())
    last, _ = explorer.shown[-1]
    assert [picture.blank for picture in last.pictures] == [False, False, False]
