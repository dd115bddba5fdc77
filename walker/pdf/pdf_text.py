"""Text of a PDF file, within limits."""

from __future__ import annotations

import io
import logging
import sys

import msgspec

from walker.parsing.process_limits import limit_process
from walker.pdf.damage import UNEXPECTED

PAGES_AT_MOST = 500
CHARS_AT_MOST = 2_000_000


class PdfText(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The extracted text of a file."""

    text: str = ""
    """Text, with form feeds between pages, as in pdftotext."""
    title: str = ""
    pages: int = 0
    """Number of pages of the file; fewer may have been read."""
    problem: str = ""
    """Why it could not be read, or not completely: one line, else ""."""


def read_pdf(data: bytes, *, most_pages: int = PAGES_AT_MOST, most_chars: int = CHARS_AT_MOST) -> PdfText:
    """Text of a file, up to a number of pages and characters. A damaged file gives a `problem`."""
    # Takes 0.1 s, and most files are parsed in a separate process.
    import pypdf  # noqa: PLC0415
    from pypdf.errors import PyPdfError  # noqa: PLC0415

    logging.getLogger("pypdf").setLevel(logging.ERROR)
    texts: list[str] = []
    chars = pages = 0
    title = problem = ""
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            return PdfText(problem="it is password-protected")
        pages = len(reader.pages)
        title = str((reader.metadata.title if reader.metadata else None) or "").strip()
        for number in range(min(pages, most_pages)):
            text = reader.pages[number].extract_text().strip()
            texts.append(text[: most_chars - chars])
            chars += len(text)
            if chars >= most_chars:
                problem = f"read up to page {number + 1} of {pages}"
                break
        else:
            problem = f"read up to page {most_pages} of {pages}" if pages > most_pages else ""
    except (PyPdfError, *UNEXPECTED) as error:
        problem = f"could not be read ({type(error).__name__}: {str(error)[:100]})"
    return PdfText(text="\f".join(texts), title=title, pages=pages, problem=problem)


def main(seconds: int) -> None:
    """Parse one file from standard input and write the result to standard output, within limits enforced by the operating system,
    since the parent process may be gone."""
    limit_process(seconds)
    sys.stdout.buffer.write(msgspec.json.encode(read_pdf(sys.stdin.buffer.read())))


if __name__ == "__main__":
    main(int(sys.argv[1]))


msgspec.json.Decoder(PdfText)  # described at import: docs/design/msgspec.md
