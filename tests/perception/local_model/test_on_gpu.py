"""On a CUDA device: the same words as on the CPU, and a cache that stays there. Off by default: `pytest -m gpu`."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from perception.local_model.local_model import LocalModel
from perception.local_model.opening import open_model
from tests.perception.local_model.reference import QUESTION, drawn
from tests.perception.local_model.tiny import WIDTH, Layout, write_folder
from tests.perception.local_model.tiny_genai import write_genai_folder

pytestmark = pytest.mark.gpu


@pytest.mark.parametrize("layout", ["qwen", "square", "tiles"])
def test_both_devices_say_the_same(tmp_path: Path, layout: Layout) -> None:
    write_folder(tmp_path / "m", layout)
    models = [LocalModel.load(tmp_path / "m", device=device) for device in ("cpu", "cuda")]
    assert models[1].device == "cuda"
    said = [model.answer([drawn(seed=3)], QUESTION, max_tokens=8).text for model in models]
    assert said[0] == said[1]


def test_the_cache_stays_on_the_device(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")
    decoder = LocalModel.load(tmp_path / "m", device="cuda")._decoder
    _, past = decoder._step(np.zeros((1, 3, WIDTH), np.float32), np.zeros((3, 3), np.int64), decoder._empty(), 3)
    assert {value.device_name() for value in past.values()} == {"cuda"}
    assert {tuple(value.shape())[2] for value in past.values()} == {3}


@pytest.mark.skipif(find_spec("onnxruntime_genai") is None, reason="onnxruntime-genai is not installed")
def test_a_folder_of_genai_runs_there_too(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "m")
    models = [open_model(tmp_path / "m", device) for device in ("cpu", "cuda")]
    assert models[1].device == "cuda"
    assert len({model.answer([drawn()], QUESTION, max_tokens=8).text for model in models}) == 1
