"""Before a walk ends unsure, pictures of its best pages that nobody has read are read, and what they say is weighed."""

from __future__ import annotations

import msgspec
import pytest

from perception.document.reading import observe
from perception.geometry import Box
from perception.observation import Observation
from perception.picture_lines import PictureLines, PlacedText
from perception.snapshot import BlindRegion, Layout, Snapshot
from tests.fixtures.paper import HOME, page, ranker, task_for
from tests.walker.walk.test_vision_cascade import VIEW, Eye, edges
from traces.events import FindingsAdded, StackMoved
from walker.rules.budget import Budget
from walker.rules.pictures.picture_shots import pages_to_look_at
from walker.rules.policy import Policy
from walker.rules.scope import WalkScope
from walker.seams.outcome import Outcome
from walker.seams.protocols import Look, Seen
from walker.settings import Limits
from walker.testing.fakes import EventList, Paper, PaperSite
from walker.walk.loop import walk
from walker.walk.walk_state import Rules

QUESTION = "Which priority does job 2222729 have in the output of squeue?"
TEXT = (
    "<p>The colours of the output of squeue tell states apart.</p>" + "<p>A job waits for nodes or for time.</p>" * 200
)
OUTPUT = BlindRegion(
    kind="media", box=Box(x=0, y=200, width=600, height=120), source=HOME + "squeue_colour.png", heading="Colours", even=0.9
)  # fmt: skip
PAGES: dict[str, str | Paper] = {
    HOME: page("Questions", '<p>All that is asked often.</p><a href="/output.html">Output of squeue</a>'),
    HOME + "output.html": Paper(
        html=page("Output of squeue", TEXT),
        view=VIEW,
        layout=Layout(viewport_width=800, viewport_height=800, blind=(OUTPUT,)),
    ),
    HOME + "nodes.html": page("Nodes", "<p>A node has cores.</p>"),
}


def read_in_it() -> Eye:
    """A table of one row below its heads, as OCR tells it."""
    heads, values = ("JOBID", "PRIORITY"), ("2222729", "3341")
    lines = tuple(
        PlacedText(text=text, box=Box(x=20 + 150 * across, y=210 + 30 * down, width=90, height=20), confidence=0.99)
        for down, row in enumerate((heads, values))
        for across, text in enumerate(row)
    )
    eye = Eye()
    seen = tuple(Seen(text=one.text, source="ocr", box=one.box) for one in lines)
    eye.says(Look(seen=seen, lines=(PictureLines(box=OUTPUT.box, lines=lines),), model="told", regions=1))
    return eye


async def walked(eye: Eye, *, looks_back: bool, told: str = "") -> tuple[Outcome, EventList, PaperSite]:
    """A walk over the pages; `told`: what the page with the picture says besides."""
    output = PAGES[HOME + "output.html"]
    assert isinstance(output, Paper)
    site = PaperSite(
        {**PAGES, HOME + "output.html": msgspec.structs.replace(output, html=page("Output of squeue", told + TEXT))}
    )
    task, events = task_for(QUESTION), EventList()
    rules = Rules(
        policy=Policy(scope=WalkScope(root_url=task.root_url, kind="host"), max_depth=5),
        budget=Budget(limits=Limits()),
        threshold=0.0,  # the gate opens for nothing
        looks_back=looks_back,
        similarity=lambda one, other: ranker().similarities(one, [other])[0],
        sure=0.5,
    )
    return await walk(task, edges(site, eye), rules, events), events, site


async def test_an_unsure_walk_goes_back_to_the_picture_that_nobody_read() -> None:
    eye = read_in_it()
    outcome, events, site = await walked(eye, looks_back=True)
    assert [request.regions for request in eye.asked] == [(OUTPUT.box,)]
    found = [one["text"] for event in events.events if isinstance(event, FindingsAdded) for one in event.findings]
    assert "3341" in found
    assert outcome.usage.vision_calls == 1
    assert outcome.pages == 2, "a page that is come back to is none more"
    assert site.drawn
    moved = [event for event in events.events if isinstance(event, StackMoved)]
    assert moved[-1].path[-1] == HOME + "output.html"


async def test_without_the_rule_nothing_is_gone_back_to() -> None:
    eye = read_in_it()
    await walked(eye, looks_back=False)
    assert eye.asked == []


async def test_where_the_text_answers_surely_nothing_is_gone_back_to() -> None:
    eye = read_in_it()
    said = "<p>In the output of squeue job 2222729 has the priority 3341.</p>"
    outcome, _, _ = await walked(eye, looks_back=True, told=said)
    assert outcome.answer
    assert eye.asked == []


async def test_what_is_read_late_stands_in_the_place_of_what_the_page_said_before() -> None:
    _, events, _ = await walked(read_in_it(), looks_back=True)
    told = [
        (one["text"], one["quote"])
        for event in events.events
        if isinstance(event, FindingsAdded)
        for one in event.findings
    ]
    assert len(told) == len(set(told)), "each is told once"


def observed(*pictures: BlindRegion, title: str = "Output of squeue") -> Observation:
    url = HOME + "output.html"
    plain = observe(Snapshot(url=url, final_url=url, status=200, html=page(title, TEXT)))
    return msgspec.structs.replace(plain, blind=pictures)


@pytest.mark.parametrize(
    ("changes", "is_read"),
    [
        ({}, True),
        ({"source": HOME + "logo.png"}, False),
        ({"source": HOME + "IMG_2031.jpg", "even": 0.2}, False),
        ({"source": HOME + "output-of-squeue.jpg", "even": 0.2}, True),
        ({"box": Box(x=0, y=0, width=60, height=60)}, False),
        ({"linked": True}, False),
    ],
)
def test_which_pictures_are_worth_it_where_the_question_points_to_none(
    changes: dict[str, object], is_read: bool
) -> None:
    picture = msgspec.structs.replace(OUTPUT, **changes)
    pages = pages_to_look_at(QUESTION, {"output": observed(picture)}, frozenset(), frozenset())
    assert [one.pictures for one in pages] == ([(picture,)] if is_read else [])


def test_pictures_that_were_read_or_stand_everywhere_are_left_out() -> None:
    pages = {"output": observed(OUTPUT)}
    assert not pages_to_look_at(QUESTION, pages, {OUTPUT.source}, frozenset())
    assert not pages_to_look_at(QUESTION, pages, frozenset(), {OUTPUT.source})


def test_of_pages_the_one_comes_first_that_says_the_rare_words() -> None:
    pages = {"other": observed(OUTPUT, title="Jobs"), "squeue": observed(OUTPUT, title="Priority of jobs")}
    (only,) = pages_to_look_at(QUESTION, pages, frozenset(), frozenset())
    assert only.key == "squeue"
    pointed = "Which priority does job 2222729 have in the screenshot of squeue?"
    assert len(pages_to_look_at(pointed, pages, frozenset(), frozenset())) == 2
