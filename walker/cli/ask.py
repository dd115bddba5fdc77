"""`walker ask`: one question, a whole file of them, or a walk that was cut off."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console

from walker.asking import ask
from walker.batch.jobs import run_batch
from walker.cli.model_options import key_for_resume, read_components, read_model, with_model_options
from walker.cli.running import NOT_ANSWERED, error_console, run_for_person
from walker.outcome import Outcome
from walker.progress import ProgressLines
from walker.replaying import resume_run
from walker.settings import Limits, Settings

_DEFAULTS = Settings()


@click.command("ask")
@click.argument("root", required=False)
@click.argument("question", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
@click.option("--max-pages", default=_DEFAULTS.limits.pages, show_default=True, help="Open at most this many pages.")
@click.option("--max-seconds", default=_DEFAULTS.limits.seconds, show_default=True, help="Walk at most this long.")
@click.option("--max-depth", default=_DEFAULTS.limits.depth, show_default=True, help="Go at most this many pages deep.")
@click.option(
    "--tau",
    default=_DEFAULTS.threshold,
    show_default=True,
    help="Understanding score below which the picture is looked at, 0 to 100.",
)
@click.option(
    "--scope",
    type=click.Choice(["host", "path"]),
    default="host",
    show_default=True,
    help="Walk the whole host, or only below the root's folder.",
)
@click.option("--lang", default="", help="Language of the question (en, zh); found out if not given.")
@click.option(
    "--page-seconds", default=_DEFAULTS.page_seconds, show_default=True, help="Give a page this long to load."
)
@click.option(
    "--runs",
    "runs_folder",
    type=click.Path(path_type=Path),
    default=Path("runs"),
    show_default=True,
    help="Folder that the recorded walks go to.",
)
@click.option("--no-record", is_flag=True, help="Write no trace.")
@click.option("--sync", is_flag=True, help="Make the trace safe from power failure too, not only from kill -9.")
@click.option(
    "--secret",
    "secret_names",
    multiple=True,
    metavar="NAME",
    help="Environment variable whose value must never reach a trace (repeatable).",
)
@click.option("--headed", is_flag=True, help="Show the browser.")
@click.option(
    "--resume",
    "resume_run",
    type=click.Path(path_type=Path),
    help="Go on with a walk that was cut off: its run folder.",
)
@click.option(
    "--batch", "batch_file", type=click.Path(path_type=Path), help="Ask every question of this JSON Lines file."
)
@click.option(
    "--site", "sites", multiple=True, metavar="NAME=BASE", help="Address of a site that the batch names (repeatable)."
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("predictions.jsonl"),
    show_default=True,
    help="File for the answers of a batch; questions answered there already are skipped.",
)
@click.option("--jobs", default=2, show_default=True, help="Walks of a batch that go on side by side.")
@with_model_options
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
@click.option("-v", "--verbose", is_flag=True, help="Show refused proposals too.")
def ask_command(**given: Any) -> None:
    r"""Answer QUESTION by walking the site under ROOT.

    \b
    walker ask https://sqlite.org/ "How many built-in window functions are there?"
    walker ask https://sqlite.org/ "..." --model qwen3:8b --base-url http://127.0.0.1:11434/v1
    walker ask --resume runs/20260101-120000-how-many-a1b2c3
    walker ask --batch qa.jsonl --site python=http://127.0.0.1:8101/ --out answers.jsonl --jobs 2
    """
    model, components = read_model(given), read_components(given)
    options = _Options(**given)
    settings = msgspec.structs.replace(
        _settings(options), model=model or (key_for_resume() if options.resume_run else None), components=components
    )
    console = error_console(quiet=options.quiet)
    if options.batch_file is not None:
        _batch(options, settings, console)
        return
    progress = ProgressLines(console, verbose=options.verbose)
    if options.resume_run is not None:
        if options.root or options.question:
            raise click.UsageError("--resume takes the question from the run; give no ROOT and QUESTION")
        work = resume_run(options.resume_run, settings=settings, progress=progress)
    else:
        if options.root is None or options.question is None:
            raise click.UsageError("give a ROOT address and a QUESTION (or --batch FILE, or --resume RUN)")
        work = ask(options.root, options.question, settings=settings, progress=progress)
    outcome = run_for_person(work, as_json=options.as_json)
    show_outcome(outcome, as_json=options.as_json)
    raise SystemExit(0 if outcome.is_answered else NOT_ANSWERED)


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    root: str | None
    question: str | None
    as_json: bool
    max_pages: int
    max_seconds: float
    max_depth: int
    tau: float
    scope: str
    lang: str
    page_seconds: float
    runs_folder: Path
    no_record: bool
    sync: bool
    secret_names: tuple[str, ...]
    headed: bool
    resume_run: Path | None
    batch_file: Path | None
    sites: tuple[str, ...]
    out: Path
    jobs: int
    quiet: bool
    verbose: bool


def show_outcome(outcome: Outcome, *, as_json: bool) -> None:
    """Print the answer: as JSON for programs, as text with citations for people."""
    if as_json:
        click.echo(msgspec.json.encode(outcome).decode())
        return
    if not outcome.answer:
        click.echo(f"No answer ({outcome.stop_reason} after {outcome.pages} pages).")
    else:
        click.echo(outcome.answer)
        if not outcome.is_answered:
            click.echo(f"(the best found, not confirmed; {outcome.stop_reason}, confidence {outcome.confidence:.2f})")
    for number, citation in enumerate(outcome.citations, start=1):
        click.echo(f"  [{number}] {citation.url}\n      “{citation.quote}”")
    if outcome.usage.model_calls:
        usage = outcome.usage
        sent = f"{usage.prompt_tokens:,} sent + {usage.completion_tokens:,} received"
        click.echo(f"  model: {usage.model_calls} calls, {sent} tokens")
    if outcome.trace:
        click.echo(f"  trace: {outcome.trace}")


def _settings(options: _Options) -> Settings:
    if options.max_pages < 1 or options.max_depth < 1 or options.jobs < 1:
        raise click.UsageError("--max-pages, --max-depth and --jobs take a number from 1")
    missing = [name for name in options.secret_names if name not in os.environ]
    if missing:
        raise click.UsageError(f"--secret {missing[0]}: there is no such environment variable")
    return Settings(
        limits=Limits(pages=options.max_pages, seconds=options.max_seconds, depth=options.max_depth),
        threshold=options.tau,
        scope="path" if options.scope == "path" else "host",
        language=options.lang,
        runs_folder=options.runs_folder,
        record=not options.no_record,
        durability="step" if options.sync else "process",
        chromium=os.environ.get("WALKER_CHROMIUM", ""),
        page_seconds=options.page_seconds,
        headed=options.headed,
        secrets=tuple(os.environ[name] for name in options.secret_names),
    )


def _batch(options: _Options, settings: Settings, console: Console) -> None:
    assert options.batch_file is not None
    sites = {}
    for pair in options.sites:
        name, mark, base = pair.partition("=")
        if not mark or not name or not base:
            raise click.UsageError(f"--site {pair}: write it as NAME=http://host/")
        sites[name] = base
    work = run_batch(
        options.batch_file, sites=sites, out=options.out, jobs=options.jobs, settings=settings, console=console
    )
    report = run_for_person(work, as_json=options.as_json, resume_hint="; run the same command again to go on")
    if options.as_json:
        click.echo(msgspec.json.encode(report).decode())
    raise SystemExit(0 if report.failed == 0 else 1)
