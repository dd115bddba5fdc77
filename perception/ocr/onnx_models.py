"""ONNX models: verified by digest, opened on the GPU where there is one, with fallback to the CPU where it fails."""

from __future__ import annotations

import ctypes
import hashlib
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from functools import cache
from importlib.util import find_spec
from io import StringIO
from pathlib import Path
from typing import Any, Literal

import numpy as np

from perception.errors import ModelUnusable

Device = Literal["auto", "cpu", "cuda"]
Arrays = Mapping[str, np.ndarray[Any, Any]]
SessionFactory = Callable[[bytes | str, Any, list[str]], Any]

CUDA, CPU = "CUDAExecutionProvider", "CPUExecutionProvider"
_SILENT = 4
"""Severity from which ONNX Runtime writes to the terminal; failures are reported by us. `log_severity_level` alone does not
silence the loader of a missing CUDA library."""


ELEMENT_TYPES: dict[str, Any] = {
    "tensor(float)": np.float32,
    "tensor(float16)": np.float16,
    "tensor(int64)": np.int64,
    "tensor(int32)": np.int32,
    "tensor(bool)": np.bool_,
    "tensor(uint8)": np.uint8,
}
"""ONNX Runtime's type names of inputs to NumPy's."""


def keep_no_telemetry() -> None:
    """ONNX Runtime from 1.31 on begins its telemetry when it is imported: a device id and a database in the user's cache folder, and a
    thread that may send them. It looks for this variable, once."""
    os.putenv("ORT_DISABLE_TELEMETRY", "1")


@cache
def runtime() -> Any:
    """ONNX Runtime, imported on first use (0.2 s), and kept from writing to the terminal and from its telemetry."""
    keep_no_telemetry()
    import onnxruntime  # noqa: PLC0415 - as the docstring says

    onnxruntime.set_default_logger_severity(_SILENT)
    return onnxruntime


@cache
def runtime_errors() -> tuple[type[Exception], ...]:
    """The exception classes of ONNX Runtime, which have no common base class."""
    states = runtime().capi.onnxruntime_pybind11_state
    named = [getattr(states, name, None) for name in _ERROR_NAMES]
    return (RuntimeError, ValueError, TypeError, *(kind for kind in named if isinstance(kind, type)))


@cache
def load_cuda_libraries() -> None:
    """Load CUDA and cuDNN where they were installed as packages (extra `cuda`): the system's loader does not find them there.

    ONNX Runtime prints missing libraries; whether there is a GPU is found out by trying.
    """
    if hasattr(runtime(), "preload_dlls") and find_spec("nvidia") is not None:
        with redirect_stdout(StringIO()):
            runtime().preload_dlls()


class OnnxModel:
    """One ONNX model, ready to run. `device` says where it runs, `notes` what was done about a failed GPU."""

    def __init__(
        self,
        path: Path,
        *,
        sha256: str = "",
        source: str = "",
        device: Device = "auto",
        threads: int = 0,
        make_session: SessionFactory | None = None,
    ) -> None:
        """Open a file. `sha256` is its expected digest, "" for any; `source` says where to get it again.

        `device="cuda"` refuses to run elsewhere; "auto" takes the CPU where CUDA is not available. `threads` 0 is ONNX
        Runtime's default. Raises `ModelUnusable`.
        """
        self.path = path
        self.notes: list[str] = []
        self._source, self._strict, self._threads = source, device == "cuda", threads
        self._make = make_session or _session
        check_file(path, sha256, source)
        wants_gpu = device == "cuda" or (device == "auto" and has_cuda())
        self.session = self._open([CUDA, CPU] if wants_gpu else [CPU])
        if self._strict and self.device != "cuda":
            raise ModelUnusable(
                "CUDA was asked for and is not available",
                where=str(path),
                advice="See `walker doctor`, or use device=auto",
            )

    @property
    def device(self) -> Literal["cpu", "cuda"]:
        """Where it runs now, by the session's providers, not by what was asked for."""
        return "cuda" if CUDA in self.session.get_providers() else "cpu"

    @property
    def may_leave_gpu(self) -> bool:
        """Whether it runs on a GPU and may fall back to the CPU."""
        return self.device == "cuda" and not self._strict

    @property
    def inputs(self) -> dict[str, tuple[str, list[Any]]]:
        """Name to element type and shape; a dynamic dimension is a name or None."""
        return {value.name: (value.type, value.shape) for value in self.session.get_inputs()}

    @property
    def outputs(self) -> list[str]:
        """Names of the outputs, in the file's order."""
        return [value.name for value in self.session.get_outputs()]

    def run(self, feeds: Arrays, wanted: Sequence[str] | None = None) -> list[np.ndarray[Any, Any]]:
        """Run once; outputs in the order of `wanted`, else the file's. If the GPU fails, falls back to the CPU for good."""
        try:
            return list(self.session.run(wanted, dict(feeds)))
        except runtime_errors() as error:
            if not self.may_leave_gpu:
                raise
            self.leave_gpu(error)
            return list(self.session.run(wanted, dict(feeds)))

    def allow_cpu(self) -> None:
        """Let a model that was opened with `device="cuda"` fall back to the CPU if the GPU fails later."""
        self._strict = False

    def leave_gpu(self, error: BaseException) -> None:
        """Reopen the model on the CPU, and note why."""
        self.session = self._open([CPU])
        self.notes.append(f"{self.path.name}: moved to the CPU, the GPU failed ({brief(error)})")

    def _open(self, providers: list[str]) -> Any:
        options = session_options(self._threads)
        if CUDA in providers:
            load_cuda_libraries()
        try:
            return self._make(str(self.path), options, providers)
        except runtime_errors() as error:
            if CUDA in providers and not self._strict:
                self.notes.append(f"{self.path.name}: opened on the CPU, the GPU failed ({brief(error)})")
                return self._open([CPU])
            raise ModelUnusable(
                f"the model cannot be opened ({brief(error, self.path.parent)})",
                where=str(self.path),
                advice=_get_again(self._source),
            ) from None


def session_options(threads: int = 0) -> Any:
    """Options for a session of so many threads, 0 for ONNX Runtime's default, without spin waiting: by default idle threads spin,
    and OCR then takes four times as long where other processes need the cores (29 s and 116 s for nine screenshots on two busy
    cores), and is no faster on an idle machine."""
    options = runtime().SessionOptions()
    options.log_severity_level = _SILENT
    options.intra_op_num_threads = threads
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    return options


def check_file(path: Path, sha256: str = "", source: str = "") -> None:
    """Raise `ModelUnusable` for a file that is missing, or whose digest differs."""
    if not path.is_file():
        expected = f"the model file is missing (SHA-256 {sha256})" if sha256 else "the model file is missing"
        raise ModelUnusable(expected, where=str(path), advice=_get_again(source))
    if sha256:
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != sha256:
            raise ModelUnusable(
                f"the model file is damaged: its SHA-256 is {found}, not {sha256}",
                where=str(path),
                advice=_get_again(source),
            )


@cache
def has_cuda() -> bool:
    """Whether a CUDA session can be opened. ONNX Runtime lists the provider even without a GPU, so one is tried."""
    if CUDA not in runtime().get_available_providers() or not _has_driver():
        return False
    load_cuda_libraries()
    try:
        session = runtime().InferenceSession(_IDENTITY, providers=[CUDA, CPU])
    except runtime_errors():
        return False
    return CUDA in session.get_providers()


def _has_driver() -> bool:
    """Whether NVIDIA's driver may be here; without it trying costs 9 MB for the provider's library."""
    if sys.platform != "linux":
        return True
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


def _session(path: bytes | str, options: Any, providers: list[str]) -> Any:
    return runtime().InferenceSession(path, options, providers=providers)


def session_without_arena(path: bytes | str, options: Any, providers: list[str]) -> Any:
    """A session that keeps nothing of what a run took; by default as much as the largest run took is kept for the next."""
    options.enable_cpu_mem_arena = False
    return _session(path, options, providers)


def _get_again(source: str) -> str:
    return f"Get it again: {source}" if source else "Give the path of an undamaged model file"


def brief(error: BaseException, folder: Path | None = None) -> str:
    """An error's message in one line of at most 300 characters; without the path of the folder, which is reported anyway."""
    said = " ".join(str(error).split())
    return (said.replace(f"{folder}/", "") if folder is not None else said)[:300]


_ERROR_NAMES = (
    "EPFail", "EngineError", "Fail", "InvalidArgument", "InvalidGraph", "InvalidProtobuf", "ModelLoaded", "NoModel", "NoSuchFile",
    "NotImplemented", "RuntimeException",
)  # fmt: skip
_IDENTITY = bytes.fromhex(
    "08083a370a100a017812017922084964656e746974791201675a0f0a0178120a0a08080112040a020801"
    "620f0a0179120a0a08080112040a02080142040a00100d"
)
"""The smallest model: y = x for one float, operator set 13."""
