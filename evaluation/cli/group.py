"""The command group `walker eval`."""

from __future__ import annotations

import click

from evaluation.cli.build import build_command
from evaluation.cli.critic import critic_command
from evaluation.cli.datasets import convert_command, describe_command, split_command
from evaluation.cli.difficulty import difficulty_command
from evaluation.cli.export import export_command
from evaluation.cli.gathering import join_command, sample_command
from evaluation.cli.grade import ablate_command, grade_command, report_command
from evaluation.cli.pictures import fetch_pictures_command, to_vqa_command
from evaluation.cli.rewards import rewards_command
from evaluation.cli.run import run_command


@click.group("eval")
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


eval_group.add_command(build_command)
eval_group.add_command(to_vqa_command)
eval_group.add_command(fetch_pictures_command)
eval_group.add_command(convert_command)
eval_group.add_command(split_command)
eval_group.add_command(join_command)
eval_group.add_command(sample_command)
eval_group.add_command(describe_command)
eval_group.add_command(run_command)
eval_group.add_command(grade_command)
eval_group.add_command(ablate_command)
eval_group.add_command(report_command)
eval_group.add_command(difficulty_command)
eval_group.add_command(critic_command)
eval_group.add_command(rewards_command)
eval_group.add_command(export_command)
