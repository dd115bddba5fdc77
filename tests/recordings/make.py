"""Makes the recordings of this folder anew: `python -m tests.recordings.make`. Do so when the format or a decision changes on
purpose, look at the difference, and say in the commit why it is right."""

from __future__ import annotations

import asyncio
import itertools
import shutil
from collections.abc import Callable
from pathlib import Path

import msgspec

from tests.fixtures.paper import HOME, PAGES, crew_for, ranker, rules_for, task_for
from tests.fixtures.scripts import sensible
from traces.manifest import RunManifest
from traces.store.recorder import Recorder
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordedChat, RecordingSink, with_recording
from walker.run_setup import recorded_settings
from walker.seams.protocols import Edges
from walker.settings import ModelSettings, Settings
from walker.strategies.analysis.builtin_analyst import BuiltinAnalyst
from walker.strategies.analysis.model_analyst import ModelAnalyst
from walker.strategies.model.model_talk import ModelTalk
from walker.strategies.model.prompt_values import Offers
from walker.strategies.strategy_assembly import model_strategies
from walker.testing.fakes import PaperSite, ScriptedChat
from walker.walk.loop import walk

FOLDER = Path(__file__).parent
QUESTIONS = {
    "single": "How long is the research vessel Mantis?",
    "count": "How many people are listed on the 'People' page?",
    "model": "How long is the research vessel Mantis?",
}
MODEL = ModelSettings(name="scripted", fetch_ahead=0)


def ticking() -> Callable[[], float]:
    """A clock that ticks a millisecond whenever it is asked."""
    ticks = itertools.count(1_700_000_000_000)
    return lambda: next(ticks) / 1000


def crew_of(kind: str, recording: Recording) -> Edges:
    """The built-in strategy, in walks as they were before questions were analysed; or those with a scripted model."""
    edges = crew_for(PaperSite(PAGES))
    if kind != "model":
        return edges
    chat = RecordedChat(ScriptedChat(sensible), recording)
    explorer, critic = model_strategies(chat, MODEL, ranker(), seed="recordings", offers=Offers(pages=30))
    analyst = ModelAnalyst(ModelTalk(chat, MODEL, "recordings", repairs=0), BuiltinAnalyst())
    return msgspec.structs.replace(edges, explorer=explorer, critic=critic, analyst=analyst)


async def make(kind: str, folder: Path) -> None:
    """Record one walk."""
    task = task_for(QUESTIONS[kind])
    settings = Settings(model=MODEL if kind == "model" else None, seed="recordings", scout_pages=0)
    manifest = RunManifest(
        run_id=kind, created=1.0, question=task.question, root_url=HOME, settings=recorded_settings(settings)
    )
    recorder = Recorder.create(folder, manifest, clock=ticking())
    recording = Recording(recorder=recorder)
    edges = with_recording(crew_of(kind, recording), recording)
    await walk(task, edges, rules_for(task), RecordingSink(recorder, recording))
    recorder.close()


def main() -> None:
    """All of them, in place of those that are there."""
    for kind in QUESTIONS:
        shutil.rmtree(FOLDER / kind, ignore_errors=True)
        asyncio.run(make(kind, FOLDER / kind))


if __name__ == "__main__":
    main()
