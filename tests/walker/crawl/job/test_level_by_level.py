"""The order that shares the pages out among the levels of a site."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.walker.crawl.job.stored_pages import Opener, last, names, read, take
from walker.crawl.job.stored_job import StoredJob
from walker.crawl.job_records import Lease


def crawled(store: StoredJob, links: dict[str, str], *, most: int, at_a_time: int = 1, cut_off: int = 0) -> list[str]:
    """Crawl a site of names by the order of the store, several pages on their way at a time; what was kept, in order."""
    store.offer(names(""))
    kept: list[str] = []
    flying: list[Lease] = []
    while not cut_off or len(kept) < cut_off:
        lease = store.lease(now=0, most=most) if len(flying) < at_a_time else None
        if lease is not None:
            flying.append(lease)
        elif flying:
            done = flying.pop()
            kept.append(last(done))
            store.commit(done, read(last(done)), links=names(*links.get(last(done), "")))
        else:
            break
    return kept


SITE = {"": "abcdef", "a": "gh", "b": "ij", "c": "klmno", "g": "pq", "i": "rs", "k": "tu"}


def test_level_by_level_shares_the_pages_out_and_takes_a_link_of_each_in_turn(tmp_path: Path, opened: Opener) -> None:
    kept = crawled(opened(tmp_path, order="level-by-level", depth=3), SITE, most=10)
    assert kept[:4] == ["", "a", "b", "c"]
    assert set(kept[4:7]) == {"g", "i", "k"}
    assert len(kept) == 10
    assert set(kept[7:]) <= set("pqrstu")


def test_level_by_level_spends_what_the_last_level_leaves_on_what_was_passed_over(
    tmp_path: Path, opened: Opener
) -> None:
    store = opened(tmp_path, order="level-by-level", depth=2)
    kept = crawled(store, {"": "abcdef", "a": "g"}, most=7)
    assert kept == ["", "a", "b", "c", "g", "d", "e"]
    assert store.done == 7


def test_level_by_level_shares_out_again_what_is_left(tmp_path: Path, opened: Opener) -> None:
    links = {"": "abcdef", "a": "g", "e": "xyz"}
    whole = ["", "a", "b", "c", "d", "g", "e", "x", "y"]
    assert crawled(opened(tmp_path / "one", order="level-by-level", depth=2), links, most=9) == whole
    store = opened(tmp_path / "two", order="level-by-level", depth=2)
    first = crawled(store, links, most=9, at_a_time=2, cut_off=7)
    store.close()
    rest = crawled(opened(tmp_path / "two", order="level-by-level", depth=2), links, most=9, at_a_time=2)
    assert sorted(first + rest) == sorted(whole)


@pytest.mark.parametrize("cut_off", [1, 3, 5, 8])
def test_level_by_level_chooses_the_same_pages_however_they_come_in(
    tmp_path: Path, opened: Opener, cut_off: int
) -> None:
    whole = crawled(opened(tmp_path / "one", order="level-by-level", depth=3), SITE, most=10)
    store = opened(tmp_path / "two", order="level-by-level", depth=3)
    first = crawled(store, SITE, most=10, at_a_time=3, cut_off=cut_off)
    store.close()
    rest = crawled(opened(tmp_path / "two", order="level-by-level", depth=3), SITE, most=10, at_a_time=3)
    assert sorted(first + rest) == sorted(whole)


def test_level_by_level_waits_for_a_page_that_rests(tmp_path: Path, opened: Opener) -> None:
    store = opened(tmp_path, order="level-by-level", depth=2)
    store.offer(names("a", "b"))
    first, other = take(store), take(store)
    store.commit(first, read(last(first)), links=names("x"))
    assert store.lease(now=0) is None
    store.rest(other, 5.0, "busy")
    assert store.lease(now=0) is None
    again = store.lease(now=6)
    assert again is not None
    store.fail(again, "gone")
    assert last(take(store)) == "x"
