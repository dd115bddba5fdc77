"""Runs in the formats of other programs: archives, traces, training data, graphs and tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

import msgspec

from traces.export.csv_table import csv_of
from traces.export.har import har_of
from traces.export.otel import otlp_of
from traces.export.parquet_table import parquet_of
from traces.export.recorded_pages import read_pages
from traces.export.site_picture import DrawnPage, picture_of
from traces.export.step_rows import StepRow, rows_of
from traces.export.training.trajectory import Trajectory, is_same_answer
from traces.export.wacz import wacz_of
from traces.export.warc import warc_of
from traces.reading.reader import Run
from traces.reading.steps import walk_of
from walker.errors import MissingExtra, UsageError
from walker.flows.playwright_file import as_playwright
from walker.flows.script import FlowScript
from walker.flows.script_file import text_of
from walker.flows.walk_script import script_of_walk
from walker.runs.compare import page_key
from walker.runs.recorded_run import graph_of, open_run
from walker.runs.training.line_files import TRAINING, pictures_of
from walker.runs.training.trajectories import trajectory_from

TABLES: Mapping[str, Callable[[Sequence[StepRow]], bytes]] = {"csv": csv_of, "parquet": parquet_of}
SCRIPTS: Mapping[str, Callable[[FlowScript], str]] = {"script": text_of, "playwright": as_playwright}
OF_ONE_RUN = ("otel", "har", "warc", "wacz", "graphml", "png", *SCRIPTS)
FORMATS = (*OF_ONE_RUN, *TRAINING, *TABLES)
NEEDS = {"png": "matplotlib", "parquet": "pyarrow"}
"""Packages of the extra `export`."""


class Exported(msgspec.Struct, frozen=True, kw_only=True):
    """The exported bytes, and what was left out, one line each."""

    data: bytes
    runs: int
    files: dict[str, bytes] = {}
    """Pictures that lie beside lines for training, by their paths relative to the folder."""
    left_out: tuple[str, ...] = ()


class Grades(msgspec.Struct, frozen=True, kw_only=True):
    """Which answers are right; with neither field set, this is unknown for all."""

    by_name: dict[str, bool] = {}
    """By the run's folder, its id, or its question."""
    answer: str = ""
    """The right answer of all runs."""
    is_off: bool = False
    """Include trajectories that are unfit for training."""

    def of(self, run: Run, trajectory: Trajectory) -> bool | None:
        """Whether a run's answer is right; None if unknown."""
        if self.answer:
            return is_same_answer(self.answer, trajectory.answer)
        names = (str(run.folder), run.folder.name, run.folder.stem, run.manifest.run_id, trajectory.question)
        return next((self.by_name[name] for name in names if name in self.by_name), None)


def export_runs(paths: Sequence[Path], to: str, grades: Grades | None = None) -> Exported:
    """Runs in one of `FORMATS`. Raises `UsageError` where a run cannot be read or the format holds one run only, and
    `MissingExtra` where the format needs a package that is not installed."""
    if to in OF_ONE_RUN and len(paths) != 1:
        raise UsageError(f"{to} takes one run, not {len(paths)}", where="--to", advice="Export them one by one")
    runs = [open_run(path) for path in paths]
    try:
        if to in TRAINING:
            return _training(runs, TRAINING[to], grades or Grades())
        if to in TABLES:
            rows = [row for run in runs for row in rows_of(walk_of(run, page_key))]
            return Exported(data=TABLES[to](rows), runs=len(runs), left_out=_damage(runs))
        return _single(runs[0], to)
    except ImportError:
        if to not in NEEDS:
            raise
        raise MissingExtra(
            f"{to} needs {NEEDS[to]}, which is not installed", advice="Install it with: pip install 'gemwalker[export]'"
        ) from None


def read_grades(path: Path) -> dict[str, bool]:
    """Lines of `{"run" or "question": ..., "correct": true or false}`. Raises `UsageError`."""
    grades: dict[str, bool] = {}
    advice = 'Write a line for each run: {"run": "20260101-...", "correct": true}'
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UsageError(error.strerror or "cannot be read", where=str(path), advice=advice) from None
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            grade = msgspec.json.decode(line, type=_Grade)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise UsageError(str(error), where=f"{path}, line {number}", advice=advice) from None
        name = grade.run or grade.question
        if not name:
            raise UsageError("it names neither run nor question", where=f"{path}, line {number}", advice=advice)
        grades[name] = grade.correct
        grades[Path(name).name] = grade.correct
    return grades


class _Grade(msgspec.Struct, frozen=True, kw_only=True):
    correct: bool
    run: str = ""
    question: str = ""


def _single(run: Run, to: str) -> Exported:
    number, title = version("gemwalker"), run.manifest.question
    if to == "otel":
        return Exported(data=otlp_of(run, version=number), runs=1, left_out=run.problems)
    if to in ("graphml", "png"):
        return Exported(data=_graph(run, to), runs=1, left_out=run.problems)
    if to in SCRIPTS:
        made = script_of_walk(run)
        return Exported(data=SCRIPTS[to](made.script).encode(), runs=1, left_out=(*run.problems, *made.left_out))
    recorded = read_pages(run)
    if not recorded.pages:
        raise UsageError("it holds no page", where=str(run.folder), advice="Ask again")
    match to:
        case "har":
            data = har_of(recorded, version=number)
        case "warc":
            data = warc_of(recorded, version=number, title=title).data
        case _:
            data = wacz_of(recorded, version=number, title=title)
    return Exported(data=data, runs=1, left_out=(*run.problems, *recorded.lost))


def _training(runs: list[Run], line_of: Callable[[Trajectory], bytes], grades: Grades) -> Exported:
    lines, left_out, files = [], list(_damage(runs)), dict[str, bytes]()
    for run in runs:
        trajectory = trajectory_from(run, page_key)
        reason = "" if grades.is_off else trajectory.why_not(is_right=grades.of(run, trajectory))
        if reason:
            left_out.append(f"{run.folder}: {reason}")
        else:
            lines.append(line_of(trajectory))
            files |= pictures_of(run, trajectory)
    return Exported(data=b"".join(lines), runs=len(lines), files=files, left_out=tuple(left_out))


def _graph(run: Run, to: str) -> bytes:
    graph = graph_of(run)
    if to == "graphml":
        return graph.to_graphml()
    home = page_key(run.manifest.root_url)
    host = home[: home.find("/", home.find("//") + 2)]
    drawn = [
        DrawnPage(key=page.key, label=page.title or page.url.removeprefix(host), state=page.state, step=page.step)
        for page in graph.pages()
    ]
    links = [(link["from"], link["to"]) for link in msgspec.json.decode(graph.to_json())["links"]]
    return picture_of(drawn, links, title=run.manifest.question)


def _damage(runs: list[Run]) -> tuple[str, ...]:
    return tuple(f"{run.folder}: {problem}" for run in runs for problem in run.problems)


msgspec.json.Decoder(_Grade)  # described at import: docs/design/msgspec.md
