"""OCR with the program `tesseract`, which supports scripts that PP-OCR does not."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from itertools import groupby

from perception.errors import MissingPackage
from perception.geometry import CoordinateFrame, box_around
from perception.images.image import Picture, encode_picture, is_blank, resize, size_of
from perception.ocr.ocr import Line, Word

LEAST_CONFIDENCE = 0.4
ENLARGED = 2
"""Scale of the picture for OCR: Tesseract was made for scans, and text of 11 pixels is too small for it."""
SECONDS = 60


class TesseractReader:
    """A `perception.ocr.ocr.TextReader` over the command line program."""

    def __init__(self, languages: str = "") -> None:
        """`languages` as Tesseract names them ("rus+eng"), "" for all that are installed. Raises `MissingPackage` without it."""
        program = shutil.which("tesseract")
        if program is None:
            raise MissingPackage(
                "tesseract is not installed",
                advice="Debian: apt-get install tesseract-ocr, or leave out --ocr tesseract",
            )
        self._program = program
        listed = subprocess.run([program, "--list-langs"], capture_output=True, text=True, timeout=SECONDS, check=False)
        known = [line.strip() for line in listed.stdout.splitlines()[1:] if line.strip() not in ("", "osd")]
        self._languages = languages or "+".join(known) or "eng"

    @property
    def name(self) -> str:
        """Name and languages, for the recording."""
        return f"tesseract ({self._languages})"

    def read(self, picture: Picture, frame: CoordinateFrame) -> tuple[Line, ...]:
        """Text lines in page coordinates, top to bottom, words below `LEAST_CONFIDENCE` left out."""
        if is_blank(picture):
            return ()
        width, height = size_of(picture)
        large = resize(picture, width * ENLARGED, height * ENLARGED)
        done = subprocess.run(
            [self._program, "-", "-", "-l", self._languages, "--psm", "11", "tsv"],
            input=encode_picture(large),
            capture_output=True,
            timeout=SECONDS,
            check=False,
        )
        rows = csv.DictReader(
            io.StringIO(done.stdout.decode("utf-8", "replace")), delimiter="\t", quoting=csv.QUOTE_NONE
        )
        seen = [row for row in rows if row.get("level") == "5" and (row.get("text") or "").strip()]
        lines = []
        for _, group in groupby(seen, key=lambda row: (row["block_num"], row["par_num"], row["line_num"])):
            words = [word for word in (_word(row, frame) for row in group) if word.confidence >= LEAST_CONFIDENCE]
            if words:
                lines.append(
                    Line(
                        text=" ".join(word.text for word in words),
                        box=box_around(word.box for word in words),
                        confidence=min(word.confidence for word in words),
                        words=tuple(words),
                    )
                )
        return tuple(lines)


def _word(row: dict[str, str], frame: CoordinateFrame) -> Word:
    left, top, width, height = (int(row[name]) / ENLARGED for name in ("left", "top", "width", "height"))
    box = frame.box_to_page(left, top, left + width, top + height)
    return Word(text=row["text"].strip(), box=box, confidence=float(row["conf"]) / 100)
