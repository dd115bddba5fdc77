"""What an experiment is made of: samples (one answer of one variant to one question) and their grades."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

from memory.findings import Citation
from walker.seams.outcome import Usage

ErrorClass = Literal["refusal", "hallucination", "totally incorrect", "missing key info", "imprecise"]
ERROR_CLASSES: tuple[ErrorClass, ...] = (
    "refusal",
    "hallucination",
    "totally incorrect",
    "missing key info",
    "imprecise",
)
"""V-GEMS section 4.5, from not getting there to not getting it exactly."""


class Sample(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One answer. `number` counts the samples of one variant for one question, from 1."""

    question_id: str
    variant: str
    number: int = 1
    answer: str = ""
    items: tuple[str, ...] = ()
    confidence: float = 0.0
    citations: tuple[Citation, ...] = ()
    stop_reason: str = ""
    pages: int = 0
    steps: int = 0
    looks: int = 0
    """Pages whose picture was looked at."""
    usage: Usage = Usage()
    money: float | None = None
    """In the unit of the model's prices; None where these are not known."""
    trace: str = ""
    error: str = ""
    """Why there was no walk; such a sample is asked again by the next run."""

    @property
    def key(self) -> tuple[str, str, int]:
        """Which sample it is."""
        return self.variant, self.question_id, self.number

    @property
    def digest(self) -> str:
        """Hash of what is graded: the answer, its items and citations."""
        said = msgspec.json.encode((self.answer, self.items, self.citations))
        return hashlib.sha256(said).hexdigest()[:12]


class Grade(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether a sample is right. `right` is None where no grade could be read: unscored, and never wrong."""

    question_id: str
    variant: str
    number: int = 1
    right: bool | None
    f1: float = 0.0
    """Overlap of words (or of items) with the nearest accepted answer, 0..1."""
    cited: bool = False
    """A citation leads to one of the question's sources."""
    by: str = "match"
    """What decided: match, or a judge by its protocol and model."""
    reason: str = ""
    error_class: ErrorClass | None = None
    """Of a wrong answer only."""
    error_by: str = ""
    """What decided the class: trace, match, or a model."""
    votes: dict[str, bool | None] = {}
    """What each judge said, by its name."""
    of: str = ""
    """Digest of the sample that was graded."""
    seal: str = ""
    """Digest of all the rest, by which a grade that was changed by hand is known; "" for one that was never sealed."""

    @property
    def key(self) -> tuple[str, str, int]:
        """Which sample it is of."""
        return self.variant, self.question_id, self.number

    @property
    def sealed(self) -> Grade:
        """The same with its seal."""
        said = msgspec.json.encode(msgspec.structs.replace(self, seal=""))
        return msgspec.structs.replace(self, seal=hashlib.sha256(said).hexdigest()[:12])
