"""Model files that are missing, damaged or open where they should not."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from perception.errors import ModelUnusable
from perception.ocr import onnx_models
from perception.ocr.onnx_models import OnnxModel, check_file, has_cuda, load_cuda_libraries


@pytest.fixture
def identity(tmp_path: Path) -> Path:
    path = tmp_path / "identity.onnx"
    path.write_bytes(onnx_models._IDENTITY)
    return path


def test_a_whole_file_runs(identity: Path) -> None:
    model = OnnxModel(identity, sha256=hashlib.sha256(identity.read_bytes()).hexdigest(), device="cpu")
    assert model.run({"x": np.array([4.0], np.float32)})[0].tolist() == [4.0]
    assert model.inputs == {"x": ("tensor(float)", [1])}
    assert (model.outputs, model.device, model.notes) == (["y"], "cpu", [])


def test_a_file_that_is_missing_is_named_with_its_digest_and_its_source(tmp_path: Path) -> None:
    with pytest.raises(
        ModelUnusable, match=r"gone\.onnx: the model file is missing \(SHA-256 abc\)\. Get it again: pip install"
    ):
        check_file(tmp_path / "gone.onnx", "abc", "pip install it")


def test_a_file_that_was_changed_is_told_with_both_digests(identity: Path) -> None:
    with pytest.raises(ModelUnusable, match=r"damaged: its SHA-256 is [0-9a-f]{64}, not 00"):
        OnnxModel(identity, sha256="00")


def test_a_file_that_is_no_model_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "x.onnx").write_bytes(b"rubbish")
    with pytest.raises(ModelUnusable, match="cannot be opened") as told:
        OnnxModel(tmp_path / "x.onnx", device="cpu")
    assert "\n" not in str(told.value)


@pytest.mark.skipif(has_cuda(), reason="there is a GPU")
def test_cuda_that_was_asked_for_and_cannot_be_had_is_refused(identity: Path) -> None:
    with pytest.raises(ModelUnusable, match="CUDA was asked for"):
        OnnxModel(identity, device="cuda")
    assert OnnxModel(identity, device="auto").device == "cpu"


def test_packages_of_cuda_are_looked_for_without_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """ONNX Runtime prints each library that it misses; answers go to the same place."""
    (tmp_path / "nvidia").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    assert find_spec("nvidia") is not None
    load_cuda_libraries.cache_clear()
    load_cuda_libraries()
    has_cuda.cache_clear()
    assert has_cuda() in (True, False)
    assert capfd.readouterr().out == ""


def test_the_runtime_leaves_nothing_of_its_telemetry_in_the_users_folders(tmp_path: Path, identity: Path) -> None:
    read = (
        "import sys, pathlib; from perception.ocr.onnx_models import OnnxModel\n"
        "print(OnnxModel(pathlib.Path(sys.argv[1]), device='cpu').device)"
    )
    given = {**os.environ, "HOME": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    ended = subprocess.run(
        [sys.executable, "-c", read, str(identity)], env=given, capture_output=True, text=True, check=True
    )
    assert ended.stdout.strip() == "cpu"
    assert [path.name for path in tmp_path.rglob("*") if "onnx" in path.name.lower()] == [identity.name]
