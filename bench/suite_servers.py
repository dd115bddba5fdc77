"""Serves two public suites of crawlers on loopback from folders with their sources, as they are, and says what was reached.

Security Crawl Maze is a Flask application and Crawlground one of Node.js. What they need is installed once;
after that nothing but loopback is used. Their sources are no part of this project.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from socket import create_server, socket
from tempfile import TemporaryDirectory, gettempdir

import msgspec

INSTALLED = Path(gettempdir()) / "walker-suites"
"""Kept from one run to the next; not below the project, whose checks read every script in it."""
START_SECONDS = 30.0
_ASKED = re.compile(r'"[A-Z]+ ([^ ?"]+)')
_ON_LOOPBACK = """
const { Server } = require('net'), { listen } = Server.prototype;
Server.prototype.listen = function (port, ...rest) {
  return listen.call(this, port, '127.0.0.1', ...rest.filter((one) => typeof one === 'function'));
};
"""
"""Loaded before Crawlground, which would listen on every interface."""


class Suite(msgspec.Struct, frozen=True, kw_only=True):
    """A served suite."""

    name: str
    home: str
    """Its address, with a slash at the end."""
    cases: tuple[str, ...]
    reached: Callable[[], frozenset[str]]
    """The cases that were reached so far."""


class NoSuite(Exception):
    """The folder holds no known suite, or it cannot be started; with a reason in one line."""


@contextmanager
def served(folder: Path) -> Iterator[Suite]:
    """Serve the suite in a folder. Raises `NoSuite`."""
    if (folder / "blueprints").is_dir():
        with _maze(folder) as suite:
            yield suite
    elif (folder / "lib" / "registry.js").is_file():
        with _crawlground(folder) as suite:
            yield suite
    else:
        raise NoSuite(f"{folder} holds neither Security Crawl Maze nor Crawlground")


@contextmanager
def _maze(folder: Path) -> Iterator[Suite]:
    expected = folder / "blueprints" / "utils" / "resources" / "expected-results.json"
    cases = tuple(json.loads(expected.read_text()))
    python = _flask_python()
    with TemporaryDirectory() as place:
        log, port = Path(place) / "log", _free_port()
        command = [str(python), "-m", "flask", "--app", "app", "run", "--host", "127.0.0.1", "--port", str(port)]
        with _running(command, folder, log, port):

            def reached() -> frozenset[str]:
                return frozenset(_ASKED.findall(log.read_text(errors="replace"))) & frozenset(cases)

            yield Suite(name="Security Crawl Maze", home=f"http://127.0.0.1:{port}/", cases=cases, reached=reached)


@contextmanager
def _crawlground(folder: Path) -> Iterator[Suite]:
    modules = _node_modules(folder)
    with TemporaryDirectory() as place:
        # It keeps its scores beside its sources.
        copy, port = Path(place) / "suite", _free_port()
        shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("data", "node_modules"))
        (copy / "node_modules").symlink_to(modules)
        (copy / "on-loopback.cjs").write_text(_ON_LOOPBACK)
        command = ["node", "--require", "./on-loopback.cjs", "server.js"]
        with _running(command, copy, Path(place) / "log", port, PORT=str(port)):
            home = f"http://127.0.0.1:{port}/"

            def results() -> list[dict[str, object]]:
                with urllib.request.urlopen(f"{home}results.json") as answer:
                    tests: list[dict[str, object]] = json.load(answer)["tests"]
                return tests

            def reached() -> frozenset[str]:
                return frozenset(
                    str(test["id"]) for test in results() if any(tool["scored"] for tool in _values(test["tools"]))
                )

            cases = tuple(str(test["id"]) for test in results())
            yield Suite(name="Crawlground", home=home, cases=cases, reached=reached)


def _values(tools: object) -> list[dict[str, object]]:
    return list(tools.values()) if isinstance(tools, dict) else []


@contextmanager
def _running(command: list[str], folder: Path, log: Path, port: int, **environment: str) -> Iterator[None]:
    with log.open("wb") as written:
        process = subprocess.Popen(
            command, cwd=folder, stdout=written, stderr=written, env={**os.environ, **environment}
        )
    try:
        deadline = time.monotonic() + START_SECONDS
        while not _answers(port):
            if process.poll() is not None or time.monotonic() > deadline:
                last = next(iter(log.read_text(errors="replace").strip().splitlines()[::-1]), "no reason given")
                raise NoSuite(f"{command[0]} does not start: {last}")
            time.sleep(0.1)
        yield
    finally:
        process.terminate()
        process.wait()


def _flask_python() -> Path:
    """The Python of an environment with Flask."""
    python = INSTALLED / "flask" / "bin" / "python"
    if not python.is_file():
        _run([sys.executable, "-m", "venv", str(python.parents[1])])
        _run([str(python), "-m", "pip", "install", "--quiet", "flask"])
    return python


def _node_modules(folder: Path) -> Path:
    """Crawlground's packages, by its own list of them."""
    place = INSTALLED / "crawlground"
    if not (place / "node_modules").is_dir():
        place.mkdir(parents=True, exist_ok=True)
        for name in ("package.json", "package-lock.json"):
            shutil.copy(folder / name, place / name)
        _run(["npm", "ci", "--silent", "--prefix", str(place)])
    return place / "node_modules"


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (subprocess.CalledProcessError, FileNotFoundError) as error:
        raise NoSuite(f"{' '.join(command[:4])} ...: {error}") from None


def _free_port() -> int:
    with create_server(("127.0.0.1", 0)) as plug:
        return int(plug.getsockname()[1])


def _answers(port: int) -> bool:
    with socket() as plug:
        return plug.connect_ex(("127.0.0.1", port)) == 0
