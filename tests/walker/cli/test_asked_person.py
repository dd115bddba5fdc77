"""A person at the terminal presses Enter, skips, or is not there."""

from __future__ import annotations

import os

import pytest

from walker.cli.asked_person import AskedTerminal
from walker.handover.live_handover import pause_for
from walker.seams.web.asked_person import Choice, Pause
from walker.seams.web.handover import Obstacle

WALL = pause_for(Obstacle(url="http://127.0.0.1:9/members", kind="login wall"))
TWO = Pause(
    kind="answer",
    text="Which is the answer?",
    choices=(Choice(text="1871", detail="built in 1871", url="http://127.0.0.1:9/a"), Choice(text="None of these")),
)


@pytest.mark.parametrize(("typed", "acted"), [(b"\n", 1), (b"1\n", 1), (b"s\n", 0), (b"Skip\n", 0)])
async def test_what_is_typed_says_whether_they_acted(
    keyboard: int, typed: bytes, acted: int, capsys: pytest.CaptureFixture[str]
) -> None:
    os.write(keyboard, typed)
    assert await AskedTerminal().ask(WALL) == acted
    assert "asks for a login. Act in the window that has opened, then press Enter" in capsys.readouterr().err


async def test_the_walk_goes_on_when_the_time_is_over(keyboard: int, capsys: pytest.CaptureFixture[str]) -> None:
    assert keyboard
    assert await AskedTerminal(seconds=0.05).ask(WALL) == 0
    assert "going on without" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("typed", "number"), [(b"2\n", 2), (b"\n7\nyes\n1\n", 1), (b"0000000015\n2\n", 2), (b"s\n", 0)]
)
async def test_one_of_several_is_chosen_by_its_number(
    keyboard: int, typed: bytes, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    os.write(keyboard, typed)
    assert await AskedTerminal().ask(TWO) == number
    shown = capsys.readouterr().err
    assert "  1. 1871  [http://127.0.0.1:9/a]\n     built in 1871\n  2. None of these" in shown
    assert ("type a number from 1 to 2" in shown) is (typed.count(b"\n") > 1)
