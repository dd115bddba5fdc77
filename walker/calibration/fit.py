"""The gate's weights and thresholds from labelled pages: logistic regression, and the thresholds that cost least."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import msgspec
import numpy as np
from numpy.typing import NDArray

from walker.calibration.measures import Interval, RocPoint, area_under_curve, calibration_error, resampled, roc
from walker.rules.gate import GateInputs, trust_in_text
from walker.settings import GLANCE_THRESHOLD, GateWeights

RIDGE = 0.05
"""Ridge penalty on every weight but the intercept: on a few dozen separable pages they would diverge without it."""
STEPS = 60
FOLDS = 5
LEAST_OF_A_KIND = 15
"""Pages of each kind from which a gate is fitted. Of simulated sites (noise 0.2 and 0.35 in all inputs, 60 draws) a gate that cost no
more than the shipped one on the held-out pages cost more on 600 fresh ones in 30 to 32 % of the draws with 3 pages of each kind, in 12
to 23 % with 10, in 2 to 16 % with 15."""
_NAMES = ("understanding", "answered", "blind", "gap")


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """One labelled page with the gate's inputs before and after OCR."""

    site: str
    """Pages of one site are never split between fitting and testing."""
    page: str
    needs_look: bool
    """The text does not hold the answer, and the picture does."""
    before: GateInputs
    after: GateInputs
    text_right: bool
    """The text alone gave the right answer."""
    glance_right: bool
    """Text and OCR together gave the right answer."""
    tokens: int = 1000
    """Tokens that its screenshot costs with a vision model."""
    seconds: float = 0.0
    """Seconds that OCR took."""


class Costs(msgspec.Struct, frozen=True, kw_only=True):
    """Costs, in units of one wrong answer."""

    wrong: float = 1.0
    thousand_tokens: float = 0.02
    second: float = 0.01


class CostPoint(msgspec.Struct, frozen=True, kw_only=True):
    """A decision rule, its cost a page, and the share of pages it answers correctly."""

    name: str
    looked: float
    right: float
    cost: float


class Fitted(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a calibration: what `walker ask --gate` reads, and the figures that say how far to trust it."""

    weights: GateWeights
    tau: float
    tau2: float
    pages: int = 0
    sites: int = 0
    area: Interval | None = None
    """ROC AUC on held-out sites."""
    error: float = 0.0
    """Expected calibration error there."""
    curve: tuple[RocPoint, ...] = ()
    costs: tuple[CostPoint, ...] = ()

    @property
    def is_better(self) -> bool:
        """Whether it costs no more than the shipped gate on the held-out sites."""
        cost = {point.name: point.cost for point in self.costs}
        return cost["ours"] <= cost["shipped gate"]


def fit_gate(examples: Sequence[Example], costs: Costs) -> Fitted:
    """Weights on all pages; figures from sites held out in turn. Raises ValueError without both kinds of pages."""
    needed = [example.needs_look for example in examples]
    if not any(needed) or all(needed):
        raise ValueError("pages of both kinds are needed: some that must be looked at, and some whose text is enough")
    weights = fit_weights([example.before for example in examples], [not need for need in needed])
    held_out = held_out_trust(examples)
    doubts = [1 - trust / 100 for trust in held_out]
    groups = [example.site for example in examples]
    tau = _best_threshold(examples, held_out, costs)
    return Fitted(
        weights=weights,
        tau=tau,
        tau2=_second_threshold(examples, weights, costs),
        pages=len(examples),
        sites=len(set(groups)),
        area=resampled(groups, lambda rows: area_under_curve([doubts[i] for i in rows], [needed[i] for i in rows])),
        error=round(calibration_error(doubts, needed), 4),
        curve=roc(doubts, needed),
        costs=cost_points(examples, held_out, tau, costs),
    )


def fit_weights(doubts: Sequence[GateInputs], enough: Sequence[bool]) -> GateWeights:
    """Logistic regression by Newton's method with a ridge; deterministic."""
    inputs = np.array([_row(doubt) for doubt in doubts])
    wanted = np.asarray(enough, float)
    weights = np.zeros(inputs.shape[1])
    ridge = np.diag([1e-6, *([RIDGE] * (inputs.shape[1] - 1))]) * len(doubts) ** 0.5
    for _ in range(STEPS):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (wanted - chance) - ridge @ weights
        bend = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + ridge
        step = np.linalg.solve(bend, slope)
        weights = weights + step
        if float(np.abs(step).max()) < 1e-9:
            break
    named = dict(zip(("intercept", *_NAMES), (round(float(weight), 4) for weight in weights), strict=True))
    return GateWeights(**named)


def cost_points(
    examples: Sequence[Example], trusts: Sequence[float], tau: float, costs: Costs
) -> tuple[CostPoint, ...]:
    """Ours beside the shipped gate, always reading, always looking, the best that is possible, and looking at random as often as ours
    does."""
    looked = [trust < tau for trust in trusts]
    share = sum(looked) / len(looked)
    ours = _cost("ours", examples, looked, costs)
    never = _cost("always text", examples, [False] * len(examples), costs)
    always = _cost("always vision", examples, [True] * len(examples), costs)
    shipped = _cost(
        "shipped gate",
        examples,
        [trust_in_text(example.before, GateWeights())[0] < GLANCE_THRESHOLD for example in examples],
        costs,
    )
    oracle = _cost("oracle", examples, [not example.text_right and example.glance_right for example in examples], costs)
    mixed = CostPoint(
        name="random mix",
        looked=share,
        right=round(never.right + share * (always.right - never.right), 4),
        cost=round(never.cost + share * (always.cost - never.cost), 4),
    )
    return (never, ours, shipped, mixed, oracle, always)


def cost_curve(examples: Sequence[Example], trusts: Sequence[float], costs: Costs) -> tuple[CostPoint, ...]:
    """Every threshold: share looked at, share right, and cost a page."""
    cuts = sorted({0.0, *(trust + 1e-6 for trust in trusts)})
    return tuple(_cost(f"{cut:.1f}", examples, [trust < cut for trust in trusts], costs) for cut in cuts)


def _cost(name: str, examples: Sequence[Example], looked: Sequence[bool], costs: Costs) -> CostPoint:
    right = spent = 0.0
    for example, look in zip(examples, looked, strict=True):
        ok = (example.glance_right or example.text_right) if look else example.text_right
        right += ok
        spent += 0 if ok else costs.wrong
        spent += costs.second * example.seconds + costs.thousand_tokens * example.tokens / 1000 if look else 0
    count = len(examples)
    return CostPoint(
        name=name, looked=round(sum(looked) / count, 4), right=round(right / count, 4), cost=round(spent / count, 4)
    )


def held_out_trust(examples: Sequence[Example]) -> list[float]:
    """The trust in each page by weights that were fitted without its site."""
    sites = sorted({example.site for example in examples})
    fold_of = {site: number % min(FOLDS, len(sites)) for number, site in enumerate(sites)}
    trusts = [0.0] * len(examples)
    for fold in set(fold_of.values()):
        rest = [example for example in examples if fold_of[example.site] != fold]
        kinds = {example.needs_look for example in rest}
        used = rest if len(kinds) == 2 else list(examples)
        weights = fit_weights([one.before for one in used], [not one.needs_look for one in used])
        for place, example in enumerate(examples):
            if fold_of[example.site] == fold:
                trusts[place] = trust_in_text(example.before, weights)[0]
    return trusts


def _best_threshold(examples: Sequence[Example], trusts: Sequence[float], costs: Costs) -> float:
    """The threshold that costs least, in the middle of the interval of equal cost."""
    cuts: list[float] = sorted({0.0, 100.0, *trusts})
    middles: list[float] = [0.0, *((one + other) / 2 for one, other in pairwise(cuts)), 100.0]
    needed = [example.needs_look for example in examples]

    def loss(cut: float) -> tuple[float, float]:
        looked = [trust < cut for trust in trusts]
        missed = sum(need and not look for need, look in zip(needed, looked, strict=True))
        wasted = sum(look and not need for need, look in zip(needed, looked, strict=True))
        looking = costs.thousand_tokens + costs.second
        return (costs.wrong * missed + looking * wasted, abs(cut - 50))

    best: float = min(middles, key=loss)
    return round(best, 2)


def _second_threshold(examples: Sequence[Example], weights: GateWeights, costs: Costs) -> float:
    """The second threshold: pages that are still wrong after OCR should go to the model."""
    looked = [example for example in examples if example.needs_look]
    trusts = [trust_in_text(example.after, weights)[0] for example in looked]
    cuts: list[float] = sorted({0.0, *(trust + 0.01 for trust in trusts), 100.0})

    def loss(cut: float) -> tuple[float, float]:
        total = 0.0
        for example, trust in zip(looked, trusts, strict=True):
            if trust < cut:
                total += costs.thousand_tokens * example.tokens / 1000
            elif not example.glance_right:
                total += costs.wrong
        return (round(total, 9), cut)

    best: float = min(cuts, key=loss)
    return round(best, 2)


def _row(doubt: GateInputs) -> NDArray[np.float64]:
    return np.array([1.0, doubt.understanding / 100, doubt.answered, doubt.blind, doubt.gap])
