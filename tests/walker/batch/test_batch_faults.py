"""A fault of Walker in the middle of a batch: it ends one question."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import walker_here
from traces.events import WalkFailed
from traces.reading.reader import read_run
from walker.browser.page import live_reader

FACTS = "<table><tr><th>Height</th><td>31 m</td></tr><tr><th>Keeper</th><td>nobody</td></tr></table>"
PAGE = f"<html lang=en><title>Skerry lighthouse</title><p>The Skerry lighthouse is 31 metres high.</p>{FACTS}"
KEY = "sk-planted-7f3a9c"


def observe_or_fail(snapshot: Snapshot) -> Observation:
    if snapshot.final_url.endswith("/odd.html"):
        raise ZeroDivisionError(f"a page of {KEY}\nin two lines")
    return observe(snapshot)


@pytest.fixture
def odd_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reading this page is a fault that nobody has foreseen."""
    monkeypatch.setattr(live_reader, "observe", observe_or_fail)


def write_questions(folder: Path, base: str) -> None:
    lines = [
        {"id": page, "root": f"{base}/{page}.html", "question": "How high is the Skerry lighthouse?"}
        for page in ("odd", "one")
    ]
    (folder / "qa.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")


@pytest.mark.usefixtures("odd_page")
def test_a_fault_ends_one_question_and_its_traceback_lies_in_the_run(tmp_path: Path) -> None:
    with serve({"/odd.html": PAGE, "/one.html": PAGE}) as base:
        write_questions(tmp_path, base)
        asked = ("ask", "--batch", "qa.jsonl", "--jobs", "1", "--max-pages", "2", "--secret", "KEY")
        ended = walker_here(*asked, folder=tmp_path, KEY=KEY)
        run = next(path for path in (tmp_path / "runs").glob("2*") if (path / "traceback.txt").exists())
        again = walker_here(*asked, "--json", folder=tmp_path, KEY=KEY)
    assert ended.code == again.code == 1
    assert "Traceback" not in ended.err
    (line,) = [line for line in ended.err.splitlines() if " odd " in line]
    assert "ZeroDivisionError: a page of <secret:value:" in line
    assert line.endswith(f"Its traceback is in runs/{run.name}/traceback.txt")
    told = (run / "traceback.txt").read_text(encoding="utf-8")
    assert told.startswith("Traceback (most recent call last):")
    assert "observe_or_fail" in told
    assert KEY not in told
    failed = read_run(run).events[-1]
    assert isinstance(failed, WalkFailed)
    assert failed.error == "ZeroDivisionError"
    written = [json.loads(one) for one in (tmp_path / "predictions.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(one["id"], one["stop_reason"]) for one in written] == [
        ("odd", "failed"),
        ("one", "answered"),
        ("odd", "failed"),
    ]
    assert json.loads(again.out)["skipped"] == 1  # what failed is asked again, what was answered is not


@pytest.mark.usefixtures("odd_page")
def test_a_fault_of_a_single_walk_is_one_line_too(tmp_path: Path) -> None:
    with serve({"/odd.html": PAGE}) as base:
        asked = ("ask", f"{base}/odd.html", "How high is the Skerry lighthouse?", "-q")
        recorded = walker_here(*asked, folder=tmp_path)
        unrecorded = walker_here(*asked, "--no-record", folder=tmp_path)
        (run,) = (tmp_path / "runs").glob("2*")
        resumed = walker_here("ask", "--resume", str(run), "-q", folder=tmp_path)
    assert recorded.code == unrecorded.code == resumed.code == 1
    assert recorded.line.endswith(f"Its traceback is in runs/{run.name}/traceback.txt")
    assert "ask again without --no-record" in unrecorded.line
    assert "ZeroDivisionError" in resumed.line
