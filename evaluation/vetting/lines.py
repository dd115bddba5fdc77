"""Lines for training out of recorded answers, with a reason for each that was left out, and these checked as trainers read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from evaluation.grading.agreement import Agreement
from evaluation.vetting.calls import Call
from evaluation.vetting.choosing import Candidate, mixed
from evaluation.vetting.fitness import MOST_DETOURS, Vetted, vet
from evaluation.vetting.following import Follower, recorded_of
from evaluation.vetting.pruning import calls_in, round_trip
from evaluation.vetting.reading_lines import BadLine, read_line
from evaluation.vetting.step_model import StepModel, StepReply, agreement_of
from evaluation.vetting.step_rules import StepVerdict
from traces.events import WalkEnded
from traces.export.training.trajectory import Trajectory
from traces.reading.reader import Run
from walker.runs.compare import page_key
from walker.runs.recorded_run import open_run
from walker.runs.training.line_files import TRAINING, pictures_of
from walker.runs.training.trajectories import trajectory_from, walked


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """What a walk has to pass. Without `vetted`, its steps need only be consistent: nothing failed, and nothing was refused."""

    vetted: bool = False
    most_detours: float = MOST_DETOURS


class Written(msgspec.Struct, frozen=True, kw_only=True):
    """One line, and what it was made of."""

    line: bytes
    candidate: Candidate
    is_pruned: bool = False

    @property
    def run(self) -> Path:
        """The folder of its run."""
        return self.candidate.run


class Lines(msgspec.Struct, frozen=True, kw_only=True):
    """All lines, and the pictures beside them."""

    written: tuple[Written, ...]
    files: dict[str, bytes] = {}
    left_out: tuple[str, ...] = ()
    calls: int = 0
    """Calls that were judged."""
    bad_calls: int = 0
    unanswered: int = 0
    """Calls for which the model that judges beside the rules gave no valid reply."""
    agreement: Agreement | None = None

    def in_shares(self, shares: Mapping[str, int]) -> Lines:
        """As many of them as can be had in these shares, with their pictures. Raises `UsageError` for a share that none is of."""
        kept, more = mixed([one.candidate for one in self.written], shares)
        runs = {one.run for one in kept}
        written = tuple(one for one in self.written if one.run in runs)
        files = {path: data for path, data in self.files.items() if any(path.encode() in one.line for one in written)}
        return msgspec.structs.replace(self, written=written, files=files, left_out=(*self.left_out, *more))

    @property
    def data(self) -> bytes:
        """The file of lines."""
        return b"".join(one.line for one in self.written)


async def lines_of_walks(
    candidates: Sequence[Candidate], to: str, filters: Filters, model: StepModel | None = None
) -> Lines:
    """A line for each walk that is fit, in one of the forms. Raises `UsageError` for a recording that cannot be read, and
    `EndpointUnusable` where the model that judges beside the rules can never answer."""
    written: list[Written] = []
    files: dict[str, bytes] = {}
    left_out: list[str] = []
    verdicts: list[StepVerdict] = []
    judged: list[StepVerdict] = []
    replies: list[StepReply | None] = []
    for candidate in candidates:
        run = open_run(candidate.run)
        trajectory = trajectory_from(run, page_key)
        found = await _fit(run, trajectory, candidate, filters)
        verdicts += found.judged
        if model is not None and found.verdicts and candidate.right:
            judged += found.verdicts
            replies += await model.vet(found.trajectory)
        if found.why_not:
            left_out.append(f"{candidate.run}: {found.why_not}")
            continue
        written.append(Written(line=TRAINING[to](found.trajectory), candidate=candidate, is_pruned=found.is_pruned))
        files |= pictures_of(run, found.trajectory)
    return Lines(
        written=tuple(written),
        files=files,
        left_out=tuple(left_out),
        calls=len(verdicts),
        bad_calls=sum(bool(one.fault) for one in verdicts),
        unanswered=sum(reply is None for reply in replies),
        agreement=agreement_of(judged, replies, model.name) if model is not None else None,
    )


async def _fit(run: Run, trajectory: Trajectory, candidate: Candidate, filters: Filters) -> Vetted:
    right = candidate.right
    if filters.vetted and walked(run):
        return await vet(run, trajectory, page_key, is_right=right, most_detours=filters.most_detours)
    if not any(isinstance(event, WalkEnded) for event in run.events):
        why = "the walk has no end"
    elif filters.vetted:
        why = "it is no walk, whose steps could be vetted"
    else:
        why = trajectory.why_not(is_right=right)
    return Vetted(trajectory=trajectory, verdicts=(), whole=trajectory, why_not=why)


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """What a check of written lines has shown."""

    lines: int = 0
    loaded: int = 0
    calls: int = 0
    """Calls of the lines that load: all of them are valid against their schemas."""
    walks: int = 0
    followed: int = 0
    """Walks whose calls lead to the pages of the line, and to the answer, again."""
    faults: tuple[str, ...] = ()


async def check_lines(lines: Lines, to: str, folder: Path) -> Checked:
    """Read each line back as its trainer does, and feed its calls through the policy again. A walk as it was has to visit the same
    pages and end the same; one that was pruned has to end the same. Lines of prompts have no calls, workflows no pages."""
    faults: list[str] = []
    loaded = calls = walks = followed = 0
    for one in lines.written:
        try:
            read = read_line(one.line, to, folder)
        except BadLine as error:
            faults.append(f"{one.run}: {error}")
            continue
        loaded, calls = loaded + 1, calls + len(read.calls)
        run = open_run(one.run)
        if not read.calls or not walked(run):
            continue
        walks += 1
        why = await _why_elsewhere(run, one, read.calls)
        followed += not why
        if why:
            faults.append(f"{one.run}: {why}")
    return Checked(
        lines=len(lines.written), loaded=loaded, calls=calls, walks=walks, followed=followed, faults=tuple(faults)
    )


async def _why_elsewhere(run: Run, one: Written, calls: Sequence[Call]) -> str:
    if not one.is_pruned:
        return await round_trip(run, calls)
    follower = Follower(run)
    await follower.follow(calls_in(trajectory_from(run, page_key)))
    follower.learn()
    short = await follower.follow(calls)
    return short.failure or ("" if short.is_told_like(recorded_of(run)) else "its answer is another")
