"""`walker watch`: ask, play or crawl again, on a schedule or once, and say what changed."""

from __future__ import annotations

import os
import re
import time
from pathlib import Path
from typing import Any

import click
import msgspec

from walker.cli.grouped_command import GroupedCommand
from walker.cli.model_options import read_components, read_model, read_vision, with_model_options
from walker.cli.run_command import error_console, print_secret_notice, run_for_person, stop_with
from walker.cli.tables import print_folded
from walker.cli.typed.schema_file import read_schema
from walker.cli.walk_options import GROUPS
from walker.cli.walks.play import CHANGED, read_values
from walker.cli.walks.way_out_options import read_way_out, with_run_options
from walker.crawl.crawling import CrawlSettings
from walker.crawl.script.spec_loader import CrawlScript, read_script, spec_of_root
from walker.errors import WalkerError
from walker.flows.play_run import PlayOptions, values_of
from walker.flows.script_file import read_flow
from walker.progress import ProgressLines
from walker.rules.scope import check_root
from walker.settings import Limits, ModelSettings, Settings
from walker.watching.checking import AskChecking, Checking, CrawlChecking, PlayChecking
from walker.watching.history import FILE_NAME, read_history
from walker.watching.schedule import Schedule, read_cron, read_every
from walker.watching.telling import SECRET_NAME, Command, Webhook
from walker.watching.watch import Tellers, Watch, keep_watching, watch_once
from walker.watching.watched import Check, Told, Watched

JOB = "job"
_WATCH_GROUPS = {
    "What is watched": ("script", "spec", "schema", "set"),
    "When": ("every", "cron", "once", "max-checks"),
    "On a change": ("webhook", "command"),
    "History": ("name", "watches", "history"),
    **GROUPS,
}


@click.command("watch", cls=GroupedCommand, groups=_WATCH_GROUPS)
@click.argument("root", required=False, metavar="[ROOT]")
@click.argument("question", required=False, metavar="[QUESTION]")
@click.option(
    "--script",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Play this flow script (walker export --to script) instead.",
)
@click.option("--spec", metavar="FILE|URL", help="Crawl by this crawl script, or the site of an address, instead.")
@click.option(
    "--schema",
    metavar="FILE|MODULE:MODEL",
    help="Of ROOT: watch the fields of a schema instead of the answer in words.",
)
@click.option(
    "--set", "settings_of", multiple=True, metavar="NAME=VALUE", help="Value of a variable of --script (repeatable)."
)
@click.option(
    "--every",
    metavar="TIME",
    help="Check again and again, this long after the beginning of the check before: 15m, 1h, 2d.",
)
@click.option(
    "--cron",
    metavar="LINE",
    help="Check at the moments of a cron line in local time, such as '0 7 * * 1-5' (extra watch).",
)
@click.option("--once", is_flag=True, help="Check once and end, for cron and systemd; the default.")
@click.option("--max-checks", type=click.IntRange(1), help="End after so many checks.")
@click.option("--webhook", metavar="URL", help=f"Post each change to this address as JSON, signed with {SECRET_NAME}.")
@click.option(
    "--command",
    "command_line",
    metavar="PROGRAM",
    help="Run this on each change, without a shell; it gets the change as JSON on its input.",
)
@click.option("--name", metavar="NAME", help="Name of the watch; made of what is watched if not given.")
@click.option(
    "--watches",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("watches"),
    show_default=True,
    help="Folder of all watches.",
)
@click.option("--history", is_flag=True, help="Print the checks so far, and check nothing.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    is_eager=True,
    help="Print one JSON object for each check on stdout and nothing else.",
)
@click.option(
    "--max-pages",
    type=click.IntRange(1),
    default=Settings().limits.pages,
    show_default=True,
    help="Open at most this many pages for an answer.",
)
@click.option(
    "--max-seconds",
    default=Settings().limits.seconds,
    show_default=True,
    help="Stop an answer after this many seconds.",
)
@with_run_options("root", "Record no runs; the history is written all the same.")
@with_model_options
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def watch_command(**given: Any) -> None:
    r"""Check ROOT again for QUESTION, or play --script, or crawl by --spec, and say what changed since the check before.

    Each check is one line of watches/NAME/history.jsonl, written when it has ended: one that was killed is made again, and none is
    there twice. A check that fails is no change. A crawl asks for pages with a condition where the server allows it, as
    walker crawl --again does.

    \b
    walker watch https://shop.example/mug "What does the blue mug cost?" --once
    walker watch --script flume.yaml --every 1h --command "notify-send changed"
    walker watch --spec docs.yaml --cron "0 7 * * 1-5" --webhook https://hooks.example/walker
    walker watch https://shop.example/mug --schema product.json --every 6h
    walker watch --script flume.yaml --history

    Exit codes of the last check: 0 the same, or the first one; 10 changed (any of several checks); 1 it failed; 2 wrong usage.
    """
    if read_vision(given) is not None:
        raise click.UsageError("--vision-model: a watch reads the text of pages")
    model = read_model(given)
    components = read_components(given)
    options = _Options(**given)
    try:
        folder = options.watches / (options.name or _name_of(options))
        if options.history:
            _print_history(folder, as_json=options.as_json)
            return
        schedule = _schedule_of(options)
        settings = msgspec.structs.replace(_settings(options, model), components=components)
        console = error_console(quiet=options.quiet)
        checking = _checking_of(options, settings, folder, None if options.quiet else ProgressLines(console))
        tellers = _tellers_of(options)
        print_secret_notice(settings, console)
        watch = Watch(
            folder,
            checking,
            tellers,
            told=lambda check: _print_check(check, as_json=options.as_json),
            warned=lambda line: click.echo(f"walker: {line}", err=True),
        )
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=options.as_json)
    interrupted = f"interrupted; the checks so far are in {folder / FILE_NAME}"
    if schedule is None:
        checks = [run_for_person(watch_once(watch), as_json=options.as_json, interrupted=interrupted)]
    else:
        work = keep_watching(watch, schedule, most=options.max_checks or 0)
        checks = run_for_person(work, as_json=options.as_json, interrupted=interrupted)
    raise SystemExit(_exit_code(checks))


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    root: str | None
    question: str | None
    script: Path | None
    spec: str | None
    schema: str | None
    settings_of: tuple[str, ...]
    every: str | None
    cron: str | None
    once: bool
    max_checks: int | None
    webhook: str | None
    command_line: str | None
    name: str | None
    watches: Path
    history: bool
    as_json: bool
    max_pages: int
    max_seconds: float
    page_seconds: float
    runs_folder: Path
    no_record: bool
    header_lines: tuple[str, ...]
    proxy: str
    quiet: bool


def _name_of(options: _Options) -> str:
    """A name made of what is watched. Raises `click.UsageError` where that is nothing, or several things."""
    given = [one for one in (options.root, options.script, options.spec) if one]
    if len(given) != 1:
        raise click.UsageError(
            'say what is watched: ROOT "question", or --script FILE, or --spec FILE (or --name with --history)'
        )
    if options.root and not options.question and not options.schema:
        raise click.UsageError("ROOT needs a question in quotes, or --schema FILE")
    if options.schema and not options.root:
        raise click.UsageError("--schema goes with ROOT")
    if options.script is not None:
        words = options.script.stem
    elif options.spec:
        words = Path(options.spec).stem if "://" not in options.spec else options.spec.partition("://")[2]
    else:
        words = f"{(options.root or '').partition('://')[2]} {options.question or options.schema}"
    return re.sub(r"[^\w.]+", "-", words.casefold()).strip("-.")[:80] or "watch"


def _schedule_of(options: _Options) -> Schedule | None:
    """None: one check. Raises `click.UsageError` and `UsageError`."""
    if sum((options.every is not None, options.cron is not None, options.once)) > 1:
        raise click.UsageError("--every, --cron and --once go one at a time")
    if options.every is None and options.cron is None:
        if options.max_checks is not None:
            raise click.UsageError("--max-checks goes with --every or --cron")
        return None
    return read_every(options.every) if options.every is not None else read_cron(options.cron or "")


def _checking_of(options: _Options, settings: Settings, folder: Path, progress: ProgressLines | None) -> Checking:
    if options.name:
        _name_of(options)  # what is watched is checked all the same
    values = read_values(options.settings_of)
    if options.script is not None:
        values_of(read_flow(options.script).script, values, str(options.script))
        return PlayChecking(options.script, settings, PlayOptions(values=values))
    if values:
        raise click.UsageError("--set goes with --script")
    if options.spec:
        crawl_settings = CrawlSettings(folder=folder / JOB, environment=dict(os.environ), chromium=settings.chromium)
        if "://" in options.spec:
            script = CrawlScript(spec=spec_of_root(check_root(options.spec)))
        else:
            script = read_script(Path(options.spec), dict(os.environ))
        return CrawlChecking(options.spec, script, folder / JOB, crawl_settings)
    root = check_root(options.root or "")
    schema = read_schema(options.schema) if options.schema else None
    question = (
        options.question
        or f"Extract {schema.wanted.title if schema is not None and hasattr(schema.wanted, 'title') else ''}".strip()
    )
    return AskChecking(root, question, settings, schema, progress)


def _tellers_of(options: _Options) -> Tellers:
    return Tellers(
        webhook=Webhook(options.webhook, os.environ.get(SECRET_NAME, "")) if options.webhook else None,
        command=Command(options.command_line, os.environ) if options.command_line is not None else None,
    )


def _settings(options: _Options, model: ModelSettings | None) -> Settings:
    if not options.page_seconds > 0 or not options.max_seconds > 0:
        raise click.UsageError("--page-seconds and --max-seconds take a number of seconds above 0")
    headers, proxy, sent = read_way_out(options.header_lines, options.proxy, as_json=options.as_json)
    return Settings(
        limits=Limits(pages=options.max_pages, seconds=options.max_seconds),
        runs_folder=options.runs_folder,
        record=not options.no_record,
        page_seconds=options.page_seconds,
        chromium=os.environ.get("WALKER_CHROMIUM", ""),
        headers=headers,
        proxy=proxy,
        secrets=(*sent, *filter(None, [os.environ.get(SECRET_NAME, "")])),
        model=model,
    )


def _print_check(check: Check, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(check).decode())
        return
    print_folded(f"{_moment(check.at)}  check {check.number}: {_said(check)}")
    for line in check.change.lines:
        print_folded(f"  {line}")


def _said(check: Check) -> str:
    if check.state == "failed" or check.found is None:
        return f"failed: {check.error}"
    found = check.found
    if found.pages:
        told = ", ".join(f"{count} {name}" for name, count in found.pages.items())
    elif found.fields:
        told = ", ".join(f"{path} {value}" for path, value in found.fields.items())
    else:
        nearest = f"; nearest: {found.nearest}" if found.nearest else ""
        told = found.answer or (f"{len(found.items)} items" if found.items else f"no answer{nearest}")
    return f"{check.state}: {told}"


def _print_history(folder: Path, *, as_json: bool) -> None:
    entries = read_history(folder)
    if as_json:
        for entry in entries:
            click.echo(msgspec.json.encode(entry).decode())
        return
    head = next(entry for entry in entries if isinstance(entry, Watched))
    print_folded(", ".join(f"{name}: {value}" for name, value in head.what.items() if name != "schema"))
    told = {(one.number, one.by): one for one in entries if isinstance(one, Told)}
    for check in entries:
        if not isinstance(check, Check):
            continue
        print_folded(f"{check.number:>4}  {_moment(check.at)}  {_said(check)}")
        for line in check.change.lines:
            print_folded(f"        {line}")
        for by in check.tells:
            one = told.get((check.number, by))
            print_folded(f"        {by}: {one.detail if one is not None else 'not told yet'}")


def _moment(at: float) -> str:
    return time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))


def _exit_code(checks: list[Check]) -> int:
    if any(check.state == "changed" for check in checks):
        return CHANGED
    return 1 if checks and checks[-1].state == "failed" else 0
