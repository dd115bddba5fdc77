"""The element that a phrase means: three sources of evidence, enlarged where they disagree."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from perception.element_map import ElementMap, PageElement, View
from perception.geometry import Box, CoordinateFrame
from perception.images.image import Picture, encode_picture
from perception.observation import Observation
from perception.ocr.ocr import Line
from tests.fixtures.paper import HOME
from tests.sites.endpoint_in_a_thread import served
from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import walker_here
from tests.walker.cli.test_ask_with_a_model import run
from walker.seams.protocols import Look, LookRequest
from walker.testing.chat_server import Asked, Endpoint, Reply
from walker.testing.fakes import Paper, PaperSite
from walker.vision.builtin_vision import BuiltinVision
from walker.vision.pointing import Pointing


def button(number: int, name: str, x: float) -> PageElement:
    return PageElement(
        id=number, kind="control", role="button", name=name, text="", x=x, y=50.0, width=80.0, height=30.0
    )


BAR = (button(1, "Search", 10.0), button(2, "", 200.0), button(3, "Help", 390.0))
VIEW = View(
    url=HOME,
    picture=encode_picture(np.full((400, 600, 3), 255, np.uint8)),
    width=600,
    height=400,
    shown=Box(x=0.0, y=0.0, width=600.0, height=400.0),
    map=ElementMap(elements=BAR, viewport=Box(x=0.0, y=0.0, width=600.0, height=400.0)),
)
PAGE = Observation(url=HOME, status=200)


class Reader:
    """OCR of the second button: one text in the page view, another in the enlarged one."""

    def __init__(self, far: str, near: str) -> None:
        self._far, self._near = far, near
        self.scales: list[float] = []

    @property
    def name(self) -> str:
        return "told"

    def read(self, picture: Picture, frame: CoordinateFrame) -> tuple[Line, ...]:
        assert picture.shape[1] == frame.width
        self.scales.append(frame.scale)
        text = self._near if frame.scale > 1 else self._far
        box = BAR[1].box.grown(-4)
        return (Line(text=text, box=box, confidence=0.9),) if text and box.share_in(frame.shown) == 1 else ()


class Picker:
    """A vision model that picks one element after the other."""

    def __init__(self, *picks: int) -> None:
        self._picks = picks
        self.asked: list[LookRequest] = []

    async def look(self, request: LookRequest) -> Look:
        self.asked.append(request)
        element = BAR[self._picks[len(self.asked) - 1] - 1]
        return Look(answer=element.name or "?", answer_box=element.box, confidence=0.7)


async def pointing(reader: Reader, picker: Picker | None = None) -> tuple[Pointing, PaperSite]:
    site = PaperSite({HOME: Paper(html="<title>Bar</title>", view=VIEW)})
    await site.open(HOME)
    return Pointing(site, BuiltinVision(lambda: reader), picker, "en"), site


def names(witnesses: Sequence[object]) -> list[tuple[str, int]]:
    return [(witness.name, witness.element) for witness in witnesses]  # type: ignore[attr-defined]


async def test_evidence_that_agrees_is_not_enlarged() -> None:
    made, site = await pointing(Reader("Print", ""), Picker(1))
    found = await made.find("the search button", VIEW, PAGE)
    assert names(found.grounding.witnesses) == [("dom", 1), ("model", 1)]
    assert (found.closer, found.disputed_by, site.drawn) == (None, (), [])


async def test_ocr_that_names_another_element_is_read_enlarged() -> None:
    reader = Reader("Search", "Research")
    made, site = await pointing(reader)
    found = await made.find("the search button", VIEW, PAGE)
    assert names(found.disputed_by) == [("dom", 1), ("ocr", 2)]
    assert names(found.grounding.witnesses) == [("dom", 1)], "up close it says something else"
    assert found.grounding.element == 1
    assert found.closer is not None
    assert all(part.box.share_in(found.closer) == 1 for part in BAR[:2])
    assert [scale for _, scale in site.drawn] == [4.0]
    assert reader.scales == [1.0, 4.0, 1.0]


async def test_a_pick_that_no_name_and_no_letter_bears_out_is_made_again_up_close() -> None:
    picker = Picker(3, 1)
    made, _ = await pointing(Reader("", ""), picker)
    found = await made.find("the search button", VIEW, PAGE)
    assert names(found.disputed_by) == [("dom", 1), ("model", 3)]
    assert names(found.grounding.witnesses) == [("dom", 1), ("model", 1)]
    assert found.grounding.element == 1
    assert len(picker.asked) == 2
    assert picker.asked[1].view.frame.scale == 4.0
    assert picker.asked[1].regions == (BAR[0].box, BAR[2].box)
    stubborn, _ = await pointing(Reader("", ""), Picker(3, 3))
    apart = await stubborn.find("the search button", VIEW, PAGE)
    assert apart.grounding.wants_zoom
    assert apart.grounding.confidence < found.grounding.confidence


async def test_a_page_that_cannot_be_drawn_again_keeps_what_was_found() -> None:
    made, site = await pointing(Reader("Search", "Research"))
    await site.close()
    found = await made.find("the search button", VIEW, PAGE)
    assert found.closer is None
    assert names(found.grounding.witnesses) == [("dom", 1), ("ocr", 2)]


PAGES: dict[str, str | bytes] = {
    "/": (
        "<html lang=en><title>Bar</title><p><a href=/s aria-label=Search style='display:inline-block;width:60px;height:30px'>find</a>"
        "<button style='margin-left:80px'>Help</button></p>"
        "<p><button id=drawn style='width:150px;height:40px;background:url(/b.svg)'></button></p>"
    ),
    "/b.svg": (
        "<svg xmlns='http://www.w3.org/2000/svg' width='150' height='40'>"
        "<text x='20' y='28' font-size='22' font-family='sans-serif'>Search</text></svg>"
    ),
}


def test_the_command_says_that_a_part_was_enlarged_and_why(tmp_path: Path) -> None:
    with serve(PAGES) as base:
        ended = walker_here("look", base, "--find", "search", "--picture", "new/seen.png", folder=tmp_path)
        unwritten = walker_here("look", base, "--picture", "new/seen.png/x.png", folder=tmp_path)
    assert ended.code == 0, ended.err
    assert (tmp_path / "new" / "seen.png").read_bytes().startswith(b"\x89PNG")
    assert (unwritten.code, unwritten.out) == (1, "")
    assert "new/seen.png/x.png: it cannot be written" in unwritten.err
    assert "enlarged [" in ended.out
    assert re.search(r"sources named different elements \(dom \d+, ocr \d+\)", ended.out)
    assert "found: link" in ended.out


def test_a_picture_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with serve({"/": "<p>Hello</p>"}) as base:
        ended = walker_here("look", base, "--picture", "file/seen.png", "--window", folder=tmp_path)
    assert ended.code == 1
    assert "file/seen.png: it cannot be written" in ended.line


def test_a_vision_model_without_a_phrase_would_not_be_asked_and_is_refused(tmp_path: Path) -> None:
    ended = walker_here("look", "http://127.0.0.1:1/", "--vision-folder", "model", folder=tmp_path)
    assert ended.code == 2
    assert "--find" in ended.err


def test_a_vision_model_is_the_third_source_of_evidence(tmp_path: Path) -> None:
    def picking(asked: Asked) -> Reply:
        label = "Help" if len(endpoint.asked) == 1 else "Search"
        mark = re.search(rf"^(\d+): \w+ {label}$", asked.prompt, re.MULTILINE)
        assert mark is not None, asked.prompt
        return Reply(text=json.dumps({"found": True, "answer": label, "target": int(mark[1])}))

    with serve({"/": PAGES["/"]}) as base, served(Endpoint(picking, models=("qwen3-vl-8b",))) as endpoint:
        flags = ("--vision-model", "qwen3-vl-8b", "--vision-url", endpoint.base_url, "--json")
        code, out, err = run("look", base, "--find", "search", *flags, key="", folder=tmp_path)
        assert len(endpoint.asked) == 2
    told = json.loads(out)
    assert code == 0, err
    assert [witness["name"] for witness in told["apart"]] == ["dom", "model"]
    assert told["closer"]["width"] > 200
    assert len({witness["element"] for witness in told["found"]["witnesses"]}) == 1
    assert told["found"]["confidence"] > 0.8
