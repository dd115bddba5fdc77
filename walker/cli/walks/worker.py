"""`walker worker`: one more process, on this machine or another, for a crawl whose job lies in Postgres."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from walker.cli.grouped_command import GroupedCommand
from walker.cli.run_command import error_console, run_for_person, stop_with
from walker.cli.walks.crawl import print_report
from walker.crawl.crawl_progress import CrawlDisplay
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.fleet.shared_script import script_of
from walker.crawl.job.shared.postgres_base import is_postgres, job_of, without_password
from walker.crawl.script.spec_loader import amended, read_script
from walker.errors import UsageError, WalkerError
from walker.programs.crawl_request import JOBS


@click.command("worker", cls=GroupedCommand, groups={})
@click.argument("address")
@click.option(
    "--script",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    default=None,
    help="The script of the job, needed where it is in Python; others are stored with the job.",
)
@click.option("--concurrency", type=click.IntRange(1, 64), default=None, help="Concurrent pages of this worker.")
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
def worker_command(
    address: str, script: Path | None, concurrency: int | None, metrics: int | None, **shown: bool
) -> None:
    r"""Help with a crawl whose job lies in Postgres.

    ADDRESS is the one that `walker crawl SCRIPT --job ADDRESS` was given. As many workers as wanted may join at any moment, on any machine,
    and be stopped or killed: what a worker had in flight goes to the others. Limits, quotas and delays hold for all of them together.

    \b
    walker crawl news.yaml --job "postgresql://me@db.example.org/crawls?job=news"     # begins the job, writes its outputs
    walker worker "postgresql://me@db.example.org/crawls?job=news"                    # elsewhere, or beside it
    walker worker "postgresql://me@db.example.org/crawls?job=news" --metrics 9464     # and tells Prometheus what it does

    Exit codes: 0 the crawl has ended, 1 failed, 2 wrong usage, 130 interrupted.
    """
    as_json, verbose, quiet = shown["as_json"], shown["verbose"], shown["quiet"]
    try:
        if not is_postgres(address):
            raise UsageError(
                "a worker needs a job in Postgres",
                where=address,
                advice="Name it like postgresql://host/database?job=news",
            )
        read = read_script(script, dict(os.environ)) if script is not None else script_of(address)
        if concurrency:
            read = msgspec.structs.replace(read, spec=amended(read.spec, {"concurrency": concurrency}))
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    settings = CrawlSettings(
        folder=JOBS / f"{job_of(address)[1]}-worker-{os.getpid()}",
        address=address,
        metrics=metrics,
        is_helper=True,
        environment=dict(os.environ),
        chromium=os.environ.get("WALKER_CHROMIUM", ""),
    )
    console = error_console(quiet=quiet or as_json)
    with CrawlDisplay(read.spec, console, verbose=verbose) as display:
        report = run_for_person(
            crawl(read, settings, sink=display, opened=display.watch),
            as_json=as_json,
            interrupted=f"interrupted; what was in flight goes to other workers (job {without_password(address)})",
        )
    if as_json:
        click.echo(msgspec.json.encode(report.describe()).decode())
    else:
        print_report(report, error_console(quiet=False), read)
