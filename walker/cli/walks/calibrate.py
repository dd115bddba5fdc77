"""`walker calibrate`: fit the gate to labelled pages, or measure what the confidence of answers is worth."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from walker.calibration.answers import LEAST, SURELY, KnownAnswer, SaidAnswer, read_lines, weigh_answers
from walker.calibration.fit import Costs, Fitted
from walker.calibration.pages import read_labelled
from walker.calibration.run import calibrate
from walker.cli.run_command import run_for_person, stop_with
from walker.cli.tables import Column, print_folded, print_rows
from walker.errors import UsageError
from walker.settings import SURE, Settings

NOTHING_BETTER = 3
"""Exit code where no gate was written, because the shipped one costs less."""

_COLUMNS = (
    Column(least=14, shortest=10),
    Column(gap=1),
    Column(gap=1),
    Column(gap=1),
    Column(gap=1, rank=1),
)


@click.command("calibrate")
@click.argument("pages", type=click.Path(path_type=Path))
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    default=Path("gate.json"),
    show_default=True,
    help="File for the fitted weights and thresholds (the gate).",
)
@click.option(
    "--cost-wrong", default=1.0, show_default=True, help="Cost of a wrong answer; the other costs are relative to it."
)
@click.option("--cost-tokens", default=0.02, show_default=True, help="Cost of a thousand tokens of the vision model.")
@click.option(
    "--cost-second", default=0.01, show_default=True, help="Cost of a second spent on OCR or the vision model."
)
@click.option(
    "--answers",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="PREDICTIONS",
    help="Measure the confidence of answers instead: the answers of a batch (walker ask --batch) to the questions of PAGES.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
def calibrate_command(pages: Path, out: Path, answers: Path | None, as_json: bool, **prices: float) -> None:
    r"""Fit the gate, which decides when to use OCR or a vision model, to your own pages; or measure the confidence of answers.

    PAGES is a JSONL file, one page a line: {"url": ..., "question": ..., "answer": ...}, and if you know it "needs_look":
    true or false ("site" groups pages of one kind). Each is opened and read with and without OCR; the weights
    and both thresholds are chosen to minimise the total cost of wrong answers, tokens and time.

    \b
    walker calibrate pages.jsonl --out gate.json      writes gate.json and gate.html, the report
    walker ask --gate gate.json ROOT QUESTION         walks with it

    With --answers, PAGES is a JSONL file of questions: {"id": ..., "answer": ..., "accept": [...], "site": ...}, with an empty answer
    where the site does not say. Printed is how often answers are right by their confidence; where the walks were recorded, also
    weights that fit them, and what these are worth on sites they were not fitted on.

    \b
    walker ask --batch questions.jsonl --out said.jsonl
    walker calibrate questions.jsonl --answers said.jsonl

    After an interruption, run it again: pages already measured are in gate.pages.jsonl. A gate that costs more than the shipped one is
    not written (exit code 3), and none is fitted to fewer than 15 pages of each kind.
    """
    if answers is not None:
        _weigh_answers(pages, answers, as_json=as_json)
        return
    settings = Settings(record=False, chromium=os.environ.get("WALKER_CHROMIUM", ""))
    costs = Costs(wrong=prices["cost_wrong"], thousand_tokens=prices["cost_tokens"], second=prices["cost_second"])
    fitted, failed = run_for_person(
        _calibrate(pages, out, costs, settings),
        as_json=as_json,
        interrupted="interrupted; run the same command again to go on",
    )
    if as_json:
        gate = str(out) if fitted.is_better else ""
        shown = {"gate": gate, "report": str(out.with_suffix(".html")), "failed": failed, "fitted": fitted}
        click.echo(msgspec.json.encode(shown).decode())
        raise SystemExit(0 if fitted.is_better else NOTHING_BETTER)
    assert fitted.area is not None, "a fitted gate has an AUC"
    print_folded(f"{fitted.pages} pages of {fitted.sites} sites, {failed} could not be opened")
    print_folded(f"ROC AUC {fitted.area.value:.3f} ({fitted.area.low:.3f} to {fitted.area.high:.3f})")
    print_folded(f"thresholds: --tau {fitted.tau} --tau2 {fitted.tau2}")
    print_rows(
        _COLUMNS,
        [
            (
                point.name,
                f"looks at {point.looked:6.1%},",
                f"right {point.right:6.1%},",
                f"costs {point.cost:.4f}",
                "a page",
            )
            for point in fitted.costs
        ],
    )
    if not fitted.is_better:
        print_folded(
            f"written: {out.with_suffix('.html')}, and no gate: the shipped one costs less on your pages; go on using it"
        )
        raise SystemExit(NOTHING_BETTER)
    print_folded(f"written: {out} and {out.with_suffix('.html')}")


def _weigh_answers(questions: Path, predictions: Path, *, as_json: bool) -> None:
    """Print what the confidence of these answers is worth."""
    try:
        known, said = read_lines(questions, KnownAnswer), read_lines(predictions, SaidAnswer)
        found = weigh_answers(known, said, sure=SURE)
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
        return
    print_folded(f"{found.questions} questions, the best answer is right for {found.right}")
    print_folded("confidence, answers, mean confidence, share right")
    for line in found.table:
        print_folded(f"  {line}")
    print_folded(f"said with confidence {SURELY} or more: {found.surely}, of these right {found.surely_right}")
    print_folded(f"not answerable: {found.unanswerable}, of these declined at {SURE}: {found.declined}")
    if found.fitted is None:
        print_folded(f"no weights: of {found.walks} recorded walks; {LEAST} are needed, with right and wrong answers")
        return
    print_folded(f"fitted on {found.walks} recorded walks; on sites held out:")
    for line in found.fitted_table:
        print_folded(f"  {line}")
    click.echo(msgspec.json.encode(found.fitted).decode())


async def _calibrate(pages: Path, out: Path, costs: Costs, settings: Settings) -> tuple[Fitted, int]:
    return await calibrate(read_labelled(pages), out, costs, settings, _tell)


def _tell(number: int, total: int, line: str) -> None:
    click.echo(f"{number}/{total} {line}", err=True)
