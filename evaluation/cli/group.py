"""The command group `walker eval`. A command's module is imported on use: all together need a second and a half of processor time."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import click

from walker.cli.grouped_command import LateGroup, OnUse


class _Told(NamedTuple):
    """The module of a command in this folder, and its line in `walker eval --help`."""

    module: str
    line: str


COMMANDS: Mapping[str, _Told] = {
    "build": _Told("build", "Build questions from sites, each checked without a model."),
    "to-vqa": _Told("pictures", "Turn questions that name something into questions that show it."),
    "fetch-pictures": _Told("pictures", "Fetch the pictures that a dataset names by their addresses."),
    "convert": _Told("datasets", "Convert a dataset to another format."),
    "split": _Told("datasets", "Split a dataset for training, development and test."),
    "join": _Told("gathering", "Join datasets into one."),
    "sample": _Told("gathering", "Draw questions by lot, for people or a slow model."),
    "describe": _Told("datasets", "Count questions by kind, difficulty, domain, site and language."),
    "run": _Told("run", "Run the questions of a dataset with each variant."),
    "grade": _Told("grade", "Grade answers: by normalised match, then by judge models."),
    "ablate": _Told("grade", "Attribute the results to the modules: exact Shapley values."),
    "report": _Told("grade", "Write the report of an experiment, with figures and walks."),
    "difficulty": _Told("difficulty", "Write the questions with the difficulty that samples show."),
    "critic": _Told("critic", "Measure how well the passage critic keeps what helps."),
    "rewards": _Told("rewards", "Write a reward and an advantage for each sample."),
    "export": _Told("export", "Write walks that teach as lines for training."),
}
"""The command `NAME` is `NAME_command` in its module, with _ for -."""


def _on_use(name: str) -> OnUse:
    module, line = COMMANDS[name]
    return OnUse(f"evaluation.cli.{module}", f"{name.replace('-', '_')}_command", line)


@click.group("eval", cls=LateGroup, on_use={name: _on_use(name) for name in COMMANDS})
def eval_group() -> None:
    r"""Evaluate Walker: build datasets, run experiments, grade, report.

    \b
    walker eval build https://example.org/ --out questions.jsonl      questions from a site, each checked
    walker eval to-vqa questions.jsonl --out pictured.jsonl           names replaced by pictures
    walker eval fetch-pictures livevqa.jsonl                          pictures of a set that names addresses
    walker eval convert webwalkerqa.jsonl questions.jsonl             from one format to another
    walker eval split questions.jsonl --out parts                     for training, development and test
    walker eval join one.jsonl two.jsonl --out all.jsonl              sets into one
    walker eval sample all.jsonl --out drawn.jsonl                    questions drawn by lot
    walker eval describe questions.jsonl      counts by kind, difficulty, domain, site, language, modality
    walker eval run demo --out runs/demo      runs the demo's questions with all eight variants
    walker eval grade runs/demo               right or wrong, and why
    walker eval ablate runs/demo              contribution of each module
    walker eval report runs/demo              one page, and figures
    walker eval difficulty runs/demo --by-pass 8 --out rated.jsonl   hard: no right answer in 8 samples
    walker eval rewards runs/demo -o rewards.jsonl      a reward and an advantage for each answer
    walker eval export runs/demo --to trl -o train.jsonl      walks that teach, as lines for training
    walker eval critic qa.jsonl --library docs.library    are passages that help told from others?
    """
