"""Sites and their questions as they lie on disk: `HALF/NAME.toml` names a site, `HALF/NAME.jsonl` holds its questions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

import msgspec

FOLDER = Path(__file__).parent
Half = Literal["building", "validation"]
HALVES: tuple[Half, ...] = ("building", "validation")
Kind = Literal["single", "multi", "quota", "exhaustive", "visual", "none"]
KINDS: tuple[Kind, ...] = get_args(Kind)
Where = Literal["", "script", "pdf", "closed", "table", "box", "code", "caption", "footnote"]
Part = Literal["first", "more"]
PARTS: tuple[Part, ...] = get_args(Part)
MEASURED: tuple[Part, ...] = ("first",)
"""What programs measure with, so that their figures can be compared with earlier ones; fitting uses every part."""


class QuestionSetError(Exception):
    """A file of the question set cannot be used; the message names the file, the line and what is wrong there."""


class Source(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the pages of a site come from: a Debian package, a version of an npm package, or a commit of a repository."""

    folder: str = ""
    """Of the package or repository: what is served at "/"."""
    debian: str = ""
    npm: str = ""
    version: str = ""
    git: str = ""
    """owner/name of a public repository."""
    commit: str = ""


class Site(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One site of the set."""

    name: str
    kind: str
    language: str
    half: Half
    pages: Literal["static", "javascript"]
    root: str
    """Path of the page that walks start at, below the base address."""
    what: str
    licence: str
    source: Source


class Question(msgspec.Struct, frozen=True, kw_only=True):
    """One question with its answer and the places that prove it. `sources`, `evidence` and `depth` belong together."""

    id: str
    site: str
    root: str
    question: str
    answer: str
    """"" where the site does not answer."""
    kind: Kind
    sources: tuple[str, ...]
    evidence: tuple[str, ...]
    depth: tuple[int, ...]
    """Least number of clicks from the root to each source."""
    difficulty: str = ""
    lang: str = "en"
    accept: tuple[str, ...] = ()
    items: tuple[str, ...] = ()
    """All acceptable items of a quota, or the things that are counted."""
    n: int = 0
    """Items that a quota asks for."""
    picture: str = ""
    """Path of the picture that alone holds the answer."""
    where: Where = ""
    part: Part = "first"
    """Of its site's questions; "more" were added later, for fitting."""

    @property
    def forms(self) -> tuple[str, ...]:
        """The answer and its other accepted forms."""
        return tuple(form for form in (self.answer, *self.accept) if form)

    @property
    def text(self) -> str:
        """The question as a walk is asked it: white space collapsed."""
        return " ".join(self.question.split())


class SiteQuestions(msgspec.Struct, frozen=True, kw_only=True):
    """A site and its questions, of the parts that were asked for."""

    site: Site
    questions: tuple[Question, ...]


def kinds_in(text: str) -> tuple[Kind, ...]:
    """Kinds of questions, separated by commas. Raises `ValueError` for any other word."""
    try:
        return msgspec.convert(tuple(filter(None, text.split(","))), tuple[Kind, ...])
    except msgspec.ValidationError as error:
        raise ValueError(str(error)) from None


def read_set(
    folder: Path = FOLDER, *, halves: Sequence[Half] = HALVES, parts: Sequence[Part] = MEASURED
) -> tuple[SiteQuestions, ...]:
    """Every site of these halves, by name, with the questions of these parts. Raises `QuestionSetError`."""
    files = sorted(file for half in halves for file in (folder / half).glob("*.toml"))
    return tuple(_read_one(file, parts) for file in files)


def read_questions(file: Path) -> tuple[Question, ...]:
    """The questions of one file, one JSON object a line. Raises `QuestionSetError`."""
    questions = []
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), start=1):
        if line.strip():
            try:
                questions.append(msgspec.json.decode(line, type=Question))
            except msgspec.DecodeError as error:
                raise QuestionSetError(f"{file.name}:{number}: {error}") from None
    return tuple(questions)


def write_questions(file: Path, questions: Sequence[Question]) -> None:
    """Write a file of questions again, defaults left out but for the fields that every line has."""
    always = ("id", "site", "root", "question", "answer", "accept", "kind", "sources", "evidence", "depth")
    lines = []
    for question in questions:
        fields = msgspec.structs.asdict(question)
        kept = {name: value for name, value in fields.items() if name in always or value not in ("", (), 0, "first")}
        lines.append(msgspec.json.encode(kept).decode())
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _read_one(file: Path, parts: Sequence[Part]) -> SiteQuestions:
    try:
        site = msgspec.toml.decode(file.read_bytes(), type=Site)
    except msgspec.DecodeError as error:
        raise QuestionSetError(f"{file.name}: {error}") from None
    if site.half != file.parent.name or site.name != file.stem:
        raise QuestionSetError(
            f"{file.name}: it is {site.name!r} of the half {site.half!r}, and lies in {file.parent.name}"
        )
    if sum(map(bool, (site.source.debian, site.source.npm, site.source.git))) != 1:
        raise QuestionSetError(f"{file.name}: a site has one source: debian, npm or git")
    every = read_questions(file.with_suffix(".jsonl"))
    return SiteQuestions(site=site, questions=tuple(one for one in every if one.part in parts))
