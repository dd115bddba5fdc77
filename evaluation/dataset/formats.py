"""Dataset formats: ours and those of public datasets. Each is a reader and a writer of one record; an invalid record raises
`BadRecord`."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Any, Literal

import msgspec

from evaluation.dataset.question import Kind, Question

FormatName = Literal["walker", "webwalkerqa", "everwebqa", "development"]

EXPECTED = (
    'ours ("id", "question", "answers", "root"), WebWalkerQA ("question", "answer", "root_url", "info" with "hop"), EverWebQA (the'
    ' same with "type"), or development questions ("id", "question", "answer", "accept", "site", "root")'
)
_LANGUAGES = {"cn": "zh", "chinese": "zh", "english": "en", "zh": "zh", "en": "en"}
_DEVELOPMENT_KINDS: dict[str, Kind] = {
    "single": "single",
    "multi": "multi",
    "quota": "quota",
    "exhaustive": "exhaustive",
    "visual": "single",
    "picture": "single",
}


class BadRecord(ValueError):
    """An invalid record; the message says why."""


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """A dataset format."""

    name: FormatName
    read: Callable[[dict[str, Any]], Question]
    write: Callable[[Question], dict[str, Any]]


def detect_format(record: dict[str, Any]) -> Format:
    """The format of a file by its first record. Raises `BadRecord` naming the fields that are there and those expected."""
    fields = {str(name).lower() for name in record}
    if {"question", "answer", "root_url"} <= fields:
        return FORMATS["everwebqa" if "type" in _lower(_lower(record).get("info")) else "webwalkerqa"]
    if {"question", "answers", "root"} <= fields or (
        {"question", "items", "root"} <= fields and "answer" not in fields
    ):
        return FORMATS["walker"]
    if {"id", "question", "answer", "root"} <= fields:
        return FORMATS["development"]
    named = ", ".join(sorted(map(str, record))[:8]) or "none"
    raise BadRecord(f"no questions in a known format (fields: {named}); expected {EXPECTED}")


def _read_ours(record: dict[str, Any]) -> Question:
    return _converted(record)


def _write_ours(question: Question) -> dict[str, Any]:
    written: dict[str, Any] = msgspec.to_builtins(question)
    return written


def _read_public(record: dict[str, Any]) -> Question:
    """WebWalkerQA and EverWebQA; both exist with field names in either case."""
    outer = _lower(record)
    inner = _lower(outer.get("info"))
    hop = str(inner.get("hop") or inner.get("type") or "").lower().replace("_", "-")
    if hop not in ("single-source", "multi-source"):
        raise BadRecord(f'"hop" or "type" of its info is {hop!r}; expected "single-source" or "multi-source"')
    difficulty = str(inner.get("difficulty_level") or "").lower()
    sources = _texts(inner, "source_website")
    made = {
        "id": str(outer.get("id") or _id_of(outer)),
        "question": str(outer.get("question") or "").strip(),
        "answers": [answer] if (answer := str(outer.get("answer") or "").strip()) else [],
        "root": str(outer.get("root_url") or "").strip(),
        "sources": sources,
        "click_paths": [_read_path(path) for path in _listed(inner.get("golden_path"))],
        "kind": "single" if hop.startswith("single") else "multi",
        "difficulty": difficulty,
        "domain": str(inner.get("domain") or "").lower(),
        "language": _LANGUAGES.get(str(inner.get("lang") or inner.get("language") or "").lower(), ""),
    }
    return _converted(made)


def _writer(hop: str) -> Callable[[Question], dict[str, Any]]:
    def write(question: Question) -> dict[str, Any]:
        _refuse_unwritable(question)
        info = {
            "source_website": list(question.sources),
            "golden_path": ["->".join(["root", *(click.label for click in path)]) for path in question.click_paths],
            hop: f"{question.kind}-source" if hop == "type" else f"{question.kind}_source",
            "difficulty_level": question.difficulty,
            "domain": question.domain,
            "lang": question.language,
        }
        record = {"question": question.question, "answer": question.reference, "root_url": question.root, "info": info}
        return {"id": question.id, **record}

    return write


def _read_development(record: dict[str, Any]) -> Question:
    kind = str(record.get("kind") or "single")
    if kind not in _DEVELOPMENT_KINDS:
        raise BadRecord(f"the kind is {kind!r}; expected one of {', '.join(_DEVELOPMENT_KINDS)}")
    quota = kind == "quota"
    answers = [] if quota else [str(record["answer"]), *_texts(record, "accept")]
    made = {
        "id": str(record["id"]),
        "question": record.get("question"),
        "answers": answers,
        "root": record.get("root"),
        "site": record.get("site") or "",
        "sources": _listed(record.get("sources")),
        "kind": _DEVELOPMENT_KINDS[kind],
        "difficulty": record.get("difficulty") or "",
        "domain": record.get("domain") or record.get("site") or "",
        "language": record.get("lang") or "",
        "modality": "picture" if kind in ("visual", "picture") else "text",
        "items": _listed(record.get("items")),
        "count": record.get("n") or 0,
        "depths": [depth + 1 for depth in _numbers(record, "depth")],
        "evidence": _listed(record.get("evidence")),
    }
    return _converted(made)


def _write_development(question: Question) -> dict[str, Any]:
    record: dict[str, Any] = {
        "id": question.id,
        "site": question.site,
        "root": question.root,
        "question": question.question,
        "answer": question.answers[0] if question.answers else "; ".join(question.items),
        "accept": list(question.answers[1:]),
        "kind": "visual" if question.modality == "picture" else question.kind,
        "sources": list(question.sources),
        "depth": [depth - 1 for depth in question.depths],
        "difficulty": question.difficulty,
        "lang": question.language,
        "evidence": list(question.evidence),
    }
    more = {"items": list(question.items)} if question.items else {}
    return record | more | ({"n": question.count} if question.count else {})


FORMATS: dict[FormatName, Format] = {
    "walker": Format(name="walker", read=_read_ours, write=_write_ours),
    "webwalkerqa": Format(name="webwalkerqa", read=_read_public, write=_writer("hop")),
    "everwebqa": Format(name="everwebqa", read=_read_public, write=_writer("type")),
    "development": Format(name="development", read=_read_development, write=_write_development),
}


def _converted(record: dict[str, Any]) -> Question:
    try:
        return msgspec.convert(record, Question)
    except msgspec.ValidationError as error:
        raise BadRecord(str(error)) from None


def _refuse_unwritable(question: Question) -> None:
    if question.kind not in ("single", "multi"):
        raise BadRecord(f"{question.id}: this format has no {question.kind} questions")
    if question.picture:
        raise BadRecord(f"{question.id}: this format has no questions about a picture")
    if question.site and "://" not in question.root:
        raise BadRecord(f"{question.id}: this format needs an absolute URL, the root is {question.root!r}")


def _read_path(path: Any) -> list[dict[str, str]]:
    steps = [step.strip() for step in str(path).split("->")]
    return [{"label": step} for step in (steps[1:] if steps[0].lower() == "root" else steps) if step]


def _id_of(record: dict[str, Any]) -> str:
    """An id from the hash of question and root, since these files have none, so that it does not depend on the line number."""
    said = "\n".join(str(record.get(name)) for name in ("question", "root_url", "answer", "info"))
    return "q-" + hashlib.sha256(said.encode()).hexdigest()[:10]


def _lower(record: Any) -> dict[str, Any]:
    if not isinstance(record, dict):
        return {}
    return {str(name).strip().lower().replace(" ", "_"): value for name, value in record.items()}


def _texts(record: dict[str, Any], name: str) -> tuple[str, ...]:
    """A field with one text or several; numbers are taken as text. Raises `BadRecord`."""
    values = _listed(record.get(name))
    if any(not isinstance(value, str | int | float) for value in values):
        raise BadRecord(f'"{name}" is {_short(record[name])}; expected a text, or a list of texts')
    return tuple(map(str, values))


def _numbers(record: dict[str, Any], name: str) -> tuple[int, ...]:
    values = _listed(record.get(name))
    if any(type(value) is not int for value in values):
        raise BadRecord(f'"{name}" is {_short(record[name])}; expected a list of whole numbers')
    return tuple(values)


def _short(value: Any) -> str:
    return msgspec.json.encode(value).decode()[:60]


def _listed(value: Any) -> list[Any]:
    if value is None or value == "":
        return []
    return list(value) if isinstance(value, list | tuple) else [value]
