"""One page of an extraction: opened, read by code, by a model for what code left, and drawn for the places of what was found."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from memory.url_key import key_or
from perception.document.visible import visible_text
from perception.observation import Block, Observation
from traces.events import FieldsExtracted
from walker.errors import BudgetSpent, TimeSpent
from walker.extraction.filled import flat_fields
from walker.extraction.page_merging import combined
from walker.extraction.page_reading import ReadPage, read_page
from walker.extraction.quote_boxes import wants_boxes, with_boxes
from walker.extraction.references import LINE_CHARS, ExtractReply, ShownPlaces, shown_places, take_fields, take_records
from walker.extraction.schemas.wanted import Wanted, WantedObject, records_of, told_schema
from walker.models.token_count import count_tokens
from walker.rules.viability import reject_by_structure
from walker.seams.outcome import StopReason
from walker.seams.protocols import PageFailure
from walker.seams.web.handover import Obstacle, Passed
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply
from walker.walk.arrival import get_past
from walker.walk.walk_events import handed_over, page_failed, page_observed, page_opened, page_rejected
from walker.workflows.workflow_run import WorkflowRun

MOST_LINKS = 120
"""Links that a model is shown."""
LINK_SHARE = 0.25
"""Of a page's tokens, for its links."""

_KEPT_OUT = {"challenge page": StopReason.BLOCKED, "login wall": StopReason.NEEDS_LOGIN}


class Visited(msgspec.Struct, frozen=True, kw_only=True):
    """A page that was read."""

    observation: Observation
    page: ReadPage
    open: tuple[int, ...] = ()
    """Numbers of the links that a model would open next."""


class PageExtractor:
    """Reads the pages of one run."""

    def __init__(self, run: WorkflowRun, wanted: Wanted, talk: ModelTalk | None) -> None:
        self._run, self._wanted, self._talk = run, wanted, talk
        self._first = self._last = 0.0
        self.opened = 0
        self.is_over = False
        """Whether the time was over while a model was asked."""
        self.failures: list[str] = []
        self.kept_out: StopReason | None = None
        """Where a check page or a login kept the last page closed that was."""
        self.refused: tuple[str, ...] = ()

    @property
    def elapsed(self) -> float:
        """Seconds between the first page and the latest."""
        return self._last - self._first

    async def visit(self, url: str, reason: str, *, missing: Sequence[str]) -> Visited | None:
        """What a page gives; None for one that fails, or is no page to read."""
        run, edges = self._run, self._run.edges
        assert edges.browser is not None and edges.reader is not None, "an extraction has a browser"  # noqa: PT018
        run.go_to(url, reason)
        self.opened += 1
        opened = await edges.browser.open(url)
        opened = await get_past(edges.browser, edges.reader, edges.handover, opened, self._tell_handover)
        if isinstance(opened, PageFailure):
            self.failures.append(opened.message)
            run.emit(page_failed(run.step, opened))
            return None
        self._first = self._first or opened.fetched_at
        self._last = max(self._last, opened.fetched_at)
        run.emit(page_opened(run.step, opened, key_or(opened.final_url, opened.final_url)))
        observation = await edges.reader.read(opened)
        run.emit(page_observed(run.step, observation))
        rejection = reject_by_structure(observation)
        if rejection is not None:
            is_status = rejection.reason == "http error"
            why = f"the server answered with {rejection.detail}" if is_status else f"the page is a {rejection.reason}"
            self.failures.append(why)
            self.kept_out = _KEPT_OUT.get(rejection.reason, self.kept_out)
            run.emit(page_rejected(run.step, observation.url, rejection))
            return None
        run.seen[observation.url] = None
        page = read_page(opened, observation, self._wanted, self._likeness, run.task.question)
        page, links = await self._with_model(page, observation, missing)
        page = await self._drawn(page)
        self._tell(page)
        return Visited(observation=observation, page=page, open=links)

    def _tell_handover(self, obstacle: Obstacle, passed: Passed) -> None:
        self._run.emit(handed_over(self._run.step, obstacle, passed))

    async def search(self, address: str) -> Observation | None:
        """The page of hits of a search of the site, None where it cannot be had."""
        run, edges = self._run, self._run.edges
        assert edges.browser is not None and edges.reader is not None, "an extraction has a browser"  # noqa: PT018
        run.go_to(address, "what the site has on this")
        opened = await edges.browser.open(address)
        if isinstance(opened, PageFailure):
            run.emit(page_failed(run.step, opened))
            return None
        run.emit(page_opened(run.step, opened, key_or(opened.final_url, opened.final_url)))
        observation = await edges.reader.read(opened)
        run.emit(page_observed(run.step, observation))
        return observation

    def _likeness(self, text: str, texts: Sequence[str]) -> Sequence[float]:
        return self._run.edges.ranker.similarities(text, texts)

    async def _with_model(
        self, page: ReadPage, observation: Observation, missing: Sequence[str]
    ) -> tuple[ReadPage, tuple[int, ...]]:
        """The page with what a model finds besides; it is asked only where code has left something open."""
        listed = records_of(self._wanted)
        open_paths = [path for path, one in flat_fields(page.filled) if one.value is None]
        if self._talk is None or (listed is not None and page.filled) or (listed is None and not open_paths):
            return page, ()
        still = [path for path in open_paths if not missing or path in missing]
        shown: ShownPlaces | None = None

        def build(tokens: int) -> dict[str, object]:
            nonlocal shown
            values, shown = self._prompt(observation, tokens, still)
            return values

        language, step = self._run.task.language, self._run.step
        try:
            reply = await self._talk.ask("extract", language, step, build, ExtractReply, lambda one: one)
        except NoUsableReply as error:
            self.refused += (f"the model gave no usable reply: {error}",)
            return page, ()
        except BudgetSpent as error:
            self.refused += (f"the model is asked no more: {error}",)
            self._talk, self.is_over = None, isinstance(error, TimeSpent)
            return page, ()
        assert shown is not None, "a prompt was built before it was sent"
        if listed is not None:
            taken = take_records(reply.records, listed.record, shown)
            filled: Any = taken.filled
        else:
            assert isinstance(self._wanted, WantedObject), "a schema is an object or a list of objects"
            taken = take_fields(reply.fields, self._wanted, shown)
            filled = combined(page.filled, taken.filled)
        self.refused += taken.refused
        links = tuple(number for number in reply.open[:3] if number in shown.links)
        return msgspec.structs.replace(page, filled=filled), links

    def _prompt(
        self, observation: Observation, tokens: int, still: Sequence[str]
    ) -> tuple[dict[str, object], ShownPlaces]:
        links = {link.id: link for link in observation.links if not link.hidden or link.opener}
        told_links: list[str] = []
        left = int(tokens * LINK_SHARE)
        for link in list(links.values())[:MOST_LINKS]:
            line = f"[{link.id}] {visible_text(link.label)[:80]}"
            left -= count_tokens(line)
            if left < 0:
                break
            told_links.append(line)
        kept = {number: links[number] for number in list(links)[: len(told_links)]}
        places = _places(observation, tokens - int(tokens * LINK_SHARE))
        listed = records_of(self._wanted)
        values: dict[str, object] = {
            "question": self._run.task.question,
            "many": "Every record of a list, each by this" if listed is not None else "One thing, by this",
            "schema": told_schema(listed.record if listed is not None else self._wanted),
            "missing": ", ".join(still[:40]),
            "url": observation.url,
            "title": visible_text(observation.title),
            "places": "\n".join(f"[{number}] {text}" for number, text in places.items()),
            "links": "\n".join(told_links),
        }
        return values, shown_places(observation, places, kept)

    async def _drawn(self, page: ReadPage) -> ReadPage:
        """The page with the boxes of what was found, where pages are drawn."""
        extraction, browser = self._run.settings.extraction, self._run.edges.browser
        if extraction is None or not extraction.boxes or browser is None or not wants_boxes(page.filled):
            return page
        view = await browser.see(whole=True)
        if isinstance(view, PageFailure):
            return page
        return msgspec.structs.replace(page, filled=with_boxes(page.filled, view.map))

    def _tell(self, page: ReadPage) -> None:
        fields = tuple({"path": path, **msgspec.to_builtins(one)} for path, one in flat_fields(page.filled))
        count = len(page.filled) if isinstance(page.filled, list) else 0
        self._run.emit(
            FieldsExtracted(step=self._run.step, url=page.url, fields=fields, records=count, refused=self.refused)
        )


def _places(observation: Observation, tokens: int) -> dict[int, str]:
    """The lines of a page by number, as many as fit; those of the main part before those around it."""
    blocks = [block for block in observation.blocks if not block.hidden and block.text]
    chosen: dict[int, str] = {}
    for block in sorted(blocks, key=_around):
        text = _line(block)
        tokens -= count_tokens(text) + 4
        if tokens < 0 and chosen:
            break
        chosen[block.id] = text
    return dict(sorted(chosen.items()))


def _line(block: Block) -> str:
    """A line as a model sees it; the names of a row's columns are not part of what may be quoted."""
    return visible_text(block.text)[:LINE_CHARS]


def _around(block: Block) -> bool:
    return block.region in ("nav", "header", "footer")
