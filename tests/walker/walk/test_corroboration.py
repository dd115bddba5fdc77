"""A vision model's answer and its place in a walk: checked against the page's text and the OCR, and enlarged where they disagree."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np

from memory.findings import Finding, Findings
from perception.element_map import ElementMap, PageElement, View
from perception.geometry import Box
from perception.images.image import encode_picture
from perception.snapshot import BlindRegion, Layout
from tests.fixtures.paper import HOME, crew_for, page, ranker, task_for
from traces.events import PageLookedAt
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordingSink, with_recording
from walker.rules.budget import Budget
from walker.rules.policy import Policy
from walker.rules.scope import WalkScope
from walker.run_setup import new_recorder
from walker.runs.replay import replay_run
from walker.seams.outcome import Outcome
from walker.seams.protocols import Edges, Look, LookRequest, Seen, TraceSink
from walker.seams.task import Task
from walker.settings import Limits, Settings, VisionSettings
from walker.testing.fakes import EventList, Paper, PaperSite
from walker.walk.corroboration import halve_disputed
from walker.walk.loop import walk
from walker.walk.walk_state import Rules

VISION = VisionSettings(name="pointer")
QUESTION = "In which month do most visitors come?"
FIRST, SECOND = (Box(x=0.0, y=100.0 + 300 * at, width=400.0, height=200.0) for at in range(2))
BOTH = Box(x=0.0, y=76.0, width=424.0, height=548.0)
"""Both with what is close around them."""
ELEMENTS = tuple(
    PageElement(
        id=at + 1, kind="figure", role="img", name="", text="", x=box.x, y=box.y, width=box.width, height=box.height
    )
    for at, box in enumerate((FIRST, SECOND))
)
VIEW = View(
    url=HOME,
    picture=encode_picture(np.full((800, 800, 3), 255, np.uint8)),
    width=800,
    height=800,
    shown=Box(x=0.0, y=0.0, width=800.0, height=800.0),
    map=ElementMap(elements=ELEMENTS, page_width=800.0, page_height=800.0),
    prints=(1,),
)
BLIND = tuple(BlindRegion(kind="media", box=box, heading="Visitors") for box in (FIRST, SECOND))
PAGES: dict[str, str | Paper] = {
    HOME: Paper(
        html=page("Visitors", "<p>How many visitors come in each month.</p>"),
        view=VIEW,
        layout=Layout(viewport_width=800, viewport_height=800, page_height=800, blind=BLIND),
    )
}


def word(text: str, box: Box) -> Seen:
    return Seen(text=text, source="ocr", box=Box(x=box.x + 20, y=box.y + 20, width=60.0, height=16.0), confidence=0.97)


class Letters:
    """OCR that reads one thing at first, and another in an enlarged view."""

    def __init__(self, far: Sequence[Seen], near: Sequence[Seen] = ()) -> None:
        self._far, self._near = tuple(far), tuple(near)
        self.asked: list[LookRequest] = []

    async def look(self, request: LookRequest) -> Look:
        self.asked.append(request)
        return Look(seen=self._near if request.view.frame.scale > 1 else self._far, model="letters", regions=1)


class Pointer:
    """A model that says a month, and points at one figure after the other."""

    def __init__(self, *boxes: Box) -> None:
        self._boxes = list(boxes)
        self.asked: list[LookRequest] = []

    async def look(self, request: LookRequest) -> Look:
        self.asked.append(request)
        box = self._boxes[min(len(self.asked), len(self._boxes)) - 1]
        seen = Seen(text="July", source="model", box=box, near=request.question)
        return Look(seen=(seen,), answer="July", answer_box=box, confidence=0.7, model="pointer")


def rules(task: Task, looks: int = 15) -> Rules:
    return Rules(
        policy=Policy(scope=WalkScope(root_url=task.root_url, kind="host"), max_depth=5),
        budget=Budget(limits=Limits(looks=looks)),
        threshold=100.0,
        look_threshold=100.0,
        similarity=lambda one, other: ranker().similarities(one, [other])[0],
    )


def edges(site: PaperSite, letters: Letters, model: Pointer) -> Edges:
    return msgspec.structs.replace(crew_for(site), vision=letters, vision_model=model)


async def walked(site: PaperSite, letters: Letters, model: Pointer, sink: TraceSink, looks: int = 15) -> Outcome:
    task = task_for(QUESTION)
    return await walk(task, edges(site, letters, model), rules(task, looks), sink)


def notes(events: EventList) -> list[str]:
    return [note for event in events.events if isinstance(event, PageLookedAt) for note in event.notes]


async def test_evidence_that_agrees_needs_no_enlarged_view() -> None:
    site, model, events = PaperSite(PAGES), Pointer(SECOND), EventList()
    outcome = await walked(site, Letters([word("July", SECOND)]), model, events)
    assert outcome.answer == "July"
    assert [box for box, _ in site.drawn] == [BOTH], "one picture of the two, which stand together"
    assert len(model.asked) == 1
    assert notes(events) == []


async def test_ocr_elsewhere_is_enlarged_and_may_confirm_the_model() -> None:
    site, model, events = PaperSite(PAGES), Pointer(FIRST), EventList()
    letters = Letters([word("July", SECOND)], [word("July", FIRST), word("Juiy", SECOND)])
    outcome = await walked(site, letters, model, events)
    assert outcome.answer == "July"
    assert [scale for _, scale in site.drawn] == [1.0, 4.0]
    assert letters.asked[-1].regions == (SECOND, FIRST)
    assert len(model.asked) == 1, "OCR decides it"
    assert notes(events) == ["looked closer: the answer is elsewhere than where the model points (ocr 2, model 1)"]
    assert outcome.usage.vision_calls == 3


async def test_a_model_that_is_not_borne_out_is_shown_both_places_larger() -> None:
    site, model = PaperSite(PAGES), Pointer(FIRST, SECOND)
    agreed = await walked(site, Letters([word("July", SECOND)], [word("July", SECOND)]), model, EventList())
    assert len(model.asked) == 2
    assert model.asked[1].view.frame.scale == 4.0
    assert model.asked[1].regions == (SECOND, FIRST)
    stubborn = Pointer(FIRST)
    disputed = await walked(
        PaperSite(PAGES), Letters([word("July", SECOND)], [word("July", SECOND)]), stubborn, EventList()
    )
    assert len(stubborn.asked) == 2, "it is asked once more, not for ever"
    assert disputed.answer == agreed.answer == "July"
    assert disputed.confidence < agreed.confidence


async def test_without_looks_left_nothing_is_drawn_larger() -> None:
    site, model = PaperSite(PAGES), Pointer(FIRST)
    await walked(site, Letters([word("July", SECOND)]), model, EventList(), looks=2)
    assert [box for box, _ in site.drawn] == [BOTH]
    assert len(model.asked) == 1


async def test_a_walk_with_a_disputed_answer_replays(tmp_path: Path) -> None:
    task = task_for(QUESTION)
    settings = Settings(
        runs_folder=tmp_path, seed="seed", threshold=100.0, look_threshold=100.0, sure=rules(task).sure, vision=VISION
    )
    recorder = new_recorder(task, settings)
    recording = Recording(recorder=recorder)
    letters = Letters([word("July", SECOND)], [word("July", SECOND)])
    made = with_recording(edges(PaperSite(PAGES), letters, Pointer(FIRST, SECOND)), recording)
    outcome = await walk(task, made, rules(task), RecordingSink(recorder, recording))
    recorder.close()
    report = await replay_run(recorder.folder)
    assert report.outcome is not None
    assert (report.outcome.answer, report.outcome.confidence) == (outcome.answer, outcome.confidence)


def test_only_findings_that_rest_on_a_disputed_answer_count_less() -> None:
    found = [
        Finding(text=text, quote=quote, url=HOME, step=1, score=0.8)
        for text, quote in (("July", "July"), ("9", "9 EUR"))
    ]
    look = Look(seen=(Seen(text="July", source="model"),), answer="July", disputed=True)
    assert [one.score for one in halve_disputed(Findings(findings=tuple(found)), look).findings] == [0.4, 0.8]
    agreed = msgspec.structs.replace(look, disputed=False)
    assert halve_disputed(Findings(findings=tuple(found)), agreed).findings == tuple(found)
