"""Judge models, with four protocols: strict 0 or 1 after V-GEMS, accept or wrong after ReFACT, yes or no after SenseSearch, and the
extracted answer with its confidence after WebWatcher. The last grade in a reply counts; a reply without one leaves the sample
unscored. A question's picture is shown to a judge that takes pictures."""

from __future__ import annotations

import re
from typing import Literal

import msgspec

from evaluation.dataset.pictures import picture_asked
from evaluation.dataset.question import Question
from evaluation.prompts import prompt_version, request_of
from evaluation.sample import Sample
from walker.asked_picture.drawn_picture import asked_views
from walker.models.replies import without_reasoning
from walker.seams.chat import ChatFailure, ChatImage, ChatReply
from walker.seams.protocols import ChatModel
from walker.vision.sent_picture import chat_image
from walker.workflows.shown_pictures import PicturedChat

ProtocolName = Literal["strict", "accept", "yesno", "extract"]

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
    "extract": _Protocol(
        grade=re.compile(r"\bcorrect\W{0,6}(yes|no)\b(?!\s*(?:or\b|/\s*no))", re.IGNORECASE), right="yes", wrong="no"
    ),
    "yesno": _Protocol(grade=re.compile(r"<judge>\W*(yes|no)\W*</judge>", re.IGNORECASE), right="yes", wrong="no"),
}
_CONFIDENCE = re.compile(r"\bconfidence\W{0,6}(\d{1,3}(?:\.\d+)?)\s*(?:%|\b)", re.IGNORECASE)
_EXTRACTED = re.compile(
    r"<extracted>(.*?)</extracted>|^\W*extracted(?:_| )(?:final(?:_| ))?answer\W{1,4}([^\n]*)",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
PROTOCOLS: tuple[ProtocolName, ...] = tuple(_PROTOCOLS)


class Judgement(msgspec.Struct, frozen=True, kw_only=True):
    """A judge's verdict; `right` is None where no grade could be parsed."""

    judge: str
    right: bool | None
    reason: str
    extracted: str = ""
    """The final answer in what was judged, where the protocol asks for it."""
    stated: float | None = None
    """Confidence 0..1 that the answer states."""


class Judge:
    """One model with one protocol."""

    def __init__(self, chat: ChatModel, model: str, protocol: ProtocolName) -> None:
        self._chat, self._model, self._protocol = chat, model, protocol
        self._is_blind = False

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
        unused = "forms" if self._protocol == "strict" else "accepted"
        pictured = {"pictured": bool(question.picture), "parted": bool(question.picture and question.boxes)}
        said = {name: value for name, value in values.items() if name != unused} | pictured
        chat = PicturedChat(self._chat, self._shown(question))
        why = ""
        for attempt in range(TRIES):
            request = request_of(
                f"judge_{self._protocol}", said, model=self._model, max_tokens=REPLY_TOKENS * 4**attempt
            )
            saw = chat.sees
            reply = await chat.complete(request)
            self._is_blind = self._is_blind or (saw and not chat.sees)
            if isinstance(reply, ChatFailure):
                return Judgement(judge=self.name, right=None, reason=f"{reply.kind}: {reply.message}"[:_REASON_CHARS])
            right = read_grade(reply, self._protocol)
            if right is not None:
                return self._judgement(reply, right=right)
            why = f"no grade in “{' '.join(reply.text.split())[-120:]}”"
        return Judgement(judge=self.name, right=None, reason=why)

    def _shown(self, question: Question) -> tuple[ChatImage, ...]:
        """The question's picture and the part that it is about, unless the model has said that it takes none."""
        asked = None if self._is_blind else picture_asked(question)
        return () if asked is None else tuple(chat_image(data, self._model) for data in asked_views(asked))

    def _judgement(self, reply: ChatReply, *, right: bool) -> Judgement:
        reason = _reason_of(reply)
        if self._protocol != "extract":
            return Judgement(judge=self.name, right=right, reason=reason)
        said = without_reasoning(reply.text)
        return Judgement(
            judge=self.name, right=right, reason=reason, extracted=_extracted(said), stated=read_confidence(said)
        )


def read_grade(reply: ChatReply, protocol: ProtocolName) -> bool | None:
    """The last grade in a reply, reasoning excluded; None where there is none."""
    if reply.refusal:
        return None
    known = _PROTOCOLS[protocol]
    grades = known.grade.findall(without_reasoning(reply.text))
    return None if not grades else grades[-1].lower() == known.right


def read_confidence(said: str) -> float | None:
    """The last confidence in a judge's reply, in percent there and 0..1 here; None where the answer states none."""
    found = _CONFIDENCE.findall(said)
    return min(1.0, float(found[-1]) / 100) if found else None


def _extracted(said: str) -> str:
    found = _EXTRACTED.search(said)
    text = " ".join((found[1] or found[2] or "").split()) if found else ""
    return "" if text.lower() == "none" else text[:_REASON_CHARS]


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
