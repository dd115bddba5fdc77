"""What Pyodide runs beside the code: the way in and out as JSON. Uses the standard library, and Pyodide's own."""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import sys
from types import TracebackType

from walker.code.error_text import CODE_NAME, failure_of
from walker.code.value_text import text_of


class Printed(io.TextIOBase):
    """Keeps the first characters of what is printed, however much that is."""

    def __init__(self, most: int) -> None:
        self._kept: list[str] = []
        self._room = most
        self.is_cut = False

    def write(self, text: str) -> int:
        """More that was printed."""
        self.is_cut = self.is_cut or len(text) > self._room
        if self._room > 0:
            self._kept.append(text[: self._room])
            self._room -= min(self._room, len(text))
        return len(text)

    @property
    def text(self) -> str:
        """What was kept."""
        return "".join(self._kept)


class Raised(contextlib.AbstractContextManager["Raised"]):
    """Takes whatever the code raises, `SystemExit` included, to be told to the one who wrote it."""

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        self.error = error
        return True


def run(request: str) -> str:
    """Run the code of a request, `{"code", "inputs", "chars", "depth"}`, with variables of its own, and give `{"value", "printed",
    "is_cut", "failure"}`."""
    asked = json.loads(request)
    printed, raised, told = Printed(asked["chars"]), Raised(), ""
    deepest = sys.getrecursionlimit()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed), raised:
        sys.setrecursionlimit(asked["depth"] + _depth_now())
        names = {"__name__": "__main__", **asked["inputs"]}
        value = importlib.import_module("pyodide.code").eval_code(asked["code"], names, filename=CODE_NAME)
        told = text_of(value)
    sys.setrecursionlimit(deepest)
    failure = failure_of(raised.error) if raised.error is not None else None
    is_cut = printed.is_cut or len(told) > asked["chars"]
    said = {"value": told[: asked["chars"]], "printed": printed.text, "is_cut": is_cut, "failure": failure}
    return json.dumps(said)


def _depth_now() -> int:
    """Calls that are under way."""
    depth, frame = 0, sys._getframe()  # noqa: SLF001 - the only way to count them
    while frame.f_back is not None:
        depth, frame = depth + 1, frame.f_back
    return depth
