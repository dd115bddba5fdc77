"""Pages with their pictures read, for questions about pictures: those of the building sites, and such as are drawn here.

Drawn pages have small print that OCR misreads, and pictures that do not say what is asked.
"""

from __future__ import annotations

import asyncio
import random
import sys
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.kept_pages import PageShelf
from answers.question_set import Question, read_questions
from answers.sites_here import ServedSite
from builtin_answers import KEPT
from drawn_pictures import drawn_page
from gate_pages import pictures as _archetypes  # noqa: F401 (enters the makers)
from gate_pages.archetype import GatePage, make_pages
from gate_pages.server import serve_pages
from looking import FURTHER
from looking_cost import walk_settings

from memory.findings import Findings
from memory.state import WalkMemory
from perception.observation import Observation
from tests.sites.pages_on_loopback import serve
from walker.assembly import WalkResources, make_rules, read_task
from walker.seams.protocols import Critic, Verdict
from walker.seams.task import Task
from walker.testing.fakes import EventList
from walker.walk.loop import walk

TEXTS = 4
"""Pages of text besides, of those that a search finds."""
MADE, LOT = "drawn: ", 108
SEEDS = (11,)


class ReadPages(msgspec.Struct, frozen=True, kw_only=True):
    """A question and the pages that were read for it."""

    id: str
    site: str
    """Of what is drawn the kind of drawing."""
    kind: str
    question: str
    language: str
    answer: str
    forms: tuple[str, ...]
    """Every form in which the answer is right."""
    source: Observation | None
    """The page of its answer with its pictures read; None where no page has it."""
    home: Observation | None = None
    texts: tuple[Observation, ...] = ()
    early: Observation | None = None
    """The page of the answer as its pictures were read first, where parts of them were enlarged then."""
    other: Observation | None = None
    """Another page of the site whose pictures were read for another question."""


class Keeping:
    """A critic that keeps the page as it read it: first with pictures, and last."""

    def __init__(self, critic: Critic) -> None:
        self._critic = critic
        self.page: Observation | None = None
        self.early: Observation | None = None

    async def find(self, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        """What the critic finds."""
        if self.early is None and observation.picture_lines:
            self.early = observation
        self.page = observation
        return await self._critic.find(task, observation, memory)

    async def judge(self, task: Task, memory: WalkMemory) -> Verdict:
        """What the critic says."""
        return await self._critic.judge(task, memory)


async def with_pictures_read(
    resources: WalkResources, address: str, asked: str, language: str
) -> tuple[Observation | None, Observation | None]:
    """The page of an address with its pictures read, those that the gate chooses and those that an unsure walk goes back to;
    and the same as its pictures were read first, None where that is the same."""
    task = read_task(address, asked, language)
    edges = resources.edges(task)
    keeping = Keeping(edges.critic)
    rules = msgspec.structs.replace(make_rules(task, walk_settings(1, may_look=True), resources), sure=1.0)
    try:
        await walk(task, msgspec.structs.replace(edges, critic=keeping), rules, EventList())
    finally:
        await edges.browser.close()
    page, early = keeping.page, keeping.early
    return page, early if page is not None and early is not None and early.picture_lines != page.picture_lines else None


async def pages_of_site(served: ServedSite, resources: WalkResources) -> list[ReadPages]:
    """What was read for the questions of a site about pictures, and for further ones about the text of pages with pictures."""
    asked = [one for one in served.questions if one.kind == "visual"]
    asked += [one for one in read_questions(FURTHER) if one.site == served.site.name]
    if not asked:
        return []
    shelf = PageShelf(served, KEPT)
    hits, read = shelf.found(), dict[str, Observation]()
    for one in asked:
        page, _ = await with_pictures_read(resources, served.address(one.sources[0]), one.text, one.lang)
        if page is not None:
            read[one.id] = page
    home = (await asyncio.to_thread(shelf.observed, [served.site.root])).get(served.site.root)
    found = []
    for one in asked:
        if one.id not in read:
            continue
        paths = [path for path in hits.get(one.id, ()) if path not in one.sources][:TEXTS]
        texts = await asyncio.to_thread(shelf.observed, paths)
        found.append(_read_pages(one, read, home, tuple(texts.values())))
    return found


def _read_pages(
    one: Question, read: dict[str, Observation], home: Observation | None, texts: tuple[Observation, ...]
) -> ReadPages:
    own = read[one.id]
    others = [page for page in read.values() if page.url != own.url and page.picture_lines]
    other = random.Random(one.id).sample(others, min(1, len(others)))
    return ReadPages(
        id=one.id,
        site=one.site,
        kind=one.kind,
        question=one.text,
        language=one.lang,
        answer=one.answer,
        forms=tuple(one.forms),
        source=own,
        home=home,
        texts=texts,
        other=other[0] if other else None,
    )


async def drawn_pages(resources: WalkResources) -> list[ReadPages]:
    """What was read for questions about drawn pages: each of its own page, and of one that does not answer."""
    read: list[ReadPages] = []
    made = [page for page in make_pages(SEEDS) if page.variant in ("pixels", "echo")]
    with serve_pages(made) as base:
        for at, page in enumerate(made):
            other = made[(at + 2) % len(made)]
            if other.archetype == page.archetype:
                other = made[(at + 5) % len(made)]
            own = await _drawn(resources, page, base + page.path)
            elsewhere = await _drawn(resources, page, base + other.path)
            read += [one for one in (own, msgspec.structs.replace(own, source=None, other=elsewhere.source)) if one]
    return read + await _lot_pages(resources)


async def _drawn(resources: WalkResources, page: GatePage, address: str) -> ReadPages:
    language = "zh" if any("一" <= sign <= "鿿" for sign in page.question) else "en"
    observation, early = await with_pictures_read(resources, address, page.question, language)
    return ReadPages(
        id=f"{page.archetype} {page.variant} {page.seed}",
        site=f"{MADE}{page.archetype}",
        kind="visual",
        question=page.question,
        language=language,
        answer=page.answer,
        forms=(page.answer,),
        source=observation,
        early=early,
    )


async def _lot_pages(resources: WalkResources) -> list[ReadPages]:
    read = []
    for seed in range(LOT):
        page = drawn_page(seed)
        with serve(page.files) as base:
            seen, early = await with_pictures_read(resources, base + "/page", page.question, "en")
        one = ReadPages(
            id=f"{page.kind} {seed}",
            site=f"{MADE}{page.kind}",
            kind="visual",
            question=page.question,
            language="en",
            answer=page.answer,
            forms=(page.answer,),
            source=seen if page.is_there else None,
            early=early if page.is_there else None,
            other=None if page.is_there else seen,
        )
        read.append(one)
    return read
