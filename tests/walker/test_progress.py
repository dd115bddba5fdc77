"""What a person sees of a walk while it goes on."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from perception.geometry import Box
from traces.events import CodeRan, Event, PageFailed, PassagesFound
from walker.progress import ProgressLines
from walker.seams.searches import pictures_address, start_address
from walker.seams.task_analysis import SiteName, TaskAnalysis, TaskPart
from walker.walk.walk_events import task_analysed


def shown(event: Event) -> str:
    text = io.StringIO()
    ProgressLines(Console(file=text, width=120)).emit(event)
    return text.getvalue().strip()


@pytest.mark.parametrize(
    ("analysis", "line"),
    [
        (TaskAnalysis(by="rules", kind="date"), "asked for: date"),
        (TaskAnalysis(by="model", kind="number", unit="km"), "asked for: number (km)"),
        (
            TaskAnalysis(by="model", parts=(TaskPart(text="a"), TaskPart(text="b")), operation="sum", kind="number"),
            "asked for: number, 2 parts (sum)",
        ),
        (
            TaskAnalysis(
                by="model", kind="name", names=(SiteName(name="Reef", spellings=("Riff",)),), picture="the map"
            ),
            "asked for: name, also written Riff, picture: the map",
        ),
        (TaskAnalysis(by="rules", kind="name", note="the model failed"), "asked for: name; the model failed"),
    ],
)
def test_a_line_says_what_is_asked_for(analysis: TaskAnalysis, line: str) -> None:
    assert shown(task_analysed(1, analysis)) == line


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (start_address((), "3f"), "1 the picture"),
        (start_address(("https://a.example/",), "3f"), "1 https://a.example/"),
        (
            pictures_address(start_address((), "3f"), Box(x=1, y=2, width=3, height=4)),
            "1 a search by a part of a picture",
        ),
    ],
)
def test_where_a_walk_with_a_picture_is_stands_in_words(place: str, line: str) -> None:
    assert shown(PageFailed(step=1, url=place, kind="other", message="")) == line


def test_why_code_gave_nothing_is_not_cut_off_with_the_code() -> None:
    code = "fees = [f1_value, f2_value, f3_value]\nround(sum(fees) / len(fees), 2) if fees else None"
    why = "the sandbox at 127.0.0.1:8080 answered with 500"
    told = shown(CodeRan(step=1, code=code, inputs=(), failure="unavailable", message=why)).splitlines()
    assert len(told) == 2
    assert told[0].startswith("could not compute fees = [f1_value, f2_value, f3_value] round(sum(fees)")
    assert told[1].strip() == f"unavailable: {why}"
    assert shown(CodeRan(step=1, code="f1_value + 1", inputs=(), value="13")) == "computed f1_value + 1 = 13"


@pytest.mark.parametrize(
    ("note", "line"),
    [
        ("by logprobs", "kept 1 of 2 passages, weighed by logprobs"),
        ("by score; server_error: 500: boom", "kept 1 of 2 passages, weighed by score; server_error: 500: boom"),
        ("", "kept 1 of 2 passages"),
    ],
)
def test_a_search_for_passages_says_how_many_are_kept_and_who_weighed_them(note: str, line: str) -> None:
    passages: tuple[dict[str, object], ...] = ({"url": "a", "kept": True}, {"url": "b", "kept": False})
    assert shown(PassagesFound(step=1, queries=("q",), passages=passages, note=note)) == line


def test_why_a_page_behind_the_first_was_refused_is_told_where_its_kind_says_nothing() -> None:
    text = io.StringIO()
    lines = ProgressLines(Console(file=text, width=120))
    why = "it leads to another site, which this walk may not open"
    for url in ("http://a.example/", "http://b.example/"):
        lines.emit(PageFailed(step=1, url=url, kind="other", message=why))
    lines.emit(PageFailed(step=2, url="http://c.example/", kind="timeout", message="the server did not answer in time"))
    told = [line.strip() for line in text.getvalue().splitlines()]
    assert told == ["1 other: a.example/", "2 other: b.example/", why, "3 timeout: c.example/"]
