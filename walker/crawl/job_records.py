"""Values passed between the stages of a crawl."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from memory.near_duplicates import TextMark

Order = Literal["depth-first", "breadth-first", "best-first", "level-by-level"]
Change = Literal["", "new", "changed", "unchanged"]
"""A page beside the record of the crawl before; "" where there was none."""
PageProblem = Literal[
    "",
    "http error",
    "soft 404",
    "login wall",
    "challenge page",
    "unreadable",
    "empty shell",
]


class FoundLink(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A link of a page; `url` is absolute and otherwise byte-exact."""

    url: str
    label: str = ""
    nofollow: bool = False


class CrawlItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One record. `identity` is unique in the job."""

    identity: str
    fields: dict[str, Any]
    """JSON-ready values."""


class PageContent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The parsed content of one page."""

    url: str
    """URL after redirects."""
    title: str = ""
    links: tuple[FoundLink, ...] = ()
    """In document order, each URL once."""
    items: tuple[CrawlItem, ...] = ()
    words: int = 0
    """Word count of its visible text."""
    mark: TextMark = TextMark()
    """Fingerprint of its visible text, title and first heading: pages are duplicates only if these agree too."""
    numbers: bytes = b""
    """Hashes of 32 bits of the numbers in that text (`memory.near_duplicates.hash_numbers`)."""
    text_hash: bytes = b""
    """Of its main text, as it stands."""
    canonical_url: str = ""
    problem: PageProblem = ""
    """Why it is not stored as a success."""
    detail: str = ""
    kept: dict[str, Any] = msgspec.field(default_factory=dict)
    """Contents that the script keeps, by name ("markdown", "text", "html", "links")."""
    nofollow: bool = False
    """The page forbids following its links (meta robots, or X-Robots-Tag)."""


class Lease(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page leased for fetching."""

    id: int
    url: str
    key: str
    depth: int = 0
    tries: int = 0
    """Number of earlier tries."""
    parent: int = 0
    """Row of the page that linked to it, 0 for a start URL."""
    branch: str = ""
    host: int = 0


class NewPage(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A URL to add to the frontier."""

    url: str
    key: str
    origin: str
    """Scheme, host and port: the unit of rate limiting."""
    branch: str = ""
    label: str = ""
    score: float = 0.0
    """Link score for best-first order, 0..1."""


class PageRecord(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a repetition of the crawl needs to know of a page."""

    etag: str = ""
    """Validators of the answer that the page was read from (RFC 9110, section 8.8), "" for none."""
    last_modified: str = ""
    digest: bytes = b""
    """Of all that is kept of it."""
    links: tuple[FoundLink, ...] = ()
    numbers: bytes = b""
    """As in `PageContent`."""
    nofollow: bool = False
    change: Change = ""
    not_modified: bool = False
    """The server said that it is as before, and it was not fetched."""


class ReadPage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page as it is stored."""

    final_url: str
    final_key: str
    final_origin: str
    status: int = 200
    title: str = ""
    driver: str = ""
    size: int = 0
    """Bytes."""
    seconds: float = 0.0
    fetched_at: float = 0.0
    words: int = 0
    mark: TextMark = TextMark()
    same_as: int = 0
    """Row of the page that this one duplicates, 0 for none."""
    kept: bytes = b""
    """A JSON object."""
    record: PageRecord = PageRecord()


class EarlierPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page as the crawl before has stored it."""

    page: ReadPage
    items: tuple[CrawlItem, ...]


class Arrived(msgspec.Struct, frozen=True, kw_only=True):
    """What a page contributed, as determined by the store at commit."""

    new: tuple[NewPage, ...]
    """Links to new URLs."""
    known: tuple[NewPage, ...]
    items: int
    """Number of new items."""


class BranchChange(msgspec.Struct, frozen=True, kw_only=True):
    """The new state of a branch."""

    name: str
    facts: bytes


class BranchVerdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The effect of a page on branches."""

    changed: tuple[BranchChange, ...] = ()
    cut: str = ""
    """Why a branch or a family of branches is cut with this page, "" if none is."""
    probe: str = ""
    """A branch of which one page is to be fetched next, "" for none."""
