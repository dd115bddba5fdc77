"""A batch over two sites that is stopped while pages are on their way, and goes on."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from tests.sites.held import HeldSite, serve_held
from tests.sites.misbehaving import serve_misbehaving
from tests.walker.cli.program import started, walker_here


def page_about(name: str, metres: int) -> str:
    facts = f"<tr><th>Height</th><td>{metres} m</td></tr><tr><th>Keeper</th><td>nobody</td></tr>"
    text = f"<p>The {name} lighthouse is {metres} metres high. It stands on a rock in the bay.</p>"
    return f"<html lang=en><title>{name} lighthouse</title><h1>{name} lighthouse</h1>{text}<table>{facts}</table>"


QUESTIONS = [
    {"id": "n1", "site": "north", "root": "one.html", "question": "How high is the Skerry lighthouse?"},
    {"id": "n2", "site": "north", "root": "two.html", "question": "How high is the Holm lighthouse?"},
    {"id": "s1", "site": "south", "root": "one.html", "question": "How high is the Sands lighthouse?"},
    {"id": "s2", "site": "south", "root": "two.html", "question": "How high is the Point lighthouse?"},
]


@pytest.fixture
def north() -> Iterator[HeldSite]:
    with serve_held({"/one.html": page_about("Skerry", 31), "/two.html": page_about("Holm", 42)}, "/two.html") as site:
        yield site


@pytest.fixture
def south() -> Iterator[HeldSite]:
    with serve_held({"/one.html": page_about("Sands", 53), "/two.html": page_about("Point", 64)}, "/one.html") as site:
        yield site


@pytest.fixture
def batch(north: HeldSite, south: HeldSite, tmp_path: Path) -> tuple[str, ...]:
    (tmp_path / "qa.jsonl").write_text("".join(json.dumps(one) + "\n" for one in QUESTIONS), encoding="utf-8")
    sites = ("--site", f"north={north.home}", "--site", f"south={south.home}")
    return ("ask", "--batch", "qa.jsonl", *sites, "--jobs", "2", "--max-pages", "3")


def answers(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "predictions.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_nothing_that_was_answered_is_asked_again(
    batch: tuple[str, ...], north: HeldSite, south: HeldSite, tmp_path: Path, number: signal.Signals
) -> None:
    with started(*batch, folder=tmp_path) as process:
        # The first question is answered by then, and both jobs are in the middle of a page.
        assert north.holds.wait(120)
        assert south.holds.wait(120)
        family = psutil.Process(process.pid).children(recursive=True)
        assert any("chrom" in child.name() for child in family)
        locked = walker_here(*batch, folder=tmp_path)
        os.killpg(process.pid, number) if number == signal.SIGKILL else process.send_signal(number)
        _, said = process.communicate(timeout=60)
        assert process.returncode == (130 if number == signal.SIGINT else -number)
    assert psutil.wait_procs(family, timeout=60)[1] == []
    assert (locked.code, locked.out) == (2, "")
    assert "another process writes to it" in locked.line
    if number == signal.SIGINT:
        assert said.splitlines()[-1] == (
            "walker: interrupted; the answers so far are in predictions.jsonl. Run the same command again to go on"
        )
    assert "Traceback" not in said
    before = answers(tmp_path)
    assert [(one["id"], one["answer"].split()[0]) for one in before] == [("n1", "31")]

    with (tmp_path / "predictions.jsonl").open("a", encoding="utf-8") as file:
        file.write('{"id":"n2","question":"How hi')  # a line that a crash cut off

    north.let_go()
    south.let_go()
    ended = walker_here(*batch, "--json", "-q", folder=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    report = json.loads(ended.out)
    assert (report["questions"], report["skipped"], report["failed"]) == (4, 1, 0)
    told = answers(tmp_path)
    assert told[0] == before[0]
    found = sorted((one["id"], one["answer"].split()[0], one["stop_reason"]) for one in told)
    assert found == [
        (name, metres, "answered")
        for name, metres in zip(("n1", "n2", "s1", "s2"), ("31", "42", "53", "64"), strict=True)
    ]
    assert north.asked.count("/one.html") == 1
    assert north.asked.count("/two.html") == south.asked.count("/one.html") == 2
    assert south.asked.count("/two.html") == 1


def test_roots_that_cannot_be_had_fail_one_by_one_and_say_why(tmp_path: Path) -> None:
    told = {
        "ring": "it redirects without end (ERR_TOO_MANY_REDIRECTS). Give the address that the redirects should lead to",
        "reset": "the server closed without a response",
        "nothing": "the server sent nothing to show",
        "inwards": "a private, loopback or link-local address, which this walk may not open",
        "broken": "the server answered with status 500",
        "file": "it is a file to download, which was refused. Give a web page, a PDF or an office file as the root",
    }
    with serve_misbehaving() as home:
        lines = [json.dumps({"id": name, "question": "Who is there?", "root": home + name}) for name in told]
        (tmp_path / "qa.jsonl").write_text("\n".join(lines), encoding="utf-8")
        ended = walker_here("ask", "--batch", "qa.jsonl", folder=tmp_path)
        errors = {one["id"]: one["error"] for one in answers(tmp_path)}
        assert set(errors) == set(told)
        for name, text in told.items():
            assert errors[name].startswith(f"{home}{name}: ")
            assert text in errors[name]
            assert errors[name] in ended.err  # whole, however narrow the terminal
    assert (ended.code, ended.out) == (1, "")
    assert ended.err.splitlines()[-1] == (
        "walker: 6 of 6 questions failed; predictions.jsonl says why. Run the same command again to ask them again"
    )
    assert len(list((tmp_path / "runs").glob("2*"))) == 6
