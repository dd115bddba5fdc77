"""Prints whether walks become lines that teach: fifty recorded walks as lines of each form, read back as trainers read them, their
calls fed back through the policy, detours cut out, and rewards of groups.

usage: python bench/trajectories.py [FOLDER] [--trainers PYTHON]
The walks are made in FOLDER, or taken from there where they were made before. PYTHON is one that has datasets, and trl and
llamafactory where it can (`pip install datasets transformers jinja2 pillow`, `pip install --no-deps trl llamafactory`): all lines,
prompts with rewards and passages for a critic are loaded with these, pictures are opened, and nothing is trained. Without it that part
is left out, and said.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parents[1]))
sys.path.insert(0, str(Path(__file__).parent))
from figures import print_figure
from training.written_lines import write_all
from trajectory_walks import make_walks

from evaluation.rewards.advantages import advantages_of
from evaluation.vetting.calls import Call
from evaluation.vetting.following import Followed, Follower, recorded_of
from evaluation.vetting.pruning import calls_in, prune, round_trip
from evaluation.vetting.reading_lines import BadLine, read_line
from evaluation.vetting.spans import links_of, spans_of
from evaluation.vetting.step_rules import vet_steps
from traces.export.training.trajectory import Trajectory
from traces.reading.reader import Run, read_run
from walker.files.atomic_output import write_output
from walker.runs.compare import page_key
from walker.runs.training.line_files import TRAINING, pictures_of
from walker.runs.training.trajectories import trajectory_from

WANTED = 50
WITH_PICTURES = 5
"""Walks that hold pictures: those asked about one, and those that enlarged parts of others."""
LOADERS = Path(__file__).parent / "training" / "loaders.py"
HARD_OF_WRONG = 0.7
"""Share of hard passages among those that do not help (ReAG)."""
GROUPS, SAMPLES = 1_000, 8


class Pruning(msgspec.Struct, kw_only=True):
    """What became of the detours."""

    walks: int = 0
    """With a detour."""
    cut: int = 0
    """Of these, without some or all of them."""
    calls: int = 0
    """That were cut out."""
    same: int = 0
    """Pruned walks that end with the answer, items and citations of the whole one."""


async def measure(folder: Path, trainers: str) -> None:
    """One figure after the other."""
    runs = [read_run(path) for path in await make_walks(folder)]
    walks = [(run, trajectory_from(run, page_key)) for run in runs]
    print_figure("walks", len(walks), "walks", f">= {WANTED}", len(walks) >= WANTED)
    pictured = [one for _, one in walks if one.shown]
    parts = sum(len(one.shown) - len(one.pictures) for one in pictured)
    told = f"{len(pictured)}, {sum(len(one.shown) for one in pictured)} pictures, {parts} of them enlarged parts"
    holds = len(pictured) >= WITH_PICTURES and parts > 0
    print_figure("walks that hold pictures", told, "walks", f">= {WITH_PICTURES}, some with parts", holds)
    read = {to: _load(walks, to, folder / "lines") for to in TRAINING}
    for to, (calls, faults) in read.items():
        told = f"{len(calls)} of {len(walks)}"
        print_figure(f"lines that a {to} loader reads", told, "lines", "all", not faults and len(calls) == len(walks))
        for fault in faults:
            sys.stderr.write(f"{fault}\n")
    made = [call for calls, _ in read.values() for one in calls for call in one]
    print_figure(
        "tool calls valid against their schemas", len(made), "calls", "100 %", all(not f for _, f in read.values())
    )
    _tell_loaders(walks, folder / "lines", trainers)
    calls, _ = read["trl"]
    await _tell_round_trip(runs, calls)
    await _tell_pruning(walks)
    _tell_advantages()


def _load(walks: Sequence[tuple[Run, Trajectory]], to: str, folder: Path) -> tuple[list[tuple[Call, ...]], list[str]]:
    """The calls of the lines that load, and what is wrong with the others."""
    calls, faults = [], []
    for run, trajectory in walks:
        for path, data in pictures_of(run, trajectory).items():
            write_output(folder / path, data)
        try:
            calls.append(read_line(TRAINING[to](trajectory), to, folder).calls)
        except BadLine as error:
            faults.append(f"{run.folder}: {error}")
    return calls, faults


def _tell_loaders(walks: Sequence[tuple[Run, Trajectory]], folder: Path, trainers: str) -> None:
    """What the libraries of trainers make of the lines."""
    write_all(walks, folder)
    passages = [json.loads(line) for line in (folder / "critic.jsonl").read_text(encoding="utf-8").splitlines()]
    wrong = [one["label"] for one in passages if not one["relevant"]]
    share = wrong.count("hard") / max(1, len(wrong))
    print_figure(
        f"critic lines: hard among the {len(wrong)} of {len(passages)} passages that do not help",
        round(share, 3),
        "share",
        f"{HARD_OF_WRONG} within 0.03",
        abs(share - HARD_OF_WRONG) <= 0.03,
    )
    if not trainers:
        sys.stderr.write("left out: lines loaded by datasets, TRL and LLaMA-Factory (--trainers PYTHON)\n")
        return
    done = subprocess.run([trainers, str(LOADERS), str(folder)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{trainers}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
    told = json.loads(done.stdout.splitlines()[-1])
    print("loaded with " + ", ".join(f"{name} {version or 'missing'}" for name, version in told["versions"].items()))
    for form, one in told["forms"].items():
        for fault in one["faults"]:
            sys.stderr.write(f"{form}: {fault}\n")
        name = f"{form}: lines loaded by {one['libraries']} of the libraries, faults"
        pictured = f" ({one['pictures']} pictures opened)" if one["pictures"] else ""
        print_figure(
            name + pictured,
            f"{len(one['faults'])} of {one['lines']}",
            "lines",
            "0",
            one["lines"] > 0 and not one["faults"],
        )


async def _tell_round_trip(runs: Sequence[Run], calls: Sequence[Sequence[Call]]) -> None:
    elsewhere = [(run, why) for run, one in zip(runs, calls, strict=True) if (why := await round_trip(run, one))]
    for run, why in elsewhere:
        sys.stderr.write(f"{run.folder}: {why}\n")
    told = f"{len(runs) - len(elsewhere)} of {len(runs)}"
    print_figure("round trips: the calls of a line visit the same pages", told, "walks", "all", not elsewhere)
    # A check that finds no fault in a call too few would find none at all; only a last call that changed nothing is not missed.
    wrong = [why for run, one in zip(runs, calls, strict=True) if (why := await round_trip(run, one[:-1]))]
    told, most = f"{len(wrong)} of {len(runs)}", 0.9 * len(runs)
    print_figure("walks told from those without their last call", told, "walks", ">= 90 %", len(wrong) >= most)


async def _tell_pruning(walks: Sequence[tuple[Run, Trajectory]]) -> None:
    found = Pruning()
    for run, trajectory in walks:
        spans = spans_of(run, page_key)
        verdicts = vet_steps(trajectory, spans, links_of(run, page_key))
        if not any(verdict.fault for verdict in verdicts):
            continue
        found.walks += 1
        pruned = await prune(run, trajectory, spans, verdicts)
        gone = len(trajectory.turns) - len(pruned.kept)
        if gone:
            found.cut, found.calls = found.cut + 1, found.calls + gone
            found.same += (await _followed(run, pruned.trajectory)).is_told_like(recorded_of(run))
    told = f"{found.cut} of {found.walks}, {found.calls} calls"
    print_figure("walks with detours that were cut out", told, "walks", ">= 1", found.cut > 0)
    ok = found.same == found.cut
    print_figure("of these with the same answer and citations", f"{found.same} of {found.cut}", "walks", "all", ok)


async def _followed(run: Run, trajectory: Trajectory) -> Followed:
    """Where a pruned trajectory leads, followed anew."""
    follower = Follower(run)
    await follower.follow(calls_in(trajectory_from(run, page_key)))
    follower.learn()
    return await follower.follow(calls_in(trajectory))


def _tell_advantages() -> None:
    chance = random.Random(1)
    groups = [[chance.random() for _ in range(SAMPLES)] for _ in range(GROUPS)]
    worst = max(abs(sum(advantages_of(group, how))) for group in groups for how in ("none", "std"))
    print_figure(f"sum of the advantages of {GROUPS} groups, the largest", worst, "", "<= 1e-9", worst <= 1e-9)


def main() -> None:
    """Measure in the folder that is named, or in one that goes away."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--trainers", default="", metavar="PYTHON")
    options = parser.parse_args()
    if options.folder is not None:
        asyncio.run(measure(options.folder, options.trainers))
        return
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(measure(Path(folder), options.trainers))


if __name__ == "__main__":
    main()
