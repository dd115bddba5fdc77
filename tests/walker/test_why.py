from __future__ import annotations

from pathlib import Path

import pytest

from tests.recordings.make import FOLDER
from tests.walker.paper import HOME, PAGES, page
from tests.walker.recording import record
from walker.errors import UsageError
from walker.why import account_for

TWICE = dict(PAGES) | {
    HOME + "people.html?page=2": page(
        "People",
        "<p>These people work at the station; the list goes on over two pages, 4-5 of 5.</p><h2>People of the station</h2>"
        '<ul class="people"><li><a href="/p/3">Cem Kaya</a></li><li><a href="/p/5">Emil Berg</a></li></ul>',
    ),
}


def test_each_unit_has_its_page_and_address() -> None:
    account = account_for(FOLDER / "count")
    assert (account.found, account.complete, account.mode, account.noun) == (5, True, "exhaustive", "people")
    assert [unit.name for unit in account.units] == ["Ana Ruiz", "Bo Lind", "Cem Kaya", "Dora Papp", "Emil Berg"]
    assert [(unit.number, unit.step) for unit in account.units] == [(1, 2), (2, 2), (3, 2), (4, 3), (5, 3)]
    assert account.units[3].key == "http://reef.example/p/4"
    assert (account.rejected, account.units[0].merged) == ((), ())


async def test_what_was_met_twice_is_told_with_its_reason(tmp_path: Path) -> None:
    await record(tmp_path / "run", "How many people are listed on the 'People' page?", pages=TWICE)
    account = account_for(tmp_path / "run")
    assert [unit.name for unit in account.units] == ["Ana Ruiz", "Bo Lind", "Cem Kaya", "Emil Berg"]
    (merge,) = account.units[2].merged
    assert (merge.name, merge.into, merge.reason, merge.step) == ("Cem Kaya", "Cem Kaya", "same key", 3)


async def test_what_a_quota_turned_away_is_told(tmp_path: Path) -> None:
    await record(tmp_path / "run", "Name two people who are listed on the 'People' page.")
    account = account_for(tmp_path / "run")
    assert (account.mode, account.target, account.found) == ("quota", 2, 2)
    assert [rejected.name for rejected in account.rejected] == ["Cem Kaya"]
    assert account.rejected[0].reason == "the 2 that were asked for had been found"


def test_a_walk_that_counted_nothing_says_so(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="its question asks for no number"):
        account_for(FOLDER / "single")
    with pytest.raises(UsageError, match="there is no run there"):
        account_for(tmp_path)
