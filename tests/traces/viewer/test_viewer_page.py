"""The page of the viewer in a real Chromium, over real walks: every panel, the keyboard, phone width, roles and names."""

# ruff: noqa: E501 (markup, and what it should become, read better whole)
from __future__ import annotations

import asyncio
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Route, expect

from tests.traces.viewer.browsing import viewing
from tests.traces.viewer.walks import made_run
from walker.asking import ask
from walker.demo.server import serve_institute
from walker.settings import Settings

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def runs(museum: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two real walks and a made one."""
    folder = tmp_path_factory.mktemp("runs")
    shutil.copytree(museum, folder / "museum")
    with serve_institute() as root:
        question = "How many people are listed on the institute's people pages?"
        counted = await ask(root, question, settings=Settings(runs_folder=folder))
    Path(counted.trace).rename(folder / "people")  # noqa: ASYNC240 - a folder gets a short name
    made_run(folder / "made", 60)
    return folder


async def test_the_list_of_runs_is_searched_filtered_and_sorted(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs) as seen:
        page = seen.page
        await expect(page.locator("tbody tr")).to_have_count(3)
        assert "July" in await seen.text("tbody")
        await page.get_by_role("searchbox", name="Search runs").fill("curve")
        await expect(page.locator("tbody tr")).to_have_count(1)
        assert "answered" in await seen.text("tbody")
        await page.get_by_role("searchbox").fill("")
        await page.get_by_role("button", name="Not answered").click()
        await expect(page.locator("tbody tr")).to_have_count(1)
        await page.get_by_role("button", name="All").click()
        await page.get_by_role("button", name="Pages").click()
        assert await page.locator("th[aria-sort=descending]").inner_text() == "Pages↓"
        assert "harbours" in await page.locator("tbody tr").first.inner_text()
        await page.get_by_role("link", name="How many people").click()
        await expect(page.locator("h1")).to_contain_text("How many people")
        await page.go_back()
        await expect(page.locator("tbody tr")).to_have_count(3)


async def test_the_first_step_shows_what_the_question_asks_for(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=museum&step=1") as seen:
        card = seen.page.get_by_role("region", name="What is asked", exact=True)
        told = await card.inner_text()
        assert "by model" in " ".join(told.split())
        assert "In which month does it peak? needs the answer of part 1" in told
        assert "maritime museum also museum of the sea" in told
        assert "Proof\nthe highest point of the curve" in told
        calls = seen.page.get_by_role("region", name="Model calls", exact=True)
        assert "analysis" in await calls.inner_text()
    async with viewing(browser, runs, "#run=people&step=1") as seen:
        card = seen.page.get_by_role("region", name="What is asked", exact=True)
        assert "by rules" in " ".join((await card.inner_text()).split())
        assert "all people" in await card.inner_text()
    async with viewing(browser, runs, "#run=museum&step=2") as seen:
        await expect(seen.page.get_by_role("region", name="Verdict", exact=True)).to_have_count(1)
        await expect(seen.page.get_by_role("region", name="What is asked", exact=True)).to_have_count(0)


async def test_a_step_shows_what_was_understood_found_judged_and_done(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=museum&step=2") as seen:
        page = seen.page
        await expect(page.locator("h2")).to_have_text("Ships of the museum")
        for name in (
            "Verdict",
            "Found here",
            "Understanding and gate",
            "Next move",
            "Stack",
            "Model calls",
            "Time",
            "Record",
        ):
            await expect(page.get_by_role("region", name=name, exact=True)).to_have_count(1)
        score = page.locator(".score")
        assert "Relevance 30 of 40" in (await score.first.get_attribute("aria-label") or "")
        assert await page.locator(".gate .threshold").first.inner_text() == "threshold 70"
        assert "the page has nothing to look at" in await seen.text(".gate")
        assert "The curve of visitors" not in await seen.text(".stack >> nth=0")
        assert await page.locator(".stack li.new").inner_text() == "2 Ships of the museum"
        await page.locator(".stack").first.get_by_role("button", name="Maritime museum").click()
        await expect(page.locator("h2")).to_have_text("Maritime museum")
        assert page.url.endswith("step=1")
        assert "links of it are untried" in await page.locator(".moves .refused").inner_text()
        await expect(page.locator("#step-1 .mark.warn")).to_have_text("refused")


async def test_a_quote_is_shown_where_it_stands(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=museum&step=3") as seen:
        page = seen.page
        await page.get_by_role("region", name="Verdict").locator(".quote").click()
        await expect(page.locator("h2")).to_have_text("Ships of the museum")
        await expect(page.locator(".paper mark.cited")).to_have_text(
            "Most visitors come in the warm months of the year."
        )
        await page.get_by_role("tab", name="Page").click()
        frame = page.frame_locator("iframe.recorded")
        await expect(frame.locator("mark.walker-found, mark.walker-cited")).to_have_text(
            "Most visitors come in the warm months of the year."
        )
        assert (
            await frame.locator("mark").evaluate("mark => getComputedStyle(mark).backgroundColor") != "rgba(0, 0, 0, 0)"
        )


async def test_the_picture_carries_layers_that_are_switched(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=museum&step=3") as seen:
        page = seen.page
        picture = page.locator(".stage img.shown")
        await expect(picture).to_be_visible()
        assert await picture.evaluate("image => image.naturalWidth") == 768, "the part that was looked at"
        await expect(page.locator(".layer.answer rect")).to_be_visible()
        await expect(page.locator(".layer.elements rect").first).to_be_hidden()
        await page.get_by_role("button", name="Elements").click()
        await expect(page.locator(".layer.elements rect.control")).to_be_visible()
        await page.get_by_role("button", name="Numbers").click()
        await expect(page.locator(".layer.marks text").first).to_be_visible()
        await page.get_by_role("button", name="Answer").click()
        await expect(page.locator(".layer.answer rect")).to_be_hidden()
        await page.locator(".layer.elements rect.control").hover()
        await expect(page.locator(".tip")).to_contain_text("Print")
        box, image = await page.locator(".layer.elements rect.figure").bounding_box(), await picture.bounding_box()
        assert box is not None
        assert image is not None
        assert box["width"] / image["width"] == pytest.approx(720 / 768, abs=0.02)
        await page.get_by_role("button", name="Sent to the model").click()
        await expect(page.locator(".overlay")).to_have_count(0)


async def test_every_page_that_was_drawn_has_its_thumbnail_and_its_quotes(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=museum&step=2") as seen:
        page = seen.page
        await expect(page.locator("[role=option] .thumb img")).to_have_count(3)
        await expect(page.locator(".stage img.shown")).to_be_visible()
        await expect(page.locator(".layer.quotes rect")).to_be_visible()
        words = await page.locator(".layer.quotes rect").get_attribute("data-words")
        assert words == "quoted: Most visitors come in the warm months of the year."
        await page.get_by_role("button", name="Quotes").click()
        await expect(page.locator(".layer.quotes rect")).to_be_hidden()


async def test_the_text_is_what_the_minds_were_given(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=museum&step=3") as seen:
        page = seen.page
        await page.get_by_role("tab", name="Text").click()
        await expect(page.locator(".paper .heading")).to_have_text("The curve of visitors")
        await expect(page.locator(".paper")).to_contain_text("month by month, is drawn below")


async def test_a_view_that_comes_late_does_not_cover_the_one_that_was_chosen_since(
    browser: Browser, runs: Path
) -> None:
    async with viewing(browser, runs) as seen:
        page, lets_go = seen.page, asyncio.Event()

        async def hold_back(route: Route) -> None:
            await lets_go.wait()
            await route.continue_()

        await page.route("**/blobs/**", hold_back)
        async with page.expect_request("**/blobs/**"):  # what was read of the page, for its picture
            await page.goto(f"{page.url.partition('#')[0]}#run=museum&step=3")
        await expect(page.get_by_role("tab", name="Picture")).to_have_attribute("aria-selected", "true")
        await page.get_by_role("tab", name="Text").click()
        lets_go.set()
        await expect(page.locator(".paper .heading")).to_have_text("The curve of visitors")
        await page.wait_for_load_state("networkidle")
        await expect(page.locator(".stage")).to_have_count(0)


async def test_a_call_of_a_model_shows_all_that_went_and_came(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=museum&view=calls") as seen:
        page = seen.page
        look = page.locator("details.call", has_text="look")
        await look.locator("summary").click()
        assert "July" in await look.locator(".message.reply").inner_text()
        assert "Parsed as vision_model.look".lower() in (await look.locator(".message.parsed").inner_text()).lower()
        await expect(look.get_by_role("img")).to_be_visible()
        assert "740 in" in await look.locator(".facts").inner_text()
        assert "Cost" in await look.locator(".facts").inner_text()
        call = await look.get_attribute("id")
        await look.locator(".facts button").click()
        await expect(page.locator(f"#{call}[open]")).to_be_visible()
        assert f"call={(call or '').removeprefix('call-')}" in page.url


async def test_the_counter_leads_from_each_item_to_its_page(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=people&view=counter") as seen:
        page = seen.page
        await expect(page.locator(".huge")).to_have_text("23")
        await expect(page.locator(".items-table tbody tr")).to_have_count(23)
        await page.get_by_role("searchbox", name="Search items").fill("Orlov")
        await expect(page.locator(".items-table tbody tr")).to_have_count(1)
        await page.locator(".items-table .link").click()
        await expect(page.locator("h2")).to_contain_text("People, page 2")
        await expect(page.get_by_role("region", name="Counter")).to_contain_text("Pavel Orlov")


async def test_the_map_the_time_and_the_record_are_drawn(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=people&view=map") as seen:
        page = seen.page
        await expect(page.locator(".node")).to_have_count(6)  # one of them is the page of hits
        await page.locator(".node", has_text="People, page 3").click()
        await expect(page.locator(".map-side")).to_contain_text("step 6")
        await page.get_by_role("navigation").get_by_role("link", name="Time").click()
        await expect(page.locator(".waterfall.run li")).to_have_count(6)
        await page.get_by_role("navigation").get_by_role("link", name="Record").click()
        await expect(page.get_by_role("region", name="Settings")).to_contain_text("threshold")
        await page.get_by_role("navigation").get_by_role("link", name="Problems").click()
        await expect(page.locator("main")).to_contain_text("Nothing went wrong")


async def test_the_keyboard_walks_the_steps(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=made&step=10") as seen:
        page = seen.page
        heading = page.locator("h2")
        await expect(heading).to_have_text("Harbour 10")
        for key, title in (
            ("j", "11"),
            ("ArrowDown", "12"),
            ("k", "11"),
            ("ArrowUp", "10"),
            ("End", "60"),
            ("Home", "1"),
            ("ArrowRight", "2"),
            ("ArrowLeft", "1"),
        ):
            await page.keyboard.press(key)
            await expect(heading).to_have_text(f"Harbour {title}")
        await expect(page).to_have_url(re.compile(r"step=1$"))
        await expect(page.locator("#said")).to_contain_text("Step 1, Harbour 1")
        await page.keyboard.press("/")
        await page.keyboard.type("harbour 44")
        await expect(page.locator("[role=option]")).to_have_count(1)
        await page.keyboard.press("Escape")
        await page.keyboard.press("j")
        await expect(heading).to_have_text("Harbour 44")
        await page.keyboard.press("3")
        await expect(page.get_by_role("tab", name="Text")).to_have_attribute("aria-selected", "true")
        await page.keyboard.press("?")
        shortcuts = page.get_by_role("dialog", name="Keyboard shortcuts")
        await expect(shortcuts).to_be_visible()
        await page.keyboard.press("Escape")
        # The browser closes it after the key was heard, and keys are its own until then; it is taken away once it is closed.
        await expect(page.locator("dialog")).to_have_count(0)
        await page.keyboard.press("g")
        await expect(page.locator("table.runs")).to_be_visible()


async def test_only_what_is_seen_of_the_timeline_exists(browser: Browser, runs: Path) -> None:
    async with viewing(browser, runs, "#run=made&step=1") as seen:
        page = seen.page
        options = page.get_by_role("listbox", name="Steps").get_by_role("option")
        await expect(options.first).to_have_attribute("aria-setsize", "60")
        assert await options.count() < 40
        await page.locator(".timeline").evaluate("box => { box.scrollTop = box.scrollHeight; }")
        await expect(page.locator("#step-60")).to_be_visible()
        await expect(page.locator("#step-1")).to_have_count(0)
        await page.locator("#step-60").click()
        await expect(page.locator("#step-60")).to_have_attribute("aria-selected", "true")
        assert await page.locator("#timeline").get_attribute("aria-activedescendant") == "step-60"


@pytest.mark.parametrize("scheme", ["light", "dark"])
async def test_nothing_is_wider_than_a_phone(browser: Browser, runs: Path, scheme: str) -> None:
    phone: dict[str, Any] = {"viewport": {"width": 375, "height": 740}, "color_scheme": scheme, "has_touch": True}
    async with viewing(browser, runs, **phone) as seen:
        page = seen.page
        await expect(page.locator("tbody tr")).to_have_count(3)
        places = [
            "",
            "#run=museum",
            "#run=museum&step=3",
            "#run=museum&view=calls",
            "#run=people&view=counter",
            "#run=people&view=time",
            "#run=made&view=problems",
        ]
        for place in places:
            await page.goto(page.url.partition("#")[0] + (place or "#"))
            await expect(page.locator("main > *").first).to_be_attached()
            assert await page.evaluate("document.documentElement.scrollWidth") <= 375, place
        await page.goto(page.url.partition("#")[0] + "#run=museum")
        await page.locator("#step-3").tap()
        await expect(page.locator("h2")).to_be_visible()
        await page.get_by_role("button", name="All steps").click()
        await expect(page.locator("#step-3")).to_be_visible()
        dark = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
        assert (dark == "rgb(17, 21, 22)") == (scheme == "dark")


async def test_everything_that_can_be_pressed_has_a_name(browser: Browser, runs: Path) -> None:
    nameless = """() => [...document.querySelectorAll('button, a, input, iframe, img, [role=tab], [role=option], [tabindex="0"]')]
        .filter(node => node.checkVisibility() && !(node.getAttribute('aria-label') || node.title || node.textContent.trim() || node.alt || node.labels?.length || node.hasAttribute('alt')))
        .map(node => node.outerHTML.slice(0, 120))"""
    for place in (
        "",
        "#run=museum&step=3",
        "#run=museum&view=map",
        "#run=people&view=counter",
        "#run=museum&view=calls",
    ):
        async with viewing(browser, runs, place) as seen:
            await seen.page.wait_for_selector("h1")
            await seen.page.wait_for_load_state("networkidle")
            assert await seen.page.evaluate(nameless) == [], place
            assert await seen.count("main") == 1
            assert await seen.count("h1") == 1
