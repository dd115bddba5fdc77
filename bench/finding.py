"""Prints what the built-in strategy answers, from which pages and how fast, without a scout and with one, in one run; and how often
a source page is among the first 5 and 20 hits of the first search of a walk.

usage: python bench/finding.py [--half HALF] [--only NAME,NAME] [--kinds KIND,KIND] [--jobs 2] [--mode both|leafing|scout]
       [--plain] [--sample N] [--list-failures] [--with OPTIONS]
Recorded walks go to bench/out/finding. With --plain the pages of static sites are opened over HTTP in place of a browser, one walk
after the other, without OCR: seconds are then of the processor.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.options import listed, parser_of, sites_of, write_results
from answers.question_set import KINDS, Question, Site, kinds_in
from answers.scoring import is_right
from answers.sites_here import ServedSite
from answers.slices import Scored, table_of
from answers.walks import Ended, Walk
from figures import print_figure

from memory.url_key import key_of
from perception.document.reading import observe
from perception.snapshot import Snapshot
from traces.events import PageOpened
from traces.reading.reader import read_run
from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.batch.predictions import prediction_of
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.browser.network.network_log import NetworkLog
from walker.recording.recorded_pages import load_page
from walker.seams.protocols import Browser
from walker.seams.searches import is_search
from walker.seams.task import Task
from walker.seams.web.borders import FoundSites
from walker.settings import Components, Settings

OUT = Path(__file__).parent / "out" / "finding"
MODES = {"leafing": ("--no-scout",), "scout": ()}
FEW, MANY = 5, 20


Asked = tuple[ServedSite, Question]


class Walked(msgspec.Struct, frozen=True, kw_only=True):
    """One question walked: what was answered, and how."""

    site: Site
    question: Question
    ended: Ended
    seconds: float
    is_cited: bool
    reached: int
    """Pages that were opened up to the first source page; 0 where none was."""
    place: int
    """Of the first source page among the first search's hits, from 1; 0 for none, or no search."""
    has_searched: bool

    @property
    def is_right(self) -> bool:
        """Whether the answer is right."""
        return is_right(self.question, self.ended)


class PlainResources(WalkResources):
    """Resources of walks whose browser is an HTTP client."""

    def _live_browser(self, task: Task, network: NetworkLog | None = None, found: FoundSites | None = None) -> Browser:
        del network, found
        return HttpBrowser(HttpClient(task.root_url), file_seconds=10.0)


def walked_plainly(asked: Sequence[Asked], mode: str) -> list[Walked]:
    """Ask every question of the static sites without a browser."""
    folder = OUT / f"{mode}-plain"
    shutil.rmtree(folder, ignore_errors=True)
    settings = Settings(
        runs_folder=folder,
        ocr="none",
        components=Components(vision=False),
        scout_pages=0 if mode == "leafing" else None,
        seed="finding",
    )
    return asyncio.run(_ask_plainly(asked, settings))


async def _ask_plainly(asked: Sequence[Asked], settings: Settings) -> list[Walked]:
    results = []
    async with PlainResources(settings) as resources:
        _ = resources.ranker
        for served, one in asked:
            if served.site.pages == "static":
                began = time.process_time()
                outcome = await ask_in(resources, served.address(one.root), one.text, language=one.lang)
                told = msgspec.to_builtins(prediction_of(one.id, outcome))
                told["usage"]["seconds"] = time.process_time() - began
                results.append(_walked(served, one, told))
    return results


def walked(mode: str, more: Sequence[str], asked: Sequence[Asked], jobs: int) -> list[Walked]:
    """Ask every question without a model, side by side in one browser."""
    folder = OUT / mode
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    lines = [
        msgspec.json.encode(Walk(id=one.id, question=one.text, root=served.address(one.root), lang=one.lang))
        for served, one in asked
    ]
    (folder / "questions.jsonl").write_bytes(b"\n".join(lines) + b"\n")
    out = folder / "answers.jsonl"
    command = [sys.executable, "-m", "walker", "ask", "--batch", str(folder / "questions.jsonl"), "--out", str(out)]
    command += ["--runs", str(folder / "runs"), "--jobs", str(jobs), "-q", *MODES[mode], *more]
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WALKER_", "OPENAI_"))}
    subprocess.run(command, check=False, env=kept, stderr=subprocess.DEVNULL)
    told = {line["id"]: line for line in map(msgspec.json.decode, out.read_bytes().splitlines())}
    return [_walked(served, one, told[one.id]) for served, one in asked]


def _walked(served: ServedSite, question: Question, told: dict[str, Any]) -> Walked:
    fields = {name: told[name] for name in Ended.__struct_fields__ if name in told}
    sources = {_key(served.address(source)) for source in question.sources}
    cited = {_key(citation["url"]) for citation in told.get("citations", ())}
    hits = first_hits(Path(told["trace"])) if told.get("trace") else None
    opened = pages_opened(Path(told["trace"])) if told.get("trace") else ()
    places = [place for place, url in enumerate(hits or (), start=1) if _key(url) in sources]
    return Walked(
        site=served.site,
        question=question,
        ended=msgspec.convert(fields, Ended),
        seconds=float((told.get("usage") or {}).get("seconds", 0.0)),
        is_cited=bool(sources & cited),
        reached=next((number for number, url in enumerate(opened, start=1) if _key(url) in sources), 0),
        place=min(places, default=0),
        has_searched=hits is not None,
    )


def pages_opened(trace: Path) -> tuple[str, ...]:
    """Addresses of the pages of the site that a recorded walk opened, in order."""
    events = read_run(trace).events
    return tuple(event.final_url for event in events if isinstance(event, PageOpened) and not is_search(event.url))


def first_hits(trace: Path) -> tuple[str, ...] | None:
    """Addresses on the first page of hits of a recorded walk, in order; None for a walk that did not search."""
    run = read_run(trace)
    for event in run.events:
        if getattr(event, "seam", "") == "browser" and is_search(str(getattr(event, "request", {}).get("url", ""))):
            page = load_page(event.outcome, run.blobs.get)  # type: ignore[union-attr]
            return tuple(link.url for link in observe(page).links) if isinstance(page, Snapshot) else ()
    return None


def _key(url: str) -> str:
    # Sites write addresses with marks encoded or not, as served_sites does; servers take both for the same file.
    return unquote(str(key_of(url.removesuffix("index.html"))))


def asked_of(sites: Sequence[ServedSite], kinds: Sequence[str], sample: int) -> list[Asked]:
    """The questions of these kinds; of each site so many at most, spread evenly over its file."""
    asked: list[Asked] = []
    for served in sites:
        fit = [one for one in served.questions if one.kind in kinds]
        count = min(sample, len(fit)) if sample else len(fit)
        asked += [(served, fit[place * len(fit) // count]) for place in range(count)]
    return asked


def report(mode: str, results: Sequence[Walked]) -> None:
    """The figures of one mode."""
    asked = [one for one in results if one.question.kind != "none"]
    print_figure(f"{mode}: right", round(_share([one.is_right for one in results]), 3), "share", "-", ok=True)
    share = _share([one.is_right for one in asked])
    print_figure(f"{mode}: right, of what the site answers", round(share, 3), "share", "-", ok=True)
    print_figure(f"{mode}: a source is cited", round(_share([one.is_cited for one in asked]), 3), "share", "-", ok=True)
    print_figure(
        f"{mode}: a source is opened", round(_share([one.reached > 0 for one in asked]), 3), "share", "-", ok=True
    )
    for most in (FEW, MANY):
        share = _share([0 < one.reached <= most for one in asked])
        print_figure(f"{mode}: a source is among the first {most} pages opened", round(share, 3), "share", "-", ok=True)
    pages, seconds = [one.ended.pages for one in results], [one.seconds for one in results]
    print_figure(f"{mode}: pages, median", statistics.median(pages), "pages", "-", ok=True)
    print_figure(f"{mode}: pages, mean", round(statistics.mean(pages), 1), "pages", "-", ok=True)
    print_figure(f"{mode}: seconds, median", round(statistics.median(seconds), 1), "s", "-", ok=True)
    print_figure(f"{mode}: seconds, mean", round(statistics.mean(seconds), 1), "s", "-", ok=True)
    searched = [one for one in asked if one.has_searched]
    if searched:
        for most in (FEW, MANY):
            share = _share([0 < one.place <= most for one in searched])
            name = f"{mode}: any source among the first {most} hits, {len(searched)} searches"
            print_figure(name, round(share, 3), "share", "-", ok=True)


def _share(values: Sequence[bool]) -> float:
    return sum(values) / len(values) if values else 0.0


def main() -> None:
    """Walk in each mode, print the tables, then the figures."""
    parser = parser_of(__doc__)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--mode", choices=("both", *MODES), default="both")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--plain", action="store_true")
    options = parser.parse_args()
    modes = tuple(MODES) if options.mode == "both" else (options.mode,)
    with sites_of(options) as sites:
        for mode in modes:
            began = time.monotonic()
            asked = asked_of(sites, kinds_in(options.kinds), options.sample)
            more = shlex.split(options.more)
            results = walked_plainly(asked, mode) if options.plain else walked(mode, more, asked, options.jobs)
            scored = [Scored(site=one.site, question=one.question, is_right=one.is_right) for one in results]
            sys.stderr.write("\n".join([mode, *table_of(scored)]) + "\n")
            write_results(options.results, scored)
            if options.list_failures:
                failures = [(one.site, _failure(one)) for one in results if not one.is_right]
                sys.stderr.write("\n".join(listed(failures)) + "\n")
            report(mode, results)
            print_figure(f"{mode}: wall time of all", round(time.monotonic() - began), "s", "-", ok=True)


def _failure(one: Walked) -> str:
    return (
        f"{one.question.id} {one.question.kind:10} place={one.place:<2} reached={one.reached:<2}"
        f" pages={one.ended.pages:<2} {one.seconds:5.1f}s cited={one.is_cited:d} {one.ended.stop_reason:10}"
        f" want {one.question.answer[:40]!r} got {one.ended.answer[:60]!r}"
    )


if __name__ == "__main__":
    main()
