"""`walker eval convert` and `split`: files of questions into other files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from evaluation.cli.sites import read_sites
from evaluation.dataset.conversion import convert
from evaluation.dataset.files import load, load_placed, save
from evaluation.dataset.formats import FORMATS, FormatName
from evaluation.dataset.question import Dataset
from evaluation.dataset.splits import Split, Together, balanced_split, read_shares, split
from walker.cli.run_command import stop_with
from walker.errors import WalkerError

_FORM = click.option(
    "--form",
    type=click.Choice(list(FORMATS)),
    default="walker",
    show_default=True,
    help="Form to write: ours, WebWalkerQA's public one, EverWebQA's, or that of development questions.",
)
_JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")


@click.command("convert")
@click.argument("source", metavar="IN")
@click.argument("target", metavar="OUT", type=click.Path(path_type=Path))
@_FORM
@click.option(
    "--site",
    "sites",
    multiple=True,
    metavar="NAME=BASE",
    help="Write pages of the site NAME with full addresses below BASE (repeatable).",
)
@click.option("--skip", is_flag=True, help="Leave out what the form cannot say, and tell how many.")
@_JSON
def convert_command(
    source: str, target: Path, form: FormatName, sites: tuple[str, ...], skip: bool, as_json: bool
) -> None:
    r"""Write the questions of IN (a file in any known form, or "demo") to OUT in another form.

    \b
    walker eval convert webwalkerqa.jsonl ours.jsonl
    walker eval convert qa_dev.jsonl public.jsonl --form webwalkerqa --skip --site sqlite=http://127.0.0.1:8102/

    The form of IN is found out by its fields. The public forms know one answer, full addresses, and questions of one source or
    several; what of the questions a form does not hold is told.
    """
    known = read_sites(sites)
    try:
        loaded = load_placed(source)
        done = convert(loaded, form, known, skip=skip)
        save(target, done.questions, form)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    if as_json:
        shown = {"questions": len(done.questions), "left_out": done.left_out, "lost": done.lost, "out": str(target)}
        click.echo(msgspec.json.encode(shown).decode())
        return
    click.echo(f"{len(done.questions)} questions, read as {loaded.form}, written as {form}: {target}")
    for line in done.left_out:
        click.echo(f"  left out: {line}")
    for name, count in done.lost.items():
        click.echo(f"  not kept by this form: {name} of {count} questions")


@click.command("split")
@click.argument("dataset")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    required=True,
    help="Folder for the parts: train.jsonl, dev.jsonl, test.jsonl by their names in --shares.",
)
@click.option(
    "--shares", default="train=0.7,dev=0.1,test=0.2", show_default=True, help="Parts with their shares, adding up to 1."
)
@click.option(
    "--by",
    "together",
    type=click.Choice(["question", "site"]),
    default="question",
    show_default=True,
    help="What is put into one part as a whole: a question, or all questions of a site, so that no page is seen in two parts.",
)
@click.option("--seed", default="", metavar="TEXT", help="Another split; the same text, the same split.")
@click.option(
    "--balance",
    is_flag=True,
    help="Find the seed whose parts have most evenly of every kind and difficulty, and tell it.",
)
@_FORM
@_JSON
def split_command(**given: Any) -> None:
    r"""Divide DATASET (a file in any known form) into parts for training, development and test.

    \b
    walker eval split questions.jsonl --out parts
    walker eval split questions.jsonl --out parts --shares dev=0.2,test=0.8 --by site --balance

    A question falls where the hash of its words and its site falls. So every kind and difficulty is divided alike, and no question
    changes its part when others are added, moved, or given other answers. Small sets come out uneven: see what is told, and use
    --balance once; its seed, given as --seed from then on, keeps every question where it is.
    """
    options = _Options(**given)
    if options.balance and options.seed:
        raise click.UsageError("--balance finds the seed: give one of --seed and --balance")
    try:
        dataset, shares = load(options.dataset), read_shares(options.shares)
        if options.balance:
            made = balanced_split(dataset, shares, together=options.together)
        else:
            made = split(dataset, shares, together=options.together, seed=options.seed)
        files = {name: options.out / f"{name}.jsonl" for name in made.parts}
        for name, part in made.parts.items():
            save(files[name], part.questions, options.form)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=options.as_json)
    _show(options, dataset, made, files)
    for name in (name for name, part in made.parts.items() if shares[name] and not part.questions):
        click.echo(f"walker: {name} has no question: too few to divide by {options.together}", err=True)


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    dataset: str
    out: Path
    shares: str
    together: Together
    seed: str
    balance: bool
    form: FormatName
    as_json: bool


def _show(options: _Options, dataset: Dataset, made: Split, files: dict[str, Path]) -> None:
    if options.as_json:
        parts = {
            name: {"questions": len(part.questions), "digest": part.digest, "out": str(files[name])}
            for name, part in made.parts.items()
        }
        strata = [{"kind": kind, "difficulty": level, **counts} for (kind, level), counts in made.strata().items()]
        click.echo(msgspec.json.encode({"seed": made.seed, "parts": parts, "strata": strata}).decode())
        return
    click.echo(f"{'':20}" + "".join(f"{name:>10}" for name in made.parts))
    for (kind, difficulty), counts in made.strata().items():
        click.echo(f"{f'{kind} {difficulty}':20}" + "".join(f"{count:>10}" for count in counts.values()))
    click.echo(f"{'all':20}" + "".join(f"{len(part.questions):>10}" for part in made.parts.values()))
    again = f"; to have them again: --seed {made.seed}" if options.balance else ""
    click.echo(f"{len(dataset.questions)} questions, {len(files)} files in {options.out}{again}")
