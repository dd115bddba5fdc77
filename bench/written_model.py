"""Prints what walks answer with real judgement behind them: replies to their prompts were written by careful readers who saw the
prompts alone, and are kept with the project. All modules, and the same without vision, stack and counter (the WebWalker
baseline), on one sample of questions; with `--mode each` also without each of the three.

usage: python bench/written_model.py [--half HALF] [--sample 24] [--kinds KIND,KIND] [--seed 14] [--pages 15]
       [--mode all|no-vision|no-stack|no-counter|baseline|both|each] [--base-url URL] [--price IN,OUT]

The sample is drawn by the seed alone: site after site gives the kind of question that was drawn least so far, and of that kind
one that lies at least two clicks deep where it has any left. So every site is there from as many questions as there are sites,
and every kind that they have soon after.

With --base-url a live endpoint answers instead of the kept replies; add what it wrote to bench/answers/written_replies.jsonl.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import shlex
import statistics
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from answers.options import parser_of, sites_of, write_results
from answers.prices import Prices, price_in
from answers.question_set import KINDS, Kind, Question, kinds_in
from answers.scoring import is_right
from answers.sites_here import ServedSite
from answers.slices import Scored, table_of
from answers.walks import MODEL, Ended, Walk, walk_all
from answers.written_replies import WrittenReplies
from figures import print_figure

WANTED, ABOVE_BASELINE = 0.9, 1.25
SAMPLE, PAGES, SEED = 24, 15, 14
DEEP = 2
"""Clicks from which a question is preferred: a walk has to find its way there."""
MODES = {
    "all": "",
    "no-vision": "--without vision",
    "no-stack": "--without stack",
    "no-counter": "--without counter",
    "baseline": "--without vision --without stack --without counter",
}
TOGETHER = {"both": ("all", "baseline"), "each": tuple(MODES)}
Asked = tuple[ServedSite, Question]


def drawn(sites: Sequence[ServedSite], count: int, kinds: Sequence[Kind] = KINDS, seed: int = SEED) -> list[Asked]:
    """A sample of so many questions: of each site and of each kind as equally many as there are, and of those the ones that lie
    deep. The same arguments draw the same questions."""
    left = {served.site.name: _shuffled(served, kinds, seed) for served in sites}
    taken: Counter[str] = Counter()
    chosen: list[Asked] = []
    for name in itertools.cycle(left):
        if len(chosen) >= count or not any(left.values()):
            return chosen
        if left[name]:
            # The kind that was drawn least so far; of one kind the order that chance gave, deep ones first.
            best = min(left[name], key=lambda one: taken[one[1].kind])
            left[name].remove(best)
            taken[best[1].kind] += 1
            chosen.append(best)
    return chosen


def _shuffled(served: ServedSite, kinds: Sequence[Kind], seed: int) -> list[Asked]:
    chance = random.Random(f"{seed} {served.site.name}")
    asked = [(served, one) for one in served.questions if one.kind in kinds]
    return sorted(chance.sample(asked, len(asked)), key=lambda one: max(one[1].depth, default=0) < DEEP)


def measure(asked: Sequence[Asked], options: Sequence[str], base_url: str, checkout: Path) -> list[Ended]:
    """Walk each question."""
    walks = [Walk(id=one.id, question=one.text, root=served.address(one.root), lang=one.lang) for served, one in asked]
    replies = WrittenReplies()
    ended = asyncio.run(walk_all(walks, replies, options, checkout=checkout, base_url=base_url))
    if replies.unknown:
        sys.stderr.write(f"{replies.unknown} of {replies.known + replies.unknown} prompts have no kept reply\n")
    return [ended[one.id] for _, one in asked]


def report_costs(mode: str, ended: Sequence[Ended], price: Prices | None) -> None:
    """Medians of a question: tokens, and money where the price of a million is given."""
    if not ended:
        return
    name, tokens = f"written model, {mode}", statistics.median(end.tokens for end in ended)
    print_figure(f"{name}: tokens of a question, median", tokens, "tokens", "<= 25000", tokens <= 25_000)
    if price is not None:
        costs = [price.of(end.prompt_tokens, end.completion_tokens) for end in ended]
        print_figure(f"{name}: money for a question, median", round(statistics.median(costs), 5), "", "-", True)


def report_modules(scored: Mapping[str, Sequence[Scored]]) -> None:
    """What each mode that leaves something out gets right, and the kinds of question of which it gets more than all modules: what
    it leaves out lowers them."""
    have = _right_by_kind(scored["all"])
    for mode in (mode for mode in scored if mode != "all"):
        without = _right_by_kind(scored[mode])
        lowered = [f"{kind} {have[kind]} < {without[kind]}" for kind in KINDS if have[kind] < without[kind]]
        print(f"written model, {mode}: {without.total()} right, all modules {have.total()}")
        print_figure(f"{mode}: kinds that all modules lower", ", ".join(lowered) or "none", "", "none", not lowered)


def _right_by_kind(scored: Sequence[Scored]) -> Counter[Kind]:
    return Counter(one.question.kind for one in scored if one.is_right)


def main() -> None:
    """Walk the sample in each mode and print the tables, then the figures."""
    parser = parser_of(__doc__)
    parser.add_argument("--pages", type=int, default=PAGES, help="most pages of a walk")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="so many questions, drawn as said above")
    parser.add_argument("--kinds", type=kinds_in, default=KINDS, help="only these kinds, separated by commas")
    parser.add_argument("--seed", type=int, default=SEED, help="another number draws another sample")
    parser.add_argument(
        "--mode",
        choices=[*MODES, *TOGETHER],
        default="both",
        help="all modules, without one of them, without all (baseline), all and the baseline (both, the default), or each of these",
    )
    parser.add_argument("--base-url", default="", help="a live endpoint instead of the kept replies")
    parser.add_argument(
        "--price", type=price_in, metavar="IN,OUT", help="of a million tokens: what a question costs is printed"
    )
    options = parser.parse_args()
    options.half = options.half or "validation"
    by_mode: dict[str, list[Scored]] = {}
    with sites_of(options) as sites:
        asked = drawn(sites, options.sample, options.kinds, options.seed)
        for mode in TOGETHER.get(options.mode, (options.mode,)):
            more = ["--max-pages", str(options.pages), "--vision-model", MODEL, *shlex.split(options.more)]
            ended = measure(asked, [*more, *shlex.split(MODES[mode])], options.base_url, options.checkout)
            scored = [
                Scored(site=served.site, question=one, is_right=is_right(one, end))
                for (served, one), end in zip(asked, ended, strict=True)
            ]
            write_results(options.results, scored)
            for line in table_of(scored):
                print(f"written model, {mode}: {line}")
            failed = [end.error for end in ended if end.error]
            print(f"written model, {mode}: walks that failed: {len(failed)}", *dict.fromkeys(failed), sep="\n  ")
            by_mode[mode] = scored
            sure = [
                one.is_right for one, end in zip(scored, ended, strict=True) if end.answer and end.confidence >= 0.8
            ]
            print(f"written model, {mode}: said with confidence >= 0.8: {len(sure)}, right {sum(sure)}")
            report_costs(mode, ended, options.price)
    shares = {mode: sum(one.is_right for one in scored) / max(1, len(scored)) for mode, scored in by_mode.items()}
    if "all" in shares:
        print_figure("written model, all", round(shares["all"], 3), "share", f">= {WANTED}", shares["all"] >= WANTED)
        report_modules(by_mode)
    if {"all", "baseline"} <= shares.keys():
        ratio = shares["all"] / max(shares["baseline"], 0.01)
        print_figure("written model / baseline", round(ratio, 2), "x", f">= {ABOVE_BASELINE}", ratio >= ABOVE_BASELINE)


if __name__ == "__main__":
    main()
