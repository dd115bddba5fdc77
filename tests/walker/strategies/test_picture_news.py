"""Which texts of pictures are worth a call of the model."""

from __future__ import annotations

import msgspec
import pytest

from perception.geometry import Box
from perception.observation import Block, Observation
from perception.snapshot import BlindRegion
from tests.fixtures.paper import observed, page, task_for
from walker.seams.task_analysis import TaskAnalysis
from walker.strategies.model.picture_news import brings_news

PAGE = observed(page("Boats of the Reef Station", "<p>There are two boats.</p>"))


def picture(name: str, **more: str) -> BlindRegion:
    return BlindRegion(kind="media", box=Box(x=0.0, y=0.0, width=300.0, height=200.0), name=name, **more)  # type: ignore[arg-type]


def seeing(text: str, name: str = "", *regions: BlindRegion) -> Observation:
    block = Block(id=9, kind="paragraph", text=text, headings=(name,) if name else (), pictured=True)
    return msgspec.structs.replace(PAGE, seen_text=(text,), blocks=(*PAGE.blocks, block), blind=regions)


@pytest.mark.parametrize(
    ("observation", "news"),
    [
        (PAGE, False),
        (seeing("There are two boats"), False),
        (seeing("REEFSTATION"), False),
        (seeing("Reef Quality"), False),
        (seeing("Reef Station since 1997"), True),
        (seeing("Reef Station is closed on all Mondays"), True),
        (seeing("Mantis Reef"), True),
        (seeing("Quality for you"), True),
        (seeing("Quality for you", "Partner", picture("Partner", place="footer")), False),
        (seeing("Quality for you", "Plan", picture("Plan"), picture("Partner", place="footer")), True),
        (seeing("Mantis 18 m", "Partner", picture("Partner", place="footer")), True),
    ],
)
def test_a_logo_is_no_news(observation: Observation, *, news: bool) -> None:
    assert brings_news(observation, task_for("How long is the Mantis?")) is news


def test_where_a_picture_is_asked_for_a_logo_may_be_the_one() -> None:
    task = msgspec.structs.replace(task_for("What does the sign say?"), analysis=TaskAnalysis(picture="the sign"))
    assert brings_news(seeing("Reef Quality"), task)
