"""The recording of a crawl: a run with the same events as that of a walk, so that every reader of runs can read it."""

from __future__ import annotations

import platform
import secrets
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

import msgspec

from memory.url_key import key_of
from traces.events import CounterMoved, PageFailed, PageOpened, WalkEnded, WalkStarted
from traces.manifest import RunManifest
from traces.redaction import Redactor
from traces.store.recorder import Recorder
from traces.store.run_files import LOG_NAME, SEAL_NAME
from walker.crawl.crawl_events import CrawlSink, PageDone
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.script.spec import CrawlSpec

FOLDER = "trace"
"""In the job's folder."""
_TOLD = ("order", "driver", "concurrency", "scope", "polite", "counter", "keep", "cut_after")


class CrawlRecord:
    """Implements `CrawlSink`: records events and forwards them. Recorded events survive kill -9; a resumed job continues the same
    run."""

    def __init__(
        self, folder: Path, spec: CrawlSpec, beyond: CrawlSink, *, items: int, hidden: tuple[str, ...]
    ) -> None:
        """`folder` is that of the run; `beyond` receives all events too; `items` is the number that the job has already; `hidden` are
        secrets to redact."""
        self._spec, self._beyond = spec, beyond
        redactor = Redactor(hidden, secrets.token_bytes(32)) if hidden else Redactor()
        is_new = not (folder / LOG_NAME).exists()
        if is_new:
            self._recorder = Recorder.create(folder, _manifest(spec), clock=time.time, redactor=redactor)
        else:
            (folder / SEAL_NAME).unlink(missing_ok=True)
            self._recorder = Recorder.resume(folder, clock=time.time, redactor=redactor)
        self._step = 0 if is_new else (folder / LOG_NAME).read_bytes().count(b"\n")
        self._items = items
        if is_new:
            self._recorder.emit(
                WalkStarted(
                    question=_title(spec),
                    root_url=spec.start[0],
                    language="",
                    requirement={"mode": spec.counter.mode, "target": spec.counter.target, "noun": ""},
                    settings=_settings(spec),
                )
            )

    def emit(self, event: PageDone) -> None:
        """Record one page."""
        self._step += 1
        if event.outcome in ("kept", "same"):
            opened = PageOpened(
                step=self._step,
                url=event.url,
                final_url=event.final_url or event.url,
                key=key_of(event.final_url or event.url),
                status=event.status,
                title=event.title,
            )
            self._recorder.emit(opened)
        else:
            self._recorder.emit(
                PageFailed(step=self._step, url=event.url, kind=event.outcome, message=event.why or event.outcome)
            )
        if event.items:
            self._items += event.items
            counter = self._spec.counter
            self._recorder.emit(
                CounterMoved(
                    step=self._step,
                    mode=counter.mode,
                    found=self._items,
                    target=counter.target,
                    added=(),
                    merged=(),
                    done=counter.mode == "quota" and self._items >= counter.target,
                    complete=False,
                )
            )
        self._beyond.emit(event)

    def end(self, report: CrawlReport) -> None:
        """Record the report, and close the recording."""
        self._recorder.emit(
            WalkEnded(
                step=self._step,
                stop_reason=report.stop_reason,
                answer=f"{report.pages} pages, {report.items} items",
                confidence=1.0 if report.stop_reason == "complete" else 0.0,
                items=(),
                citations=(),
                count={**msgspec.to_builtins(report), "found": report.items, "mode": self._spec.counter.mode},
                pages=report.pages,
                steps=self._step,
            )
        )
        self._recorder.seal(report.stop_reason, {"pages": report.pages, "steps": self._step})

    def close(self) -> None:
        """Stop recording; recorded events are kept."""
        self._recorder.close()


def record_folder(repetition: int) -> str:
    """Name of the folder of one crawl's recording: each repetition has its own."""
    return FOLDER if repetition == 1 else f"{FOLDER}-{repetition}"


def _manifest(spec: CrawlSpec) -> RunManifest:
    return RunManifest(
        run_id=secrets.token_hex(3),
        created=round(time.time(), 3),
        question=_title(spec),
        root_url=spec.start[0],
        package={"name": "gemwalker", "version": version("gemwalker")},
        settings=_settings(spec),
        env={"python": platform.python_version(), "os": platform.system(), "playwright": version("playwright")},
        record={"mode": "crawl", "network": "off", "durability": "process"},
    )


def _title(spec: CrawlSpec) -> str:
    return f"crawl of {spec.name or spec.start[0]}"


def _settings(spec: CrawlSpec) -> dict[str, Any]:
    """The settings of a script without secrets: steps and login are omitted."""
    return spec.model_dump(mode="json", include=set(_TOLD))
