"""Browser replay (L2): a real Chromium gets the recorded responses, repeats the walk's operations, and the pages are compared."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any

import msgspec
from rapidfuzz import fuzz

from perception.document.reading import observe
from perception.element_map import View
from perception.geometry import Box
from perception.images.image import hash_distance
from perception.snapshot import Snapshot
from traces.compare.matching import Certificate, Rung
from traces.errors import TraceReadError
from traces.events import EdgeCall, NetworkExchanged, ReplayWarning
from traces.reading.reader import Run
from traces.reading.streams import read_streams
from traces.replay_warnings import replay_warnings_of
from traces.store.blobs import BlobRef
from traces.store.mirror import address_of
from walker.assembly import WalkResources
from walker.browser.network.recorded_network import RecordedNetwork
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.errors import UsageError
from walker.recording.recorded_pages import load_page, load_view
from walker.run_setup import restored_settings
from walker.runs.recorded_run import open_run
from walker.seams.actions import Operate
from walker.seams.protocols import PageFailure
from walker.seams.searches import is_own_page
from walker.seams.web.exchange import RECORDED_FIELDS, Exchange
from walker.settings import Settings

PRINT_BITS = 6
"""Bits of 64 in which the perceptual hashes of two pictures of the same thing may differ."""
COMPARED_CHARS = 200_000


class PageFidelity(msgspec.Struct, frozen=True, kw_only=True):
    """The result of one repeated browser call."""

    step: int
    method: str
    url: str
    rung: Rung
    alike: float
    """Share of the markup or of the picture that is the same, 0..1."""
    note: str = ""


class BrowserReplay(msgspec.Struct, frozen=True, kw_only=True):
    """What the browser showed when it was served from the recording."""

    run: str
    pages: tuple[PageFidelity, ...]
    certificate: Certificate
    served: int
    repeated: int
    """Responses served more often than they were recorded."""
    unrecorded: tuple[str, ...]
    """Requests that are not in the recording; they were refused."""
    lost: tuple[str, ...] = ()
    """Responses whose recorded body is damaged or missing."""
    doubts: tuple[ReplayWarning, ...] = ()
    """Replay warnings from the recording."""


async def replay_in_browser(folder: Path, settings: Settings, *, last_step: int | None = None) -> BrowserReplay:
    """Repeat every recorded browser call, up to a step, without network access.

    Raises `UsageError` where the run was recorded without its network.
    """
    run = open_run(folder)
    exchanges, lost = recorded_exchanges(run)
    if not exchanges:
        raise UsageError("its network was not recorded", where=str(folder), advice="Ask again with --record network")
    streams, streams_lost = read_streams(run)
    pinned_at = restored_settings(run.manifest.settings, Settings()).pinned_at
    network = RecordedNetwork(exchanges, streams, pinned_at=pinned_at)
    pages: list[PageFidelity] = []
    async with WalkResources(settings) as resources:
        browser = resources.recorded_browser(network)
        try:
            for call in run.events:
                if not isinstance(call, EdgeCall) or call.seam != "browser" or call.error:
                    continue
                if is_own_page(str(call.request.get("url", ""))):
                    continue  # no browser has made a page of our own
                if last_step is None or call.step <= last_step:
                    if call.method == "act":
                        network.advance()
                    pages.append(await _again(browser, call, run))
        finally:
            await browser.close()
    count = {rung: sum(page.rung == rung for page in pages) for rung in ("exact", "minor", "major")}
    return BrowserReplay(
        run=address_of(folder),
        pages=tuple(pages),
        certificate=Certificate(**count, unrecorded=len(network.unrecorded)),
        served=network.served,
        repeated=network.repeated,
        unrecorded=tuple(dict.fromkeys(network.unrecorded)),
        lost=(*lost, *streams_lost),
        doubts=tuple(doubt for doubt in replay_warnings_of(run.events) if last_step is None or doubt.step <= last_step),
    )


def recorded_exchanges(run: Run) -> tuple[tuple[Exchange, ...], tuple[str, ...]]:
    """The recorded traffic of a run, and the URLs whose bodies are damaged or missing."""
    store, lost = run.blobs, []
    kept: list[Exchange] = []
    for event in run.events:
        if not isinstance(event, NetworkExchanged):
            continue
        bodies: dict[str, Any] = {}
        try:
            for name in ("request_body", "body"):
                ref = getattr(event, name)
                bodies[name] = store.get(msgspec.convert(ref, BlobRef)) if ref is not None else b""
        except TraceReadError as error:
            lost.append(f"{event.url}: {error.what}")
            continue
        fields = {name: getattr(event, name) for name in RECORDED_FIELDS}
        asked, given = tuple(event.request_headers.items()), tuple(event.headers.items())
        kept.append(Exchange(**fields, **bodies, request_headers=asked, headers=given))
    return tuple(kept), tuple(lost)


async def _again(browser: PlaywrightBrowser, call: EdgeCall, run: Run) -> PageFidelity:
    url = str(call.request.get("url", ""))
    try:
        if call.method == "see":
            recorded: Any = load_view(call.outcome, run.blobs.get)
            box = msgspec.convert(call.request["box"], Box | None)
            got: Any = await browser.see(whole=call.request["whole"], box=box, scale=call.request["scale"])
            rung, alike, note = _compare_views(recorded, got)
        else:
            recorded = load_page(call.outcome, run.blobs.get)
            if call.method == "act":
                got = await browser.act(msgspec.convert(call.request["move"], Operate))
            else:
                # Playwright follows redirects without asking the routes, so the final URL is opened.
                moved = isinstance(recorded, Snapshot) and bool(recorded.redirects)
                got = await browser.open(recorded.final_url if moved else url)
            rung, alike, note = _compare_pages(recorded, got)
    except TraceReadError as error:
        rung, alike, note = "major", 0.0, error.what
    return PageFidelity(step=call.step, method=call.method, url=url, rung=rung, alike=alike, note=note)


def _compare_pages(recorded: Snapshot | PageFailure, got: Snapshot | PageFailure) -> tuple[Rung, float, str]:
    if isinstance(recorded, PageFailure) or isinstance(got, PageFailure):
        kinds = [one.kind if isinstance(one, PageFailure) else "a page" for one in (recorded, got)]
        return ("exact", 1.0, "") if kinds[0] == kinds[1] else ("major", 0.0, f"{kinds[0]} then, {kinds[1]} now")
    if recorded.html == got.html and recorded.status == got.status:
        return "exact", 1.0, ""
    if recorded.status != got.status:
        return "major", 0.0, f"status {recorded.status} then, {got.status} now"
    alike = round(fuzz.ratio(recorded.html[:COMPARED_CHARS], got.html[:COMPARED_CHARS]) / 100, 4)
    if _text(recorded) == _text(got):
        return "minor", alike, "the text is the same, the markup is not"
    return "major", alike, "the text differs"


def _compare_views(recorded: View | PageFailure, got: View | PageFailure) -> tuple[Rung, float, str]:
    if isinstance(recorded, PageFailure) or isinstance(got, PageFailure):
        same = isinstance(recorded, PageFailure) and isinstance(got, PageFailure)
        return ("exact", 1.0, "") if same else ("major", 0.0, "only one of them has a screenshot")
    if hashlib.sha256(recorded.picture).digest() == hashlib.sha256(got.picture).digest():
        return "exact", 1.0, ""
    if recorded.prints and len(recorded.prints) == len(got.prints):
        apart = max(hash_distance(one, other) for one, other in zip(recorded.prints, got.prints, strict=True))
        alike = round(1 - apart / 64, 4)
        return ("minor" if apart <= PRINT_BITS else "major"), alike, "the screenshots differ in pixels"
    return "major", 0.0, "the screenshots differ in size"


def _text(page: Snapshot) -> str:
    return re.sub(r"\s+", " ", " ".join(block.text for block in observe(page).blocks))
