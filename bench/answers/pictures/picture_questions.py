"""Questions that come with a picture, as they lie on disk: `pictures/HALF/SITE.jsonl`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

import msgspec

from answers.question_set import HALVES, Half, Question, QuestionSetError

FOLDER = Path(__file__).parent
Sort = Literal["whole", "crop", "onward"]
SORTS: tuple[Sort, ...] = get_args(Sort)


class AskedRecipe(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the picture of a question is made from a file of the site: a part of it, at another size, as a JPEG."""

    picture: str
    """Path of the file below the site's base address."""
    box: tuple[float, float, float, float] | None = None
    """Left, top, right and lower edge of the part, each 0..1 of the file's picture; None for all of it."""
    scale: float = 1.0
    """Of the part's width and height."""
    quality: int = 80
    """Of the JPEG, 1 to 100."""

    @property
    def area(self) -> float:
        """Share 0..1 of the file's picture that is given."""
        left, top, right, bottom = self.box or (0.0, 0.0, 1.0, 1.0)
        return (right - left) * (bottom - top)


class PictureQuestion(Question, frozen=True, kw_only=True):
    """A question whose words do not say what it is about: its picture does."""

    sort: Sort
    """whole: all of the picture is given, and the answer stands on the page that shows it; crop: a part of it; onward: the answer
    stands on a page that does not show it."""
    shown: str
    """A page that shows the site's picture."""
    names: tuple[str, ...]
    """What tells the pictured thing from others; the question has none of these words."""
    asked: AskedRecipe


def read_picture_questions(
    folder: Path = FOLDER, *, halves: Sequence[Half] = HALVES
) -> dict[str, tuple[PictureQuestion, ...]]:
    """The questions of each site that has any, by the site's name. Raises `QuestionSetError`."""
    files = sorted(file for half in halves for file in (folder / half).glob("*.jsonl"))
    found = {file.stem: read_picture_file(file) for file in files}
    for name, questions in found.items():
        if others := {one.site for one in questions} - {name}:
            raise QuestionSetError(f"{name}.jsonl: it has questions about {', '.join(sorted(others))}")
    return found


def write_picture_questions(file: Path, questions: Sequence[PictureQuestion]) -> None:
    """Write a file of questions again, without fields that no picture question uses."""
    lines = []
    for question in questions:
        fields = msgspec.structs.asdict(question)
        lines.append(
            msgspec.json.encode({name: value for name, value in fields.items() if value not in ("", (), 0, "first")})
        )
    file.write_bytes(b"\n".join(lines) + b"\n")


def read_picture_file(file: Path) -> tuple[PictureQuestion, ...]:
    """The questions of one file, one JSON object a line. Raises `QuestionSetError`."""
    questions = []
    for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), start=1):
        if line.strip():
            try:
                questions.append(msgspec.json.decode(line, type=PictureQuestion))
            except msgspec.DecodeError as error:
                raise QuestionSetError(f"{file.name}:{number}: {error}") from None
    return tuple(questions)
