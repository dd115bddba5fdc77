"""What a crawl is told to do: the values a script is read into. docs/crawl-scripts.md teaches them by example."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal, get_origin

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from walker.crawl.job_records import Order

Driver = Literal["auto", "http", "playwright", "selenium"]
Keep = Literal["links", "markdown", "text", "html", "screenshot", "download", "pdf"]
FieldType = Literal["text", "number", "integer", "date", "url", "boolean", "list", "html"]
CountMode = Literal["none", "quota", "exhaustive"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False, use_attribute_docstrings=True)

    @model_validator(mode="before")
    @classmethod
    def _one_is_a_list_of_one(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        lists = {name for name, field in cls.model_fields.items() if get_origin(field.annotation) is tuple}
        return {
            name: (value,) if name in lists and value is not None and not isinstance(value, list | tuple) else value
            for name, value in data.items()
        }


class Scope(_Part):
    """Which addresses belong to the crawl, and where it ends at the latest; 0 for no limit."""

    hosts: tuple[str, ...] = ()
    """Hosts that may be entered, `*.example.org` for all below; () for those of the start addresses."""
    path: str = "/"
    """Only addresses whose path begins so."""
    include: tuple[str, ...] = ()
    """Patterns, of which an address must match one: `*` within a folder, `**` across folders, `re:` before a regular expression
    (walker/crawl/script/patterns.py)."""
    exclude: tuple[str, ...] = ()
    """Patterns, of which it may match none."""
    depth: int = Field(0, ge=0)
    """Links from a start address; start addresses are at depth 0. 0 for no limit."""
    pages: int = Field(0, ge=0)
    """Pages fetched at most."""
    items: int = Field(0, ge=0)
    """Items kept at most."""
    bytes: int = Field(0, ge=0)
    """Of everything that was fetched."""
    seconds: float = Field(0, ge=0)
    """From the first page on; what a crawl spends before a stop and after it is added up."""


class Polite(_Part):
    """How a site is treated."""

    robots: bool = True
    """Obey robots.txt (RFC 9309)."""
    delay: float = Field(0, ge=0)
    """Seconds between two fetches from one host; the Crawl-delay of robots.txt where that is longer."""
    per_host: int = Field(4, ge=1, le=64)
    """Fetches from one host at a time."""
    contact: str = ""
    """Address or mail of the person who crawls; goes into the User-Agent."""
    user_agent: str = ""
    """Instead of Walker's own."""
    retries: int = Field(3, ge=0, le=20)
    """Of what may pass by itself: time-outs, refused connections, 429, 5xx."""


class FieldRule(_Part):
    """One field of an item: where it stands and what it is."""

    select: str = ""
    """CSS, or XPath where it begins with `/`, `./` or `(`; "" for the item itself."""
    attr: str = ""
    """The value of this attribute instead of the text."""
    type: FieldType = "text"
    """What the value is read as; `list` for all that match instead of the first."""
    required: bool = False
    """An item without it is not kept."""


def _as_rule(value: Any) -> Any:
    return {"select": value} if isinstance(value, str) else value


class ItemRule(_Part):
    """Records on a page. `each` "" for one item a page."""

    each: str = ""
    """CSS or XPath of one record."""
    fields: dict[str, Annotated[FieldRule, BeforeValidator(_as_rule, json_schema_input_type=FieldRule | str)]] = Field(
        default_factory=dict
    )
    """Name -> rule; a plain text is the rule's `select`. None: name, text and address are found automatically."""
    key: tuple[str, ...] = ()
    """Fields that tell two items apart; () for the address, or else all fields."""


class Step(_Part):
    """One thing to do on an open page; exactly one of the first seven is given."""

    click: str = ""
    """Selector of what is pressed; `until` says how often."""
    scroll: Literal["", "end"] = ""
    """To the end of the page, again while it grows; rows that it takes away meanwhile are kept."""
    type: str = ""
    """Selector of the field that `text` is typed into."""
    submit: str = ""
    """Selector of the form, or of a field in it."""
    dismiss: str = ""
    """Selector of what is closed if it is there: pressed, and if it stays, hidden."""
    wait_for: str = ""
    """Selector that must appear."""
    wait: float = Field(0, ge=0, le=600)
    """Seconds."""
    text: str = ""
    """What is typed; `${NAME}` is taken from the environment and never stored."""
    until: Literal["once", "gone", "each"] = "once"
    """`gone`: press until it is gone, or what comes repeats itself; `each`: press all that there are, in turn. Rows that a press
    takes away are kept."""
    most: int = Field(500, ge=1)
    """Times at most."""
    seconds: float = Field(10, gt=0, le=600)
    """How long to wait for it."""
    optional: bool = False
    """Its absence is no error."""


class PageRule(_Part):
    """What is done on pages whose address matches; several rules may match one page."""

    match: str = "**"
    """Pattern of the path and query (or of the whole address, where it holds `://`)."""
    steps: tuple[Step, ...] = ()
    """What is done on the open page before it is read."""
    items: tuple[ItemRule, ...] = ()
    """Records that are read off it."""
    keep: tuple[Keep, ...] = ()
    """Besides what the script keeps of every page."""
    follow: bool = True
    """Whether its links are followed."""


class Login(_Part):
    """Steps before the first page."""

    url: str
    """Page with the form."""
    steps: tuple[Step, ...]
    """What is typed and pressed there."""
    check: str = ""
    """Selector that is there only for who is logged in."""


class Counting(_Part):
    """What ends a crawl besides its limits."""

    mode: CountMode = "exhaustive"
    """`quota`: exactly `target` distinct items; `exhaustive`: all; `none`: items are kept, not counted."""
    target: int = Field(0, ge=0)
    """Distinct items, for `quota`."""


class Output(_Part):
    """Where what was kept goes, besides the job's folder; the ending says the format: .jsonl .csv .parquet .sqlite."""

    items: tuple[Path, ...] = ()
    """Files for the items."""
    pages: tuple[Path, ...] = ()
    """Files for one record a page."""
    warc: Path | None = None
    """All traffic (ISO 28500), .warc or .warc.gz."""
    files: Path | None = None
    """Folder of screenshots and downloads; the job's own where none is given."""


def _as_addresses(value: Any) -> Any:
    return (value,) if isinstance(value, str) and not value.isalpha() else value


class CrawlSpec(_Part):
    """A whole script."""

    name: str = ""
    """For reports and the job's folder."""
    start: Annotated[tuple[str, ...], Field(min_length=1)]
    """Addresses, at least one."""
    sitemaps: Annotated[
        Literal["none", "robots"] | tuple[str, ...],
        BeforeValidator(_as_addresses, json_schema_input_type=Literal["none", "robots"] | str | tuple[str, ...]),
    ] = "none"
    """`robots`: those that robots.txt names (and /sitemap.xml); or addresses."""
    scope: Scope = Scope()
    """Which addresses belong to the crawl."""
    order: Order = "depth-first"
    """Which page is next."""
    best: str = ""
    """For best-first: words that tell a promising link, in its label or its address; phrases with commas between them."""
    driver: Driver = "auto"
    """`auto` reads over HTTP what needs no browser, and renders the rest."""
    concurrency: int = Field(4, ge=1, le=64)
    """Pages at a time, over all hosts."""
    polite: Polite = Polite()
    """How the sites are treated."""
    login: Login | None = None
    """What is done before the first page."""
    state_in: Path | None = None
    """Playwright storage state to begin with."""
    state_out: Path | None = None
    """Where to leave it."""
    pages: tuple[PageRule, ...] = ()
    """What is done on which pages."""
    items: Literal["none", "auto"] = "none"
    """`auto`: repeated records are found on pages that no rule names items for."""
    keep: tuple[Keep, ...] = ("links",)
    """What is kept of every page."""
    counter: Counting = Counting()
    """What ends the crawl besides its limits."""
    output: Output = Output()
    """Where what was kept goes."""
    page_seconds: float = Field(20, gt=0)
    """How long one page may take, its steps not counted."""
    page_bytes: int = Field(32 << 20, gt=0)
    """Of one answer, unpacked."""
    page_elements: int = Field(1_000_000, gt=0)
    """Of one document."""
    cut_after: int = Field(12, ge=0)
    """Pages of one branch without anything new after which it is cut; 0 never cuts."""

    def keep_of(self, rules: Iterable[PageRule]) -> frozenset[Keep]:
        """What is kept of a page that these rules apply to."""
        return frozenset(self.keep).union(*(rule.keep for rule in rules))
