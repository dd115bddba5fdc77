"""Answers from the passages that are kept: in page order, with quotes that stand in them; from the question alone where none is."""

from __future__ import annotations

import json

import pytest

from memory.findings import Citation
from memory.retrieval import Ranker, WordLlamaEmbedder
from walker.assembly import read_task
from walker.seams.passage_critic import OfferedPassage, Weight
from walker.seams.task import Task
from walker.settings import ModelSettings
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply
from walker.strategies.passages.builtin_answer import answer_by_rules
from walker.strategies.passages.kept_passages import CONFIDENCE_WITHOUT, KeptAnswer, KeptPassage, kept_of
from walker.strategies.passages.model_answer import answer_by_model
from walker.testing.fakes import ScriptedChat

HALL, CLUB = "https://a.example/hall", "https://a.example/club"
PASSAGES = (
    OfferedPassage(text="The hall opened in 1974.", title="Swimming hall", url=HALL, place=1),
    OfferedPassage(text="The club meets on Mondays.", title="Chess club", url=CLUB),
    OfferedPassage(text="The diving pool is 4.5 metres deep.", title="Swimming hall", headings=("Pools",), url=HALL),
)


def _task(question: str = "How deep is the diving pool?") -> Task:
    return read_task(HALL, question, "en")


def _kept(*chances: float) -> tuple[KeptPassage, ...]:
    return kept_of(PASSAGES, [Weight(chance=chance) for chance in chances])


def test_kept_passages_stand_in_the_order_of_their_pages() -> None:
    assert [(one.passage.url, one.passage.place) for one in _kept(0.2, 0.9, 0.1)] == [(HALL, 0), (HALL, 1), (CLUB, 0)]
    assert [one.passage.place for one in _kept(0.09, 0.05, 0.1)] == [0]
    assert _kept(0.0, 0.0, 0.0) == ()


async def test_without_a_model_the_passages_are_read_as_pages() -> None:
    critic = BuiltinCritic(Ranker(WordLlamaEmbedder.load()))
    given = await answer_by_rules(_task(), _kept(0.2, 0.2, 0.9), critic)
    assert "4.5 metres" in given.answer
    assert given.evidence
    assert given.citations[0].url == HALL
    assert "4.5 metres" in given.citations[0].quote
    assert await answer_by_rules(_task(), (), critic) == KeptAnswer()


async def test_short_lines_of_a_passage_are_counted_as_a_list() -> None:
    critic = BuiltinCritic(Ranker(WordLlamaEmbedder.load()))
    names = ("Ada Kern", "Bo Lind", "Cy Moor", "Di Nash")
    text = "\n".join(("Lifeguards", *names))
    passage = OfferedPassage(text=text, title="Lifeguards", headings=("Lifeguards",), url=HALL)
    given = await answer_by_rules(
        _task("How many lifeguards are listed?"), kept_of((passage,), [Weight(chance=1.0)]), critic
    )
    assert given.items == names


def _talk(chat: ScriptedChat) -> ModelTalk:
    return ModelTalk(chat, ModelSettings(name="m"), "seed")


def _said(**reply: object) -> str:
    return json.dumps({"answer": "4.5 metres", "items": [], "confidence": 90, "cite": []} | reply)


async def test_a_model_is_shown_the_kept_passages_in_order_and_its_quotes_are_looked_up() -> None:
    cite = [
        {"passage": 1, "quote": "diving  pool is 4.5 metres deep"},
        {"passage": 2, "quote": "a text that is not there"},
        {"passage": 9, "quote": "x"},
    ]
    chat = ScriptedChat(lambda _: _said(cite=cite))
    given = await answer_by_model(_task(), _kept(0.2, 0.0, 0.9), _talk(chat))
    assert given == KeptAnswer(
        answer="4.5 metres",
        confidence=0.9,
        citations=(Citation(url=HALL, quote="diving pool is 4.5 metres deep"),),
        evidence=True,
    )
    prompt = chat.asked[0].messages[-1].content
    assert prompt.index("[1] Swimming hall > Pools") < prompt.index("[2] Swimming hall (")
    assert "Chess club" not in prompt


async def test_an_answer_whose_quotes_are_all_invented_is_sent_back_and_then_none() -> None:
    chat = ScriptedChat(lambda _: _said(cite=[{"passage": 1, "quote": "it is 7 metres deep"}]))
    with pytest.raises(NoUsableReply, match="none of the quotes"):
        await answer_by_model(_task(), _kept(0.2, 0.0, 0.9), _talk(chat))
    assert len(chat.asked) == 3


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_where_nothing_is_kept_the_question_stands_alone_and_is_not_sure(language: str) -> None:
    chat = ScriptedChat(lambda _: _said())
    task = read_task(HALL, "How deep is the diving pool?", language)
    given = await answer_by_model(task, (), _talk(chat))
    assert (given.answer, given.confidence) == ("4.5 metres", CONFIDENCE_WITHOUT)
    assert not given.evidence
    assert given.citations == ()
    prompt = chat.asked[0].messages[-1].content
    assert all(passage.text not in prompt for passage in PASSAGES), "no passage stands in for those that were left out"


async def test_an_answer_that_cites_nothing_is_not_sure_and_no_answer_has_no_confidence() -> None:
    given = await answer_by_model(_task(), _kept(0.2, 0.0, 0.9), _talk(ScriptedChat(lambda _: _said())))
    assert (given.confidence, given.evidence) == (CONFIDENCE_WITHOUT, False)
    none = await answer_by_model(_task(), _kept(0.2, 0.0, 0.9), _talk(ScriptedChat(lambda _: _said(answer=" "))))
    assert (none.answer, none.confidence, none.evidence) == ("", 0.0, False)


async def test_of_more_passages_than_fit_the_likeliest_are_shown() -> None:
    many = tuple(OfferedPassage(text=f"passage {place} " + "word " * 300, url=HALL, place=place) for place in range(60))
    weights = [Weight(chance=0.9 if place in (7, 55) else 0.2) for place in range(60)]
    chat = ScriptedChat(lambda _: _said())
    await answer_by_model(_task(), kept_of(many, weights), _talk(chat))
    prompt = chat.asked[0].messages[-1].content
    assert prompt.index("passage 7 ") < prompt.index("passage 55 ")
    assert "passage 40 " not in prompt
