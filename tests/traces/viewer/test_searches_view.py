"""What searches found, in the viewer: hits taken and left, the picture of a question, pictures found with matched points, passages."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.async_api import Browser, expect

from memory.library.pictures import PagePicture
from memory.library.protocol import NewPage, PageLine
from perception.images.image import decode_picture, encode_jpeg
from tests.sites.museum import pages, pictures
from tests.sites.pages_on_loopback import serve_site
from tests.sites.search_service import SearchService
from tests.sites.serving import serving
from tests.traces.viewer.browsing import viewing, watched
from tests.walker.asked_picture.test_library_pictures import TOLD
from tests.walker.cli.program import walker_here
from tests.walker.finding.conftest import PAGES, QUESTION
from tests.walker.workflows.conftest import folder as archive
from traces.events import PageSummarised
from traces.reading.reader import read_run
from traces.viewer.export import write_page
from traces.viewer.library import Library
from walker.asking import ask
from walker.library.library_file import LibraryFile
from walker.pictures.picture_marks import marks_of
from walker.runs.viewer_tools import WalkTools

__all__ = ["archive"]
pytestmark = pytest.mark.asyncio(loop_scope="session")
HOSTILE = "<img src=x onerror='window.owned = 1'>"


def only_run(folder: Path) -> Path:
    (run,) = (folder / "runs").iterdir()
    return run


def museum_library(path: Path) -> None:
    """The museum's pages with their pictures, and one that shows a picture again at an address that is markup."""
    with closing(LibraryFile.write(path)) as library:
        for file, (title, text) in TOLD.items():
            shown = PagePicture(marks=marks_of(pictures()[file]), url=f"https://museum.example{file}", alt=title)
            url = f"https://museum.example/{file[1:-4]}.html"
            lines = (PageLine(text=title), PageLine(text=text))
            markup = f"<title>{title}</title><h1>{title}</h1><p>{text}</p>"
            library.add(NewPage(url=url, title=title, lines=lines, markup=markup, pictures=(shown,)))
        again = PagePicture(marks=marks_of(pictures()["/mill.png"]), url=HOSTILE, alt="Gull Mill")
        url, line = "https://museum.example/print.html", PageLine(text="A print of the mill.")
        library.add(
            NewPage(url=url, title="Gull Mill", lines=(line,), markup="<p>A print of the mill.</p>", pictures=(again,))
        )


@pytest.fixture(scope="module")
def pictured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A walk from a picture with words in it, a part of which is meant."""
    folder = tmp_path_factory.mktemp("pictured")
    museum_library(folder / "museum.library")
    photo = decode_picture(pictures()["/mill.png"]).copy()
    cv2.rectangle(photo, (20, 15), (330, 85), (245, 245, 245), -1)
    cv2.putText(photo, "GULL MILL", (35, 68), cv2.FONT_HERSHEY_SIMPLEX, 1.6, (20, 20, 20), 4, cv2.LINE_AA)
    (folder / "photo.jpg").write_bytes(encode_jpeg(np.ascontiguousarray(photo[:, :600])))
    flags = ("--library", "museum.library", "--picture", "photo.jpg", "--box", "0,0,0.95,0.9")
    ended = walker_here("ask", "Who built this?", *flags, folder=folder)
    assert ended.code == 0, ended.err
    (folder / "museum.library").unlink()
    return only_run(folder)


async def test_hits_tell_who_found_them_and_which_were_taken(browser: Browser, tmp_path: Path) -> None:
    with (
        serving(SearchService({})) as web,
        serve_site(PAGES) as site,
        serve_site({"/": "<title>Else</title>"}) as stranger,
    ):
        web.hits[QUESTION] = [
            (stranger.home, HOSTILE, "1666"),
            (f"{site.home}fleet.html", "Fleet", "It was launched in 1666 </li></ol><a href=/x>x</a>"),
        ]
        outcome = await ask(site.home, QUESTION, search=web.address, runs=tmp_path / "runs")
    assert outcome.trace is not None
    async with viewing(browser, Path(outcome.trace), "#step=2") as seen:
        card = seen.page.get_by_role("region", name="Hits", exact=True)
        await expect(card.get_by_role("list", name="Queries")).to_have_text(f"“{QUESTION}”")
        fleet = card.locator(".hits > li", has_text=f"{site.home}fleet.html")
        await expect(fleet).to_contain_text("local")
        await expect(fleet).to_contain_text("</li></ol><a href=/x>x</a>")
        else_ = card.locator(".hits > li", has_text=stranger.home)
        await expect(else_.locator("b")).to_have_text(HOSTILE)
        await expect(else_).to_contain_text("left")
        await expect(else_).to_contain_text("not a link on the page of hits")
        await expect(card.locator(".hits > li", has_text="scout")).not_to_have_count(0)
        await expect(fleet.locator(".taken")).to_have_text("taken step 3")
        await fleet.get_by_role("button", name="step 3").click()
        await expect(seen.page.locator("h2")).to_contain_text("Fleet")
        assert await seen.page.evaluate("window.owned") is None
        assert await card.locator("img").count() == 0


async def test_the_picture_of_a_question_is_shown_with_its_part_and_its_words(browser: Browser, pictured: Path) -> None:
    async with viewing(browser, pictured, "#step=1") as seen:
        card = seen.page.get_by_role("region", name="Picture of the question", exact=True)
        await expect(card.locator("header")).to_contain_text("600 × 480")
        meant = card.locator("rect.meant")
        assert [await meant.get_attribute(name) for name in ("width", "height")] == ["0.95", "0.9"]
        shown = await card.locator("img").evaluate("image => image.decode().then(() => image.naturalWidth)")
        assert shown == 600
        image, overlay = [await card.locator(name).bounding_box() for name in ("img", "svg.overlay")]
        assert image is not None
        assert overlay is not None
        assert all(abs(image[side] - overlay[side]) < 2 for side in ("x", "y", "width", "height"))
        await expect(card).to_contain_text("about the part from 0 %, 0 % to 95 %, 90 %")
        await expect(card.locator(".read-there li").first).to_contain_text("GULL MILL")
        left, top, width, height = [
            float(await card.locator(".layer.seen rect").first.get_attribute(name) or -1)
            for name in ("x", "y", "width", "height")
        ]
        assert 0 <= left < 0.15
        assert 0 <= top < 0.15
        assert left + width < 0.65
        assert top + height < 0.25
    async with viewing(browser, pictured, "#step=2") as seen:
        await expect(seen.page.get_by_role("region", name="Verdict", exact=True)).to_have_count(1)
        await expect(seen.page.get_by_role("region", name="Picture of the question", exact=True)).to_have_count(0)


async def test_pictures_that_were_found_stand_beside_the_searched_one(browser: Browser, pictured: Path) -> None:
    async with viewing(browser, pictured, "#step=1") as seen:
        card = seen.page.get_by_role("region", name="Picture search", exact=True)
        searches = card.get_by_role("region", name="Search by a picture")
        await expect(searches).to_have_count(2)
        mill = searches.first.locator("li", has_text="mill.html").first
        await expect(mill).to_contain_text("by local features")
        await expect(mill).to_contain_text("taken step 2")
        pair = mill.locator("svg.matched")
        await expect(pair.locator("image")).to_have_count(2)
        points = await pair.locator(".match").count()
        assert points >= 10
        await expect(mill).to_contain_text(f"{points} matched points")
        ends = await pair.locator(".match line").evaluate_all(
            "lines => lines.map(line => ['x1', 'y1', 'x2', 'y2'].map(name => Number(line.getAttribute(name))))"
        )
        assert all(0 <= x1 <= 300 and 340 <= x2 <= 640 and y1 >= 0 and y2 >= 0 for x1, y1, x2, y2 in ends)
        # The photo is the left 600 of 640 columns: each point lies so much farther to the left in what was found.
        assert all(abs((x2 - 340) - x1 * 600 / 640) < 8 for x1, _, x2, _ in ends)
        width = float(await pair.locator(".part").get_attribute("width") or 0)
        assert 265 < width < 300
        other = searches.first.locator("li", has_text="print.html").first
        await expect(other).to_contain_text("left")
        await expect(other).to_contain_text(HOSTILE)
        assert await seen.page.evaluate("window.owned") is None


async def test_the_page_of_the_question_is_the_page_that_shows_its_picture(browser: Browser, pictured: Path) -> None:
    async with viewing(browser, pictured, "#step=1") as seen:
        await seen.page.get_by_role("tab", name="Page").click()
        page = seen.page.frame_locator("iframe.recorded")
        await expect(page.get_by_role("heading", name="Who built this?")).to_have_count(1)
        await expect(page.get_by_text("Gull Mill").first).to_be_visible()


async def test_an_exported_file_holds_the_pictures_too(browser: Browser, pictured: Path, tmp_path: Path) -> None:
    write_page(Library(pictured, tools=WalkTools()), tmp_path / "report.html")
    file = (tmp_path / "report.html").as_uri()
    async with watched(browser, f"{file}#step=1") as seen:
        pair = seen.page.locator("svg.matched").first
        await expect(pair.locator("image")).to_have_count(2)
        await expect(seen.page.get_by_role("region", name="Picture of the question").locator("img")).to_have_count(1)
        assert seen.errors == []
        assert seen.outside(file) == []


@pytest.fixture
def weighed(archive: Path) -> Path:
    """A question to a library, answered from the passages that bear on it."""
    asked = ("ask", "--library", "docs.library", "How long is the backup of the archive kept?")
    ended = walker_here(*asked, "--workflow", "retrieval", "-q", folder=archive)
    assert ended.code == 0, ended.err
    return only_run(archive)


@pytest.fixture
def summarised(archive: Path) -> Path:
    """A walk that keeps its pages by their summaries."""
    question = "How long is the backup of the archive kept?"
    ended = walker_here("ask", "--library", "docs.library", question, "--summaries", "-q", folder=archive)
    assert ended.code == 0, ended.err
    return only_run(archive)


async def test_a_summary_is_shown_with_its_goal_and_its_quotes(browser: Browser, summarised: Path) -> None:
    told = next(event for event in read_run(summarised).events if isinstance(event, PageSummarised))
    async with viewing(browser, summarised, f"#step={told.step}") as seen:
        card = seen.page.get_by_role("region", name="Summaries", exact=True)
        await expect(card).to_contain_text(f"by {told.by}")
        await expect(card).to_contain_text(f"“{told.goal}”")
        await expect(card.locator(".says")).to_have_text(told.summary)
        assert "kept for 90 days" in told.summary
        assert told.evidence
        await expect(card.locator("q")).to_have_text(list(told.evidence), use_inner_text=False)
        await expect(card).to_contain_text("/backup.html")


async def test_steps_without_a_page_say_what_they_are(browser: Browser, weighed: Path) -> None:
    async with viewing(browser, weighed, "#step=1") as seen:
        await seen.page.get_by_role("tab", name="Page").click()
        await expect(seen.page.locator("#view")).to_have_text(re.compile("is the question itself"))
    async with viewing(browser, weighed, "#step=2") as seen:
        await seen.page.get_by_role("tab", name="Page").click()
        await expect(seen.page.locator("#view")).to_have_text(re.compile("is a search"))


async def test_passages_that_were_weighed_are_kept_or_left(browser: Browser, weighed: Path) -> None:
    async with viewing(browser, weighed, "#step=2") as seen:
        card = seen.page.get_by_role("region", name="Passages", exact=True)
        kept = card.locator("li.kept")
        await expect(kept.first).to_contain_text("The backup of the archive is kept for 90 days.")
        await expect(kept.first).to_contain_text("chance ")
        await expect(card).to_contain_text("weighed by score")
        count, every = await kept.count(), await card.locator("ol > li").count()
        await expect(card.locator("header")).to_contain_text(f"{count} of {every} passage")
        await expect(seen.page.get_by_role("region", name="Hits", exact=True)).to_have_count(0)


async def test_a_chance_below_the_one_that_is_kept_is_not_shown_as_that(browser: Browser, weighed: Path) -> None:
    shown = """async (chance) => {
        const { passagesCard } = await import("./step/cards/passages_card.js");
        const passage = { url: "http://a.example/", title: "A", heading: "", text: "Text", kept: false, chance };
        const events = [{ k: "passages", step: 2, d: { queries: [], passages: [passage], note: "by logprobs" } }];
        return passagesCard({ step: 2, events }, { steps: [] }).querySelector(".number").textContent;
    }"""
    async with viewing(browser, weighed, "#step=2") as seen:
        told = [await seen.page.evaluate(shown, chance) for chance in (0.0999, 0.1, 0.005)]
    assert told == ["chance 9.9 %", "chance 10 %", "chance 0.5 %"]


async def test_a_picture_that_is_wider_than_the_view_pushes_no_text_out_of_it(browser: Browser, tmp_path: Path) -> None:
    with serve_site(pages()) as site:
        outcome = await ask(f"{site.home}light.html", "Who built Norrey Light?", runs=tmp_path / "runs")
    assert outcome.answer == "Edda Tarn"
    async with viewing(browser, only_run(tmp_path), "#step=1", viewport={"width": 1000, "height": 700}) as seen:
        await seen.page.get_by_role("tab", name="Page").click()
        image = seen.page.frame_locator("iframe.recorded").locator("figure img")
        await expect(image).to_have_attribute("width", "640")
        widths = await image.evaluate(
            "() => [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        assert widths[0] <= widths[1] < 640
