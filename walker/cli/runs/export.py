"""`walker export`: runs in the file formats of other programs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
import msgspec

from traces.errors import TraceError
from traces.reading.catalogue import find_runs
from walker.cli.amounts import size_in_words
from walker.cli.places.run_places import RecordedRuns
from walker.cli.run_command import stop_with
from walker.errors import WalkerError
from walker.runs.export import FORMATS, Grades, export_runs, read_grades
from walker.runs.otlp_upload import Sent, send_runs
from walker.runs.training.line_files import TRAINING, write_lines


@click.command("export")
@click.argument("runs", nargs=-1, required=True, type=RecordedRuns())
@click.option("--to", type=click.Choice(FORMATS), help="The format; see above.")
@click.option("-o", "--out", type=click.Path(path_type=Path), help="File to write; - for stdout.")
@click.option(
    "--otlp",
    "collector",
    metavar="URL",
    help="Send each run as a trace to an OpenTelemetry collector instead, by OTLP over HTTP (needs the extra otel).",
)
@click.option(
    "--grades",
    type=click.Path(path_type=Path),
    help="JSON Lines file that grades the answers, with the keys run (or question) and correct.",
)
@click.option("--answer", default="", metavar="TEXT", help="The right answer, if all runs have the same question.")
@click.option("--unfiltered", is_flag=True, help="Keep trajectories that are unfit for training too.")
@click.option(
    "--json", "as_json", is_flag=True, is_eager=True, help="Print one JSON object on stdout and nothing else."
)
def export_command(
    runs: tuple[Path, ...],
    to: str | None,
    out: Path | None,
    *,
    collector: str | None,
    as_json: bool,
    **filters: Any,
) -> None:
    r"""Write RUNS in another file format. RUNS are runs, packed runs, or folders of runs.

    \b
    otel       OpenTelemetry spans, OTLP/JSON, with the names of the GenAI conventions
    har        the pages for the network panel of a browser (HAR 1.2)
    warc wacz  the pages for web archives; replayweb.page opens a WACZ
    react sharegpt trl llama-factory
               trajectories for training, a line each: right answer (--grades or
               --answer), consistent steps, at least three tool calls; pictures
               lie beside the file, and for llama-factory a dataset_info.json.
               walker eval export chooses more carefully among an experiment's
    graphml png
               the graph of the site as the walk saw it
    csv parquet
               a row for each step
    script     the way to the answer as a YAML script for walker play, which
               needs no model: locators, expected effects, the answer's place
    playwright the same as a Python file for pytest and Playwright

    \b
    walker export runs/20260101-120000-how-many-a1b2c3 --to wacz -o walk.wacz
    walker export runs/20260101-120000-how-many-a1b2c3 --to script -o flume.yaml
    walker export runs --to trl --grades grades.jsonl -o train.jsonl
    walker export runs --to parquet -o steps.parquet
    walker export runs/20260101-120000-how-many-a1b2c3 --otlp http://localhost:4318
    """
    missing = [run for run in runs if not run.exists()]
    try:
        if collector is not None:
            _check_alone(to, out)
            _print_sent(send_runs(missing or find_runs(runs), collector), as_json=as_json)
            return
        if to is None or out is None:
            raise click.UsageError("give --to FORM and -o FILE, or --otlp URL")
        grades = _grades(to, filters)
        exported = export_runs(missing or find_runs(runs), to, grades)
        write_lines(out, exported.data, exported.files, to)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    except TraceError as error:
        stop_with(f"{error}. The recording is damaged; restore it from a backup", 1, as_json=as_json)
    if as_json:
        summary = {"file": str(out), "bytes": len(exported.data), "runs": exported.runs, "left_out": exported.left_out}
        click.echo(msgspec.json.encode(summary).decode())
        return
    for reason in exported.left_out:
        click.echo(f"left out: {reason}", err=True)
    click.echo(f"{out}: {exported.runs} run{'s' * (exported.runs != 1)}, {size_in_words(len(exported.data))}", err=True)


def _check_alone(to: str | None, out: Path | None) -> None:
    """Raises `click.UsageError` where both a file and a collector are named."""
    if to is not None or out is not None:
        raise click.UsageError("--otlp goes without --to and -o; --to otel -o FILE writes the spans to a file")


def _print_sent(sent: Sent, *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(sent).decode())
        return
    for reason in sent.left_out:
        click.echo(f"left out: {reason}", err=True)
    rejected = f", {sent.rejected} of them rejected" if sent.rejected else ""
    reason = f" ({sent.reason})" if sent.reason else ""
    summary = f"{sent.runs} run{'s' * (sent.runs != 1)}, {sent.spans} spans{rejected}{reason}"
    click.echo(f"{sent.endpoint}: {summary}", err=True)


def _grades(to: str, filters: dict[str, Any]) -> Grades:
    """Raises `click.UsageError` if training data is asked for without a grade for the answers."""
    file, answer, unfiltered = filters["grades"], filters["answer"], filters["unfiltered"]
    if to in TRAINING and not (file or answer or unfiltered):
        raise click.UsageError(f"--to {to} needs --grades FILE or --answer TEXT (or --unfiltered: all of them)")
    return Grades(by_name=read_grades(file) if file else {}, answer=answer, is_off=unfiltered)
