"""Search in what was read and said in a walk."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.fixtures.recorded_walk import record
from tests.fixtures.scripts import sensible
from tests.traces.viewer.walks import made_run
from traces.viewer import texts
from traces.viewer.library import Library
from traces.viewer.opened_run import OpenedRun
from traces.viewer.texts import Passage, TextIndex


@pytest.fixture
async def run(tmp_path: Path) -> Path:
    await record(tmp_path / "run", script=sensible)
    return tmp_path / "run"


async def test_pages_messages_replies_findings_and_verdicts_are_found(run: Path) -> None:
    index = OpenedRun(run).texts
    found = index.search("18.4   METRES")
    assert found.is_done
    assert not found.is_cut
    assert {hit.kind for hit in found.hits} == {"page", "message", "reply", "finding", "verdict"}
    assert {hit.words for hit in found.hits} == {"18.4 metres"}
    page = next(hit for hit in found.hits if hit.kind == "page")
    assert page.step == 2
    assert "Mantis" in page.before
    assert index.search("metres Mantis long").found > 0, "words in any order, within one text"
    assert index.search("metres unicorn").found == 0
    assert index.search("  ").found == 0
    calls = [event["d"]["request"] for event in OpenedRun(run).step(2)["events"] if event["d"].get("seam") == "chat"]
    system = calls[0]["messages"][0]
    assert system["role"] == "system"
    assert index.search(system["content"][:60]).found == 0, "what every call says alike is not searched"


async def test_a_walk_that_goes_on_is_read_on(tmp_path: Path) -> None:
    run = OpenedRun(made_run(tmp_path / "run", 3))
    assert run.texts.search("berths").found == 6
    log = tmp_path / "run" / "events.jsonl"
    longer = made_run(tmp_path / "longer", 5)
    for blob in (longer / "blobs").glob("*/*"):
        (tmp_path / "run" / "blobs" / blob.parent.name).mkdir(exist_ok=True)
        (tmp_path / "run" / "blobs" / blob.parent.name / blob.name).write_bytes(blob.read_bytes())
    log.write_bytes((longer / "events.jsonl").read_bytes())
    assert run.texts.search("berths").found == 10


def test_a_question_answers_in_time_and_the_next_one_reads_on(tmp_path: Path) -> None:
    index = OpenedRun(made_run(tmp_path / "run", 80)).texts
    first = index.search("harbour number", patience=0.0)
    assert not first.is_done
    assert 0 < first.read_steps < 80
    while not (last := index.search("harbour number", patience=0.0)).is_done:
        assert last.found >= first.found
    assert (last.found, last.read_steps, last.is_cut) == (160, 80, False)


def test_only_so_many_hits_are_sent_and_only_so_much_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def told(place: int, count: int) -> tuple[list[Passage], int]:
        numbers = range(place, min(place + count, 1000))
        return [Passage(number, "page", number, f"{number} rain") for number in numbers], 1000

    found = TextIndex(told).search("rain")
    assert (found.found, len(found.hits)) == (1000, texts.MOST_HITS)
    monkeypatch.setattr(texts, "MOST_TEXT", 3_000)
    cut = TextIndex(told).search("rain")
    assert (cut.is_done, cut.is_cut) == (True, True)
    assert cut.read_steps < 999
    assert sum(len(passage.text) for passage in TextIndex(told).passages(500)) <= 500


def test_what_is_gone_or_altered_is_passed_over(tmp_path: Path) -> None:
    run = made_run(tmp_path / "run", 3)
    for blob in (run / "blobs").glob("*/*"):
        blob.write_bytes(b"gone bad")
    found = OpenedRun(run).texts.search("berths")
    assert {hit.kind for hit in found.hits} == {"finding"}


@pytest.mark.parametrize("words", ["a/b", "..", "100%", "a/../../runs", "%2e%2e", "?q#h", "数"])
def test_any_words_may_be_asked_for(tmp_path: Path, words: str) -> None:
    made_run(tmp_path / "run", 1)
    answer = json.loads(Library(tmp_path / "run").answer(f"run/search/={quote(words, safe='')}")[0])
    assert answer == {"hits": [], "found": 0, "read_steps": 1, "is_done": True, "is_cut": False}
