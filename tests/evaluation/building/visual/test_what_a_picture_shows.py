"""Words of a page, a search by the picture and what OCR reads in it have to agree on what a picture shows."""

from __future__ import annotations

import msgspec
import pytest

from evaluation.building.checks import Rejected
from evaluation.building.tree import HarvestedPage
from evaluation.building.visual.graph import SiteGraph
from evaluation.building.visual.knowledge import Knowledge
from evaluation.building.visual.locate import Located
from evaluation.building.visual.site_pages import SitePage
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
