"""What the workers of a job are doing, from the job's own tables.

Each query reads an index or a bounded part of a table, so that looking costs little at a
million addresses too. Times are the server's.
"""

from __future__ import annotations

import time

import msgspec

from walker.crawl.job.job_schema import LEASED, STATE_NAMES, STOP, WAITING
from walker.crawl.job.shared.heartbeat import DEAD_SECONDS, GONE_SECONDS
from walker.crawl.job.shared.postgres_base import PostgresBase, without_password
from walker.crawl.job.shared.worker_report import REPORTS, HostWork, WorkerReport

RECENT_SECONDS = 60.0
"""For which rates are told."""
EXACT_ROWS = 200_000
"""Addresses up to which the queue of each host is counted; of more, as many are taken as a sample."""
MOST_GONE = 20
"""Workers that have gone, the last ones, that are told."""
_WORKERS = """
SELECT id, name, EXTRACT(EPOCH FROM now() - began_at)::float8, EXTRACT(EPOCH FROM now() - GREATEST(beat_at, began_at))::float8,
    memory, cpu_seconds, left_at IS NOT NULL,
    left_at IS NULL AND beat_at > now() - ? * interval '1 second' AND (beat_at > now() - ? * interval '1 second' OR EXISTS (
        SELECT 1 FROM pg_locks WHERE locktype = 'advisory' AND classid = ? AND objid = workers.id))
FROM workers ORDER BY id DESC
"""
_REPORTS = """
SELECT worker, EXTRACT(EPOCH FROM now() - began_at)::float8, facts FROM reports WHERE ended_at > now() - ? * interval '1 second'
"""
_PAUSES = """
SELECT origin, EXTRACT(EPOCH FROM paused_until - now())::float8 FROM paces
WHERE paused_until > '-infinity' AND paused_until > now() ORDER BY paused_until DESC LIMIT 1000
"""


_WORKED = """
SELECT COALESCE(SUM(EXTRACT(EPOCH FROM COALESCE(left_at, GREATEST(beat_at, began_at)) - began_at)), 0)::float8 FROM workers
"""


class Prices(msgspec.Struct, frozen=True, kw_only=True):
    """What a crawl is paid for by; in whatever unit of money. A crawl asks no model, so these are all."""

    worker_hour: float = 0.0
    gigabyte: float = 0.0
    """Of 10^9 bytes of pages that were stored, such as a proxy charges."""


class Money(msgspec.Struct, frozen=True, kw_only=True):
    """What a crawl has cost, by its prices."""

    workers: float
    traffic: float
    total: float
    per_hour: float
    """At the rates of the last minute."""
    per_1000_pages: float
    """Stored; 0 before the first."""


class WorkerStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A worker that has joined."""

    id: int
    name: str
    """HOST:PROCESS."""
    state: str
    """`alive`; `left`, in order; `gone`, without a word."""
    seconds: float
    """Since it joined."""
    silent_seconds: float
    """Since its last sign of life."""
    memory: int
    """Bytes, its browsers included, as it last told."""
    cpu_seconds: float
    in_flight: int
    """Pages that it has leased."""
    pages_per_second: float
    """Stored, over the last minute."""


class HostStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A host that has pages waiting, or of which some were fetched within the last minute."""

    origin: str
    waiting: int
    in_flight: int
    """Fetches under way, by all workers."""
    pages_per_second: float
    failed_per_minute: float
    paused_seconds: float = 0.0
    """For which no worker asks it, since it has asked for a rest."""


class FleetStatus(msgspec.Struct, frozen=True, kw_only=True):
    """A job and its workers at one moment."""

    job: str
    """Its address, without a password."""
    stop: str
    """Why the crawl's last run has ended, "" while one is under way."""
    pages: dict[str, int]
    """Number of addresses by state."""
    items: int
    size: int
    """Bytes of all stored pages."""
    pages_per_second: float
    bytes_per_second: float
    failed_per_minute: float
    workers: tuple[WorkerStatus, ...]
    """Those that are alive, and the last that are not."""
    workers_gone: int
    """Number of those that went without a word, since the job began."""
    hosts: tuple[HostStatus, ...]
    """Those with the longest queues, and those that were fetched from."""
    is_sample: bool
    """Whether the queues of hosts are estimates."""
    errors: dict[str, int]
    """Fetches that came to nothing since the job began, by kind, the most frequent first."""
    stored_bytes: int
    """What the job takes of the server's disk, its indexes included."""
    connections: int
    """Of all clients to the server."""
    most_connections: int
    worker_seconds: float
    """That all workers have worked, since the job began."""
    money: Money
    asked_seconds: float
    """What it took to find this out."""


NO_PRICES = Prices()


class FleetView:
    """A look at a job, which may be repeated. Takes one connection; changes nothing, and is no worker."""

    def __init__(self, address: str) -> None:
        """Raises `BadJob` where there is no such job, or no such server."""
        self._base, self._name = PostgresBase(address, makes=False), without_password(address)

    def close(self) -> None:
        """Let go of the server."""
        self._base.close()

    def status(self, hosts: int = 20, prices: Prices = NO_PRICES) -> FleetStatus:
        """The job now, with as many hosts. Raises `BadJob` where the server stays away."""
        started = time.perf_counter()
        ask = self._base.execute
        pages, items, size = self._numbers()
        recent = [
            (worker, age, REPORTS.decode(facts)) for worker, age, facts in ask(_REPORTS, (RECENT_SECONDS,)).fetchall()
        ]
        span = max([1.0, *(age for _, age, _ in recent)])
        worked, by_worker = _added_up(recent)
        workers, gone = self._workers({worker: number / span for worker, number in by_worker.items()})
        told, is_sample = self._hosts(worked, pages, span, hosts)
        (stored,) = ask(
            "SELECT COALESCE(SUM(pg_total_relation_size(oid)), 0)::bigint FROM pg_class "
            "WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r'"
        ).fetchone()
        (connections,) = ask("SELECT COUNT(*) FROM pg_stat_activity WHERE backend_type = 'client backend'").fetchone()
        (most,) = ask("SELECT current_setting('max_connections')::int").fetchone()
        errors = ask(
            "SELECT kind, SUM(number)::bigint FROM errors GROUP BY kind ORDER BY 2 DESC, 1 LIMIT 20"
        ).fetchall()
        stop = ask("SELECT value FROM job WHERE name = ?", (STOP,)).fetchone()
        (worker_seconds,) = ask(_WORKED).fetchone()
        bytes_per_second = sum(one.size for one in worked.values()) / span
        alive = sum(one.state == "alive" for one in workers)
        return FleetStatus(
            job=self._name,
            stop=stop[0] if stop else "",
            pages=pages,
            items=items,
            size=size,
            pages_per_second=sum(one.stored for one in worked.values()) / span,
            bytes_per_second=bytes_per_second,
            failed_per_minute=sum(one.failed for one in worked.values()) * 60 / span,
            workers=workers,
            workers_gone=gone,
            hosts=told,
            is_sample=is_sample,
            errors=dict(errors),
            stored_bytes=stored,
            connections=connections,
            most_connections=most,
            worker_seconds=worker_seconds,
            money=_money(prices, (worker_seconds, size, pages["done"]), (alive, bytes_per_second)),
            asked_seconds=time.perf_counter() - started,
        )

    def _numbers(self) -> tuple[dict[str, int], int, int]:
        states = ", ".join(f"COALESCE(SUM(states[{place + 1}]), 0)::bigint" for place in range(len(STATE_NAMES)))
        *counts, items, size = self._base.execute(
            f"SELECT {states}, COALESCE(SUM(items), 0)::bigint, COALESCE(SUM(bytes), 0)::bigint FROM tallies"
        ).fetchone()
        return dict(zip(STATE_NAMES, counts, strict=True)), items, size

    def _workers(self, rates: dict[int, float]) -> tuple[tuple[WorkerStatus, ...], int]:
        held = dict(
            self._base.execute(f"SELECT worker, COUNT(*) FROM pages WHERE state = {LEASED} GROUP BY worker").fetchall()
        )
        rows = self._base.execute(_WORKERS, (DEAD_SECONDS, GONE_SECONDS, self._base.key)).fetchall()
        found = [
            WorkerStatus(
                id=worker,
                name=name,
                state="alive" if is_alive else "left" if has_left else "gone",
                seconds=seconds,
                silent_seconds=silent,
                memory=memory,
                cpu_seconds=cpu,
                in_flight=held.get(worker, 0),
                pages_per_second=rates.get(worker, 0.0),
            )
            for worker, name, seconds, silent, memory, cpu, has_left, is_alive in rows
        ]
        alive = [one for one in found if one.state == "alive"]
        others = [one for one in found if one.state != "alive"]
        return (*alive, *others[:MOST_GONE]), sum(one.state == "gone" for one in found)

    def _hosts(
        self, worked: dict[str, HostWork], pages: dict[str, int], span: float, most: int
    ) -> tuple[tuple[HostStatus, ...], bool]:
        queues, is_sample = self._queues(pages)
        longest = sorted(queues, key=lambda host: -queues[host])[:most]
        marks = ", ".join("?" for _ in longest)
        names = dict(
            self._base.execute(f"SELECT id, origin FROM hosts WHERE id IN ({marks})", longest).fetchall()
            if longest
            else ()
        )
        waiting = {names[host]: queues[host] for host in longest if host in names}
        flying = dict(
            self._base.execute(
                "SELECT origin, COUNT(*) FROM fetches GROUP BY origin ORDER BY 2 DESC LIMIT 1000"
            ).fetchall()
        )
        paused = dict(self._base.execute(_PAUSES).fetchall())
        busiest = sorted(worked, key=lambda origin: -(worked[origin].stored + worked[origin].failed))[:most]
        told = []
        for origin in dict.fromkeys((*busiest, *waiting)):
            work = worked.get(origin, HostWork())
            told.append(
                HostStatus(
                    origin=origin,
                    waiting=waiting.get(origin, self._queue_of(origin) if not is_sample else 0),
                    in_flight=flying.get(origin, 0),
                    pages_per_second=work.stored / span,
                    failed_per_minute=work.failed * 60 / span,
                    paused_seconds=paused.get(origin, 0.0),
                )
            )
        told.sort(key=lambda one: (-one.waiting, -one.pages_per_second, one.origin))
        return tuple(told[:most]), is_sample

    def _queue_of(self, origin: str) -> int:
        (number,) = self._base.execute(
            f"SELECT COUNT(*) FROM pages WHERE state = {WAITING} AND host = (SELECT id FROM hosts WHERE origin = ?)",
            (origin,),
        ).fetchone()
        return int(number)

    def _queues(self, pages: dict[str, int]) -> tuple[dict[int, int], bool]:
        """Number of waiting pages by host, and whether it is an estimate from a sample of the table's blocks."""
        rows, waiting = sum(pages.values()), pages["waiting"]
        is_sample = rows > EXACT_ROWS
        part = f" TABLESAMPLE SYSTEM ({100 * EXACT_ROWS / rows:.6f})" if is_sample else ""
        found = dict(
            self._base.execute(
                f"SELECT host, COUNT(*) FROM pages{part} WHERE state = {WAITING} GROUP BY host"
            ).fetchall()
        )
        if not is_sample:
            return found, False
        seen = max(1, sum(found.values()))
        return {host: round(number * waiting / seen) for host, number in found.items()}, True


def _money(prices: Prices, so_far: tuple[float, int, int], now: tuple[int, float]) -> Money:
    """Of worker seconds, bytes and pages so far; and of workers and bytes a second now."""
    (seconds, size, pages), (alive, bytes_per_second) = so_far, now
    workers, traffic = prices.worker_hour * seconds / 3600, prices.gigabyte * size / 1e9
    return Money(
        workers=workers,
        traffic=traffic,
        total=workers + traffic,
        per_hour=prices.worker_hour * alive + prices.gigabyte * bytes_per_second * 3600 / 1e9,
        per_1000_pages=(workers + traffic) * 1000 / pages if pages else 0.0,
    )


def _added_up(recent: list[tuple[int, float, WorkerReport]]) -> tuple[dict[str, HostWork], dict[int, int]]:
    """What was done by host, and the pages that each worker stored."""
    hosts: dict[str, HostWork] = {}
    workers: dict[int, int] = {}
    for worker, _, report in recent:
        for origin, work in report.hosts.items():
            so_far = hosts.setdefault(origin, HostWork())
            so_far.stored += work.stored
            so_far.failed += work.failed
            so_far.size += work.size
            workers[worker] = workers.get(worker, 0) + work.stored
    return hosts, workers
