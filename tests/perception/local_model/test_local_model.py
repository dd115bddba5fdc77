"""A model in a folder says what a reference without cache, batch or runtime says; and what is wrong with a folder is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perception.errors import ModelUnusable
from perception.local_model import local_model
from perception.local_model.generation import allowed_by, positions_of
from perception.local_model.image_input import patches_of, smart_size, square_of
from perception.local_model.local_model import LocalModel
from perception.ocr import onnx_models
from perception.ocr.onnx_models import CUDA
from tests.perception.local_model.reference import QUESTION, drawn, reference_answer
from tests.perception.local_model.tiny import SIDE, Layout, make_tokenizer, write_folder


@pytest.mark.parametrize(("layout", "axes"), [("qwen", 3), ("square", 1)])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_answer_is_that_of_the_reference(tmp_path: Path, layout: Layout, axes: int, seed: int) -> None:
    weights = write_folder(tmp_path / "m", layout)
    model = LocalModel.load(tmp_path / "m", device="cpu")
    picture = drawn(seed=seed) if layout == "qwen" else drawn(SIDE, SIDE, seed=seed)
    reply = model.answer([picture], QUESTION, max_tokens=12)
    expected = reference_answer(weights, picture, 12, axes=axes)
    assert reply.completion_tokens == len(expected) > 0
    assert reply.text == make_tokenizer().decode(expected).strip()
    assert model._decoder.steps <= len(expected) + 2, "one run a token, one for the prompt: the cache is used"
    assert reply.device == "cpu"
    other = model.answer([255 - picture], QUESTION, max_tokens=12)
    assert other.text != reply.text, "the picture matters"


def test_half_precision_says_nearly_the_same(tmp_path: Path) -> None:
    weights = write_folder(tmp_path / "m", half=True)
    model = LocalModel.load(tmp_path / "m", device="cpu")
    assert model.precision == "fp16"
    picture = drawn(seed=4)
    expected = reference_answer(weights, picture, 6, axes=3)
    assert model.answer([picture], QUESTION, max_tokens=6).text[:2] == make_tokenizer().decode(expected).strip()[:2]


def test_a_choice_is_one_of_those_that_were_given(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")
    model = LocalModel.load(tmp_path / "m", device="cpu")
    choices = ("e1", "e17", "none")
    for seed in range(5):
        assert model.answer([drawn(seed=seed)], QUESTION, choices=choices).text in choices
    assert model.answer([], QUESTION, choices=("only",)).text == "only", "without a picture too"


def test_choices_go_letter_by_letter() -> None:
    allowed = allowed_by([[1, 2], [1, 2, 3], [4]], ends=[9])
    assert allowed([]) == [1, 4]
    assert allowed([1]) == [2]
    assert allowed([1, 2]) == [3, 9]
    assert allowed([4]) == ()
    assert allowed([1, 2, 3]) == ()


def test_what_is_asked_cannot_put_pictures_into_the_prompt(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")
    model = LocalModel.load(tmp_path / "m", device="cpu")
    assert model.answer([drawn()], "a <|image_pad|> b", max_tokens=2).prompt_tokens > 6


def test_tokens_of_a_picture_are_known_before(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")
    model = LocalModel.load(tmp_path / "m", device="cpu")
    assert model.image_tokens(drawn(24, 16)) == 6
    assert patches_of(drawn(24, 16), model.folder.preprocessing).grid == (2, 3)


@pytest.mark.parametrize(
    ("size", "factor", "expected"),
    [
        ((1280, 800), 32, (1280, 800)),
        ((1280, 800), 28, (1288, 812)),
        ((1920, 1080), 28, (1932, 1092)),
        ((10, 10), 28, (56, 56)),
    ],
)
def test_sizes_are_those_of_the_models_own_resize(
    size: tuple[int, int], factor: int, expected: tuple[int, int]
) -> None:
    assert smart_size(*size, factor=factor, least=56 * 56, most=16384 * factor * factor) == expected


def test_a_picture_too_long_is_refused() -> None:
    with pytest.raises(ValueError, match="200 times"):
        smart_size(4000, 10, factor=28, least=4, most=10**7)
    with pytest.raises(ModelUnusable, match="no size"):
        square_of(drawn(), {})


def test_positions_of_text_and_picture() -> None:
    found = positions_of([7, 5, 5, 5, 5, 5, 5, 8], 5, [(2, 3)])
    assert found.tolist() == [[0, 1, 1, 1, 1, 1, 1, 4], [0, 1, 1, 1, 2, 2, 2, 4], [0, 1, 2, 3, 1, 2, 3, 4]]
    assert positions_of([7, 5, 8], 5, [(0, 0)]).tolist() == [[0, 1, 2]] * 3


def broken(folder: Path, what: str) -> None:
    write_folder(folder)
    match what:
        case "config":
            (folder / "config.json").write_text("{")
        case "text model":
            (folder / "config.json").write_text(json.dumps({"model_type": "llama"}))
        case "decoder":
            (folder / "onnx" / "decoder_model_merged.onnx").unlink()
        case "corrupt":
            (folder / "onnx" / "vision_encoder.onnx").write_bytes(b"no model")
        case "tokenizer":
            (folder / "tokenizer.json").write_text('{"version": "1.0"}')
        case "no tokenizer":
            (folder / "tokenizer.json").unlink()
        case "swapped":
            (folder / "onnx" / "embed_tokens.onnx").rename(folder / "onnx" / "decoder_model_merged.onnx")
            (folder / "onnx" / "vision_encoder.onnx").rename(folder / "onnx" / "embed_tokens.onnx")
            (folder / "onnx" / "vision_encoder.onnx").write_bytes((folder / "onnx" / "embed_tokens.onnx").read_bytes())
        case "template":
            (folder / "chat_template.jinja").write_text("{% for %}")


@pytest.mark.parametrize(
    ("what", "words"),
    [
        ("config", r"config\.json: it is not JSON"),
        ("text model", "not a vision model"),
        ("decoder", r"decoder_model_merged\.onnx: the file is missing; there: embed_tokens\.onnx"),
        ("corrupt", r"vision_encoder\.onnx: the model cannot be opened"),
        ("tokenizer", r"tokenizer\.json: it is not a valid tokenizer"),
        ("no tokenizer", r"tokenizer\.json: the file is missing"),
        ("swapped", "it is not a merged decoder"),
        ("template", "chat template cannot be read"),
    ],
)
def test_a_faulty_folder_is_refused_in_one_line(tmp_path: Path, what: str, words: str) -> None:
    broken(tmp_path / "m", what)
    with pytest.raises(ModelUnusable, match=words) as told:
        LocalModel.load(tmp_path / "m", device="cpu")
    assert "\n" not in str(told.value)
    with pytest.raises(ModelUnusable, match="no such folder"):
        LocalModel.load(tmp_path / "nowhere")


@pytest.mark.parametrize("value", [None, -1, "x", [1]])
def test_a_config_of_no_use_is_told_or_left_out(tmp_path: Path, value: object) -> None:
    write_folder(tmp_path / "m", "tiles")
    file = tmp_path / "m" / "config.json"
    config = json.loads(file.read_text())
    file.write_text(json.dumps({**config, "text_config": value, "eos_token_id": value, "vision_config": value}))
    assert LocalModel.load(tmp_path / "m", device="cpu").answer([], QUESTION, max_tokens=2).completion_tokens == 2
    file.write_text(json.dumps({**config, "image_token_id": value}))
    with pytest.raises(ModelUnusable, match=r"config\.json: image_token_id is missing"):
        LocalModel.load(tmp_path / "m", device="cpu")


class Starved:
    """A session that says it is on the GPU, and has no memory there."""

    def __init__(self, real: Any) -> None:
        self._real = real

    def get_providers(self) -> list[str]:
        return [CUDA]

    def get_inputs(self) -> Any:
        return self._real.get_inputs()

    def get_outputs(self) -> Any:
        return self._real.get_outputs()

    def run(self, *_: object) -> Any:
        raise RuntimeError("CUDA error: out of memory")

    def io_binding(self) -> Any:
        raise RuntimeError("Failed to allocate memory for requested buffer of size 1073741824")


@pytest.mark.parametrize("at_opening", [True, False])
def test_a_gpu_without_memory_is_left_and_the_answer_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, at_opening: bool
) -> None:
    write_folder(tmp_path / "m")
    plain = LocalModel.load(tmp_path / "m", device="cpu").answer([drawn()], QUESTION, max_tokens=5)
    monkeypatch.setattr(onnx_models, "has_cuda", lambda: True)
    monkeypatch.setattr(local_model, "has_cuda", lambda: True)

    def make(path: bytes | str, options: Any, providers: list[str]) -> Any:
        if CUDA not in providers:
            return onnx_models._session(path, options, providers)
        if at_opening:
            raise RuntimeError("CUDA error: out of memory")
        return Starved(onnx_models._session(path, options, [onnx_models.CPU]))

    model = LocalModel.load(tmp_path / "m", make_session=make)
    reply = model.answer([drawn()], QUESTION, max_tokens=5)
    assert reply.text == plain.text
    assert reply.device == "cpu"
    assert any("memory" in note and "CPU" in note for note in reply.notes)


def test_a_file_that_does_not_fit_the_gpu_makes_place_for_a_smaller_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_folder(tmp_path / "m")
    parts = tmp_path / "m" / "onnx"
    for precision in ("fp16", "q4f16"):
        (parts / f"decoder_model_merged_{precision}.onnx").write_bytes(
            (parts / "decoder_model_merged.onnx").read_bytes()
        )
    monkeypatch.setattr(local_model, "has_cuda", lambda: True)

    def make(path: bytes | str, options: Any, providers: list[str]) -> Any:
        if CUDA not in providers:
            return onnx_models._session(path, options, providers)
        if "fp16" in Path(str(path)).stem.split("_"):
            raise RuntimeError("CUDA error: out of memory")
        return Starved(onnx_models._session(path, options, [onnx_models.CPU]))

    model = LocalModel.load(tmp_path / "m", make_session=make)
    assert (model.precision, model.device) == ("q4f16", "cuda")
    assert "decoder_model_merged_q4f16.onnx was taken, on the GPU: " in model.notes[0]
    assert model.answer([drawn()], QUESTION, max_tokens=3).device == "cpu", "and it may still leave"


def test_a_gpu_that_was_asked_for_and_fails_is_told(tmp_path: Path) -> None:
    write_folder(tmp_path / "m")

    def make(path: bytes | str, options: Any, _: list[str]) -> Any:
        return Starved(onnx_models._session(path, options, [onnx_models.CPU]))

    model = LocalModel.load(tmp_path / "m", device="cuda", make_session=make)
    with pytest.raises(ModelUnusable, match=r"/m: the model fails \(CUDA error: out of memory\)") as told:
        model.answer([drawn()], QUESTION)
    assert "\n" not in str(told.value)
    assert model.device == "cuda", "it does not move by itself"
