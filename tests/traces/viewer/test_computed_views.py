"""What the viewer computes beyond the record, in a real Chromium, against the commands that compute the same."""

# ruff: noqa: E501 (script of the page reads better whole)
from __future__ import annotations

import json
import random
import re
import shutil
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
import pytest_asyncio
from click.testing import CliRunner
from playwright.async_api import Browser, Page, expect

from tests.fixtures.paper import HOME, PAGES
from tests.fixtures.paper import page as paper_page
from tests.fixtures.recorded_walk import record
from tests.traces.viewer.browsing import viewing, watched
from tests.traces.viewer.walks import made_run
from tests.walker.runs.test_compare import CORA, SHIPS, touring
from traces.errors import TraceReadError
from traces.viewer.export import write_page
from traces.viewer.library import Library
from walker.cli.runs.view import view_command
from walker.runs.compare import diff_runs
from walker.runs.state_at_step import state_at
from walker.runs.threshold_whatif import GateCase, Scenario, imagine, read_cases, slider_cases
from walker.runs.viewer_tools import WalkTools
from walker.settings import GateWeights

pytestmark = pytest.mark.asyncio(loop_scope="session")

STAGING = "http://127.0.0.1:8642/"
OTHER_WEIGHTS = GateWeights(intercept=-2.0, understanding=3.0, answered=2.5, blind=-1.0, gap=0.0)
SCENARIOS = """([slider, taus]) => import('./record/scenario.js').then(({ scenario }) =>
    taus.map(([tau, tau2]) => { const { flips, ...counts } = scenario(slider.cases, tau, tau2); return [flips.map((flip) => [flip.step, flip.was, flip.becomes]), counts]; }))"""

FOUND = "([passages, words]) => import('./record/found_passages.js').then(({ found }) => found(passages, words))"


@pytest.fixture(scope="module")
def runs(museum: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs")
    shutil.copytree(museum, folder / "museum")
    made_run(folder / "made", 40)
    return folder


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Walks of paper sites: one that takes a step more, and one of a site that changed, with another threshold."""
    folder = tmp_path_factory.mktemp("pairs")
    await record(folder / "short", CORA, pages=SHIPS, script=touring("Alba", "Cora"))
    await record(folder / "long", CORA, pages=SHIPS, script=touring("Alba", "Bora", "Cora"))
    boats = HOME + "boats.html"
    await record(folder / "before")
    await record(folder / "after", pages=PAGES | {boats: str(PAGES[boats]).replace("18.4", "21.9")}, threshold=90.0)
    hostile = paper_page(
        "<img src=x onerror=window.ran=1>", "<p>The research vessel Mantis is 21.9 metres long, they say.</p>"
    )
    await record(folder / "hostile", pages=PAGES | {boats: hostile})
    moved = {url.replace(HOME, STAGING): html for url, html in SHIPS.items()}
    await record(folder / "staging", CORA, pages=moved, script=touring("Alba", "Cora"), root=STAGING)
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
    """A walk of thirty times as many decisions of these kinds, each with a trust, a budget and a doubt of its own."""
    chance = random.Random(11)
    made = []
    for lap in range(30):
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
    served = json.loads(Library(runs, tools=WalkTools()).answer("museum/gate" + (f"/{given}" if given else ""))[0])
    grid: list[float | None] = [None, *(place / 2 for place in range(0, 201, 7))]
    taus = [(tau, tau2) for tau in grid for tau2 in (None, 0.0, 30.0, 60.5, 100.0)]
    made = varied(cases)
    async with viewing(browser, runs) as seen:
        for these, slider in ((cases, served), (made, msgspec.to_builtins(slider_cases(made, weights)))):
            wanted = [counted(imagine(these, tau=tau, tau2=tau2, weights=weights)) for tau, tau2 in taus]
            assert await seen.page.evaluate(SCENARIOS, [slider, taus]) == wanted
        assert len({str(one) for one in wanted}) > 60


async def test_a_threshold_is_moved_and_moved_back(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=museum&view=whatif") as seen:
        page = seen.page
        tiles, flips = page.locator(".tiles"), page.locator(".flips tbody tr")
        await expect(tiles).to_contain_text("0pages flip")
        await expect(tiles).to_contain_text("the walk would not leave its recording")
        slider = page.get_by_role("slider", name="Threshold of the glance (tau)")
        assert await slider.get_attribute("aria-valuetext") == "70, as recorded"
        await slider.focus()
        await page.keyboard.press("Home")
        await expect(tiles).to_contain_text("is where the walk would leave its recording")
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
    write_page(Library(runs / "museum", tools=WalkTools()), tmp_path / "report.html")
    async with watched(browser, f"{(tmp_path / 'report.html').as_uri()}#view=whatif", offline=True) as seen:
        await slide(seen.page, "Threshold of the glance", 0)
        flips = imagine(read_cases(runs / "museum"), tau=0.0).flips
        await expect(seen.page.locator(".flips tbody tr")).to_have_count(len(flips))
        await seen.page.locator("summary", has_text="Weights of the gate").click()
        await expect(seen.page.locator("main")).to_contain_text("walker whatif --weights FILE")
        assert seen.errors == []


async def test_two_walks_stand_beside_each_other_as_the_command_aligns_them(browser: Browser, pairs: Path) -> None:
    diff = diff_runs(pairs / "short", pairs / "long")
    others = [pair for pair in diff.pairs if not pair.one or not pair.other or pair.differences]
    async with viewing(browser, pairs, "#compare=short&with=long") as seen:
        page = seen.page
        await expect(page.locator(".pair-of.differs")).to_have_count(len(others))
        assert await seen.count(".pair-of.alone") == 1
        assert "no such step in A" in await seen.text(".pair-of.alone")
        assert "Bora" in await seen.text(".pair-of.alone")
        steps = [f"{cause.stage} {cause.field}".replace("_", " ") for cause in diff.chain]
        assert [await one.inner_text() for one in await page.locator(".chain b").all()] == steps
        first = page.locator(".pair-of", has_text="first difference")
        assert await first.get_attribute("id") == f"pair-{diff.first.one}-{diff.first.other}" if diff.first else False
        await page.locator("summary", has_text="is equal").last.click()
        await expect(page.locator("#pair-3-4")).to_contain_text("Cora")
        costs = await seen.text(".versus")
        assert f"Model calls\t{diff.cost['model_calls'][0]:g}\t{diff.cost['model_calls'][1]:g}" in costs


async def test_one_site_at_two_origins_is_aligned(browser: Browser, pairs: Path) -> None:
    async with viewing(browser, pairs, "#compare=short&with=staging") as seen:
        await expect(seen.page.locator(".verdict")).to_contain_text("Equal: 3 steps")
        told = "Taken for one site: http://reef.example in A and http://127.0.0.1:8642 in B."
        await expect(seen.page.locator(".one-site")).to_have_text(told)


async def test_two_walks_are_compared_by_keyboard_and_told_to_a_screen_reader(browser: Browser, pairs: Path) -> None:
    async with viewing(browser, pairs, "#compare=short&with=long") as seen:
        page = seen.page
        await expect(page.locator("#said")).to_have_text("2 steps differ")
        await expect(page.locator("h1")).to_have_text("Two walks compared")
        focused = page.locator(":focus")
        for key, name in (("n", "Step 2, Alba: differs in proposal, move"), ("n", "Step 3, Bora: only in B")):
            await page.keyboard.press(key)
            await expect(focused).to_have_attribute("aria-label", name)
        await page.keyboard.press("n")
        await expect(focused).to_contain_text("Bora")
        await page.keyboard.press("p")
        await expect(focused).to_contain_text("first difference")
        await focused.get_by_role("link", name="2 Alba").first.click()
        await expect(page.get_by_role("heading", name="Alba", exact=True)).to_be_visible()
        await page.go_back()
        await expect(page.locator(".chain")).to_be_visible()
        await page.keyboard.press("g")
        await expect(page.locator("table.runs")).to_be_visible()


async def test_two_runs_are_chosen_in_the_list(browser: Browser, pairs: Path) -> None:
    async with viewing(browser, pairs) as seen:
        page = seen.page
        boxes = page.get_by_role("checkbox", name="Compare: How long is the research vessel Mantis?")
        await page.locator("tr", has_text="18.4 metres").get_by_role("checkbox").check()
        await expect(page.locator(".pair")).to_have_text("Choose one more to compare with")
        await boxes.last.check()
        await page.get_by_role("link", name="Compare these two").click()
        await expect(page.locator(".versus").first).to_contain_text("18.4 metres")
        await expect(page.locator(".heads section").first).to_contain_text("after")
        assert "threshold" in await seen.text("section[aria-label='Set otherwise']")
        await page.get_by_role("link", name="Swap sides").click()
        await expect(page.locator(".heads section").first).to_contain_text("before")


async def test_what_pages_say_stays_text_on_both_sides(browser: Browser, pairs: Path) -> None:
    async with viewing(browser, pairs, "#compare=before&with=hostile") as seen:
        await expect(seen.page.locator("main")).to_contain_text("<img src=x onerror=window.ran=1>")
        assert await seen.page.evaluate("window.ran") is None
        assert await seen.count("main img") == 0


async def test_two_walks_are_stacked_on_a_phone(browser: Browser, pairs: Path) -> None:
    async with viewing(browser, pairs, "#compare=short&with=long", viewport={"width": 375, "height": 740}) as seen:
        page = seen.page
        await expect(page.locator(".chain")).to_be_visible()
        assert await page.evaluate("document.documentElement.scrollWidth") <= 375
        boxes = [await section.bounding_box() for section in await page.locator(".heads section").all()]
        one, other = [box for box in boxes if box is not None]
        assert other["y"] > one["y"] + one["height"] - 1
        assert one["width"] > 300


async def test_equal_walks_are_called_equal_and_one_file_holds_a_pair(
    browser: Browser, pairs: Path, tmp_path: Path
) -> None:
    async with viewing(browser, pairs, "#compare=before&with=before") as seen:
        await expect(seen.page.locator(".verdict")).to_have_text(
            "Equal: 2 steps, the same decisions, findings and answer."
        )
    ended = CliRunner().invoke(
        view_command, ["--diff", str(pairs / "short"), str(pairs / "long"), "--export", str(tmp_path / "pair.html")]
    )
    assert ended.exit_code == 0, ended.output
    async with watched(browser, (tmp_path / "pair.html").as_uri(), offline=True) as seen:
        await expect(seen.page.locator(".pair-of.differs")).to_have_count(2)
        await seen.page.get_by_role("link", name="Swap sides").click()
        await expect(seen.page.locator("main")).to_contain_text("cannot be compared here")
        assert seen.errors == []
    both = CliRunner().invoke(view_command, [str(pairs), "--diff", str(pairs / "short"), str(pairs / "long")])
    assert (both.exit_code, "leave RUN out" in both.output) == (2, True)


async def test_the_state_is_what_the_command_prints_and_follows_the_steps(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=museum&step=2&pane=state") as seen:
        page, pane = seen.page, seen.page.locator(".state")
        for step, title in ((2, "Ships of the museum"), (3, "The curve of visitors")):
            await expect(page.locator("h2")).to_have_text(title)
            await expect(pane).to_have_attribute("aria-label", f"State after step {step}")
            wanted = msgspec.to_builtins(await state_at(runs / "museum", step)) | {"run": "museum"}
            shown = json.loads(await pane.locator("pre.json").text_content() or "")
            assert shown == json.loads(msgspec.json.encode(wanted))
            assert len(shown["findings"]) == await pane.locator(".findings li").count() > 0
            assert await pane.locator(".frames > li > b").all_inner_texts() == [one["title"] for one in shown["stack"]]
            await page.keyboard.press("j")
        await expect(pane.get_by_role("region", name="Memory of pages")).to_contain_text("Maritime museum")
        await pane.get_by_role("region", name="Memory of pages").get_by_role("button", name="step 1").click()
        await expect(pane).to_have_attribute("aria-label", "State after step 1")
        await page.keyboard.press("1")
        await expect(page.get_by_role("tab", name="Picture")).to_have_attribute("aria-selected", "true")
        await page.keyboard.press("4")
        await expect(page.get_by_role("tab", name="State")).to_have_attribute("aria-selected", "true")


async def test_a_state_goes_along_in_one_file_and_what_cannot_be_derived_says_why(
    browser: Browser, runs: Path, tmp_path: Path
) -> None:
    library = Library(runs / "museum", tools=WalkTools(), opening="step=3&pane=state")
    write_page(library, tmp_path / "report.html")
    assert str(runs.parent) not in (tmp_path / "report.html").read_text(encoding="utf-8")
    async with watched(browser, (tmp_path / "report.html").as_uri(), offline=True) as seen:
        await expect(seen.page.locator(".state")).to_contain_text("The curve of visitors")
        assert seen.errors == []
    async with viewing(browser, runs, "#run=made&step=2&pane=state") as seen:
        await expect(seen.page.locator("#view")).to_contain_text("The state at this step cannot be shown")


async def test_texts_are_searched_and_lead_to_where_they_stand(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=museum&step=1") as seen:
        page, hits = seen.page, seen.page.locator(".hits li")
        await expect(page.locator("h2")).to_have_text("Maritime museum")
        await page.keyboard.press("s")
        await expect(page.get_by_role("searchbox", name="Search all texts of the walk")).to_be_focused()
        await page.keyboard.type("WARM months")
        await expect(hits.first.locator("mark")).to_have_text("warm months")
        await expect(page).to_have_url(re.compile("view=search&words=WARM%20months$"))
        await expect(page.locator("#said")).to_contain_text("found")
        await page.locator(".chips").get_by_role("button", name="from the model").click()
        await hits.first.get_by_role("button").click()
        await expect(page.locator("details.call[open]")).to_contain_text("warm months")
        await page.go_back()
        await page.locator(".chips").get_by_role("button", name="page").click()
        await hits.first.get_by_role("button").click()
        await expect(page.locator("h2")).to_have_text("Ships of the museum")
        await expect(page.locator("#view mark.cited")).to_have_text("warm months")
        await page.get_by_role("searchbox", name="Search steps").fill("Plover")
        await page.get_by_role("link", name="Search all texts").click()
        await expect(hits.first).to_contain_text("Step 2")


async def test_one_file_finds_what_the_server_finds(browser: Browser, runs: Path, tmp_path: Path) -> None:
    library = Library(runs, tools=WalkTools())
    write_page(Library(runs / "museum", tools=WalkTools()), tmp_path / "report.html")
    passages = json.loads(library.answer("museum/texts")[0])
    async with viewing(browser, runs) as seen:
        for words in ("museum", "warm MONTHS", "months warm", "july", "visitors  of the", "unicorn", "a", "."):
            served = json.loads(library.answer(f"museum/search/={quote(words)}")[0])
            found = await seen.page.evaluate(FOUND, [passages, words])
            assert (found["hits"], found["found"]) == (served["hits"], served["found"]), words
        assert served["found"] > 3
    async with watched(
        browser, f"{(tmp_path / 'report.html').as_uri()}#view=search&words=Plover", offline=True
    ) as seen:
        await expect(seen.page.locator(".hits mark").first).to_have_text("Plover")
        assert seen.errors == []


async def test_found_words_stay_text(browser: Browser, pairs: Path) -> None:
    async with viewing(browser, pairs, "#run=hostile&view=search&words=onerror") as seen:
        await expect(seen.page.locator(".hits li").first).to_contain_text("<img src=x onerror=window.ran=1>")
        assert await seen.page.evaluate("window.ran") is None


@pytest.mark.parametrize("place", ["view=whatif", "step=3&pane=state", "view=search&words=museum"])
async def test_new_panels_fit_a_phone_and_have_names(browser: Browser, runs: Path, place: str) -> None:
    async with viewing(browser, runs, f"#run=museum&{place}", viewport={"width": 375, "height": 740}) as seen:
        await expect(seen.page.locator(".tiles, .state, .hits li").first).to_be_visible()
        assert await seen.page.evaluate("document.documentElement.scrollWidth") <= 375
        nameless = "[...document.querySelectorAll('main button, main input, main a')].filter((node) => !(node.ariaLabel || node.textContent.trim() || node.labels?.length))"
        assert await seen.page.evaluate(f"{nameless}.map((node) => node.outerHTML)") == []


async def test_without_the_code_of_walks_the_record_is_shown_alone(runs: Path) -> None:
    with pytest.raises(KeyError):
        Library(runs).answer("museum/gate")
    library = Library(runs, tools=WalkTools())
    for name in ("museum/gate/1,2", "museum/gate/1,2,3,4,x", "museum/gate/1,2,3,4,inf"):
        with pytest.raises(KeyError):
            library.answer(name)
    (runs / "broken").mkdir()
    (runs / "broken" / "run.json").write_text("{}", encoding="utf-8")
    with pytest.raises(TraceReadError):
        library.answer("broken/gate")
    with pytest.raises(TraceReadError, match="the recording has 3 steps"):
        library.answer("museum/states/9")
    (runs / "broken" / "run.json").unlink()
    (runs / "broken").rmdir()
