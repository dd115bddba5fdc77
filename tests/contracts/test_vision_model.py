"""One body for every implementation of the VisionModel seam."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path

import msgspec
import pytest

from perception.ocr.ocr import NoReader, PaddleReader
from tests.fixtures.paper import HOME, crew_for
from tests.perception.local_model.tiny import write_folder
from tests.walker.vision.test_endpoint_vision import request as look_request
from traces.manifest import RunManifest
from traces.store.recorder import Recorder
from walker.models.local_chat import LocalChat
from walker.recording.recording import Recording
from walker.recording.recording_proxies import with_recording
from walker.seams.chat import ChatFailure, ChatReply
from walker.seams.protocols import Look, VisionModel
from walker.settings import VisionSettings
from walker.testing.fakes import PaperSite, ScriptedChat
from walker.vision.builtin_vision import BuiltinVision
from walker.vision.endpoint_vision import EndpointVision

SEEN = json.dumps({"found": True, "answer": "47", "texts": ["47 boats"], "marks": [], "target": 1, "place": []})
NO_EYES = ChatFailure(kind="no_eyes", message="images are not supported")


def endpoint(said: str | ChatFailure | ChatReply) -> EndpointVision:
    return EndpointVision(ScriptedChat(lambda _: said), VisionSettings(name="qwen3-vl-8b"), "seed")


@pytest.fixture(params=["builtin", "builtin with letters", "endpoint", "endpoint without eyes", "folder", "recorded"])
def vision(request: pytest.FixtureRequest, tmp_path: Path) -> VisionModel:
    match request.param:
        case "builtin":
            return BuiltinVision(NoReader)
        case "builtin with letters":
            return BuiltinVision(PaddleReader)
        case "endpoint":
            return endpoint(SEEN)
        case "endpoint without eyes":
            return endpoint(NO_EYES)
        case "folder":
            write_folder(tmp_path / "tiny")
            return EndpointVision(LocalChat(tmp_path / "tiny"), VisionSettings(name="tiny", reply_tokens=8), "seed")
        case _:
            manifest = RunManifest(run_id="r", created=1.0, question="q", root_url=HOME)
            recorder = Recorder.create(tmp_path / "run", manifest, clock=time.time)
            edges = msgspec.structs.replace(crew_for(PaperSite({})), vision=endpoint(SEEN))
            return with_recording(edges, Recording(recorder=recorder)).vision


async def test_a_look_is_in_the_units_of_the_page_and_changes_nothing(vision: VisionModel) -> None:
    asked = look_request()
    encoded = msgspec.json.encode(asked)
    look = await vision.look(asked)
    assert 0 <= look.confidence <= 1
    assert look.model
    for seen in look.seen:
        assert 0 <= seen.confidence <= 1
    for box in look.boxes:
        assert asked.view.shown.share_in(box) or box.share_in(asked.view.shown) > 0.9
    assert msgspec.json.encode(asked) == encoded
    with pytest.raises(AttributeError):
        look.answer = "another"  # type: ignore[misc]


async def test_what_cannot_be_seen_is_an_empty_look(vision: VisionModel) -> None:
    view = look_request().view
    for picture in (b"", b"\x89PNG\r\n\x1a\n and no more"):
        look = await vision.look(look_request(view=msgspec.structs.replace(view, picture=picture)))
        assert isinstance(look, Look)
        assert (look.answer, look.confidence, look.boxes) == ("", 0.0, ())
        assert not picture or look.notes, "why"


async def test_looks_may_go_on_side_by_side(vision: VisionModel) -> None:
    one, other = await asyncio.gather(vision.look(look_request()), vision.look(look_request()))
    assert (one.seen, one.answer) == (other.seen, other.answer)
