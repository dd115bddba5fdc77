"""The passage critic without a model: a fitted function of where the words of the question are met."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

import msgspec
import numpy as np

from memory.counting.requirement import read_requirement
from memory.words import lazy_re
from walker.seams.passage_critic import OfferedPassage, PassageCritic, Weight
from walker.strategies.answers.answer_chance import Logistic
from walker.strategies.passages.passage_signals import SIGNALS, AskedWords, OfferedTexts, Rows, signals_of
from walker.strategies.passages.passage_words import DIGIT, terms_in
from walker.strategies.question.answer_type import read_answer_type
from walker.strategies.question.question import read_question
from walker.strategies.question.question_terms import content_words, specific_words

DECIMALS = 4
_FORMS = dict.fromkeys(("number", "year", "date", "time", "version", "phone", "code"), DIGIT) | {
    "email": lazy_re.compile(r"@|[(\[]at[)\]]"),
    "url": lazy_re.compile(r"https?:|www\."),
}


class CriticWeights(msgspec.Struct, frozen=True, kw_only=True):
    """The fitted function, and what it was fitted on."""

    fitted_on: str
    passage: Logistic


class BuiltinPassageCritic:
    """Implements `seams.passage_critic.PassageCritic`. Pure: equal passages in equal order weigh the same."""

    async def weigh(
        self, question: str, passages: Sequence[OfferedPassage], language: str = "en"
    ) -> tuple[Weight, ...]:
        """The chances of a fitted function; of a question with several parts the highest of the whole and its parts."""
        function, best = critic_weights().passage, np.full(len(passages), -np.inf)
        weights = np.array([function.weights.get(name, 0.0) for name in SIGNALS])
        for rows in rows_of(question, passages, language):
            best = np.maximum(best, rows @ weights + function.intercept)
        chances = 1 / (1 + np.exp(-np.clip(best, -30, 30)))
        return tuple(
            Weight(chance=round(float(chance), DECIMALS)) if passage.text.strip() else Weight(chance=0.0, by="nothing")
            for passage, chance in zip(passages, chances, strict=True)
        )


def rows_of(question: str, passages: Sequence[OfferedPassage], language: str) -> tuple[Rows, ...]:
    """The signals of all passages: for the question as a whole, then for each of its parts where it has several."""
    texts = OfferedTexts(passages)
    terms = terms_in(question, content_words(question))
    meetings = texts.meet(terms)
    numbers = {term.token: number for number, term in enumerate(terms)}
    named = specific_words(question)
    parts = read_question(question, language).parts
    found: dict[tuple[int, ...], AskedWords] = {}
    for text in (question, *(part.text for part in parts if len(parts) > 1)):
        chosen = tuple(numbers[word] for word in dict.fromkeys(content_words(text)) if word in numbers)
        is_list = read_requirement(question, language).mode != "none"
        form = None if is_list else _FORMS.get(read_answer_type(text, language).kind)
        asked = AskedWords(
            terms=chosen, named=tuple(terms[number].token in named for number in chosen), form=form, is_list=is_list
        )
        if chosen or not found:
            found.setdefault(chosen, asked)
    return tuple(signals_of(texts, meetings, asked) for asked in found.values())


@lru_cache(maxsize=1)
def critic_weights() -> CriticWeights:
    """The weights that the package holds."""
    data = files("walker.strategies.passages").joinpath("critic_weights.json").read_bytes()
    return msgspec.json.decode(data, type=CriticWeights)


def _is_passage_critic(critic: BuiltinPassageCritic) -> PassageCritic:
    """Makes the type checker verify that the class implements the protocol."""
    return critic


msgspec.json.Decoder(CriticWeights)  # described at import: docs/design/msgspec.md
