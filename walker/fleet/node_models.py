"""The models of one machine, in a process of their own, for all walks there: OCR, reader of icons, vision model of a folder."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from importlib.metadata import version
from itertools import accumulate
from typing import Literal, TypeVar

import msgspec

from perception.errors import PerceptionError
from perception.geometry import CoordinateFrame
from perception.icons.icon_reader import IconGuess
from perception.images.freed_memory import give_back_memory, keep_few_arenas
from perception.images.image import Picture, content_key
from perception.ocr.ocr import Line, TextReader
from walker.fleet.gathered import Full, Gathered
from walker.fleet.memory_guard import MemoryGuard, most_for
from walker.fleet.walk_spans import Spans
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest
from walker.seams.protocols import ChatModel
from walker.settings import Settings
from walker.vision.builtin_vision import IconNamer
from walker.vision.model_source import ModelSource, OwnModels

PICTURES_AT_ONCE, ICON_REQUESTS_AT_ONCE = 8, 32
"""Requests of one batch. A picture takes a second or two of a core, and who comes later waits for all of the batch; crops of icons
take a millisecond each (`bench/fleet_models.py` prints batches)."""
_Asked = TypeVar("_Asked")
_Answer = TypeVar("_Answer")
Guesses = tuple[tuple[IconGuess, ...], ...]


class Refused(msgspec.Struct, frozen=True, kw_only=True):
    """Why there is no answer, as a value: errors with arguments of their own do not survive pickling."""

    kind: Literal["full", "unusable"]
    """`full`: ask again later. `unusable`: the model cannot be had, or has failed."""
    what: str = ""


class SharedCounts(msgspec.Struct, frozen=True, kw_only=True):
    """What was asked of the models of a machine so far."""

    pictures: int
    picture_batches: int
    pictures_read: int
    """Without those that were the same as another of their batch."""
    icons: int
    icon_batches: int


class NodeModels:
    """An actor. Each model is loaded when it is asked for first. Whatever fails is told as `Refused`; `trace` is the span that a
    request is a part of, "" for none."""

    def __init__(
        self, settings: Settings, most_memory: int = 0, endpoint: str = "", *, models: ModelSource | None = None
    ) -> None:
        """`settings` hold no secret: which OCR, and which folder. `most_memory` is in bytes, 0 for no limit; `endpoint` is
        the address of a collector of spans, "" for none; `models` are those of the settings by default."""
        keep_few_arenas()
        self._models = models or OwnModels(settings)
        self._folder = settings.vision.folder if settings.vision is not None else ""
        self._most_memory = most_memory
        self._spans = Spans(endpoint, "walker.models")
        self._reader: TextReader | None = None
        self._namer: IconNamer | None = None
        self._chat: ChatModel | None = None
        self._pictures = Gathered(self._read_all, at_once=PICTURES_AT_ONCE)
        self._icons = Gathered(self._name_all, at_once=ICON_REQUESTS_AT_ONCE)
        self._fits = Gathered(self._match_all, at_once=ICON_REQUESTS_AT_ONCE)
        self._read_pictures = 0

    async def ready(self) -> str:
        """The version of Walker here, once the process runs. From then on it keeps within its memory, or ends."""
        if self._most_memory:
            MemoryGuard(most_for(self._most_memory))
        return version("gemwalker")

    async def counts(self) -> SharedCounts:
        """What was asked so far."""
        return SharedCounts(
            pictures=self._pictures.requests,
            picture_batches=self._pictures.batches,
            pictures_read=self._read_pictures,
            icons=self._icons.requests + self._fits.requests,
            icon_batches=self._icons.batches + self._fits.batches,
        )

    async def reader_name(self, trace: str = "") -> str | Refused:
        """Name and version of the OCR engine."""
        try:
            with self._spans.span("open OCR", trace):
                return self._opened_reader().name
        except PerceptionError as error:
            return Refused(kind="unusable", what=str(error))

    async def namer_threshold(self, trace: str = "") -> float | Refused:
        """Least confidence of an icon's name that is used."""
        try:
            with self._spans.span("open the reader of icons", trace):
                return self._opened_namer().threshold
        except PerceptionError as error:
            return Refused(kind="unusable", what=str(error))

    async def read(self, trace: str, picture: Picture, frame: CoordinateFrame) -> tuple[Line, ...] | Refused:
        """As `TextReader.read`."""
        with self._spans.span("read a picture", trace, {"walker.waiting": self._pictures.waiting}):
            return await _told(self._pictures, (picture, frame))

    async def names(self, trace: str, crops: Sequence[Picture]) -> Guesses | Refused:
        """As `IconNamer.read`."""
        with self._spans.span("name icons", trace, {"walker.waiting": self._icons.waiting}):
            return await _told(self._icons, tuple(crops))

    async def fits(self, trace: str, crops: Sequence[Picture], query: str) -> tuple[float, ...] | Refused:
        """As `IconNamer.match`."""
        with self._spans.span("match icons", trace, {"walker.waiting": self._fits.waiting}):
            return await _told(self._fits, (tuple(crops), query))

    async def complete(self, trace: str, request: ChatRequest) -> ChatReply | ChatFailure:
        """As `ChatModel.complete`, of the vision model; one request after the other."""
        if self._chat is None:
            self._chat = self._models.picture_chat(self._folder)
        with self._spans.span("look at a picture", trace):
            return await self._chat.complete(request)

    async def send_spans(self) -> None:
        """Send what is left to be told a collector."""
        await asyncio.to_thread(self._spans.flush)

    def _opened_reader(self) -> TextReader:
        if self._reader is None:
            self._reader = self._models.text_reader()
            give_back_memory()
        return self._reader

    def _opened_namer(self) -> IconNamer:
        if self._namer is None:
            self._namer = self._models.icon_namer()
        return self._namer

    def _read_all(self, asked: Sequence[tuple[Picture, CoordinateFrame]]) -> list[tuple[Line, ...]]:
        """One picture after the other, the same one once: lines that are recognised together are padded to the widest, which takes
        longer on a CPU and reads a sign or two otherwise than a walk's own OCR would."""
        reader = self._opened_reader()
        read: dict[tuple[str, CoordinateFrame], tuple[Line, ...]] = {}
        keys = [(content_key(picture), frame) for picture, frame in asked]
        for key, (picture, frame) in zip(keys, asked, strict=True):
            if key not in read:
                read[key] = tuple(reader.read(picture, frame))
        self._read_pictures += len(read)
        give_back_memory()
        return [read[key] for key in keys]

    def _name_all(self, asked: Sequence[tuple[Picture, ...]]) -> list[Guesses]:
        """All crops in one run of the network."""
        guesses = self._opened_namer().read([crop for crops in asked for crop in crops])
        told = [tuple(IconGuess(name=one.name, confidence=one.confidence) for one in ones) for ones in guesses]
        ends = list(accumulate(len(crops) for crops in asked))
        return [tuple(told[end - len(crops) : end]) for end, crops in zip(ends, asked, strict=True)]

    def _match_all(self, asked: Sequence[tuple[tuple[Picture, ...], str]]) -> list[tuple[float, ...]]:
        """Crops of the same words in one run."""
        namer = self._opened_namer()
        scores: dict[str, list[float]] = {}
        for query in dict.fromkeys(query for _, query in asked):
            crops = [crop for ones, other in asked if other == query for crop in ones]
            scores[query] = [float(score) for score in namer.match(crops, query)]
        told = []
        for shown, query in asked:
            told.append(tuple(scores[query][: len(shown)]))
            scores[query] = scores[query][len(shown) :]
        return told


async def _told(gathered: Gathered[_Asked, _Answer], asked: _Asked) -> _Answer | Refused:
    try:
        return await gathered.answer(asked)
    except Full:
        return Refused(kind="full")
    except PerceptionError as error:
        return Refused(kind="unusable", what=str(error))
