"""Models of another process of the machine, as a walk uses them; its own ones where those are gone."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from perception.errors import ModelUnusable
from perception.geometry import CoordinateFrame
from perception.icons.icon_reader import IconGuess
from perception.images.image import Picture
from perception.ocr.ocr import Line, TextReader
from walker.fleet.node_models import Refused
from walker.fleet.ray_cluster import WorkerLost
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest
from walker.seams.protocols import ChatModel
from walker.vision.builtin_vision import IconNamer
from walker.vision.model_source import ModelSource

Ask = Callable[..., Any]
"""Calls a method of `NodeModels` by its name and waits for the answer, in any thread. Raises `WorkerLost` where the process is gone
for good."""
PAUSE_SECONDS, LONGEST_PAUSE = 0.1, 5.0
"""Before a request that was refused since too many wait is sent again; twice as long each time."""
_Result = TypeVar("_Result")


class BorrowedModels:
    """Implements `ModelSource`. Once the other process is gone for good, the models of `own` take over, within the same look."""

    def __init__(self, ask: Ask, own: ModelSource) -> None:
        self._ask, self._own = ask, own
        self.trace = ""
        """The span that requests are a part of, "" for none."""
        self.is_lost = False
        """Whether the own ones have taken over."""

    def text_reader(self) -> TextReader:
        """See `ModelSource`."""
        name = self.asked("reader_name")
        return self._own.text_reader() if name is None else _BorrowedReader(self, str(name), self._own)

    def icon_namer(self) -> IconNamer:
        """See `ModelSource`."""
        threshold = self.asked("namer_threshold")
        return self._own.icon_namer() if threshold is None else _BorrowedNamer(self, float(threshold), self._own)

    def picture_chat(self, folder: str) -> ChatModel:
        """See `ModelSource`."""
        return _BorrowedChat(self, _Once(lambda: self._own.picture_chat(folder)))

    def asked(self, method: str, *given: Any) -> Any:
        """The answer, waited for as long as the queue there is full; None where the process is gone. Raises `ModelUnusable`."""
        pause = PAUSE_SECONDS
        while not self.is_lost:
            try:
                told = self._ask(method, self.trace, *given)
            except WorkerLost:
                self.is_lost = True
                break
            if not isinstance(told, Refused):
                return told
            if told.kind == "unusable":
                raise ModelUnusable(told.what)
            time.sleep(pause)
            pause = min(LONGEST_PAUSE, 2 * pause)
        return None


class _Once:
    """Makes something when it is needed first, whichever threads need it."""

    def __init__(self, make: Callable[[], _Result]) -> None:
        self._make, self._lock = make, threading.Lock()
        self._made: Any = None

    def __call__(self) -> Any:
        with self._lock:
            if self._made is None:
                self._made = self._make()
            return self._made


class _BorrowedReader:
    """Implements `TextReader`."""

    def __init__(self, models: BorrowedModels, name: str, own: ModelSource) -> None:
        self._models, self.name, self._own = models, name, _Once(own.text_reader)

    def read(self, picture: Picture, frame: CoordinateFrame) -> tuple[Line, ...]:
        """See `TextReader`."""
        lines = self._models.asked("read", picture, frame)
        return tuple(self._own().read(picture, frame) if lines is None else lines)


class _BorrowedNamer:
    """Implements `IconNamer`."""

    def __init__(self, models: BorrowedModels, threshold: float, own: ModelSource) -> None:
        self._models, self.threshold, self._own = models, threshold, _Once(own.icon_namer)

    def read(self, crops: Sequence[Picture]) -> Sequence[Sequence[IconGuess]]:
        """See `IconNamer`."""
        guesses = self._models.asked("names", tuple(crops))
        return tuple(self._own().read(crops) if guesses is None else guesses)

    def match(self, crops: Sequence[Picture], query: str) -> Sequence[float]:
        """See `IconNamer`."""
        scores = self._models.asked("fits", tuple(crops), query)
        return tuple(self._own().match(crops, query) if scores is None else scores)


class _BorrowedChat:
    """Implements `ChatModel`."""

    def __init__(self, models: BorrowedModels, own: _Once) -> None:
        self._models, self._own = models, own

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        """See `ChatModel`."""
        told: ChatReply | ChatFailure | None = await asyncio.to_thread(self._models.asked, "complete", request)
        if told is None:
            own: ChatModel = self._own()
            return await own.complete(request)
        return told
