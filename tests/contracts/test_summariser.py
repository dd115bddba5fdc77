"""One body for every implementation of the Summariser seam."""

from __future__ import annotations

import json

import pytest

from memory.findings import SENTENCES, PageSummary
from memory.library.protocol import PageLine, WholePage
from memory.retrieval import Ranker, WordLlamaEmbedder
from walker.models.token_count import count_tokens
from walker.seams.chat import ChatFailure, ChatRequest
from walker.seams.protocols import Summariser
from walker.seams.task import Task
from walker.settings import ModelSettings
from walker.strategies.answers.passages import split_sentences
from walker.strategies.model.model_talk import ModelTalk
from walker.strategies.summaries.model_summary import ModelSummariser
from walker.strategies.summaries.sentence_summary import SentenceSummariser
from walker.testing.fakes import ScriptedChat

PROOF = "The ferry to the island leaves at nine in the morning."
FILLER = [f"Line {number} tells of gulls, rain and the colour of sails. It goes on a little." for number in range(400)]
PAGE = WholePage(
    url="https://docs.example/ferry",
    title="The harbour",
    lines=tuple(PageLine(text=text) for text in (*FILLER[:200], PROOF, "Tickets are sold on board.", *FILLER[200:])),
)
OTHER = WholePage(url="https://docs.example/sails", title="Sails", lines=tuple(PageLine(text=text) for text in FILLER))
GOAL = "When does the ferry to the island leave?"
TASK = Task(question=GOAL, root_url="https://docs.example/")
MODEL = ModelSettings(name="m", page_tokens=1500, step_tokens=2500)


def says(request: ChatRequest) -> str:
    shown = request.messages[1].content
    quotes = [PROOF, "A sentence that nobody wrote."] if PROOF in shown else []
    return json.dumps({"rationale": "It tells when.", "evidence": quotes, "summary": f"{PROOF} " * 7})


def by_model(chat: ScriptedChat) -> Summariser:
    ranker = Ranker(WordLlamaEmbedder.load())
    return ModelSummariser(ModelTalk(chat, MODEL, "seed", repairs=1), ranker, SentenceSummariser(ranker))


@pytest.fixture(params=["sentences", "model", "model that fails", "model that invents"])
def summariser(request: pytest.FixtureRequest) -> Summariser:
    match request.param:
        case "sentences":
            return SentenceSummariser(Ranker(WordLlamaEmbedder.load()))
        case "model":
            return by_model(ScriptedChat(says))
        case "model that fails":
            return by_model(ScriptedChat(lambda _: ChatFailure(kind="server_error", message="out of order")))
        case _:
            return by_model(ScriptedChat(lambda _: '{"evidence": ["Nobody wrote this."], "summary": "So it is."}'))


def is_short(summary: PageSummary) -> bool:
    return sum(len(split_sentences(line)) for line in summary.summary.split("\n")) <= SENTENCES


async def test_a_summary_is_short_and_every_quote_stands_on_the_page(summariser: Summariser) -> None:
    made = await summariser.summarise(TASK, GOAL, PAGE, 1)
    assert made.goal == GOAL
    assert PROOF in made.evidence
    assert all(quote in PAGE.text for quote in made.evidence)
    assert "nine in the morning" in made.summary
    assert is_short(made)
    assert bool(made.note) == (made.by == "sentences" and isinstance(summariser, ModelSummariser))


async def test_summaries_are_joined_and_quote_what_they_quoted(summariser: Summariser) -> None:
    each = [await summariser.summarise(TASK, GOAL, page, 1) for page in (OTHER, PAGE)]
    joined = await summariser.join(TASK, GOAL, each, 1)
    assert "nine in the morning" in joined.summary
    assert is_short(joined)
    assert set(joined.evidence) <= {quote for one in each for quote in one.evidence}
    assert await summariser.join(TASK, GOAL, [], 1) == PageSummary(goal=GOAL)


async def test_a_page_that_says_nothing_has_no_summary_of_sentences() -> None:
    empty = WholePage(url="https://docs.example/empty", title="")
    assert await SentenceSummariser(Ranker(WordLlamaEmbedder.load())).summarise(TASK, GOAL, empty, 1) == PageSummary(
        goal=GOAL
    )


async def test_a_long_page_is_fitted_to_the_tokens_of_a_step_and_keeps_what_fits_the_goal() -> None:
    chat = ScriptedChat(says)
    made = await by_model(chat).summarise(TASK, GOAL, PAGE, 1)
    (asked,) = chat.asked
    assert count_tokens(PAGE.text) > MODEL.step_tokens
    assert sum(count_tokens(message.content) for message in asked.messages) <= MODEL.step_tokens
    assert (made.by, made.evidence) == ("model", (PROOF,))
