"""A question that is stopped tells what was found so far, with its pages, and goes on to the answer it would have had."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.held import HeldSite, serve_held
from tests.walker.cli.program import started, walker_here
from traces.reading.reader import read_run

QUESTION = "How many research boats does the station have?"
SO_FAR = "at least 3 (RV Mantis; RV Squid; RV Orca)"
SCHEMA = {
    "type": "object",
    "properties": {"height": {"type": "string"}, "keeper": {"type": "string"}},
    "required": ["height", "keeper"],
}


def boats(names: tuple[str, ...], more: str = "") -> str:
    rows = "".join(f"<li><a href=/{name}.html>RV {name}</a>, built in 1981</li>" for name in names)
    told = "<p>" + "All boats of the station are listed here, page by page. " * 5 + "</p>"
    return f"<html lang=en><title>Boats</title><h1>Research boats of the station</h1>{told}<ul>{rows}</ul>{more}"


PAGES = {
    "/": boats(("Mantis", "Squid", "Orca"), "<nav><a rel=next href='/?page=2'>Next page</a></nav>"),
    "/?page=2": boats(("Heron", "Otter")),
    "/light.html": (
        "<html lang=en><title>Skerry</title><h1>Skerry lighthouse</h1><table><tr><th>Height</th><td>31 m</td></tr></table>"
        "<p>The lighthouse stands on a rock in the bay.</p><a href=/keeper.html>People of the rock</a>"
    ),
    "/keeper.html": "<html lang=en><title>Keeper</title><table><tr><th>Keeper</th><td>Ada Brook</td></tr></table>",
}


@pytest.fixture
def site() -> Iterator[HeldSite]:
    with serve_held(PAGES, "/?page=2", "/keeper.html") as served:
        yield served


def stopped(site: HeldSite, *arguments: str, folder: Path) -> tuple[str, str]:
    """What a command says that gets Ctrl-C once the page behind the first is asked for."""
    with started(*arguments, folder=folder) as process:
        assert site.holds.wait(300)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    return out, err


def test_what_was_found_is_told_with_its_page_and_the_walk_goes_on(site: HeldSite, tmp_path: Path) -> None:
    out, err = stopped(site, "ask", site.home, QUESTION, "--no-scout", folder=tmp_path)
    first, ended, source, quote, trace = (line.strip() for line in out.splitlines())
    assert first == f"Stopped. So far: {SO_FAR}"
    assert ended.startswith("(stopped after 1 page, confidence 0.")
    assert (source, quote) == (f"[1] {site.home}", "“RV Mantis, built in 1981”")
    run = trace.removeprefix("trace: ")
    assert err.splitlines()[-1] == (
        f"walker: interrupted; the walk so far is recorded. Resume it with: walker ask --resume {run}"
    )
    kinds = [type(event).__name__ for event in read_run(tmp_path / run).events]
    assert kinds[-2:] == ["WalkStopped", "WalkFailed"]

    site.let_go()
    resumed = walker_here("ask", "--resume", run, "-q", "--json", folder=tmp_path)
    told = json.loads(resumed.out)
    assert resumed.code == 0
    assert told["answer"] == "5 (RV Mantis; RV Squid; RV Orca; RV Heron; RV Otter)"
    assert (told["answered"], told["partial"]) == (True, False)
    replayed = walker_here("replay", run, folder=tmp_path)
    assert replayed.code == 0, replayed.err


def test_without_a_record_it_is_told_too(site: HeldSite, tmp_path: Path) -> None:
    out, err = stopped(site, "ask", site.home, QUESTION, "--no-scout", "--no-record", "--json", "-q", folder=tmp_path)
    told = json.loads(out)
    assert (told["nearest"], told["answer"], told["answered"]) == (SO_FAR, "", False)
    assert (told["partial"], told["stop_reason"], told["trace"]) == (True, "stopped", "")
    assert [one["url"] for one in told["citations"]] == [site.home]
    assert err == "walker: interrupted; nothing was recorded\n"


def test_it_is_an_answer_where_it_is_sure_enough(site: HeldSite, tmp_path: Path) -> None:
    out, _ = stopped(site, "ask", site.home, QUESTION, "--no-scout", "--sure", "0.1", "-q", folder=tmp_path)
    assert out.splitlines()[0] == SO_FAR
    assert out.splitlines()[1].startswith("(found before the walk was over: stopped after 1 page, confidence 0.")


def test_a_stopped_batch_keeps_what_was_found_and_asks_again(site: HeldSite, tmp_path: Path) -> None:
    line = {"id": "boats", "question": QUESTION, "root": site.home}
    (tmp_path / "qa.jsonl").write_text(json.dumps(line), encoding="utf-8")
    asked = ("ask", "--batch", "qa.jsonl", "--no-scout")
    stopped(site, *asked, folder=tmp_path)
    out = tmp_path / "predictions.jsonl"
    (told,) = map(json.loads, out.read_text(encoding="utf-8").splitlines())
    assert (told["id"], told["stop_reason"], told["partial"], told["answered"]) == ("boats", "stopped", True, False)
    assert (told["answer"], told["nearest"]) == ("", SO_FAR)
    assert told["error"] == "stopped before it was over; the next run asks again"
    site.let_go()
    again = walker_here(*asked, "--json", "-q", folder=tmp_path)
    assert json.loads(again.out)["skipped"] == 0
    assert [json.loads(one)["partial"] for one in out.read_text(encoding="utf-8").splitlines()] == [True, False]


def test_a_stopped_extraction_tells_the_fields_that_it_has(site: HeldSite, tmp_path: Path) -> None:
    (tmp_path / "light.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    asked = ("extract", f"{site.home}light.html", "--schema", "light.json", "--follow", "-q")
    out, _ = stopped(site, *asked, folder=tmp_path)
    assert out.splitlines()[0] == 'Stopped. So far: {"height": "31 m"}'


def test_a_budget_that_is_spent_tells_it_as_partial(site: HeldSite, tmp_path: Path) -> None:
    site.let_go()
    asked = ("ask", site.home, QUESTION, "--no-scout", "--max-pages", "1", "-q", "--no-record")
    ended = walker_here(*asked, folder=tmp_path)
    assert (ended.code, ended.out.splitlines()[0]) == (3, f"Stopped. So far: {SO_FAR}")
    assert ended.out.splitlines()[1].startswith("(budget after 1 page, confidence 0.")
    told = json.loads(walker_here(*asked, "--json", folder=tmp_path).out)
    assert (told["partial"], told["stop_reason"], told["nearest"]) == (True, "budget", SO_FAR)
