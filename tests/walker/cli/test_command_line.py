"""The command line as a person meets it: exit codes, one line for what is wrong, and nothing on stdout but the answer."""

from __future__ import annotations

import json
import shutil
import ssl
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from tests.walker.cli.program import closed_address, started, walker, walker_here
from traces.reading.reader import read_run
from walker.demo.server import serve_institute

DEPTH = "What is the greatest depth of water in the tidal flume?"
ODD = "Which instrument plays the anthem of the lighthouse keepers?"


def answer(asked: Asked) -> Answer:
    if asked.target == "/hung":
        time.sleep(8)
    if asked.target == "/paper.pdf":
        return Answer("%PDF-1.4", kind="application/pdf")
    page = "<title>Odd</title><p>An odd page about nothing.</p>"
    return Answer(page, 404 if asked.target == "/gone" else 200, "text/html")


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root


@pytest.fixture(scope="module")
def odd() -> Iterator[str]:
    with serving(LoopbackSite(answer)) as site:
        yield site.home


def only_run(folder: Path) -> Path:
    (run,) = (folder / "runs").glob("2*")
    return run


def test_an_answer_is_one_json_object_on_stdout_and_its_run_replays(institute: str, tmp_path: Path) -> None:
    ended = walker("ask", institute, DEPTH, "--json", folder=tmp_path)
    assert ended.code == 0, ended.err
    outcome = json.loads(ended.out)
    assert (outcome["answer"], outcome["stop_reason"]) == ("1.8 m", "answered")
    assert set(outcome) >= {
        "question",
        "answer",
        "items",
        "confidence",
        "citations",
        "stop_reason",
        "pages",
        "steps",
        "count",
    }
    assert set(outcome["usage"]) >= {
        "prompt_tokens",
        "completion_tokens",
        "total_tokens",
        "model_calls",
        "vision_calls",
    }
    assert ended.err.strip()  # progress goes to stderr
    for flags in ((), ("--deep",)):
        replayed = (walker_here if flags else walker)("replay", outcome["trace"], *flags, "-q", folder=tmp_path)
        assert (replayed.code, replayed.err) == (0, "")
        assert replayed.out.startswith("equal: ")
    graph = walker_here("replay", outcome["trace"], "--graph", "g.graphml", folder=tmp_path)
    assert graph.code == 0
    assert "tidal-flume.html" in (tmp_path / "g.graphml").read_text(encoding="utf-8")


def test_without_an_answer_the_exit_code_is_3(institute: str, tmp_path: Path) -> None:
    ended = walker_here("ask", institute, ODD, "--max-pages", "2", "-q", "--no-record", folder=tmp_path)
    assert ended.code == 3
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("root", "question", "told"),
    [
        ("not a url", DEPTH, "not a url"),
        ("", DEPTH, "give"),
        ("ftp://example.org/", DEPTH, "http"),
        ("file:///etc/passwd", DEPTH, "http"),
        ("javascript:alert(1)", DEPTH, "http"),
        ("http://127.0.0.1:9/", "   ", "the question is empty"),
    ],
)
def test_what_cannot_be_asked_is_refused_at_once(tmp_path: Path, root: str, question: str, told: str) -> None:
    ended = walker_here("ask", root, question, "-q", folder=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err.lower()
    assert "Traceback" not in ended.err
    assert not (tmp_path / "runs").exists()


@pytest.mark.parametrize(
    ("root", "told"),
    [
        ("http://no-such-host.invalid/", "does not resolve"),
        ("http://127.0.0.1:9/", "refuse this port"),
        ("{closed}", "refused"),
        ("{odd}gone", "404"),
        (
            "{odd}paper.pdf",
            "a PDF that cannot be read",
        ),
        ("{odd}hung", "time"),
    ],
)
def test_a_root_that_cannot_be_had_is_one_line_and_leaves_a_trace(
    odd: str, tmp_path: Path, root: str, told: str
) -> None:
    ended = walker_here(
        "ask", root.format(odd=odd, closed=closed_address()), DEPTH, "-q", "--page-seconds", "3", folder=tmp_path
    )
    assert (ended.code, ended.out) == (1, "")
    assert ended.line.startswith("walker: http")
    assert any(one in ended.line for one in told.split(" | "))
    assert ended.line.count(". ") >= 1  # what to do now
    run = read_run(only_run(tmp_path))
    assert run.problems == ()
    assert type(run.events[-1]).__name__ == "WalkFailed"


@pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl to make a certificate with")
def test_a_certificate_that_nobody_signed_is_told(tmp_path: Path) -> None:
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", "key.pem", "-out", "cert.pem", "-days", "2",
         "-subj", "/CN=127.0.0.1"],
        cwd=tmp_path, check=True, capture_output=True,
    )  # fmt: skip
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "cert.pem", tmp_path / "key.pem")
    site = LoopbackSite(answer)
    site.socket = context.wrap_socket(site.socket, server_side=True)
    with serving(site):
        ended = walker_here("ask", site.home.replace("http:", "https:"), DEPTH, "-q", folder=tmp_path)
    assert (ended.code, ended.out) == (1, "")
    assert "certificate" in ended.line


def test_without_a_browser_it_says_how_to_get_one(institute: str, tmp_path: Path) -> None:
    ended = walker_here("ask", institute, DEPTH, "-q", folder=tmp_path, WALKER_CHROMIUM=str(tmp_path / "none"))
    assert (ended.code, ended.out) == (1, "")
    assert "WALKER_CHROMIUM" in ended.line
    as_json = walker_here("ask", institute, DEPTH, "--json", folder=tmp_path, WALKER_CHROMIUM=str(tmp_path / "none"))
    assert json.loads(as_json.out)["stop_reason"] == "failed"


def test_sigterm_leaves_a_whole_trace_that_can_be_resumed(institute: str, tmp_path: Path) -> None:
    with started("ask", institute, ODD, folder=tmp_path) as process:
        assert process.stderr is not None
        seen = ""
        for line in process.stderr:
            seen += line
            if line.strip().startswith("2 "):
                process.terminate()
                break
        rest = process.stderr.read()
        assert process.wait(60) == 130
    assert "interrupted; the walk so far is recorded. Resume it with: walker ask --resume runs/" in rest
    assert "Traceback" not in seen + rest
    run = only_run(tmp_path)
    assert read_run(run).problems == ()
    resumed = walker_here("ask", "--resume", str(run), "-q", "--json", folder=tmp_path)
    assert resumed.code in (0, 3), resumed.err
    assert walker_here("replay", str(run), "-q", folder=tmp_path).code == 0


@pytest.mark.parametrize("flags", [(), ("--deep",), ("--live-after", "1"), ("--graph", "g.graphml")])
def test_a_folder_that_holds_no_run_is_told(tmp_path: Path, flags: tuple[str, ...]) -> None:
    ended = walker_here("replay", str(tmp_path), *flags, "-q", folder=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert "Traceback" not in ended.err
    assert ended.line.startswith("walker: ")


def test_a_record_that_was_changed_stops_the_replay(institute: str, tmp_path: Path) -> None:
    outcome = json.loads(walker_here("ask", institute, DEPTH, "--json", folder=tmp_path).out)
    log = tmp_path / outcome["trace"] / "events.jsonl"
    log.write_bytes(log.read_bytes().replace(b'"score":', b'"score":1', 1))
    ended = walker_here("replay", outcome["trace"], "-q", folder=tmp_path)
    assert ended.code != 0
    assert "Traceback" not in ended.err


def test_help_teaches() -> None:
    for command in ("ask", "replay", "doctor", "demo"):
        ended = walker_here(command, "--help", folder=Path.cwd())
        assert ended.code == 0
        assert "Usage:" in ended.out
    assert walker_here("--version", folder=Path.cwd()).out.split()[-1][0].isdigit()
