"""Records walks of the paper site, with what a test wants changed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec

from tests.recordings.make import MODEL, ticking
from tests.walker.paper import HOME, PAGES, crew_for, ranker, rules_for, task_for
from traces.manifest import RunManifest
from traces.recorder import Recorder
from walker.chat import ChatReply, ChatRequest
from walker.loop import walk
from walker.minds.builtin_critic import BuiltinCritic
from walker.minds.builtin_explorer import BuiltinExplorer
from walker.minds.model_critic import ModelCritic
from walker.minds.model_explorer import ModelExplorer
from walker.minds.model_talk import ModelTalk
from walker.outcome import Outcome
from walker.replay import RecordingSink, TapedChat, on_tape
from walker.running import recorded_settings
from walker.settings import Settings
from walker.tape import Tape
from walker.testing import Paper, PaperSite, ScriptedChat

LENGTH = "How long is the research vessel Mantis?"
PEOPLE = "How many people are listed on the 'People' page?"

Script = Callable[[ChatRequest], ChatReply | str]


async def record(
    folder: Path,
    question: str = LENGTH,
    *,
    pages: Mapping[str, str | Paper] = PAGES,
    threshold: float = 70.0,
    script: Script | None = None,
    root: str = HOME,
) -> Outcome:
    """One walk into `folder`, sealed; with `script` a scripted model stands behind the minds."""
    task = task_for(question, root)
    settings = Settings(model=MODEL if script else None, seed="recordings", threshold=threshold)
    manifest = RunManifest(
        run_id=folder.name, created=1.0, question=question, root_url=root, settings=recorded_settings(settings)
    )
    recorder = Recorder.create(folder, manifest, clock=ticking())
    tape = Tape(recorder=recorder)
    crew = crew_for(PaperSite(pages))
    if script is not None:
        talk = ModelTalk(TapedChat(ScriptedChat(script), tape), MODEL, "recordings")
        explorer = ModelExplorer(talk, ranker(), BuiltinExplorer(ranker()))
        critic = ModelCritic(talk, ranker(), BuiltinCritic(ranker()))
        crew = msgspec.structs.replace(crew, explorer=explorer, critic=critic)
    rules = msgspec.structs.replace(rules_for(task), threshold=threshold, side_by_side=script is not None)
    try:
        outcome = await walk(task, on_tape(crew, tape), rules, RecordingSink(recorder, tape))
        recorder.seal(outcome.stop_reason.value, {"pages": outcome.pages, "steps": outcome.steps})
    finally:
        recorder.close()
    return outcome
