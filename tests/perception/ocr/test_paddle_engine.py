"""The engine that reads letters: its files, its threads, and what it spares the processor."""

from __future__ import annotations

import platform
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest

from perception.errors import ModelUnusable
from perception.images.image import Picture
from perception.ocr.paddle_engine import OCR_EXECUTOR, PaddleEngine, WidthBudget, model_files

MOST_OF_A_PICTURE = 84.0
"""MB that finding the text of a window takes for a moment: 76, with a second copy of the picture and more gaps in the heap 92."""
_WEIGH = """
import re
from pathlib import Path
import cv2, numpy as np
from perception.images.freed_memory import give_back_memory, keep_few_arenas
from perception.ocr.paddle_engine import PaddleEngine
keep_few_arenas()
picture = np.full((800, 1280, 3), 255, np.uint8)
for place in (1, 26):
    cv2.putText(picture, "Harbour office", (20, 30 * place), cv2.FONT_HERSHEY_SIMPLEX, 0.6, (20, 20, 20), 1, cv2.LINE_AA)
engine = PaddleEngine("cpu")
for _ in range(2):
    give_back_memory()
    Path("/proc/self/clear_refs").write_text("5")
    told = Path("/proc/self/status").read_text()
    assert len(engine.read(picture).txts) == 2
    most = re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1]
print((int(most) - int(re.search(r"VmRSS:\\s+(\\d+)", told)[1])) * 1024e-6)
"""


@pytest.fixture(scope="module")
def engine() -> PaddleEngine:
    return PaddleEngine("cpu")


def written(*lines: str) -> Picture:
    """Lines of letters, one under another."""
    picture = np.full((60 * len(lines) + 20, 900, 3), 255, np.uint8)
    for row, line in enumerate(lines):
        cv2.putText(picture, line, (20, 60 * row + 50), cv2.FONT_HERSHEY_SIMPLEX, 1, (20, 20, 20), 2, cv2.LINE_AA)
    return picture


def test_lines_read_side_by_side_keep_their_places_and_say_what_they_say_alone(engine: PaddleEngine) -> None:
    lines = ("Pier", "The evening ferry leaves at nine", "Bay 12", "Tickets are sold on board only", "Exit")
    read = engine.read(written(*lines))
    assert [text.replace(" ", "") for text in read.txts] == [line.replace(" ", "") for line in lines]
    middles = [np.asarray(corners)[:, 1].mean() for corners in read.boxes]
    assert middles == pytest.approx([40 + 60 * row for row in range(5)], abs=12)
    for line, score in zip(lines, read.scores, strict=True):
        alone = engine.read(written(line))
        assert [text.replace(" ", "") for text in alone.txts] == [line.replace(" ", "")]
        assert score == pytest.approx(alone.scores[0], abs=0.05)
    # A word's box is measured in its line, which was filled up to a width of its own.
    (first, _, box) = read.word_results[1][0]
    assert first == "The"
    assert 10 < min(x for x, _ in box) < max(x for x, _ in box) < 110


def test_a_line_is_read_as_it_is(engine: PaddleEngine) -> None:
    text, confidence = engine.read_line(written("Harbour office")[10:70])
    assert text.replace(" ", "") == "Harbouroffice"
    assert confidence > 0.8
    assert engine.read_line(np.full((48, 200, 3), 255, np.uint8))[0] == ""


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="the most memory is read from /proc")
def test_a_picture_takes_little_memory_besides_the_models() -> None:
    done = subprocess.run([sys.executable, "-c", _WEIGH], capture_output=True, text=True, check=True)
    assert float(done.stdout) < MOST_OF_A_PICTURE


@pytest.mark.skipif(sys.platform != "linux" or platform.machine() != "x86_64", reason="known there only")
def test_numbers_that_fade_out_count_as_nothing_in_the_engines_thread_alone() -> None:
    def denormal() -> float:
        return float(np.float32(1e-40) * np.float32(1))

    assert OCR_EXECUTOR.submit(denormal).result() == 0
    assert denormal() > 0


def test_a_model_that_is_missing_or_damaged_is_named_and_never_fetched(tmp_path: Path) -> None:
    table = tmp_path / "default_models.yaml"
    table.write_text(
        "a: x/PP-OCRv6_det_small.onnx\nSHA256: 00\nb: x/PP-OCRv6_rec_small.onnx\nSHA256: 00\n", encoding="utf-8"
    )
    with pytest.raises(ModelUnusable, match=r"PP-OCRv6_det_small.onnx.*missing.*SHA-256 00.*pip install"):
        model_files(tmp_path)
    (tmp_path / "models").mkdir()
    (tmp_path / "models" / "PP-OCRv6_det_small.onnx").write_bytes(b"cut off")
    with pytest.raises(ModelUnusable, match="damaged"):
        model_files(tmp_path)


def test_wide_lines_wait_for_one_another_and_a_line_wider_than_all_room_goes_alone() -> None:
    room, at_once, most = WidthBudget(100), [0], [0]
    gate = threading.Lock()

    def read(width: int) -> None:
        with room.taken(width):
            with gate:
                at_once[0] += width
                most[0] = max(most[0], at_once[0])
            time.sleep(0.01)
            with gate:
                at_once[0] -= width

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(read, (60, 60, 40, 40, 20, 60, 30)))
        assert 60 < most[0] <= 100
        most[0] = 0
        list(threads.map(read, (250, 60, 40)))
        assert most[0] == 250
