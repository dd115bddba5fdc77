"""Writes all that is written for trainers into one folder: walks in each form, prompts with rewards, passages for a critic."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from evaluation.building.museum.server import serve_museum
from evaluation.dataset.question import Question
from evaluation.rewards.advantages import Group, grouped
from evaluation.rewards.grpo_lines import grpo_line
from evaluation.rewards.reward import Reward, mixed_reward
from traces.export.training.trajectory import Trajectory
from traces.reading.reader import Run
from walker.files.atomic_output import write_output
from walker.runs.training.line_files import TRAINING, pictures_of, write_lines

Walk = tuple[Run, Trajectory]
CRITIC_PAGES = "6"
"""Of a question; the museum has 44."""


def write_all(walks: Sequence[Walk], folder: Path) -> None:
    """Write the files that `loaders.py` loads."""
    pictures = {path: data for run, trajectory in walks for path, data in pictures_of(run, trajectory).items()}
    for to, line_of in TRAINING.items():
        write_lines(folder / f"{to}.jsonl", b"".join(line_of(one) for _, one in walks), pictures, to)
    groups = groups_of(walks)
    write_output(folder / "grpo.jsonl", b"".join(grpo_line(*group) for group in groups))
    write_critic_lines(folder)


def groups_of(walks: Sequence[Walk]) -> list[tuple[Question, Group, Trajectory]]:
    """The questions that were walked for more than once, as groups of samples: right is the answer of the first walk."""
    asked: dict[tuple[str, str], list[Walk]] = defaultdict(list)
    for run, trajectory in walks:
        asked[trajectory.root_url, trajectory.question].append((run, trajectory))
    found = []
    for number, ((root, words), members) in enumerate(asked.items()):
        if len(members) < 2 or not members[0][1].answer:
            continue
        first = members[0][1]
        question = Question(id=f"q{number}", question=words, answers=(first.answer,), root=root)
        rewards = [
            Reward(
                question_id=question.id, variant="all", number=place, r_format=1.0, r_answer=right, r_task=right,
                reward=mixed_reward(1.0, right),
            )
            for place, (_, one) in enumerate(members, 1) for right in (float(one.answer == first.answer),)
        ]  # fmt: skip
        found.append((question, grouped(rewards)[0], first))
    return found


def write_critic_lines(folder: Path) -> None:
    """Questions about the bundled museum, its library, and the passages that a critic would be taught by, as a person gets them."""
    with serve_museum() as root, tempfile.TemporaryDirectory() as scratch:  # its address is another each time
        asked, library, job = (str(Path(scratch) / name) for name in ("asked.jsonl", "museum.library", "job"))
        _walker("eval", "build", root, "--driver", "http", "--ignore-robots", "--out", asked)
        _walker("crawl", root, "--driver", "http", "--ignore-robots", "--job", job, "--library", library)
        words = ("--library", library, "--pages", CRITIC_PAGES, "--lines", str(folder / "critic.jsonl"))
        _walker("eval", "critic", asked, *words)


def _walker(*words: str) -> None:
    command = [sys.executable, "-m", "walker", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    if done.returncode:
        raise SystemExit(f"walker {' '.join(words[:2])}: {(done.stderr.strip().splitlines() or ['failed'])[-1]}")
