"""What is measured against what: Walker under its drivers, a bare loop, and the crawlers of others, each in its own environment."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
import venv
from collections.abc import Iterable
from pathlib import Path

import msgspec
from process_tree import ProcessTree

HERE = Path(__file__).parent
OUT = HERE / "out" / "crawl"
PEERS = HERE / "crawl_peers"
PIP = ("-m", "pip", "install", "-q", "--disable-pip-version-check")
INSTALL_SECONDS = 1800


class Arm(msgspec.Struct, frozen=True, kw_only=True):
    """One crawler."""

    name: str
    driver: str = ""
    """Walker's, "" for a peer."""
    script: str = ""
    """In crawl_peers; prints `{"pages": how many}`."""
    packages: tuple[str, ...] = ()
    """What its environment holds; () for this one."""
    has_browser: bool = True


SCRAPY = ("scrapy==2.19.*", "scrapy-playwright==0.0.48")
ARMS = (
    Arm(name="bare loop", script="bare_loop.py"),
    Arm(name="walker, rendered", driver="playwright"),
    Arm(name="walker, selenium", driver="selenium"),
    Arm(name="walker, auto", driver="auto"),
    Arm(name="walker, http", driver="http", has_browser=False),
    Arm(name="scrapy", script="scrapy_http.py", packages=SCRAPY, has_browser=False),
    Arm(name="scrapy-playwright", script="scrapy_browser.py", packages=SCRAPY),
    Arm(name="crawlee", script="crawlee_browser.py", packages=("crawlee[playwright,parsel]==1.11.*",)),
    Arm(name="crawl4ai", script="crawl4ai_browser.py", packages=("crawl4ai==0.9.5",)),
)


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """What every arm is asked for."""

    root: str
    pages: int
    chromium: str
    seconds: float
    """How long one arm may take."""
    at_a_time: int = 4


class Cost(msgspec.Struct, frozen=True, kw_only=True):
    """What one run of an arm took, from its start to its end."""

    pages: int
    cpu: float
    """Seconds of the whole process tree."""
    seconds: float
    pss: int
    """Bytes at the peak."""
    kinds: dict[str, float] = {}
    """The seconds by kind of process."""


class Failed(msgspec.Struct, frozen=True, kw_only=True):
    """An arm that cannot be run here."""

    why: str


def make_environments(arms: Iterable[Arm]) -> dict[str, Failed]:
    """Have an environment for each arm; those that cannot be made, by name of their arm."""
    failed: dict[str, Failed] = {}
    tried: dict[tuple[str, ...], Failed | None] = {}
    for arm in arms:
        if arm.packages and arm.packages not in tried:
            tried[arm.packages] = _make_environment(arm)
        if arm.packages and (why := tried[arm.packages]):
            failed[arm.name] = why
    return failed


def run_arm(arm: Arm, job: Job) -> Cost | Failed:
    """Crawl once. What went wrong is the last line that it wrote."""
    OUT.mkdir(parents=True, exist_ok=True)
    log = OUT / f"{arm.name}.log"
    reaped, started = _reaped_cpu(), time.monotonic()
    with log.open("wb") as errors:
        process = subprocess.Popen(
            _command(arm, job), stdout=subprocess.PIPE, stderr=errors, cwd=OUT, start_new_session=True
        )
        with ProcessTree(process.pid, weigh=True) as tree:
            try:
                told, _ = process.communicate(timeout=job.seconds)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                return Failed(why=f"not done after {job.seconds:g} seconds")
    seconds = time.monotonic() - started
    # What ended between two looks was waited for by its parents, as a rule: whichever saw more is nearer the truth.
    cpu = max(tree.cpu(), _reaped_cpu() - reaped)
    try:
        pages = int(msgspec.json.decode(told.strip().splitlines()[-1])["pages"])
    except (IndexError, KeyError, ValueError, msgspec.DecodeError):
        return Failed(why=_last_line(log) or f"it ended with {process.returncode} and said nothing")
    if pages < job.pages / 2:
        return Failed(why=f"{pages} of {job.pages} pages; {_last_line(log)}")
    return Cost(pages=pages, cpu=cpu, seconds=seconds, pss=tree.peak_pss, kinds=tree.cpu_by_kind())


def _command(arm: Arm, job: Job) -> list[str]:
    pages, at_a_time = str(job.pages), str(job.at_a_time)
    if not arm.driver:
        python = _python(arm) if arm.packages else Path(sys.executable)
        return [str(python), str(PEERS / arm.script), job.root, pages, at_a_time, job.chromium]
    folder = str(OUT / arm.driver)
    # Breadth first, as the peers: all read about the same pages.
    options = ["--driver", arm.driver, "--pages", pages, "--concurrency", at_a_time, "--order", "breadth-first"]
    return [sys.executable, "-m", "walker", "crawl", job.root, *options, "--job", folder, "--fresh", "--json", "-q"]


def _make_environment(arm: Arm) -> Failed | None:
    folder = _folder(arm)
    done = folder / "made.txt"
    if done.exists() and done.read_text() == " ".join(arm.packages):
        return None
    try:
        venv.create(folder, with_pip=True)
        subprocess.run(
            [_python(arm), *PIP, *arm.packages],
            check=True,
            capture_output=True,
            text=True,
            timeout=INSTALL_SECONDS,
        )
    except subprocess.CalledProcessError as error:
        lines = [line for line in str(error.stderr).splitlines() if line.startswith("ERROR")]
        return Failed(why=f"pip: {(lines or ['no reason given'])[-1][:200]}")
    except subprocess.TimeoutExpired:
        return Failed(why=f"pip was not done after {INSTALL_SECONDS} seconds")
    done.write_text(" ".join(arm.packages))
    return None


def _folder(arm: Arm) -> Path:
    """One for arms with the same packages."""
    return HERE / "out" / "crawl_peers" / arm.packages[0].partition("=")[0].partition("[")[0]


def _python(arm: Arm) -> Path:
    return _folder(arm) / "bin" / "python"


def _reaped_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _last_line(log: Path) -> str:
    lines = [line.strip() for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return lines[-1][:200] if lines else ""
