from __future__ import annotations

import os
from pathlib import Path

import msgspec
import pytest

from tests.fixtures.recorded_walk import LENGTH, PEOPLE, record
from tests.recordings.make import FOLDER
from tests.sites.pages_on_loopback import serve
from tests.walker.vision.test_closer_view import board
from traces.events import GateDecided
from traces.reading.reader import read_run
from walker.asking import ask
from walker.errors import UsageError
from walker.rules.gate import GateInputs
from walker.runs.threshold_whatif import GateCase, imagine, read_cases
from walker.runs.verification import verify_run
from walker.settings import GateWeights, Settings

pytestmark = pytest.mark.usefixtures("kept_chromium")

PICTURED: dict[str, str | bytes] = {
    "/": "<html lang=en><title>Prices</title><h1>Our prices</h1><p>All prices are on the board.</p>"
    "<img src=/board.svg width=780 height=330>",
    "/board.svg": board([("Rope", "3.90"), ("Lantern", "12.40"), ("Compass", "71.15"), ("Anchor", "88.25")], 42),
}


@pytest.mark.parametrize("kind", ["count", "single", "model"])
def test_the_recorded_settings_turn_nothing(kind: str) -> None:
    cases = read_cases(FOLDER / kind)
    gates = [event for event in read_run(FOLDER / kind).events if isinstance(event, GateDecided)]
    assert [case.trust for case in cases] == [event.score for event in gates]
    for scenario in (imagine(cases), imagine(cases, tau=70.0, tau2=50.0, weights=GateWeights())):
        assert (scenario.flips, scenario.saved, scenario.leaves) == ((), 0, {})


async def test_what_is_imagined_is_what_a_walk_with_that_threshold_does(tmp_path: Path) -> None:
    """Two real walks of one site: the pages imagined to flip are those that the second walk decides otherwise."""
    with serve(PICTURED) as root:
        question = "What is the price of the compass?"
        outcomes = []
        for tau in (1.0, 99.9):
            settings = Settings(
                runs_folder=tmp_path / str(tau), chromium=os.environ.get("WALKER_CHROMIUM", ""), threshold=tau
            )
            outcomes.append(await ask(root, question, settings=settings))
    calm, eager = (read_cases(Path(outcome.trace)) for outcome in outcomes)
    assert {case.choice for case in calm} == {"read"}
    first = next(case for case in eager if case.choice != "read")
    imagined = imagine(calm, tau=99.9)
    assert [flip.url for flip in imagined.flips][:1] == [first.url]
    assert {flip.becomes for flip in imagined.flips} == {"glance"}
    assert imagined.leaves == {calm[0].run: imagined.flips[0].step}
    back = imagine(eager, tau=1.0)
    assert back.glances == 0
    assert back.saved == sum(case.choice in ("glance", "look") for case in eager) > 0
    assert (await verify_run(Path(outcomes[1].trace))).is_equal


async def test_other_weights_give_the_trust_that_a_walk_with_them_has(tmp_path: Path) -> None:
    await record(tmp_path / "run", PEOPLE)
    cases = read_cases(tmp_path / "run")
    weights = GateWeights(intercept=-4.0, understanding=3.0, answered=4.0, blind=-5.0, gap=-1.0)
    assert {flip.was for flip in imagine(cases, weights=weights).flips} <= {"read"}
    plain = msgspec.json.decode((tmp_path / "run" / "run.json").read_bytes())
    assert plain["settings"]["weights"]["intercept"] == GateWeights().intercept
    pictured = tuple(
        msgspec.structs.replace(case, doubt=msgspec.structs.replace(case.doubt, has_pictures=True, blind=0.5))
        for case in cases
    )
    assert len(imagine(pictured, weights=weights).flips) > len(imagine(cases, weights=weights).flips)


def case(**fields: object) -> GateCase:
    known: dict[str, object] = {
        "run": "a",
        "step": 1,
        "url": "u",
        "title": "t",
        "is_second": False,
        "choice": "glance",
        "trust": 60.0,
        "threshold": 70.0,
        "lowering": 1.0,
        "doubt": GateInputs(understanding=50.0, blind=0.5, has_pictures=True),
        "weights": GateWeights(),
        "may": True,
    }
    return GateCase(**(known | fields))  # type: ignore[arg-type]


def test_a_glance_that_falls_away_takes_its_look_with_it() -> None:
    cases = (case(), case(is_second=True, choice="look", trust=40.0, threshold=50.0))
    scenario = imagine(cases, tau=55.0)
    assert (scenario.glances, scenario.looks, scenario.saved) == (0, 0, 2)
    assert [(flip.was, flip.becomes) for flip in scenario.flips] == [("glance", "read")]
    kept = imagine(cases, tau2=30.0)
    assert (kept.glances, kept.looks, kept.saved) == (1, 0, 1)


def test_a_threshold_is_lowered_as_the_budget_had_lowered_it() -> None:
    late = case(lowering=0.6, threshold=42.0, trust=50.0, choice="read")
    assert imagine((late,), tau=80.0).flips == ()
    (flip,) = imagine((late,), tau=90.0).flips
    assert (flip.becomes, flip.threshold) == ("glance", 54.0)


@pytest.mark.parametrize(
    "fields",
    [
        {"doubt": GateInputs(understanding=50.0)},
        {"doubt": GateInputs(understanding=50.0, blind=0.5, has_pictures=True, challenge=True)},
        {"may": False},
        {"is_second": True, "may": False},
    ],
)
def test_where_nothing_can_be_looked_at_no_threshold_flips(fields: dict[str, object]) -> None:
    assert imagine((case(choice="read", trust=90.0, **fields),), tau=100.0, tau2=100.0).flips == ()


async def test_no_run_is_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="there is no run there"):
        read_cases(tmp_path)
    await record(tmp_path / "run", LENGTH)
    assert len(read_cases(tmp_path / "run")) == 2
