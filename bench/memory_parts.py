"""What the memory of a walk's process consists of: one process takes what a walk needs step by step, and is weighed after each.

Run by `bench/looking.py parts`, in a process of its own that has imported nothing of ours before. Linux with glibc.
"""

from __future__ import annotations

import asyncio
import ctypes
import gc
import importlib
import re
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

PROC = Path("/proc/self")
_RESET_PEAK = "5"
"""To /proc/self/clear_refs: the most memory starts anew (Linux: Documentation/filesystems/proc.rst)."""
LARGEST = 10
"""Files whose pages in memory are printed one by one."""
PICTURES = 2
TEXTS, TEXT_WORDS = 8, 120
"""As many texts as the reader takes at once, longer than it reads."""
WIDTH, HEIGHT, LINES = 1280, 800, 26
"""Of a drawn page: what OCR takes at once."""
ICONS = 40
"""Crops that are named at once."""
WORDS = (
    "harbour ferry timetable ticket price adult child monday tuesday winter summer island bridge captain engine morning"
    " evening service platform station office reading library archive garden copper silver granite lantern compass"
).split()


class Weight(NamedTuple):
    """MB of the process now, and at most since it was weighed before."""

    resident: float
    own: float
    """Pages that no file holds: heaps, stacks, arrays."""
    files: float
    """Pages of files, libraries foremost, which processes share and the system can drop."""
    in_use: float
    """What malloc has given out; Python's small objects are not among it."""
    free: float
    """What malloc holds and nobody uses; pages of it that went back to the system are counted too."""
    most: float


class _Mallinfo2(ctypes.Structure):
    """`struct mallinfo2` of <malloc.h>."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    )


def weigh() -> Weight:
    """The memory of this process."""
    rollup = dict(re.findall(r"^(\w+): +(\d+) kB$", (PROC / "smaps_rollup").read_text(), re.MULTILINE))
    resident, own = int(rollup["Rss"]) * 1024e-6, int(rollup["Anonymous"]) * 1024e-6
    most = re.search(r"^VmHWM:\s+(\d+) kB$", (PROC / "status").read_text(), re.MULTILINE)
    assert most is not None, "the kernel says the most memory"
    (PROC / "clear_refs").write_text(_RESET_PEAK)
    library = ctypes.CDLL(None)
    library.mallinfo2.restype = _Mallinfo2
    told = library.mallinfo2()
    in_use, free = (told.uordblks + told.hblkhd) / 1e6, told.fordblks / 1e6
    return Weight(resident, own, resident - own, in_use, free, int(most[1]) * 1024e-6)


def mapped_by_name() -> Counter[str]:
    """MB in memory of each file that is mapped, of the heap, and of what else no file holds."""
    sizes: Counter[str] = Counter()
    name = ""
    for line in (PROC / "smaps").read_text().splitlines():
        if head := re.match(r"[0-9a-f]+-[0-9a-f]+ \S+ \S+ \S+ \d+ *(.*)$", line):
            name = Path(head[1]).name if head[1].startswith("/") else head[1] or "arrays and small objects"
        elif resident := re.match(r"Rss: +(\d+) kB$", line):
            sizes[name] += int(resident[1])
    return Counter({name: round(size * 1024e-6) for name, size in sizes.items()})


class Parts:
    """Prints the memory after each step, and what the step added."""

    def __init__(self) -> None:
        titles = ("resident", "added", "own", "files", "in use", "free", "at most")
        print(f"{'MB':32}" + "".join(f"{title:>9}" for title in titles))
        self._before = 0.0
        self._print("Python itself")

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Weighs after what is done within, and after what that left was given back."""
        yield
        gc.collect()
        if (given := sys.modules.get("perception.images.freed_memory")) is not None:
            given.give_back_memory()
        self._print(name)

    def _print(self, name: str) -> None:
        weight = weigh()
        values = (weight.resident, weight.resident - self._before, *weight[1:])
        print(f"{name:32}" + "".join(f"{value:9.1f}" for value in values), flush=True)
        self._before = weight.resident


async def weigh_parts() -> None:
    """Take each step and print it; in the end what is mapped, the largest first."""
    parts = Parts()
    with parts.step("walker imported"):
        from walker.asking import ask  # noqa: F401, PLC0415 - a step, as all imports here
        from walker.assembly import WalkResources, read_task  # noqa: PLC0415
        from walker.settings import Settings  # noqa: PLC0415
    async with WalkResources(Settings(record=False)) as resources:
        with parts.step("edges of a walk, word vectors"):
            task = read_task("http://127.0.0.1:9/", "Who is the captain of the ferry?")
            edges = resources.edges(task)
            resources.ranker.similarities("the captain of the ferry", [" ".join(WORDS)])
        _weigh_reader(parts)
        _weigh_ocr(parts)
        await edges.browser.close()
    for name, size in mapped_by_name().most_common(LARGEST):
        print(f"{name:32}{size:9}")


def _weigh_reader(parts: Parts) -> None:
    from walker.strategies.reader.passage_reader import NetReader, ReaderText  # noqa: PLC0415

    with parts.step("reader: opened"):
        NetReader().read("Who is the captain?", [ReaderText("", "One.")])
    with parts.step(f"reader: {TEXTS} long texts"):
        NetReader().read("Who is the captain?", [ReaderText("Ferries", _words(seed)) for seed in range(TEXTS)])


def _words(seed: int) -> str:
    return " ".join(WORDS[(seed + place) % len(WORDS)] for place in range(TEXT_WORDS))


def _weigh_ocr(parts: Parts) -> None:
    from perception.geometry import Box, CoordinateFrame  # noqa: PLC0415
    from walker.settings import Settings  # noqa: PLC0415
    from walker.vision.model_source import OwnModels  # noqa: PLC0415

    frame = CoordinateFrame(shown=Box(x=0, y=0, width=WIDTH, height=HEIGHT), width=WIDTH, height=HEIGHT)
    models = OwnModels(Settings())
    with parts.step("OpenCV imported"):
        importlib.import_module("cv2")
    with parts.step("OCR: models opened"):
        reader = models.text_reader()
    for seed in range(PICTURES):
        with parts.step(f"OCR: picture {seed + 1}"):
            lines = reader.read(drawn_page(seed), frame)
            assert len(lines) > LINES // 2, "the drawn page is read"
    page = drawn_page(1)
    with parts.step(f"icons: opened, {ICONS} read"):
        namer = models.icon_namer()
        namer.read([page[:24, 24 * place : 24 * place + 24] for place in range(ICONS)])


def drawn_page(seed: int) -> Any:
    """A picture full of text, drawn without a browser."""
    import cv2  # noqa: PLC0415
    import numpy as np  # noqa: PLC0415

    picture = np.full((HEIGHT, WIDTH, 3), 255, np.uint8)
    for line in range(LINES):
        words = " ".join(WORDS[(seed * 7 + line * 5 + place) % len(WORDS)] for place in range(11))
        cv2.putText(picture, words, (20, 30 + 29 * line), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 1, cv2.LINE_AA)
    return picture


if __name__ == "__main__":
    asyncio.run(weigh_parts())
