"""The runs of a viewer, and its answer to each resource name that the page requests."""

from __future__ import annotations

import contextlib
import itertools
import math
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote, urlencode

import msgspec

from traces.errors import TraceReadError
from traces.store.run_files import LOG_NAME, MANIFEST_NAME
from traces.store.run_path import ZIP_SUFFIX, arrived
from traces.viewer.blob_values import DIGEST
from traces.viewer.opened_run import OpenedRun
from traces.viewer.summary import RunSummary, summarise
from traces.viewer.tools import Tools

KEPT_OPEN = 4
"""Most runs kept open in memory."""
MOST_ASKED = 1_000
"""Most characters of a search, percent-encoded."""
PICTURES = frozenset(("image/png", "image/webp", "image/jpeg", "image/gif"))
"""Media types served as such; an SVG could contain a script."""
COMPUTED = ("gate", "diff", "states", "asked")
"""Resources that need tools."""
BYTES, JSON = "application/octet-stream", "application/json"


class PersonAnswer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A press on a choice."""

    number: int
    """Of the pause."""
    choice: int


class Library:
    """One run, several, or all runs of a folder, by the names of their folders or zip files."""

    def __init__(self, *places: Path, tools: Tools | None = None, opening: str = "") -> None:
        """Without `tools` only the recording is shown. `opening` is the address within the page to open at, such as the
        comparison of two runs.

        Raises `TraceReadError` where there is neither a run nor, for a single path, a folder of runs.
        """
        found = tuple(arrived(place).resolve() for place in places)
        self._folder = found[0] if len(found) == 1 and found[0].is_dir() and not _is_run(found[0]) else None
        for given, place in zip(places, found, strict=True):
            if not _is_run(place) and self._folder is None:
                what = "there is no run" if len(places) > 1 else "there is no run and no folder of runs there"
                raise TraceReadError(what, str(given))
        self._runs = {} if self._folder else _named(found)
        self._tools, self.opening = tools, opening
        if len(self._runs) == 2 and not opening:
            self.opening = urlencode(dict(zip(("compare", "with"), self._runs, strict=True)), quote_via=quote)
        self._opened: dict[str, OpenedRun] = {}
        self._summaries: dict[str, tuple[tuple[int, int], RunSummary]] = {}
        self._lock = threading.Lock()

    @property
    def single(self) -> str:
        """Name of the only run, "" for several or a folder of runs."""
        return next(iter(self._runs)) if len(self._runs) == 1 else ""

    def names(self) -> Iterator[str]:
        """Names of the runs, in the order given; of a folder the latest first."""
        if self._folder is None:
            yield from self._runs
            return
        found = (entry.name for entry in self._folder.iterdir() if _is_run(entry))
        yield from sorted(found, reverse=True)

    def answer(self, name: str) -> tuple[bytes, str]:
        """Bytes and media type of `runs`, or of one of these of a run: `RUN/overview`, `RUN/steps/N`, `RUN/counting`, `RUN/calls`,
        `RUN/map`, `RUN/texts`, `RUN/search/=WORDS` (escaped), `RUN/blobs/DIGEST`; with tools also `RUN/gate`,
        `RUN/gate/W,W,W,W,W` for other weights, `RUN/diff/OTHER`, `RUN/states/N` and `RUN/asked`.

        Raises `KeyError` for any other name, `TraceReadError` where the run is damaged.
        """
        if name == "runs":
            listed = {"runs": [self._summary(run) for run in self.names()]}
            return msgspec.json.encode(listed), JSON
        run_name, _, rest = name.partition("/")
        run = self.open(run_name)
        what, _, which = rest.partition("/")
        if what == "overview":
            return msgspec.json.encode(run.overview(_number(which) if which else 0)), JSON
        if what == "steps":
            return msgspec.json.encode(run.step(_number(which))), JSON
        if what == "blobs":
            if not DIGEST.fullmatch(which):
                raise KeyError(name)
            data, media = run.blob(which)
            return data, media if media in PICTURES else BYTES
        if what == "search":
            return msgspec.json.encode(run.texts.search(unquote(which.removeprefix("=")[:MOST_ASKED]))), JSON
        if what in COMPUTED and self._tools is not None:
            return msgspec.json.encode(self._computed(self._tools, run.folder, what, which)), JSON
        parts = {"counting": run.counting, "calls": run.model_calls, "map": run.map, "texts": run.texts.passages}
        if which or what not in parts:
            raise KeyError(name)
        return msgspec.json.encode(parts[what]()), JSON

    def take(self, name: str, answer: PersonAnswer) -> str:
        """Bring the walk of `RUN/asked` what a person chose; why it was not taken, "" where it was. Raises `KeyError` for any other
        name."""
        run_name, _, rest = name.partition("/")
        if rest != "asked" or self._tools is None:
            raise KeyError(name)
        return self._tools.answer(self.open(run_name).folder, answer.number, answer.choice)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """All pairs of readable runs, the earlier one first, as the page offers them."""
        summaries = sorted(map(self._summary, self.names()), key=lambda summary: (summary.created, summary.id))
        return itertools.combinations([summary.id for summary in summaries if summary.state != "unreadable"], 2)

    def open(self, name: str) -> OpenedRun:
        """A run by its name; raises `KeyError` for a run that is not in the library."""
        with self._lock:
            run = self._opened.pop(name, None)
            if run is None:
                if name not in self.names():
                    raise KeyError(name)
                run = OpenedRun(self._place_of(name))
            while len(self._opened) >= KEPT_OPEN:
                self._opened.pop(next(iter(self._opened)))
            self._opened[name] = run
            return run

    def read_ahead(self) -> None:
        """Start reading the only run in the background, so that it is ready when the browser asks."""
        if self.single:
            threading.Thread(target=self._read, name="read-ahead", daemon=True).start()

    def _read(self) -> None:
        with contextlib.suppress(TraceReadError):
            self.open(self.single).overview()

    def _computed(self, tools: Tools, run: Path, what: str, which: str) -> Any:
        if what == "gate":
            return tools.gate(run, _weights(which))
        if what == "diff":
            return tools.diff(run, self.open(which).folder)
        if what == "asked":
            return {"asked": tools.asked(run)}
        return tools.state(run, _number(which))

    def _place_of(self, name: str) -> Path:
        return self._folder / name if self._folder else self._runs[name]

    def _summary(self, name: str) -> RunSummary:
        folder = self._place_of(name)
        try:
            stat = (folder / LOG_NAME if folder.is_dir() else folder).stat()
        except OSError:
            return summarise(folder)
        version = (stat.st_size, stat.st_mtime_ns)
        kept = self._summaries.get(name)
        if kept is None or kept[0] != version or kept[1].state == "live":
            kept = self._summaries[name] = (version, summarise(folder))
        return kept[1]


def _is_run(path: Path) -> bool:
    """Whether a path looks like a run; a zip counts by its name, and is checked when it is read."""
    return (path / MANIFEST_NAME).is_file() if path.is_dir() else path.suffix.lower() == ZIP_SUFFIX and path.is_file()


def _named(runs: tuple[Path, ...]) -> dict[str, Path]:
    """Runs by folder name; a number is appended to duplicates."""
    named: dict[str, Path] = {}
    for run in runs:
        names = itertools.chain((run.name,), (f"{run.name} ({number})" for number in itertools.count(2)))
        named[next(name for name in names if name not in named)] = run
    return named


def _weights(text: str) -> tuple[float, ...]:
    try:
        weights = tuple(float(part) for part in text.split(",")) if text else ()
    except ValueError:
        raise KeyError(text) from None
    if not all(math.isfinite(weight) for weight in weights):
        raise KeyError(text)
    return weights


def _number(text: str) -> int:
    if not text.isdecimal() or len(text) > 12:
        raise KeyError(text)
    return int(text)


msgspec.json.Decoder(PersonAnswer)  # described at import: docs/design/msgspec.md
