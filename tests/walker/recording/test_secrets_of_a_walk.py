"""A secret that a page holds in pieces, which only reading puts together: it reaches neither the record nor a model."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec
import pytest

from perception.element_map import ElementMap, View
from perception.geometry import Box
from perception.observation import Observation
from tests.fixtures.paper import HOME, PAGES, crew_for, observed, page, ranker, rules_for, task_for
from tests.fixtures.scripts import sensible
from tests.recordings.make import FOLDER, MODEL
from traces.events import EdgeCall
from traces.manifest import RunManifest
from traces.reading.leaks import scan_run
from traces.reading.reader import read_run
from traces.redaction import Redactor
from traces.store.recorder import Recorder
from walker.recording.record_words import METHODS, SEAMS, known_words
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordedChat, RecordingSink, with_recording
from walker.run_setup import recorded_settings
from walker.runs.replay import replay_run
from walker.seams.protocols import Edges, Look, LookRequest, Seen
from walker.settings import Settings
from walker.strategies.model.prompt_values import Offers
from walker.strategies.strategy_assembly import model_strategies
from walker.testing.fakes import PaperSite, ScriptedChat
from walker.walk.loop import walk

SECRET = "hunter2-zebra"
IN_PIECES = page(
    "Reef Station",
    "<p>The password of the Mantis is <b>hunter2</b>-<i>zebra</i>, and the research vessel Mantis is moored outside.</p>"
    '<ul><li><a href="/boats.html">Boats</a></li></ul>',
)


def recorder_in(folder: Path, question: str, redactor: Redactor) -> Recorder:
    settings = recorded_settings(Settings(model=MODEL, seed="recordings"))
    manifest = RunManifest(run_id="r", created=1.0, question=question, root_url=HOME, settings=settings)
    return Recorder.create(folder, manifest, clock=time.time, redactor=redactor)


def with_model(edges: Edges, chat: ScriptedChat, recording: Recording) -> Edges:
    explorer, critic = model_strategies(
        RecordedChat(chat, recording), MODEL, ranker(), seed="recordings", offers=Offers(pages=30)
    )
    return msgspec.structs.replace(edges, explorer=explorer, critic=critic)


@pytest.mark.parametrize("deep", [False, True])
async def test_a_secret_in_pieces_reaches_neither_the_record_nor_the_model(deep: bool, tmp_path: Path) -> None:
    assert SECRET in " ".join(block.text for block in observed(IN_PIECES).blocks), "reading puts it together"
    question = "How long is the research vessel Mantis?"
    recorder = recorder_in(tmp_path / "run", question, Redactor((SECRET,), b"key", words=known_words()))
    recording, chat = Recording(recorder=recorder), ScriptedChat(sensible)
    edges = with_recording(with_model(crew_for(PaperSite(dict(PAGES) | {HOME: IN_PIECES})), chat, recording), recording)
    task = task_for(question)
    outcome = await walk(task, edges, rules_for(task), RecordingSink(recorder, recording))
    recorder.seal(outcome.stop_reason.value, {})
    recorder.close()
    sent = "\n".join(message.content for request in chat.asked for message in request.messages)
    assert "The password of the Mantis is" in sent
    assert SECRET not in sent
    assert scan_run(read_run(tmp_path / "run"), [SECRET]).leaks == ()
    report = await replay_run(tmp_path / "run", deep=deep)  # which does not know the secret
    assert report.outcome is not None
    assert report.outcome.answer == outcome.answer == "18.4 metres"


class _Reading:
    """An eye that reads the secret in a picture."""

    async def look(self, request: LookRequest) -> Look:
        return Look(
            seen=(Seen(text=f"{SECRET} for {request.question}", source="ocr", box=Box(x=1, y=2, width=3, height=4)),)
        )


async def test_what_an_eye_reads_is_cleaned_before_the_walk_goes_on(tmp_path: Path) -> None:
    recorder = recorder_in(tmp_path / "run", "q", Redactor((SECRET,), b"key"))
    recording = Recording(recorder=recorder)
    edges = with_recording(msgspec.structs.replace(crew_for(PaperSite({})), vision=_Reading()), recording)
    from_page = Observation(url=HOME, status=200)
    window = Box(x=0, y=0, width=9, height=9)
    view = View(url=HOME, picture=b"", width=9, height=9, shown=window, map=ElementMap(elements=(), viewport=window))
    look = await edges.vision.look(LookRequest(question="what", observation=from_page, view=view))
    recorder.close()
    assert look.seen[0].text.startswith("<secret:value:")
    assert look.seen[0].box == Box(x=1, y=2, width=3, height=4)


def test_the_words_that_find_a_recorded_call_are_known() -> None:
    """Every seam and method that a real walk with a model was recorded with."""
    calls = [
        event
        for kind in ("count", "single", "model")
        for event in read_run(FOLDER / kind).events
        if isinstance(event, EdgeCall)
    ]
    assert {call.seam for call in calls} <= SEAMS
    assert {call.method for call in calls} <= METHODS
    assert {"page.open", "redirect_loop", "FollowLink", "fingerprint", "sufficient"} <= known_words()
