from __future__ import annotations

from typing import Any

import msgspec
import pytest
from answers.blank_reply import blank, schema_of
from answers.comparing import as_shown, holds
from answers.label_match import targets_of
from answers.page_parts import Link, PageParts
from answers.prompt_reading import Offered, read_request, reply_with
from answers.site_map import SiteMap

from walker.models.replies import AnalysisReply, FindReply, JudgeReply, PageReply, StepReply
from walker.models.replies import schema_of as strict_schema
from walker.prompts import render_prompt
from walker.testing.chat_server import Asked

FENCE = "===0123456789ab==="
STEP = {
    "question": "How many seats has the Alma?",
    "task": "",
    "progress": "",
    "fence": FENCE,
    "known": "",
    "missing": "",
    "steps": "",
    "vain": "",
    "more": "",
    "path": "The ferry line",
    "page": "The ferry line\nhttp://h:1/index.html\nSee our boats [4], the old fares [5] and the harbours [6 seen].",
    "findings": "",
    "parts": "",
    "differ": "",
    "next_number": 3,
    "most": 8,
    "possible": "next (this is page 2 of 9), follow, read, back",
    "earlier": "1 Harbours (/harbours.html)",
    "controls": "7 button collapse",
    "pictures": "0 1280x900 page\n1 20x30 Plan of the deck",
    "refused": "FollowLink 1: it was tried",
}


def asked(prompt: str, values: dict[str, Any], kind: type[Any], language: str = "en") -> Asked:
    messages = [{"role": one.role, "content": one.content} for one in render_prompt(prompt, language, values)]
    form = {"type": "json_schema", "json_schema": {"name": prompt, "schema": strict_schema(kind)}}
    return Asked(body={"messages": messages, "response_format": form}, headers={}, at=0.0)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_step_is_taken_apart(language: str) -> None:
    shown = read_request(asked("explorer", STEP, StepReply, language))
    assert shown.is_step
    assert not shown.is_reading
    assert shown.address == "http://h:1/index.html"
    in_text = [(one.number, one.said, one.state) for one in shown.links if one.in_text]
    assert in_text == [
        (4, "See our boats ", ""),
        (5, "See our boats [4], the old fares ", ""),
        (6, "See our boats [4], the old fares [5] and the harbours ", "seen"),
    ]
    assert [(one.number, one.said, one.path) for one in shown.earlier] == [(1, "Harbours", "/harbours.html")]
    assert [(one.number, one.said) for one in shown.controls] == [(7, "button collapse")]
    assert [one.number for one in shown.pictures] == [0, 1]
    assert shown.refused == "FollowLink 1: it was tried"
    assert shown.possible == {"next", "follow", "read", "back"}


def test_a_reading_shows_the_page_and_its_lists() -> None:
    page = "Boats\nhttp://h:1/boats/\n[list 3] Our fleet (3): Alma; Berta; Cora\nFerry Alma | 120"
    shown = read_request(asked("critic_find", STEP | {"question": "Q", "page": page}, FindReply))
    assert shown.is_reading
    assert shown.text.strip() == shown.page.strip() == page
    assert [(one.number, one.count, one.names) for one in shown.lists] == [(3, 3, ("Alma", "Berta", "Cora"))]


def test_one_call_for_all_says_where_new_findings_are_numbered_from() -> None:
    page = "A\nhttp://h:1/a\nparts 3-7: Fleet > Engines (640 words)\npart 9: Crew (80 words)"
    page += "\nparts 11, 14-15: Sheds (90 words)\n第 20-21 部分: 船只 (30 词)"
    shown = read_request(asked("step", STEP | {"page": page}, PageReply))
    assert shown.is_reading
    assert shown.is_judging
    assert shown.is_step
    assert shown.next_number == 3
    assert [(one.first, one.last, one.about) for one in shown.left_out] == [
        (3, 7, "Fleet > Engines"),
        (9, 9, "Crew"),
        (11, 11, "Sheds"),
        (14, 15, "Sheds"),
        (20, 21, "船只"),
    ]


def test_what_the_walk_knows_stands_above_the_page() -> None:
    known = {"missing": "seats of the Alma", "findings": "[1] 120: “Ferry Alma | 120”, http://h:1/boats/"}
    shown = read_request(asked("step", STEP | known, PageReply))
    assert "seats of the Alma" in shown.above
    assert "[1] 120" in shown.above
    assert shown.page.splitlines()[:2] == ["The ferry line", "http://h:1/index.html"]


def test_pages_of_a_list_that_count_one_by_one_have_a_number_each() -> None:
    page = "The news\nhttp://h:1/news/\nOld [3]\nPages of this list: 2-4 [12]-[14] · 9 [20]"
    shown = read_request(asked("step", STEP | {"page": page}, PageReply))
    assert [(one.number, one.said.rpartition(" · ")[2].strip()) for one in shown.links] == [
        (3, "Old"),
        (20, "9"),
        (12, "2"),
        (13, "3"),
        (14, "4"),
    ]


def test_a_page_that_is_seen_again_is_not_the_open_one() -> None:
    again = "Harbours\nhttp://h:1/harbours.html\nNorthport [9]"
    shown = read_request(asked("step", STEP | {"more": again, "path": "Start > The ferry line"}, PageReply))
    assert shown.address == "http://h:1/index.html"
    assert "Northport" in shown.above
    assert "Northport" not in shown.page


@pytest.mark.parametrize(
    ("line", "said", "path"),
    [
        ("1 Old (blue) boats (/boats/old blue.html?x=1)", "Old (blue) boats", "/boats/old blue.html?x=1"),
        ("1 Boats (blue)", "Boats (blue)", ""),
        ("1 (/a.html)", "(/a.html)", ""),
    ],
)
def test_a_link_left_behind_may_say_its_path(line: str, said: str, path: str) -> None:
    (earlier,) = read_request(asked("explorer", STEP | {"earlier": line}, StepReply)).earlier
    assert (earlier.said, earlier.path) == (said, path)


def test_a_judgement_is_known_by_its_schema() -> None:
    findings = "[1] 120: “Ferry Alma | 120” (http://h:1/boats/)"
    shown = read_request(asked("critic_judge", STEP | {"question": "Q", "findings": findings}, JudgeReply))
    assert shown.is_judging
    assert shown.address == ""


@pytest.mark.parametrize("kind", [FindReply, JudgeReply, StepReply])
def test_the_blank_reply_fits_every_schema(kind: type[Any]) -> None:

    made = msgspec.convert(blank(strict_schema(kind)), kind)
    assert not getattr(made, "findings", ())
    assert not getattr(made, "sufficient", False)


def test_a_reply_has_the_form_that_is_asked_for() -> None:
    schema = {
        "type": "object",
        "properties": {
            "reading": strict_schema(FindReply),
            "step": strict_schema(StepReply),
            "doubt": {"type": ["string", "null"]},
        },
    }
    request = Asked(body={"tools": [{"function": {"name": "all", "parameters": schema}}]}, headers={}, at=0.0)
    assert schema_of(request.body) == schema
    said = {"findings": [{"answer": "120", "quote": "q"}], "relevance": 40, "action": "follow", "number": 4}
    made = reply_with(request, said)
    made["reading"].pop("items", None)
    assert made == {
        "reading": {
            "relevance": 40,
            "findings": [{"answer": "120", "quote": "q", "confidence": 0, "part": []}],
            "list": 0,
            "list_part": [],
        },
        "step": {"action": "follow", "number": 4, "text": "", "box": [], "reason": ""},
        "doubt": "",
    }


def test_labels_tell_where_numbers_lead(ferry: SiteMap) -> None:
    root, boats = ferry.pages["index.html"], ferry.pages["boats/index.html"]
    offered = [Offered(number=9, said="Our history"), Offered(number=2, said="Imprint")]
    assert targets_of(offered, [root]) == {9: "history.html"}
    in_text = [
        Offered(number=5, said="Our ships: The Alma", in_text=True),
        Offered(number=6, said="Our ships: The Alma [5], Plan of the deck", in_text=True),
        Offered(number=7, said="nothing that is a link", in_text=True),
    ]
    assert targets_of(in_text, [boats]) == {5: "boats/alma.html", 6: "boats/deck.html"}
    bare = [Offered(number=5, said="The Alma", in_text=True), Offered(number=6, said="The Alma [5] ", in_text=True)]
    assert targets_of(bare, [boats]) == {5: "boats/alma.html"}


MORE = PageParts(
    text="", whole="", links=tuple(Link(target=f"{name}.html", labels=("More",)) for name in ("a", "b", "c", "d"))
)


def test_links_of_one_label_are_told_apart_by_their_order() -> None:
    offered = [
        Offered(number=2, said="More", in_text=True, state="off-site"),
        Offered(number=3, said="More", in_text=True, state="seen"),
        Offered(number=4, said="More", in_text=True),
        Offered(number=5, said="More", in_text=True),
    ]
    assert targets_of(offered, [MORE]) == {3: "a.html", 4: "b.html", 5: "c.html"}


def test_a_link_that_was_followed_tells_of_those_behind_it() -> None:
    offered = [Offered(number=number, said="More", in_text=True) for number in (3, 4, 5)]
    assert targets_of(offered, [MORE], known={3: "b.html"}) == {3: "b.html", 4: "c.html", 5: "d.html"}


@pytest.mark.parametrize(
    ("text", "piece", "shown"),
    [
        ("The “Alma”  was built in 1931", 'The "Alma" was built in 1931', "The “Alma” was built in 1931"),
        ("| Ferry Alma | 120 |", "Ferry Alma 120", "Ferry Alma | 120"),
        ("The Alma [12] was built in 1931 – in Rostock", "Alma was built in 1931 - in", "Alma was built in 1931 – in"),
    ],
)
def test_a_verbatim_piece_is_found_through_separators(text: str, piece: str, shown: str) -> None:
    assert holds(text, piece)
    assert as_shown(text, piece) == shown


def test_marks_of_list_items_are_no_text() -> None:
    assert holds("## Our fleet\n- Alma\n- Berta\n2. Cora", "Our fleet Alma Berta Cora")


def test_other_words_are_not_evidence() -> None:
    assert not holds("The Alma was built in 1932", "The Alma was built in 1931")
    assert not holds("anything", "")


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_a_question_asks_for_is_left_to_the_rules(language: str) -> None:
    site = {"root": "http://h:1/", "picture": "", "title": "The ferry line", "site_language": "en"}
    values = {"question": "Q?", "fence": FENCE, **site}
    request = asked("analysis", values, AnalysisReply, language)
    shown = read_request(request)
    assert (shown.is_reading, shown.is_step, shown.is_judging) == (False, False, False)
    said = reply_with(request, {})
    assert (said["kind"], said["counts"], said["operation"]) == ("other", "no", "none")
    assert (said["parts"], said["names"], said["picture"], said["noun"]) == ([], [], "", "")


def test_pictures_are_known_by_the_marks_in_the_text_too() -> None:
    page = f"{STEP['page']}\nHere is [picture 3: The harbour] and [picture 4], not [picture: quay]."
    shown = read_request(asked("explorer", {**STEP, "page": page}, StepReply))
    assert [(one.number, one.said) for one in shown.pictures][-2:] == [(3, "The harbour"), (4, "")]
