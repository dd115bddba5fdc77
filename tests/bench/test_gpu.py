"""The comparison of GPU and CPU says so where there is no GPU, and is tried here with the CPU in both places."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from perception.ocr.onnx_models import has_cuda
from tests.architecture.source_tree import ROOT


def ran(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "bench" / "gpu.py"), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


@pytest.mark.skipif(has_cuda(), reason="there is a GPU")
def test_without_a_gpu_one_line_says_so() -> None:
    ended = ran()
    assert (ended.returncode, ended.stdout) == (0, "")
    assert ended.stderr == "no CUDA session can be had here; there is nothing to compare\n"


def test_each_kind_of_model_is_compared() -> None:
    ended = ran("--against", "cpu", "--only", "icons", "--only", "layouts", "--only", "genai")
    assert ended.returncode == 0, ended.stderr
    figures = [json.loads(line) for line in ended.stdout.splitlines()]
    agreements = {
        figure["figure"].removesuffix(", both agree")
        for figure in figures
        if figure["unit"] == "" and figure["value"] is True
    }
    wanted = {"64 icons", *(f"sixteen tokens of a tiny model ({name})" for name in ("qwen", "square", "tiles"))}
    assert wanted <= agreements
    assert all(figure["ok"] for figure in figures)
