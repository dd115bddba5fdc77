"""Judge models, with three protocols: strict 0 or 1 after V-GEMS, accept or wrong after ReFACT, yes or no after SenseSearch. The
last grade in a reply counts; a reply without one leaves the sample unscored."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from evaluation.dataset.question import Question
from evaluation.prompts import prompt_version, request_of
from evaluation.sample import Sample
from walker.models.replies import without_reasoning
from walker.seams.chat import ChatFailure, ChatReply
from walker.seams.protocols import ChatModel

ProtocolName = Literal["strict", "accept", "yesno"]

TRIES = 2
"""After a reply without a grade the judge is asked once more, with four times the token limit."""
REPLY_TOKENS = 500
ANSWER_CHARS = 4000
_REASON_CHARS = 300


class _Protocol(msgspec.Struct, frozen=True, kw_only=True):
    """How the grade is found in a reply, and which words mean right and wrong."""

    grade: re.Pattern[str]
    right: str
    wrong: str


_PROTOCOLS: dict[ProtocolName, _Protocol] = {
    "strict": _Protocol(
        grade=re.compile(r"\bscore\W{0,6}([01])\b(?!\s*(?:or|if|/|\.\d))", re.IGNORECASE), right="1", wrong="0"
    ),
    "accept": _Protocol(
        grade=re.compile(r"<answer>\W*(accept|wrong)\W*</answer>", re.IGNORECASE), right="accept", wrong="wrong"
    ),
    "yesno": _Protocol(grade=re.compile(r"<judge>\W*(yes|no)\W*</judge>", re.IGNORECASE), right="yes", wrong="no"),
}
PROTOCOLS: tuple[ProtocolName, ...] = tuple(_PROTOCOLS)


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's verdict; `right` is None where no grade could be parsed."""

    judge: str
    right: bool | None
    reason: str


class Judge:
    """One model with one protocol."""

    def __init__(self, chat: ChatModel, model: str, protocol: ProtocolName) -> None:
        self._chat, self._model, self._protocol = chat, model, protocol

    @property
    def name(self) -> str:
        """Protocol and model, as in grades."""
        return f"{self._protocol}/{self._model}"

    @property
    def version(self) -> str:
        """The name with the hash of the prompt."""
        return f"{prompt_version(f'judge_{self._protocol}')}/{self._model}"

    async def judge(self, question: Question, sample: Sample) -> Judgement:
        """Grade one answer. Raises `EndpointUnusable` where the model can never answer."""
        values = {
            "question": question.question,
            "reference": question.reference,
            "accepted": "; ".join(question.answers[1:]),
            "forms": question.answers[1:],
            "answer": sample.answer[:ANSWER_CHARS] or "(no answer)",
        }
        names = {"strict": ("forms",), "accept": ("accepted",), "yesno": ("accepted",)}[self._protocol]
        said = {name: value for name, value in values.items() if name not in names}
        why = ""
        for attempt in range(TRIES):
            request = request_of(
                f"judge_{self._protocol}", said, model=self._model, max_tokens=REPLY_TOKENS * 4**attempt
            )
            reply = await self._chat.complete(request)
            if isinstance(reply, ChatFailure):
                return Judgement(judge=self.name, right=None, reason=f"{reply.kind}: {reply.message}"[:_REASON_CHARS])
            right = read_grade(reply, self._protocol)
            if right is not None:
                return Judgement(judge=self.name, right=right, reason=_reason_of(reply))
            why = f"no grade in “{' '.join(reply.text.split())[-120:]}”"
        return Judgement(judge=self.name, right=None, reason=why)


def read_grade(reply: ChatReply, protocol: ProtocolName) -> bool | None:
    """The last grade in a reply, reasoning excluded; None where there is none."""
    if reply.refusal:
        return None
    known = _PROTOCOLS[protocol]
    grades = known.grade.findall(without_reasoning(reply.text))
    return None if not grades else grades[-1].lower() == known.right


def verdict_of(votes: dict[str, bool | None]) -> bool | None:
    """Majority vote of the judges that gave a grade; None for a tie or no votes."""
    given = [vote for vote in votes.values() if vote is not None]
    balance = 2 * sum(given) - len(given)
    return None if not balance else balance > 0


def _reason_of(reply: ChatReply) -> str:
    said = without_reasoning(reply.text)
    inner = re.search(r"<reason>(.*?)</reason>", said, re.DOTALL | re.IGNORECASE)
    text = inner[1] if inner else re.sub(r"(?im)^\W*(?:score|reasoning)\W*[01]?\W*", "", said)
    return " ".join(text.split())[:_REASON_CHARS]
