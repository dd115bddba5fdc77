"""An interpreter that runs nothing: what code gives is known before."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from walker.seams.code_runner import CodeFailure, CodeValue, Ran


class ScriptedCode:
    """Implements `walker.seams.code_runner.CodeRunner` by a function; `asked` is the code so far, with its inputs."""

    def __init__(self, script: Callable[[str, Mapping[str, CodeValue]], Ran | str]) -> None:
        """`script`: a text that it gives is the value."""
        self._script = script
        self.asked: list[tuple[str, dict[str, CodeValue]]] = []
        self.is_closed = False

    async def run(self, code: str, inputs: Mapping[str, CodeValue]) -> Ran:
        """What the script says of this code."""
        self.asked.append((code, dict(inputs)))
        said = self._script(code, inputs)
        if isinstance(said, Ran):
            return said
        if not said:
            return Ran(failure=CodeFailure(kind="output", message="the code gave nothing"))
        return Ran(value=said)

    async def close(self) -> None:
        """Nothing is open."""
        self.is_closed = True
