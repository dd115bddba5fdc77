"""From one form of a dataset into another, and what gets lost on the way."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from evaluation.dataset.files import Loaded, first_of
from evaluation.dataset.formats import FORMATS, BadRecord, FormatName
from evaluation.dataset.question import Click, Question, address_of
from walker.errors import UsageError


class Converted(msgspec.Struct, frozen=True, kw_only=True):
    """Questions that the form can say."""

    questions: tuple[Question, ...]
    lost: dict[str, int]
    """Field -> questions of which the form does not say all that is known."""
    left_out: tuple[str, ...] = ()
    """"place: why" of each question that the form cannot say."""


def convert(loaded: Loaded, form: FormatName, sites: Mapping[str, str], *, skip: bool = False) -> Converted:
    """The questions as the form can say them, at the addresses of `sites` where these are named. Raises `UsageError` naming the
    lines of what it cannot say; with `skip` they are left out."""
    said: list[Question] = []
    problems: list[str] = []
    lost: Counter[str] = Counter()
    for question in loaded.dataset.questions:
        placed = with_addresses(question, sites)
        try:
            lost.update(_lost(placed, form))
        except BadRecord as error:
            problems.append(f"{loaded.places[question.id]}: {error}")
        else:
            said.append(placed)
    if problems and not (skip and said):
        advice = "Leave them out with --skip, give addresses with --site NAME=BASE, or choose --form walker"
        raise UsageError(first_of(problems), advice=advice)
    return Converted(questions=tuple(said), lost=dict(lost.most_common()), left_out=tuple(problems))


def with_addresses(question: Question, sites: Mapping[str, str]) -> Question:
    """The question with full addresses, where the address of its site is given."""
    if question.site not in sites:
        return question

    def full(path: str) -> str:
        return address_of(question, path, dict(sites)) if path else path

    return msgspec.structs.replace(
        question,
        root=full(question.root),
        sources=tuple(map(full, question.sources)),
        click_paths=tuple(
            tuple(Click(label=click.label, url=full(click.url)) for click in path) for path in question.click_paths
        ),
    )


def _lost(question: Question, form: FormatName) -> Iterable[str]:
    """Fields that come back otherwise than they went. Raises `BadRecord` for what the form cannot say."""
    known = FORMATS[form]
    again = known.read(known.write(question))
    return [
        name for name in question.__struct_fields__ if _shown(getattr(question, name)) != _shown(getattr(again, name))
    ]


def _shown(value: object) -> object:
    return value.casefold() if isinstance(value, str) else value
