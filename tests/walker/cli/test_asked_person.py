"""A person at the terminal presses Enter, skips, or is not there."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

from walker.cli.asked_person import ask_at_terminal
from walker.seams.web.handover import Obstacle

WALL = Obstacle(url="http://127.0.0.1:9/members", kind="login wall")


@pytest.fixture
def keyboard(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    reading, writing = os.pipe()
    with os.fdopen(reading) as file:
        monkeypatch.setattr(sys, "stdin", file)
        yield writing
        os.close(writing)


@pytest.mark.parametrize(("typed", "acted"), [(b"\n", True), (b"s\n", False), (b"Skip\n", False)])
async def test_what_is_typed_says_whether_they_acted(
    keyboard: int, typed: bytes, acted: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    os.write(keyboard, typed)
    assert await ask_at_terminal(WALL) is acted
    assert "asks for a login. Act in the window, then press Enter" in capsys.readouterr().err


async def test_the_walk_goes_on_when_the_time_is_over(keyboard: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert keyboard
    assert await ask_at_terminal(WALL, seconds=0.05) is False
    assert "going on without" in capsys.readouterr().err
