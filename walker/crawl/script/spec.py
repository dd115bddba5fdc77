"""The data model of crawl scripts. docs/crawl-scripts.md teaches it by example."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, PlainSerializer, PlainValidator, WithJsonSchema
from pydantic_core import PydanticCustomError

from walker.crawl.job_records import Order
from walker.crawl.script.destination import BadDestination, Destination, destination_of
from walker.crawl.script.polite import Part, Polite

Driver = Literal["auto", "http", "playwright", "selenium"]
Keep = Literal[
    "links", "markdown", "text", "html", "screenshot", "pictures", "picture-text", "download", "pdf", "office"
]
FieldType = Literal["text", "number", "integer", "date", "url", "boolean", "list", "html"]
CountMode = Literal["none", "quota", "exhaustive"]


class Scope(Part):
    """Which URLs belong to the crawl, and its limits; 0 for no limit."""

    hosts: tuple[str, ...] = ()
    """Allowed hosts, `*.example.org` for all subdomains; () for those of the start URLs."""
    path: str = "/"
    """Only URLs whose path begins with this."""
    include: tuple[str, ...] = ()
    """Patterns, of which a URL must match one: `*` within a folder, `**` across folders, `re:` before a regular expression
    (walker/crawl/script/patterns.py)."""
    exclude: tuple[str, ...] = ()
    """Patterns, of which a URL must match none."""
    depth: int = Field(0, ge=0)
    """Links from a start URL; start URLs are at depth 0. 0 for no limit."""
    pages: int = Field(0, ge=0)
    """Most pages fetched."""
    items: int = Field(0, ge=0)
    """Most items stored."""
    bytes: int = Field(0, ge=0)
    """Most bytes fetched in total."""
    seconds: float = Field(0, ge=0)
    """Time limit from the first page on, added up over interruptions."""


class FieldRule(Part):
    """One field of an item: its selector and type."""

    select: str = ""
    """CSS, or XPath where it begins with `/`, `./` or `(`; "" for the item itself."""
    attr: str = ""
    """The value of this attribute instead of the text."""
    type: FieldType = "text"
    """What the value is read as; `list` for all that match instead of the first."""
    required: bool = False
    """Items without it are dropped."""


def _as_rule(value: Any) -> Any:
    return {"select": value} if isinstance(value, str) else value


class ItemRule(Part):
    """Extraction rule for the items of a page. `each` "" for one item per page."""

    each: str = ""
    """CSS or XPath of one record."""
    fields: dict[str, Annotated[FieldRule, BeforeValidator(_as_rule, json_schema_input_type=FieldRule | str)]] = Field(
        default_factory=dict
    )
    """Name -> rule; a plain text is the rule's `select`. None: name, text and URL are found automatically."""
    key: tuple[str, ...] = ()
    """Fields that identify an item; () for the URL, or else all fields."""


class Step(Part):
    """One action on an open page; exactly one of the first seven keys is given."""

    click: str = ""
    """Selector of the element to click; `until` says how often."""
    scroll: Literal["", "end"] = ""
    """Scroll to the end of the page, repeatedly while it grows; rows that the page removes meanwhile are kept."""
    type: str = ""
    """Selector of the field that `text` is typed into."""
    submit: str = ""
    """Selector of the form, or of a field in it."""
    dismiss: str = ""
    """Selector of an element to close if it exists: clicked, and if it remains, hidden."""
    wait_for: str = ""
    """Selector that must appear."""
    wait: float = Field(0, ge=0, le=600)
    """Seconds."""
    text: str = ""
    """Text to type; `${NAME}` is taken from the environment and never stored."""
    until: Literal["once", "gone", "each"] = "once"
    """`gone`: click until it is gone, or nothing new appears; `each`: click all matches, in turn. Rows that a click removes are
    kept."""
    most: int = Field(500, ge=1)
    """Most repetitions."""
    seconds: float = Field(10, gt=0, le=600)
    """Seconds to wait for it."""
    optional: bool = False
    """Its absence is not an error."""


class PageRule(Part):
    """What is done on pages whose URL matches; several rules may match one page."""

    match: str = "**"
    """Pattern of the path and query (or of the whole URL, if it contains `://`)."""
    steps: tuple[Step, ...] = ()
    """Steps on the open page before it is parsed."""
    items: tuple[ItemRule, ...] = ()
    """Items to extract."""
    keep: tuple[Keep, ...] = ()
    """Contents to keep besides those of every page."""
    follow: bool = True
    """Whether its links are followed."""


class Login(Part):
    """Login before the first page."""

    url: str
    """URL of the page with the form."""
    steps: tuple[Step, ...]
    """Typing and clicking steps there."""
    check: str = ""
    """Selector of an element that exists only when logged in."""


class Counting(Part):
    """Stop condition of a crawl besides its limits."""

    mode: CountMode = "exhaustive"
    """`quota`: exactly `target` distinct items; `exhaustive`: all; `none`: items are stored, not counted."""
    target: int = Field(0, ge=0)
    """Number of distinct items, for `quota`."""


def _destination(value: Any) -> Destination:
    try:
        return destination_of(value)
    except BadDestination as error:
        # Not a `ValueError`: its message would repeat the address, which may hold a password.
        raise PydanticCustomError("destination", "{what}", {"what": str(error)}) from None


RecordsTo = Annotated[
    Destination,
    PlainValidator(_destination),
    PlainSerializer(str, when_used="json"),
    WithJsonSchema({"type": "string"}),
]


class Output(Part):
    """Output files, besides the job's folder; the extension selects the format: .jsonl .csv .parquet .sqlite. Records may also go to
    FILE.duckdb#TABLE, s3://BUCKET/KEY and postgresql://HOST/DATABASE?table=NAME."""

    items: tuple[RecordsTo, ...] = ()
    """Files or other destinations for the items."""
    pages: tuple[RecordsTo, ...] = ()
    """Files or other destinations for one record per page."""
    warc: Path | None = None
    """All traffic (ISO 28500), .warc or .warc.gz."""
    files: Path | None = None
    """Folder for screenshots and downloads; the job's own if not given."""
    markdown: Path | None = None
    """Folder for the pages' main content as Markdown files, with front matter; keeps `markdown` of every page."""
    chunks: RecordsTo | None = None
    """File or other destination for passages of that content, for retrieval; keeps `markdown` too."""
    changed_only: bool = False
    """In a crawl that is repeated: leave out pages and items that are as in the crawl before."""

    @property
    def destinations(self) -> tuple[RecordsTo, ...]:
        """Where records are written: items, pages, and passages."""
        return (*self.items, *self.pages, *((self.chunks,) if self.chunks is not None else ()))

    @property
    def wants_markdown(self) -> bool:
        """Whether an output needs the pages' Markdown."""
        return self.markdown is not None or self.chunks is not None


def _as_addresses(value: Any) -> Any:
    return (value,) if isinstance(value, str) and not value.isalpha() else value


class CrawlSpec(Part):
    """A complete script."""

    name: str = ""
    """Name for reports and the job's folder."""
    start: Annotated[tuple[str, ...], Field(min_length=1)]
    """Start URLs, at least one."""
    sitemaps: Annotated[
        Literal["none", "robots"] | tuple[str, ...],
        BeforeValidator(_as_addresses, json_schema_input_type=Literal["none", "robots"] | str | tuple[str, ...]),
    ] = "none"
    """`robots`: those that robots.txt names (and /sitemap.xml); or URLs."""
    scope: Scope = Scope()
    """Which URLs belong to the crawl."""
    order: Order = "depth-first"
    """Crawl order."""
    best: str = ""
    """For best-first order: words of a relevant link, in its label or URL; phrases separated by commas."""
    driver: Driver = "auto"
    """`auto` reads pages that need no browser over HTTP, and renders the others."""
    concurrency: int = Field(4, ge=1, le=64)
    """Concurrent pages over all hosts."""
    polite: Polite = Polite()
    """How fast sites are crawled, and whether robots.txt is obeyed."""
    headers: dict[str, str] = Field(default_factory=dict)
    """Header fields for the hosts of the crawl, and no others; `${NAME}` is taken from the environment and never stored."""
    proxy: str = ""
    """`http://host:port` or `socks5://host:port`, through which everything is fetched; credentials before the host, as `${NAME}`."""
    login: Login | None = None
    """Login before the first page."""
    state_in: Path | None = None
    """File with the initial Playwright storage state."""
    state_out: Path | None = None
    """File for the final storage state."""
    pages: tuple[PageRule, ...] = ()
    """What is done on which pages."""
    press: bool = False
    """Press what is safe to press on pages without steps: buttons outside forms, summaries, tabs, links to places on the page. Nothing
    is sent meanwhile, and no form is submitted."""
    items: Literal["none", "auto"] = "none"
    """`auto`: detect repeated records on pages without item rules."""
    keep: tuple[Keep, ...] = ("links",)
    """Contents to keep of every page."""
    counter: Counting = Counting()
    """Stop condition besides the limits."""
    output: Output = Output()
    """Output files."""
    page_seconds: float = Field(20, gt=0)
    """Time limit of one page, without its steps."""
    page_bytes: int = Field(32 << 20, gt=0)
    """Most bytes of one response, decompressed."""
    page_elements: int = Field(1_000_000, gt=0)
    """Most elements of one document."""
    cut_after: int = Field(12, ge=0)
    """Pages of one branch without new content after which it is cut; 0 never cuts."""

    @property
    def field_names(self) -> tuple[str, ...]:
        """The fields that the rules name, in the order of the script."""
        names = (name for rule in self.pages for items in rule.items for name in items.fields)
        return tuple(dict.fromkeys(names))

    def keep_of(self, rules: Iterable[PageRule]) -> frozenset[Keep]:
        """Contents to keep of a page that these rules match."""
        implied: tuple[Keep, ...] = ("markdown",) if self.output.wants_markdown else ()
        keep = frozenset(self.keep).union(implied, *(rule.keep for rule in rules))
        return keep | {"pictures"} if "picture-text" in keep else keep
