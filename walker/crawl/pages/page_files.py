"""Stores screenshots of pages, and linked files or their PDF text."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from hashlib import blake2b
from typing import Any

import msgspec

from memory.url_key import key_of, origin_of
from walker.crawl.fetch.fetching import Fetched, FetchedFile, GivenUp
from walker.crawl.job_records import Lease, PageRecord, ReadPage
from walker.crawl.pages.file_store import FileStore, file_name, wanted_name
from walker.crawl.script.spec import Keep
from walker.pdf.pdf_process import read_pdf_apart
from walker.pdf.pdf_text import PdfText

_JSON = msgspec.json.Encoder(order="deterministic")


class FileKeeper:
    """Writes files before their page is committed. Names are a function of the page's row, so that files left by a crash are
    overwritten by the next try."""

    def __init__(self, files: FileStore) -> None:
        self._files = files

    def picture_of(self, lease: Lease, fetched: Fetched) -> dict[str, Any]:
        """The screenshot's fields in a page's record; `write_picture` writes the file."""
        if fetched.no_picture:
            return {"screenshot_problem": fetched.no_picture}
        return {"screenshot": _picture_name(lease)} if fetched.picture else {}

    async def write_picture(self, lease: Lease, fetched: Fetched) -> None:
        """Write the screenshot of a page that is about to be committed."""
        if fetched.picture:
            await asyncio.to_thread(self._files.write, _picture_name(lease), fetched.picture)

    async def keep(self, lease: Lease, fetched: FetchedFile, keep: Collection[Keep]) -> ReadPage | GivenUp:
        """Write a file or extract PDF text, as wanted; returns the page to store."""
        wants_text = "pdf" in keep and fetched.is_pdf
        if not wants_text and "download" not in keep:
            return GivenUp(why=f"a file ({fetched.type[:60]}), and the script keeps PDF text only", is_refused=True)
        answer = fetched.answer
        wanted = wanted_name(answer.final_url, answer.headers.get("content-disposition", ""))
        name, text = file_name(lease.id, wanted), PdfText()
        kept: dict[str, Any] = {"type": fetched.type[:100]}
        if wants_text:
            text = await read_pdf_apart(answer.body)
            kept |= {"text": text.text, "pdf_pages": text.pages} | ({"problem": text.problem} if text.problem else {})
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
                nofollow=True,
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


def text_kept(page: ReadPage) -> str:
    """The text of a file that is kept with its page, "" for none."""
    return str(msgspec.json.decode(page.kept).get("text") or "") if page.kept else ""


def _picture_name(lease: Lease) -> str:
    return file_name(lease.id, f"{wanted_name(lease.key)}.png".lstrip("."))
