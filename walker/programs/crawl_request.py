"""A crawl as a person asks for it: an address or a script, and options by the names of the flags of `walker crawl`."""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, TypedDict

import msgspec

from walker.crawl.job.shared.postgres_base import is_postgres, job_of
from walker.crawl.job_records import Order
from walker.crawl.script.script_yaml import Location
from walker.crawl.script.spec import CrawlSpec, Driver, Keep
from walker.crawl.script.spec_loader import ENDINGS, CrawlScript, amended, read_script, spec_of_root
from walker.errors import UsageError
from walker.settings import BrowserKind

JOBS = Path("crawls")
"""Where a job's folder is made if none is named."""


class CrawlOptions(TypedDict, total=False):
    """What may be set of a crawl by name; `walker crawl --help` says what each does. They override the script."""

    max_pages: int
    max_items: int
    max_depth: int
    max_seconds: float
    path: str
    include: Collection[str]
    exclude: Collection[str]
    order: Order
    best: str
    driver: Driver
    concurrency: int
    delay: float
    ignore_robots: bool
    no_probe: bool
    contact: str
    header: Mapping[str, str]
    """For the hosts of the crawl only."""
    proxy: str
    state: str | Path | None
    """A file with cookies and local storage, as Playwright writes it."""
    profile: str
    """Name of a saved login (`walker login`)."""
    profile_key: str
    """What it is encrypted with."""
    sitemaps: bool
    keep: Collection[Keep]
    find_items: bool
    press: bool
    out: Collection[str | Path]
    out_pages: Collection[str | Path]
    warc: str | Path
    markdown: str | Path
    chunks: str | Path
    job: str | Path | None
    fresh: bool
    again: bool
    browser: BrowserKind | None
    changed_only: bool
    library: str | Path | None
    environment: Mapping[str, str]
    """Values of `${NAME}` in a script; on the command line, those of the environment."""


_SAME = ("order", "best", "driver", "concurrency", "keep", "press", "proxy")
_SCOPE = {"max_pages": "pages", "max_depth": "depth", "max_seconds": "seconds"} | {
    name: name for name in ("path", "include", "exclude")
}
_OUTPUT = {"out": "items", "out_pages": "pages"} | {
    name: name for name in ("warc", "markdown", "chunks", "changed_only")
}
_PLACES: Mapping[str, Location] = (
    {name: (name,) for name in _SAME}
    | {name: ("scope", key) for name, key in _SCOPE.items()}
    | {name: ("output", key) for name, key in _OUTPUT.items()}
    | {"header": ("headers",), "delay": ("polite", "delay"), "contact": ("polite", "contact")}
    | {"max_items": ("counter",), "find_items": ("items",), "sitemaps": ("sitemaps",)}
)
"""Where in a script each option is set."""


def requested_script(
    start: str | CrawlSpec,
    options: Mapping[str, Any],
    environment: Mapping[str, str] | None = None,
    *,
    called: Callable[[str], str] = str,
) -> CrawlScript:
    """The script of a crawl: of an address, of a file, or as it is given, with the options over it. `environment` has the values of
    `${NAME}`; without it variables are not looked up. `called`: what an option is called where it was given, for messages. Raises
    `UsageError`."""
    for name in options:
        if name not in CrawlOptions.__annotations__:
            near = difflib.get_close_matches(name, CrawlOptions.__annotations__, n=1)
            raise UsageError(f"there is no option {name}", advice=f"Did you mean {near[0]}?" if near else "")
    changes = _changes(options)
    named = {place: called(name) for name, place in _PLACES.items() if _is_given(options.get(name))}
    if isinstance(start, CrawlSpec):
        return CrawlScript(spec=amended(start, changes, named=named) if changes else start)
    is_file = "://" not in start and (start.endswith(ENDINGS) or Path(start).exists())
    if not is_file:
        if "items" in changes.get("output", {}):
            # Whoever names a file for items wants some, and no rule says what they are.
            changes.setdefault("items", "auto")
        return CrawlScript(spec=spec_of_root(start, named=named, **changes))
    read = read_script(Path(start), environment)
    return msgspec.structs.replace(read, spec=amended(read.spec, changes, named=named)) if changes else read


def job_folder(script: CrawlScript) -> Path:
    """The folder of a job that names none: by the name of its script, else by its address."""
    words = script.spec.name or re.sub(r"^\w+://", "", script.spec.start[0])
    return JOBS / (re.sub(r"[^\w.-]+", "-", words).strip("-.")[:60] or "crawl")


def job_place(job: str | Path | None, script: CrawlScript) -> tuple[Path, str]:
    """The folder of a job, and its address where it lies in a database ("" where it does not). Raises `UsageError`."""
    if job is not None and is_postgres(job):
        return JOBS / job_of(str(job))[1], str(job)
    if job is not None and "://" in str(job):
        raise UsageError(
            "a job lies in a folder or in Postgres",
            where=f"--job {str(job).partition('://')[0]}://...",
            advice="Name a folder, or postgresql://HOST/DATABASE?job=NAME",
        )
    return Path(job) if job else job_folder(script), ""


def _is_given(value: object) -> bool:
    return value not in (None, (), [], {}, False, "")


def _changes(options: Mapping[str, Any]) -> dict[str, Any]:
    """The options that were given, as keys of a script."""
    given = {name: value for name, value in options.items() if _is_given(value)}
    changes: dict[str, Any] = {name: given[name] for name in _SAME if name in given}
    if "header" in given:
        changes["headers"] = dict(given["header"])
    polite: dict[str, Any] = {name: given[name] for name in ("delay", "contact") if name in given}
    if "ignore_robots" in given:
        polite["robots"] = False
    if "no_probe" in given:
        polite["probe"] = False
    parts = {
        "scope": {key: given[name] for name, key in _SCOPE.items() if name in given},
        "polite": polite,
        "output": {key: given[name] for name, key in _OUTPUT.items() if name in given},
    }
    changes |= {name: part for name, part in parts.items() if part}
    if "max_items" in given:
        changes["counter"] = {"mode": "quota", "target": given["max_items"]}
    if "find_items" in given:
        changes["items"] = "auto"
    if "sitemaps" in given:
        changes["sitemaps"] = "robots"
    return changes
