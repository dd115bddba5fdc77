"""Prints what each module of V-GEMS does for a model that errs: the development questions and the demo's, walked with each of
the eight settings of vision, URL stack and counter.

A SIMULATION: the model is bench/simulated_model.py over the real endpoint protocol, and pages come from the real sites without a
browser. It shows what the runtime does about errors, not how good a model is.
usage: python bench/modules.py [--questions N]
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import re
import statistics
import sys
import time
import urllib.error
import urllib.request
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
from figures import print_figure
from simulated_model import Known, Rates, SimulatedModel
from testbeds import FOLDER, SITES, serve_or_skip

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from traces.events import ActionRefused, PageOpened
from walker.assembly import WalkResources, make_rules, read_task
from walker.demo.questions import bundled_questions
from walker.demo.server import serve_institute
from walker.seams.outcome import Outcome
from walker.seams.protocols import PageFailure
from walker.settings import Components, Limits, ModelSettings, Settings
from walker.strategies.model.quotes import stands_on
from walker.testing.chat_server import Endpoint
from walker.testing.fakes import EventList
from walker.walk.loop import walk

PAGES = 20
SEED = 7


class PlainSite:
    """A `seams.Browser` that fetches pages without showing them; each address is fetched once in all walks."""

    async def open(self, url: str) -> Snapshot | PageFailure:
        """The page as its server sends it."""
        return fetch(url.partition("#")[0])

    async def act(self, move: Any) -> PageFailure:
        """Nothing can be pressed here."""
        return PageFailure(url="", kind="gone", message=f"{type(move).__name__}: the page is not shown")

    async def fetch_ahead(self, urls: tuple[str, ...]) -> None:
        """All is there at once."""

    async def see(self, **_: object) -> PageFailure:
        """Nothing is shown."""
        return PageFailure(url="", kind="other", message="a simulated page cannot be drawn")

    async def close(self) -> None:
        """Nothing is open."""


class PlainReader:
    """Reads each page once in all walks."""

    async def read(self, snapshot: Snapshot) -> Observation:
        """The observation of a snapshot."""
        return reading_of(snapshot)


@cache
def fetch(url: str) -> Snapshot | PageFailure:
    """One page."""
    try:
        with urllib.request.urlopen(url, timeout=10) as answer:
            kind = answer.headers.get_content_type()
            if kind != "text/html":
                return PageFailure(url=url, kind="not_a_page", message=f"it is no page ({kind})")
            html = answer.read().decode("utf-8", "replace")
            return Snapshot(url=url, final_url=answer.url, status=answer.status, html=html, fetched_at=1.0)
    except urllib.error.HTTPError as error:
        return Snapshot(url=url, final_url=url, status=error.code, html="<h1>Error</h1>", fetched_at=1.0)
    except OSError as error:
        return PageFailure(url=url, kind="other", message=str(error))


@cache
def reading_of(snapshot: Snapshot) -> Observation:
    """A page as it is read."""
    return observe(snapshot)


class Tally:
    """What came of the walks with one setting."""

    def __init__(self) -> None:
        self.right: list[bool] = []
        self.pages: list[int] = []
        self.tokens: list[int] = []
        self.loops = self.miscounts = self.invented = self.refused = 0

    def add(self, question: Known, outcome: Outcome, events: EventList, told: int | None) -> None:
        """Count one walk."""
        self.right.append(is_right(question, outcome))
        self.pages.append(outcome.pages)
        self.tokens.append(outcome.usage.total_tokens)
        opened = [event.key for event in events.events if isinstance(event, PageOpened)]
        self.loops += len(opened) - len(set(opened))
        self.refused += sum(isinstance(event, ActionRefused) for event in events.events)
        self.miscounts += is_miscounted(question, outcome, told)
        for citation in outcome.citations:
            page = fetch(citation.url.partition("#")[0])
            self.invented += isinstance(page, Snapshot) and not _stands(page, citation.quote, question)


def _stands(page: Snapshot, quote: str, question: Known) -> bool:
    return stands_on(reading_of(page), quote) or (bool(question.items) and quote in page.html)


def is_right(question: Known, outcome: Outcome) -> bool:
    """Whether the answer holds one of the accepted forms; of a list, as many right items as were asked for."""
    answer = _plain(outcome.answer)
    if question.wanted:
        given = {_plain(item) for item in (outcome.items or outcome.answer.split("; "))}
        return len(given & {_plain(item) for item in question.items}) >= question.wanted
    return any(
        re.search(rf"(?<![\w.]){re.escape(_plain(form))}(?!\w|\.\d)", answer) for form in question.answers if form
    )


def is_miscounted(question: Known, outcome: Outcome, told: int | None) -> bool:
    """Whether the number in the answer is not the number of the things behind it."""
    if not question.items or not outcome.answer:
        return False
    if outcome.items:
        number = re.search(r"\d+", outcome.answer) if not question.wanted else None
        return number is not None and int(number[0]) != len(outcome.items)
    return told is not None and told != (question.wanted or len(question.items))


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[\"'“”‘’`*_]", "", text).casefold().split())


def dev_questions() -> list[Known]:
    """The development questions, with whole addresses."""
    lines = (FOLDER / "qa_dev.jsonl").read_text().splitlines()
    return [
        Known(
            id=one["id"],
            kind=one["kind"],
            text=" ".join(one["question"].split()),
            language=one["lang"],
            root=SITES[one["site"]] + one["root"],
            sources=tuple(SITES[one["site"]] + source for source in one["sources"]),
            answers=(one["answer"], *one.get("accept", [])),
            items=tuple(one.get("items", ())),
            wanted=one.get("n", 0),
            evidence=tuple(one.get("evidence", ())),
        )
        for one in map(json.loads, filter(str.strip, lines))
    ]


def demo_questions(root: str) -> list[Known]:
    """The demo's own."""
    base = root.rsplit("/", 1)[0] + "/"
    return [
        Known(
            id=one.id,
            kind=one.kind,
            text=one.question,
            language=one.lang,
            root=root,
            sources=tuple(base + source.lstrip("/") for source in one.sources),
            answers=(one.answer, *one.accept),
            items=one.items,
            wanted=one.count,
        )
        for one in bundled_questions()
    ]


async def walk_all(questions: list[Known], components: Components) -> tuple[Tally, SimulatedModel]:
    """All questions with one setting."""
    tally, simulated = Tally(), SimulatedModel(tuple(questions), Rates(), SEED)
    async with Endpoint(simulated) as endpoint:
        model = ModelSettings(name="test-model", base_url=endpoint.base_url, fetch_ahead=0)
        settings = Settings(model=model, components=components, limits=Limits(pages=PAGES), seed="simulation")
        async with WalkResources(settings) as resources:
            for question in questions:
                task = read_task(question.root, question.text, question.language, counter=components.counter)
                edges = msgspec.structs.replace(resources.edges(task), browser=PlainSite(), reader=PlainReader())
                events = EventList()
                outcome = await walk(task, edges, make_rules(task, settings, resources), events)
                tally.add(question, outcome, events, simulated.told.get(question.id))
    return tally, simulated


async def main() -> None:
    """The eight settings, all modules first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--questions", type=int, default=0, help="only so many of the development questions")
    options = parser.parse_args()
    serve_or_skip()
    loops_with_stack = miscounts_with_counter = 0
    with serve_institute() as root:
        questions = (dev_questions()[: options.questions or None]) + demo_questions(root)
        for vision, stack, counter in itertools.product((True, False), repeat=3):
            began = time.perf_counter()
            tally, simulated = await walk_all(questions, Components(vision=vision, url_stack=stack, counter=counter))
            loops_with_stack += tally.loops if stack else 0
            miscounts_with_counter += tally.miscounts if counter else 0
            left = [name for name, on in (("vision", vision), ("stack", stack), ("counter", counter)) if on]
            value = {
                "success": round(sum(tally.right) / len(tally.right), 3),
                "pages": round(statistics.mean(tally.pages), 1),
                "tokens": round(statistics.mean(tally.tokens)),
                "pages opened again": tally.loops,
                "miscounts": tally.miscounts,
                "invented quotes cited": tally.invented,
                "refusals": tally.refused,
                "errors made": dict(simulated.erred),
                "seconds": round(time.perf_counter() - began),
            }
            print_figure(f"SIMULATED model with {' + '.join(left) or 'no module (WebWalker)'}", value, "", "", True)
    print_figure("SIMULATED: loops with the stack", loops_with_stack, "pages", "0", loops_with_stack == 0)
    print_figure(
        "SIMULATED: miscounts with the counter", miscounts_with_counter, "answers", "0", miscounts_with_counter == 0
    )


if __name__ == "__main__":
    asyncio.run(main())
