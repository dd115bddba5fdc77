"""What came of a run, cut to what is kept of it."""

from __future__ import annotations

from walker.seams.code_runner import OUTPUT_CHARS, CodeFailure, Ran


class OutputTaker:
    """Keeps the first `OUTPUT_CHARS` characters of what is printed, however much that is."""

    def __init__(self) -> None:
        self._kept: list[str] = []
        self._chars = 0
        self.is_cut = False

    def take(self, _stream: str, text: str) -> None:
        """More that was printed."""
        room = OUTPUT_CHARS - self._chars
        self.is_cut = self.is_cut or len(text) > room
        if room > 0:
            self._kept.append(text[:room])
            self._chars += min(room, len(text))

    @property
    def text(self) -> str:
        """What was kept."""
        return "".join(self._kept)


def ended(value: str, taken: OutputTaker, seconds: float = 0.0, *, is_cut: bool = False) -> Ran:
    """The run of code that came to its end; a failure where it said nothing at all. `is_cut`: the sandbox cut what it gave."""
    ran = Ran(
        value=value[:OUTPUT_CHARS],
        printed=taken.text,
        is_cut=is_cut or taken.is_cut or len(value) > OUTPUT_CHARS,
        seconds=round(seconds, 4),
    )
    if ran.output:
        return ran
    nothing = CodeFailure(kind="output", message="the code gave nothing: end it with the value, or print it")
    return failed(nothing, taken, seconds)


def failed(failure: CodeFailure, taken: OutputTaker | None = None, seconds: float = 0.0) -> Ran:
    """The run of code that failed, with what it printed before."""
    printed, is_cut = (taken.text, taken.is_cut) if taken is not None else ("", False)
    return Ran(printed=printed, is_cut=is_cut, failure=failure, seconds=round(seconds, 4))
