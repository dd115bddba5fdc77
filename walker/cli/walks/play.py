"""`walker play`: a flow script, without a model, each step verified."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from walker.cli.grouped_command import GroupedCommand
from walker.cli.model_options import read_model, read_vision, with_endpoint_options
from walker.cli.run_command import NOT_ANSWERED, error_console, print_secret_notice, run_for_person, stop_with
from walker.cli.tables import print_folded
from walker.cli.walk_options import GROUPS
from walker.cli.walks.way_out_options import read_way_out, with_run_options
from walker.errors import UsageError
from walker.flows.answer_again import Extracted
from walker.flows.play_run import PlayOptions, PlayReport, play_file
from walker.flows.playing import StepPlayed
from walker.flows.script_file import read_flow
from walker.settings import Settings

CHANGED = 10
"""Exit code where all steps were played and the answer is another."""


@click.command("play", cls=GroupedCommand, groups=GROUPS)
@click.argument("script", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--set",
    "settings_of",
    multiple=True,
    metavar="NAME=VALUE",
    help="Value of a variable (repeatable); start is the first address.",
)
@click.option(
    "--no-heal",
    is_flag=True,
    help="Take the first locator of each step only: any change of the site is a miss (for CI).",
)
@click.option("--apply", "applies", is_flag=True, help="Write healed steps into SCRIPT, in place of a patch beside it.")
@click.option("--check", is_flag=True, help="Read the script, print its steps, and open nothing.")
@click.option(
    "--json", "as_json", is_flag=True, is_eager=True, help="Print one JSON object on stdout and nothing else."
)
@with_run_options("start")
@with_endpoint_options
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def play_command(**given: Any) -> None:
    r"""Play SCRIPT, which walker export RUN --to script made of a walk: the same way again, without a model.

    Each step says hit (its first locator led to what is expected), healed (another one did) or miss. Every step is verified by its
    effect: address, heading, text. Healed steps are proposed in a patch beside SCRIPT and never written in silence. A miss stops the play
    with what is different; with --model one call is made before, to find the step's target on this page. The answer is extracted again
    from the pages that were reached.

    \b
    walker play flume.yaml
    walker play search.yaml --set query="wave basin"
    walker play flume.yaml --set start=https://staging.example.org/ --no-heal
    walker play flume.yaml --apply --model qwen3:8b

    Exit codes: 0 played, the answer is as before; 10 played, the answer is another; 3 played, it is no longer there;
    1 a step was missed; 2 wrong usage.
    """
    if read_vision(given) is not None:
        raise click.UsageError("--vision-model: a play reads the text of pages, no pictures")
    model = read_model(given)
    options = _Options(**given)
    if options.applies and options.no_heal:
        raise click.UsageError("--apply goes without --no-heal")
    try:
        flow = read_flow(options.script)
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=options.as_json)
    if options.check:
        _print_steps(flow.script, as_json=options.as_json)
        return
    settings = msgspec.structs.replace(_settings(options), model=model)
    console = error_console(quiet=options.quiet)
    print_secret_notice(settings, console)
    play = PlayOptions(values=read_values(options.settings_of), heals=not options.no_heal, applies=options.applies)
    work = play_file(flow, settings, play, lambda step: print_step(step, console))
    report = run_for_person(work, as_json=options.as_json)
    print_report(report, as_json=options.as_json)
    raise SystemExit(exit_code_of(report))


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    script: Path
    settings_of: tuple[str, ...]
    no_heal: bool
    applies: bool
    check: bool
    as_json: bool
    page_seconds: float
    runs_folder: Path
    no_record: bool
    header_lines: tuple[str, ...]
    proxy: str
    quiet: bool


def read_values(given: tuple[str, ...]) -> dict[str, str]:
    """The values of variables in NAME=VALUE. Raises `click.UsageError`."""
    values = {}
    for one in given:
        name, sign, value = one.partition("=")
        if not sign or not name.strip():
            raise click.UsageError(f"--set {one}: write it as NAME=VALUE, such as query=flume")
        values[name.strip()] = value
    return values


def print_step(step: StepPlayed, console: Console) -> None:
    """A line for a step, and one for each thing that did not work."""
    by = f" by {step.by}" if step.by and step.state == "healed" else ""
    colour = {"hit": "green", "healed": "yellow", "miss": "red"}[step.state]
    text = f"{step.number:>3} {step.state}{by}: {step.action} {step.target}"
    console.print(text, style=colour, markup=False, soft_wrap=True)
    if step.state != "hit":
        for line in step.tried:
            console.print(f"      {line}", style="dim", markup=False, soft_wrap=True)


def print_report(report: PlayReport, *, as_json: bool) -> None:
    """The answer, what is healed, and where it is recorded."""
    if as_json:
        click.echo(msgspec.json.encode(report).decode())
        return
    played, answer = report.played, report.played.answer
    if played.is_whole:
        _print_answer(answer)
    else:
        missed = played.steps[-1]
        print_folded(f"stopped at step {missed.number}: {missed.action} {missed.target}")
        for one in missed.mismatches:
            click.echo(f"  {one.what}\n  - {one.expected}\n  + {one.got}")
    healed = len(played.healed)
    if healed:
        where = f"written into {report.script}" if report.applied else f"proposed in {report.patch}; --apply writes it"
        print_folded(f"  {healed} step{'s' * (healed != 1)} healed, {where}")
    if report.trace:
        print_folded(f"  trace: {report.trace}")


def _print_answer(answer: Extracted) -> None:
    match answer.state:
        case "same":
            print_folded(answer.value)
            click.echo("  as before")
        case "changed":
            print_folded(answer.value)
            print_folded(f"  changed; it was: {answer.was}")
        case "gone":
            print_folded(f"No longer found. It was: {answer.was}")
        case _:
            click.echo("played; the script has no answer to extract")
    for sign, names in (("+", answer.new), ("-", answer.gone)):
        for name in names:
            print_folded(f"  {sign} {name}")
    for note in answer.notes:
        print_folded(f"  {note}")


def exit_code_of(report: PlayReport) -> int:
    """0, or what is not as it was."""
    if not report.played.is_whole:
        return 1
    return {"changed": CHANGED, "gone": NOT_ANSWERED}.get(report.played.answer.state, 0)


def _print_steps(script: Any, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(script).decode())
        return
    for number, step in enumerate(script.steps, start=1):
        click.echo(f"{number:>3} {step.action} {step.target}")
    for name, variable in script.variables.items():
        click.echo(f"    --set {name}={'...' if variable.secret else variable.value}")


def _settings(options: _Options) -> Settings:
    if not options.page_seconds > 0:
        raise click.UsageError("--page-seconds takes a number of seconds above 0")
    headers, proxy, sent = read_way_out(options.header_lines, options.proxy, as_json=options.as_json)
    return Settings(
        runs_folder=options.runs_folder,
        record=not options.no_record,
        page_seconds=options.page_seconds,
        chromium=os.environ.get("WALKER_CHROMIUM", ""),
        headers=headers,
        proxy=proxy,
        secrets=sent,
    )
