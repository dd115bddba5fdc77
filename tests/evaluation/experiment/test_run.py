"""Running experiments against real pages in a real browser."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import msgspec
import pytest

from evaluation.dataset.pictures import with_picture
from evaluation.dataset.question import Dataset, Question
from evaluation.experiment.folder import ExperimentFolder
from evaluation.experiment.run import ExperimentPlan, run_experiment
from evaluation.experiment.variants import EIGHT, read_variants
from evaluation.grading.visited import read_visited
from evaluation.sample import Sample
from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.sites.museum import pictures
from tests.sites.pages_on_loopback import serve
from traces.events import GateDecided
from traces.reading.reader import read_run
from walker.browser.page import live_reader
from walker.errors import UsageError
from walker.library.library_file import LibraryFile
from walker.library.page_passages import library_page
from walker.settings import Limits, ModelSettings, Settings
from walker.testing.chat_server import Asked, Endpoint, Reply

pytestmark = pytest.mark.usefixtures("kept_chromium")

FACTS = "<table><tr><th>Height</th><td>31 m</td></tr><tr><th>Keeper</th><td>nobody</td></tr></table>"
PAGES = {
    "/": "<html lang=en><title>Lights</title><h1>Lights of the bay</h1><p>Here are the lighthouses of the bay and what is"
    ' known of each of them.</p><ul><li><a href="/skerry.html">The Skerry lighthouse</a></li></ul>',
    "/skerry.html": "<html lang=en><title>Skerry lighthouse</title><h1>Skerry lighthouse</h1>"
    f"<p>The Skerry lighthouse is 31 metres high. It stands on a rock in the bay.</p>{FACTS}",
}
QUESTION = Question(
    id="skerry",
    question="How high is the Skerry lighthouse?",
    answers=("31 m", "31 metres"),
    root="",
    site="bay",
    sources=("skerry.html",),
    language="en",
)


def dataset(*questions: Question) -> Dataset:
    return Dataset(name="lights", questions=questions or (QUESTION,))


SETTINGS = Settings(limits=Limits(pages=4), ocr="none")


async def test_every_variant_answers_and_leaves_its_trace(tmp_path: Path) -> None:
    folder, told = ExperimentFolder(tmp_path / "lights"), list[Sample]()
    with serve(PAGES) as base:
        asking = ExperimentPlan(dataset=dataset(), variants=(EIGHT[0], EIGHT[-1]), sites={"bay": base}, samples=2)
        report = await run_experiment(asking, folder, SETTINGS, lambda _place, _total, sample: told.append(sample))
        again = await run_experiment(asking, folder, SETTINGS)
    assert (report.wanted, report.known, report.asked, report.failed) == (4, 0, 4, 0)
    assert (again.known, again.asked) == (4, 0)
    samples = folder.read_answers().samples
    assert {sample.key for sample in samples} == {(name, "skerry", n) for name in ("baseline", "all") for n in (1, 2)}
    assert all("31" in sample.answer and sample.pages == 2 for sample in samples)
    assert len(told) == 4
    assert all(sample.tools["open"] == 1 for sample in samples), "the root is where it begins, and no call"
    for sample in samples:
        visited = read_visited(sample.trace, folder.path)
        assert visited is not None
        assert "The Skerry lighthouse is 31 metres high." in visited.text
        assert any(url.endswith("/skerry.html") for url in visited.urls)


async def test_one_run_asks_with_our_gate_and_with_the_papers(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path / "lights")
    with serve(PAGES) as base:
        plan = ExperimentPlan(dataset=dataset(), variants=read_variants(["all", "paper-gate"]), sites={"bay": base})
        await run_experiment(plan, folder, SETTINGS)
    decided: dict[str, set[tuple[float, bool]]] = {}
    for sample in folder.read_answers().samples:
        events = read_run(folder.path / sample.trace).events
        gates = [event for event in events if isinstance(event, GateDecided)]
        decided[sample.variant] = {(event.threshold, "score" in event.terms) for event in gates}
    assert decided["paper-gate"] == {(60.0, True)}
    assert {by_score for _, by_score in decided["all"]} == {False}


async def test_a_root_that_cannot_be_had_is_asked_again_by_the_next_run(tmp_path: Path) -> None:
    folder, pages = ExperimentFolder(tmp_path), {"/": "", "/none": ""}
    gone = Question(id="gone", question="How high is it?", answers=("1",), root="away.html", site="bay", language="en")
    with serve(pages) as base:
        asking = ExperimentPlan(dataset=dataset(gone), variants=EIGHT[-1:], sites={"bay": base})
        first = await run_experiment(asking, folder, SETTINGS)
        pages["/away.html"] = PAGES["/skerry.html"]
        second = await run_experiment(asking, folder, SETTINGS)
    assert (first.asked, first.failed) == (1, 1)
    assert (second.asked, second.failed) == (1, 0)
    assert folder.read_answers().samples[0].error == ""


async def test_the_model_alone_opens_no_page_and_its_cost_is_known(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path)
    replies = [Reply(text="I think"), Reply(text='{"answer": "31 metres", "items": []}')]
    async with Endpoint(replies) as endpoint:
        model = ModelSettings(name="test-model", base_url=endpoint.base_url, prompt_price=1.0, completion_price=2.0)
        settings = Settings(limits=Limits(pages=4), model=model)
        asking = ExperimentPlan(
            dataset=dataset(), variants=read_variants(["direct"]), sites={"bay": "http://bay.example/"}
        )
        await run_experiment(asking, folder, settings)
        asked = [one.prompt for one in endpoint.asked]
    (sample,) = folder.read_answers().samples
    assert (sample.answer, sample.pages, sample.usage.model_calls) == ("31 metres", 0, 2)
    assert not (tmp_path / "search").exists()
    assert sample.money is not None
    assert sample.money > 0
    assert "http://bay.example/" in asked[0]
    assert "That reply cannot be used" in asked[1]


@pytest.mark.parametrize("variant", ["direct", "agentic"])
async def test_a_model_that_does_not_walk_is_shown_the_picture_of_the_question(tmp_path: Path, variant: str) -> None:
    (tmp_path / "mill.png").write_bytes(pictures()["/mill.png"])
    shown = with_picture(msgspec.structs.replace(QUESTION, picture="mill.png"), tmp_path, {})
    replies = {
        "direct": [Reply(text='{"answer": "31 metres"}')],
        "agentic": [
            Reply(text='{"action": "search", "text": "Skerry height"}'),
            Reply(text='{"action": "answer", "text": "31 metres", "cite": [1]}'),
        ],
    }
    with serve(PAGES) as base:
        async with Endpoint(replies[variant]) as endpoint:
            settings = Settings(
                limits=Limits(pages=4), model=ModelSettings(name="test-model", base_url=endpoint.base_url)
            )
            plan = ExperimentPlan(dataset=dataset(shown), variants=read_variants([variant]), sites={"bay": base})
            folder = ExperimentFolder(tmp_path / "lights")
            await run_experiment(plan, folder, settings)
            contents = [message["content"] for one in endpoint.asked for message in one.body["messages"]]
    (said,) = folder.read_answers().samples
    assert said.error == ""
    assert said.answer == "31 metres"
    assert said.tools == ({} if variant == "direct" else {"search": 1})
    assert any(part.get("type") == "image_url" for content in contents if isinstance(content, list) for part in content)


async def test_a_variant_that_needs_a_model_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path / "none")
    asking = ExperimentPlan(dataset=dataset(), variants=read_variants(["direct"]), sites={"bay": "http://bay.example/"})
    with pytest.raises(UsageError, match="need a model"):
        await run_experiment(asking, folder, SETTINGS)
    with pytest.raises(UsageError, match="--site bay="):
        await run_experiment(ExperimentPlan(dataset=dataset(), variants=EIGHT, sites={}), folder, SETTINGS)
    assert not folder.path.exists()


async def test_questions_without_a_page_to_start_from_are_answered_from_a_library(tmp_path: Path) -> None:
    file = tmp_path / "lights.library"
    with contextlib.closing(LibraryFile.write(file)) as library:
        for path, html in PAGES.items():
            place = f"https://bay.example{path}"
            library.add(library_page(Snapshot(url=place, final_url=place, status=200, html=html, fetched_at=0.0)))
    anywhere = msgspec.structs.replace(QUESTION, id="anywhere", site="web", sources=())
    folder = ExperimentFolder(tmp_path / "lights")
    reply = Reply(text='{"answer": "31 metres", "items": [], "cite": [1]}')
    with serve(PAGES) as base:
        walks = ExperimentPlan(dataset=dataset(anywhere, QUESTION), variants=EIGHT[-1:], sites={"bay": base})
        await run_experiment(walks, folder, msgspec.structs.replace(SETTINGS, library=file))
    async with Endpoint([reply]) as endpoint:
        settings = Settings(model=ModelSettings(name="test-model", base_url=endpoint.base_url))
        plan = ExperimentPlan(dataset=dataset(anywhere), variants=read_variants(["retrieval", "direct"]), sites={})
        searched = ExperimentFolder(tmp_path / "searched")
        await run_experiment(plan, searched, msgspec.structs.replace(settings, library=file))
        with pytest.raises(UsageError, match="--site web="):
            await run_experiment(plan, ExperimentFolder(tmp_path / "none"), settings)
        alone = msgspec.structs.replace(plan, variants=read_variants(["direct"]))
        await run_experiment(alone, ExperimentFolder(tmp_path / "alone"), settings)
    found = (*folder.read_answers().samples, *searched.read_answers().samples)
    assert [(one.variant, one.question_id, one.error) for one in found] == [
        ("all", "anywhere", ""),
        ("all", "skerry", ""),
        ("retrieval", "anywhere", ""),
        ("direct", "anywhere", ""),
    ]
    assert [one.answer for one in found if "31" not in one.answer] == []
    assert [one.citations[0].url for one in (found[0], found[2])] == ["https://bay.example/skerry.html"] * 2
    assert found[1].citations[0].url.startswith(base)
    with contextlib.closing(LibraryFile.read(file)) as library:
        assert library.info().pages == 2, "a walk over a site adds nothing to what other questions are answered from"
    assert folder.experiment.setup.library == "lights.library, 2 pages"


async def test_search_and_then_answer_reads_passages_and_cites_them(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path)
    with serve(PAGES) as base:
        reply = Reply(text='{"answer": "31 metres", "items": [], "cite": [1, 1, 99]}')
        async with Endpoint([reply]) as endpoint:
            settings = Settings(model=ModelSettings(name="test-model", base_url=endpoint.base_url))
            asking = ExperimentPlan(
                dataset=dataset(), variants=read_variants(["retrieval"]), sites={"bay": base}, samples=2
            )
            await run_experiment(asking, folder, settings)
            prompt = endpoint.asked[0].prompt
    first, second = folder.read_answers().samples
    assert "The Skerry lighthouse is 31 metres high." in prompt
    assert (first.answer, first.pages, first.stop_reason) == ("31 metres", 2, "answered")
    assert [citation.url for citation in first.citations] == [f"{base}/skerry.html"]
    assert second.usage.model_calls == 1
    pages = list((tmp_path / "search").glob("*/pages.jsonl"))
    assert len(pages) == 1
    assert len(pages[0].read_text().splitlines()) == 2


async def test_search_in_turns_searches_opens_and_answers(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path)
    turns = [
        Reply(text='{"action": "search", "text": "Skerry height"}'),
        Reply(text='{"action": "open", "number": 7}'),
        Reply(text='{"action": "open", "number": 1}'),
        Reply(text='{"action": "answer", "text": "31 m", "cite": [1]}'),
    ]
    with serve(PAGES) as base:
        async with Endpoint(turns) as endpoint:
            settings = Settings(model=ModelSettings(name="test-model", base_url=endpoint.base_url))
            asking = ExperimentPlan(dataset=dataset(), variants=read_variants(["agentic"]), sites={"bay": base})
            await run_experiment(asking, folder, settings)
            prompts = [one.prompt for one in endpoint.asked]
    (sample,) = folder.read_answers().samples
    assert (sample.answer, sample.steps, sample.usage.model_calls) == ("31 m", 4, 4)
    assert len(sample.citations) == 1
    assert "(nothing yet)" in prompts[0]
    assert "[1] Skerry lighthouse" in prompts[1]
    assert "There is no passage 7." in prompts[2]
    assert "Opened the page of passage 1" in prompts[3]


async def test_a_model_in_turns_summarises_and_computes_where_the_experiment_says_so(tmp_path: Path) -> None:
    pytest.importorskip("pydantic_monty")
    words = "The Skerry lighthouse is 31 metres high."

    def says(asked: Asked) -> Reply:
        if asked.schema_name == "page_summary":
            return Reply(text=json.dumps({"rationale": "", "evidence": [words], "summary": words}))
        if "(nothing yet)" in asked.prompt:
            return Reply(text='{"action": "search", "text": "Skerry height"}')
        if "Computed from" not in asked.prompt:
            run = {"action": "run", "text": "p1_value * 2", "cite": [1], "quotes": [words]}
            return Reply(text=json.dumps(run))
        number = int(asked.prompt.split("] Computed from")[0].rpartition("[")[2])
        return Reply(text=json.dumps({"action": "answer", "text": "62", "cite": [number], "confidence": 90}))

    folder = ExperimentFolder(tmp_path)
    with serve(PAGES) as base:
        async with Endpoint(says) as endpoint:
            model = ModelSettings(name="test-model", base_url=endpoint.base_url)
            asking = ExperimentPlan(dataset=dataset(), variants=read_variants(["agentic"]), sites={"bay": base})
            await run_experiment(asking, folder, Settings(model=model, summaries=True, code="monty"))
            summarised = [one for one in endpoint.asked if one.schema_name == "page_summary"]
    (sample,) = folder.read_answers().samples
    assert (sample.answer, [one.quote for one in sample.citations]) == ("62", [words])
    assert summarised
    assert (folder.experiment.setup.summaries, folder.experiment.setup.code) == (True, "monty")


async def test_a_model_that_never_answers_in_turns_ends_at_the_last(tmp_path: Path) -> None:
    folder = ExperimentFolder(tmp_path)
    with serve(PAGES) as base:
        async with Endpoint([Reply(text='{"action": "search", "text": "height"}')]) as endpoint:
            settings = Settings(model=ModelSettings(name="test-model", base_url=endpoint.base_url))
            asking = ExperimentPlan(dataset=dataset(), variants=read_variants(["agentic"]), sites={"bay": base})
            await run_experiment(asking, folder, settings)
    (sample,) = folder.read_answers().samples
    assert (sample.answer, sample.stop_reason, sample.usage.model_calls) == ("", "dead end", 8)


async def test_a_fault_ends_one_question_of_a_run_and_the_next_run_asks_it_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def observe_or_fail(snapshot: Snapshot) -> Observation:
        if snapshot.final_url.endswith("/odd.html"):
            raise ZeroDivisionError("nobody foresaw this")
        return observe(snapshot)

    folder = ExperimentFolder(tmp_path / "lights")
    odd = msgspec.structs.replace(QUESTION, id="odd", root="odd.html")
    monkeypatch.setattr(live_reader, "observe", observe_or_fail)
    with serve({**PAGES, "/odd.html": PAGES["/skerry.html"]}) as base:
        asking = ExperimentPlan(dataset=dataset(odd, QUESTION), variants=EIGHT[-1:], sites={"bay": base})
        first = await run_experiment(asking, folder, SETTINGS)
        failed = [sample for sample in folder.read_answers().samples if sample.error]
        monkeypatch.undo()
        second = await run_experiment(asking, folder, SETTINGS)
    assert (first.asked, first.failed) == (2, 1)
    assert (second.known, second.asked, second.failed) == (1, 1, 0)
    (sample,) = failed
    assert sample.question_id == "odd"
    assert "ZeroDivisionError: nobody foresaw this" in sample.error
    (traceback,) = folder.runs.glob("*/traceback.txt")
    assert sample.error.endswith(f"Its traceback is in {traceback}")
