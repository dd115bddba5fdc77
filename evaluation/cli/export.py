"""`walker eval export`: lines for training out of the recorded answers of experiments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from evaluation.experiment.folder import ExperimentFolder
from evaluation.grading.agreement import Agreement
from evaluation.rewards.advantages import grouped
from evaluation.rewards.reward import FORMAT_WEIGHT, rewards_of
from evaluation.vetting.choosing import Candidate, candidates_of, hard_ones, read_mix
from evaluation.vetting.fitness import MOST_DETOURS
from evaluation.vetting.lines import Checked, Filters, Lines, check_lines, lines_of_walks
from evaluation.vetting.prompt_lines import lines_of_prompts
from evaluation.vetting.step_model import StepModel
from walker.assembly import WalkResources
from walker.cli.model_options import model_at
from walker.cli.run_command import run_for_person
from walker.errors import UsageError
from walker.runs.export import read_grades
from walker.runs.training.line_files import TRAINING, write_lines
from walker.settings import Settings

PROMPTS = "grpo"
NAMED_APART = 5
"""Walks left out for one reason that are told one by one."""


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    folders: tuple[Path, ...]
    to: str
    out: Path
    grades: Path | None
    variants: tuple[str, ...]
    vetted: bool
    most_detours: float
    vet_model: str
    vet_url: str
    hard_only: bool
    mix: str
    format_weight: float
    check: bool
    as_json: bool


@click.command("export")
@click.argument("folders", metavar="EXPERIMENT...", nargs=-1, required=True, type=click.Path(path_type=Path))
@click.option("--to", required=True, type=click.Choice([*TRAINING, PROMPTS]), help="The form; see above.")
@click.option("-o", "--out", required=True, type=click.Path(path_type=Path), help="File to write; - for stdout.")
@click.option(
    "--grades",
    type=click.Path(path_type=Path),
    help="JSON Lines file with the keys run (or question) and correct, instead of the experiment's own grades.",
)
@click.option("--variant", "variants", multiple=True, metavar="NAME", help="Of these variants only (repeatable).")
@click.option("--vetted", is_flag=True, help="Judge each step, A or B, and cut out detours where a replay proves it.")
@click.option(
    "--most-detours",
    type=click.FloatRange(0, 1),
    default=MOST_DETOURS,
    show_default=True,
    help="With --vetted: share of the calls of a walk that may be B.",
)
@click.option(
    "--vet-model",
    default="",
    metavar="NAME",
    help="Have a model judge the steps beside the rules, and tell how far both agree. Key: WALKER_API_KEY or OPENAI_API_KEY.",
)
@click.option("--vet-url", default="", metavar="URL", help="Its OpenAI-compatible endpoint.")
@click.option(
    "--hard-only", is_flag=True, help="Questions that are sometimes answered right, at most half of the times."
)
@click.option(
    "--mix",
    default="",
    metavar="NAME=SHARE,...",
    help="Shares by experiment, domain, kind, difficulty or site, such as a=5,b=3,c=2.",
)
@click.option(
    "--format-weight",
    type=click.FloatRange(0, 1),
    default=FORMAT_WEIGHT,
    show_default=True,
    help="For grpo: w in R = w r_format + (1 - w) r_answer.",
)
@click.option("--check", is_flag=True, help="Read all lines back as a trainer does, and walk their calls again.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
def export_command(**given: Any) -> None:
    r"""Write the walks of EXPERIMENTs that teach as lines for training.

    \b
    trl sharegpt react llama-factory
               a walk as a trajectory: right answer, consistent steps (--vetted:
               good steps), three tool calls or more; pictures beside the file
    grpo       a question as a prompt, with columns for a reward function

    \b
    walker eval export runs/qa --to trl -o train.jsonl
    walker eval export runs/qa --to llama-factory --vetted --hard-only -o data/walks.jsonl --check
    walker eval export runs/a runs/b --to sharegpt --mix a=5,b=3 -o train.jsonl
    walker eval export runs/qa --to grpo -o prompts.jsonl

    Lines for a passage critic (relevant, hard and soft passages) are written by walker eval critic --lines FILE.
    """
    options = _Options(**given)
    _check_together(options)
    lines, checked = run_for_person(
        _export(options), as_json=options.as_json, interrupted="interrupted; run the same command again"
    )
    _tell(options, lines, checked)
    if checked is not None and checked.faults:
        raise SystemExit(1)


def _check_together(options: _Options) -> None:
    if options.vet_model and not options.vetted:
        raise click.UsageError("--vet-model judges beside the rules: give --vetted too")
    if options.vet_url and not options.vet_model:
        raise click.UsageError("--vet-url needs --vet-model NAME")
    if options.to == PROMPTS and (options.vetted or options.grades is not None):
        raise click.UsageError("--to grpo writes prompts, whose walks are not chosen: leave out --vetted and --grades")
    if options.check and str(options.out) == "-":
        raise click.UsageError("--check reads the pictures beside the file: name one with -o")


async def _export(options: _Options) -> tuple[Lines, Checked | None]:
    folders = [ExperimentFolder(path) for path in options.folders]
    grades = read_grades(options.grades) if options.grades is not None else None
    chosen, left_out = candidates_of(folders, grades, options.variants), tuple[str, ...]()
    if options.hard_only:
        chosen, left_out = hard_ones(chosen)
    shares = read_mix(options.mix)
    lines = _prompts(folders, chosen, options) if options.to == PROMPTS else await _walks(chosen, options)
    lines = lines.in_shares(shares) if shares else lines
    lines = msgspec.structs.replace(lines, left_out=(*left_out, *lines.left_out))
    write_lines(options.out, lines.data, lines.files, options.to)
    return lines, await check_lines(lines, options.to, options.out.parent) if options.check else None


async def _walks(chosen: tuple[Candidate, ...], options: _Options) -> Lines:
    filters = Filters(vetted=options.vetted, most_detours=options.most_detours)
    if not options.vet_model:
        return await lines_of_walks(chosen, options.to, filters)
    model = model_at(options.vet_model, options.vet_url, "")
    async with WalkResources(Settings(record=False, model=model)) as resources:
        return await lines_of_walks(chosen, options.to, filters, StepModel(resources.endpoint, options.vet_model))


def _prompts(folders: list[ExperimentFolder], chosen: tuple[Candidate, ...], options: _Options) -> Lines:
    if len(folders) != 1:
        raise UsageError(
            f"grpo takes one experiment, not {len(folders)}", where="--to", advice="Export them one by one"
        )
    groups = grouped(rewards_of(folders[0], format_weight=options.format_weight))
    return lines_of_prompts(chosen, groups, options.format_weight)


def _tell(options: _Options, lines: Lines, checked: Checked | None) -> None:
    pruned = sum(one.is_pruned for one in lines.written)
    if options.as_json:
        shown = {
            "file": str(options.out),
            "lines": len(lines.written),
            "pruned": pruned,
            "left_out": lines.left_out,
            "calls": lines.calls,
            "bad_calls": lines.bad_calls,
            "unanswered": lines.unanswered,
            "agreement": lines.agreement,
            "check": checked,
        }
        click.echo(msgspec.json.encode(shown).decode())
        return
    for reason in by_reason(lines.left_out):
        click.echo(f"left out: {reason}", err=True)
    if lines.calls:
        click.echo(f"{lines.calls} calls judged, {lines.bad_calls} of them B", err=True)
    if lines.unanswered:
        click.echo(
            f"{options.vet_model} gave no valid reply for {lines.unanswered} calls: the rules alone judged them",
            err=True,
        )
    if lines.agreement is not None:
        click.echo(_agreement(lines.agreement), err=True)
    for fault in checked.faults if checked is not None else ():
        click.echo(f"check: {fault}", err=True)
    if checked is not None:
        click.echo(
            f"check: {checked.loaded} of {checked.lines} lines load, with {checked.calls} valid calls; "
            f"{checked.followed} of {checked.walks} walks lead where they led",
            err=True,
        )
    short = f", {pruned} of them without detours" if pruned else ""
    click.echo(f"{options.out}: {len(lines.written)} lines{short}", err=True)


def by_reason(left_out: Sequence[str]) -> Iterator[str]:
    """A line each; of many that share their reason one, with the first of them and their number."""
    reasons = Counter(line.partition(": ")[2] for line in left_out)
    told: set[str] = set()
    for line in left_out:
        named, _, why = line.partition(": ")
        if not why or reasons[why] <= NAMED_APART:
            yield line
        elif why not in told:
            told.add(why)
            yield f"{reasons[why]} walks, {named} the first: {why}"


def _agreement(found: Agreement) -> str:
    kappa = "undefined" if found.kappa is None else f"{found.kappa:.2f}"
    return f"{found.first} and {found.second} agree on {found.observed:.0%} of {found.samples} calls in right walks, kappa {kappa}"
