"""A site of lessons: one long page, a searchable table, films behind hashes, frames in frames, pages that look at headers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.practice.countries import COUNTRIES, TEAMS, TURTLES, countries_site, country, film, team
from tests.sites.practice.crawled import crawled
from tests.sites.serving import LoopbackSite, serving

TEAM = {
    "each": "tr.team",
    "fields": {
        "name": ".name",
        "year": {"select": ".year", "type": "integer"},
        "wins": {"select": ".wins", "type": "integer"},
        "losses": {"select": ".losses", "type": "integer"},
        "diff": ".diff",
    },
}
LAND = {
    "each": ".country",
    "fields": {
        "name": {"select": ".country-name", "required": True},
        "capital": ".country-capital",
        "people": {"select": ".country-population", "type": "integer"},
        "area": {"select": ".country-area", "type": "number"},
    },
}


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with serving(LoopbackSite(countries_site, keep_alive=True)) as server:
        yield server


async def test_a_table_is_read_whole_whatever_its_pages_hold(site: LoopbackSite, tmp_path: Path) -> None:
    rules = [{"match": "/pages/forms/*", "items": TEAM}, {"match": "/pages/simple/", "items": LAND}]
    found = await crawled(site, tmp_path, pages=rules)
    teams = {tuple(item[name] for name in TEAM["fields"]) for item in found.items if "wins" in item}
    assert teams == set(map(team, range(TEAMS)))
    lands = {tuple(item[name] for name in LAND["fields"]) for item in found.items if "capital" in item}
    assert lands == set(map(country, range(COUNTRIES)))
    assert len(found.items) == len(teams) + len(lands)
    assert {f"/pages/forms/?page_num={number}" for number in range(1, 25)} <= set(found.paths("/pages/forms/"))
    assert {f"/pages/forms/?per_page={size}" for size in (25, 50, 100)} <= set(found.paths("/pages/forms/"))
    assert len(found.paths("/pages/frames/")) == 2 + TURTLES
    assert "/pages/advanced/?gotcha=headers" in found.paths(), "it looks like a browser"
    assert (found.report.cuts, found.report.stop_reason) == ({}, "complete")


async def test_what_only_a_browser_has(site: LoopbackSite, tmp_path: Path) -> None:
    films = {
        "each": "tr.film",
        "fields": {"title": ".film-title", "awards": {"select": ".film-awards", "type": "integer"}},
    }
    rules = [
        {"match": "/pages/ajax-javascript/", "items": films},
        {"match": "re:year=", "steps": [{"click": "//a[@id='2012']"}, {"wait_for": "tr.film"}], "items": films},
        {"match": "/pages/frames/", "items": {"each": ".turtle-family-card", "fields": {"family": "h3"}}},
        {"match": "/pages/nested/", "items": {"each": "h2", "fields": {"level": {"select": ""}}}},
        {"match": "/pages/forms/", "steps": [{"type": "#q", "text": team(3)[0]}, {"submit": "#q"}], "items": TEAM},
    ]
    starts = ["ajax-javascript/#2015", "ajax-javascript/?year=any", "frames/", "nested/", "forms/"]
    found = await crawled(
        site, tmp_path, [f"/pages/{one}" for one in starts], driver="auto", scope={"include": ["/nothing"]}, pages=rules
    )
    assert found.report.failures == {}
    expected = {str(film(year, number)["title"]).strip() for year in (2012, 2015) for number in range(8)}
    assert {item["title"] for item in found.items if "title" in item} == expected
    assert len({item["family"] for item in found.items if "family" in item}) == TURTLES
    assert {item["level"] for item in found.items if "level" in item} == {f"Level {depth}" for depth in range(4)}
    searched = {(item["name"], item["year"]) for item in found.items if "wins" in item}
    assert searched == {one[:2] for one in map(team, range(TEAMS)) if team(3)[0] in one[0]}
