"""The session for programs without `await`."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import threading
from collections.abc import Coroutine, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar, Unpack, overload

from perception.observation import Observation
from walker.extraction.schemas.typed_answers import TypedOutcome
from walker.programs.named_settings import SettingNames
from walker.seams.outcome import Outcome
from walker.seams.protocols import TraceSink
from walker.session.calls import Acted
from walker.session.secret import Secret
from walker.session.session import Session
from walker.session.targets import ActionTarget, Allowed
from walker.settings import Settings

T = TypeVar("T")


class SessionSync:
    """`Session` without `await`: its calls wait. It runs in a thread of its own, so it also works where an event loop is running.

    with SessionSync("https://shop.example/") as session:
        session.open()
        print(session.act("open the second result").after)
    """

    def __init__(
        self,
        root: str,
        *,
        name: str = "",
        progress: TraceSink | None = None,
        settings: Settings | None = None,
        **named: Unpack[SettingNames],
    ) -> None:
        """As of `Session`."""
        self._session = Session(root, name=name, progress=progress, settings=settings, **named)
        self._stack = contextlib.ExitStack()
        self._loop: asyncio.AbstractEventLoop | None = None

    @classmethod
    def replay(cls, run: str | Path) -> SessionSync:
        """As `Session.replay`."""
        self = cls.__new__(cls)
        self._session, self._stack, self._loop = Session.replay(run), contextlib.ExitStack(), None
        return self

    def __enter__(self) -> SessionSync:
        with contextlib.ExitStack() as stack:
            loop = self._loop = asyncio.new_event_loop()
            thread = threading.Thread(target=loop.run_forever, name="walker session", daemon=True)
            thread.start()
            stack.callback(loop.close)
            stack.callback(thread.join)
            stack.callback(loop.call_soon_threadsafe, loop.stop)
            self._wait(self._session.__aenter__())
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._stack:
            self._wait(self._session.__aexit__(kind, error, trace))

    @property
    def run(self) -> str:
        """As of `Session`."""
        return self._session.run

    @property
    def page(self) -> Observation:
        """As of `Session`."""
        return self._session.page

    def open(self, url: str = "", *, allow: Allowed = ()) -> Observation:
        """As of `Session`."""
        return self._wait(self._session.open(url, allow=allow))

    def observe(self, words: str) -> tuple[ActionTarget, ...]:
        """As of `Session`."""
        return self._wait(self._session.observe(words))

    def act(
        self,
        what: str | ActionTarget,
        *,
        text: str | Secret = "",
        submit: bool = False,
        allow: Allowed = (),
    ) -> Acted:
        """As of `Session`."""
        return self._wait(self._session.act(what, text=text, submit=submit, allow=allow))

    @overload
    def extract(self, schema: type[T], *, about: str = "") -> TypedOutcome[T]: ...

    @overload
    def extract(self, schema: Mapping[str, Any], *, about: str = "") -> TypedOutcome[Any]: ...

    def extract(self, schema: Any, *, about: str = "") -> TypedOutcome[Any]:
        """As of `Session`."""
        outcome: TypedOutcome[Any] = self._wait(self._session.extract(schema, about=about))
        return outcome

    def ask(self, question: str) -> Outcome:
        """As of `Session`."""
        return self._wait(self._session.ask(question))

    def look(self) -> Observation:
        """As of `Session`."""
        return self._wait(self._session.look())

    def _wait(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop is None or self._loop.is_closed():
            work.close()
            raise RuntimeError("the session is not open: use it within `with SessionSync(root) as session:`")
        # In a context of its own: what belongs to the loop of the caller, such as a browser, cannot be used in another one.
        return contextvars.Context().run(asyncio.run_coroutine_threadsafe, work, self._loop).result()
