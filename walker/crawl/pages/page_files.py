"""Stores screenshots of pages, and linked files, the text and the Markdown of PDFs, or the pages made from files."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from hashlib import blake2b
from typing import Any

import msgspec

from memory.url_key import key_of, origin_of
from perception.document.dom import parse_page
from walker.browser.http.http_browser import snapshot_of
from walker.crawl.fetch.fetching import Fetched, FetchedFile, GivenUp
from walker.crawl.job_records import Lease, PageRecord, ReadPage
from walker.crawl.pages.file_store import FileStore, file_name, wanted_name
from walker.crawl.pages.markdown import page_markdown
from walker.crawl.script.spec import Keep
from walker.documents.document_kinds import PDF, DocumentKind
from walker.documents.document_opening import NoDocument, document_as_page
from walker.pdf.pdf_process import read_pdf_apart
from walker.pdf.pdf_text import PdfText

DOCUMENT_SECONDS = 20.0
"""Of processor time, for an office file or a PDF to be read as a page; a longer one is kept as far as it was read."""
_JSON = msgspec.json.Encoder(order="deterministic")


class FileKeeper:
    """Writes files before their page is committed. Names are a function of the page's row, so that files left by a crash are
    overwritten by the next try."""

    def __init__(self, files: FileStore) -> None:
        self._files = files

    def files_of(self, lease: Lease, fetched: Fetched) -> dict[str, Any]:
        """The fields of a page's record that name its screenshot, and the file that it was made from; `write_files` writes them."""
        made_from = {"file": _name_of(lease, fetched.file)} if fetched.file is not None else {}
        if fetched.no_picture:
            return {"screenshot_problem": fetched.no_picture} | made_from
        return ({"screenshot": _picture_name(lease)} if fetched.picture else {}) | made_from

    async def write_files(self, lease: Lease, fetched: Fetched) -> None:
        """Write the screenshot of a page that is about to be committed, and the file that it was made from."""
        if fetched.picture:
            await asyncio.to_thread(self._files.write, _picture_name(lease), fetched.picture)
        if fetched.file is not None:
            await asyncio.to_thread(self._files.write, _name_of(lease, fetched.file), fetched.file.answer.body)

    async def keep(self, lease: Lease, fetched: FetchedFile, keep: Collection[Keep]) -> ReadPage | GivenUp:
        """Write a file or extract PDF text, as wanted; returns the page to store."""
        wants_text = "pdf" in keep and fetched.is_pdf
        if not wants_text and "download" not in keep:
            return GivenUp(why=f"a file ({fetched.type[:60]}), and the script keeps PDF text only", is_refused=True)
        answer = fetched.answer
        name, text = _name_of(lease, fetched), PdfText()
        kept: dict[str, Any] = {"type": fetched.type[:100]}
        if wants_text:
            text = await read_pdf_apart(answer.body)
            kept |= {"text": text.text, "pdf_pages": text.pages} | ({"problem": text.problem} if text.problem else {})
            if "markdown" in keep and (written := await _markdown_of_pdf(answer.body, answer.final_url)):
                kept["markdown"] = written
        if "download" in keep:
            await asyncio.to_thread(self._files.write, name, answer.body)
            kept["file"] = name
        return ReadPage(
            final_url=answer.final_url,
            final_key=key_of(answer.final_url),
            final_origin=origin_of(answer.final_url),
            status=answer.status,
            title=text.title or name.partition("-")[2],
            driver="http",
            size=len(answer.body),
            seconds=round(fetched.seconds, 4),
            fetched_at=round(fetched.fetched_at, 3),
            words=len(text.text.split()),
            kept=_JSON.encode(kept),
            record=PageRecord(
                etag=fetched.etag,
                last_modified=fetched.last_modified,
                digest=blake2b(answer.body, digest_size=16).digest(),
                links=fetched.entries or (),
                nofollow=fetched.entries is None,
            ),
        )

    def has_all(self, lease: Lease, page: ReadPage) -> bool:
        """Whether the files that a record names are there, and are those of this row."""
        kept: dict[str, Any] = msgspec.json.decode(page.kept) if page.kept else {}
        names = [name for name in (kept.get("file"), kept.get("screenshot")) if name]
        return all(name.startswith(file_name(lease.id, "")) and (self._files.folder / name).exists() for name in names)

    def take_back(self, page: ReadPage) -> None:
        """Remove the file of a page that was not stored after all, because another URL redirected to it before."""
        if page.kept:
            kept: dict[str, Any] = msgspec.json.decode(page.kept)
            for name in (kept.get("file"), kept.get("screenshot")):
                if name:
                    self._files.remove(name)


async def office_page(fetched: FetchedFile, kind: DocumentKind, *, with_file: bool) -> Fetched | GivenUp:
    """The page made from an office file, or why there is none; `with_file` keeps the file too."""
    answer = fetched.answer
    made = await document_as_page(
        kind, answer.body, answer.final_url, seconds=DOCUMENT_SECONDS, content_type=answer.content_type
    )
    if isinstance(made, NoDocument):
        return GivenUp(why=f"a file: {made.message}", is_refused=True)
    return Fetched(
        snapshot=msgspec.structs.replace(snapshot_of(answer, kind.type, made), fetched_at=round(fetched.fetched_at, 3)),
        seconds=fetched.seconds,
        driver="http",
        file=fetched if with_file else None,
    )


async def _markdown_of_pdf(data: bytes, url: str) -> str:
    """The page that is made from a PDF as Markdown, "" where none can be made."""
    made = await document_as_page(PDF, data, url, seconds=DOCUMENT_SECONDS)
    return (
        ""
        if isinstance(made, NoDocument)
        else await asyncio.to_thread(lambda: page_markdown(parse_page(made), url, made))
    )


def text_kept(page: ReadPage) -> str:
    """The text of a file that is kept with its page, "" for none."""
    return str(msgspec.json.decode(page.kept).get("text") or "") if page.kept else ""


def _name_of(lease: Lease, fetched: FetchedFile) -> str:
    answer = fetched.answer
    return file_name(lease.id, wanted_name(answer.final_url, answer.headers.get("content-disposition", "")))


def _picture_name(lease: Lease) -> str:
    return file_name(lease.id, f"{wanted_name(lease.key)}.png".lstrip("."))
