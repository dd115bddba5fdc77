"""What the stages of a crawl hand to each other."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from memory.near_duplicates import TextMark

Order = Literal["depth-first", "breadth-first", "best-first", "level-by-level"]
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
    """A link as a page has it; `url` is absolute and otherwise byte-exact."""

    url: str
    label: str = ""
    nofollow: bool = False


class CrawlItem(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One record. `identity` is what tells it from others, unique in the job."""

    identity: str
    fields: dict[str, Any]
    """Values that JSON can hold."""


class PageContent(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was read of one page."""

    url: str
    """Where it was found in the end."""
    title: str = ""
    links: tuple[FoundLink, ...] = ()
    """In document order, each address once."""
    items: tuple[CrawlItem, ...] = ()
    words: int = 0
    """Of its visible text."""
    mark: TextMark = TextMark()
    """Of its visible text, named by title and first heading: pages are duplicates only where these agree too."""
    canonical_url: str = ""
    problem: PageProblem = ""
    """Why it must not be stored as a success."""
    detail: str = ""
    kept: dict[str, Any] = msgspec.field(default_factory=dict)
    """What the script keeps of it, by name ("markdown", "text", "html", "links")."""
    nofollow: bool = False
    """The page asks that its links are not followed (meta robots, or a header)."""


class Lease(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A page that this process is to fetch."""

    id: int
    url: str
    key: str
    depth: int = 0
    tries: int = 0
    """Times it was begun before."""
    parent: int = 0
    """Row of the page that linked it, 0 for a start address."""
    branch: str = ""
    host: int = 0


class NewPage(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """An address that is to enter the frontier."""

    url: str
    key: str
    origin: str
    """Scheme, host and port: what politeness goes by."""
    branch: str = ""
    label: str = ""
    score: float = 0.0
    """For best-first, 0..1."""


class ReadPage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the store keeps of a page that was read."""

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
    """Row of the page that says the same, 0 for none."""
    kept: bytes = b""
    """A JSON object."""


class Arrived(msgspec.Struct, frozen=True, kw_only=True):
    """What a page brought, as the store sees it when it is committed."""

    new: tuple[NewPage, ...]
    """Links to addresses that nobody knew."""
    known: tuple[NewPage, ...]
    items: int
    """That were not known."""


class BranchChange(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of a branch now."""

    name: str
    facts: bytes


class BranchVerdict(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a page changed in the standing of branches."""

    changed: tuple[BranchChange, ...] = ()
    cut: str = ""
    """Why a branch or a family of branches ends with this page, "" where none does."""
    probe: str = ""
    """A branch of which one page is to be next, "" for none."""
