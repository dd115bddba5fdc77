"""Playwright's driver may not start: a small Debian has not all that Node.js wants."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import asyncio
from walker.browser.launch.playwright_driver import start_driver
from walker.errors import BrowserUnavailable

async def main():
    try:
        await (await start_driver()).stop()
        print("it runs")
    except BrowserUnavailable as error:
        print(error)

asyncio.run(main())
"""


def start(node: str = "", **variables: str) -> str:
    environment = os.environ | variables | ({"PLAYWRIGHT_NODEJS_PATH": node} if node else {})
    done = subprocess.run([sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def test_the_driver_starts_here() -> None:
    assert start() == "it runs"


def test_what_node_compiled_is_kept_where_the_command_line_says(tmp_path: Path) -> None:
    code = (
        "import os; from click.testing import CliRunner; from walker.cli.commands import main;"
        "CliRunner().invoke(main, ['runs', '--help']); print(os.environ['NODE_COMPILE_CACHE'])"
    )

    def said(**variables: str) -> str:
        kept = {name: value for name, value in os.environ.items() if name != "NODE_COMPILE_CACHE"}
        done = subprocess.run(
            [sys.executable, "-c", code], env=kept | variables, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    assert said(NODE_COMPILE_CACHE="elsewhere") == "elsewhere"
    folder = Path(said(XDG_CACHE_HOME=str(tmp_path)))
    assert folder.parts[-2:] == ("walker", "node")
    assert start(NODE_COMPILE_CACHE=str(tmp_path / "kept")) == "it runs"
    assert list((tmp_path / "kept").rglob("*"))
    assert start(NODE_COMPILE_CACHE="/dev/null") == "it runs", "it runs without, too"


def test_a_driver_that_ends_at_once_is_one_line_with_what_it_said(tmp_path: Path) -> None:
    node = tmp_path / "node"
    node.write_text(
        "#!/bin/sh\necho 'node: error while loading shared libraries: libatomic.so.1: no such file' >&2\nexit 127\n"
    )
    node.chmod(0o755)
    line = start(str(node))
    assert "error while loading shared libraries: libatomic.so.1" in line
    assert "apt-get install libatomic1" in line
    assert "\n" not in line


CANCELLED = """
import asyncio, gc, signal, sys
import psutil
from walker.browser.launch.playwright_driver import start_driver

async def main(seconds, with_it):
    starting = asyncio.ensure_future(start_driver())
    await asyncio.sleep(seconds)
    if with_it:
        for process in psutil.Process().children():
            process.send_signal(signal.SIGINT)
    starting.cancel()
    try:
        await (await starting).stop()
    except asyncio.CancelledError:
        print("cancelled", file=sys.stdout)

for with_it in (False, True):
    for seconds in (0.02, 0.2):
        asyncio.run(main(seconds, with_it))
        gc.collect()
        print(*psutil.Process().children(), end="", file=sys.stderr)
"""


def test_a_start_that_is_cancelled_leaves_no_driver_and_no_pipe() -> None:
    """With the driver ended by the same signal, as by Ctrl-C in a terminal, and without."""
    done = subprocess.run([sys.executable, "-c", CANCELLED], capture_output=True, text=True, check=True)
    assert done.stdout.split().count("cancelled") >= 3, "others had started before"
    assert done.stderr == "", "neither what is left nor that something was closed too late"
