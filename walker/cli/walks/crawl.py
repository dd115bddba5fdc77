"""`walker crawl`: a whole site, by a script or from an address."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.text import Text

from walker.cli.grouped_command import GroupedCommand
from walker.cli.header_lines import read_header_lines
from walker.cli.places.crew_options import check_crew, crew_of, with_crew_options
from walker.cli.reach_options import read_session, windows_here, with_kind_option, with_state_options
from walker.cli.run_command import error_console, print_script_secrets, run_for_person, stop_with
from walker.cli.tables import Column, folded, print_rows
from walker.crawl.crawl_progress import CrawlDisplay
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings, check_outputs, crawl
from walker.crawl.fleet.crew import Crew
from walker.crawl.job.shared.postgres_base import without_password
from walker.crawl.listing import list_addresses
from walker.crawl.script.secret_text import secret_names_of, secrets_of
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.spec_loader import CrawlScript, spec_schema
from walker.errors import UsageError, WalkerError
from walker.programs.crawl_request import CrawlOptions, job_place, requested_script
from walker.seams.web.storage_state import StorageState
from walker.settings import kind_of_browser

GROUPS = {
    "Limits": ("max-pages", "max-items", "max-depth", "max-seconds", "path", "include", "exclude"),
    "Order and pace": (
        "order",
        "best",
        "driver",
        "browser",
        "headed",
        "press",
        "concurrency",
        "delay",
        "ignore-robots",
        "no-probe",
        "contact",
        "header",
        "proxy",
        "profile",
        "state",
        "sitemaps",
    ),
    "Output": (
        "keep",
        "find-items",
        "out",
        "out-pages",
        "markdown",
        "chunks",
        "warc",
        "changed-only",
        "library",
        "metrics",
        "json",
        "verbose",
        "quiet",
    ),
    "Job": ("job", "workers", "on", "fresh", "again"),
}
RENAMED = {
    "--pages": "--max-pages",
    "--items": "--max-items",
    "--depth": "--max-depth",
    "--seconds": "--max-seconds",
    "--output": "--out",
    "--output-pages": "--out-pages",
}
KEPT_KINDS = (
    "links",
    "markdown",
    "text",
    "html",
    "screenshot",
    "pictures",
    "picture-text",
    "download",
    "pdf",
    "office",
)
_LISTED = (Column(gap=0, least=5), Column(shortest=20, cut="middle"), Column(shortest=12))
_LEAST_ROOM = 20
"""Columns of the report's texts, however narrow the terminal."""
_MEGABYTE = 1_000_000


class DestinationName(click.Path):
    """A file, or an address, which a path would lose a slash of."""

    def __init__(self) -> None:
        super().__init__(path_type=str, dir_okay=False)
        self.name = "FILE|ADDRESS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text as it is; of a path it is checked that it is no folder."""
        return value if "://" in str(value) else super().convert(value, param, ctx)


class FolderName(click.Path):
    """A folder, or an address."""

    def __init__(self) -> None:
        super().__init__(path_type=str, file_okay=False)
        self.name = "FOLDER|ADDRESS"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The text as it is; of a path it is checked that it is no file."""
        return value if "://" in str(value) else super().convert(value, param, ctx)


@click.command("crawl", cls=GroupedCommand, groups=GROUPS, renamed=RENAMED)
@click.argument("script", required=False)
@click.option("--check", is_flag=True, help="Check the script, print every error with its line, and fetch nothing.")
@click.option(
    "--list",
    "lists",
    is_flag=True,
    help="List the addresses that are known beforehand (start, sitemaps) and what robots.txt says of each; fetch no page.",
)
@click.option("--schema", is_flag=True, help="Print the JSON Schema of scripts, for editors.")
@click.option(
    "--job",
    type=FolderName(),
    default=None,
    help="Folder of the job, or postgresql://HOST/DATABASE?job=NAME for many workers; crawls/NAME if not given. An existing job is resumed.",
)
@with_crew_options
@click.option("--fresh", is_flag=True, help="Delete an earlier job in the folder and start over.")
@click.option(
    "--again",
    is_flag=True,
    help="Crawl once more over a job that has ended: ask for what changed, and say what is new, changed and gone.",
)
@click.option("--max-pages", type=click.IntRange(0), default=None, help="Fetch at most this many pages.")
@click.option("--max-items", type=click.IntRange(1), default=None, help="Stop at exactly this many distinct items.")
@click.option("--max-depth", type=click.IntRange(0), default=None, help="Follow links at most this far from the start.")
@click.option("--max-seconds", type=click.FloatRange(0), default=None, help="Crawl at most this long.")
@click.option("--path", default=None, help="Only URLs whose path starts with this.")
@click.option(
    "--include", multiple=True, help="Only URLs that match: * within a folder, ** across, re: regular expression."
)
@click.option("--exclude", multiple=True, help="Skip URLs that match.")
@click.option(
    "--order",
    type=click.Choice(["depth-first", "breadth-first", "best-first", "level-by-level"]),
    default=None,
    help="Order of pages; level-by-level gives each depth an equal share of --max-pages.",
)
@click.option("--best", default=None, help="For best-first: phrases that mark a relevant link.")
@click.option(
    "--driver",
    type=click.Choice(["auto", "http", "playwright", "selenium"]),
    default=None,
    help="How pages are fetched; auto renders in a browser only where that makes a difference.",
)
@click.option(
    "--press",
    is_flag=True,
    help="Press what is safe to press: buttons outside forms, summaries, tabs, # links; nothing is sent.",
)
@click.option("--concurrency", type=click.IntRange(1, 64), default=None, help="Concurrent pages.")
@click.option("--delay", type=click.FloatRange(0), default=None, help="Seconds between two requests to one host.")
@click.option("--ignore-robots", is_flag=True, help="Ignore robots.txt; for your own sites only.")
@click.option("--no-probe", is_flag=True, help="Never ask a host for a page that does not exist.")
@click.option("--contact", default=None, help="Your URL or e-mail address, added to the User-Agent.")
@click.option(
    "--header",
    "header_lines",
    multiple=True,
    metavar="NAME: VALUE",
    help="Send this header to the hosts of the crawl, and no others (repeatable); '${NAME}' in single quotes is taken from the environment.",
)
@click.option(
    "--proxy",
    default=None,
    metavar="URL",
    help="Fetch everything through this proxy: http://host:port or socks5://host:port, '${NAME}' for credentials before the host.",
)
@click.option("--sitemaps", is_flag=True, help="Start from the sitemaps in robots.txt too.")
@click.option(
    "--keep",
    multiple=True,
    metavar="KIND",
    type=click.Choice(KEPT_KINDS),
    help=f"What to store of every page besides title and URL: {', '.join(KEPT_KINDS[:-1])} or {KEPT_KINDS[-1]}; pictures, with --library,"
    " are fetched and kept there for walker search --picture.",
)
@click.option("--find-items", is_flag=True, help="Detect repeated records on pages without a rule.")
@click.option(
    "-o",
    "--out",
    multiple=True,
    type=DestinationName(),
    help="Write the items there too, of an address alone those that --find-items finds: a file (.jsonl .csv .parquet .sqlite), FILE.duckdb#TABLE, s3://BUCKET/KEY or postgresql://HOST/DATABASE?table=NAME.",
)
@click.option(
    "--out-pages",
    multiple=True,
    type=DestinationName(),
    help="Write one record a page there, likewise.",
)
@click.option(
    "--warc",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="Write all HTTP traffic to this file, .warc or .warc.gz.",
)
@click.option(
    "--markdown",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help="Write the main content of every page as a Markdown file into this folder, with front matter.",
)
@click.option(
    "--chunks",
    type=DestinationName(),
    default=None,
    help="Write passages of that content there, for retrieval, likewise.",
)
@click.option(
    "--changed-only",
    is_flag=True,
    help="With --again: leave pages and items that are unchanged out of the output.",
)
@click.option(
    "--library",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="Add every page to this library, for walker search and walker ask --library.",
)
@with_kind_option
@click.option("--headed", is_flag=True, help="Show the browser.")
@with_state_options
@click.option(
    "--metrics",
    type=click.IntRange(1, 65535),
    default=None,
    metavar="PORT",
    help="Serve numbers for Prometheus at http://127.0.0.1:PORT/metrics; OTEL_EXPORTER_OTLP_ENDPOINT names a collector.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object on stdout and nothing else.")
@click.option("-v", "--verbose", is_flag=True, help="Print a line for every page.")
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def crawl_command(script: str | None, **options: Any) -> None:
    r"""Crawl a site completely, or until a limit.

    SCRIPT is a URL, or a YAML or Python file that says what to do on which pages (docs/crawl-scripts.md). Options
    override the script.

    \b
    walker crawl https://docs.example.org/ --keep markdown
    walker crawl books.yaml -o books.csv
    walker crawl books.yaml -o "postgresql://me@db.example.org/shop?table=books"
    walker crawl https://shop.example.org/ --find-items --max-items 50
    walker crawl books.yaml --check
    walker crawl https://docs.example.org/ --library docs.library
    walker crawl news.yaml --job "postgresql://me@db.example.org/crawls?job=news"   # and on other machines: walker worker ADDRESS
    walker crawl news.yaml --job "postgresql://me@db.example.org/crawls?job=news" --workers 8 --on ray://10.0.0.5:10001

    A crawl may be stopped or killed at any moment: the same command resumes it. When it ends, the job's folder holds
    items.jsonl and pages.jsonl. With --again it is repeated, and fetches only what has changed where servers tell.

    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no page or item was stored, 130 interrupted.
    """
    if options["schema"]:
        click.echo(msgspec.json.format(msgspec.json.encode(spec_schema())).decode())
        return
    as_json: bool = options["as_json"]
    console = error_console(quiet=options["quiet"] or as_json)
    state, _ = read_session(options, as_json=as_json)
    read, (folder, address), crew = _understood(script, options, state, console)
    if options["check"]:
        _check(script or "", read.spec, as_json=as_json)
        return
    if options["lists"]:
        raise SystemExit(run_for_person(_list(read.spec, as_json=as_json), as_json=as_json))
    settings = CrawlSettings(
        folder=folder,
        address=address,
        environment=dict(os.environ),
        chromium=os.environ.get("WALKER_CHROMIUM", ""),
        browser=kind_of_browser(options["browser"], headed=options["headed"]),
        windows=windows_here(),
        fresh=options["fresh"],
        again=options["again"],
        library=options["library"],
        metrics=options["metrics"],
        state=state,
    )
    print_script_secrets(secrets_of(read.spec, settings.environment), console)
    with CrawlDisplay(read.spec, console, verbose=options["verbose"]) as display:
        work = crawl(read, settings, sink=display, opened=display.watch, crew=crew)
        report = run_for_person(
            work if crew is None else crew.working(work),
            as_json=as_json,
            interrupted=f"interrupted; run the same command again to resume (job {without_password(address) if address else folder})",
        )
    _end(report, read, as_json=as_json)


def _understood(
    script: str | None, options: dict[str, Any], state: StorageState, console: Console
) -> tuple[CrawlScript, tuple[Path, str], Crew | None]:
    """The script, folder and address of its job, and who helps. What cannot be is said, and ends the program."""
    try:
        read = _read(script, options)
        job = job_place(options["job"], read)
        check_crew(options, job[1], state)
        return read, job, crew_of(options, read, job, lambda line: console.print(line, style="yellow", markup=False))
    except WalkerError as error:
        for line in str(error).splitlines()[:-1]:
            click.echo(f"walker: {line}", err=True)
        stop_with(str(error).splitlines()[-1], error.exit_code, as_json=options["as_json"])


def _end(report: CrawlReport, script: CrawlScript, *, as_json: bool) -> None:
    """Print the report; exit code 3 where nothing came of the crawl."""
    if as_json:
        click.echo(msgspec.json.encode(report.describe()).decode())
    else:
        print_report(report, error_console(quiet=False), script)
    if not report.is_success:
        raise SystemExit(3)


def _check(script: str, spec: CrawlSpec, *, as_json: bool) -> None:
    """Say that the script is fine, or what is wrong with a destination."""
    try:
        check_outputs(spec)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    click.echo(f"{script}: the script is fine", err=True)
    unset = [name for name in secret_names_of(spec) if name not in os.environ]
    if unset:
        click.echo(f"to run it, set in the environment: {', '.join(unset)}", err=True)


async def _list(spec: CrawlSpec, *, as_json: bool) -> int:
    """Print a line for every address; the exit code, 3 if none may be fetched."""
    allowed = 0
    async for one in list_addresses(spec, dict(os.environ)):
        allowed += one.allowed
        if as_json:
            click.echo(msgspec.json.encode(one).decode())
        else:
            row = ("fetch" if one.allowed else "skip", one.url, f"({one.why})" if one.why else "")
            # A line at a time: what comes later may take long.
            print_rows(_LISTED, [row])
    click.echo(f"{allowed} would be fetched, and what they link to (not known yet)", err=True)
    return 0 if allowed else 3


def print_report(report: CrawlReport, console: Console, script: CrawlScript) -> None:
    """Print the report as text."""
    rows = {
        "ended": report.stop_reason,
        "pages": f"{report.pages}" + (f" ({report.same} of them duplicates)" if report.same else ""),
        "changes": _changes(report),
        "items": _items(report, script),
        "time": f"{report.seconds:.1f} s, {report.pages_per_second:.1f} pages/s",
        "fetched": _fetched(report),
        "not fetched": f"{report.waiting} waiting" if report.waiting else "",
        "failed": _reasons(report.failed, report.failures),
        "to try": _way_past_checks(report, script),
        "skipped": _reasons(report.skipped, report.skips),
        "cut": _reasons(report.cut, report.cuts),
        "sitemaps": "\n".join(report.sitemaps),
        "files": "\n".join(report.files_told),
    }
    room = max(len(name) for name, text in rows.items() if text) + 2
    for name, text in rows.items():
        lines = [
            line for told in text.splitlines() for line in folded(told, max(_LEAST_ROOM, console.width - room), hang=2)
        ]
        for number, line in enumerate(lines):
            head = Text(f"{'' if number else name:<{room}}", style="dim")
            console.print(head.append(line, style="not dim"), soft_wrap=True)


def _items(report: CrawlReport, script: CrawlScript) -> str:
    if report.items or not report.pages:
        return str(report.items) + (f" (none has {', '.join(report.empty_fields)})" if report.empty_fields else "")
    if script.functions.items is not None or any(rule.items for rule in script.spec.pages):
        return "0 (nothing on the pages fits the items of the script; walker test-selector URL SELECTOR tries one)"
    if script.spec.items == "none":
        return "0 (none were asked for: --find-items finds lists of records, and items: in a script names fields)"
    return "0 (no lists of records were found; --out-pages FILE writes the pages, and items: in a script names fields)"


def _fetched(report: CrawlReport) -> str:
    by = ", ".join(f"{name} {number}" for name, number in report.drivers.items() if name)
    size = f"{report.bytes / 1e6:.1f} MB" if report.bytes >= _MEGABYTE else f"{report.bytes / 1e3:.1f} kB"
    return f"{size} by {by}" if by else ""


def _changes(report: CrawlReport) -> str:
    if not report.changes:
        return ""
    told = dict(report.changes)
    unasked = told.pop("not modified")
    told_of = [f"{number} {name}" for name, number in told.items()]
    if unasked:
        told_of[2] += f" ({unasked} not fetched)"
    return "\n".join([", ".join(told_of), *(f"{number} × {why}" for why, number in report.gone.items())])


def _reasons(total: int, reasons: dict[str, int]) -> str:
    return "\n".join([str(total), *(f"{number} × {why}" for why, number in reasons.items())]) if total else ""


def _way_past_checks(report: CrawlReport, script: CrawlScript) -> str:
    """What may open pages that a check keeps closed, "" where there are none."""
    if not any(why.startswith("challenge page") for why in report.failures) or script.spec.driver == "selenium":
        return ""
    driver = " --driver auto" if script.spec.driver == "http" else ""
    again = " --again" if report.pages else ""
    return f"the same command with{driver} --browser headed{again} opens what a check keeps closed in a fuller browser"


def _read(script: str | None, options: dict[str, Any]) -> CrawlScript:
    if not script:
        raise UsageError(
            "no address and no script was given", advice="Try walker crawl https://example.org/, or walker crawl --help"
        )
    named = {name: value for name, value in options.items() if name in CrawlOptions.__annotations__}
    named["header"] = read_header_lines(options["header_lines"])
    # A check fetches nothing, and needs no passwords.
    environment = None if options["check"] else dict(os.environ)
    return requested_script(script, named, environment, called=lambda name: f"--{name.replace('_', '-')}")
