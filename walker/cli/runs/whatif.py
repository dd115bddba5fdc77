"""`walker whatif`: other thresholds and weights on recorded walks."""

from __future__ import annotations

import re
from pathlib import Path

import click
import msgspec

from traces.reading.catalogue import find_runs
from walker.calibration.gate_file import GateFile, read_gate
from walker.cli.places.run_places import RecordedRuns
from walker.cli.run_command import stop_with
from walker.cli.tables import print_folded
from walker.errors import UsageError
from walker.runs.threshold_whatif import GateCase, Scenario, imagine, read_cases

_RANGE = re.compile(r"(\d+(?:\.\d+)?)(?:\.\.(\d+(?:\.\d+)?)(?::(\d+(?:\.\d+)?))?)?")
STEP = 5.0
MOST = 200


@click.command("whatif")
@click.argument("runs", nargs=-1, required=True, type=RecordedRuns())
@click.option(
    "--tau", "taus", default="", metavar="A..B", help="Thresholds of the OCR pass, such as 40..80 or 40..80:2.5."
)
@click.option("--tau2", "taus2", default="", metavar="A..B", help="Thresholds of the vision model, in the same form.")
@click.option(
    "--weights",
    "gate_file",
    type=click.Path(path_type=Path),
    help="Weights from a file of walker calibrate; its thresholds too, unless given here.",
)
@click.option("--flips", "shown", default=10, show_default=True, help="Most changed pages to show for each threshold.")
@click.option(
    "--json", "as_json", is_flag=True, is_eager=True, help="Print one JSON object on stdout and nothing else."
)
def whatif_command(
    runs: tuple[Path, ...], taus: str, taus2: str, gate_file: Path | None, shown: int, as_json: bool
) -> None:
    r"""Simulate other thresholds and weights of the gate on RUNS, without opening a page or calling a model.

    For each threshold: pages on which the gate would decide otherwise (flip), OCR passes (glances) and vision model calls
    (looks) saved, and the step at which each walk would leave its recording. What would follow is not known; fork the
    walk there with `walker replay RUN --with tau=60`.

    \b
    walker whatif runs --tau 40..80
    walker whatif runs/20260101-120000-how-many-a1b2c3 --tau 60 --tau2 30..70:10
    walker whatif runs --weights gate.json --json
    """
    first, second = _values(taus, "--tau"), _values(taus2, "--tau2")
    try:
        gate = read_gate(gate_file) if gate_file is not None else None
        found = find_runs(run for run in runs)
        cases = tuple(case for run in found for case in read_cases(run))
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    if not cases:
        stop_with(f"{runs[0]}: no gate decision is recorded there; give runs, or a folder of them", 2, as_json=as_json)
    scenarios = _scenarios(cases, first, second, gate)
    if as_json:
        plain = [msgspec.to_builtins(scenario) | {"saved": scenario.saved} for scenario in scenarios]
        click.echo(msgspec.json.encode({"runs": len(found), "decisions": len(cases), "scenarios": plain}).decode())
        return
    print_folded(f"{len(found)} runs, {len(cases)} decisions, {_recorded(cases)}")
    for scenario in scenarios:
        _tell(scenario, shown)


def _scenarios(
    cases: tuple[GateCase, ...], taus: tuple[float, ...], taus2: tuple[float, ...], gate: GateFile | None
) -> list[Scenario]:
    own: tuple[float | None, ...] = (None,)
    first = taus or ((gate.tau,) if gate else own)
    second = taus2 or ((gate.tau2,) if gate else own)
    weights = gate.weights if gate else None
    return [imagine(cases, tau=tau, tau2=tau2, weights=weights) for tau in first for tau2 in second]


def _recorded(cases: tuple[GateCase, ...]) -> str:
    glances, looks = (sum(case.choice == choice for case in cases) for choice in ("glance", "look"))
    return f"{glances} glances and {looks} looks as recorded"


def _tell(scenario: Scenario, shown: int) -> None:
    tau = "own" if scenario.tau is None else f"{scenario.tau:g}"
    tau2 = "" if scenario.tau2 is None else f" tau2 {scenario.tau2:g}"
    saved = f"saves {scenario.saved}" if scenario.saved >= 0 else f"costs {-scenario.saved} more"
    runs = f"{len(scenario.leaves)} runs leave their recording, {scenario.stays} stay"
    made = f"{scenario.glances} glances, {scenario.looks} looks ({saved})"
    print_folded(f"tau {tau}{tau2}: {len(scenario.flips)} pages flip, {made}; {runs}")
    for flip in scenario.flips[:shown]:
        leaves = ", leaves the recording here" if scenario.leaves[flip.run] == flip.step else ""
        print_folded(
            f"  {Path(flip.run).name} step {flip.step} {flip.title or flip.url}: {flip.was} -> {flip.becomes}"
            f" (trust {flip.trust:.1f}, threshold {flip.threshold:.1f}{leaves})"
        )
    if len(scenario.flips) > shown:
        print_folded(f"  and {len(scenario.flips) - shown} more")


def _values(text: str, flag: str) -> tuple[float, ...]:
    """Numbers from "60", "40..80" or "40..80:2.5". Raises `click.UsageError`."""
    if not text:
        return ()
    match = _RANGE.fullmatch(text.strip())
    low, high, step = (float(part) if part else None for part in match.groups()) if match else (None, None, None)
    if low is None or not 0 <= low <= 100 or not low <= (high if high is not None else low) <= 100 or step == 0:
        raise click.UsageError(f"{flag} {text}: write it as 60, 40..80 or 40..80:2.5, within 0 to 100")
    if high is None:
        return (low,)
    count = int((high - low) / (step or STEP) + 1e-9) + 1
    if count > MOST:
        raise click.UsageError(f"{flag} {text}: {count} thresholds are too many; take a larger step")
    return tuple(round(low + (step or STEP) * place, 6) for place in range(count))
