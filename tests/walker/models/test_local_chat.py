"""A folder with an exported model behind the walk's vision, as `--vision-folder` makes it."""

from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import msgspec
import numpy as np
import pytest

from perception.images.image import encode_picture
from tests.perception.local_model.tiny import write_folder
from tests.perception.local_model.tiny_genai import write_genai_folder
from tests.walker.cli.program import walker_here
from tests.walker.vision.test_endpoint_vision import request
from walker.doctor.vision_trial import examine_vision
from walker.models.local_chat import LocalChat
from walker.seams.chat import ChatFailure, ChatImage, ChatMessage, ChatReply, ChatRequest
from walker.settings import VisionSettings
from walker.vision.endpoint_vision import EndpointVision


def asked(tokens: int = 5) -> ChatRequest:
    image = ChatImage(data=encode_picture(np.zeros((16, 24, 3), np.uint8)), media_type="image/png", width=24, height=16)
    return ChatRequest(
        model="tiny", messages=(ChatMessage(role="user", content="What?", images=(image,)),), max_tokens=tokens
    )


async def test_a_folder_answers_like_an_endpoint(tmp_path: Path) -> None:
    write_folder(tmp_path / "tiny")
    chat = LocalChat(tmp_path / "tiny")
    first, second = await chat.complete(asked()), await chat.complete(asked())
    assert isinstance(first, ChatReply)
    assert first == second
    assert first.prompt_tokens > 6
    assert (first.finish == "length") == (first.completion_tokens == 5)
    assert chat.device in ("cpu", "cuda")


async def test_a_faulty_folder_fails_once_and_the_walk_goes_on(tmp_path: Path) -> None:
    chat = LocalChat(tmp_path / "nowhere")
    failure = await chat.complete(asked())
    assert isinstance(failure, ChatFailure)
    assert "no such folder" in failure.message
    vision = EndpointVision(chat, VisionSettings(name="nowhere"), "seed")
    look = await vision.look(request())
    assert look.answer == ""
    assert "no such folder" in look.notes[0]


@pytest.mark.skipif(find_spec("onnxruntime_genai") is None, reason="onnxruntime-genai is not installed")
async def test_a_prompt_that_does_not_fit_asks_for_a_smaller_picture(tmp_path: Path) -> None:
    write_genai_folder(tmp_path / "tiny")
    chat = LocalChat(tmp_path / "tiny")
    long = ChatRequest(model="tiny", messages=(ChatMessage(role="user", content="x" * 600),), max_tokens=5)
    failure = await chat.complete(long)
    assert isinstance(failure, ChatFailure)
    assert failure.kind == "too_long"
    schema = {"type": "object", "properties": {"n": {"enum": [1, 2]}}, "required": ["n"], "additionalProperties": False}
    reply = await chat.complete(msgspec.structs.replace(asked(40), schema=schema))
    assert isinstance(reply, ChatReply)
    assert json.loads(reply.text)["n"] in (1, 2), "held to the request's schema"


async def test_a_model_that_says_nonsense_is_not_believed(tmp_path: Path) -> None:
    write_folder(tmp_path / "tiny")
    vision = EndpointVision(LocalChat(tmp_path / "tiny"), VisionSettings(name="tiny", reply_tokens=8), "seed")
    look = await vision.look(request())
    assert look.answer == ""
    assert look.notes


async def test_the_doctor_says_that_it_cannot_read(tmp_path: Path) -> None:
    write_folder(tmp_path / "tiny")
    checks = await examine_vision(VisionSettings(name="tiny", folder=str(tmp_path / "tiny")))
    assert (checks[0].name, checks[0].ok) == ("vision", False)
    assert "was shown" in checks[0].detail
    assert (checks[-1].name, checks[-1].advice) == ("vision device", "")


async def test_the_doctor_says_which_file_could_not_be_opened(tmp_path: Path) -> None:
    write_folder(tmp_path / "tiny")
    (tmp_path / "tiny" / "onnx" / "decoder_model_merged_q4.onnx").write_bytes(b"of operators that are not there")
    checks = await examine_vision(VisionSettings(name="tiny", folder=str(tmp_path / "tiny")))
    assert checks[-1].detail in ("cpu", "cuda")
    assert checks[-1].detail == "cuda" or "decoder_model_merged.onnx was taken, on the CPU: " in checks[-1].advice


def test_a_folder_and_an_address_together_are_wrong_usage(tmp_path: Path) -> None:
    ended = walker_here(
        "ask",
        "http://127.0.0.1:9/",
        "What?",
        "--vision-folder",
        "x",
        "--vision-url",
        "http://127.0.0.1:9/",
        folder=tmp_path,
    )
    assert ended.code == 2
    assert "leave out --vision-url" in ended.err
