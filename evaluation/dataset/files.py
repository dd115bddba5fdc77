"""Reading a file of questions, whatever its form, and writing one."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from evaluation.dataset.formats import EXPECTED, FORMATS, BadRecord, FormatName, detect_format
from evaluation.dataset.question import Dataset, Question
from walker.demo.questions import DemoQuestion, bundled_questions
from walker.errors import UsageError
from walker.files.atomic_output import write_output

DEMO = "demo"
"""In the place of a file: the questions that come with the demo site."""
DEMO_SITE = "institute"
SHOWN_PROBLEMS = 3


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset, and where each of its questions stands."""

    dataset: Dataset
    form: FormatName
    places: dict[str, str]
    """Id -> "file:line"."""


def load(source: str | Path) -> Dataset:
    """The questions of a file, or of the demo. Raises `UsageError` with every line that is wrong, the first ones named."""
    return load_placed(source).dataset


def load_placed(source: str | Path) -> Loaded:
    """The same with where each question stands. Raises what `load` raises."""
    if str(source) == DEMO:
        bundled = tuple(map(_from_demo, bundled_questions()))
        known = Dataset(name=DEMO, questions=bundled)
        return Loaded(dataset=known, form="walker", places={question.id: DEMO for question in bundled})
    path = Path(source)
    records = _records(path)
    if not records:
        raise UsageError("the file holds no question", where=str(path), advice=f"Expected {EXPECTED}, one a line")
    place, first = records[0]
    try:
        form = detect_format(first)
    except BadRecord as error:
        raise UsageError(str(error), where=place, advice="Write one JSON object a line") from None
    questions: dict[str, Question] = {}
    places: dict[str, str] = {}
    problems: list[str] = []
    for place, record in records:
        try:
            question = _checked(form.read(record), questions, numbered=form.name in ("webwalkerqa", "everwebqa"))
        except BadRecord as error:
            problems.append(f"{place}: {error}")
        except KeyError as error:
            problems.append(f"{place}: the field {error} is missing")
        else:
            questions[question.id] = question
            places[question.id] = place
    if problems:
        advice = f"Correct {len(problems)} of {len(records)} records (read as {form.name})"
        raise UsageError(first_of(problems), advice=advice)
    dataset = Dataset(name=path.stem, questions=tuple(questions.values()))
    return Loaded(dataset=dataset, form=form.name, places=places)


def save(path: Path, questions: Iterable[Question], form: FormatName = "walker") -> None:
    """Write the questions, one a line, whole or not at all. Raises `UsageError` for what the form cannot say, `OutputUnwritable`."""
    try:
        lines = [msgspec.json.encode(FORMATS[form].write(question)) + b"\n" for question in questions]
    except BadRecord as error:
        raise UsageError(str(error), where=str(path), advice="Write it in our own form") from None
    write_output(path, b"".join(lines))


def first_of(problems: Sequence[str]) -> str:
    """The first problems in one line, and how many more there are."""
    more = f"; and {len(problems) - SHOWN_PROBLEMS} more" if len(problems) > SHOWN_PROBLEMS else ""
    return "; ".join(problems[:SHOWN_PROBLEMS]) + more


def _records(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """Each record with where it stands: JSON Lines, or one JSON list."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise UsageError(
            f"the questions cannot be read ({error.strerror})",
            where=str(path),
            advice=f'Give a file, or "{DEMO}" for those of the demo site',
        ) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError("not UTF-8 text", where=f"{path}:{line}", advice="Save the file as UTF-8") from None
    if text.lstrip().startswith("["):
        try:
            values = msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            raise UsageError(f"not JSON ({error})", where=str(path), advice=f"Expected {EXPECTED}") from None
        return [(f"{path}[{number}]", _object(value, f"{path}[{number}]")) for number, value in enumerate(values)]
    # Not splitlines: a string of JSON may hold the line separators of other alphabets.
    lines = [(f"{path}:{number}", line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    return [(place, _decoded(line, place)) for place, line in lines]


def _decoded(line: str, place: str) -> dict[str, Any]:
    try:
        return _object(msgspec.json.decode(line), place)
    except msgspec.DecodeError as error:
        raise UsageError(f"not JSON ({error})", where=place, advice=f"Expected {EXPECTED}, one a line") from None


def _object(value: Any, place: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise UsageError("not a JSON object", where=place, advice=f"Expected {EXPECTED}")
    return value


def _checked(question: Question, before: dict[str, Question], *, numbered: bool) -> Question:
    """The question if it can be asked and graded. An id that was made here may be made twice; one that was given may not."""
    if question.id in before and numbered:
        copies = sum(known == question.id or known.startswith(f"{question.id}-") for known in before)
        question = msgspec.structs.replace(question, id=f"{question.id}-{copies + 1}")
    checks = (
        (not question.id, "the id is empty"),
        (question.id in before, f'the id "{question.id}" stands there twice'),
        (not question.question.strip(), "the question is empty"),
        (not question.root.strip() and not question.site, "the root is empty, and no site is named"),
        (not any(map(str.strip, question.answers)) and not question.items, "there is neither an answer nor items"),
        (
            question.kind == "quota" and not 0 < question.count <= len(question.items),
            "a quota asks for some of its items",
        ),
        ("://" not in question.root and not question.site, "the root is no address, and no site is named"),
        (bool(question.evidence) and len(question.evidence) != len(question.sources), "one quote is needed a source"),
        (bool(question.depths) and len(question.depths) != len(question.sources), "one depth is needed a source"),
    )
    for wrong, what in checks:
        if wrong:
            raise BadRecord(what)
    return question


def _from_demo(question: DemoQuestion) -> Question:
    return Question(
        id=question.id,
        question=question.question,
        answers=tuple(answer for answer in (question.answer, *question.accept) if answer),
        root="index.html",
        site=DEMO_SITE,
        sources=question.sources,
        kind="single" if question.kind == "picture" else question.kind,
        domain="education",
        language=question.lang,
        modality="picture" if question.kind == "picture" else "text",
        items=question.items,
        count=question.count,
    )
