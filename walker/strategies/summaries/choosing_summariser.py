"""Who summarises: the language model where there is one, with the page's own sentences behind it."""

from __future__ import annotations

from memory.retrieval import Ranker
from walker.seams.protocols import ChatModel, Summariser
from walker.settings import ModelSettings
from walker.strategies.model.model_talk import ModelTalk
from walker.strategies.summaries.model_summary import ModelSummariser
from walker.strategies.summaries.sentence_summary import SentenceSummariser

REPAIRS = 1
"""How often an unusable summary is sent back with the reason."""


def make_summariser(chat: ChatModel | None, model: ModelSettings | None, ranker: Ranker, seed: str) -> Summariser:
    """The summariser of a walk or a workflow. `seed`: of the markers that fence pages in prompts."""
    sentences = SentenceSummariser(ranker)
    if chat is None or model is None:
        return sentences
    return ModelSummariser(ModelTalk(chat, model, seed, repairs=REPAIRS), ranker, sentences)
