"""The job's file: order, leases, limits, aliases, and that frontier, items and counter never disagree."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fixtures.loaded_program import run_loaded
from tests.walker.crawl.job.stored_pages import HOME, Opener, address_of, last, names, new, read, take
from walker.crawl.errors import BadJob, JobLocked
from walker.crawl.job.job_store import FILE_NAME, JobStore
from walker.crawl.job_records import Arrived, BranchChange, BranchVerdict, CrawlItem, Lease, Order, ReadPage

TREE = {"a": ("b", "c"), "b": ("d", "e"), "c": ("f",), "d": (), "e": (), "f": ()}


@pytest.mark.parametrize(("order", "expected"), [("depth-first", "abdecf"), ("breadth-first", "abcdef")])
def test_order(opened: Opener, tmp_path: Path, order: Order, expected: str) -> None:
    store = opened(tmp_path, order=order)
    store.offer(names("a"))
    seen = ""
    while (lease := store.lease(now=0)) is not None:
        seen += last(lease)
        store.commit(lease, read(last(lease)), links=names(*TREE[last(lease)]))
    assert seen == expected
    assert store.counts["done"] == 6


def test_best_first_takes_the_most_promising_then_the_oldest(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path, order="best-first")
    store.offer([new("low", score=0.1), new("high", score=0.9)])
    store.offer([new("later", score=0.9)])
    assert [last(take(store)) for _ in range(3)] == ["high", "later", "low"]


def test_a_page_is_offered_once(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    assert store.offer(names("a", "b", "a")) == 2
    lease = take(store)
    committed = store.commit(lease, read("a"), links=names("a", "b", "c"))
    assert (committed.pages, store.waiting, store.done) == (1, 2, 1)


def test_what_was_in_flight_waits_again_and_remembers_its_tries(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer(names("a"))
    assert take(store).tries == 0
    store.close()
    again = opened(tmp_path)
    assert (again.waiting, again.in_flight) == (1, 0)
    assert take(again).tries == 1


def test_a_page_given_back_was_not_tried(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer(names("a"))
    store.release(take(store))
    assert take(store).tries == 0


def test_two_processes_cannot_have_one_job(tmp_path: Path) -> None:
    with_it = JobStore(tmp_path)
    with pytest.raises(JobLocked, match="another process is crawling"):
        JobStore(tmp_path)
    with_it.close()
    JobStore(tmp_path).close()


def test_a_file_that_is_none_is_told(tmp_path: Path) -> None:
    (tmp_path / FILE_NAME).write_bytes(b"this is not a database at all, but long enough to look like one")
    with pytest.raises(BadJob, match="is not a crawl job"):
        JobStore(tmp_path)


def test_another_version_is_told(tmp_path: Path) -> None:
    JobStore(tmp_path).close()
    base = sqlite3.connect(tmp_path / FILE_NAME)
    base.execute("PRAGMA user_version = 99")
    base.close()
    with pytest.raises(BadJob, match="another version"):
        JobStore(tmp_path)


def test_the_page_limit_counts_what_is_in_flight(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer(names(*"abcdef"))
    first = [store.lease(now=0, most=3) for _ in range(5)]
    assert [lease is not None for lease in first] == [True, True, True, False, False]
    assert first[0] is not None
    store.fail(first[0], "HTTP 500")
    assert store.lease(now=0, most=3) is not None, "a page that failed leaves its place to another"


def test_a_quota_takes_no_item_too_many(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path, quota=3)
    store.offer(names("a", "b"))
    one, two = take(store), take(store)
    found = [CrawlItem(identity=str(n), fields={"n": n}) for n in range(5)]
    assert store.commit(one, read("a"), items=found[:2] + found[:1]).items == 2
    assert store.commit(two, read("b"), items=found).items == 1
    assert store.is_full
    assert store.lease(now=0) is None
    assert [item["n"] for item in store.contents.items()] == [0, 1, 2]


def test_two_addresses_of_one_page_are_kept_once(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer(names("old", "new", "older"))
    old, target, older = take(store), take(store), take(store)
    assert store.commit(old, read("new"), items=[CrawlItem(identity="1", fields={})]).accepted
    assert not store.commit(target, read("new"), items=[CrawlItem(identity="2", fields={})]).accepted
    assert not store.commit(older, read("new")).accepted
    assert (store.done, store.counts["alias"], store.in_flight, store.items) == (1, 2, 0, 1)


def test_where_a_page_led_is_not_fetched_again(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer(names("old"))
    store.commit(take(store), read("elsewhere"), links=names("elsewhere", "old"))
    assert store.lease(now=0) is None


def test_a_resting_page_comes_back_when_it_is_time(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer(names("a"))
    store.rest(take(store), until=100.0, why="HTTP 503")
    assert store.lease(now=99.0) is None
    assert store.waiting == 1
    lease = store.lease(now=100.0)
    assert lease is not None
    assert lease.tries == 1


def test_a_busy_host_is_left_alone(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer([new("a"), new("b"), new("c", origin="http://other.test")])
    first = take(store)
    second = store.lease(frozenset((first.host,)), now=0)
    assert second is not None
    assert second.url == "http://other.test/c"
    assert store.lease(frozenset((first.host, second.host)), now=0) is None
    assert store.origins[first.host] == HOME


class Verdicts:
    """A judge that cuts the branches it is told to."""

    def __init__(self, *closed: str, probe: str = "") -> None:
        self.closed, self.probe = closed, probe
        self.arrived: list[Arrived] = []
        self.learned: list[bytes] = []

    def learn(self, branches: Iterable[bytes]) -> None:
        self.learned.extend(branches)

    def weigh(self, arrived: Arrived) -> BranchVerdict:
        self.arrived.append(arrived)
        changed = (BranchChange(name="day", facts=b"12"),)
        return BranchVerdict(changed=changed, cut="nothing new" if self.closed else "", probe=self.probe)

    def why_closed(self, branch: str) -> str:
        return "nothing new" if branch in self.closed else ""


def test_a_cut_branch_is_not_fetched_but_kept(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer([new("day-1", branch="day"), new("day-2", branch="day"), new("day-3", branch="day"), new("real")])
    lease = take(store)
    done = store.commit(lease, read("day-1"), links=[new("day-4", branch="day")], judge=Verdicts("day"))
    assert (done.cut, done.pages, done.why_cut) == (2, 0, "nothing new")
    assert list(store.contents.branches()) == [b"12"]
    assert store.contents.reasons(7) == {"nothing new": 3}
    real = take(store)
    assert last(real) == "real"
    assert store.lease(now=0) is None
    store.commit(real, read("real"), links=[new("day-3", branch="real > day")], judge=Verdicts("day"))
    assert last(take(store)) == "day-3", "a way through a branch that stands"


def test_a_judge_is_told_what_is_new(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer(names("a", "b"))
    judge = Verdicts()
    items = [CrawlItem(identity="1", fields={})]
    store.commit(take(store), read("a"), links=names("b", "c", "a"), items=items * 2, judge=judge)
    (arrived,) = judge.arrived
    assert [page.key for page in arrived.new] == [HOME + "/c"]
    assert [page.key for page in arrived.known] == [HOME + "/b", HOME + "/a"]
    assert arrived.items == 1


@pytest.mark.parametrize("order", ["depth-first", "breadth-first", "best-first"])
def test_a_probe_is_next(opened: Opener, tmp_path: Path, order: Order) -> None:
    store = opened(tmp_path, order=order)
    store.offer([new("a"), new("b"), new("far", branch="far"), new("farther", branch="far")])
    store.commit(take(store), read("a"), links=names("c"), judge=Verdicts(probe="far"))
    assert last(take(store)).startswith("far")
    assert not last(take(store)).startswith("far")


def test_beyond_the_depth_limit_until_a_shorter_way_is_found(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path, depth=2)
    store.offer(names("start"))
    store.commit(take(store), read("start"), links=names("long", "short"))
    store.commit(take(store), read("long"), links=names("middle"))
    store.commit(take(store), read("middle"), links=names("end", "farther"))
    assert store.counts["skipped"] == 2
    lease = take(store)
    assert last(lease) == "short"
    store.commit(lease, read("short"), links=names("end"))
    assert store.counts["skipped"] == 1
    assert last(take(store)) == "end", "two steps from the start by way of the short one"
    store.close()

    near = opened(tmp_path / "near", depth=3)
    near.offer(names("start"))
    near.commit(take(near), read("start"), links=names("one", "two"))
    near.commit(take(near), read("one"), links=names("deep"))
    near.commit(take(near), read("deep"), links=names("deeper"))
    near.commit(take(near), read("deeper"), links=names("deepest"))
    assert near.counts["skipped"] == 1
    lease = take(near)
    assert last(lease) == "two"
    near.commit(lease, read("two"), links=names("deeper"))
    assert last(take(near)) == "deepest", "three steps from the start by way of two"


def test_all_or_nothing(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer(names("a"))
    lease = take(store)
    with pytest.raises(TypeError):
        store.commit(lease, read("a"), links=names("b"), items=[CrawlItem(identity="1", fields={"x": object()})])
    assert (store.done, store.in_flight, store.waiting, store.items, store.size) == (0, 1, 0, 0, 0)
    assert store.commit(lease, read("a"), links=names("b")).accepted


def test_pages_and_items_tell_where_they_come_from(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer(names("a", "b"))
    one, two = take(store), take(store)
    page = ReadPage(
        final_url=HOME + "/a", final_key=HOME + "/a", final_origin=HOME, title="A", kept=b'{"markdown":"# A"}', words=3
    )
    store.commit(one, page, items=[CrawlItem(identity="x", fields={"name": "x"})])
    store.fail(two, "HTTP 404")
    pages = list(store.contents.pages())
    assert pages[0]["markdown"] == "# A"
    assert (pages[0]["title"], pages[0]["state"], pages[0]["status"]) == ("A", "done", 200)
    assert pages[1] == {"url": HOME + "/b", "state": "failed", "depth": 0, "why": "HTTP 404"}
    assert list(store.contents.items()) == [{"name": "x", "page_url": HOME + "/a"}]


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.lists(st.integers(0, 9), max_size=4)), max_size=25), st.integers(0, 4))
def test_the_numbers_beside_the_file_are_those_in_it(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[int, list[int]]], quota: int
) -> None:
    folder = tmp_path_factory.mktemp("job")
    store = JobStore(folder, quota=quota)
    store.offer(names("0"))
    flying: list[Lease] = []
    for choice, numbers in steps:
        links, items = (
            names(*map(str, numbers)),
            [CrawlItem(identity=str(number), fields={"n": number}) for number in numbers],
        )
        if choice <= 1 or not flying:
            lease = store.lease(now=0)
            flying += [lease] if lease is not None else []
        elif choice == 2:
            store.fail(flying.pop(), "gone")
        elif choice == 3:
            store.release(flying.pop(0))
        else:
            store.commit(
                flying.pop(), read(str(numbers[0] if numbers and choice == 5 else 0)), links=links, items=items
            )
        assert store.items <= (quota or 1000)
    seen = (store.counts, store.items, store.size, store.is_full)
    store.close()
    again = JobStore(folder, quota=quota)
    counts = dict(seen[0])
    counts["waiting"] += counts["in flight"]
    counts["in flight"] = 0
    assert (again.counts, again.items, again.size, again.is_full) == (counts, *seen[1:])
    again.close()


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.2])
def test_what_was_committed_survives_a_kill(
    opened: Opener, tmp_path: Path, seconds: float, request: pytest.FixtureRequest
) -> None:
    is_shared = request.node.callspec.params["opened"] == "postgres"
    address = address_of(request.getfixturevalue("postgres"), tmp_path) if is_shared else ""
    with run_loaded("tests.walker.crawl.job.committed_for_ever", str(tmp_path), address) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "ready\n"
        time.sleep(seconds)
        writer.kill()
        told = [int(line) for line in writer.stdout.read().split("\n")[:-1]]
    store = opened(tmp_path)
    assert store.done == store.items
    assert store.done >= len(told)
    assert store.waiting + store.in_flight == 1, "the chain goes on at one place, whether that was in flight or not"


def test_a_page_is_read_once_more_and_what_came_of_it_is_replaced(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer(names("a", "b"))
    item = [CrawlItem(identity=name, fields={"name": name}) for name in "xyz"]
    store.commit(take(store), read("a"), links=names("c"), items=item[:2])
    assert store.reopen([f"{HOME}/a", f"{HOME}/b", f"{HOME}/nowhere"]) == ()
    again = next(row for row in store.contents.pages() if row["url"] == f"{HOME}/a")
    assert (again["state"], again["size"]) == ("waiting", 10)
    assert "once more" in again["why"]
    lease = take(store)
    assert last(lease) == "a", "before all others"
    opened_again = (store.done, store.in_flight, store.items)
    page = ReadPage(final_url=f"{HOME}/a", final_key=f"{HOME}/a", final_origin=HOME, size=30)
    committed = store.commit(lease, page, links=names("c", "d"), items=item[1:])
    assert opened_again == (0, 1, 2)
    assert (committed.pages, committed.items, store.size) == (1, 0, 30)
    assert [row["name"] for row in store.contents.items()] == ["y", "z"]
    assert (store.done, store.waiting) == (1, 3)


def test_what_is_in_flight_is_named_again_and_a_redirected_page_is_found(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer(names("a"))
    lease = take(store)
    assert store.reopen([f"{HOME}/b"]) == (f"{HOME}/b",)
    assert store.commit(lease, read("b")).accepted
    assert store.reopen([f"{HOME}/b"]) == ()
    lease = take(store)
    assert last(lease) == "a"
    assert store.commit(lease, read("b")).accepted, "it led to b before"
    assert (store.done, store.waiting) == (1, 0)


def test_pages_to_be_read_once_more_have_their_room_under_the_limit(opened: Opener, tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.offer(names("a", "b", "c"))
    for _ in range(2):
        lease = store.lease(now=0, most=2)
        assert lease is not None
        store.commit(lease, read(last(lease)))
    store.reopen([f"{HOME}/a"])
    lease = store.lease(now=0, most=2)
    assert lease is not None
    assert last(lease) == "a"
    assert store.lease(now=0, most=2) is None
    store.rest(lease, until=5, why="HTTP 503")
    assert store.lease(now=0, most=2) is None, "its room is kept while it rests"
    again = store.lease(now=6, most=2)
    assert again is not None
    assert last(again) == "a"
