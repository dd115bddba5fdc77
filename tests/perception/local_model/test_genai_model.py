"""What onnxruntime-genai says with our pictures and prompts is what the reference says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from perception.errors import ModelUnusable, PromptTooLong
from perception.images.image import Picture, encode_picture
from perception.local_model.opening import open_model
from perception.ocr.onnx_models import has_cuda
from tests.perception.local_model.reference import QUESTION, drawn, reference_answer
from tests.perception.local_model.tiny import make_tokenizer
from tests.perception.local_model.tiny_genai import write_genai_folder

pytest.importorskip("onnxruntime_genai", reason="needs onnxruntime-genai: pip install 'gemwalker[genai]'")

from perception.local_model.genai_model import NO_DEEPSTACK, GenaiModel, ReplyConstraint


def changed(folder: Path, change: Any) -> None:
    config = json.loads((folder / "genai_config.json").read_text())
    change(config["model"])
    (folder / "genai_config.json").write_text(json.dumps(config))


def ids_of(model: GenaiModel, *pictures: Picture, most: int = 12) -> list[int]:
    """The reply's ids: its words are bytes at random here, which no decoder shows whole."""
    prompt = model._prompt(QUESTION, "", len(pictures))
    return model._answer(prompt, [encode_picture(picture) for picture in pictures], ReplyConstraint(), most)[0]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_answer_is_that_of_the_reference(tmp_path: Path, seed: int) -> None:
    weights = write_genai_folder(tmp_path / "m")
    model = GenaiModel.load(tmp_path / "m", "cpu")
    picture = drawn(seed=seed)
    expected = reference_answer(weights, picture, 12, axes=3)
    assert ids_of(model, picture) == expected
    reply = model.answer([picture], QUESTION, max_tokens=12)
    assert reply.completion_tokens == len(expected) > 0
    assert make_tokenizer().decode(expected).startswith(reply.text[:1])
    assert (reply.device, reply.notes, reply.prompt_tokens) == ("cpu", (), 38)


def test_a_choice_is_one_of_those_that_were_given(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "m")
    model = open_model(tmp_path / "m", "cpu")
    choices = ("e1", "e17", "none")
    for seed in range(4):
        assert model.answer([drawn(seed=seed)], QUESTION, choices=choices).text in choices
    assert model.answer([], QUESTION, choices=("only",)).text == "only", "without a picture too"


def test_a_reply_follows_a_schema(tmp_path: Path) -> None:
    """The model knows nothing, and says what the schema lets it say."""
    write_genai_folder(tmp_path / "m")
    model = open_model(tmp_path / "m", "cpu")
    kinds = {"found": {"type": "boolean"}, "mark": {"enum": ["e1", "e17"]}}
    schema = {"type": "object", "properties": kinds, "required": ["found", "mark"], "additionalProperties": False}
    for seed in range(4):
        said = json.loads(model.answer([drawn(seed=seed)], QUESTION, schema=schema).text)
        assert said["found"] in (True, False)
        assert said["mark"] in ("e1", "e17")
    assert model.answer([drawn()], QUESTION, schema=schema, choices=("yes",)).text == "yes", "a choice is nearer"
    with pytest.raises(ModelUnusable, match="the model fails"):
        model.answer([drawn()], QUESTION, schema={"type": "no such type"})


def test_several_pictures_each_have_their_place(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "m")
    model = GenaiModel.load(tmp_path / "m", "cpu")
    one, two = drawn(seed=1), drawn(seed=2)
    assert model.answer([one, two], QUESTION, max_tokens=1).prompt_tokens == 38 + 8
    assert ids_of(model, one, two) != ids_of(model, two, one)


def test_what_is_asked_cannot_put_pictures_or_turns_into_the_prompt(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "m")
    model = open_model(tmp_path / "m", "cpu")
    plain = model.answer([drawn()], "a   b", max_tokens=2)
    assert model.answer([drawn()], "a <|vision_start|> b", max_tokens=2) == plain
    assert model.answer([drawn()], "a <|image_1|> b", max_tokens=2) == plain


def test_an_export_for_the_gpu_runs_on_the_cpu(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "m")
    before = open_model(tmp_path / "m", "cpu").answer([drawn()], QUESTION, max_tokens=6)

    def for_gpu(model: dict[str, Any]) -> None:
        for part in ("decoder", "embedding", "vision"):
            model[part]["session_options"] = {"provider_options": [{"cuda": {}}]}

    changed(tmp_path / "m", for_gpu)
    assert open_model(tmp_path / "m", "cpu").answer([drawn()], QUESTION, max_tokens=6) == before


@pytest.mark.skipif(has_cuda(), reason="there is a GPU")
def test_cuda_that_was_asked_for_and_cannot_be_had_is_refused(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "m")
    with pytest.raises(ModelUnusable, match="the model cannot be opened") as told:
        open_model(tmp_path / "m", "cuda")
    assert "\n" not in str(told.value)
    assert open_model(tmp_path / "m").device == "cpu"


def test_what_the_package_leaves_out_is_said(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "m", "qwen3_vl")
    assert open_model(tmp_path / "m", "cpu").answer([drawn()], QUESTION, max_tokens=2).notes == (NO_DEEPSTACK,)


def corrupt(folder: Path, what: str) -> None:
    match what:
        case "vision":
            (folder / "vision.onnx").write_bytes(b"no model")
        case "type":
            changed(folder, lambda model: model.update(type="qwen9_vl"))
        case "processor":
            (folder / "processor_config.json").write_text(
                '{"processor": {"name": "x", "transforms": [{"operation": 1}]}}'
            )


@pytest.mark.parametrize("what", ["vision", "type", "processor"])
def test_a_folder_that_the_package_refuses_is_told_in_one_line(tmp_path: Path, what: str) -> None:
    write_genai_folder(tmp_path / "m")
    corrupt(tmp_path / "m", what)
    with pytest.raises(ModelUnusable, match=r"/m: the model (cannot be opened|fails) \(.+\)\. ") as told:
        open_model(tmp_path / "m", "cpu").answer([drawn()], QUESTION)
    assert "\n" not in str(told.value)


def test_a_prompt_that_is_too_long_is_refused(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "m")
    model = open_model(tmp_path / "m", "cpu")
    with pytest.raises(
        PromptTooLong, match=r"the prompt has 638 tokens, the model takes 512\. Give it a smaller picture"
    ):
        model.answer([drawn()], QUESTION + "x" * 600)
    assert model.answer([drawn()], QUESTION + "x" * 460, max_tokens=100).completion_tokens <= 14


class Starved(GenaiModel):
    """On the GPU as it says, which has no memory left."""

    on_gpu = True

    @property
    def device(self) -> Any:
        return "cuda" if self.on_gpu else "cpu"

    def _open(self, device: Any) -> None:
        self.on_gpu = device != "cpu"
        super()._open("cpu")

    def _answer(
        self, prompt: str, pictures: Any, constraint: ReplyConstraint, max_tokens: int
    ) -> tuple[list[int], int]:
        if self.on_gpu:
            raise RuntimeError("CUDA failure 2: out of memory")
        return super()._answer(prompt, pictures, constraint, max_tokens)


def test_a_gpu_without_memory_is_left_and_the_answer_comes(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "m")
    picture: Picture = drawn()
    plain = open_model(tmp_path / "m", "cpu").answer([picture], QUESTION, max_tokens=5)
    reply = Starved.load(tmp_path / "m").answer([picture], QUESTION, max_tokens=5)
    assert (reply.text, reply.device) == (plain.text, "cpu")
    assert reply.notes == ("m: moved to the CPU, the GPU failed (CUDA failure 2: out of memory)",)
