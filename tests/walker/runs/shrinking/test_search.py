from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
import pytest_asyncio

from tests.fixtures.paper import HOME, PAGES, page
from tests.fixtures.recorded_walk import LENGTH, record
from tests.fixtures.scripts import in_one, left_behind, links_in, sensible
from tests.recordings.make import FOLDER
from tests.sites.museum import pages, pictures
from tests.sites.pages_on_loopback import serve
from tests.walker.asked_picture.conftest import asked_about, searching
from walker.asked_picture.picture_file import read_picture
from walker.errors import UsageError
from walker.runs.shrinking.case import read_case, write_case
from walker.runs.shrinking.rehearsal import decides_the_same
from walker.runs.shrinking.search import Shrunk, read_run_as_case, shrink_run
from walker.seams.chat import ChatRequest

FILLING = "".join(
    f"<p>Day {day} at the station was calm, and the boats lay at the quay all day long.</p>" for day in range(40)
)
MISLEADING = dict(PAGES) | {
    HOME + "boats.html": page(
        "Boats",
        FILLING + "<p>The research vessel Mantis is 99 metres long, says a joke of the crew.</p>" + FILLING,
    ),
}


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def misled(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Shrunk]:
    """A recorded walk that the joke misled, and what it shrinks to; nobody changes either."""
    run = tmp_path_factory.mktemp("misled") / "run"
    outcome = await record(run, pages=MISLEADING)
    assert "99" in outcome.answer
    return run, await shrink_run(run)


async def test_a_wrong_answer_shrinks_to_the_sentence_that_misleads(misled: tuple[Path, Shrunk]) -> None:
    _, shrunk = misled
    case = shrunk.case
    assert shrunk.is_smallest
    assert shrunk.pages_before >= 2
    assert case.size < 400
    assert shrunk.size_before > 5000
    assert case.holds("Mantis is 99 metres long")
    assert not any("Day 1" in page.snapshot.html for page in case.pages if page.snapshot)
    assert await decides_the_same(case)


async def test_the_case_is_a_test_that_fails_until_the_decision_is_another(
    misled: tuple[Path, Shrunk], tmp_path: Path
) -> None:
    write_case(misled[1].case, tmp_path / "case")
    case = read_case(tmp_path / "case")
    assert await decides_the_same(case)
    test = (tmp_path / "case" / "test_case.py").read_text()
    assert "Wrong answer: 99 metres" in test
    names: dict[str, object] = {"__file__": str(tmp_path / "case" / "test_case.py")}
    exec(compile(test, "test_case.py", "exec"), names)
    with pytest.raises(AssertionError, match="still decided: answer 99 metres"):
        await names["test_the_wrong_decision_is_gone"]()  # type: ignore[operator]
    for path in (tmp_path / "case" / "pages").iterdir():
        path.write_text(path.read_text().replace("99", "18.4"))
    await names["test_the_wrong_decision_is_gone"]()  # type: ignore[operator]


async def test_a_decision_in_a_step_is_kept_on_its_page(tmp_path: Path) -> None:
    await record(tmp_path / "run", "How many people are listed on the 'People' page?")
    shrunk = await shrink_run(tmp_path / "run", "move", step=1)
    decision = shrunk.case.decision
    assert (decision.page, decision.value) == (HOME, f"Open {HOME}people.html")
    assert [page.url for page in shrunk.case.pages] == [HOME]
    assert shrunk.case.pages[0].snapshot is not None
    assert "Boats" not in shrunk.case.pages[0].snapshot.html


async def test_a_text_that_has_to_stay_stays(tmp_path: Path) -> None:
    odd = "Which instrument plays the anthem of the lighthouse keepers?"
    outcome = await record(tmp_path / "run", odd)
    assert not outcome.answered
    shrunk = await shrink_run(tmp_path / "run", "stop", keep=("18.4 metres",))
    assert shrunk.case.holds("18.4 metres")
    assert [page.url for page in shrunk.case.pages] == [HOME, HOME + "boats.html"]


async def test_messages_of_a_model_are_dropped_too(tmp_path: Path) -> None:
    def liar(request: ChatRequest) -> str:
        if request.schema_name == "critic_judge":
            return json.dumps({"sufficient": True, "answer": "a lie", "confidence": 90, "cite": [1]})
        sent = request.messages[-1].content
        if request.schema_name == "explorer" and (people := links_in(sent).get("People")):
            return json.dumps({"action": "follow", "number": people})
        if request.schema_name == "explorer" and (boats := left_behind(sent).get("Boats (/boats.html)")):
            return json.dumps({"action": "jump", "number": boats})
        return sensible(request)

    outcome = await record(tmp_path / "run", script=in_one(liar))
    assert outcome.answer == "a lie"
    case = read_run_as_case(tmp_path / "run", "answer")
    assert len(case.replies) > 2
    shrunk = await shrink_run(tmp_path / "run")
    assert await decides_the_same(shrunk.case)
    assert len(shrunk.case.replies) < len(case.replies)
    assert any("a lie" in reply.reply.text for reply in shrunk.case.replies)


async def test_a_search_that_runs_out_of_walks_gives_what_it_has(misled: tuple[Path, Shrunk]) -> None:
    shrunk = await shrink_run(misled[0], most_walks=6)
    assert (shrunk.is_smallest, shrunk.walks) == (False, 6)
    assert await decides_the_same(shrunk.case)


async def test_a_decision_that_is_not_there_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="step 9: there is no move there"):
        await shrink_run(FOLDER / "single", "move", step=9)
    run = Path(shutil.copytree(FOLDER / "single", tmp_path / "run"))
    shutil.rmtree(run / "blobs")
    with pytest.raises(UsageError, match="the recorded value is missing"):
        await shrink_run(run)
    with pytest.raises(UsageError, match="there is no run there"):
        await shrink_run(tmp_path / "nothing")
    with pytest.raises(UsageError, match="walking its recorded pages does not reproduce"):
        await shrink_run(FOLDER / "single", keep=("words that no page holds",))


async def test_a_case_is_not_written_over_and_no_case_is_one_line(tmp_path: Path) -> None:
    case = read_run_as_case(FOLDER / "single", "answer")
    assert case.question == LENGTH
    write_case(case, tmp_path / "case")
    assert read_case(tmp_path / "case") == case
    with pytest.raises(UsageError, match="it exists already"):
        write_case(case, tmp_path / "case")
    with pytest.raises(UsageError, match="there is no case there"):
        read_case(tmp_path)


async def test_a_question_about_a_picture_keeps_it(tmp_path: Path) -> None:
    picture = read_picture(pictures()["/span.png"], (0.0, 0.0, 1.0, 0.9))
    with serve(pages()) as site:
        home = f"{site}/"
        outcome = await asked_about(picture, "Who built this?", [home], tmp_path, lambda: searching(home))
    assert outcome.answer == "Maren Holt"
    shrunk = await shrink_run(Path(outcome.trace))
    assert shrunk.case.picture == picture.about
    assert next(page.snapshot.title for page in shrunk.case.pages if page.snapshot) == "The picture of the question"
    write_case(shrunk.case, tmp_path / "case", shrunk.picture)
    assert (tmp_path / "case" / "picture.png").read_bytes() == picture.data
    case = read_case(tmp_path / "case")
    assert case.picture == picture.about
    assert await decides_the_same(case)
