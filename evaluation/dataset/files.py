"""Reads a dataset file in any known format, and writes one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from evaluation.dataset.formats import EXPECTED, FORMATS, detect_format
from evaluation.dataset.pictures import MissingPicture, relative_picture, with_picture
from evaluation.dataset.public.packed_pictures import with_unpacked_picture
from evaluation.dataset.question import Dataset, Question
from evaluation.dataset.records import BadRecord, Format, FormatName, Record
from evaluation.dataset.tables import read_table, table_of
from walker.asked_picture.picture_file import CheckedPicture
from walker.demo.questions import DemoQuestion, bundled_questions
from walker.errors import UsageError
from walker.files.atomic_output import write_output

DEMO = "demo"
"""Name, instead of a file, of the questions about the demo site."""
DEMO_SITE = "institute"
SHOWN_PROBLEMS = 3


class Loaded(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset with the source line of each question."""

    dataset: Dataset
    form: FormatName
    places: dict[str, str]
    """Id -> "file:line"."""


def load(source: str | Path) -> Dataset:
    """The questions of a file, or of the demo. Raises `UsageError` with every line that is wrong, the first ones named."""
    return load_placed(source).dataset


def load_placed(source: str | Path) -> Loaded:
    """`load` with the source line of each question. Raises what `load` raises."""
    if str(source) == DEMO:
        bundled = tuple(map(_from_demo, bundled_questions()))
        known = Dataset(name=DEMO, questions=bundled)
        return Loaded(dataset=known, form="walker", places={question.id: DEMO for question in bundled})
    path = Path(source)
    records = _records(path)
    if not records:
        raise UsageError("the file contains no question", where=str(path), advice=f"Expected {EXPECTED}, one a line")
    form = _form_of(records)
    questions: dict[str, Question] = {}
    places: dict[str, str] = {}
    problems: list[str] = []
    told_to_do: set[str] = set()
    pictures: dict[Path, CheckedPicture] = {}
    for place, record in records:
        try:
            plain = with_unpacked_picture(record, path) if form.name == "choices" else record
            read = _checked(form.read(plain), questions, numbered=not form.has_ids)
            question = with_picture(read, path.parent, pictures)
        except BadRecord as error:
            problems.append(f"{place}: {error}")
            told_to_do.add(error.advice if isinstance(error, MissingPicture) else "")
        except KeyError as error:
            problems.append(f"{place}: the field {error} is missing")
            told_to_do.add("")
        else:
            questions[question.id] = question
            places[question.id] = place
    if problems:
        told = told_to_do.pop() if len(told_to_do) == 1 else ""
        advice = told or f"Correct {len(problems)} of {len(records)} records (read as {form.name})"
        raise UsageError(first_of(problems), advice=advice)
    dataset = Dataset(name=path.stem, questions=tuple(questions.values()))
    return Loaded(dataset=dataset, form=form.name, places=places)


def picture_addresses(path: Path) -> tuple[str, ...]:
    """The addresses of pictures that the records of a file name, each once. Raises `UsageError` for a file that is no set."""
    records = _records(path)
    form = _form_of(records) if records else None
    if form is None or form.name == "choices":  # these hold their pictures, or are files
        return ()
    found: dict[str, None] = {}
    for place, record in records:
        try:
            picture = form.read(record).picture
        except (BadRecord, KeyError) as error:
            raise UsageError(str(error), where=place, advice=f"Expected {EXPECTED}") from None
        if picture.startswith(("http://", "https://")):
            found[picture] = None
    return tuple(found)


def save(path: Path, questions: Iterable[Question], form: FormatName = "walker") -> None:
    """Write the questions atomically, one per line, or as CSV where that is the form. Raises `UsageError` for questions that the
    format cannot express, and `OutputUnwritable`."""
    try:
        kept = (relative_picture(question, path.parent) for question in questions)
        records = [FORMATS[form].write(question) for question in kept]
    except BadRecord as error:
        raise UsageError(str(error), where=str(path), advice="Write it in our own format") from None
    columns = FORMATS[form].columns
    written = table_of(records, columns) if columns else b"".join(msgspec.json.encode(one) + b"\n" for one in records)
    write_output(path, written)


def first_of(problems: Sequence[str]) -> str:
    """The first problems in one line, and how many more there are."""
    more = f"; and {len(problems) - SHOWN_PROBLEMS} more" if len(problems) > SHOWN_PROBLEMS else ""
    return "; ".join(problems[:SHOWN_PROBLEMS]) + more


def _form_of(records: Sequence[tuple[str, Record]]) -> Format:
    """The format of records with their source lines. Raises `UsageError` for an unknown one."""
    place, first = records[0]
    try:
        return detect_format(first)
    except BadRecord as error:
        raise UsageError(str(error), where=place, advice="Write one JSON object a line") from None


def _records(path: Path) -> list[tuple[str, dict[str, Any]]]:
    """Each record with its source line: JSON Lines, one JSON list, or a table by the ending .csv or .tsv."""
    if path.suffix.lower() == ".parquet":
        advice = "Export it as JSON Lines, with its pictures as files beside it"
        raise UsageError("Parquet files are not read", where=str(path), advice=advice)
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
    if path.suffix.lower() in (".csv", ".tsv"):
        return read_table(text, path)
    if text.lstrip().startswith("["):
        try:
            values = msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            raise UsageError(f"not JSON ({error})", where=str(path), advice=f"Expected {EXPECTED}") from None
        return [(f"{path}[{number}]", _object(value, f"{path}[{number}]")) for number, value in enumerate(values)]
    # Not splitlines: a JSON string may contain other Unicode line separators.
    lines = [(f"{path}:{number}", line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    try:
        return [(place, _decoded(line, place)) for place, line in lines]
    except UsageError:
        # Some published files hold objects of several lines, one behind the other.
        spread = _objects_in(text, path)
        if not spread:
            raise
        return spread


def _objects_in(text: str, path: Path) -> list[tuple[str, Record]]:
    """JSON objects that stand one behind the other, each with the line on which it begins, line breaks within their texts allowed;
    [] where the file holds anything else."""
    decoder = json.JSONDecoder(strict=False)
    found: list[tuple[str, Record]] = []
    place = 0
    while rest := text[place:].lstrip():
        place = len(text) - len(rest)
        try:
            value, end = decoder.raw_decode(text, place)
        except json.JSONDecodeError:
            return []
        if not isinstance(value, dict):
            return []
        line = text.count("\n", 0, place) + 1
        found.append((f"{path}:{line}", value))
        place = end
    return found


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
    """The question if it can be asked and graded; raises `BadRecord` otherwise. A generated id is made unique; a given one must be."""
    if question.id in before and numbered:
        copies = sum(known == question.id or known.startswith(f"{question.id}-") for known in before)
        question = msgspec.structs.replace(question, id=f"{question.id}-{copies + 1}")
    checks = (
        (not question.id, "the id is empty"),
        (question.id in before, f'the id "{question.id}" occurs twice'),
        (not question.question.strip(), "the question is empty"),
        (not question.root.strip() and not question.site, "the root is empty, and no site is named"),
        (not any(map(str.strip, question.answers)) and not question.items, "there is neither an answer nor items"),
        (
            question.kind == "quota" and not 0 < question.count <= len(question.items),
            "a quota asks for some of its items",
        ),
        ("://" not in question.root and not question.site, "the root is not a URL, and no site is named"),
        (
            bool(question.evidence) and len(question.evidence) != len(question.sources),
            "there must be one quote per source",
        ),
        (bool(question.depths) and len(question.depths) != len(question.sources), "there must be one depth per source"),
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
