"""`walker fleet`: what the workers of a job in Postgres are doing."""

from __future__ import annotations

import contextlib
import functools
import sys
import time
from collections.abc import Callable, Iterator

import click
import msgspec
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from walker.cli.amounts import size_in_words
from walker.cli.run_command import stop_with
from walker.crawl.job.shared.fleet_status import FleetStatus, FleetView, HostStatus, Prices, WorkerStatus
from walker.crawl.job.shared.postgres_base import is_postgres
from walker.errors import UsageError, WalkerError

WORKERS_SHOWN, ERRORS_SHOWN = 30, 8
_STYLES = {"alive": "green", "left": "dim", "gone": "red"}
_PIPE_WIDTH = 160


@click.group("fleet")
def fleet_command() -> None:
    r"""Look at crawls whose job lies in Postgres.

    \b
    walker fleet status "postgresql://me@db.example.org/crawls?job=news"
    """


@fleet_command.command("status")
@click.argument("address")
@click.option(
    "--once", is_flag=True, help="Print the numbers once, as into a pipe; on a terminal they are shown until Ctrl-C."
)
@click.option(
    "--every", type=click.FloatRange(0.5, 3600), default=2.0, show_default=True, help="Seconds between two looks."
)
@click.option("--hosts", type=click.IntRange(0, 1000), default=15, show_default=True, help="Hosts that are shown.")
@click.option("--worker-hour", type=click.FloatRange(0), default=0.0, help="What a worker costs an hour; shows money.")
@click.option("--gigabyte", type=click.FloatRange(0), default=0.0, help="What 10^9 bytes of pages cost; shows money.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, once, and nothing else.")
def status_command(address: str, every: float, hosts: int, *, once: bool, as_json: bool, **prices: float) -> None:
    r"""Show workers, queues, rates, errors and money of a job.

    ADDRESS is the one that `walker crawl SCRIPT --job ADDRESS` was given. Rates are those of the last minute; workers report every 10 s.
    Looking disturbs nobody: each look is some ten queries of a few milliseconds. Of more than 200,000 addresses the queues of hosts are
    estimated from a sample, and marked with ~.

    \b
    walker fleet status "postgresql://me@db.example.org/crawls?job=news"
    walker fleet status "postgresql://me@db.example.org/crawls?job=news" --once --hosts 50
    walker fleet status "postgresql://me@db.example.org/crawls?job=news" --worker-hour 0.04 --gigabyte 0.09
    walker fleet status "postgresql://me@db.example.org/crawls?job=news" --json | jq .pages_per_second

    Exit codes: 0 done, 1 the server or the job is not there, 2 wrong usage, 130 interrupted.
    """
    try:
        if not is_postgres(address):
            raise UsageError(
                "only a job in Postgres has workers",
                where=address,
                advice="Name it like postgresql://host/database?job=news",
            )
        with contextlib.closing(FleetView(address)) as view:
            look = functools.partial(view.status, hosts, Prices(**prices))
            if as_json:
                click.echo(msgspec.json.encode(look()).decode())
            elif once or not sys.stdout.isatty():
                _console().print(shown(look()))
            else:
                _show_live(look, every)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)


def _console() -> Console:
    return Console(highlight=False) if sys.stdout.isatty() else Console(highlight=False, width=_PIPE_WIDTH)


def _show_live(look: Callable[[], FleetStatus], every: float) -> None:
    with Live(shown(look()), console=_console(), auto_refresh=False, screen=True) as live:
        while True:
            time.sleep(every)
            live.update(shown(look()), refresh=True)


def shown(status: FleetStatus) -> RenderableType:
    """The numbers as a person reads them."""
    return Group(*_parts(status))


def _parts(status: FleetStatus) -> Iterator[RenderableType]:
    pages, alive = status.pages, [one for one in status.workers if one.state == "alive"]
    yield Text(
        f"{status.job}   {'ended: ' + status.stop if status.stop else 'running' if alive else 'no worker'}",
        style="bold",
    )
    yield Text(" · ".join(f"{number:,} {state}" for state, number in pages.items() if number) or "no address yet")
    yield Text(
        f"{status.pages_per_second:.1f} pages/s · {size_in_words(round(status.bytes_per_second))}/s · "
        f"{status.failed_per_minute:.0f} failed/min · {status.items:,} items · {size_in_words(status.size)} of pages · "
        f"{len(alive)} workers, {status.workers_gone} gone · job {size_in_words(status.stored_bytes)} · "
        f"{status.connections} of {status.most_connections} connections"
    )
    money = status.money
    if money.total or money.per_hour:
        yield Text(
            f"money {money.total:,.2f} so far (workers {money.workers:,.2f}, traffic {money.traffic:,.2f}) · "
            f"{money.per_hour:,.2f} an hour now · {money.per_1000_pages:,.3f} for 1,000 pages",
            style="yellow",
        )
    if status.hosts:
        yield _hosts_table(status.hosts, is_sample=status.is_sample)
    if status.workers:
        yield _workers_table(status.workers)
    if status.errors:
        kinds = list(status.errors.items())[:ERRORS_SHOWN]
        yield Text("errors  " + ", ".join(f"{number:,} × {kind}" for kind, number in kinds), style="red")


def _hosts_table(hosts: tuple[HostStatus, ...], *, is_sample: bool) -> Table:
    table = _table("host", "waiting", "in flight", "pages/s", "failed/min", "paused")
    mark = "~" if is_sample else ""
    for one in hosts:
        table.add_row(
            Text(one.origin, overflow="ellipsis", no_wrap=True),
            f"{mark}{one.waiting:,}" if one.waiting else "0",
            str(one.in_flight),
            f"{one.pages_per_second:.1f}",
            f"{one.failed_per_minute:.0f}",
            f"{one.paused_seconds:.0f} s" if one.paused_seconds else "",
        )
    return table


def _workers_table(workers: tuple[WorkerStatus, ...]) -> Table:
    table = _table("worker", "state", "pages/s", "in flight", "memory", "CPU", "joined", "last sign")
    for one in workers[:WORKERS_SHOWN]:
        table.add_row(
            Text(f"{one.id} {one.name}", overflow="ellipsis", no_wrap=True),
            Text(one.state, style=_STYLES[one.state]),
            f"{one.pages_per_second:.1f}",
            str(one.in_flight),
            size_in_words(one.memory) if one.memory else "",
            f"{one.cpu_seconds:.0f} s",
            f"{_ago(one.seconds)} ago",
            f"{one.silent_seconds:.0f} s ago" if one.state == "alive" else "",
        )
    if len(workers) > WORKERS_SHOWN:
        table.add_row(f"and {len(workers) - WORKERS_SHOWN} more (--json has all)")
    return table


def _table(first: str, *others: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style="dim")
    table.add_column(first, no_wrap=True, overflow="ellipsis", min_width=24)
    for name in others:
        table.add_column(name, justify="right", no_wrap=True)
    return table


def _ago(seconds: float) -> str:
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.0f} h"
