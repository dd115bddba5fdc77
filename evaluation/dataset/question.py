"""A question with what is known of its answer, and a set of them."""

from __future__ import annotations

import hashlib
from typing import Literal

import msgspec

from walker.errors import NotAUrl, UsageError
from walker.rules.scope import check_root

Kind = Literal["single", "multi", "quota", "exhaustive"]
Difficulty = Literal["", "easy", "medium", "hard"]
Modality = Literal["text", "table", "picture"]

DIGEST_DIGITS = 16


class Click(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step of a click path: the words of the link, and where it leads ("" where that was not kept)."""

    label: str
    url: str = ""


class Question(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A question of a dataset. Addresses are absolute, or below the address of `site`, which is told when it is asked."""

    id: str
    question: str
    answers: tuple[str, ...] = ()
    """The reference first, then other wordings that are as right. () only where `items` say what is right."""
    root: str
    """Where the walk starts."""
    site: str = ""
    sources: tuple[str, ...] = ()
    """Pages that hold the answer; of a multi-source question each holds a part of it."""
    click_paths: tuple[tuple[Click, ...], ...] = ()
    """From the root to each source, in the order of `sources`."""
    kind: Kind = "single"
    difficulty: Difficulty = ""
    domain: str = ""
    language: str = ""
    """BCP 47 primary tag ("en", "zh")."""
    modality: Modality = "text"
    """What carries the answer on its page."""
    items: tuple[str, ...] = ()
    """Of a quota question all that may be named, of an exhaustive one all that there are, of a multi-source one the parts that
    an answer has to have."""
    count: int = 0
    """How many a quota question asks for."""
    depths: tuple[int, ...] = ()
    """Level of each source in its site's tree, the root being 1."""
    evidence: tuple[str, ...] = ()
    """Verbatim quotes of the sources, in the order of `sources`."""
    created: str = ""
    """Day on which the sources said so, ISO 8601."""

    @property
    def reference(self) -> str:
        """The answer as it is shown to people and judges."""
        if self.answers:
            return self.answers[0]
        return f"any {self.count} of: " + "; ".join(self.items) if self.count else "; ".join(self.items)


class Dataset(msgspec.Struct, frozen=True, kw_only=True):
    """Questions in order; no id stands there twice."""

    name: str
    questions: tuple[Question, ...]

    @property
    def digest(self) -> str:
        """Hash of the content, whatever the order and the file: two sets with one digest ask and accept the same."""
        lines = sorted(msgspec.json.encode(question) for question in self.questions)
        return hashlib.sha256(b"\n".join(lines)).hexdigest()[:DIGEST_DIGITS]

    def question(self, question_id: str) -> Question | None:
        """The question with that id, or None."""
        return next((question for question in self.questions if question.id == question_id), None)


def address_of(question: Question, path: str, sites: dict[str, str]) -> str:
    """The absolute address of a root or source of the question. Raises `UsageError` where its site has no address."""
    if "://" in path:
        address = path
    elif question.site in sites:
        address = sites[question.site].rstrip("/") + "/" + path.lstrip("/")
    else:
        raise UsageError(
            f'no address is known for the site "{question.site}"',
            where=f"question {question.id}",
            advice=f"Add --site {question.site or 'NAME'}=http://...",
        )
    try:
        return check_root(address)
    except NotAUrl as error:
        raise NotAUrl(error.what, where=f"question {question.id}: {address}", advice=error.advice) from None
