"""What several walks of one process share."""

from __future__ import annotations

import platform
import subprocess
import sys

import msgspec
import psutil
import pytest

from perception.snapshot import Snapshot
from walker.assembly import WalkResources, read_task
from walker.browser.page.live_reader import LARGE_PAGE, LiveReader
from walker.settings import Components, ModelSettings, Settings, VisionSettings

BLOCKS, BLOCK_BYTES = 30_000, 3_000
"""What is freed: 90 MB, in blocks of the heap."""


def test_what_few_walks_need_is_not_loaded_for_all() -> None:
    heavy = ("bm25s", "httpx2", "jinja2", "onnxruntime", "openai", "pydantic", "tokenizers", "trio", "wordllama")
    program = (
        f"import sys, walker.assembly; print(*(name for name in {heavy} if name in sys.modules))\n"
        "import walker.cli.walks.ask; print(*(name for name in sys.modules if name.startswith('walker.crawl.script.spec')))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_a_crawl_loads_nothing_of_walks() -> None:
    program = (
        "import sys, walker.cli.walks.crawl; print(*{'walker.asking', 'walker.strategies'}.intersection(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


async def test_walks_with_other_modules_or_another_gate_share_browser_and_models() -> None:
    model, vision = (
        ModelSettings(name="m", base_url="http://127.0.0.1:9/v1"),
        VisionSettings(name="v", base_url="http://127.0.0.1:8/v1"),
    )
    async with WalkResources(Settings(record=False, model=model, vision=vision)) as resources:
        other = msgspec.structs.replace(resources.settings, components=Components(vision=False), gate="paper")
        sibling = resources.with_settings(other)
        assert sibling.settings == other
        assert (resources.settings.components, resources.settings.gate) == (Components(), "walker")
        assert sibling.chromium is resources.chromium
        assert sibling.ranker is resources.ranker
        assert sibling.builtin_vision is resources.builtin_vision
        assert sibling.endpoint is resources.endpoint
        assert sibling.vision_endpoint is resources.vision_endpoint


def scattered() -> bytes:
    """Leaves a heap that is free but for a block at its end, which keeps the C library from giving it back by itself."""
    blocks = [bytes(BLOCK_BYTES) for _ in range(BLOCKS)]
    return blocks[-1]


def snapshot_of(html: str) -> Snapshot:
    return Snapshot(url="http://a.example/", final_url="http://a.example/", status=200, html=html)


def resident() -> int:
    return psutil.Process().memory_info().rss


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep no free heap")
async def test_a_walk_begins_without_what_the_walk_before_has_left() -> None:
    async with WalkResources(Settings(record=False)) as resources:
        task = read_task("http://a.example/", "What is it?")
        resources.edges(task)
        last = scattered()
        before = resident()
        resources.edges(task)
        assert before - resident() > BLOCKS * BLOCK_BYTES / 2
        assert last


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries keep no free heap")
async def test_what_a_large_page_took_is_given_back_when_it_is_read() -> None:
    last = scattered()
    before = resident()
    await LiveReader().read(snapshot_of("<p>Short.</p>"))
    small = resident()
    await LiveReader().read(snapshot_of(f"<p>{'x' * LARGE_PAGE}</p>"))
    assert before - small < BLOCKS * BLOCK_BYTES / 4
    assert small - resident() > BLOCKS * BLOCK_BYTES / 2
    assert last


@pytest.mark.parametrize(
    ("settings", "may_look"),
    [
        (Settings(), True),
        (Settings(ocr="none"), False),
        (Settings(ocr="none", vision=VisionSettings(name="v")), True),
        (Settings(components=Components(vision=False)), False),
    ],
)
def test_a_walk_may_look_at_pictures_where_something_reads_them(settings: Settings, *, may_look: bool) -> None:
    assert settings.may_look is may_look
