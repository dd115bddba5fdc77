from __future__ import annotations

import random

import pytest

from walker.calibration.fit import Costs, Example, cost_points, fit_gate, fit_weights
from walker.calibration.report import render_report
from walker.rules.gate import GateInputs, trust_in_text


def example(number: int, *, needs: bool, blind: float, answered: float, glance: bool = True) -> Example:
    doubt = GateInputs(understanding=60, answered=answered, blind=blind, gap=0.2, has_pictures=True)
    return Example(
        site=f"site{number % 7}",
        page=f"http://a.example/{number}<b>",
        needs_look=needs,
        before=doubt,
        after=GateInputs(understanding=60, answered=0.9 if glance else 0.0, has_pictures=True),
        text_right=not needs,
        glance_right=glance,
    )


def examples(seed: int = 3, noise: float = 0.1) -> list[Example]:
    chance = random.Random(seed)
    made = []
    for number in range(70):
        needs = chance.random() < 0.5
        blind = min(1.0, max(0.0, (0.8 if needs else 0.2) + chance.gauss(0, noise)))
        answered = min(1.0, max(0.0, (0.2 if needs else 0.7) + chance.gauss(0, noise)))
        made.append(example(number, needs=needs, blind=blind, answered=answered, glance=number % 5 > 0))
    return made


def test_weights_point_the_way_the_pages_do() -> None:
    made = examples()
    weights = fit_weights([one.before for one in made], [not one.needs_look for one in made])
    assert weights.blind < 0 < weights.answered
    assert weights == fit_weights([one.before for one in made], [not one.needs_look for one in made])


def test_pages_that_a_line_parts_are_parted() -> None:
    fitted = fit_gate(examples(), Costs())
    assert fitted.area is not None
    assert fitted.area.value > 0.97
    assert fitted.area.low <= fitted.area.value <= fitted.area.high
    for one in examples():
        looked = trust_in_text(one.before, fitted.weights)[0] < fitted.tau
        assert looked == one.needs_look or abs(one.before.blind - 0.5) < 0.4


def test_ours_lies_between_the_best_and_a_random_mix() -> None:
    made = examples()
    points = {point.name: point for point in fit_gate(made, Costs()).costs}
    assert points["oracle"].cost <= points["ours"].cost <= points["random mix"].cost
    assert points["always text"].looked == 0
    assert points["always vision"].looked == 1
    assert points["always text"].right == pytest.approx(sum(one.text_right for one in made) / len(made), abs=1e-4)


def test_dear_looks_are_made_more_seldom() -> None:
    made = examples(noise=0.35)
    cheap, dear = fit_gate(made, Costs(thousand_tokens=0.0, second=0.0)), fit_gate(made, Costs(thousand_tokens=0.8))
    share = {fitted.tau: next(p for p in fitted.costs if p.name == "ours").looked for fitted in (cheap, dear)}
    assert share[dear.tau] < share[cheap.tau]


def test_the_second_threshold_sends_on_what_the_glance_did_not_answer() -> None:
    fitted = fit_gate(examples(), Costs())
    missed = next(one for one in examples() if one.needs_look and not one.glance_right)
    read = next(one for one in examples() if one.needs_look and one.glance_right)
    assert trust_in_text(missed.after, fitted.weights)[0] < fitted.tau2 <= trust_in_text(read.after, fitted.weights)[0]


def test_pages_of_one_kind_fit_nothing() -> None:
    with pytest.raises(ValueError, match="both kinds"):
        fit_gate([one for one in examples() if one.needs_look], Costs())


def test_costs_are_counted_by_hand() -> None:
    needs, plain = example(1, needs=True, blind=1, answered=0), example(2, needs=False, blind=0, answered=1)
    never, ours, *_ = cost_points([needs, plain], [10.0, 90.0], 50, Costs(wrong=1, thousand_tokens=0.1, second=0))
    assert (never.cost, never.right) == (0.5, 0.5)
    assert (ours.cost, ours.right, ours.looked) == (0.05, 1.0, 0.5)


def test_the_report_stands_alone_and_takes_addresses_as_text() -> None:
    made = examples()
    html = render_report(made, fit_gate(made, Costs()), Costs())
    assert "http://a.example/1&lt;b&gt;" in html
    assert "<b>" not in html
    assert "src=" not in html
    assert "<script" not in html
    assert html.count("<polyline") == 2
