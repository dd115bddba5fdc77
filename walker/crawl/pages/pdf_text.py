"""Text of a PDF file, within bounds."""

from __future__ import annotations

import io
import logging
import sys

import msgspec

from walker.errors import MissingExtra

try:
    import resource
except ImportError:  # not on Windows
    resource = None  # type: ignore[assignment]

PAGES_AT_MOST = 500
CHARS_AT_MOST = 2_000_000
MEMORY_AT_MOST = 4 << 30
"""Bytes of address space of a process that reads one file."""


class PdfText(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What could be read of a file."""

    text: str = ""
    """Pages parted by form feeds, as pdftotext does."""
    title: str = ""
    pages: int = 0
    """Of the file; fewer may have been read."""
    problem: str = ""
    """One line where it could not be read, or not to its end."""


def read_pdf(data: bytes, *, most_pages: int = PAGES_AT_MOST, most_chars: int = CHARS_AT_MOST) -> PdfText:
    """Text of a file's pages, up to a number of pages and characters. Never fails on a bad file. Raises `MissingExtra`."""
    try:
        # Of the extra `files`; takes 0.1 s, and most files are read in a process of their own.
        import pypdf  # noqa: PLC0415
        from pypdf.errors import PyPdfError  # noqa: PLC0415
    except ImportError:
        raise MissingExtra(
            "text of PDF files needs pypdf", advice="Install it with: pip install 'gemwalker[files]'"
        ) from None
    logging.getLogger("pypdf").setLevel(logging.ERROR)
    texts: list[str] = []
    chars = pages = 0
    title = problem = ""
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):
            return PdfText(problem="it asks for a password")
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
    except (
        PyPdfError,
        ValueError,
        KeyError,
        IndexError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
        OSError,
    ) as error:
        # What pypdf raises on broken files is of all these kinds.
        problem = f"could not be read ({type(error).__name__}: {str(error)[:100]})"
    return PdfText(text="\f".join(texts), title=title, pages=pages, problem=problem)


def main(seconds: int) -> None:
    """Read one file from standard input and tell about it on standard output, within bounds that the system keeps: who
    started it may be gone."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_AT_MOST, MEMORY_AT_MOST))
    sys.stdout.buffer.write(msgspec.json.encode(read_pdf(sys.stdin.buffer.read())))


if __name__ == "__main__":
    main(int(sys.argv[1]))
