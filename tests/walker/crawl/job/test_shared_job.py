"""A job in Postgres with several workers: each page once, limits and quotas exact, nothing lost with a worker or the server."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from memory.near_duplicates import TextMark
from tests.fixtures.loaded_program import run_code_loaded
from tests.fixtures.postgres_server import PostgresServer, serve_postgres
from tests.fixtures.tcp_proxy import proxy_to
from tests.walker.crawl.job.stored_pages import names, read
from walker.crawl.errors import BadJob, JobLocked
from walker.crawl.job.shared.postgres_base import PostgresBase, job_of, without_password
from walker.crawl.job.shared.shared_frontier import FRONT
from walker.crawl.job.shared.shared_job import SharedJob
from walker.crawl.job_records import CrawlItem, Lease, NewPage, ReadPage
from walker.errors import UsageError

Join = Callable[..., SharedJob]


@pytest.fixture
def join(postgres: PostgresServer, tmp_path: Path) -> Iterator[Join]:
    """Makes workers of one job."""
    address = f"{postgres.url}?job={tmp_path.name.replace('[', '').replace(']', '')[-30:]}"
    workers: list[SharedJob] = []

    def joined(**options: Any) -> SharedJob:
        workers.append(SharedJob(tmp_path / str(len(workers)), address, **options))
        return workers[-1]

    yield joined
    for worker in workers:
        worker.close()


def _all_at_once(workers: list[SharedJob], work: Callable[[SharedJob], None]) -> None:
    """Run the work of each worker in a thread, and raise what one raises."""
    raised: list[BaseException] = []

    def run(worker: SharedJob) -> None:
        try:
            work(worker)
        except BaseException as error:  # noqa: BLE001 - raised below
            raised.append(error)

    threads = [threading.Thread(target=run, args=(worker,)) for worker in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if raised:
        raise raised[0]


def test_each_page_goes_to_one_worker(join: Join) -> None:
    workers = [join() for _ in range(4)]
    workers[0].offer(names(*map(str, range(200))))
    taken: Counter[str] = Counter()

    def crawl(worker: SharedJob) -> None:
        while (lease := worker.lease(now=time.time())) is not None:
            taken[lease.url] += 1
            assert worker.commit(lease, read(lease.url.rsplit("/", 1)[1])).accepted

    _all_at_once(workers, crawl)
    assert len(taken) == 200
    assert set(taken.values()) == {1}
    late = join()
    assert (late.done, late.waiting, late.in_flight) == (200, 0, 0)


@pytest.mark.parametrize(("quota", "most"), [(7, 0), (0, 23)])
def test_quota_and_page_limit_hold_over_all_workers(join: Join, quota: int, most: int) -> None:
    workers = [join(quota=quota) for _ in range(4)]
    workers[0].offer(names(*map(str, range(60))))

    def crawl(worker: SharedJob) -> None:
        while (lease := worker.lease(now=time.time(), most=most)) is not None:
            number = lease.url.rsplit("/", 1)[1]
            worker.commit(lease, read(number), items=[CrawlItem(identity=number, fields={})])

    _all_at_once(workers, crawl)
    late = join(quota=quota)
    assert late.items == quota if quota else late.done == most
    assert late.is_full == bool(quota)


def test_what_a_dead_worker_had_in_flight_goes_to_the_others_and_is_not_taken_from_it_again(
    join: Join, postgres: PostgresServer
) -> None:
    first, second = join(), join()
    first.offer(names("a"))
    lease = first.lease(now=0)
    assert lease is not None
    assert second.lease(now=0) is None
    first._heart.stop()
    second._base.execute("UPDATE workers SET beat_at = now() - interval '10 s' WHERE id = ?", (first.worker,))
    again, until = None, time.monotonic() + 20
    while again is None and time.monotonic() < until:  # the server notices a closed connection a little later
        second._went_round = float("-inf")
        again = second.lease(now=0)
    assert again is not None
    assert (again.url, again.tries) == (lease.url, 1)
    assert not first.commit(lease, read("a")).accepted, "it was given to another"
    assert second.commit(again, read("a")).accepted
    assert second.done == 1


def test_what_a_dead_worker_was_fetching_is_given_up_by_one_that_waits_for_the_host(join: Join) -> None:
    first, second = join(), join()
    assert second.lease(now=0) is None, "it has looked for workers that are gone, and leases no more"
    assert first.begin_fetch("site.test", 1, 0.0) == 0
    assert second.begin_fetch("site.test", 1, 0.0) > 0
    first._heart.stop()
    second._base.execute("UPDATE workers SET beat_at = now() - interval '10 s' WHERE id = ?", (first.worker,))
    until = time.monotonic() + 20
    while (wait := second.begin_fetch("site.test", 1, 0.0)) > 0 and time.monotonic() < until:
        time.sleep(wait)
    assert wait == 0


WORKER = """
import sys, time
from pathlib import Path
from tests.fixtures.tcp_proxy import proxy_to
from tests.walker.crawl.job.stored_pages import names, read
from walker.crawl.job.shared.shared_job import SharedJob
job = SharedJob(Path(sys.argv[1]), sys.argv[2])
print("ready", flush=True)
while True:
    lease = job.lease(now=time.time())
    if lease is None:
        time.sleep(0.01)
        continue
    number = int(lease.url.rsplit("/", 1)[1])
    if job.commit(lease, read(str(number)), links=names(str(number * 2 + 1), str(number * 2 + 2)) if number < 400 else ()).accepted:
        print(number, flush=True)
"""


def test_a_worker_that_is_killed_loses_nothing(join: Join, tmp_path: Path) -> None:
    mine = join()
    mine.offer(names("0"))
    with run_code_loaded(WORKER, str(tmp_path / "killed"), mine._base.address) as process:
        assert process.stdout is not None
        told = [process.stdout.readline() for _ in range(20)]
        process.kill()
        told += process.stdout.read().splitlines()
    deadline = time.monotonic() + 120  # 800 commits, on a machine that is shared
    while mine.done < 801 and time.monotonic() < deadline:
        lease = mine.lease(now=time.time())
        if lease is None:
            time.sleep(0.05)
            continue
        number = int(lease.url.rsplit("/", 1)[1])
        links = names(str(number * 2 + 1), str(number * 2 + 2)) if number < 400 else ()
        mine.commit(lease, read(str(number)), links=links)
    assert mine.done == 801
    assert mine.in_flight == 0
    stored = {page["url"].rsplit("/", 1)[1] for page in mine.contents.pages()}
    assert {line.strip() for line in told[1:]} <= stored


def test_a_server_that_is_killed_and_started_again_loses_nothing(tmp_path: Path) -> None:
    with serve_postgres(durable=True) as server:
        job = SharedJob(tmp_path / "one", f"{server.url}?job=restart")
        job.offer(names("0"))
        kept: list[str] = []
        for turn in range(12):
            if turn in (3, 7):
                server.kill_and_start()
            lease = job.lease(now=time.time())
            assert lease is not None
            number = int(lease.url.rsplit("/", 1)[1])
            if turn == 5:
                server.kill_and_start()
            job.commit(lease, read(str(number)), links=names(str(number + 1)))
            kept.append(str(number))
        job.close()
        late = SharedJob(tmp_path / "two", f"{server.url}?job=restart")
        assert kept == list(map(str, range(12)))
        assert (late.done, late.waiting) == (12, 1)
        late.close()


def test_all_workers_together_keep_to_the_pace_of_a_host(join: Join) -> None:
    workers = [join() for _ in range(3)]
    gap, begun = 0.05, []
    busy, most_busy = 0, 0
    lock = threading.Lock()

    def fetch(worker: SharedJob) -> None:
        nonlocal busy, most_busy
        for _ in range(5):
            while (wait := worker.begin_fetch("site.test", 2, gap)) > 0:
                time.sleep(wait)
            with lock:
                begun.append(time.monotonic())
                busy += 1
                most_busy = max(most_busy, busy)
            time.sleep(0.12)
            with lock:
                busy -= 1
            worker.end_fetch("site.test")

    _all_at_once(workers, fetch)
    assert len(begun) == 15
    assert most_busy == 2
    # The 15 begin one after the other; each hears of it a moment later.
    assert max(begun) - min(begun) > 14 * gap * 0.9
    workers[0].pause_host("site.test", 60)
    assert 50 < workers[2].begin_fetch("site.test", 2, gap) <= 60
    assert workers[1].begin_fetch("other.test", 2, gap) == 0


def test_times_are_the_servers(join: Join, monkeypatch: pytest.MonkeyPatch) -> None:
    first = join()
    first.offer(names("a"))
    lease = first.lease(now=time.time())
    assert lease is not None
    first.rest(lease, time.time() + 60, "HTTP 503")
    real = time.time
    monkeypatch.setattr(time, "time", lambda: real() + 300)
    ahead = join()
    assert ahead.lease(now=time.time()) is None, "a clock that is five minutes ahead does not make it due"
    monkeypatch.setattr(time, "time", lambda: real() - 300)
    behind = join()
    assert behind.lease(now=time.time() + 61) is not None


def test_a_job_with_workers_is_neither_removed_nor_repeated(join: Join, tmp_path: Path) -> None:
    first, second = join(), join()
    with pytest.raises(JobLocked, match=r"1 worker is on the job\. Stop them, then crawl it again"):
        first.repeat()
    second.close()
    with pytest.raises(JobLocked, match="start it over"):
        SharedJob(tmp_path / "new", second._base.address, fresh=True)


def test_an_address_is_told_without_its_password_and_a_wrong_one_in_one_line() -> None:
    address = "postgresql://me:secret@db.example.org:5433/crawls?job=news&sslmode=require"
    assert job_of(address) == ("postgresql://me:secret@db.example.org:5433/crawls?sslmode=require", "news")
    assert without_password(address) == "postgresql://db.example.org:5433/crawls?job=news"
    with pytest.raises(UsageError, match="up to 40 letters"):
        job_of("postgresql://db.example.org/crawls?job=a;b")
    for wrong in ("postgresql://me:secret@127.0.0.1:9/crawls", "postgresql://...", "postgresql://me:secret@.../crawls"):
        with pytest.raises(BadJob) as told:
            PostgresBase(wrong)
        assert "secret" not in str(told.value)
        assert len(str(told.value).splitlines()) == 1


def test_a_lease_is_worth_nothing_once_it_was_given_back(join: Join) -> None:
    first = join()
    first.offer(names("a"))
    lease = first.lease(now=0)
    assert isinstance(lease, Lease)
    first.release(lease)
    assert not first.commit(lease, read("a")).accepted
    again = first.lease(now=0)
    assert again is not None
    assert again.tries == 0


JOINS = """
import sys
from pathlib import Path
from walker.crawl.job.shared.shared_frontier import FRONT
from walker.crawl.job.shared.shared_job import SharedJob
SharedJob(Path(sys.argv[2]), sys.argv[1]).close()
"""


def test_a_worker_that_joins_waits_for_a_server_that_starts_and_not_for_one_that_is_away(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    with proxy_to(postgres.port) as proxy:
        address = f"{postgres.url.replace(str(postgres.port), str(proxy.port))}?job=starting"
        proxy.starting = 3
        # In a process of its own: libpq looks whether a server takes connections without letting other threads run.
        subprocess.run([sys.executable, "-c", JOINS, address, str(tmp_path)], check=True, timeout=60)
        assert proxy.starting == 0
    with pytest.raises(BadJob, match="cannot be opened"):
        SharedJob(tmp_path, address)


SITE = "http://site.test"


def _pages_of(host: str, *numbers: int) -> list[NewPage]:
    origin = f"http://{host}.test"
    return [NewPage(url=f"{origin}/{number}", key=f"{origin}/{number}", origin=origin) for number in numbers]


def _hosts_leased(worker: SharedJob, most: int) -> list[str]:
    leases = [worker.lease(now=time.time()) for _ in range(most)]
    return [lease.url.split("/")[2].removesuffix(".test") for lease in leases if lease is not None]


def test_pages_of_a_host_that_is_not_due_are_passed_over(join: Join) -> None:
    workers = [join(order="breadth-first") for _ in range(2)]
    workers[0].offer([*_pages_of("hot", *range(5)), *_pages_of("cool", *range(3))])
    assert workers[0].begin_fetch("http://hot.test", 4, 60.0) == 0
    assert _hosts_leased(workers[1], 3) == ["cool"] * 3, "though all pages of the other host come first"
    assert _hosts_leased(workers[1], 1) == ["hot"], "what waits is leased where nothing else is left"


def test_a_paused_host_is_passed_over_until_its_pause_ends(join: Join) -> None:
    worker = join(order="breadth-first")
    worker.offer([*_pages_of("hot", *range(5)), *_pages_of("cool", *range(5))])
    assert worker.begin_fetch("http://hot.test", 4, 0.0) == 0
    worker.pause_host("http://hot.test", 2.0)
    assert _hosts_leased(worker, 1) == ["cool"]
    time.sleep(1.2)  # a start within a second is waited for
    assert _hosts_leased(worker, 1) == ["hot"]


@pytest.mark.parametrize(("gap", "held"), [(0.0, 8), (0.25, 8), (1.0, 4), (2.0, 2)])
def test_all_workers_together_hold_no_more_of_a_host_than_it_takes(join: Join, gap: float, held: int) -> None:
    workers = [join(order="breadth-first") for _ in range(3)]
    workers[0].offer([*_pages_of("hot", *range(30)), *_pages_of("cool", *range(30))])
    assert workers[0].begin_fetch("http://hot.test", 4, gap) == 0
    time.sleep(1.1 if gap > 1.0 else 0.0)
    taken = [host for turn in range(12) for host in _hosts_leased(workers[turn % 3], 1)]
    assert taken == ["hot"] * held + ["cool"] * (12 - held)


def test_a_front_that_is_full_of_hosts_that_wait_is_gone_around(join: Join) -> None:
    worker = join(order="breadth-first")
    worker.offer([*_pages_of("hot", *range(FRONT + 50)), *_pages_of("cool", *range(3)), *_pages_of("mild", *range(3))])
    assert worker.begin_fetch("http://hot.test", 4, 60.0) == 0
    assert sorted(_hosts_leased(worker, 6)) == ["cool"] * 3 + ["mild"] * 3
    assert _hosts_leased(worker, 1) == ["hot"]


def test_with_a_limit_of_pages_they_are_passed_over_too(join: Join) -> None:
    worker = join(order="breadth-first")
    worker.offer([*_pages_of("hot", *range(5)), *_pages_of("cool", *range(3))])
    assert worker.begin_fetch("http://hot.test", 4, 60.0) == 0
    lease = worker.lease(now=time.time(), most=20)
    assert lease is not None
    assert lease.url == "http://cool.test/0"


def test_levels_keep_their_order_whoever_is_due(join: Join) -> None:
    worker = join(order="level-by-level", depth=3)
    worker.offer(_pages_of("hot", 1), depth=1)
    worker.offer(_pages_of("cool", 1), depth=2)
    assert worker.begin_fetch("http://hot.test", 4, 60.0) == 0
    assert _hosts_leased(worker, 1) == ["hot"]


def test_a_repetition_goes_on_leasing(join: Join) -> None:
    worker = join(order="breadth-first")
    worker.offer(_pages_of("site", 1))
    lease = worker.lease(now=time.time())
    assert lease is not None
    worker.commit(lease, read("1"))
    for _ in range(3):
        worker.repeat()
        worker.offer(_pages_of("site", 1, 2))
        assert _hosts_leased(worker, 3) == ["site", "site"]


def test_a_repetition_counts_from_nothing(join: Join) -> None:
    worker = join(order="breadth-first", quota=2)
    for _ in range(3):
        worker.offer(_pages_of("site", 1))
        lease = worker.lease(now=time.time())
        assert lease is not None
        worker.commit(lease, read("1"), items=[CrawlItem(identity="one", fields={})])
        assert (worker.done, worker.items, worker.size, worker.is_full) == (1, 1, read("1").size, False)
        worker.repeat()
        assert (set(worker.counts.values()), worker.items, worker.size) == ({0}, 0, 0)


def test_a_worker_is_told_of_the_texts_of_others_once_and_of_its_own_never(join: Join) -> None:
    def store(worker: SharedJob, *numbers: int) -> None:
        for _ in numbers:
            lease = worker.lease(now=time.time())
            assert lease is not None
            mark = TextMark(fingerprint=lease.id, details=1, sketch=b"1234", size=1)
            worker.commit(lease, ReadPage(final_url=lease.url, final_key=lease.key, final_origin=SITE, mark=mark))

    one = join(order="breadth-first")
    one.offer(_pages_of("site", *range(8)))
    store(one, 1, 2)
    assert list(one.marks_of_others()) == []
    other = join(order="breadth-first")
    assert list(other.marks_of_others()) == [], "what was there when it joined it loads by itself"
    store(one, 3, 4)
    store(other, 5)
    assert [row for row, _ in other.marks_of_others()] == [3, 4]
    assert [row for row, _ in one.marks_of_others()] == [5]
    assert list(one.marks_of_others()) == list(other.marks_of_others()) == []
