"""An exported vision model on this machine, behind the same interface as a remote one."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable
from pathlib import Path

from perception.errors import PerceptionError, PromptTooLong
from perception.images.image import decode_picture
from perception.local_model.local_reply import PictureModel
from perception.local_model.opening import open_model
from walker.seams.chat import ChatFailure, ChatReply, ChatRequest


class LocalChat:
    """Implements `seams.ChatModel`. The folder is loaded at the first call; every call fails if it cannot be used."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._model: PictureModel | None = None
        self._failure: ChatFailure | None = None
        self._opening = asyncio.Lock()

    @property
    def device(self) -> str:
        """Where it runs, "" before it was loaded."""
        return self._model.device if self._model is not None else ""

    @property
    def notes(self) -> tuple[str, ...]:
        """Fallbacks after a GPU or a file failed, and known limitations."""
        return self._model.notes if self._model is not None else ()

    async def complete(self, request: ChatRequest) -> ChatReply | ChatFailure:
        """Ask about the pictures of the request, its messages joined to one question and one system text."""
        async with self._opening:
            if self._model is None and self._failure is None:
                try:
                    self._model = await asyncio.to_thread(open_model, self._folder)
                except PerceptionError as error:
                    self._failure = ChatFailure(kind="no_eyes", message=str(error))
        if self._model is None:
            assert self._failure is not None, "either there is a model or a reason why not"
            return self._failure
        model = self._model
        return await _in_own_thread(lambda: _ask(model, request))


async def _in_own_thread(work: Callable[[], ChatReply | ChatFailure]) -> ChatReply | ChatFailure:
    """What some work gives, in a thread that nobody waits for once it is not wanted: a model cannot be stopped in the middle of a
    reply, and neither the end of a walk nor that of the process is to wait minutes for it."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[ChatReply | ChatFailure] = loop.create_future()

    def tell(answer: ChatReply | ChatFailure) -> None:
        if not done.done():
            done.set_result(answer)

    def run() -> None:
        answer: ChatReply | ChatFailure = ChatFailure(kind="server_error", message="the model on this machine failed")
        try:
            answer = work()
        finally:
            with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
                loop.call_soon_threadsafe(tell, answer)

    threading.Thread(target=run, name="local model", daemon=True).start()
    return await done


def _ask(model: PictureModel, request: ChatRequest) -> ChatReply | ChatFailure:
    system = "\n".join(message.content for message in request.messages if message.role == "system")
    question = "\n".join(message.content for message in request.messages if message.role != "system")
    images = [image for message in request.messages for image in message.images]
    try:
        pictures = [decode_picture(image.data) for image in images]
        reply = model.answer(pictures, question, system=system, schema=request.schema, max_tokens=request.max_tokens)
    except PromptTooLong as error:
        return ChatFailure(kind="too_long", message=str(error)[:300])
    except (PerceptionError, ValueError) as error:
        return ChatFailure(kind="bad_request", message=str(error)[:300])
    finish = "length" if reply.completion_tokens >= request.max_tokens else "stop"
    return ChatReply(
        text=reply.text,
        prompt_tokens=reply.prompt_tokens,
        completion_tokens=reply.completion_tokens,
        finish=finish,
        reasoning="; ".join(reply.notes),
    )
