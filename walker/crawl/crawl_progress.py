"""Progress display of a crawl: pages done, speed, queue length, failures, and remaining time."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable
from types import TracebackType

from rich.console import Console, Group
from rich.live import Live
from rich.text import Text

from perception.document.visible import shortened_address
from walker.crawl.crawl_events import PageDone
from walker.crawl.job.stored_job import StoredJob
from walker.crawl.output.early.early_records import told_of_the_end
from walker.crawl.script.spec import CrawlSpec

RECENT_SECONDS = 15.0
LINE_EVERY_SECONDS = 5.0
URL_CHARS = 78
_STYLES = {"kept": "green", "same": "dim", "alias": "dim", "failed": "red", "skipped": "yellow", "later": "yellow"}


class CrawlDisplay:
    """Implements `CrawlSink`. On a terminal a live panel; elsewhere a line every few seconds; with `verbose` a line per page."""

    def __init__(
        self, spec: CrawlSpec, console: Console, *, verbose: bool = False, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._spec, self._console, self._verbose, self._clock = spec, console, verbose, clock
        self._store: StoredJob | None = None
        self._recent: deque[float] = deque()
        self._errors: Counter[str] = Counter()
        self._last = ""
        self._told = self._started = clock()
        self._live: Live | None = None

    def __enter__(self) -> CrawlDisplay:
        if self._console.is_terminal and not self._console.quiet:
            self._live = Live(console=self._console, get_renderable=self._panel, refresh_per_second=4, transient=True)
            self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._live is not None:
            self._live.stop()

    def watch(self, store: StoredJob) -> None:
        """Show the numbers of this job."""
        self._store = store
        output = self._spec.output
        folders = () if output.markdown is None else (output.markdown,)
        if told := told_of_the_end((*output.destinations, *folders), is_repetition=store.repetition > 1):
            self._console.print(told, style="dim", markup=False, highlight=False)
        if store.repetition > 1 and not store.done:
            self._console.print(f"crawl {store.repetition} of this job", style="bold")
        if store.done or store.items:
            self._console.print(
                f"resuming: {store.done} pages done, {store.waiting} waiting, {store.items} items", style="bold"
            )

    def emit(self, event: PageDone) -> None:
        """Report a finished page."""
        now = self._clock()
        if event.outcome in ("kept", "same"):
            self._recent.append(now)
        if event.outcome in ("failed", "later"):
            self._errors[event.why.partition(":")[0]] += 1
        self._last = event.url
        if event.cut:
            self._console.print(Text(f"dropped {event.cut} waiting pages: {event.why}", style="yellow"))
        if self._verbose:
            self._console.print(_line_of(event), overflow="ellipsis", no_wrap=True)
        elif self._live is None and now - self._told >= LINE_EVERY_SECONDS:
            self._told = now
            self._console.print(self._numbers())

    @property
    def _rate(self) -> float:
        """Recent pages per second."""
        now = self._clock()
        while self._recent and self._recent[0] < now - RECENT_SECONDS:
            self._recent.popleft()
        return len(self._recent) / max(0.5, min(RECENT_SECONDS, now - self._started))

    def _numbers(self) -> Text:
        store = self._store
        if store is None:
            return Text("starting")
        rate = self._rate
        parts = [f"{store.done} pages", f"{rate:.1f}/s", f"{store.waiting} waiting"]
        if store.items or self._spec.counter.mode == "quota":
            target = self._spec.counter.target or self._spec.scope.items
            parts.append(f"{store.items}{f' of {target}' if target else ''} items")
        if len(store.origins) > 1:
            parts.append(f"{len(store.origins)} hosts")
        parts += [f"{store.counts[state]} {state}" for state in ("failed", "cut") if store.counts[state]]
        if left := self._seconds_left(store, rate):
            parts.append(
                f"{_duration(left)} left at most" if self._spec.scope.pages else f"{_duration(left)} for what waits"
            )
        return Text(" · ".join(parts))

    def _seconds_left(self, store: StoredJob, rate: float) -> float:
        if rate <= 0:
            return 0.0
        to_do = store.waiting + store.in_flight
        if self._spec.scope.pages:
            to_do = min(to_do, self._spec.scope.pages - store.done)
        return to_do / rate

    def _panel(self) -> Group:
        lines = [self._numbers()]
        if self._errors:
            lines.append(Text(", ".join(f"{n} × {kind}" for kind, n in self._errors.most_common(4)), style="red"))
        lines.append(Text(shortened_address(self._last, URL_CHARS), style="dim", overflow="ellipsis", no_wrap=True))
        return Group(*lines)


def _line_of(event: PageDone) -> Text:
    tail = f"  {event.title}" if event.title else ""
    tail += f"  +{event.items} items" if event.items else ""
    tail += f"  {event.change}" if event.change else ""
    tail += f"  {event.why}" if event.why else ""
    text = Text(f"{event.outcome:<8}", style=_STYLES[event.outcome])
    return text.append(f"{shortened_address(event.url, URL_CHARS)}{tail}", style="default")


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
