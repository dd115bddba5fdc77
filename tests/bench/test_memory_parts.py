"""How the parts of a process's memory are told apart."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from memory_parts import Parts, mapped_by_name, weigh

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="memory is read from /proc")

SIZE = 64 << 20


def test_an_array_is_memory_of_its_own_and_pages_of_a_file_are_not(tmp_path: Path) -> None:
    before = weigh()
    array = np.ones(SIZE, np.uint8)
    held = weigh()
    assert held.own - before.own == pytest.approx(SIZE / 1e6, rel=0.1)
    assert held.in_use - before.in_use == pytest.approx(SIZE / 1e6, rel=0.1)
    (tmp_path / "table").write_bytes(bytes(SIZE))
    del array
    table = np.memmap(tmp_path / "table", np.uint8, "r")
    assert table.sum() == 0
    mapped = weigh()
    assert mapped.files - held.files == pytest.approx(SIZE / 1e6, rel=0.1)
    assert mapped.own - held.own == pytest.approx(-SIZE / 1e6, rel=0.1)
    assert mapped_by_name()["table"] == round(SIZE / 1e6)


def test_the_most_memory_of_a_step_is_that_of_this_step(capsys: pytest.CaptureFixture[str]) -> None:
    parts = Parts()
    with parts.step("held for a moment"):
        np.ones(SIZE, np.uint8)
    with parts.step("nothing"):
        pass
    titles, _, first, second = capsys.readouterr().out.splitlines()
    assert titles.split()[-2:] == ["at", "most"]
    residents, mosts = ([float(line.split()[place]) for line in (first, second)] for place in (-7, -1))
    assert mosts[0] - residents[0] > 0.8 * SIZE / 1e6
    assert mosts[1] - residents[1] < 0.2 * SIZE / 1e6
