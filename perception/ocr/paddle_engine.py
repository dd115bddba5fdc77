"""PP-OCR models on ONNX Runtime, through `rapidocr` (weights inside its package), with the settings that cost least."""

from __future__ import annotations

import ctypes
import dataclasses
import platform
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from typing import Any

import numpy as np

from perception.errors import MissingPackage, ModelUnusable
from perception.images.image import Picture
from perception.ocr.onnx_models import CPU, Device, check_file, has_cuda, runtime, session_options

DETECT_SIDE = 960
"""Longest side in pixels at which text is detected. PP-OCR's own rule (shortest side at least 736) enlarges a crop of 300 x 100
and costs twenty times as much, for no additional word (PERCEPTION section 4)."""
MOST_SIDE = 5120
"""Longest side in pixels from which rapidocr scales a picture down."""
BOX_SCORE = 0.3
"""Least detection score of a text box. PP-OCR's 0.5 misses a short line on an otherwise empty page."""
LEAST_CONFIDENCE = 0.5
LEAST_LINE_WIDTH = 160
"""Pixels to which a shorter line is padded, at the recogniser's height of 48. rapidocr's 320 takes twice as long for no
additional word; at 128 one in a thousand is lost."""

LINE_HEIGHT = 48
"""Pixels of height to which the recogniser scales a line."""
WIDTH_AT_ONCE = 2000
"""Pixels of width of the lines that are recognised at a time, each scaled to the recogniser's height: a pixel costs 38 kB, most of
it for the chances of 18,710 signs at each place."""

_FLUSH_TO_ZERO = 0x8040
"""Flush-to-zero and denormals-are-zero in MXCSR (Intel 64 manual, volume 1, section 10.2.3)."""
_MXCSR = 7
"""Its index in `fenv_t` on Linux, in 32-bit words."""


def _flush_denormals_to_zero() -> None:
    """Flush denormals to zero in this thread: on blank areas the detector's activations fall below 1e-38, and such arithmetic is
    so slow that detection takes twice as long. ONNX Runtime can do this in its own threads, but not in the calling one."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return
    try:
        library = ctypes.CDLL("libm.so.6")
    except OSError:
        return
    state = (ctypes.c_uint32 * 16)()
    if library.fegetenv(state) == 0:
        state[_MXCSR] |= _FLUSH_TO_ZERO
        library.fesetenv(state)


OCR_EXECUTOR = ThreadPoolExecutor(1, "ocr", initializer=_flush_denormals_to_zero)
"""The thread that runs the models: a separate one, so that floating-point arithmetic elsewhere is unchanged."""


class PaddleEngine:
    """The text detector and the text recogniser."""

    def __init__(self, device: Device = "auto", threads: int = 2) -> None:
        """Load the models (0.6 s). Raises `MissingPackage` or `ModelUnusable`."""
        self.device = "cuda" if device == "cuda" or (device == "auto" and has_cuda()) else "cpu"
        self._engine: Any = OCR_EXECUTOR.submit(_open, self.device, threads).result()

    def read(self, picture: Picture) -> Any:
        """The result of rapidocr: `boxes` (corners in pixels), `txts`, `scores`, `word_results`; each None without a line."""
        return self._run(picture, detect=True)

    def read_line(self, picture: Picture) -> tuple[str, float]:
        """Text and confidence of a picture that is one line."""
        read = self._run(picture, detect=False)
        return (str(read.txts[0]), float(read.scores[0])) if read.txts else ("", 0.0)

    def _run(self, picture: Picture, *, detect: bool) -> Any:
        # All switches every time: an omitted one keeps the value of the previous call.
        switches = {"use_det": detect, "use_cls": False, "use_rec": True, "return_word_box": detect}
        return OCR_EXECUTOR.submit(self._engine, picture, **switches).result()


@cache
def _open(device: str, threads: int) -> Any:
    try:
        import rapidocr  # noqa: PLC0415 - an extra, and it takes 0.5 s
    except ImportError:
        raise MissingPackage(
            "the package rapidocr is not installed, so there is no OCR",
            advice="pip install 'gemwalker[ocr]'",
        ) from None
    models = model_files(Path(rapidocr.__file__).parent)
    options: dict[str, Any] = {
        "Det.limit_type": "max",
        "Det.limit_side_len": DETECT_SIDE,
        "Det.box_thresh": BOX_SCORE,
        "Global.use_cls": False,
        # All lines of a batch are padded to the widest: one by one a page takes a fifth less time.
        "Rec.rec_batch_num": 1,
        "Rec.rec_img_shape": [3, LINE_HEIGHT, LEAST_LINE_WIDTH],
        "Global.log_level": "critical",
        "Global.text_score": LEAST_CONFIDENCE,
        "Global.max_side_len": MOST_SIDE,
        "EngineConfig.onnxruntime.intra_op_num_threads": threads,
        "EngineConfig.onnxruntime.use_cuda": device == "cuda",
        **{f"{part}.model_path": str(path) for part, path in models.items()},
    }
    engine = rapidocr.RapidOCR(params=options)
    if device == "cpu":
        _give_sessions(engine, models, threads)
    return engine


def _give_sessions(engine: Any, models: dict[str, Path], threads: int) -> None:
    """Replace rapidocr's sessions: it has no setting for spin waiting. A second thread makes one line only a tenth faster, so each
    line gets one thread, and as many lines are recognised in parallel as there are threads."""
    from omegaconf import flag_override  # noqa: PLC0415 - rapidocr's own, and as optional

    with flag_override(engine.cfg, "allow_objects", True):
        for part, path in models.items():
            options = session_options(1 if part == "Rec" else threads)
            options.enable_cpu_mem_arena = False  # as rapidocr sets it
            # A plan of memory is kept for each size of picture, and there are as many sizes as pictures.
            options.enable_mem_pattern = False
            options.add_session_config_entry("session.set_denormal_as_zero", "1")
            engine.cfg[part].session = runtime().InferenceSession(str(path), options, providers=[CPU])
    # rapidocr has no other way to either.
    engine.text_rec = _ParallelRecogniser(engine._load_rec_model(), threads)  # noqa: SLF001
    detector = engine._load_det_model()  # noqa: SLF001
    detector.get_preprocess = partial(_InOneOrder, detector.get_preprocess())


class _InOneOrder:
    """rapidocr's preparation of a picture for its detector, in the order that ONNX Runtime takes: of any other it makes a copy, which
    lies beside the first while text is detected (7 MB each)."""

    def __init__(self, prepare: Callable[[Picture], Any]) -> None:
        self._prepare = prepare

    def __call__(self, picture: Picture) -> Any:
        prepared = self._prepare(picture)
        return None if prepared is None else np.ascontiguousarray(prepared)


class _ParallelRecogniser:
    """rapidocr's recogniser, on several lines in parallel; the widest first, so that it is not the last to finish."""

    def __init__(self, recogniser: Any, threads: int) -> None:
        self._recogniser = recogniser
        self._threads = ThreadPoolExecutor(threads, "lines", initializer=_flush_denormals_to_zero)
        self._room = WidthBudget(WIDTH_AT_ONCE)

    def __call__(self, asked: Any) -> Any:
        lines = asked.img if isinstance(asked.img, list) else [asked.img]
        if len(lines) < 2:
            return self._recogniser(asked)
        widest = sorted(range(len(lines)), key=lambda place: _read_width(lines[place]), reverse=True)
        begun: dict[int, Future[Any]] = {
            place: self._threads.submit(self._one, dataclasses.replace(asked, img=[lines[place]]), lines[place])
            for place in widest
        }
        read = [begun[place].result() for place in range(len(lines))]
        return dataclasses.replace(
            read[0],
            imgs=lines,
            txts=tuple(line.txts[0] for line in read),
            scores=tuple(line.scores[0] for line in read),
            word_results=tuple(line.word_results[0] for line in read),
            elapse=sum(line.elapse for line in read),
        )

    def _one(self, asked: Any, line: Picture) -> Any:
        with self._room.taken(_read_width(line)):
            return self._recogniser(asked)


def _read_width(line: Picture) -> int:
    """Pixels of a line's width as it is recognised."""
    return int(LINE_HEIGHT * line.shape[1] / max(1, line.shape[0]))


class WidthBudget:
    """Lets work of a total width run at a time; what is wider than that runs alone."""

    def __init__(self, most: int) -> None:
        self._most, self._used = most, 0
        self._freed = threading.Condition()

    @contextmanager
    def taken(self, width: int) -> Iterator[None]:
        """Wait for room for so many pixels, and hold it."""
        with self._freed:
            self._freed.wait_for(lambda: not self._used or self._used + width <= self._most)
            self._used += width
        try:
            yield
        finally:
            with self._freed:
                self._used -= width
                self._freed.notify_all()


def model_files(package: Path) -> dict[str, Path]:
    """Paths of the detector and the recogniser inside rapidocr's package, each verified by the digest in the package: rapidocr
    would download a missing file. Raises `ModelUnusable`."""
    table = (package / "default_models.yaml").read_text(encoding="utf-8").splitlines()
    files = {}
    for part, name in (("Det", "PP-OCRv6_det_small.onnx"), ("Rec", "PP-OCRv6_rec_small.onnx")):
        at = next((number for number, line in enumerate(table) if line.rstrip().endswith(name)), -1)
        if at < 0 or at + 1 >= len(table) or "SHA256:" not in table[at + 1]:
            raise ModelUnusable(
                f"this version of rapidocr has no {name}", where=str(package), advice="pip install 'gemwalker[ocr]'"
            )
        path = package / "models" / name
        check_file(path, table[at + 1].split("SHA256:")[1].strip(), "pip install --force-reinstall --no-deps rapidocr")
        files[part] = path
    return files
