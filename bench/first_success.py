"""Prints how long a new user waits for the first success at each door: seconds by the clock, and of processor time, since machines
differ and are shared.

usage: python bench/first_success.py [--from REPOSITORY] [--into FOLDER] [--kept FOLDER]

Clones this repository into an empty folder, runs `make demo` there, serves the bundled site, and tries each door by the first command
or program that the documents have for it. A door is reached in time if the clone, `make demo` and its own command together take less
than two minutes. What an earlier run has installed is taken with --kept FOLDER, which leaves out the clone and `make demo`.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
from figures import print_figure

MOST_SECONDS = 120.0
GIVEN_UP = 1200.0
"""Seconds after which a step is ended."""
FLUME, DEPTH = "What is the greatest depth of water in the tidal flume?", "1.8 m"
SCHEMA = {
    "title": "Flume",
    "type": "object",
    "properties": {"greatest_depth_of_water": {"type": "string", "description": "greatest depth of water"}},
}
SESSION = """
import asyncio, sys
from walker import Session

async def main(root: str) -> None:
    async with Session(root, max_pages=20) as session:
        await session.open()
        await session.act("open the link Laboratory")
        print((await session.ask(sys.argv[2])).answer)

asyncio.run(main(sys.argv[1]))
"""
MCP = """
import asyncio, os, sys
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

async def main(walker: str, root: str, host: str) -> None:
    server = StdioServerParameters(command=walker, args=["mcp", "--allow", host, "--wait", "600"], env=dict(os.environ))
    async with Client(stdio_client(server)) as client:
        told = await client.call_tool("ask", {"root": root, "question": sys.argv[4]})
        print(told.structured_content["answer"])

asyncio.run(main(*sys.argv[1:4]))
"""


class Took(msgspec.Struct, frozen=True, kw_only=True):
    """What a step took, and what it wrote."""

    clock: float
    processor: float
    code: int
    text: str


class Door(msgspec.Struct, frozen=True, kw_only=True):
    """A way in, its command, and what shows that it worked."""

    name: str
    command: tuple[str, ...]
    wanted: str


def main() -> int:
    """Clone, install, try every door; 1 where one fails or comes late."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--from", dest="origin", default=str(Path(__file__).parents[1]), help="repository to clone")
    parser.add_argument("--into", type=Path, help="an empty folder; a temporary one if not given")
    parser.add_argument("--kept", type=Path, help="a clone in which make demo has run")
    given = parser.parse_args()
    with contextlib.ExitStack() as stack:
        made = (
            given.kept or given.into or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="walker-clone-")))
        )
        before = 0.0 if given.kept else installed(given.origin, made)
        work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="walker-doors-")))
        walker = str((made / ".venv" / "bin" / "walker").absolute())
        root = stack.enter_context(demo_site(walker, work))
        late = [door.name for door in doors(walker, root, work) if not reached(door, before, work)]
        if not served(walker, root, work, before):
            late.append("serve")
    return 1 if late else 0


def installed(origin: str, made: Path) -> float:
    """Seconds of a clone and of `make demo` in it."""
    cloned = took(("git", "clone", "--quiet", origin, str(made)), Path.cwd())
    demo = took(("make", "demo"), made)
    tell("clone", cloned, cloned.clock, ok=cloned.code == 0)
    tell("make demo", demo, cloned.clock + demo.clock, ok=demo.code == 0)
    return cloned.clock + demo.clock


def doors(walker: str, root: str, work: Path) -> tuple[Door, ...]:
    """All that are a command or a program; the service is tried apart."""
    python = str(Path(walker).with_name("python"))
    (work / "schema.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    people, script = f"{root}people/index.html", str(work / "people.yaml")
    return (
        Door(name="ask", command=(walker, "ask", root, FLUME), wanted=DEPTH),
        Door(
            name="extract",
            command=(walker, "extract", f"{root}lab/tidal-flume.html", "--schema", "schema.json"),
            wanted=DEPTH,
        ),
        Door(name="crawl (init)", command=(walker, "init", people, "-o", script), wanted=""),
        Door(name="crawl", command=(walker, "crawl", script, "-o", "people.csv", "--max-pages", "10"), wanted=""),
        Door(name="mcp", command=(python, "-c", MCP, walker, root, urlsplit(root).netloc, FLUME), wanted=DEPTH),
        Door(name="session", command=(python, "-c", SESSION, root, FLUME), wanted=DEPTH),
        Door(name="skill", command=(walker, "skill", "install", "--to", str(work / "skills")), wanted="SKILL.md"),
    )


def reached(door: Door, before: float, work: Path) -> bool:
    """Whether a door works within the time, told in a line."""
    one = took(door.command, work)
    works = one.code == 0 and door.wanted in one.text
    return tell(door.name, one, before + one.clock, ok=works)


def served(walker: str, root: str, work: Path, before: float) -> bool:
    """Whether the service answers the question."""

    def ask() -> str:
        command = [walker, "serve", "--port", "0", "--allow", urlsplit(root).netloc, "--data", str(work / "served")]
        with running(command, work, "serving at ") as address:
            body = json.dumps({"root": root, "question": FLUME}).encode()
            asked = Request(f"{address}/v1/asks", body, {"Content-Type": "application/json"})
            job = json.load(urlopen(asked))
            with urlopen(f"{address}{job['links']['events']}") as events:
                events.read()
            ended = json.load(urlopen(f"{address}{job['links']['self']}"))
        return str((ended["result"] or {}).get("answer", ""))

    one = measured(lambda: (0, ask()))
    return tell("serve", one, before + one.clock, ok=DEPTH in one.text)


@contextlib.contextmanager
def demo_site(walker: str, work: Path) -> Iterator[str]:
    """The bundled site, served by the clone's own command."""
    with running([walker, "demo", "--serve"], work, "http://", keeps="http://") as root:
        yield root.removesuffix("index.html")


@contextlib.contextmanager
def running(command: list[str], work: Path, before: str, keeps: str = "") -> Iterator[str]:
    """A server, and the word that stands behind `before` in what it prints first."""
    process = subprocess.Popen(
        command, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=_fresh()
    )
    try:
        assert process.stdout is not None
        line = next((one for one in process.stdout if before in one), "")
        if not line:
            raise SystemExit(f"bench/first_success.py: {' '.join(command[:2])} did not start")
        yield f"{keeps}{line.partition(before)[2].split()[0]}".rstrip(",.;")
    finally:
        process.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(20)
        process.kill()
        process.wait()


def took(command: tuple[str, ...], folder: Path) -> Took:
    """A command run to its end."""

    def run() -> tuple[int, str]:
        try:
            done = subprocess.run(
                command, cwd=folder, capture_output=True, text=True, timeout=GIVEN_UP, env=_fresh(), check=False
            )
        except subprocess.TimeoutExpired:
            return 124, f"took longer than {GIVEN_UP:.0f} s"
        return done.returncode, done.stdout + done.stderr

    return measured(run)


def measured(work: Callable[[], tuple[int, str]]) -> Took:
    """What some work takes by the clock, and of processor time with all processes that it starts and waits for."""
    began, used = time.monotonic(), _processor()
    code, text = work()
    return Took(clock=time.monotonic() - began, processor=_processor() - used, code=code, text=text)


def tell(name: str, one: Took, since_clone: float, *, ok: bool) -> bool:
    """A line for a step; whether it worked and came in time."""
    value = {
        "clock": round(one.clock, 1),
        "processor": round(one.processor, 1),
        "since the clone": round(since_clone, 1),
    }
    in_time = ok and since_clone < MOST_SECONDS
    print_figure(f"first success: {name}", value, "s", f"works, < {MOST_SECONDS:.0f} s since the clone", ok=in_time)
    if not ok:
        print("\n".join(one.text.strip().splitlines()[-5:]), file=sys.stderr, flush=True)
    return in_time


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _fresh() -> dict[str, str]:
    """The environment of somebody who has nothing of ours set, and whose Python keeps bytecode, as it does where nobody forbids it."""
    left_out = ("PYTHONPATH", "PYTHONDONTWRITEBYTECODE")
    return {
        name: value for name, value in os.environ.items() if name not in left_out and not name.startswith("WALKER_")
    }


if __name__ == "__main__":
    sys.exit(main())
