"""Pictures of questions: found beside the file of questions, and known by their digest."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import msgspec

from evaluation.dataset.question import Question
from evaluation.dataset.records import BadRecord
from walker.asked_picture.picture_file import AskedPicture, CheckedPicture, check_picture, read_picture
from walker.errors import UsageError

IMAGES = "images"
"""Folder of pictures beside a set."""
ENDINGS = (".jpg", ".jpeg", ".png", ".webp", ".gif", ".JPG", ".JPEG", ".PNG")


class MissingPicture(BadRecord):
    """A picture whose file is not there; `advice` says how it comes there."""

    def __init__(self, message: str, advice: str) -> None:
        super().__init__(message)
        self.advice = advice


def with_picture(question: Question, folder: Path, known: dict[Path, CheckedPicture]) -> Question:
    """The question with the full path of its picture, and its digest; a picture that several questions are about is read for the
    first of them and kept in `known`. Raises `MissingPicture` for a file that is not there, and `BadRecord` for a picture that cannot
    be used, is not the one that was written down, or lacks a box that is named."""
    if not question.picture:
        if question.boxes or question.picture_digest:
            raise BadRecord("boxes or a digest without a picture")
        return question
    found = _found(folder, question.picture)
    if found is None:
        raise MissingPicture(f"{question.picture} was not fetched yet", "Run walker eval fetch-pictures FILE")
    if not found.exists():
        advice = f"Unpack the set's pictures beside the file, or below {IMAGES} there"
        raise MissingPicture(f"{question.picture}: the picture cannot be read (there is no such file)", advice)
    path = found.resolve()
    try:
        if path not in known:
            known[path] = check_picture(path)
        for box in question.boxes:
            known[path].check_box(box)
    except UsageError as error:
        raise BadRecord(f"{question.picture}: {error.what}") from None
    digest = known[path].digest
    if question.picture_digest not in ("", digest):
        raise BadRecord(
            f"{question.picture} is not the picture that was written down (its SHA-256 is {digest[:16]}...)"
        )
    return msgspec.structs.replace(question, picture=str(path), picture_digest=digest)


def name_of_address(address: str) -> str:
    """Under which name, without its ending, the picture at an address is kept."""
    return hashlib.sha256(address.encode()).hexdigest()[:24]


def kept_picture(folder: Path, address: str) -> Path | None:
    """The file of a picture that was fetched from an address, None where it was not."""
    place = folder / IMAGES / name_of_address(address)
    return next((path for ending in ENDINGS if (path := place.with_name(place.name + ending)).is_file()), None)


def _found(folder: Path, named: str) -> Path | None:
    """The file that a path names: in the folder or below its `images`, as written, or without its first folder, as public sets are
    unpacked; and with any ending where it has none. Of an address what was fetched from it, None where nothing was."""
    if "://" in named:
        return kept_picture(folder, named)
    parts = Path(named).parts
    names = [Path(named), *([Path(*parts[1:])] if len(parts) > 1 and not Path(named).is_absolute() else [])]
    places = [base / name for name in names for base in (folder, folder / IMAGES)]
    tried = [*places, *(place.with_name(place.name + ending) for place in places for ending in ENDINGS)]
    return next((path for path in tried if path.is_file()), places[0])


def relative_picture(question: Question, folder: Path) -> Question:
    """The question with the path of its picture as a file in this folder names it."""
    if not question.picture:
        return question
    path = os.path.relpath(Path(question.picture).resolve(), folder.resolve())
    return msgspec.structs.replace(question, picture=Path(path).as_posix())


def picture_asked(question: Question) -> AskedPicture | None:
    """The picture for a walk, with the first box; None for a question without one. Raises `UsageError`."""
    if not question.picture:
        return None
    return read_picture(Path(question.picture), question.boxes[0] if question.boxes else None)
