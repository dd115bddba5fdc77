"""Pages as rows of the tables `contents` and `records`, and back."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memory.near_duplicates import TextMark
from memory.url_key import key_of, origin_of
from walker.crawl.job.job_base import JobBase
from walker.crawl.job.job_schema import KEEP_CONTENTS, KEEP_RECORD
from walker.crawl.job_records import CrawlItem, EarlierPage, FoundLink, PageRecord, ReadPage

_JSON = msgspec.json.Encoder(order="deterministic")
_COLUMNS = (
    "final_url, status, title, driver, size, seconds, fetched_at, words, fingerprint, details, sketch, text_size, "
    "same_as, kept, etag, last_modified, digest, facts"
)


class _Facts(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """What is needed of a page to walk on from it without fetching it."""

    links: tuple[tuple[str, str, bool], ...]
    """URL, label, and whether it is not to be followed."""
    numbers: bytes
    nofollow: bool
    items: tuple[tuple[str, bytes], ...]
    """Identity and fields of those that stand with another page, on which they were found first."""


_NO_FACTS = _Facts(links=(), numbers=b"", nofollow=True, items=())
_ENCODER, _DECODER = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder(_Facts)


def store_page(base: JobBase, row: int, page: ReadPage) -> int | None:
    """Write a page over an earlier reading; the size of that one, None if there was none."""
    before = base.execute("SELECT size FROM contents WHERE page = ?", (row,)).fetchone()
    base.execute(
        KEEP_CONTENTS,
        (
            row,
            page.final_url,
            page.status,
            page.title,
            page.driver,
            page.size,
            page.seconds,
            page.fetched_at,
            page.words,
            _signed(page.mark.fingerprint),
            page.mark.details,
            page.mark.sketch,
            page.mark.size,
            page.same_as,
            page.kept or None,
        ),
    )
    return int(before[0]) if before is not None else None


def store_record(base: JobBase, row: int, record: PageRecord, elsewhere: Sequence[CrawlItem]) -> None:
    """Write what a repetition needs of a page; `elsewhere` are items of it that stand with another page."""
    facts = _Facts(
        tuple((link.url, link.label, link.nofollow) for link in record.links),
        record.numbers,
        record.nofollow,
        tuple((item.identity, _JSON.encode(item.fields)) for item in elsewhere),
    )
    base.execute(
        KEEP_RECORD,
        (
            row,
            record.etag,
            record.last_modified,
            record.digest,
            record.change,
            record.not_modified,
            _ENCODER.encode(facts),
        ),
    )


def read_earlier(base: JobBase, row: int) -> EarlierPage | None:
    """The page that the crawl before has stored in a row, None for none."""
    found = base.execute(
        f"SELECT {_COLUMNS} FROM earlier_contents AS c LEFT JOIN earlier_records AS r ON r.page = c.page WHERE c.page = ?",
        (row,),
    ).fetchone()
    if found is None:
        return None
    stored = base.execute("SELECT identity, fields FROM earlier_items WHERE page = ? ORDER BY id", (row,)).fetchall()
    facts = _DECODER.decode(found[-1]) if found[-1] is not None else _NO_FACTS
    items = (*stored, *facts.items)
    return EarlierPage(
        page=_page_of(found, facts),
        items=tuple(CrawlItem(identity=identity, fields=msgspec.json.decode(fields)) for identity, fields in items),
    )


def _page_of(row: Sequence[object], facts: _Facts) -> ReadPage:
    final_url, status, title, driver, size, seconds, fetched_at, words, *rest = row
    fingerprint, details, sketch, text_size, same_as, kept, etag, last_modified, digest, _ = rest
    assert isinstance(final_url, str)
    assert isinstance(fingerprint, int)
    values = {
        "final_url": final_url,
        "final_key": key_of(final_url),
        "final_origin": origin_of(final_url),
        "status": status,
        "title": title,
        "driver": driver,
        "size": size,
        "seconds": seconds,
        "fetched_at": fetched_at,
        "words": words,
        "mark": TextMark(
            fingerprint=fingerprint % (1 << 64),
            details=details,  # type: ignore[arg-type]
            sketch=sketch,  # type: ignore[arg-type]
            size=text_size,  # type: ignore[arg-type]
        ),
        "same_as": same_as,
        "kept": kept or b"",
        "record": PageRecord(
            etag=etag or "",  # type: ignore[arg-type]
            last_modified=last_modified or "",  # type: ignore[arg-type]
            digest=digest or b"",  # type: ignore[arg-type]
            links=tuple(FoundLink(url=url, label=label, nofollow=no) for url, label, no in facts.links),
            numbers=facts.numbers,
            nofollow=facts.nofollow,
        ),
    }
    return ReadPage(**values)  # type: ignore[arg-type]


def _signed(number: int) -> int:
    """An unsigned 64-bit number as SQLite's signed one."""
    return number - (1 << 64) if number >= 1 << 63 else number
