"""The judge that extracts answer and confidence, and judges that are shown the picture of a question."""

from __future__ import annotations

import base64
from pathlib import Path

import msgspec
import pytest

from evaluation.dataset.question import Question
from evaluation.grading.grader import Graders, grade_one
from evaluation.grading.judges import Judge, read_confidence
from evaluation.sample import Sample
from perception.images.image import decode_picture, size_of
from tests.sites.museum import pictures
from walker.models.openai_compatible import OpenAICompatible
from walker.testing.chat_server import FEATURES, Asked, Endpoint, Reply

SAID = Sample(question_id="q", variant="all", answer="Two metres, and I am 70 % sure.")
REPLY = "<extracted>Two metres</extracted><reason>Not as deep.</reason><correct>no</correct><confidence>70</confidence>"


def question(picture: str = "") -> Question:
    return Question(
        id="q", question="How deep is this?", answers=("1.8 m",), root="https://a.example/", picture=picture
    )


def judge(endpoint: Endpoint) -> Judge:
    return Judge(OpenAICompatible(endpoint.base_url, "", seconds=20), "test-model", "extract")


def has_picture(asked: Asked) -> bool:
    contents = [message["content"] for message in asked.body["messages"]]
    return any(part.get("type") == "image_url" for content in contents if isinstance(content, list) for part in content)


async def test_answer_verdict_and_confidence_are_in_the_grade() -> None:
    async with Endpoint([Reply(text=REPLY)]) as endpoint:
        grade = await grade_one(question(), SAID, Graders(judges=(judge(endpoint),)))
    assert (grade.right, grade.extracted, grade.stated) == (False, "Two metres", 0.7)
    assert grade.votes == {"match": False, "extract/test-model": False}
    assert grade.reason.startswith("Not as deep.")
    assert grade.seal == grade.sealed.seal


@pytest.mark.parametrize(
    ("said", "confidence"),
    [
        ("<confidence>70</confidence>", 0.7),
        ("confidence: 85%", 0.85),
        ("<confidence>100</confidence>", 1.0),
        ("<confidence>250</confidence>", 1.0),
        ("<confidence>none</confidence>", None),
        ("confidence: 12.5 %\nconfidence: 40", 0.4),
        ("", None),
    ],
)
def test_the_last_confidence_is_read_in_percent(said: str, confidence: float | None) -> None:
    assert read_confidence(said) == confidence


async def test_a_judge_sees_the_picture_of_the_question(tmp_path: Path) -> None:
    (tmp_path / "mill.png").write_bytes(pictures()["/mill.png"])
    async with Endpoint([Reply(text=REPLY)]) as endpoint:
        await judge(endpoint).judge(question(str(tmp_path / "mill.png")), SAID)
        await judge(endpoint).judge(question(), SAID)
        asked = endpoint.asked
    assert [has_picture(one) for one in asked] == [True, False]
    assert "about a picture" in asked[0].prompt
    assert "about a picture" not in asked[1].prompt


async def test_a_judge_without_eyes_judges_by_words_and_is_not_shown_another(tmp_path: Path) -> None:
    (tmp_path / "mill.png").write_bytes(pictures()["/mill.png"])
    pictured = question(str(tmp_path / "mill.png"))
    async with Endpoint([Reply(text=REPLY)], accepts=FEATURES - {"images"}) as endpoint:
        blind = judge(endpoint)
        first, second = await blind.judge(pictured, SAID), await blind.judge(pictured, SAID)
        shown = [has_picture(one) for one in endpoint.asked]
    assert (first.right, second.right) == (False, False)
    assert shown.count(True) <= 1, "it has said that it takes none"
    assert shown[-1] is False


async def test_a_judge_sees_the_part_that_a_question_is_about(tmp_path: Path) -> None:
    (tmp_path / "mill.png").write_bytes(pictures()["/mill.png"])
    pictured = question(str(tmp_path / "mill.png"))
    async with Endpoint([Reply(text=REPLY)]) as endpoint:
        await judge(endpoint).judge(msgspec.structs.replace(pictured, boxes=((0.25, 0.25, 0.75, 0.5),)), SAID)
        (asked,) = endpoint.asked
    parts = [
        part
        for message in asked.body["messages"]
        if isinstance(message["content"], list)
        for part in message["content"]
    ]
    sent = [
        base64.b64decode(part["image_url"]["url"].partition(",")[2]) for part in parts if part["type"] == "image_url"
    ]
    assert [size_of(decode_picture(data)) for data in sent] == [(640, 480), (320, 120)]
    assert "The second picture is the part of it that is meant." in asked.prompt


async def test_judges_that_disagree_say_so() -> None:
    async with Endpoint([Reply(text=REPLY), Reply(text="<reason>As deep.</reason><judge>Yes</judge>")]) as endpoint:
        second = Judge(OpenAICompatible(endpoint.base_url, "", seconds=20), "test-model", "yesno")
        grade = await grade_one(question(), SAID, Graders(judges=(judge(endpoint), second)))
    assert grade.right is None
    assert grade.reason == (
        "the judges disagree: extract/test-model wrong (Not as deep.); yesno/test-model right (As deep.)"
    )
