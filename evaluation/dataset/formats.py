"""Dataset formats: ours, those of questions about sites, and those of `evaluation/dataset/public`. Each is a reader and a writer of
one record; an invalid record raises `BadRecord`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec

from evaluation.dataset.public.browsecomp_vl import BROWSECOMP_VL
from evaluation.dataset.public.choices import CHOICES
from evaluation.dataset.public.evqa import EVQA
from evaluation.dataset.public.infoseek import INFOSEEK
from evaluation.dataset.public.mmsearch import MMSEARCH
from evaluation.dataset.public.webwatcher import WEBWATCHER
from evaluation.dataset.question import Kind, Question
from evaluation.dataset.records import (
    BadRecord,
    Format,
    FormatName,
    Record,
    converted,
    listed,
    lower_fields,
    made_id,
    numbers_of,
    texts_of,
)

EXPECTED = (
    'ours ("id", "question", "answers", "root"), WebWalkerQA ("question", "answer", "root_url", "info" with "hop"), EverWebQA (the'
    ' same with "type"), development questions ("id", "question", "answer", "accept", "site", "root"), or a public set about pictures:'
    " BrowseComp-VL, InfoSeek, E-VQA, MMSearch, V*Bench, HR-Bench, MME-RealWorld, WebWatcher's of others"
)
_PUBLIC_FIELDS: tuple[tuple[str, FormatName], ...] = (
    ("data_id image_id question", "infoseek"),
    ("question answer dataset_image_ids", "evqa"),
    ("query gt_answer", "mmsearch"),
    ("text label image", "choices"),
    ("text answer_choices ground_truth", "choices"),
    ("index question answer a b", "choices"),
    ("question image_path answers", "browsecomp-vl"),
    ("prompt file_path answers", "webwatcher"),
)
"""Fields by which a record of a public set is known, in lower case."""
_LANGUAGES = {"cn": "zh", "chinese": "zh", "english": "en", "zh": "zh", "en": "en"}
_DEVELOPMENT_KINDS: dict[str, Kind] = {
    "single": "single",
    "multi": "multi",
    "quota": "quota",
    "exhaustive": "exhaustive",
    "visual": "single",
    "picture": "single",
}


def detect_format(record: Record) -> Format:
    """The format of a file by its first record. Raises `BadRecord` naming the fields that are there and those expected."""
    fields = {str(name).lower() for name in record}
    if {"question", "answer", "root_url"} <= fields:
        return FORMATS["everwebqa" if "type" in lower_fields(lower_fields(record).get("info")) else "webwalkerqa"]
    if {"question", "answers", "root"} <= fields or (
        {"question", "items", "root"} <= fields and "answer" not in fields
    ):
        return FORMATS["walker"]
    if {"id", "question", "answer", "root"} <= fields:
        return FORMATS["development"]
    public = {name.replace(" ", "_") for name in fields}
    for needed, form in _PUBLIC_FIELDS:
        if set(needed.split()) <= public:
            return FORMATS[form]
    named = ", ".join(sorted(map(str, record))[:8]) or "none"
    raise BadRecord(f"no questions in a known format (fields: {named}); expected {EXPECTED}")


def _read_ours(record: Record) -> Question:
    return converted(record)


def _write_ours(question: Question) -> Record:
    written: Record = msgspec.to_builtins(question)
    return written


def _read_public(record: Record) -> Question:
    """WebWalkerQA and EverWebQA; both exist with field names in either case."""
    outer = lower_fields(record)
    inner = lower_fields(outer.get("info"))
    hop = str(inner.get("hop") or inner.get("type") or "").lower().replace("_", "-")
    if hop not in ("single-source", "multi-source"):
        raise BadRecord(f'"hop" or "type" of its info is {hop!r}; expected "single-source" or "multi-source"')
    difficulty = str(inner.get("difficulty_level") or "").lower()
    sources = texts_of(inner, "source_website")
    made = {
        "id": str(outer.get("id") or _id_of(outer)),
        "question": str(outer.get("question") or "").strip(),
        "answers": [answer] if (answer := str(outer.get("answer") or "").strip()) else [],
        "root": str(outer.get("root_url") or "").strip(),
        "sources": sources,
        "click_paths": [_read_path(path) for path in listed(inner.get("golden_path"))],
        "kind": "single" if hop.startswith("single") else "multi",
        "difficulty": difficulty,
        "domain": str(inner.get("domain") or "").lower(),
        "language": _LANGUAGES.get(str(inner.get("lang") or inner.get("language") or "").lower(), ""),
    }
    return converted(made)


def _writer(hop: str) -> Callable[[Question], Record]:
    def write(question: Question) -> Record:
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


def _read_development(record: Record) -> Question:
    kind = str(record.get("kind") or "single")
    if kind not in _DEVELOPMENT_KINDS:
        raise BadRecord(f"the kind is {kind!r}; expected one of {', '.join(_DEVELOPMENT_KINDS)}")
    quota = kind == "quota"
    answers = [] if quota else [str(record["answer"]), *texts_of(record, "accept")]
    made = {
        "id": str(record["id"]),
        "question": record.get("question"),
        "answers": answers,
        "root": record.get("root"),
        "site": record.get("site") or "",
        "sources": listed(record.get("sources")),
        "kind": _DEVELOPMENT_KINDS[kind],
        "difficulty": record.get("difficulty") or "",
        "domain": record.get("domain") or record.get("site") or "",
        "language": record.get("lang") or "",
        "modality": "picture" if kind in ("visual", "picture") else "text",
        "items": listed(record.get("items")),
        "count": record.get("n") or 0,
        "depths": [depth + 1 for depth in numbers_of(record, "depth")],
        "evidence": listed(record.get("evidence")),
    }
    return converted(made)


def _write_development(question: Question) -> Record:
    record: Record = {
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
    "webwalkerqa": Format(name="webwalkerqa", read=_read_public, write=_writer("hop"), has_ids=False),
    "everwebqa": Format(name="everwebqa", read=_read_public, write=_writer("type"), has_ids=False),
    "development": Format(name="development", read=_read_development, write=_write_development),
    **{form.name: form for form in (BROWSECOMP_VL, INFOSEEK, EVQA, MMSEARCH, CHOICES, WEBWATCHER)},
}


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


def _id_of(record: Record) -> str:
    return made_id(*(record.get(name) for name in ("question", "root_url", "answer", "info")))
