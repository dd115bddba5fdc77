"""Folders of onnxruntime-genai are looked through before the package is asked, and need it only then."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from perception.errors import MissingPackage, ModelUnusable
from perception.local_model.genai_folder import is_genai_folder, read_genai_folder
from perception.local_model.genai_model import genai
from perception.local_model.opening import open_model
from tests.perception.local_model.tiny import write_folder
from tests.perception.local_model.tiny_genai import write_genai_folder


def test_what_is_in_a_folder(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "m")
    folder = read_genai_folder(tmp_path / "m")
    assert (folder.kind, folder.context, folder.ends) == ("qwen2_5_vl", 512, (257,))
    assert folder.words == {"eos_token": "<|im_end|>"}
    assert folder.marks[0] == "<|vision_start|>", "the longest first"
    assert folder.providers == {"decoder": (), "embedding": (), "vision": ()}
    assert "<|vision_start|>" in folder.template


def test_a_folder_is_told_by_its_config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_genai_folder(tmp_path / "m")
    write_folder(tmp_path / "plain")
    assert is_genai_folder(tmp_path / "m")
    assert not is_genai_folder(tmp_path / "plain")
    monkeypatch.setitem(sys.modules, "onnxruntime_genai", None)
    assert open_model(tmp_path / "plain", "cpu").device == "cpu", "the package is not wanted for it"


@pytest.mark.parametrize(
    "name", ["vision.onnx", "embedding.onnx", "text.onnx", "tokenizer.json", "processor_config.json"]
)
def test_a_file_that_is_missing_is_named(tmp_path: Path, name: str) -> None:
    write_genai_folder(tmp_path / "m")
    (tmp_path / "m" / name).unlink()
    with pytest.raises(
        ModelUnusable, match=rf"{name}: the file is missing\. Give the folder that onnxruntime-genai"
    ) as told:
        open_model(tmp_path / "m", "cpu")
    assert "\n" not in str(told.value)


def test_a_text_model_is_refused(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "m")
    config = json.loads((tmp_path / "m" / "genai_config.json").read_text())
    del config["model"]["vision"]
    (tmp_path / "m" / "genai_config.json").write_text(json.dumps(config))
    with pytest.raises(
        ModelUnusable, match=r"genai_config\.json: it has no model\.vision: this is not a supported vision model"
    ):
        open_model(tmp_path / "m", "cpu")
    (tmp_path / "m" / "genai_config.json").write_text("{")
    with pytest.raises(ModelUnusable, match=r"genai_config\.json: it is not JSON"):
        open_model(tmp_path / "m", "cpu")


def test_odd_values_are_left_out(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "m")
    config = json.loads((tmp_path / "m" / "genai_config.json").read_text())
    config["model"] |= {"eos_token_id": "x", "context_length": None}
    config["model"]["vision"]["session_options"] = [1]
    (tmp_path / "m" / "genai_config.json").write_text(json.dumps(config))
    (tmp_path / "m" / "tokenizer.json").write_text('{"added_tokens": -1}')
    (tmp_path / "m" / "chat_template.jinja").write_bytes(b"\xff{{")
    folder = read_genai_folder(tmp_path / "m")
    assert (folder.ends, folder.context, folder.marks, folder.providers["vision"]) == ((), 4096, (), ())


@pytest.mark.parametrize(
    ("package", "write", "words"),
    [
        (
            "onnxruntime_genai",
            write_genai_folder,
            r"onnxruntime-genai is not installed\. pip install 'gemwalker\[genai\]'",
        ),
        ("tokenizers", write_folder, r"tokenizers is not installed\. pip install 'gemwalker\[local\]'"),
    ],
)
def test_without_its_package_the_command_that_installs_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, write: Callable[[Path], object], words: str
) -> None:
    write(tmp_path / "m")
    monkeypatch.setitem(sys.modules, package, None)
    genai.cache_clear()
    with pytest.raises(MissingPackage, match=words) as told:
        open_model(tmp_path / "m", "cpu")
    assert "\n" not in str(told.value)
