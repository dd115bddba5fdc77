"""Ctrl-C and SIGTERM at any moment of a start: one line, and exit code 130."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.walker.cli.program import started, started_cold
from walker.demo.server import serve_institute

SECONDS = 60


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root


def wait_for_its_first_line(process: subprocess.Popen[str]) -> None:
    """Until it answers SIGTERM itself. Before that Python starts, which no program can do anything about."""
    status = Path(f"/proc/{process.pid}/status")
    until = time.monotonic() + SECONDS
    while time.monotonic() < until:
        caught = next(line for line in status.read_text().splitlines() if line.startswith("SigCgt:"))
        if int(caught.split()[1], 16) >> (signal.SIGTERM - 1) & 1:
            return
        time.sleep(0.002)
    raise AssertionError("it never asked for its signals")


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="no /proc to see by when it is ready")
@pytest.mark.parametrize(
    ("command", "number", "delays"),
    [
        ("ask", signal.SIGINT, (0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)),
        ("crawl", signal.SIGINT, (0, 0.1, 0.4, 0.8)),
        ("ask", signal.SIGTERM, (0, 0.4)),
    ],
)
def test_a_start_that_is_interrupted_ends_in_one_line(
    institute: str, command: str, number: signal.Signals, delays: tuple[float, ...], tmp_path: Path
) -> None:
    arguments = (institute, "How deep is the flume?") if command == "ask" else (institute,)
    for delay in delays:
        with started_cold(command, *arguments, folder=tmp_path) as process:
            wait_for_its_first_line(process)
            time.sleep(delay)
            os.killpg(process.pid, number)  # as a terminal does: the driver and the browser hear it too
            out, err = process.communicate(timeout=SECONDS)
        assert process.returncode == 130, (delay, err)
        assert out == "" or (command == "ask" and out.startswith("Stopped. So far: ")), delay
        assert "Traceback" not in err, delay
        assert "Warning" not in err, delay
        assert err.strip().splitlines()[-1].startswith("walker: interrupted"), delay


def test_signals_are_answered_before_anything_is_loaded() -> None:
    program = "import sys; before = set(sys.modules); from walker.cli import main; print(*(set(sys.modules) - before))"
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in ended.stdout.split()}
    assert loaded & {"click", "msgspec", "asyncio", "rich", "platformdirs", "traces"} == set()


NEVER_ENDS = """
import pathlib
from walker.crawl.script.spec import CrawlSpec
crawl = CrawlSpec(start="{root}", driver="http")
def items(page):
    pathlib.Path("busy").touch()
    while True:
        pass
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_function_of_a_script_that_never_returns_can_be_interrupted(
    institute: str, number: signal.Signals, tmp_path: Path
) -> None:
    (tmp_path / "endless.py").write_text(NEVER_ENDS.format(root=institute))
    with started("crawl", "endless.py", "-q", folder=tmp_path) as process:
        until = time.monotonic() + SECONDS
        while not (tmp_path / "busy").exists() and time.monotonic() < until:
            time.sleep(0.02)
        os.kill(process.pid, number)
        try:
            out, err = process.communicate(timeout=SECONDS)
        finally:
            process.kill()
    assert (process.returncode, out, "Traceback" in err) == (130, "", False), err
    assert err.strip().splitlines()[-1].startswith("walker: interrupted; run the same command again"), err
