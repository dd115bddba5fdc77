"""Pages out of what lies on disk: recorded walks, crawls and their outputs, WARC files.

Each source is read page by page, so that one larger than memory is no matter; what it has that is no page is left out.
"""

from __future__ import annotations

import contextlib
import gzip
import sqlite3
import zlib
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec

from memory.library.pictures import PictureMarks
from memory.library.protocol import Library
from perception.encodings import decode_html
from perception.errors import PictureUnreadable
from perception.snapshot import Redirect, Snapshot
from traces.errors import TraceError
from traces.export.recorded_pages import read_pages
from traces.reading.reader import read_run
from traces.store.run_files import MANIFEST_NAME
from traces.store.run_path import ZIP_SUFFIX
from walker.crawl.job.job_base import SqliteBase
from walker.crawl.job.job_contents import JobContents
from walker.crawl.job.job_store import FILE_NAME
from walker.documents.document_kinds import document_kind
from walker.documents.document_opening import NoDocument, document_as_page
from walker.errors import UsageError
from walker.library.filling import LibraryFiller
from walker.library.page_passages import plain_markup
from walker.pictures.picture_marks import ReadText, marks_of
from walker.pictures.shown_pictures import found_among

HTML_TYPES = ("text/html", "application/xhtml+xml")
WARC_ENDINGS = (".warc", ".warc.gz")
LARGEST_BODY = 20_000_000
"""Bytes of a page in a WARC file; larger ones are left out."""
FILE_SECONDS = 12.0
_OF_THE_DOM = "urn:dom:"
"""Before the address of a rendered page, in WARC files of walks whose network was recorded."""


async def pages_of(source: Path) -> AsyncIterator[Snapshot]:
    """The pages of one source, or of all sources in a folder, in order. Raises `UsageError` for what is no source, or is damaged."""
    for one in _sources_at(source):
        if one.name.endswith(WARC_ENDINGS):
            async for page in _pages_of_warc(one):
                yield page
            continue
        try:
            for page in _pages_of_file(one) if one.suffix in (".jsonl", ZIP_SUFFIX) else _pages_of_folder(one):
                yield page
        except (TraceError, sqlite3.Error, OSError, msgspec.MsgspecError) as error:
            what = error.what if isinstance(error, TraceError) else str(error)
            raise UsageError(f"it cannot be read ({what})", where=str(one), advice=_ADVICE) from None


def pictures_in(source: Path, read: ReadText | None = None) -> dict[str, PictureMarks]:
    """The pictures of the WARC files at a source, and of its walks whose network was recorded, by their addresses; what is damaged or
    no picture is left out. `read` reads what is written in them. Raises `UsageError` where there is no source."""
    found: dict[str, PictureMarks] = {}
    for one in _sources_at(source):
        if one.name.endswith(WARC_ENDINGS):
            _read_pictures(one, found, read)
        elif (one / MANIFEST_NAME).exists() or one.suffix == ZIP_SUFFIX:
            _pictures_of_run(one, found, read)
    return found


async def add_source(library: Library, source: Path, read: ReadText | None = None) -> LibraryFiller:
    """Add the pages of a source with their pictures; what became of them. Raises `UsageError`, `LibraryUnusable`."""
    filler, marks = LibraryFiller(library), pictures_in(source, read)
    async for page in pages_of(source):
        filler.add(page, found_among(page, marks))
    return filler


def _pictures_of_run(path: Path, found: dict[str, PictureMarks], read: ReadText | None) -> None:
    try:
        exchanges = read_pages(read_run(path)).exchanges
    except (TraceError, OSError, msgspec.MsgspecError):
        return  # told when its pages are read
    for one in exchanges:
        if one.event.status == 200 and one.body and one.event.url not in found:
            with contextlib.suppress(PictureUnreadable):
                found[one.event.url] = marks_of(one.body, read)


def _read_pictures(path: Path, found: dict[str, PictureMarks], read: ReadText | None) -> None:
    from warcio.archiveiterator import ArchiveIterator  # noqa: PLC0415 - slow to import, and seldom needed
    from warcio.exceptions import ArchiveLoadFailed  # noqa: PLC0415

    with path.open("rb") as file:
        try:
            for record in ArchiveIterator(file):
                status, media = _told_by(record)
                url = (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")
                if record.rec_type not in ("response", "resource") or status != 200 or not media.startswith("image/"):
                    continue
                try:
                    found.setdefault(url, marks_of(record.content_stream().read(LARGEST_BODY + 1), read))
                except PictureUnreadable:
                    continue
        except (ArchiveLoadFailed, gzip.BadGzipFile, zlib.error, EOFError):
            return  # told when its pages are read


_ADVICE = "Give the folder of a walk (runs/...) or of a crawl (crawls/...), a folder of them, pages.jsonl of a crawl, or a WARC file"


def _sources_at(path: Path) -> tuple[Path, ...]:
    """The source at a path, or those in a folder. Raises `UsageError` where there is none."""
    if not path.exists():
        raise UsageError("there is no such file or folder", where=str(path), advice=_ADVICE)
    if _is_source(path):
        return (path,)
    found = tuple(one for one in sorted(path.iterdir()) if _is_source(one)) if path.is_dir() else ()
    if not found:
        raise UsageError("there are no pages that could be added", where=str(path), advice=_ADVICE)
    return found


def _is_source(path: Path) -> bool:
    if path.is_dir():
        return (path / MANIFEST_NAME).exists() or (path / FILE_NAME).exists()
    return path.name.endswith((".jsonl", ZIP_SUFFIX, *WARC_ENDINGS))


def _pages_of_folder(folder: Path) -> Iterator[Snapshot]:
    if not (folder / FILE_NAME).exists():
        yield from _pages_of_run(folder)
        return
    base = sqlite3.connect(f"file:{quote(str((folder / FILE_NAME).absolute()))}?mode=ro", uri=True, factory=SqliteBase)
    try:
        for row in JobContents(base).pages():
            yield from _page_of_row(row)
    finally:
        base.close()


def _pages_of_file(path: Path) -> Iterator[Snapshot]:
    if path.suffix == ZIP_SUFFIX:
        yield from _pages_of_run(path)
        return
    with path.open("rb") as lines:
        for line in lines:
            if line.strip():
                yield from _page_of_row(msgspec.json.decode(line, type=dict[str, Any]))


def _pages_of_run(path: Path) -> Iterator[Snapshot]:
    for page in read_pages(read_run(path)).pages:
        if page.html:
            yield Snapshot(
                url=page.url,
                final_url=page.final_url,
                status=page.status,
                html=page.html.decode("utf-8", "replace"),
                title=page.title,
                redirects=tuple(Redirect(url=url, status=status) for url, status in page.redirects),
                fetched_at=page.fetched_at,
            )


def _page_of_row(row: dict[str, Any]) -> Iterator[Snapshot]:
    """The page of a crawl's record: its markup, else its Markdown or text. A page of which nothing was kept, or that is there under
    another address, gives none."""
    url, title = str(row.get("url") or ""), str(row.get("title") or "")
    text = next((str(row[name]) for name in ("markdown", "text") if row.get(name)), "")
    markup = str(row.get("html") or "") or (plain_markup(title, text) if text else "")
    if url and markup:
        yield Snapshot(
            url=url,
            final_url=str(row.get("final_url") or url),
            status=int(row.get("status") or 200),
            html=markup,
            title=title,
            fetched_at=float(row.get("fetched_at") or 0.0),
        )


async def _pages_of_warc(path: Path) -> AsyncIterator[Snapshot]:
    """HTML pages, and files that are read as pages (PDF, Word, CSV ...), of a WARC file. One that is cut off gives the pages before
    the cut."""
    from warcio.archiveiterator import ArchiveIterator  # noqa: PLC0415 - slow to import, and seldom needed
    from warcio.exceptions import ArchiveLoadFailed  # noqa: PLC0415

    with path.open("rb") as file:
        try:
            for record in ArchiveIterator(file):
                if (page := await _page_of_record(record)) is not None:
                    yield page
        except (ArchiveLoadFailed, gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise UsageError(
                f"it is damaged at byte {file.tell()} ({' '.join(str(error).split())})",
                where=str(path),
                advice="The pages before that were added",
            ) from None


async def _page_of_record(record: Any) -> Snapshot | None:
    kind, url = record.rec_type, (record.rec_headers.get_header("WARC-Target-URI") or "").strip("<>")
    status, media = _told_by(record)
    plain = media.partition(";")[0].strip().lower()
    if kind not in ("response", "resource") or status != 200:
        return None
    file = document_kind(status, url, _headers_of(record, media))
    if plain not in HTML_TYPES and file is None:
        return None
    body: bytes = record.content_stream().read(LARGEST_BODY + 1)
    if not body or len(body) > LARGEST_BODY:
        return None
    url = url.removeprefix(_OF_THE_DOM)
    if file is not None:
        made = await document_as_page(file, body, url, seconds=FILE_SECONDS, content_type=media)
        markup = "" if isinstance(made, NoDocument) else made
    else:
        markup = decode_html(body, media)
    if not markup:
        return None
    return Snapshot(
        url=url,
        final_url=url,
        status=status,
        html=markup,
        fetched_at=_seconds(record.rec_headers.get_header("WARC-Date")),
    )


def _headers_of(record: Any, media: str) -> dict[str, str]:
    """The headers of a record that tell what its file is."""
    named = record.http_headers.get_header("Content-Disposition") if record.http_headers is not None else ""
    return {"content-type": media, "content-disposition": named or ""}


def _told_by(record: Any) -> tuple[int, str]:
    """Status and media type of a record."""
    if record.rec_type == "response" and record.http_headers is not None:
        code = record.http_headers.get_statuscode() or ""
        return (int(code) if code.isdigit() else 0), record.http_headers.get_header("Content-Type") or ""
    return 200, record.rec_headers.get_header("Content-Type") or ""


def _seconds(date: str | None) -> float:
    try:
        return datetime.fromisoformat(date or "").timestamp()
    except ValueError:
        return 0.0
