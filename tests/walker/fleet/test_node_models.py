"""Models that the walks of a machine share, without a cluster: the real ones, asked by several at a time."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, cast

import cv2
import numpy as np
import pytest

from memory.retrieval import embed_texts
from perception.errors import ModelUnusable
from perception.geometry import Box, CoordinateFrame
from perception.icons.icon_reader import IconReader
from perception.images.image import Picture
from perception.ocr.ocr import Line, PaddleReader, TextReader
from tests.perception.local_model.tiny import write_folder
from tests.walker.models.test_local_chat import asked
from walker.errors import UsageError
from walker.fleet.borrowed_models import BorrowedModels
from walker.fleet.gathered import Full, Gathered
from walker.fleet.model_sharing import LentModels, ModelSharing, settings_of_models
from walker.fleet.node_models import NodeModels, Refused
from walker.fleet.ray_cluster import WorkerLost
from walker.models.local_chat import LocalChat
from walker.seams.chat import ChatFailure, ChatMessage, ChatReply, ChatRequest
from walker.seams.protocols import ChatModel
from walker.settings import ModelSettings, Settings, VisionSettings
from walker.vision.builtin_vision import IconNamer
from walker.vision.model_source import OwnModels

WORDS = ("Harbour Bakery", "Ticket 12.50", "Quiet Forest", "River Stone")
FRAME = CoordinateFrame(shown=Box(x=0, y=0, width=400, height=80), width=400, height=80)


def drawn(text: str) -> Picture:
    picture = np.full((80, 400, 3), 255, dtype=np.uint8)
    cv2.putText(picture, text, (20, 50), cv2.FONT_HERSHEY_SIMPLEX, 1.0, (20, 20, 20), 2, cv2.LINE_AA)
    return picture


def cross(size: int) -> Picture:
    picture = np.full((size, size, 3), 255, dtype=np.uint8)
    cv2.line(picture, (5, 5), (size - 6, size - 6), (0, 0, 0), 3, cv2.LINE_AA)
    cv2.line(picture, (size - 6, 5), (5, size - 6), (0, 0, 0), 3, cv2.LINE_AA)
    return picture


class Countable:
    """The real models, of which every batch is noted."""

    def __init__(self) -> None:
        self.reader = PaddleReader(device="cpu")
        self.namer = IconReader.load(embed_texts)
        self.opened: list[str] = []
        self.held = threading.Event()
        self.held.set()

    @property
    def name(self) -> str:
        return self.reader.name

    def read(self, picture: Picture, frame: CoordinateFrame) -> tuple[Line, ...]:
        assert self.held.wait(60)
        return self.reader.read(picture, frame)

    def text_reader(self) -> TextReader:
        self.opened.append("text")
        return self

    def icon_namer(self) -> IconNamer:
        self.opened.append("icons")
        return self.namer

    def picture_chat(self, folder: str) -> ChatModel:
        raise AssertionError(folder)


@pytest.fixture(scope="module")
def models() -> Countable:
    return Countable()


async def test_pictures_that_wait_at_the_same_time_are_one_batch_and_read_as_own_ocr_reads_them(
    models: Countable,
) -> None:
    shared = NodeModels(Settings(), models=models)
    own = [models.reader.read(drawn(text), FRAME) for text in WORDS]
    assert [line.text for lines in own for line in lines] == list(WORDS)
    pictures = [drawn(text) for text in (*WORDS, WORDS[0])]
    told = await asyncio.gather(*(shared.read("", picture, FRAME) for picture in pictures))
    assert told == [*own, own[0]]
    counts = await shared.counts()
    assert counts.pictures == 5
    assert counts.picture_batches <= 2, "the first may go alone"
    assert counts.pictures_read == 4, "the same picture once"


async def test_icons_of_several_walks_are_one_run_and_each_gets_its_own(models: Countable) -> None:
    shared = NodeModels(Settings(), models=models)
    crops = [(cross(32), drawn("x")), (cross(48),), (cross(24), cross(64), drawn("word"))]
    told = await asyncio.gather(*(shared.names("", ones) for ones in crops))
    for ones, guesses in zip(crops, told, strict=True):
        assert not isinstance(guesses, Refused)
        own = models.namer.read(ones)
        assert [[one.name for one in each] for each in guesses] == [[one.name for one in each] for each in own]
        for mine, theirs in zip(own, guesses, strict=True):
            assert [one.confidence for one in theirs] == pytest.approx([one.confidence for one in mine], abs=1e-4)
    queries = ("close", "search", "close")
    fits = await asyncio.gather(*(shared.fits("", ones, query) for ones, query in zip(crops, queries, strict=True)))
    for ones, query, scores in zip(crops, queries, fits, strict=True):
        assert scores == pytest.approx(models.namer.match(ones, query), abs=1e-4)
    assert (await shared.counts()).icon_batches <= 4


async def test_only_so_many_wait_and_who_is_refused_asks_again_until_it_is_read(
    models: Countable, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = NodeModels(Settings(), models=models)
    shared._pictures = Gathered(shared._read_all, at_once=1, most_waiting=1)
    loop, refused, has_refused = asyncio.get_running_loop(), [], threading.Event()

    def ask(method: str, *given: Any) -> Any:
        told = asyncio.run_coroutine_threadsafe(getattr(shared, method)(*given), loop).result(60)
        if isinstance(told, Refused):
            refused.append(told.kind)
            has_refused.set()
        return told

    readers = [await asyncio.to_thread(BorrowedModels(ask, models).text_reader) for _ in WORDS]
    models.held.clear()
    reading = [
        asyncio.ensure_future(asyncio.to_thread(reader.read, drawn(text), FRAME))
        for reader, text in zip(readers, WORDS, strict=True)
    ]
    assert await asyncio.to_thread(has_refused.wait, 60)
    models.held.set()
    told = await asyncio.gather(*reading)
    assert [line.text for lines in told for line in lines] == list(WORDS)
    assert set(refused) == {"full"}


def test_a_walk_whose_models_are_gone_goes_on_with_its_own(models: Countable) -> None:
    methods: list[str] = []

    def ask(method: str, *_: Any) -> Any:
        methods.append(method)
        if method == "reader_name":
            return models.name
        raise WorkerLost("killed")

    borrowed = BorrowedModels(ask, models)
    reader = borrowed.text_reader()
    assert [line.text for line in reader.read(drawn(WORDS[1]), FRAME)] == [WORDS[1]]
    assert borrowed.is_lost
    assert len(borrowed.icon_namer().read([cross(32)])) == 1
    assert methods == ["reader_name", "read"], "once it is gone nobody asks again"


async def test_ocr_that_cannot_be_had_there_is_told_as_if_it_were_here() -> None:
    class Nothing(Countable):
        def __init__(self) -> None:
            pass

        def text_reader(self) -> TextReader:
            raise ModelUnusable("the model file is damaged", advice="Get it again")

    shared = NodeModels(Settings(), models=Nothing())
    told = await shared.reader_name()
    assert told == Refused(kind="unusable", what="the model file is damaged. Get it again")
    with pytest.raises(ModelUnusable, match="damaged"):
        BorrowedModels(lambda *_: told, Nothing()).text_reader()


async def test_the_vision_model_of_a_folder_answers_all_walks_as_it_answers_one(tmp_path: Path) -> None:
    write_folder(tmp_path / "tiny")
    own = await LocalChat(tmp_path / "tiny").complete(asked())
    assert isinstance(own, ChatReply)
    settings = settings_of_models(Settings(vision=VisionSettings(name="tiny", folder=str(tmp_path / "tiny"))))
    shared, loop = NodeModels(settings), asyncio.get_running_loop()

    def ask(method: str, *given: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(getattr(shared, method)(*given), loop).result(60)

    chats = [BorrowedModels(ask, OwnModels(settings)).picture_chat("") for _ in range(3)]
    assert await asyncio.gather(*(chat.complete(asked()) for chat in chats)) == [own] * 3


async def test_a_vision_model_whose_folder_is_not_there_fails_its_calls_there_too() -> None:
    shared = NodeModels(settings_of_models(Settings(vision=VisionSettings(name="m", folder="/nowhere"))))
    request = ChatRequest(model="m", messages=(ChatMessage(role="user", content="What is this?"),))
    told = await shared.complete("", request)
    assert isinstance(told, ChatFailure)
    assert "/nowhere" in told.message


async def test_a_batch_that_fails_fails_all_of_it_and_the_next_goes_on() -> None:
    def run(asked: Sequence[int]) -> list[int]:
        if 0 in asked:
            raise ValueError("zero")
        return [one * 2 for one in asked]

    gathered = Gathered(run, at_once=8, most_waiting=3)
    first = asyncio.ensure_future(gathered.answer(0))
    with pytest.raises(ValueError, match="zero"):
        await first
    assert await asyncio.gather(*map(gathered.answer, (1, 2, 3))) == [2, 4, 6]
    with pytest.raises(Full):
        await asyncio.gather(*map(gathered.answer, range(1, 9)))


def test_models_travel_without_any_secret() -> None:
    settings = Settings(
        model=ModelSettings(name="m", key="sk-1"), vision=VisionSettings(name="v", key="sk-2", folder="/v"), ocr="none"
    )
    sent = settings_of_models(settings)
    assert (sent.ocr, sent.vision.folder if sent.vision else "", sent.model) == ("none", "/v", None)
    assert "sk-" not in repr(sent)


def test_machines_with_a_gpu_share_by_default_and_ask_for_a_part_of_it() -> None:
    laptop, node = {"CPU": 8.0}, {"CPU": 8.0, "GPU": 1.0}
    sharing = ModelSharing(gpu=0.5)
    assert [sharing.shares_on(one) for one in (laptop, node)] == [False, True]
    assert [sharing.gpu_on(one) for one in (laptop, node)] == [0.0, 0.5]
    assert [ModelSharing(when="always").shares_on(one) for one in (laptop, node)] == [True, True]
    assert [ModelSharing(when="never").shares_on(one) for one in (laptop, node)] == [False, False]


class OtherVersion:
    """A cluster with one machine, which has another version of Walker."""

    def __init__(self) -> None:
        self.called: list[str] = []

    async def call(self, worker: Any, method: str, *arguments: Any) -> Any:
        self.called.append(method)
        return "machine-1"

    def resources_of(self, node: str) -> Mapping[str, float]:
        return {}

    async def beside(self, kind: type[Any], *arguments: Any, node: str, memory: int, gpu: float) -> Any:
        raise UsageError("it has another version")


async def test_models_that_did_not_begin_are_asked_for_no_spans() -> None:
    cluster = OtherVersion()
    lent = LentModels(cast(Any, cluster), ModelSharing(when="always"), Settings(), "http://127.0.0.1:9")
    with pytest.raises(UsageError):
        await lent.lend_to("a worker")
    await lent.send_spans()
    assert cluster.called == ["machine"]
