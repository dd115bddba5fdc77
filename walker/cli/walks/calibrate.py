"""`walker calibrate`: fit the gate to labelled pages."""

from __future__ import annotations

import os
from pathlib import Path

import click
import msgspec

from walker.calibration.fit import Costs, Fitted
from walker.calibration.pages import read_labelled
from walker.calibration.run import calibrate
from walker.cli.run_command import run_for_person
from walker.settings import Settings


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
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
def calibrate_command(
    pages: Path, out: Path, cost_wrong: float, cost_tokens: float, cost_second: float, as_json: bool
) -> None:
    r"""Fit the gate, which decides when to use OCR or a vision model, to your own pages.

    PAGES is a JSONL file, one page a line: {"url": ..., "question": ..., "answer": ...}, and if you know it "needs_look":
    true or false ("site" groups pages of one kind). Each is opened and read with and without OCR; the weights
    and both thresholds are chosen to minimise the total cost of wrong answers, tokens and time.

    \b
    walker calibrate pages.jsonl --out gate.json      writes gate.json and gate.html, the report
    walker ask --gate gate.json ROOT QUESTION         walks with it

    After an interruption, run it again: pages already measured are in gate.pages.jsonl.
    """
    settings = Settings(record=False, chromium=os.environ.get("WALKER_CHROMIUM", ""))
    costs = Costs(wrong=cost_wrong, thousand_tokens=cost_tokens, second=cost_second)
    fitted, failed = run_for_person(
        _calibrate(pages, out, costs, settings),
        as_json=as_json,
        interrupted="interrupted; run the same command again to go on",
    )
    if as_json:
        shown = {"gate": str(out), "report": str(out.with_suffix(".html")), "failed": failed, "fitted": fitted}
        click.echo(msgspec.json.encode(shown).decode())
        return
    assert fitted.area is not None, "a fitted gate has an AUC"
    click.echo(f"{fitted.pages} pages of {fitted.sites} sites, {failed} could not be opened")
    click.echo(f"ROC AUC {fitted.area.value:.3f} ({fitted.area.low:.3f} to {fitted.area.high:.3f})")
    click.echo(f"thresholds: --tau {fitted.tau} --tau2 {fitted.tau2}")
    for point in fitted.costs:
        click.echo(
            f"  {point.name:<14} looks at {point.looked:6.1%}, right {point.right:6.1%}, costs {point.cost:.4f} a page"
        )
    click.echo(f"written: {out} and {out.with_suffix('.html')}")


async def _calibrate(pages: Path, out: Path, costs: Costs, settings: Settings) -> tuple[Fitted, int]:
    return await calibrate(read_labelled(pages), out, costs, settings, _tell)


def _tell(number: int, total: int, line: str) -> None:
    click.echo(f"{number}/{total} {line}", err=True)
