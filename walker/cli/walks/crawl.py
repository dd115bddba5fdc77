"""`walker crawl`: a whole site, by a script or from an address."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.table import Table

from walker.cli.run_command import error_console, run_for_person, stop_with, tell_script_secrets
from walker.crawl.crawl_progress import CrawlDisplay
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.secret_text import secrets_of
from walker.crawl.script.spec_loader import ENDINGS, CrawlScript, amended, read_script, spec_of_root, spec_schema
from walker.errors import UsageError, WalkerError

JOBS = Path("crawls")


@click.command("crawl")
@click.argument("script", required=False)
@click.option("--check", is_flag=True, help="Read the script, tell every line that is wrong, fetch nothing.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of scripts, for editors.")
@click.option(
    "--job",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help="Folder of the job; by default crawls/NAME. A job that is there is gone on with.",
)
@click.option("--fresh", is_flag=True, help="Forget what an earlier job left in the folder.")
@click.option("--pages", type=click.IntRange(0), default=None, help="Fetch at most this many pages.")
@click.option("--items", type=click.IntRange(1), default=None, help="Stop at exactly this many distinct items.")
@click.option("--depth", type=click.IntRange(0), default=None, help="Follow links at most this far from the start.")
@click.option("--seconds", type=click.FloatRange(0), default=None, help="Crawl at most this long.")
@click.option("--path", default=None, help="Only addresses whose path begins so.")
@click.option(
    "--include", multiple=True, help="Only addresses that match: * within a folder, ** across, re: regular expression."
)
@click.option("--exclude", multiple=True, help="No addresses that match.")
@click.option(
    "--order",
    type=click.Choice(["depth-first", "breadth-first", "best-first", "level-by-level"]),
    default=None,
    help="Which page is next; level-by-level gives each depth an equal share of --pages.",
)
@click.option("--best", default=None, help="For best-first: words of a relevant link, in phrases.")
@click.option(
    "--driver",
    type=click.Choice(["auto", "http", "playwright", "selenium"]),
    default=None,
    help="What fetches pages: auto renders only where it makes a difference.",
)
@click.option("--concurrency", type=click.IntRange(1, 64), default=None, help="Pages at a time.")
@click.option("--delay", type=click.FloatRange(0), default=None, help="Seconds between two pages of one host.")
@click.option("--ignore-robots", is_flag=True, help="Do not obey robots.txt: for sites of your own.")
@click.option("--contact", default=None, help="Address or mail that goes into the User-Agent.")
@click.option("--sitemaps", is_flag=True, help="Begin with the sitemaps of robots.txt as well.")
@click.option(
    "--keep",
    multiple=True,
    type=click.Choice(["links", "markdown", "text", "html", "screenshot", "download", "pdf"]),
    help="What is kept of every page, besides its title and address.",
)
@click.option("--find-items", is_flag=True, help="Find repeated records on pages without a rule.")
@click.option(
    "-o",
    "--output",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the items there too: .jsonl .csv .parquet .sqlite.",
)
@click.option(
    "--output-pages",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="The same for one record a page.",
)
@click.option(
    "--warc",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="Keep all traffic there, .warc or .warc.gz.",
)
@click.option("--headed", is_flag=True, help="Show the browser.")
@click.option("--json", "as_json", is_flag=True, help="Print the report as one JSON object on stdout and nothing else.")
@click.option("-v", "--verbose", is_flag=True, help="A line for every page.")
@click.option("-q", "--quiet", is_flag=True, help="No progress.")
def crawl_command(script: str | None, **options: Any) -> None:
    r"""Crawl a site completely, or until a limit.

    SCRIPT is an address, or a YAML or Python file that says what to do on which pages (docs/crawl-scripts.md). Options
    go before what the script says.

    \b
    walker crawl https://docs.example.org/ --keep markdown
    walker crawl books.yaml -o books.csv
    walker crawl https://shop.example.org/ --find-items --items 50
    walker crawl books.yaml --check

    A crawl may be stopped or killed at any moment: the same command goes on where it was. Items and pages lie in the job's
    folder as items.jsonl and pages.jsonl in the end.

    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 nothing was kept, 130 interrupted.
    """
    if options["schema"]:
        click.echo(msgspec.json.format(msgspec.json.encode(spec_schema())).decode())
        return
    as_json: bool = options["as_json"]
    try:
        read = _read(script, options)
    except WalkerError as error:
        for line in str(error).splitlines()[:-1]:
            click.echo(f"walker: {line}", err=True)
        stop_with(str(error).splitlines()[-1], error.exit_code, as_json=as_json)
    if options["check"]:
        click.echo(f"{script}: the script is fine", err=True)
        return
    folder = options["job"] or JOBS / _name_of(read)
    settings = CrawlSettings(
        folder=folder,
        environment=dict(os.environ),
        chromium=os.environ.get("WALKER_CHROMIUM", ""),
        headed=options["headed"],
        fresh=options["fresh"],
    )
    console = error_console(quiet=options["quiet"] or as_json)
    tell_script_secrets(secrets_of(read.spec, settings.environment), console)
    with CrawlDisplay(read.spec, console, verbose=options["verbose"]) as display:
        report = run_for_person(
            crawl(read, settings, sink=display, opened=display.watch),
            as_json=as_json,
            interrupted=f"interrupted; the same command goes on (job {folder})",
        )
    if as_json:
        click.echo(msgspec.json.encode(report.describe()).decode())
    else:
        print_report(report, error_console(quiet=False))
    if not report.is_success:
        raise SystemExit(3)


def print_report(report: CrawlReport, console: Console) -> None:
    """The report as a person reads it."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column()
    rows = {
        "ended": report.stop_reason,
        "pages": f"{report.pages}" + (f" ({report.same} of them say what another says)" if report.same else ""),
        "items": str(report.items),
        "time": f"{report.seconds:.1f} s, {report.pages_per_second:.1f} pages/s",
        "fetched": f"{report.bytes / 1e6:.1f} MB by {', '.join(f'{name} {n}' for name, n in report.drivers.items() if name)}",
        "not fetched": f"{report.waiting} waiting" if report.waiting else "",
        "failed": _reasons(report.failed, report.failures),
        "skipped": _reasons(report.skipped, report.skips),
        "cut": _reasons(report.cut, report.cuts),
        "sitemaps": "\n".join(report.sitemaps),
        "files": "\n".join(report.files),
    }
    for name, text in rows.items():
        if text:
            table.add_row(name, text)
    console.print(table)


def _reasons(total: int, reasons: dict[str, int]) -> str:
    return "\n".join([str(total), *(f"{number} × {why}" for why, number in reasons.items())]) if total else ""


def _read(script: str | None, options: dict[str, Any]) -> CrawlScript:
    if not script:
        raise UsageError(
            "no address and no script was given", advice="Try walker crawl https://example.org/, or walker crawl --help"
        )
    changes = _changes(options)
    is_file = "://" not in script and (script.endswith(ENDINGS) or Path(script).exists())
    if not is_file:
        return CrawlScript(spec=spec_of_root(script, **changes))
    read = read_script(Path(script), dict(os.environ))
    return msgspec.structs.replace(read, spec=amended(read.spec, changes)) if changes else read


def _changes(options: dict[str, Any]) -> dict[str, Any]:
    """The options that were given, as keys of a script."""
    given = {name: value for name, value in options.items() if value not in (None, (), False)}
    changes: dict[str, Any] = {
        name: given[name] for name in ("order", "best", "driver", "concurrency", "keep") if name in given
    }
    scope = {name: given[name] for name in ("pages", "depth", "seconds", "path", "include", "exclude") if name in given}
    polite: dict[str, Any] = {name: given[name] for name in ("delay", "contact") if name in given}
    if "ignore_robots" in given:
        polite["robots"] = False
    output = {
        name: given[option]
        for name, option in (("items", "output"), ("pages", "output_pages"), ("warc", "warc"))
        if option in given
    }
    parts = {"scope": scope, "polite": polite, "output": output}
    changes |= {name: part for name, part in parts.items() if part}
    if "items" in given:
        changes["counter"] = {"mode": "quota", "target": given["items"]}
    if "find_items" in given:
        changes["items"] = "auto"
    if "sitemaps" in given:
        changes["sitemaps"] = "robots"
    return changes


def _name_of(script: CrawlScript) -> str:
    words = script.spec.name or re.sub(r"^\w+://", "", script.spec.start[0])
    return re.sub(r"[^\w.-]+", "-", words).strip("-.")[:60] or "crawl"
