"""Letters, icons and a local vision model on the GPU and on the CPU: do both see the same, and how much faster is one. Without a GPU it says so."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from figures import print_figure

from perception.geometry import Box, CoordinateFrame
from perception.icons.icon_reader import IconReader
from perception.image import Picture
from perception.local_model.local_model import LocalModel
from perception.ocr import PaddleReader
from perception.onnx_models import has_cuda

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.perception.local_model.tiny import write_folder

WORDS = (
    "harbour ferry timetable adult child monday winter island bridge captain engine morning service platform".split()
)
ROUNDS = 5


def main() -> int:
    """0 where there is no GPU, or both agree."""
    if not has_cuda():
        print("no CUDA session can be had here; there is nothing to compare", file=sys.stderr)
        return 0
    pages = [page(seed) for seed in range(ROUNDS + 1)]
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=1280, height=800), width=1280, height=800)
    readers = {device: PaddleReader(device=device) for device in ("cpu", "cuda")}  # type: ignore[arg-type]
    read = {
        device: timed(lambda one, r=reader: [line.text for line in r.read(one, frame)], pages)
        for device, reader in readers.items()
    }
    same = read["cpu"][0] == read["cuda"][0]
    tell("letters of a screenshot", read["cpu"][1], read["cuda"][1], same)
    crops = [icon(seed) for seed in range(64)]
    namers = {device: IconReader.load(device=device) for device in ("cpu", "cuda")}  # type: ignore[arg-type]
    named = {
        device: timed(lambda many, n=namer: n.read(many), [crops] * (ROUNDS + 1)) for device, namer in namers.items()
    }
    agree = all(
        one[0].name == other[0].name and abs(one[0].confidence - other[0].confidence) < 0.02
        for many, others in zip(named["cpu"][0], named["cuda"][0], strict=True)
        for one, other in zip(many, others, strict=True)
    )
    tell("64 icons", named["cpu"][1], named["cuda"][1], agree)
    said = compare_local()
    return 0 if same and agree and said else 1


def compare_local() -> bool:
    """A tiny exported model on both devices: the same tokens. Its times say what a step costs, not what a real model would."""
    with tempfile.TemporaryDirectory() as folder:
        write_folder(Path(folder) / "tiny")
        pictures = [
            np.random.default_rng(seed).integers(0, 255, (16, 24, 3)).astype(np.uint8) for seed in range(ROUNDS + 1)
        ]
        models = {device: LocalModel.load(Path(folder) / "tiny", device=device) for device in ("cpu", "cuda")}  # type: ignore[arg-type]
        said = {
            device: timed(lambda one, m=model: m.answer([one], "What is it?", max_tokens=16).text, pictures)
            for device, model in models.items()
        }
    same = said["cpu"][0] == said["cuda"][0]
    tell("sixteen tokens of a tiny vision model", said["cpu"][1], said["cuda"][1], same)
    return same


def timed(work: Callable[[Any], Any], inputs: Sequence[Any]) -> tuple[list[Any], float]:
    """What came of each input, and the median of milliseconds; the first, which warms up, is left out."""
    results, took = [], []
    for one in inputs:
        started = time.perf_counter()
        results.append(work(one))
        took.append((time.perf_counter() - started) * 1000)
    return results, statistics.median(took[1:])


def tell(what: str, cpu: float, gpu: float, same: bool) -> None:
    """Both times, the speed-up, and whether they agree."""
    print_figure(f"{what}, CPU", round(cpu, 2), "ms", "", True)
    print_figure(f"{what}, GPU", round(gpu, 2), "ms", "", True)
    print_figure(f"{what}, speed-up", round(cpu / gpu, 2), "times", "", True)
    print_figure(f"{what}, both agree", same, "", "true", same)


def page(seed: int) -> Picture:
    """A screenshot with thirty lines of words."""
    chance = np.random.default_rng(seed)
    picture = np.full((800, 1280, 3), 250, np.uint8)
    for row in range(30):
        words = " ".join(chance.choice(WORDS, size=7))
        cv2.putText(picture, words, (20, 24 + 26 * row), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (30, 30, 30), 1, cv2.LINE_AA)
    return picture


def icon(seed: int) -> Picture:
    """A round, a cross or a bar in a square."""
    picture = np.full((28, 28, 3), 245, np.uint8)
    if seed % 3 == 0:
        cv2.circle(picture, (14, 14), 5 + seed % 6, (20, 20, 20), 2)
    elif seed % 3 == 1:
        cv2.line(picture, (6, 6), (22, 22), (20, 20, 20), 2)
        cv2.line(picture, (22, 6), (6, 22), (20, 20, 20), 2)
    else:
        cv2.rectangle(picture, (5, 8 + seed % 5), (23, 12 + seed % 5), (20, 20, 20), -1)
    return picture


if __name__ == "__main__":
    sys.exit(main())
