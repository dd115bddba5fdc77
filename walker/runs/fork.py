"""Forks: a recorded walk up to a step, or as long as its requests stay equal, then live, with another model, prompt or threshold."""

from __future__ import annotations

import contextlib
from pathlib import Path

import msgspec

from traces.events import Forked
from traces.manifest import Parent
from traces.recorded_calls import RecordedCalls
from walker.asking import seal_outcome
from walker.assembly import WalkResources
from walker.errors import UsageError
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordingSink, spent_on
from walker.run_setup import Tee, new_recorder, restored_settings, trace_errors
from walker.runs.recorded_run import open_run
from walker.runs.replay import asked_picture_of, calls_of, go_on, is_analysed, looks_back_in, task_of
from walker.seams.chat import Spent
from walker.seams.outcome import Outcome
from walker.seams.protocols import TraceSink
from walker.settings import GateWeights, ModelSettings, Settings, VisionSettings

MINDS = frozenset(("analyst", "explorer", "critic", "summariser"))


class Overrides(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The settings that a fork changes; None or empty keeps its parent's."""

    model: str = ""
    base_url: str = ""
    vision_model: str = ""
    vision_url: str = ""
    tau: float | None = None
    tau2: float | None = None
    weights: GateWeights | None = None
    pages: int | None = None
    prompts: dict[str, str] = {}
    """Texts by file name (`explorer.en`)."""

    def described(self) -> dict[str, str]:
        """As text for the manifest; prompts by name only, since their texts are in the settings."""
        plain = msgspec.to_builtins(self)
        plain |= {"prompts": " ".join(sorted(self.prompts))} if self.prompts else {}
        return {name: str(value) for name, value in plain.items()}


class Fork(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a fork."""

    outcome: Outcome
    followed: int
    """Calls answered from the recording."""
    left_at: int
    """Step at which the fork went live, 0 if it never did."""
    left_because: str = ""
    """The request that is not in the recording, and how it differs; "" where the step was given."""


async def fork_run(
    folder: Path,
    *,
    after_step: int | None,
    settings: Settings,
    overrides: Overrides | None = None,
    progress: TraceSink | None = None,
) -> Fork:
    """Follow a recording up to a step (or, with overrides, as long as requests stay equal), then go on live in a new run.

    The fork's usage counts what the fork itself spent. Raises `UsageError` for a step that the recording does not have.
    """
    run = open_run(folder)
    task, changed = task_of(run), overrides or Overrides()
    settings = with_overrides(restored_settings(run.manifest.settings, settings), changed, keys=settings)
    last = max((event.step for event in run.events), default=0)
    if after_step is not None and after_step > last:
        raise UsageError(f"the recording has {last} steps", where=str(folder), advice=f"Give a step from 0 to {last}")
    until = last if after_step is None else after_step
    parent = Parent(run_id=run.manifest.run_id, after_step=until, overrides=changed.described())
    with trace_errors():
        recorder = new_recorder(task, settings, parent=parent)
        with contextlib.closing(recorder):
            recorder.emit(Forked(step=until, parent_run=run.manifest.run_id, after_step=until))
            recording = Recording(
                recorded_calls=RecordedCalls(run.events), blobs=run.blobs, recorder=recorder, last_step=until
            )
            recording.asked_again, recording.may_depart = _asked_again(settings, overrides), overrides is not None
            spent = spent_on(calls_of(run, until), run.blobs.get) if overrides is None else Spent()
            picture = asked_picture_of(run)
            if picture is not None:
                recorder.put(picture.data, picture.about.media_type)
            sink = Tee(RecordingSink(recorder, recording), progress)
            async with WalkResources(settings) as resources:
                analysed = not until or is_analysed(run)
                with resources.pictures.holding(picture):
                    outcome = await go_on(
                        resources, task, (recording, spent), sink, analysed=analysed, looks_back=looks_back_in(run)
                    )
            sealed = seal_outcome(recorder, outcome, recording.warnings)
    left = recording.departure
    return Fork(
        outcome=sealed,
        followed=recording.answered,
        left_at=left.step if left is not None else until + 1 if outcome.steps > until else 0,
        left_because=left.what if left is not None else "",
    )


def _asked_again(settings: Settings, overrides: Overrides | None) -> frozenset[str]:
    """Seams whose answers may change: analyst, explorer and critic of a walk with a model, whose one reply decides for the
    last two, and another vision model. Calls to a model with an equal request are still answered from the recording."""
    if overrides is None:
        return frozenset()
    minds = MINDS if settings.model is not None else frozenset()
    return minds | ({"vision_model"} if overrides.vision_model or overrides.vision_url else frozenset())


def with_overrides(settings: Settings, overrides: Overrides, keys: Settings) -> Settings:
    """The parent's settings with the changes; `keys` has the keys of models that the parent did not use. Raises
    `UsageError` for a prompt without a model."""
    model, vision = settings.model, settings.vision
    if overrides.model or overrides.base_url or overrides.prompts:
        if model is None and not overrides.model:
            raise UsageError(
                "the walk had no language model, so there is nothing to send a prompt to",
                where="--with",
                advice="Give model=NAME too",
            )
        model = model or ModelSettings(name="", key=keys.model.key if keys.model else "")
        model = msgspec.structs.replace(
            model,
            name=overrides.model or model.name,
            base_url=overrides.base_url or model.base_url,
            prompts=model.prompts | overrides.prompts,
        )
    if overrides.vision_model or overrides.vision_url:
        key = keys.vision.key if keys.vision else ""
        vision = vision or VisionSettings(name="", base_url=model.base_url if model else "", key=key)
        vision = msgspec.structs.replace(
            vision,
            name=overrides.vision_model or vision.name,
            base_url=overrides.vision_url or vision.base_url,
        )
    limits = settings.limits
    if overrides.pages is not None:
        limits = msgspec.structs.replace(limits, pages=overrides.pages)
    return msgspec.structs.replace(
        settings,
        model=model,
        vision=vision,
        limits=limits,
        threshold=settings.threshold if overrides.tau is None else overrides.tau,
        look_threshold=settings.look_threshold if overrides.tau2 is None else overrides.tau2,
        weights=overrides.weights or settings.weights,
    )
