"""What tools return, as models: the SDK makes each tool's output schema of them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, Field


class Result(BaseModel):
    """What every result says; text from pages is untrusted."""

    error: str = ""


class JobResult(Result):
    """Of work that may go on after the call: with state `running`, ask for the rest by `job`."""

    state: Literal["done", "running", "failed", "interrupted", "cancelled"] = "done"
    job: str = ""


class Quote(BaseModel):
    """Words of a page."""

    url: str
    quote: str


class Help(BaseModel):
    """What a person did in the walk."""

    about: str
    chosen: str
    url: str = ""


class OtherAnswer(BaseModel):
    """One that is about as likely as the nearest."""

    answer: str
    citations: list[Quote]


class Answer(JobResult):
    """Of `ask`."""

    answered: bool = False
    answer: str = ""
    partial: bool = False
    nearest: str = ""
    tied: list[OtherAnswer] = []
    confidence: float = 0.0
    items: list[str] = []
    citations: list[Quote] = []
    by_person: bool = Field(default=False, description="a person chose the answer")
    helped: list[Help] = []
    data: Any = Field(default=None, description="with a schema")
    fields: dict[str, Any] = {}
    missing: list[str] = []
    stop_reason: str = ""
    pages: int = 0
    run: str = ""


class Extraction(JobResult):
    """Of `extract`."""

    data: Any = None
    nearest: str = ""
    fields: dict[str, Any] = Field(default={}, description="path -> {value, quote, page} or {reason}")
    missing: list[str] = []
    helped: list[Help] = []
    partial: bool = False
    stop_reason: str = ""
    pages: int = 0
    run: str = ""


class Crawl(JobResult):
    """Of `crawl`."""

    stop_reason: str = ""
    pages: int = 0
    items: int = 0
    waiting: int = 0
    failures: dict[str, int] = {}
    sample: list[dict[str, Any]] = Field(default=[], description="first items; all are in the resource")


class PageText(Result):
    """Of `read`."""

    url: str = ""
    title: str = ""
    status: int = 0
    markdown: str = ""
    cut: bool = Field(default=False, description="whether parts were left out")


class Seen(JobResult):
    """Of `look`."""

    url: str = ""
    title: str = ""
    elements: list[str] = []
    hidden: list[str] = Field(default=[], description="text that no person sees")
    in_pictures: list[str] = []
    found: dict[str, Any] | None = None


class AnyJob(JobResult):
    """Of `job`."""

    tool: str = ""
    pages: int = 0
    result: dict[str, Any] = {}


class RunView(Result):
    """Of `run`."""

    run: str = ""
    lines: list[str] = []
