"""Question files for a batch: one JSON object a line, checked before anything is opened."""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from walker.asked_picture.picture_file import read_picture
from walker.errors import NotAUrl, UsageError
from walker.rules.scope import check_root

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a question file; fields for grading are ignored here."""

    id: str
    question: str
    site: str = ""
    root: str | tuple[str, ...] = ""
    """An address, or a path on the site; several of them; "" for the site, or for none where there is something to search."""
    lang: str = ""
    picture: str = ""
    """Path of the picture that it is about, relative to the file of questions."""
    box: tuple[float, ...] = ()
    """The part of it that is meant: left, top, right and lower edge in shares 0..1."""


class Assignment(msgspec.Struct, frozen=True, kw_only=True):
    """A question with the addresses it is asked of; none for one that begins with a search."""

    id: str
    question: str
    roots: tuple[str, ...]
    language: str = ""
    picture: Path | None = None
    box: tuple[float, ...] | None = None


def read_questions(path: Path, sites: dict[str, str], *, needs_root: bool = True) -> tuple[Assignment, ...]:
    """All questions of the file in order. `sites` maps a question's site to its base address; a root that is a full
    address needs no site, and without `needs_root` a question needs neither. Raises `UsageError` with the line that is wrong."""
    try:
        # Not splitlines: JSON strings may contain Unicode line separators.
        lines = path.read_bytes().decode("utf-8-sig").split("\n")
    except OSError as error:
        raise UsageError(
            f"the question file cannot be read ({error.strerror})", where=str(path), advice="Check the path"
        ) from None
    except UnicodeDecodeError as error:
        number = error.object.count(b"\n", 0, error.start) + 1
        raise UsageError("not UTF-8 text", where=f"{path}:{number}", advice="Save the file as UTF-8") from None
    decoder = msgspec.json.Decoder(Question)
    found: dict[str, Assignment] = {}
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        where = f"{path}:{number}"
        try:
            question = decoder.decode(line)
        except msgspec.DecodeError as error:
            raise UsageError(
                f"not a question ({error})",
                where=where,
                advice='A line needs at least "id", "question" and "site" or "root"',
            ) from None
        if not question.id:
            raise UsageError("the id is empty", where=where, advice="Give each question its own")
        if question.id in found:
            raise UsageError(f'the id "{question.id}" occurs twice', where=where, advice="Give each question its own")
        assigned = _assign(question, sites, where, needs_root=needs_root)
        found[question.id] = _with_picture(assigned, question, path, where)
    if not found:
        raise UsageError("the file holds no question", where=str(path), advice="Write one JSON object a line")
    return tuple(found.values())


def _with_picture(assignment: Assignment, question: Question, path: Path, where: str) -> Assignment:
    """With the picture of the question, which is read once to be sure that it can be."""
    if not question.picture:
        if question.box:
            raise UsageError("a box without a picture", where=where, advice='Name the file in "picture"')
        return assignment
    picture, box = path.parent.absolute() / question.picture, question.box or None
    try:
        read_picture(picture, box)
    except UsageError as error:
        raise UsageError(error.what, where=f"{where}: {error.where}", advice=error.advice) from None
    return msgspec.structs.replace(assignment, picture=picture, box=box)


def _assign(question: Question, sites: dict[str, str], where: str, *, needs_root: bool) -> Assignment:
    if not question.question.strip():
        raise UsageError("the question is empty", where=where, advice="Write the question")
    named = (question.root,) if isinstance(question.root, str) else question.root
    given = () if not needs_root and not question.site and not any(named) else named or ("",)
    roots = tuple(_address(question, root, sites, where) for root in given)
    return Assignment(id=question.id, question=question.question, roots=roots, language=question.lang)


def _address(question: Question, root: str, sites: dict[str, str], where: str) -> str:
    if _ABSOLUTE.match(root):
        address = root
    elif question.site in sites:
        address = sites[question.site].rstrip("/") + "/" + root.lstrip("/")
    else:
        raise UsageError(
            f'no address is known for the site "{question.site}"',
            where=where,
            advice=f"Add --site {question.site or 'NAME'}=http://...",
        )
    try:
        return check_root(address)
    except NotAUrl as error:
        raise NotAUrl(error.what, where=f"{where}: {address}", advice=error.advice) from None
