"""What is told of the workers of a job: their work, hosts, errors, and which of them are gone."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from rich.console import Console

from tests.fixtures.postgres_server import PostgresServer
from tests.walker.crawl.job.stored_pages import read
from walker.cli.fleet.fleet import shown
from walker.crawl.crawl_events import PageDone, Silence
from walker.crawl.errors import BadJob
from walker.crawl.fleet.fleet_meter import MOST_KINDS, FleetMeter, kind_of
from walker.crawl.job.shared import fleet_status
from walker.crawl.job.shared.fleet_status import FleetStatus, FleetView, Prices
from walker.crawl.job.shared.process_use import use_of
from walker.crawl.job.shared.shared_job import SharedJob
from walker.crawl.job_records import NewPage


def _page(url: str) -> NewPage:
    return NewPage(url=url, key=url, origin="/".join(url.split("/")[:3]))


@pytest.fixture
def address(postgres: PostgresServer, tmp_path: Path) -> str:
    return f"{postgres.url}?job=status-{tmp_path.name[-20:].strip('_')}"


@pytest.fixture
def workers(address: str, tmp_path: Path) -> Iterator[list[SharedJob]]:
    joined = [SharedJob(tmp_path / str(number), address) for number in range(2)]
    yield joined
    for worker in joined:
        worker.close()


def _status(address: str, hosts: int = 20) -> FleetStatus:
    view = FleetView(address)
    try:
        return view.status(hosts)
    finally:
        view.close()


def test_work_queues_errors_and_workers_are_told(address: str, workers: list[SharedJob]) -> None:
    first, second = workers
    first.offer([_page(f"http://a.example/{number}") for number in range(6)] + [_page("http://b.example/1")])
    meter = FleetMeter(Silence())
    first.report_from(meter.take)
    for _ in range(2):
        lease = first.lease(now=time.time())
        assert lease is not None
        assert first.commit(lease, read(lease.url.rsplit("/", 1)[1])).accepted
        meter.emit(PageDone(url=lease.url, outcome="kept", size=1000))
    held = second.lease(now=time.time())
    assert held is not None
    assert second.begin_fetch("http://a.example", 4, 0.0) == 0
    second.pause_host("http://a.example", 30)
    meter.emit(PageDone(url="http://b.example/1", outcome="failed", why="timeout: 30 s"))
    first._heart._report()
    status = _status(address)
    assert (status.pages["done"], status.pages["waiting"], status.pages["in flight"]) == (2, 4, 1)
    assert status.errors == {"timeout": 1}
    assert [one.state for one in status.workers] == ["alive", "alive"]
    by_id = {one.id: one for one in status.workers}
    assert by_id[second.worker].in_flight == 1
    assert by_id[first.worker].pages_per_second == status.pages_per_second > 0
    hosts = {one.origin: one for one in status.hosts}
    assert (hosts["http://a.example"].waiting, hosts["http://a.example"].in_flight) == (3, 1)
    assert 25 < hosts["http://a.example"].paused_seconds <= 30
    assert (hosts["http://b.example"].waiting, hosts["http://b.example"].pages_per_second) == (1, 0)
    assert hosts["http://b.example"].failed_per_minute > 0
    assert [one.origin for one in _status(address, hosts=1).hosts] == ["http://a.example"]


def test_who_left_and_who_was_killed_are_told_apart(address: str, workers: list[SharedJob]) -> None:
    first, second = workers
    second.close()
    first._heart.stop()
    first._base.execute("UPDATE workers SET beat_at = now() - interval '40 s' WHERE id = ?", (first.worker,))
    status = _status(address)
    assert {one.id: one.state for one in status.workers} == {first.worker: "gone", second.worker: "left"}
    assert status.workers_gone == 1


def test_a_long_queue_is_estimated_from_a_sample(
    address: str, workers: list[SharedJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    # Postgres draws whole blocks, and a block's addresses are of one host: of a quarter of some 140 blocks one draw in 20 is 20 % off.
    monkeypatch.setattr(fleet_status, "EXACT_ROWS", 6_000)
    workers[0].offer([_page(f"http://{'b' if number % 4 == 3 else 'a'}.example/{number}") for number in range(8_000)])
    status = _status(address)
    assert status.is_sample
    found = {one.origin: one.waiting for one in status.hosts}
    assert sum(found.values()) == pytest.approx(8_000, abs=2)
    assert found["http://a.example"] == pytest.approx(6_000, rel=0.2)


def test_no_job_is_made_by_looking(address: str) -> None:
    with pytest.raises(BadJob, match="no such job"):
        FleetView(address)


def test_numbers_are_shown_for_people_and_pages_cannot_colour_them(address: str, workers: list[SharedJob]) -> None:
    workers[0].offer([_page("http://a.example/[red]x")])
    status = msgspec.structs.replace(_status(address), errors={"[bold]refused": 3})
    console = Console(width=160, force_terminal=False, record=True, file=None, quiet=False)
    with console.capture() as captured:
        console.print(shown(status))
    text = captured.get()
    assert "1 waiting" in text
    assert "http://a.example" in text
    assert "3 × [bold]refused" in text
    assert "2 workers, 0 gone" in text
    assert "sesame" not in text, "the password"


def test_kinds_of_errors_are_short_plain_and_few() -> None:
    assert kind_of(PageDone(url="http://a/", outcome="kept")) == ""
    assert kind_of(PageDone(url="http://a/", outcome="failed", why="")) == "unknown"
    assert kind_of(PageDone(url="http://a/", outcome="later", why="a\x1b[31m\nb" + "x" * 99 + ": y")).startswith(
        "a [31m b"
    )
    meter = FleetMeter(Silence())
    for number in range(MOST_KINDS + 5):
        meter.emit(PageDone(url="http://a.example/", outcome="failed", why=f"kind {number}"))
    errors = meter.take().errors
    assert len(errors) == MOST_KINDS + 1
    assert errors["other"] == 5
    assert meter.take().errors == {}


def test_memory_and_processor_time_of_a_process_are_told() -> None:
    use = use_of()
    assert 10e6 < use.memory < 10e9
    assert use.cpu_seconds > 0


def test_money_is_worked_time_and_traffic_at_their_prices(
    address: str, workers: list[SharedJob], postgres: PostgresServer
) -> None:
    first, second = workers
    first.offer([_page(f"http://a.example/{number}") for number in range(4)])
    for _ in range(2):
        lease = first.lease(now=time.time())
        assert lease is not None
        page = msgspec.structs.replace(read(lease.url.rsplit("/", 1)[1]), size=3_000_000_000)
        assert first.commit(lease, page).accepted
    second.close()
    schema = f'"walker_{address.rpartition("=")[2]}"'
    postgres.ask(f"UPDATE {schema}.workers SET began_at = left_at - interval '2 hours' WHERE id = {second.worker}")
    postgres.ask(f"UPDATE {schema}.workers SET began_at = beat_at - interval '1 hour' WHERE id = {first.worker}")
    view = FleetView(address)
    without, told = view.status(), view.status(prices=Prices(worker_hour=0.5, gigabyte=0.1))
    view.close()
    assert (without.money.total, without.money.per_hour) == (0, 0)
    assert told.worker_seconds == pytest.approx(3 * 3600, abs=60)
    assert told.money.workers == pytest.approx(1.5, abs=0.01)
    assert told.money.traffic == pytest.approx(0.6)
    assert told.money.total == pytest.approx(2.1, abs=0.01)
    assert told.money.per_hour == pytest.approx(0.5), "of the one that is alive"
    assert told.money.per_1000_pages == pytest.approx(1050, abs=5)
    console = Console(width=160, record=True)
    console.print(shown(told))
    assert "money 2.10 so far (workers 1.50, traffic 0.60)" in console.export_text()
    console.print(shown(without))
    assert "money" not in console.export_text()
