"""The whole chain as a person runs it, without any network: the built-in strategy over the demo site, in all eight variants, graded,
taken apart, and the report opened in Chromium."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page

from evaluation.experiment.variants import EIGHT
from tests.sites.held import serve_held
from tests.walker.cli.program import kill_when, on_terminal, walker_here

PATIENCE = 600
"""Seconds; the machines are shared."""
ASKED = "flume-depth,three-papers"
in_one_browser = pytest.mark.asyncio(loop_scope="session")


@pytest.fixture(scope="module")
def experiment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A graded experiment with its report."""
    folder = tmp_path_factory.mktemp("chain")
    run = ("run", "demo", "--out", "chain", "--only", ASKED, "--max-pages", "3", "--ocr", "none")
    for step in (run, ("grade", "chain"), ("ablate", "chain"), ("report", "chain", "--traces", "wrong")):
        ended = walker_here("eval", *step, folder=folder)
        assert ended.code == 0, ended.err
    return folder / "chain"


@pytest_asyncio.fixture(loop_scope="session")
async def page(experiment: Path, browser: Browser) -> AsyncIterator[Page]:
    page = await browser.new_page(viewport={"width": 390, "height": 800})
    page.set_default_timeout(60_000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.goto((experiment / "report.html").as_uri())
    yield page
    assert [url for url in asked if not url.startswith("file:")] == []
    await page.close()


def test_all_variants_are_answered_graded_and_taken_apart(experiment: Path) -> None:
    grades = [json.loads(line) for line in (experiment / "grades.jsonl").read_text().splitlines()]
    assert {(one["variant"], one["question_id"]) for one in grades} == {
        (variant.name, name) for variant in EIGHT for name in ASKED.split(",")
    }
    right = {(one["variant"], one["question_id"]) for one in grades if one["right"]}
    assert ("all", "three-papers") in right
    assert ("baseline", "three-papers") not in right
    wrong = [one for one in grades if not one["right"]]
    assert all(one["error_class"] for one in wrong)
    ablation = json.loads((experiment / "ablation.json").read_text())
    whole = ablation["slices"][0]
    assert whole["values"]["counter"]["value"] == pytest.approx(0.5)
    assert sum(one["value"] for one in whole["values"].values()) == pytest.approx(
        whole["worth"]["all"] - whole["worth"]["baseline"]
    )


def test_shares_and_figures_fit_a_narrow_terminal(experiment: Path) -> None:
    folder = experiment.parent
    whole = walker_here("eval", "ablate", "chain", folder=folder).out.splitlines()
    shown = on_terminal("eval", "ablate", "chain", folder=folder, columns=60).out.splitlines()[: len(whole) - 1]
    assert all(len(line) <= 60 for line in shown)
    assert shown[0].split() == whole[0].split()
    assert [line.split()[0] for line in shown] == [line.split()[0] for line in whole[:-1]]
    for line, more in zip(shown[1:], whole[1:], strict=False):
        assert set(line.split()) < set(more.split()), "values without their intervals"
    wide = on_terminal("eval", "ablate", "chain", folder=folder, columns=200).out.splitlines()
    assert [line.split() for line in wide] == [line.split() for line in whole]
    report = on_terminal("eval", "report", "chain", "--traces", "wrong", folder=folder, columns=60).out.splitlines()
    assert sum(" right (" in line for line in report) == 8
    assert all(len(line) <= 60 for line in report if " right (" in line)


def test_the_figures_are_pictures(experiment: Path) -> None:
    pictures = sorted(path.name for path in (experiment / "figures").glob("*.png"))
    assert pictures == ["cost.png", "errors.png", "shapley.png", "success.png"]
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in (experiment / "figures").iterdir())


@in_one_browser
async def test_the_report_fits_a_phone_and_needs_nothing_from_elsewhere(page: Page) -> None:
    assert await page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    shown = await page.locator("#success .name").all_text_contents()
    assert shown == [variant.name for variant in EIGHT]
    assert await page.locator("#published").count() == 0, "no figures of others beside those of the demo"
    assert await page.locator("#modules .name").all_text_contents() == ["vision", "stack", "counter"]
    assert await page.locator("#modules .line").count() == 5
    assert await page.locator("#cost circle").count() >= 2
    for figure in await page.locator("section svg").all():
        box = await figure.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 390
    sizes = "[...document.querySelectorAll('svg text')].map((one) => one.getBoundingClientRect().height)"
    assert min(await page.evaluate(sizes)) >= 12, "letters of drawings are large enough on a phone"


@in_one_browser
async def test_the_story_is_told_first_and_its_numbers_lead_to_walks(page: Page) -> None:
    lead = await page.inner_text("p.lead")
    assert "The best variant, “all”, is right on 100\N{NO-BREAK SPACE}%" in lead
    assert "counter adds most: +50 points" in lead
    await page.locator("#errors figure", has_text="baseline").locator("figcaption a").first.click()
    shown = page.locator(".answer:visible")
    await shown.first.wait_for()
    assert await shown.count() == 1, "the one wrong answer of the baseline"
    assert "✗ baseline" in await shown.inner_text()
    assert await page.inner_text("#told") == "1 answer to 1 question"
    await shown.locator("a", has_text="see the walk").click()
    await page.get_by_text("Name three papers of 2025.").first.wait_for()
    assert "/traces/" in page.url


@in_one_browser
async def test_every_number_of_the_slices_leads_to_its_answers(page: Page) -> None:
    row = page.locator("#success tr", has_text="quota").first
    await row.locator("td a").nth(2).click()
    await page.locator(".answer:visible").first.wait_for()
    assert await page.input_value("#by-variant") == "baseline"
    assert await page.input_value("#by-slice") == "quota"
    assert await page.locator(".answer:visible").count() == 1
    links = await row.locator("td a").evaluate_all("(links) => links.map((one) => one.getAttribute('href'))")
    variants = [f"#answers?variant={variant.name.replace('+', '%2B')}&slice=quota" for variant in EIGHT]
    figures = [link for link in variants for _ in ("right", "interval", "F1")]
    assert links == ["#answers?slice=quota", "#answers?slice=quota", *figures]


@in_one_browser
async def test_the_report_is_dark_where_that_is_wanted(page: Page) -> None:
    colour = "getComputedStyle(document.body).backgroundColor"
    light = await page.evaluate(colour)
    await page.emulate_media(color_scheme="dark")
    assert (light, await page.evaluate(colour)) == ("rgb(255, 255, 255)", "rgb(20, 23, 26)")


@in_one_browser
async def test_every_question_shows_answer_grade_reason_and_trace(page: Page, experiment: Path) -> None:
    question = page.locator("details.q", has_text="Name three papers of 2025.")
    await question.locator("summary").click()
    answer = question.locator(".answer").last
    text = await answer.inner_text()
    assert "✓ all" in text
    assert "3 of 3 items" in text
    assert "Flocculation at the turn of the tide" in text
    trace = await answer.locator("a", has_text="trace files").get_attribute("href")
    assert trace is not None
    assert (experiment / trace / "events.jsonl").is_file()


@in_one_browser
async def test_a_walk_that_went_wrong_can_be_looked_at_from_the_report(page: Page) -> None:
    question = page.locator("details.q", has_text="Name three papers of 2025.")
    await question.locator("summary").click()
    await question.locator(".answer").first.locator("a", has_text="see the walk").click()
    await page.get_by_text("Name three papers of 2025.").first.wait_for()
    assert "/traces/" in page.url
    assert await page.get_by_text("Sandmere Institute of Tidal Science").count() > 0


@in_one_browser
async def test_questions_can_be_sifted(page: Page) -> None:
    visible = page.locator("details.q:visible")
    assert await visible.count() == 2
    await page.select_option("#by-state", "wrong")
    assert await visible.count() == 1
    await page.select_option("#by-state", "")
    await page.fill("#by-words", "FLUME")
    assert await visible.count() == 1
    await page.select_option("#by-slice", "quota")
    assert await visible.count() == 0


def test_all_walks_of_a_small_experiment_can_be_looked_at(experiment: Path) -> None:
    ended = walker_here("eval", "report", "chain", "--no-figures", folder=experiment.parent)
    assert ended.code == 0
    assert len(list((experiment / "traces").glob("*.html"))) == 2 * len(EIGHT)
    assert "trace files" not in (experiment / "report.html").read_text(encoding="utf-8")


def test_an_experiment_refuses_other_limits(experiment: Path) -> None:
    ended = walker_here("eval", "run", "demo", "--out", "chain", "--only", ASKED, folder=experiment.parent)
    assert ended.code == 2
    assert "limits 3 pages" in ended.line


def about(name: str, metres: int) -> str:
    text = f"<p>The {name} lighthouse is {metres} metres high. It stands on a rock in the bay.</p>"
    return f"<html lang=en><title>{name} lighthouse</title><h1>{name} lighthouse</h1>{text}"


def test_killed_in_the_middle_it_goes_on_where_it_was(tmp_path: Path) -> None:
    asked = [
        {
            "id": name,
            "question": f"How high is the {name} lighthouse?",
            "answers": [answer],
            "root": f"{name}.html",
            "site": "bay",
        }
        for name, answer in (("Skerry", "31"), ("Holm", "42"))
    ]
    (tmp_path / "qa.jsonl").write_text("".join(json.dumps(one) + "\n" for one in asked))
    pages = {"/Skerry.html": about("Skerry", 31), "/Holm.html": about("Holm", 42)}
    with serve_held(pages, "/Holm.html") as site:
        command = (
            "eval",
            "run",
            "qa.jsonl",
            "--out",
            "bay",
            "--site",
            f"bay={site.home}",
            "--variant",
            "all",
            "--jobs",
            "1",
        )
        kill_when(site.holds, *command, folder=tmp_path, seconds=PATIENCE)
        with (tmp_path / "bay" / "samples.jsonl").open("a") as file:
            file.write('{"question_id":"Holm","vari')
        site.let_go()
        ended = walker_here(*command, "--json", folder=tmp_path)
        assert site.asked.count("/Skerry.html") == 1
    assert json.loads(ended.out) == {"wanted": 2, "known": 1, "asked": 1, "failed": 0}
    samples = [json.loads(line) for line in (tmp_path / "bay" / "samples.jsonl").read_text().splitlines()]
    assert [(one["question_id"], one["answer"].split()[0]) for one in samples] == [("Skerry", "31"), ("Holm", "42")]


WRONG = [
    (("run", "none.jsonl", "--out", "x"), "none.jsonl: the questions cannot be read"),
    (("run", "demo", "--out", "x", "--only", "nobody"), 'there is no question "nobody"'),
    (("run", "demo", "--out", "x", "--variant", "best"), 'there is no variant "best"'),
    (("run", "demo", "--out", "x", "--variant", "direct"), "need a model"),
    (("grade", "x"), "there is no experiment"),
    (("ablate", "x"), "there is no experiment"),
    (("report", "x"), "there is no experiment"),
    (("build", "ftp://a.example/", "--out", "x.jsonl"), "ftp is not http or https"),
    (("build", "demo", "--out", "x.jsonl", "--counts", "single:easy=0"), "they ask for no question"),
]


@pytest.mark.parametrize(("arguments", "line"), WRONG)
def test_what_cannot_be_is_one_line(tmp_path: Path, arguments: tuple[str, ...], line: str) -> None:
    ended = walker_here("eval", *arguments, folder=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert line in ended.line


@pytest.mark.parametrize(
    "arguments",
    [
        ("grade", "x", "--judge", "strict"),
        ("grade", "x", "--judge-model", "m"),
        ("run", "demo", "--out", "x", "--jobs", "0"),
        ("run", "demo", "--out", "x", "--site", "nothing"),
    ],
)
def test_flags_that_do_not_fit_are_usage_errors(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended = walker_here("eval", *arguments, folder=tmp_path)
    assert ended.code == 2
    assert ended.err.startswith("walker: ")


@pytest.mark.parametrize(
    "arguments", [("run", "demo", "--out", "x", "--only", "flume-depth"), ("build", "demo", "--out", "x.jsonl")]
)
def test_no_browser_is_one_line(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended = walker_here("eval", *arguments, "--chromium", "/nowhere/chromium", folder=tmp_path)
    assert (ended.code, ended.out) == (1, "")
    assert "/nowhere/chromium" in ended.line
