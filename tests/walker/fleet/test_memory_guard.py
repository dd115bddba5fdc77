"""Workers that grow beyond their memory: the largest process is ended, whichever that is."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.sites.pages_on_loopback import serve
from walker.batch.asking_task import AskTask
from walker.batch.questions import Assignment
from walker.cli.places.walk_places import environment
from walker.fleet.memory_guard import LEAST, TIMES, most_for
from walker.fleet.ray_place import TRIES, RayPlace
from walker.settings import Limits, Settings

GREEDY = """
import subprocess, sys, time
from walker.fleet.memory_guard import MemoryGuard
take = "keep = bytearray({below}); print(flush=True); input()"
below = subprocess.Popen([sys.executable, "-c", take], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
below.stdout.readline()
keep = bytearray({here})
MemoryGuard(400_000_000)
print("below ended with", below.wait(20), flush=True)
"""


@pytest.mark.parametrize(
    ("below", "here", "told", "code"),
    [(450_000_000, 0, "below ended with -9", 0), (50_000_000, 450_000_000, "", -signal.SIGKILL)],
)
def test_the_largest_process_is_ended(below: int, here: int, told: str, code: int) -> None:
    done = subprocess.run(
        [sys.executable, "-c", GREEDY.format(below=below, here=here)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout.strip()) == (code, told), done.stderr


def test_the_limit_is_beyond_what_an_ordinary_walk_takes() -> None:
    assert most_for(1_500_000_000) == TIMES * 1_500_000_000
    assert most_for(1) == LEAST


def page(name: str, metres: int, script: str = "") -> str:
    text = f"<p>The {name} lighthouse is {metres} metres high.</p>"
    return f"<html lang=en><title>{name} lighthouse</title>{script}{text}<table><tr><th>Height</th><td>{metres} m</td></tr></table>"


TAKES_ALL = (
    "<script>const kept = []; for (let i = 1; i < 50; i++) kept.push(new Uint8Array(64 << 20).fill(i));</script>"
)
"""3 GB, before the page goes on."""
NAMES = {"Skerry": 31, "Holm": 42, "Sands": 53}


@pytest.mark.fleet
@pytest.mark.filterwarnings("default")
async def test_a_page_that_takes_all_memory_costs_its_question_and_the_batch_goes_on(tmp_path: Path) -> None:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    settings = Settings(runs_folder=tmp_path / "runs", limits=Limits(pages=2, seconds=60), scout_pages=0)
    pages = {f"/{name}.html": page(name, metres, TAKES_ALL if name == "Holm" else "") for name, metres in NAMES.items()}
    with serve(pages) as home:
        async with RayPlace("ray", settings, environment, jobs=1, memory=600_000_000) as place:
            asked = [
                AskTask(
                    Assignment(id=name, question=f"How high is the {name} lighthouse?", roots=(f"{home}/{name}.html",))
                )
                for name in NAMES
            ]
            told = await asyncio.gather(*map(place.do, asked))
    assert [one.state for one in told] == ["answered", "failed", "answered"]
    assert "crashed" in told[1].prediction.error
    assert "died" not in told[1].prediction.error, f"its worker lived, and was not tried {TRIES} times"
