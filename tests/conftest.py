"""Settings of all tests."""

from __future__ import annotations

import ctypes
import gc
import sys
from collections.abc import AsyncIterator, Iterator

import psutil
import pytest
import pytest_asyncio
from hypothesis import given, settings, strategies
from playwright.async_api import Browser
from xdist.remote import Producer
from xdist.scheduler import LoadFileScheduling

from tests.fixtures import collected_when_run
from tests.fixtures.collected_when_run import pytest_configure, pytest_configure_node
from tests.fixtures.cuda_device import pytest_runtest_setup
from tests.fixtures.loaded_program import end_shared_mother
from tests.fixtures.run_again import (
    pytest_collectreport,
    pytest_handlecrashitem,
    pytest_runtest_logreport,
    pytest_runtest_logstart,
    pytest_sessionfinish,
)
from tests.fixtures.s3_server import S3Server, serve_s3
from tests.walker.cli.program import close_shared_browser
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.browser.launch.kept_chromium import keep_chromium
from walker.cli.commands import keep_driver_compiled

__all__ = [  # hooks too
    "pytest_collectreport",
    "pytest_configure",
    "pytest_configure_node",
    "pytest_handlecrashitem",
    "pytest_runtest_logreport",
    "pytest_runtest_logstart",
    "pytest_runtest_setup",
    "pytest_sessionfinish",
]

# The machines are shared: how long an example takes says nothing of the code.
settings.register_profile("shared-machine", deadline=None)
settings.load_profile("shared-machine")

# OCR and screenshots take and free blocks of many megabytes in threads of their own: the C library of Linux would keep them in a
# heap for each thread, up to twice of what is in use. Numbers of <malloc.h>: trim threshold, mmap threshold, arenas.
C_LIBRARY = ctypes.CDLL(None) if sys.platform == "linux" else None
if C_LIBRARY is not None and hasattr(C_LIBRARY, "mallopt"):
    for setting, value in ((-1, 1 << 20), (-3, 1 << 20), (-8, 2)):
        C_LIBRARY.mallopt(setting, value)

# Importing makes hundreds of thousands of objects and hardly any garbage: the collector waits until all tests are known.
gc.disable()

# As the command line has it: Playwright's driver is started some two hundred times.
keep_driver_compiled()


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """What is there before the first test stays to the end: the collector never looks at it again."""
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)  # it has less to look at now, and would look more often
    gc.enable()


class ResidentMemory:
    """What this process takes of the machine's memory, given back where it has grown. What a test leaves behind is mostly young, and
    found in milliseconds; to look through everything takes up to half a second, and is done only where that was not enough."""

    MOST_GROWTH = 24 << 20
    """Bytes. Pages and pictures of a dozen tests; several of these processes share a machine."""
    LAST_GENERATION = 2

    def __init__(self) -> None:
        self._process = psutil.Process()
        self._kept = 0

    def give_back(self) -> None:
        for generation in range(1, self.LAST_GENERATION + 1):
            if self._grown() < self.MOST_GROWTH:
                return
            gc.collect(generation)
            if "pyarrow" in sys.modules:  # it keeps what large tables took in a heap of its own
                sys.modules["pyarrow"].default_memory_pool().release_unused()
            if C_LIBRARY is not None and hasattr(C_LIBRARY, "malloc_trim"):
                C_LIBRARY.malloc_trim(0)
        self._kept += self._grown()

    def _grown(self) -> int:
        return self._process.memory_info().rss - self._kept


RESIDENT_MEMORY = ResidentMemory()


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown() -> None:
    """What a test held and no longer holds goes back to the system."""
    RESIDENT_MEMORY.give_back()


@pytest.hookimpl(trylast=True)  # after hypothesis, whose start this is too, and before xdist starts its processes
def pytest_sessionstart(session: pytest.Session) -> None:
    """The first text that hypothesis ever makes in a clone costs it 200 MB and a second and a half for tables, which it keeps in a
    file: made once here, before processes that run tests are started."""
    config = session.config
    if not hasattr(config, "workerinput") and not (config.rootpath / ".hypothesis" / "unicode_data").exists():
        _first_text()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """First the files that share something, and go to one process: what is dear to make takes memory too, and a process that has run
    nothing else has most to spare. At the end those that need little time and no browser, of which every process finds some more while
    another is busy with a long file."""
    items.sort(key=_place)


def _place(item: pytest.Item) -> tuple[bool, bool, str]:
    file = item.nodeid.split("::", 1)[0]
    return shared_by(file) is None, not file.startswith(LONG), file


@settings(max_examples=1, database=None)
@given(strategies.text())
def _first_text(text: str) -> None:
    """Nothing is tested."""


LONG = tuple(f"tests/{folder}/" for folder in ("bench", "contracts", "evaluation", "traces", "walker"))
"""Folders of tests that take long, most of them with a browser."""


@pytest.fixture(scope="session")
def s3_server() -> Iterator[S3Server]:
    """An S3 server."""
    with serve_s3() as server:
        yield server


@pytest.fixture
def s3(s3_server: S3Server, monkeypatch: pytest.MonkeyPatch) -> S3Server:
    """The S3 server, which the environment names."""
    pytest.importorskip("obstore", reason="the extra s3 is not installed")
    for name, value in s3_server.environment.items():
        monkeypatch.setenv(name, value)
    return s3_server


SHARING = {
    "the process that reads the source": ("tests/architecture/",),
    "a recorded walk with models": ("tests/traces/viewer/",),
    "an S3 server and a Postgres server": (
        "tests/contracts/test_object_places.py",
        "tests/evaluation/experiment/test_folder.py",
        "tests/traces/store/test_run_copy.py",
        "tests/walker/cli/test_runs_in_a_store.py",
        "tests/walker/crawl/job/test_",
        "tests/walker/crawl/output/",
    ),
}
"""What is dear to make, and the folders and files that share it."""


def shared_by(file: str) -> str | None:
    """What a file shares with others."""
    return next((what for what, files in SHARING.items() if file.startswith(files)), None)


class SharingFiles(LoadFileScheduling):  # type: ignore[misc]
    """Files go to processes whole, and those that share something to one process, which makes it once."""

    def _split_scope(self, nodeid: str) -> str:
        file = nodeid.split("::", 1)[0]
        return shared_by(file) or file


class SharingFilesWhenRun(SharingFiles, collected_when_run.OneFileAtATime):
    """The same where files are collected when they are run."""


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> LoadFileScheduling | None:
    """Where files are to stay whole."""
    if config.getoption("dist") != "loadfile":
        return None
    return SharingFilesWhenRun(config, log) if collected_when_run.is_for(config) else SharingFiles(config, log)


@pytest.fixture(scope="session", autouse=True)
def commands_share_processes() -> Iterator[None]:
    """A browser those that run within this process (tests/walker/cli/program.py), a loaded program those that are stopped."""
    yield
    close_shared_browser()
    end_shared_mother()


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def chromium() -> AsyncIterator[Chromium]:
    """One browser and one driver for all tests of this process, each with contexts of its own in it; the first to ask for a
    context starts them. Tests that kill, count or start browsers have theirs."""
    async with Chromium(find_browser()) as started:
        yield started


@pytest.fixture
def kept_chromium(chromium: Chromium) -> Iterator[None]:
    """Walks and crawls of this test that look for a browser by themselves share that of all tests; for `usefixtures`."""
    with keep_chromium(find_browser(), chromium):
        yield


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browser(chromium: Chromium) -> Browser:
    """The same as Playwright has it."""
    context = await chromium.new_context(ContextOptions())
    opened = context.browser
    await context.close()
    assert opened is not None
    return opened
