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

from walker.cli.run_command import error_console, print_script_secrets, run_for_person, stop_with
from walker.crawl.crawl_progress import CrawlDisplay
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.secret_text import secrets_of
from walker.crawl.script.spec_loader import ENDINGS, CrawlScript, amended, read_script, spec_of_root, spec_schema
from walker.errors import UsageError, WalkerError

JOBS = Path("crawls")


@click.command("crawl")
@click.argument("script", required=False)
@click.option("--check", is_flag=True, help="Check the script, print every error with its line, and fetch nothing.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of scripts, for editors.")
@click.option(
    "--job",
    type=click.Path(path_type=Path, file_okay=False),
    default=None,
    help="Folder of the job; crawls/NAME if not given. An existing job is resumed.",
)
@click.option("--fresh", is_flag=True, help="Delete an earlier job in the folder and start over.")
@click.option("--pages", type=click.IntRange(0), default=None, help="Fetch at most this many pages.")
@click.option("--items", type=click.IntRange(1), default=None, help="Stop at exactly this many distinct items.")
@click.option("--depth", type=click.IntRange(0), default=None, help="Follow links at most this far from the start.")
@click.option("--seconds", type=click.FloatRange(0), default=None, help="Crawl at most this long.")
@click.option("--path", default=None, help="Only URLs whose path starts with this.")
@click.option(
    "--include", multiple=True, help="Only URLs that match: * within a folder, ** across, re: regular expression."
)
@click.option("--exclude", multiple=True, help="Skip URLs that match.")
@click.option(
    "--order",
    type=click.Choice(["depth-first", "breadth-first", "best-first", "level-by-level"]),
    default=None,
    help="Order of pages; level-by-level gives each depth an equal share of --pages.",
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
@click.option("--sitemaps", is_flag=True, help="Start from the sitemaps in robots.txt too.")
@click.option(
    "--keep",
    multiple=True,
    type=click.Choice(["links", "markdown", "text", "html", "screenshot", "download", "pdf"]),
    help="What to store of every page besides title and URL.",
)
@click.option("--find-items", is_flag=True, help="Detect repeated records on pages without a rule.")
@click.option(
    "-o",
    "--output",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the items to this file too: .jsonl .csv .parquet .sqlite.",
)
@click.option(
    "--output-pages",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write one record a page to this file, in the same formats.",
)
@click.option(
    "--warc",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="Write all HTTP traffic to this file, .warc or .warc.gz.",
)
@click.option(
    "--library",
    type=click.Path(path_type=Path, dir_okay=False),
    default=None,
    help="Add every page to this library, for walker search and walker ask --library.",
)
@click.option("--headed", is_flag=True, help="Show the browser.")
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
    walker crawl https://shop.example.org/ --find-items --items 50
    walker crawl books.yaml --check
    walker crawl https://docs.example.org/ --library docs.library

    A crawl may be stopped or killed at any moment: the same command resumes it. When it ends, the job's folder holds
    items.jsonl and pages.jsonl.

    Exit codes: 0 done, 1 failed, 2 wrong usage, 3 no page or item was stored, 130 interrupted.
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
        library=options["library"],
    )
    console = error_console(quiet=options["quiet"] or as_json)
    print_script_secrets(secrets_of(read.spec, settings.environment), console)
    with CrawlDisplay(read.spec, console, verbose=options["verbose"]) as display:
        report = run_for_person(
            crawl(read, settings, sink=display, opened=display.watch),
            as_json=as_json,
            interrupted=f"interrupted; run the same command again to resume (job {folder})",
        )
    if as_json:
        click.echo(msgspec.json.encode(report.describe()).decode())
    else:
        print_report(report, error_console(quiet=False))
    if not report.is_success:
        raise SystemExit(3)


def print_report(report: CrawlReport, console: Console) -> None:
    """Print the report as text."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style="dim")
    table.add_column()
    rows = {
        "ended": report.stop_reason,
        "pages": f"{report.pages}" + (f" ({report.same} of them duplicates)" if report.same else ""),
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
    if "no_probe" in given:
        polite["probe"] = False
    output = {
        name: given[option]
        for name, option in (("items", "output"), ("pages", "output_pages"), ("warc", "warc"))
        if option in given
    }
    parts = {"scope": scope, "polite": polite, "output": output}
    changes |= {name: part for name, part in parts.items() if part}
    if "press" in given:
        changes["press"] = True
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
