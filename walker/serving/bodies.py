"""What callers send. Nothing here is a path, a variable, a header or the address of a model: bodies are untrusted."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from walker.crawl.job_records import Order
from walker.crawl.script.spec import Counting, PageRule, Scope

# Written in code points: what counts as white space differs between the languages that read patterns.
_ADDRESS = r"^https?://[^\x00-\x20\x7f-\xa0/?#\\]+[^\x00-\x20\x7f-\xa0]*$"
_WORDS = r"[^\x00-\x20\x7f-\xa0]"
Address = Annotated[str, Field(min_length=8, max_length=2000, pattern=_ADDRESS)]
Kept = Literal["links", "markdown", "text", "html", "screenshot", "pdf", "office"]


class Body(BaseModel):
    """Common base: what is not known is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)


class JobBody(Body):
    """What every job may say."""

    max_pages: int = Field(0, ge=0)
    """Pages that are opened at most; 0, and more than the service allows, for what it allows."""
    max_seconds: float = Field(0, ge=0)
    """Likewise."""
    webhook: Address | None = None
    """Is told, signed, when the job has ended."""


class WalkBody(JobBody):
    """What every walk may say."""

    profile: str = Field("", max_length=100)
    """A saved login that the operator of the service allows by name."""


class AskBody(WalkBody):
    """A question."""

    root: Address
    """Where the walk begins."""
    question: str = Field(min_length=1, max_length=4000, pattern=_WORDS)
    schema_: dict[str, Any] | None = Field(None, alias="schema")
    """A JSON Schema for a typed answer."""
    ask_me: bool = False
    """Whether the job waits for a person at its page: to choose where the walk is not sure, and to act in a window on the display
    of the service where a check page or a login is in the way. Whoever runs the service allows it."""


class AnswerBody(Body):
    """What a person chose of what a job asks."""

    number: int = Field(ge=1)
    """Of the pause, as the job's `asks` has it."""
    choice: int = Field(ge=0)
    """From 1; 0 is to go on without."""


class ExtractBody(WalkBody):
    """A schema to be filled in from a page, or from a list of pages."""

    url: Address
    schema_: dict[str, Any] = Field(alias="schema")
    """A JSON Schema: an object, or an array of objects."""
    question: str = Field("", max_length=4000)
    """What is looked for, where the schema does not say it."""
    max_pages: int = Field(1, ge=0)
    """1: the page alone. 0, and more than the service allows, for what it allows."""


class CrawlBody(JobBody):
    """A crawl, in the words of crawl scripts."""

    start: tuple[Address, ...] = Field(min_length=1, max_length=100)
    """Start URLs."""
    sitemaps: Literal["none", "robots"] = "none"
    scope: Scope = Scope()
    """Which URLs belong to the crawl."""
    order: Order = "depth-first"
    best: str = Field("", max_length=1000)
    """For best-first order: words of a relevant link."""
    driver: Literal["auto", "http", "playwright"] = "auto"
    pages: tuple[PageRule, ...] = Field((), max_length=50)
    """What is done on which pages; no step may type or submit."""
    press: bool = False
    """Press what is safe to press on pages without steps."""
    items: Literal["none", "auto"] = "none"
    """`auto`: detect repeated records on pages without item rules."""
    keep: tuple[Kept, ...] = ("links",)
    """Contents to keep of every page."""
    counter: Counting = Counting()
    """Stop condition besides the limits."""
