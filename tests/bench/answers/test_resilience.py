"""Walks of one page that try all that it offers, over the small site in a real browser."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
import resilience
from answers.page_parts import PageParts
from answers.question_set import Site
from answers.restless import Restless
from answers.site_map import SiteMap
from answers.sites_here import ServedSite
from answers.walks import PROJECT, Walk

from walker.models.replies import PageReply, schema_of
from walker.testing.chat_server import Asked


@pytest.fixture
def served(site: Site, base: str) -> ServedSite:
    return ServedSite(site=site, base=base, questions=())


def with_map(served: ServedSite, map_: SiteMap, file: Path) -> ServedSite:
    file.write_bytes(msgspec.msgpack.encode(map_))
    return msgspec.structs.replace(served, map_file=file)


def test_pages_are_drawn_by_turns_with_a_pdf_in_four(served: ServedSite, ferry: SiteMap, tmp_path: Path) -> None:
    pdfs = {f"plan{number}.pdf": PageParts(text="", whole="", is_pdf=True) for number in range(9)}
    rich = with_map(served, msgspec.structs.replace(ferry, pages=ferry.pages | pdfs), tmp_path / "map")
    drawn = resilience.drawn([rich, served], 12)
    assert drawn == resilience.drawn([rich, served], 12)
    assert [home is rich for home, _, _ in drawn] == [True, False] * 6
    assert [is_pdf for home, _, is_pdf in drawn if home is rich] == [False, False, False, True, False, False]
    assert len({(home.map_file, path) for home, path, _ in drawn}) == 12


def test_every_walk_is_asked_and_one_that_fails_is_told(served: ServedSite) -> None:
    pages = [*resilience.drawn([served], 3), (served, "nowhere.html", False)]
    model, failed = resilience.check_walks(resilience.walks_of(pages), [], PROJECT)
    assert list(failed) == ["003"]
    assert "404" in failed["003"]
    assert [bool(model.tokens[id_]) for id_ in ("000", "001", "002", "003")] == [True, True, True, False]
    assert model.actions.total() >= 3


@pytest.mark.parametrize(("limit", "failed", "is_well"), [(200, 0, True), (99, 0, False), (200, 1, False)])
def test_a_prompt_above_the_limit_or_a_failed_walk_is_no_success(limit: int, failed: int, is_well: bool) -> None:
    model = Restless([Walk(id="a", question="Q?", root="http://h:1/")])
    model.tokens["a"] += [80, 100]
    assert resilience.print_walks("pages", model, failed, limit) is is_well


PAGE = """===0123456789ab===
Boats
http://h:1/boats/
The Alma was built in Rostock. Boats [4]
part 3: Crew (80 words)

Controls (click, type):
7 search Search
===0123456789ab===
Possible now: follow, read, type, back, answer."""


def test_all_that_is_possible_is_tried_once_and_then_it_stops() -> None:
    model = Restless([Walk(id="a", question="What of the Alma?", root="http://h:1/")])
    form = {"response_format": {"json_schema": {"name": "step", "schema": schema_of(PageReply)}}}
    content = [{"type": "text", "text": f"What of the Alma? {PAGE}"}, {"type": "image_url", "image_url": {"url": "x"}}]
    asked = Asked(body={"messages": [{"role": "user", "content": content}], **form}, headers={}, at=0.0)
    replies = [json.loads(model(asked).text) for _ in range(4)]
    assert [(one["action"], one["number"]) for one in replies] == [
        ("read", 3),
        ("type", 7),
        ("follow", 4),
        ("answer", 0),
    ]
    assert replies[0]["findings"][0]["quote"] == "The Alma was built in Rostock. Boats [4]"
    assert all(0 < tokens < 200 for tokens in model.tokens["a"])
