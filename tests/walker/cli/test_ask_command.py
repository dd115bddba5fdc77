"""`walker ask`: flags that cannot be, walks that are cut off, places that cannot be written."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
from click.testing import CliRunner

from tests.sites.held import HeldSite, serve_held
from tests.walker.cli.program import started, walker_here
from traces.reading.reader import read_run
from walker.cli.commands import main

ROOT = "http://127.0.0.1:9/"
QUESTION = "How high is the Skerry lighthouse?"
PAGES = {
    "/": "<html lang=en><title>Lights</title><h1>Lights</h1><p>All our lights.</p><a href=/skerry.html>Skerry lighthouse</a>",
    "/skerry.html": (
        "<html lang=en><title>Skerry lighthouse</title><h1>Skerry lighthouse</h1>"
        "<p>The Skerry lighthouse is 31 metres high. It stands on a rock in the bay.</p>"
        "<table><tr><th>Height</th><td>31 m</td></tr><tr><th>Keeper</th><td>nobody</td></tr></table>"
    ),
}


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ((), "give a ROOT address and a QUESTION"),
        ((ROOT,), "give a ROOT address and a QUESTION"),
        ((ROOT, "Who is \udcff?"), "bytes that are not UTF-8"),
        ((ROOT + "\udcff", QUESTION), "bytes that are not UTF-8"),
        ((ROOT, QUESTION, "--page-seconds", "0"), "--page-seconds and --max-seconds take a number of seconds above 0"),
        ((ROOT, QUESTION, "--page-seconds", "nan"), "--page-seconds and --max-seconds"),
        ((ROOT, QUESTION, "--page-seconds", "1e9"), "--page-seconds and --max-seconds"),
        ((ROOT, QUESTION, "--max-seconds", "-1"), "--page-seconds and --max-seconds"),
        ((ROOT, QUESTION, "--max-seconds", "inf"), "--page-seconds and --max-seconds"),
        ((ROOT, QUESTION, "--max-pages", "0"), "--max-pages, --max-depth and --jobs take a number from 1"),
        ((ROOT, QUESTION, "--tau", "nan"), "--tau and --tau2 take a number from 0 to 100"),
        ((ROOT, QUESTION, "--secret", "NO_SUCH_NAME"), "--secret NO_SUCH_NAME: there is no such environment variable"),
        ((ROOT, QUESTION, "--resume", "runs/x"), "--resume takes the question from the run"),
        ((ROOT, QUESTION, "--site", "a=http://b/"), "--site needs --batch FILE too"),
        ((ROOT, QUESTION, "--on", "ray"), "--on needs --batch FILE too"),
        (("--batch", "qa.jsonl", "--on", "ray://host"), "--on ray://host: write local, ray or ray://HOST:PORT"),
        ((ROOT, QUESTION, "--batch", "qa.jsonl"), "--batch takes its questions from the file"),
        (("--batch", "qa.jsonl", "--resume", "runs/x"), "--batch takes its questions from the file"),
        (("--batch", "qa.jsonl", "--site", "tides"), "--site tides: write it as NAME=http://host/"),
        (("--batch", "qa.jsonl", "--site", "a=tides.org"), "--site a=tides.org: the scheme is missing. Did you mean"),
        (("--batch", "qa.jsonl", "--site", "a=http://b/", "--site", "a=http://c/"), "a has an address already"),
        (("--batch", "none.jsonl"), "none.jsonl: the question file cannot be read (No such file or directory)"),
        (("--resume", "runs/none"), "runs/none: there is no run there (no run.json). Give the folder of a run"),
    ],
)
def test_what_cannot_be_is_wrong_usage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: tuple[str, ...], told: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["ask", *arguments])
    assert (result.exit_code, result.stdout) == (2, "")
    assert told in result.stderr.splitlines()[-1]
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def site() -> Iterator[HeldSite]:
    with serve_held(PAGES, "/skerry.html") as served:
        yield served


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_a_walk_that_is_cut_off_goes_on_to_its_answer(site: HeldSite, tmp_path: Path, number: signal.Signals) -> None:
    with started("ask", site.home, QUESTION, "-q", "--json", "--no-scout", folder=tmp_path) as process:
        assert site.holds.wait(120)
        family = psutil.Process(process.pid).children(recursive=True)
        assert any("chrom" in child.name() for child in family)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
    assert psutil.wait_procs(family, timeout=60)[1] == []
    if number == signal.SIGINT:
        (name,) = (path.name for path in (tmp_path / "runs").glob("2*"))
        line = f"interrupted; the walk so far is recorded. Resume it with: walker ask --resume runs/{name}"
        assert (process.returncode, err) == (130, f"walker: {line}\n")
        told = json.loads(out)
        assert (told["error"], told["stop_reason"], told["partial"]) == (line, "stopped", True)
        assert (told["answer"], told["answered"], told["pages"], told["trace"]) == ("", False, 1, f"runs/{name}")
    else:
        assert (process.returncode, out, err) == (-signal.SIGKILL, "", "")
    (run,) = (tmp_path / "runs").glob("2*")
    assert read_run(run).problems == ()

    site.let_go()
    resumed = walker_here("ask", "--resume", str(run), "-q", "--json", folder=tmp_path)
    assert (resumed.code, resumed.err) == (0, "")
    outcome = json.loads(resumed.out)
    assert (outcome["answer"], outcome["stop_reason"], outcome["pages"]) == ("31 metres", "answered", 2)
    assert outcome["citations"][0]["url"] == f"{site.home}skerry.html"
    assert outcome["trace"] == str(run)
    assert site.asked.count("/") <= 2  # opened again at most to stand where the walk stood


def test_a_runs_folder_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "runs").touch()
    ended = walker_here("ask", ROOT, QUESTION, folder=tmp_path)
    assert (ended.code, ended.out) == (1, "")
    assert "Not a directory. Free some space or choose another folder with --runs" in ended.line
