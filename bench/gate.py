"""The gate on pages made for it: does it look where only pixels tell, and nowhere else? Weights come from other archetypes."""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
from pathlib import Path

import msgspec
from figures import print_figure
from gate_pages import codes, geometry, pictures  # noqa: F401 - importing them enters their makers
from gate_pages.archetype import GatePage, make_pages
from gate_pages.keyword_score import keyword_score
from gate_pages.server import serve_pages

from walker.assembly import WalkResources
from walker.calibration.fit import Costs, Example, fit_gate, held_out_trust
from walker.calibration.measures import area_under_curve, resampled
from walker.calibration.pages import LabelledPage, PageMeasure
from walker.rules.gate import decide_glance, trust_in_text
from walker.seams.protocols import PageFailure
from walker.settings import GLANCE_THRESHOLD, GateWeights, Settings

KEPT = Path(__file__).parent / "out" / "gate.jsonl"


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """One page of the benchmark with what was measured."""

    archetype: str
    variant: str
    example: Example
    keyword: float


async def measure(pages: tuple[GatePage, ...]) -> list[Measured]:
    """Every page in a real browser."""
    done: list[Measured] = []
    with serve_pages(pages) as base:
        async with WalkResources(Settings(record=False)) as resources:
            taking = PageMeasure(resources)
            for page in pages:
                labelled = LabelledPage(
                    url=base + page.path,
                    question=page.question,
                    answer=page.answer,
                    site=page.archetype,
                    needs_look=page.needs_look,
                )
                taken = await taking.take(labelled)
                assert not isinstance(taken, PageFailure), taken
                done.append(
                    Measured(
                        archetype=page.archetype,
                        variant=page.variant,
                        example=taken,
                        keyword=keyword_score(page.html, page.question),
                    )
                )
                print(f"\r{len(done)}/{len(pages)} {page.path:<50}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return done


def report(done: list[Measured]) -> None:
    """Print the figures."""
    examples = [one.example for one in done]
    needed = [example.needs_look for example in examples]
    hard = [place for place, one in enumerate(done) if one.variant in ("echo", "distractor")]
    fitted = fit_gate(examples, Costs())
    doubts = [100 - trust for trust in held_out_trust(examples)]
    shipped = [100 - trust_in_text(example.before, GateWeights())[0] for example in examples]
    groups = [one.archetype for one in done]

    def area(scores: list[float], rows: list[int] | None = None) -> float:
        kept = range(len(scores)) if rows is None else rows
        return round(area_under_curve([scores[i] for i in kept], [needed[i] for i in kept]), 4)

    interval = resampled(groups, lambda rows: area_under_curve([doubts[i] for i in rows], [needed[i] for i in rows]))
    print_figure("gate AUC, archetypes held out", area(doubts), "", ">= 0.97", area(doubts) >= 0.97)
    print_figure("gate AUC, 95 % interval", [round(interval.low, 3), round(interval.high, 3)], "", "", True)
    print_figure("gate AUC on hard twins", area(doubts, hard), "", ">= 0.93", area(doubts, hard) >= 0.93)
    print_figure("gate AUC with the weights that ship", area(shipped), "", "", True)
    keyword = [100 - one.keyword for one in done]
    print_figure("keyword score AUC, all and hard", [area(keyword), area(keyword, hard)], "", "", True)
    decided = [decide_glance(one.before, GateWeights(), GLANCE_THRESHOLD, may_look=True) for one in examples]
    looked = [decision.choice == "glance" for decision in decided]
    found = sum(look for look, need in zip(looked, needed, strict=True) if need) / sum(needed)
    wasted = sum(look for look, need in zip(looked, needed, strict=True) if not need) / (len(needed) - sum(needed))
    print_figure("picture-only pages looked at", round(found, 4), "", ">= 0.95", found >= 0.95)
    print_figure("text pages looked at", round(wasted, 4), "", "<= 0.05", wasted <= 0.05)
    right = [one.example.glance_right for one in done if one.example.needs_look]
    print_figure(
        "picture-only answers found without a model",
        round(sum(right) / len(right), 4),
        "",
        ">= 0.7",
        sum(right) / len(right) >= 0.7,
    )
    print(
        json.dumps({"fitted": msgspec.to_builtins(fitted.weights), "tau": fitted.tau, "tau2": fitted.tau2}),
        file=sys.stderr,
    )


def table(done: list[Measured]) -> None:
    """One line an archetype, for who tunes."""
    for name in dict.fromkeys(one.archetype for one in done):
        cells = []
        for variant in ("pixels", "echo", "text", "distractor"):
            ones = [one for one in done if one.archetype == name and one.variant == variant]
            trusts = [trust_in_text(one.example.before, GateWeights())[0] for one in ones]
            right = sum(one.example.glance_right for one in ones)
            text = sum(one.example.text_right for one in ones)
            cells.append(f"{variant} {min(trusts):3.0f}-{max(trusts):3.0f} t{text} g{right}")
        print(f"{name:<18}", " | ".join(cells), file=sys.stderr)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=2)
    parser.add_argument("--only", default="")
    parser.add_argument("--again", action="store_true", help="report what was measured last")
    options = parser.parse_args()
    made = [page for page in make_pages(tuple(range(1, options.seeds + 1))) if options.only in page.archetype]
    random.Random(1).shuffle(made)
    if options.again:
        results = [msgspec.json.decode(line, type=Measured) for line in KEPT.read_text().splitlines()]
    else:
        results = asyncio.run(measure(tuple(made)))
        KEPT.parent.mkdir(parents=True, exist_ok=True)
        KEPT.write_text("\n".join(msgspec.json.encode(one).decode() for one in results))
    table(results)
    report(results)
