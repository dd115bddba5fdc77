"""A repetition of a crawl beside its record: which pages are asked for with a condition, and what has become of each."""

from __future__ import annotations

import hashlib
import inspect
import secrets
from collections.abc import Callable, Collection, Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec

from walker.crawl.job.job_schema import READING
from walker.crawl.job.stored_job import StoredJob
from walker.crawl.job_records import Change, EarlierPage, Lease, ReadPage
from walker.crawl.pages.page_files import FileKeeper
from walker.crawl.script.script_functions import ScriptFunctions
from walker.crawl.script.spec import CrawlSpec, Keep, Step
from walker.seams.conditional import Condition, NotModified

ANEW = "anew"
"""Setting of a job: "yes" where the pages of its record were read otherwise than they would be now, so that all have to be fetched."""
MIXED = "mixed"


def note_reading(store: StoredJob, functions: ScriptFunctions) -> None:
    """Compare how pages are read now with how those of the record were: by which version of Walker, and by which `items` function."""
    now, before = reading_of(functions), store.setting(READING)
    if before and before != now and store.repetition > 1:
        store.keep_setting(ANEW, "yes")
    store.keep_setting(READING, MIXED if before and before != now and store.done else now)


def reading_of(functions: ScriptFunctions) -> str:
    """What else than the script decides what is read from a page."""
    walker = version("gemwalker")
    if functions.items is None:
        return walker
    try:
        source = Path(functions.path or inspect.getsourcefile(functions.items) or "").read_bytes()
    except (OSError, TypeError):
        # Nobody can tell whether it is the same.
        source = secrets.token_bytes(16)
    return f"{walker} {hashlib.sha256(source).hexdigest()[:32]}"


class EarlierRecords:
    """What the crawl before has stored; nothing in the first crawl of a job."""

    def __init__(self, spec: CrawlSpec, store: StoredJob, files: FileKeeper) -> None:
        self._spec, self._store, self._files = spec, store, files
        self._is_repetition = store.repetition > 1
        self._may_stand = store.setting(ANEW) == ""
        self.is_in_library: Callable[[str], bool] = lambda _: True
        """Whether a library that is filled has the page at a URL: one that it has not must be fetched."""

    def of(self, lease: Lease) -> EarlierPage | None:
        """The page as it was, None if it is new."""
        return self._store.earlier(lease) if self._is_repetition else None

    def condition(self, lease: Lease, steps: Sequence[Step], keep: Collection[Keep]) -> Condition | None:
        """The condition with which a page is asked for, None where its answer would not tell whether the page is as it was, or the
        record could not stand for it."""
        if steps or self._spec.press or "screenshot" in keep or not (self._is_repetition and self._may_stand):
            return None
        earlier = self.of(lease)
        if earlier is None or earlier.page.same_as or self._store.is_stored(lease):
            return None
        page, record = earlier.page, earlier.page.record
        if not (record.etag or record.last_modified) or not self._files.has_all(lease, page):
            return None
        if not self.is_in_library(page.final_url):
            return None
        return Condition(url=page.final_url, etag=record.etag, last_modified=record.last_modified)

    def unchanged(self, lease: Lease, answer: NotModified) -> EarlierPage:
        """The page of which the server says that it is as it was."""
        earlier = self.of(lease)
        assert earlier is not None, "a condition was sent"
        record = msgspec.structs.replace(
            earlier.page.record,
            etag=answer.etag or earlier.page.record.etag,
            last_modified=answer.last_modified or earlier.page.record.last_modified,
            change="unchanged",
            not_modified=True,
        )
        page = msgspec.structs.replace(earlier.page, record=record)
        return msgspec.structs.replace(earlier, page=page)

    def compared(self, lease: Lease, page: ReadPage) -> ReadPage:
        """A page that was fetched, with what has become of it."""
        if not self._is_repetition:
            return page
        earlier = self.of(lease)
        change: Change = "new" if earlier is None else "unchanged" if _is_same(page, earlier.page) else "changed"
        return msgspec.structs.replace(page, record=msgspec.structs.replace(page.record, change=change))


def _is_same(page: ReadPage, earlier: ReadPage) -> bool:
    if earlier.record.digest:
        return page.record.digest == earlier.record.digest
    # A record of an earlier version of Walker.
    return (page.title, page.mark, page.kept) == (earlier.title, earlier.mark, earlier.kept)
