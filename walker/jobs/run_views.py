"""Recorded runs and crawls for a client, by their ids: never by a path."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import msgspec

from memory.url_key import key_of
from perception.images.image import decode_picture, encode_picture
from perception.snapshot import Snapshot
from traces.compare.diff import WalkDiff
from traces.export.recorded_pages import RecordedPage, read_pages
from traces.reading.reader import Run
from traces.reading.steps import Step, walk_of
from walker.errors import UsageError
from walker.jobs.one_page import markdown_of
from walker.runs.answer_reasons import reasons_of
from walker.runs.compare import diff_runs
from walker.runs.recorded_run import open_run
from walker.runs.verification import Verification, verify_run

View = Literal["steps", "why", "diff", "verify"]
_ID = re.compile(r"[\w-][\w.-]{0,199}")
LINES_SHOWN = 200
MOST_BYTES = 1 << 20
"""Of the items of a crawl in one resource."""


class RunViews:
    """The recorded runs and crawls of a server."""

    def __init__(self, runs: Path, crawls: Path) -> None:
        self._runs, self._crawls = runs, crawls

    async def view(self, name: str, view: View, other: str) -> list[str]:
        """A run in lines. Raises `UsageError` where there is no such run."""
        folder = self._folder(name)
        match view:
            case "steps":
                lines = [_step_line(step) for step in walk_of(open_run(folder), key_of).steps]
            case "why":
                lines = list(reasons_of(open_run(folder)).lines())
            case "diff" if not other:
                raise UsageError("nothing to compare with", where=name, advice="Name the second run: other=ID")
            case "diff":
                lines = _diff_lines(diff_runs(folder, self._folder(other)))
            case "verify":
                lines = _verify_lines(await verify_run(folder))
        return lines[:LINES_SHOWN]

    def summary(self, name: str) -> dict[str, Any]:
        """Question, answer, citations and stop reason of a run; what a walk was not sure of is the nearest, and no answer."""
        run = self._run(name)
        walk = walk_of(run, key_of)
        named = ("answer", "confidence", "citations", "stop_reason", "pages")
        end = {key: walk.end[key] for key in named if key in walk.end}
        if end.get("answer") and end.get("confidence", 0.0) < run.manifest.sure:
            end |= {"answer": "", "nearest": end["answer"]}
        return {"run": name, "question": run.manifest.question, "root": run.manifest.root_url, **end}

    def steps(self, name: str) -> list[dict[str, Any]]:
        """Each step of a run with the events of its stages."""
        steps = walk_of(self._run(name), key_of).steps
        return [{"number": step.number, "url": step.url, "stages": step.stages} for step in steps]

    def page(self, name: str, number: int) -> str:
        """The page of a step as Markdown."""
        page = self._page(name, number)
        html = page.html.decode("utf-8", "replace")
        return markdown_of(Snapshot(url=page.url, final_url=page.final_url, status=page.status, html=html))

    def picture(self, name: str, number: int) -> bytes:
        """The last screenshot that was recorded of the page of a step, PNG or lossless WebP."""
        pictures = self._page(name, number).pictures
        if not pictures:
            raise UsageError(
                "no picture was recorded of this page",
                where=name,
                advice="walker mcp records them with --pictures, walker serve without --no-pictures",
            )
        return pictures[-1].data

    def png(self, name: str, number: int) -> bytes:
        """The same screenshot as PNG, which every client shows."""
        return encode_picture(decode_picture(self.picture(name, number)))

    def records(self, name: str, file: Literal["items.jsonl", "pages.jsonl"]) -> bytes:
        """What a crawl has written, whole lines of at most a mebibyte."""
        path = self._within(self._crawls, name) / file
        try:
            with path.open("rb") as opened:
                data = opened.read(MOST_BYTES + 1)
        except OSError:
            raise UsageError("the crawl has written no such file", where=f"{name}/{file}") from None
        return data if len(data) <= MOST_BYTES else data[: data.rfind(b"\n", 0, MOST_BYTES) + 1]

    def _page(self, name: str, number: int) -> RecordedPage:
        run = self._run(name)
        pages = [one for one in read_pages(run).pages if one.step == number and one.html]
        if not pages:
            raise UsageError(f"it has no page {number}", where=name, advice="Pages have the numbers of their steps")
        # Others were read beside it in the same step, for searches.
        own = next((step.url for step in walk_of(run, key_of).steps if step.number == number), "")
        return next((one for one in reversed(pages) if one.url == own), pages[-1])

    def _run(self, name: str) -> Run:
        return open_run(self._folder(name))

    def _folder(self, name: str) -> Path:
        return self._within(self._runs, name)

    @staticmethod
    def _within(parent: Path, name: str) -> Path:
        if not _ID.fullmatch(name) or not (parent / name).is_dir():
            raise UsageError("there is no such run or crawl", where=name[:60], advice="Give an id that a tool returned")
        return parent / name


def _step_line(step: Step) -> str:
    page, move = step.last("page"), step.last("move")
    what = page.get("title") or page.get("message") or ""
    found = sum(len(fields.get("findings", ())) for fields in step.stages.get("findings", ()))
    chosen = " ".join(str(move[name]) for name in ("action", "label", "url", "reason") if move.get(name))
    return f"{step.number}. {step.url} {what!r}: {found} findings; then {chosen or 'the end'}"[:400]


def _diff_lines(diff: WalkDiff) -> list[str]:
    if diff.is_equal:
        return [f"equal: {len(diff.pairs)} steps"]
    settings = [f"setting {one.field}: {one.expected!r} | {one.got!r}" for one in diff.settings]
    chain = [f"{one.stage} {one.field}: {one.one!r} | {one.other!r}"[:400] for one in diff.chain]
    end = [f"end {one.field}: {one.expected!r} | {one.got!r}"[:400] for one in diff.end]
    return [*settings, *(f"{'because ' if place else 'first: '}{line}" for place, line in enumerate(chain)), *end]


def _verify_lines(result: Verification) -> list[str]:
    told = [result.departure.told] if result.departure is not None else []
    state = "equal" if result.is_equal else "DIFFERS" if told else "DAMAGED"
    return [f"{state}: {result.events} events, {result.calls} calls", *told, *result.problems, *result.notes]


def as_json(value: Any) -> str:
    """A value as JSON text."""
    return msgspec.json.encode(value).decode()
