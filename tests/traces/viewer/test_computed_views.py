"""What the viewer computes beyond the record, in a real Chromium, against the commands that compute the same."""

# ruff: noqa: E501 (script of the page reads better whole)
from __future__ import annotations

import json
import random
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, expect

from tests.traces.viewer.browsing import chromium, viewing, watched
from tests.traces.viewer.walks import made_run, museum_walk
from traces.errors import TraceReadError
from traces.viewer.export import write_page
from traces.viewer.library import Library
from walker.gate import GateWeights
from walker.viewing import WalkTools
from walker.whatif import GateCase, Scenario, for_slider, imagine, read_cases

pytestmark = pytest.mark.asyncio(loop_scope="module")

OTHER_WEIGHTS = GateWeights(intercept=-2.0, understanding=3.0, answered=2.5, blind=-1.0, gap=0.0)
SCENARIOS = """([slider, taus]) => import('./whatif_view.js').then(({ scenario }) =>
    taus.map(([tau, tau2]) => { const { flips, ...counts } = scenario(slider.cases, tau, tau2); return [flips.map((flip) => [flip.step, flip.was, flip.becomes]), counts]; }))"""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with chromium() as started:
        yield started


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    (await museum_walk(folder)).rename(folder / "museum")
    made_run(folder / "made", 40)
    return folder


def counted(scenario: Scenario) -> list[Any]:
    """A scenario as the page tells it."""
    return [
        [[flip.step, flip.was, flip.becomes] for flip in scenario.flips],
        {
            "glances": scenario.glances,
            "looks": scenario.looks,
            "glancesBefore": scenario.glances_before,
            "looksBefore": scenario.looks_before,
            "saved": scenario.saved,
            "leaves": next(iter(scenario.leaves.values()), 0),
        },
    ]


async def slide(page: Page, name: str, value: float) -> None:
    await page.get_by_role("slider", name=name).fill(str(value))


def varied(cases: tuple[GateCase, ...]) -> tuple[GateCase, ...]:
    """A walk of twenty times as many decisions of these kinds, each with a trust, a budget and a doubt of its own."""
    chance = random.Random(11)
    made = []
    for lap in range(20):
        for case in cases:
            doubt = msgspec.structs.replace(case.doubt, has_pictures=True, blind=chance.random(), gap=chance.random())
            trust, lowering = round(chance.uniform(0, 100), 3), chance.choice((0.5, 0.77, 1.0))
            threshold = round((50.0 if case.is_second else 70.0) * lowering, 3)
            varied = msgspec.structs.replace(
                case, step=case.step + 10 * lap, doubt=doubt, trust=trust, lowering=lowering, threshold=threshold
            )
            made.append(varied)
    return tuple(made)


@pytest.mark.parametrize("weights", [None, OTHER_WEIGHTS])
async def test_the_slider_agrees_with_the_command_at_every_threshold(
    browser: Browser, runs: Path, weights: GateWeights | None
) -> None:
    cases = read_cases(runs / "museum")
    assert {case.choice for case in cases} >= {"read", "glance", "look"}
    given = ",".join(str(getattr(weights, name)) for name in weights.__struct_fields__) if weights else ""
    served = json.loads(Library(runs, WalkTools()).answer("museum/gate" + (f"/{given}" if given else ""))[0])
    grid: list[float | None] = [None, *(place / 2 for place in range(0, 201, 3))]
    taus = [(tau, tau2) for tau in grid for tau2 in (None, 0.0, 30.0, 60.5, 100.0)]
    made = varied(cases)
    async with viewing(browser, runs) as seen:
        for these, slider in ((cases, served), (made, msgspec.to_builtins(for_slider(made, weights)))):
            wanted = [counted(imagine(these, tau=tau, tau2=tau2, weights=weights)) for tau, tau2 in taus]
            assert await seen.page.evaluate(SCENARIOS, [slider, taus]) == wanted
        assert len({str(one) for one in wanted}) > 100


async def test_a_threshold_is_moved_and_moved_back(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=museum&view=whatif") as seen:
        page = seen.page
        tiles, flips = page.locator(".tiles"), page.locator(".flips tbody tr")
        await expect(tiles).to_contain_text("0pages flip")
        await expect(tiles).to_contain_text("the walk would not leave its tape")
        slider = page.get_by_role("slider", name="Threshold of the glance (tau)")
        assert await slider.get_attribute("aria-valuetext") == "70, as recorded"
        await slider.focus()
        await page.keyboard.press("Home")
        await expect(tiles).to_contain_text("is where the walk would leave its tape")
        first = imagine(read_cases(runs / "museum"), tau=0.0).flips[0]
        await expect(flips.first).to_contain_text(f"{first.step}{first.title}")
        await expect(flips.first).to_contain_text("glance → read")
        await expect(page.locator("#said")).to_contain_text("saved")
        await page.get_by_role("button", name="As recorded").click()
        await expect(tiles).to_contain_text("0pages flip")
        await page.locator("summary", has_text="Weights of the gate").click()
        await slide(page, "Weight: To begin with", 9.5)
        await expect(flips.first).to_contain_text("glance → read")
        await slide(page, "Threshold of the look", 0)
        await slide(page, "Threshold of the glance", 0)
        await flips.first.get_by_role("button").click()
        await expect(page.locator("h2")).to_contain_text(first.title)


async def test_one_file_computes_the_same_with_nothing_beside_it(browser: Browser, runs: Path, tmp_path: Path) -> None:
    write_page(Library(runs / "museum", WalkTools()), tmp_path / "report.html")
    async with watched(browser, f"{(tmp_path / 'report.html').as_uri()}#view=whatif", offline=True) as seen:
        await slide(seen.page, "Threshold of the glance", 0)
        flips = imagine(read_cases(runs / "museum"), tau=0.0).flips
        await expect(seen.page.locator(".flips tbody tr")).to_have_count(len(flips))
        await seen.page.locator("summary", has_text="Weights of the gate").click()
        await expect(seen.page.locator("main")).to_contain_text("walker whatif --weights FILE")
        assert seen.errors == []


async def test_without_the_code_of_walks_the_record_is_shown_alone(runs: Path) -> None:
    with pytest.raises(KeyError):
        Library(runs).answer("museum/gate")
    library = Library(runs, WalkTools())
    for name in ("museum/gate/1,2", "museum/gate/1,2,3,4,x", "museum/gate/1,2,3,4,inf"):
        with pytest.raises(KeyError):
            library.answer(name)
    (runs / "broken").mkdir()
    (runs / "broken" / "run.json").write_text("{}", encoding="utf-8")
    with pytest.raises(TraceReadError):
        library.answer("broken/gate")
    (runs / "broken" / "run.json").unlink()
    (runs / "broken").rmdir()
