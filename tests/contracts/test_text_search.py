"""One body for every implementation of the TextSearch seam."""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import urlsplit

import pytest

from walker.seams.search_protocols import SearchFailure, TextHit, TextSearch
from walker.testing.scripted_searches import ScriptedTextSearch

HITS = tuple(
    TextHit(url=f"https://docs.example/{name}", title=name.title(), snippet=f"About {name}.", query="boats")
    for name in ("ferries", "canoes", "ferries", "rafts")
)


@pytest.fixture(params=["scripted"])
def search(request: pytest.FixtureRequest) -> TextSearch:
    hits: Mapping[str, tuple[TextHit, ...] | SearchFailure] = {
        "boats": HITS,
        "storm": SearchFailure(kind="limited", message="too many requests"),
    }
    return ScriptedTextSearch(hits)


async def test_hits_come_best_first_and_each_address_once(search: TextSearch) -> None:
    found = await search.search("boats", 10)
    assert not isinstance(found, SearchFailure)
    assert [hit.title for hit in found] == ["Ferries", "Canoes", "Rafts"]
    assert {urlsplit(hit.url).scheme for hit in found} <= {"http", "https"}
    assert {hit.query for hit in found} == {"boats"}
    await search.close()


async def test_no_more_hits_come_than_are_asked_for(search: TextSearch) -> None:
    found = await search.search("boats", 2)
    assert not isinstance(found, SearchFailure)
    assert [hit.title for hit in found] == ["Ferries", "Canoes"]
    await search.close()


async def test_nothing_is_found_for_what_nobody_wrote(search: TextSearch) -> None:
    assert await search.search("zeppelins", 10) == ()
    await search.close()


async def test_a_search_that_fails_says_why(search: TextSearch) -> None:
    found = await search.search("storm", 10)
    assert isinstance(found, SearchFailure)
    assert found.kind == "limited"
    assert found.message
    assert "\n" not in found.message
    await search.close()
