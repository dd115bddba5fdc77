"""Words of a page, a search by the picture and what OCR reads in it have to agree on what a picture shows."""

from __future__ import annotations

import msgspec
import pytest

from evaluation.building.checks import Rejected
from evaluation.building.tree import HarvestedPage
from evaluation.building.visual.graph import Entity, SiteGraph
from evaluation.building.visual.knowledge import Knowledge
from evaluation.building.visual.locate import Located
from evaluation.building.visual.naming import section_id
from evaluation.building.visual.site_pages import PageHeading, SitePage
from evaluation.building.visual.verify import Names, SeenLike, what_is_shown
from evaluation.metrics.rates import plain
from tests.evaluation.building.visual.small_graph import THINGS

PAGES = tuple(
    SitePage(
        page=HarvestedPage(key=one.page, url=f"http://sea.example/{one.page}"),
        title=one.name,
        headings=(),
        links=(),
        pictures=(),
    )
    for one in THINGS
)
NAMES = Names(PAGES, Knowledge(graph=SiteGraph(THINGS, ()), by_name={plain(one.name): one for one in THINGS}))
ALBA = Located(page="Alba", url="http://sea.example/alba.png", digest="a", caption="Alba")
FOUND_AGAIN = (SeenLike(url=ALBA.url, score=1.0),)


@pytest.mark.parametrize(
    ("written", "by"),
    [
        ("", ("words", "search")),
        ("ALBA\nPort Elm", ("words", "search", "ocr")),  # on the stern stands her port too
        ("The brig Alba beside Bora", ("words", "search", "ocr")),
        ("Port Fir", ("words", "search")),  # a thing of another kind says nothing of the ship
        ("Model of the Bora's sister", ("words", "search")),  # within a line it may be told of
        ("A1ba", ("words", "search")),  # misread
    ],
)
def test_what_is_written_in_a_picture_confirms_its_words(written: str, by: tuple[str, ...]) -> None:
    located = msgspec.structs.replace(ALBA, text=written)
    shown = what_is_shown(located, {ALBA.url: (located,)}, NAMES, FOUND_AGAIN)
    assert not isinstance(shown, Rejected)
    assert (shown.entity.name, shown.by) == ("Alba", by)


def test_a_picture_with_the_name_of_another_thing_of_the_kind_is_refused_with_both_names() -> None:
    located = msgspec.structs.replace(ALBA, text="built 1851\nBora")
    shown = what_is_shown(located, {ALBA.url: (located,)}, NAMES, FOUND_AGAIN)
    assert isinstance(shown, Rejected)
    assert shown.reason == "conflict: another thing of its kind is written in it: “Bora”, and its words name “Alba”"


def test_what_is_written_is_a_second_witness_where_a_search_finds_nothing() -> None:
    located = msgspec.structs.replace(ALBA, text="Alba")
    shown = what_is_shown(located, {}, NAMES, ())
    assert not isinstance(shown, Rejected)
    assert shown.by == ("words", "ocr")
    alone = what_is_shown(msgspec.structs.replace(ALBA, text=""), {}, NAMES, ())
    assert isinstance(alone, Rejected)


def test_what_is_written_alone_says_too_little() -> None:
    located = msgspec.structs.replace(ALBA, caption="A postcard", text="Alba")
    shown = what_is_shown(located, {ALBA.url: (located,)}, NAMES, FOUND_AGAIN)
    assert isinstance(shown, Rejected)
    assert shown.reason == "only one of words, look and text names it"


@pytest.mark.parametrize(("heading", "copy", "reason"), [
    ("Stern", False, ""),
    ("Introduction", False, "it stands under other headings too"),
    ("Introduction", True, "it stands under other headings too"),
])  # fmt: skip
def test_a_picture_that_a_heading_tells_stands_under_it_alone(heading: str, copy: bool, reason: str) -> None:
    section = Entity(id=section_id("Alba", 0), name="Stern", page="Alba", language="en", form="section")
    pages = tuple(
        msgspec.structs.replace(page, headings=(PageHeading(level=2, text="Stern"),) if page.title == "Alba" else ())
        for page in PAGES
    )
    names = Names(pages, Knowledge(graph=SiteGraph((*THINGS, section), ()), by_name={}))
    stern = Located(page="Alba", url=ALBA.url, digest="a", heading="Stern")
    there = msgspec.structs.replace(stern, page="Alba" if heading == "Stern" else "Bora", heading=heading)
    if copy:
        there = msgspec.structs.replace(there, url="http://sea.example/copy.png")
    others = {ALBA.url: (stern,), there.url: (there,)} if copy else {ALBA.url: (stern, there)}
    hits = (*FOUND_AGAIN, SeenLike(url=there.url, score=0.9))
    shown = what_is_shown(stern, others, names, hits)
    assert (shown.reason if isinstance(shown, Rejected) else "") == reason
