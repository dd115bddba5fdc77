"""What a question asks for, as one value that explorer, critic, gate and counter share."""

from __future__ import annotations

from typing import Literal

import msgspec

from memory.counting.requirement import Requirement
from walker.seams.calculations import CalculationName

AnswerKind = Literal[
    "passage",
    "name",
    "person",
    "place",
    "date",
    "time",
    "number",
    "value",  # a version, a code, an address: copied as it stands
    "yes/no",
    "list",
    "count",
    "comparison",
]

TaskOperation = Literal["none", "yes/no", CalculationName]
"""How the answers of the parts are joined: by what can be computed, into yes or no, or not at all."""

AnalysedBy = Literal["nobody", "rules", "model"]


class TaskPart(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to find out, as a question or phrase of its own."""

    text: str
    needs: int = 0
    """Number, from 1, of an earlier part whose answer this one needs; 0 for none."""


class SiteName(msgspec.Struct, frozen=True, kw_only=True):
    """A name of the question, and how the site may write it: in its own language, in full, abbreviated."""

    name: str
    spellings: tuple[str, ...] = ()
    """Others than `name`."""


class TaskAnalysis(msgspec.Struct, frozen=True, kw_only=True):
    """The answer that is wanted, and what it takes. The neutral one, by nobody, says nothing."""

    by: AnalysedBy = "nobody"
    kind: AnswerKind = "passage"
    unit: str = ""
    """The unit that a number is wanted in, or its kind ("money", "km"); "" for any."""
    parts: tuple[TaskPart, ...] = ()
    """In the order in which they are to be found; at least one, if anybody made the analysis."""
    operation: TaskOperation = "none"
    names: tuple[SiteName, ...] = ()
    requirement: Requirement = Requirement()
    """What is to be counted or listed, of things that the site enumerates."""
    constraint: str = ""
    """Which of the counted things: "published in 2020"."""
    each: str = ""
    """What is asked of each counted thing besides its name: "its size"."""
    picture: str = ""
    """The picture that is meant, in words; "" where none is."""
    proof: str = ""
    """What on a page would prove the answer, in a few words."""
    note: str = ""
    """Why the rules made it although a model was asked; "" otherwise."""

    @property
    def means_no_picture(self) -> bool:
        """Whether a model says that the question points to no picture."""
        return self.by == "model" and not self.picture

    @property
    def spellings(self) -> tuple[str, ...]:
        """All other spellings of the names, each once."""
        return tuple(dict.fromkeys(spelling for one in self.names for spelling in one.spellings))


msgspec.json.Decoder(TaskAnalysis)  # described at import: docs/design/msgspec.md
