"""The pages of the gate benchmark hold what they say, and the gate looks where only pixels tell."""

from __future__ import annotations

import html
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from perception.document.reading import observe
from perception.snapshot import Snapshot
from tests.sites.pages_on_loopback import serve
from walker.assembly import WalkResources
from walker.calibration.fit import Example
from walker.calibration.measures import area_under_curve
from walker.calibration.pages import LabelledPage, PageMeasure
from walker.rules.gate import GateInputs, decide_glance, trust_in_text
from walker.seams.protocols import PageFailure
from walker.settings import GLANCE_THRESHOLD, GateWeights, Settings

pytestmark = pytest.mark.usefixtures("kept_chromium")

BENCH = str(Path(__file__).parents[2] / "bench")
STYLED = (
    "generated_digits",
    "scrambled_spans",
    "progress_bar",
    "star_width",
    "heat_calendar",
    "status_dot",
    "icon_toolbar",
)
"""Archetypes whose answer is in the markup by their very nature, in a form that is no text."""
WALKED = ("image_menu", "star_width", "status_dot", "generated_digits", "canvas_chart", "price_picture", "overlay")


@pytest.fixture(scope="module", autouse=True)
def bench() -> Iterator[None]:
    sys.path.insert(0, BENCH)
    yield
    sys.path.remove(BENCH)


def pages(seeds: tuple[int, ...] = (11,)) -> tuple[Any, ...]:
    from gate_pages import codes, geometry, pictures  # noqa: F401, PLC0415 - only there while the benchmark's folder is
    from gate_pages.archetype import make_pages  # noqa: PLC0415

    made: tuple[Any, ...] = make_pages(seeds)
    return made


def test_there_are_enough_of_them_and_they_are_the_same_every_time() -> None:
    made = pages()
    assert len({page.archetype for page in made}) >= 24
    assert made == pages()
    assert made != pages((12,))


def test_the_answer_stands_where_the_variant_says() -> None:
    for page in pages((11, 12)):
        text = " ".join(html.unescape(re.sub(r"<style.*?</style>|<[^>]+>", " ", page.html)).split())
        where = page.path
        if page.needs_look:
            if page.archetype not in STYLED:
                assert page.answer not in text, where
        else:
            assert page.answer in text, where
        if page.variant in ("echo", "distractor"):
            assert page.question.rstrip("?？")[5:] in text, where


async def test_the_gate_looks_at_pixels_and_not_at_text(tmp_path: Path) -> None:
    from gate_pages.server import serve_pages  # noqa: PLC0415 - as above

    chosen = [page for page in pages((13,)) if page.archetype in WALKED]
    scores, right = [], []
    with serve_pages(chosen) as base:
        async with WalkResources(Settings(record=False, runs_folder=tmp_path)) as resources:
            measure = PageMeasure(resources)
            for page in chosen:
                labelled = LabelledPage(
                    url=base + page.path, question=page.question, answer=page.answer, needs_look=page.needs_look
                )
                if page.needs_look:
                    taken = await measure.take(labelled)
                    assert isinstance(taken, Example), taken
                    before = taken.before
                    right.append(taken.glance_right)
                else:  # how it would be read by OCR is not asked
                    told = await measure.before(labelled)
                    assert isinstance(told, GateInputs), told
                    before = told
                scores.append(100 - trust_in_text(before, GateWeights())[0])
    needed = [page.needs_look for page in chosen]
    assert area_under_curve(scores, needed) >= 0.97
    looked = [score > 100 - GLANCE_THRESHOLD for score in scores]
    assert all(look for look, need in zip(looked, needed, strict=True) if need)
    assert sum(look for look, need in zip(looked, needed, strict=True) if not need) <= 1
    assert sum(right) >= 0.8 * sum(needed)


async def test_a_check_for_a_person_is_told_and_its_picture_is_not_read(tmp_path: Path) -> None:
    text = '<text x="30" y="60" font-size="40">X7 kP2</text>'
    drawn = f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="90">{text}</svg>'
    page = (
        "<h1>One moment</h1><p>Are you a person?</p>"
        "<form class=captcha><img src=/code.svg width=300 height=90><input name=code></form>"
    )
    with serve({"/": page, "/code.svg": drawn}) as base:
        async with WalkResources(Settings(record=False, runs_folder=tmp_path)) as resources:
            taken = await PageMeasure(resources).take(
                LabelledPage(url=base + "/", question="Which code is shown?", answer="X7")
            )
    assert not isinstance(taken, PageFailure)
    assert observe(Snapshot(url=base, final_url=base, status=200, html=page)).signals.challenge
    decision = decide_glance(taken.before, GateWeights(), GLANCE_THRESHOLD, may_look=True)
    assert (decision.choice, decision.reason) == ("read", "the page checks for a person; its picture is not read")
