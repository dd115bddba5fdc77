"""Letters, icons and local vision models on the GPU and on the CPU: do both see the same, and how much faster is one.

Where no CUDA session can be had it says so and ends with 0. `--against cpu` compares the CPU with itself: what the script does
itself, tried without a GPU.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

import cv2
import numpy as np
from figures import print_figure
from numpy.typing import NDArray

from perception.geometry import Box, CoordinateFrame
from perception.icons.icon_reader import IconReader
from perception.images.image import Picture
from perception.local_model.local_model import LocalModel
from perception.local_model.local_reply import PictureModel
from perception.local_model.opening import open_model
from perception.ocr.ocr import PaddleReader
from perception.ocr.onnx_models import has_cuda

sys.path.insert(0, str(Path(__file__).parents[1]))
from tests.perception.local_model.tiny import Layout, Shape, write_folder
from tests.perception.local_model.tiny_genai import write_genai_folder

WORDS = (
    "harbour ferry timetable adult child monday winter island bridge captain engine morning service platform".split()
)
ROUNDS = 5
PARTS = ("letters", "icons", "layouts", "sized", "genai")
SIZED = Shape(width=1024, heads=16, size=64, layers=12)
"""Fifty million weights: a fifth of the smallest vision model that is in use, so that a step costs what steps cost."""
PICTURE, STEPS = 256, 32
"""Pixels of the side of the sized model's picture, which takes 1024 tokens, and words behind it."""
LOGITS_APART = 0.02
"""Share of the logits' spread by which a GPU's may differ: it multiplies with ten bits of mantissa (TF32) unless told not to."""


class Devices(NamedTuple):
    """The two that are compared; the first is the CPU."""

    one: Any = "cpu"
    other: Any = "cuda"


def main() -> int:
    """0 where there is no GPU, or both agree."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--against", choices=("cuda", "cpu"), default="cuda")
    parser.add_argument("--only", choices=PARTS, action="append")
    given = parser.parse_args()
    if given.against == "cuda" and not has_cuda():
        print("no CUDA session can be had here; there is nothing to compare", file=sys.stderr)
        return 0
    compare = {"letters": letters, "icons": icons, "layouts": layouts, "sized": sized, "genai": genai}
    devices = Devices(other=given.against)
    agreed = [compare[part](devices) for part in given.only or PARTS]
    return 0 if all(agreed) else 1


def letters(devices: Devices) -> bool:
    """Thirty lines of words."""
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=1280, height=800), width=1280, height=800)
    pages = [page(seed) for seed in range(ROUNDS + 1)]
    readers = [PaddleReader(device=device) for device in devices]

    def texts(reader: PaddleReader, picture: NDArray[np.uint8]) -> list[str]:
        return [line.text for line in reader.read(picture, frame)]

    read = [timed(partial(texts, reader), pages) for reader in readers]
    return tell("letters of a screenshot", devices, read[0][1], read[1][1], read[0][0] == read[1][0])


def icons(devices: Devices) -> bool:
    """The same names, with nearly the same confidence."""
    crops = [icon(seed) for seed in range(64)]
    readers = [IconReader.load(device=device) for device in devices]
    named = [timed(reader.read, [crops] * (ROUNDS + 1)) for reader in readers]
    same = all(
        one[0].name == other[0].name and abs(one[0].confidence - other[0].confidence) < 0.02
        for one, other in zip(named[0][0][0], named[1][0][0], strict=True)
    )
    return tell("64 icons", devices, named[0][1], named[1][1], same)


def layouts(devices: Devices) -> bool:
    """Tiny exports of each layout: the same tokens."""
    agreed = [layout(name, devices) for name in ("qwen", "square", "tiles")]
    return all(agreed)


def layout(name: Layout, devices: Devices) -> bool:
    """One of them. Its times say what a step costs, not what a real model would."""
    pictures = [noise(24, 16, seed) for seed in range(ROUNDS + 1)]
    with tempfile.TemporaryDirectory() as folder:
        write_folder(Path(folder) / "tiny", name)
        models = [LocalModel.load(Path(folder) / "tiny", device=device) for device in devices]
        said = [timed(partial(sixteen_tokens, model), pictures) for model in models]
    return tell(f"sixteen tokens of a tiny model ({name})", devices, said[0][1], said[1][1], said[0][0] == said[1][0])


def sixteen_tokens(model: PictureModel, picture: NDArray[np.uint8]) -> str:
    """What a model says of a picture, in at most sixteen tokens."""
    return model.answer([picture], "What is it?", max_tokens=16).text


def sized(devices: Devices) -> bool:
    """A model whose steps cost something: a prompt of a thousand tokens, and what comes behind it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "sized"
        write_folder(path, shape=SIZED)
        settings = json.loads((path / "preprocessor_config.json").read_text())
        (path / "preprocessor_config.json").write_text(json.dumps({**settings, "max_pixels": PICTURE * PICTURE}))
        runs = [stepped(LocalModel.load(path, device=device)) for device in devices]
    one, other = runs[0].logits, runs[1].logits
    apart = float(np.abs(one - other).max() / (one.max() - one.min()))
    agreed = apart <= LOGITS_APART
    print_figure("logits, furthest apart", round(apart, 5), "of their spread", f"<= {LOGITS_APART}", agreed)
    tell(f"a prompt of {runs[0].tokens} tokens, 50 million weights", devices, runs[0].prompt, runs[1].prompt, agreed)
    return tell("one more token, 50 million weights", devices, runs[0].step, runs[1].step, agreed)


class Stepped(NamedTuple):
    """Milliseconds of a prompt and of a step behind it, and the logits of the last step."""

    tokens: int
    prompt: float
    step: float
    logits: Any


def stepped(model: LocalModel) -> Stepped:
    """A picture's features as the prompt, twice, then the same word again and again."""
    rows = model._features(model._input(noise(PICTURE, PICTURE, 1)))[None]
    places = np.tile(np.arange(rows.shape[1]), (3, 1))
    word = model._embedded([7])
    decoder, length = model._decoder, rows.shape[1]
    (_, (logits, past)), prompt = timed(lambda _: decoder._step(rows, places, decoder._empty(), length), range(2))
    took = []
    for place in range(length, length + STEPS):
        started = time.perf_counter()
        logits, past = decoder._step(word, np.full((3, 1), place), past, place + 1)
        took.append((time.perf_counter() - started) * 1000)
    return Stepped(length, prompt, statistics.median(took), logits)


def genai(devices: Devices) -> bool:
    """The tiny model in a folder of onnxruntime-genai, where that is installed."""
    if find_spec("onnxruntime_genai") is None:
        print("onnxruntime-genai is not installed; its folders are left out", file=sys.stderr)
        return True
    pictures = [noise(24, 16, seed) for seed in range(ROUNDS + 1)]
    with tempfile.TemporaryDirectory() as folder:
        write_genai_folder(Path(folder) / "tiny")
        models = [open_model(Path(folder) / "tiny", device) for device in devices]
        said = [timed(partial(sixteen_tokens, model), pictures) for model in models]
    return tell("sixteen tokens of a tiny model (genai)", devices, said[0][1], said[1][1], said[0][0] == said[1][0])


def timed(work: Callable[[Any], Any], inputs: Sequence[Any]) -> tuple[list[Any], float]:
    """What came of each input, and the median of milliseconds; the first, which warms up, is left out."""
    results, took = [], []
    for one in inputs:
        started = time.perf_counter()
        results.append(work(one))
        took.append((time.perf_counter() - started) * 1000)
    return results, statistics.median(took[1:])


def tell(what: str, devices: Devices, one: float, other: float, same: bool) -> bool:
    """Both times, the speed-up, and whether they agree."""
    print_figure(f"{what}, {devices.one}", round(one, 2), "ms", "", True)
    print_figure(f"{what}, {devices.other}", round(other, 2), "ms", "", True)
    print_figure(f"{what}, speed-up", round(one / other, 2), "times", "", True)
    print_figure(f"{what}, both agree", same, "", "true", same)
    return same


def noise(width: int, height: int, seed: int) -> Picture:
    """A picture of nothing."""
    return np.random.default_rng(seed).integers(0, 255, (height, width, 3)).astype(np.uint8)


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
