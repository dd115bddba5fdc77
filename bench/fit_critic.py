"""Fits the weights of the built-in passage critic on the questions of the building sites of bench/answers and the shared sites, and
prints recall and specificity on sites that were held out.

usage: python bench/fit_critic.py [--pages 20]
Every part of the questions is used. The intercept is such that the threshold of 0.1 leaves out `REFUSED` of the passages without
evidence. Libraries are kept in bench/out/critic; remove them after a change of perception.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.options import parser_of, sites_of
from answers.question_set import PARTS
from answers.shared_sites import shared_sites
from critic_cases import cases_of, site_library

from evaluation.critic.cases import PassageCase
from evaluation.critic.filtering import WeighedCase, filtering_at
from walker.calibration.logistic_fit import SignalExample, fit_logistic
from walker.seams.passage_critic import KEEP_FROM, Weight
from walker.strategies.answers.answer_chance import Logistic, log_odds_of
from walker.strategies.passages import builtin_passage_critic
from walker.strategies.passages.builtin_passage_critic import CriticWeights, critic_weights, rows_of
from walker.strategies.passages.passage_signals import SIGNALS, Rows

FILE = Path(builtin_passage_critic.__file__).with_name("critic_weights.json")
FOLDS, RIDGE = 5, 20.0
HARD, DRAWN = 100, 200
"""Passages without evidence that a question gives to the fit: the first by place, and others drawn at random."""
RIGHT_WEIGHT, WRONG_WEIGHT = 20.0, 40.0
"""Of a piece of evidence, and of all passages of a question without any."""
REFUSED = 0.95
ROUNDS = 2
"""In the first the whole question is fitted, then for each passage the likeliest of the question and its parts."""
Values = npt.NDArray[np.float64]


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """A case, its signals for the question and each part, and which passages are examples, with their weights."""

    case: PassageCase
    rows: tuple[Rows, ...]
    chosen: tuple[int, ...]
    weights: tuple[float, ...]


def gather(case: PassageCase, chance: np.random.Generator) -> Gathered:
    """The signals of a case; examples are all passages with evidence and some of the others."""
    rows = rows_of(case.sought.question, case.passages, case.sought.language)
    wrong = np.array([place for place in range(len(case.passages)) if place not in case.right], np.int64)
    by_place = wrong[np.argsort(rows[0][wrong, SIGNALS.index("rank")], kind="stable")]
    hard, rest = by_place[:HARD], by_place[HARD:]
    drawn = chance.choice(rest, min(DRAWN, len(rest)), replace=False) if len(rest) else rest
    right = sorted(case.right)
    one = WRONG_WEIGHT / max(1, len(case.passages))
    weights = [RIGHT_WEIGHT * len(case.evidence) / len(right)] * len(right)
    weights += [one] * len(hard) + [one * len(rest) / max(1, len(drawn))] * len(drawn)
    return Gathered(case=case, rows=rows, chosen=(*right, *map(int, hard), *map(int, drawn)), weights=tuple(weights))


def fit(gathered: Sequence[Gathered]) -> Logistic:
    """The function of least loss, before its intercept is set."""
    function: Logistic | None = None
    for _ in range(ROUNDS):
        examples = [example for one in gathered for example in _examples(one, function)]
        function = fit_logistic(SIGNALS, examples, ridge=RIDGE)
    assert function is not None, "there are rounds"
    odds = np.concatenate([np.delete(scores(one, function), sorted(one.case.right)) for one in gathered])
    shift = log_odds_of(KEEP_FROM) - float(np.quantile(odds, REFUSED))
    return msgspec.structs.replace(function, intercept=round(function.intercept + shift, 3))


def _examples(one: Gathered, function: Logistic | None) -> list[SignalExample]:
    places = list(one.chosen)
    rows = np.stack([part[places] for part in one.rows])
    best = np.zeros(len(places), np.int64) if function is None else _odds(rows, function).argmax(axis=0)
    return [
        SignalExample(signals=tuple(map(float, signals)), right=place in one.case.right, weight=weight)
        for place, signals, weight in zip(places, rows[best, np.arange(len(places))], one.weights, strict=True)
    ]


def _odds(rows: Rows, function: Logistic) -> Values:
    weights = np.array([function.weights.get(name, 0.0) for name in SIGNALS])
    odds: Values = rows @ weights + function.intercept
    return odds


def scores(one: Gathered, function: Logistic) -> Values:
    """Log odds of each passage: the highest of the question and its parts."""
    best: Values = np.stack([_odds(rows, function) for rows in one.rows]).max(axis=0)
    return best


def weighed(one: Gathered, function: Logistic) -> WeighedCase:
    """The case as it is weighed by a function."""
    chances = 1 / (1 + np.exp(-np.clip(scores(one, function), -30, 30)))
    return WeighedCase(case=one.case, weights=tuple(Weight(chance=float(chance)) for chance in chances))


def print_held_out(gathered: Sequence[Gathered], pages: int) -> None:
    """Recall and specificity on sites that a function was not fitted on, of all sites and of each."""
    sites = sorted({one.case.sought.site for one in gathered})
    told: list[WeighedCase] = []
    for fold in range(FOLDS):
        held = sites[fold::FOLDS]
        function = fit([one for one in gathered if one.case.sought.site not in held])
        told += [weighed(one, function) for one in gathered if one.case.sought.site in held]
    for threshold in (0.05, KEEP_FROM, 0.2, 0.3, 0.5):
        row = filtering_at(told, threshold, pages)
        assert row is not None, "cases have evidence"
        print(
            f"held out at {threshold:g}: recall {row.recall:.3f}, specificity {row.specificity:.3f}, kept {row.kept:.1f}"
        )
    for site in sites:
        row = filtering_at([one for one in told if one.case.sought.site == site], KEEP_FROM, pages)
        assert row is not None, "cases have evidence"
        print(
            f"  {site}: recall {row.recall:.3f} of {row.pieces}, specificity {row.specificity:.3f}, kept {row.kept:.1f}"
        )


def main() -> None:
    """Gather, print what is found on sites held out, fit on all and write."""
    parser = parser_of(__doc__)
    parser.add_argument("--pages", type=int, default=20)
    options = parser.parse_args()
    options.half, options.parts = "building", PARTS
    chance, gathered = np.random.default_rng(0), []
    with sites_of(options) as sites, shared_sites() as shared:
        for served in (*sites, *shared):
            with site_library(served) as library:
                cases = cases_of(served, served.questions, library, options.pages)
            gathered += [gather(case, chance) for case in cases if case.evidence]
    print_held_out(gathered, options.pages)
    names = ", ".join(sorted({one.case.sought.site for one in gathered}))
    weights = CriticWeights(fitted_on=f"{len(gathered)} questions of {names}", passage=fit(gathered))
    FILE.write_bytes(msgspec.json.format(msgspec.json.encode(weights), indent=1) + b"\n")
    critic_weights.cache_clear()


if __name__ == "__main__":
    main()
