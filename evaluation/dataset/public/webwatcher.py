"""The sets that WebWatcher publishes beside BrowseComp-VL (HLE, LiveVQA, MMSearch, SimpleVQA), in one form of its own: `prompt`,
`file_path` (a path, or an address), `answers`, `lang` and `task`. `source` is "HLE" in all of them, and says nothing."""

from __future__ import annotations

from pathlib import PurePath
from typing import Any

from evaluation.dataset.pictures import name_of_address
from evaluation.dataset.public.plain_questions import refuse_other_kinds
from evaluation.dataset.question import Question
from evaluation.dataset.records import WEB, BadRecord, Format, Record, converted, made_id, text_of, texts_of


def _read(record: Record) -> Question:
    answers = texts_of({"answers": _flat(record.get("answers"))}, "answers")
    if not answers:
        raise BadRecord('"answers" is empty; expected a list of texts, or of such lists')
    question, picture = text_of(record, "prompt"), text_of(record, "file_path")
    return converted(
        {
            "id": made_id(question, name_of_address(picture) if "://" in picture else PurePath(picture).stem),
            "question": question,
            "answers": list(dict.fromkeys(answers)),
            "root": "",
            "site": WEB,
            "picture": picture,
            "language": str(record.get("lang") or ""),
            "domain": str(record.get("task") or "").rpartition("/")[2].lower(),
        }
    )


def _flat(told: Any) -> Any:
    """The answers of lists within a list; anything else as it is."""
    if not isinstance(told, list) or not all(isinstance(one, list) for one in told):
        return told
    return [answer for inner in told for answer in inner]


def _write(question: Question) -> Record:
    refuse_other_kinds(question, needs_picture=True)
    return {
        "prompt": question.question,
        "file_path": PurePath(question.picture).as_posix(),
        "answers": list(question.answers),
        "lang": question.language,
        "task": question.domain,
    }


WEBWATCHER = Format(name="webwatcher", read=_read, write=_write, has_ids=False)
