"""Prints what walks answer with real judgement behind them: replies to their prompts were written by careful readers who saw the
prompts alone, and are kept with the project. All modules, and the same without vision, stack and counter (the WebWalker
baseline), on one sample of questions.

usage: python bench/written_model.py [--half HALF] [--sample 24] [--pages 15] [--mode all|baseline|both] [--base-url URL]

With --base-url a live endpoint answers instead of the kept replies; add what it wrote to bench/answers/written_replies.jsonl.
"""

from __future__ import annotations

import asyncio
import itertools
import random
import shlex
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from answers.options import parser_of, sites_of, write_results
from answers.question_set import Question
from answers.scoring import is_right
from answers.sites_here import ServedSite
from answers.slices import Scored, table_of
from answers.walks import MODEL, Ended, Walk, walk_all
from answers.written_replies import WrittenReplies
from figures import print_figure

WANTED, ABOVE_BASELINE = 0.9, 1.25
SAMPLE, PAGES, SEED = 24, 15, 7
MODES = {"all": "", "baseline": "--without vision --without stack --without counter"}
ROUNDS = (("single",), ("multi",), ("quota", "exhaustive"), ("visual", "none"))
"""Kinds of questions that are drawn in turn at each site, so that a small sample has some of each."""
Asked = tuple[ServedSite, Question]


def drawn(sites: Sequence[ServedSite], count: int) -> list[Asked]:
    """A sample of so many questions with a fixed seed: the same number of each site, kinds in turn."""
    queues = [_in_turn(served) for served in sites]
    rounds = itertools.zip_longest(*queues)
    return [one for row in rounds for one in row if one is not None][:count]


def _in_turn(served: ServedSite) -> list[Asked]:
    chance = random.Random(f"{SEED} {served.site.name}")
    left = chance.sample(served.questions, len(served.questions))
    ordered: list[Asked] = []
    for kinds in itertools.cycle(ROUNDS):
        if not left:
            return ordered
        chosen = next((one for one in left if one.kind in kinds), None)
        if chosen is not None:
            left.remove(chosen)
            ordered.append((served, chosen))
    return ordered


def measure(asked: Sequence[Asked], options: Sequence[str], base_url: str, checkout: Path) -> list[Ended]:
    """Walk each question."""
    walks = [Walk(id=one.id, question=one.text, root=served.address(one.root), lang=one.lang) for served, one in asked]
    replies = WrittenReplies()
    ended = asyncio.run(walk_all(walks, replies, options, checkout=checkout, base_url=base_url))
    if replies.unknown:
        sys.stderr.write(f"{replies.unknown} of {replies.known + replies.unknown} prompts have no kept reply\n")
    return [ended[one.id] for _, one in asked]


def main() -> None:
    """Walk the sample in each mode and print the tables, then the figures."""
    parser = parser_of(__doc__)
    parser.add_argument("--pages", type=int, default=PAGES, help="most pages of a walk")
    parser.add_argument("--sample", type=int, default=SAMPLE, help="so many questions, drawn with a fixed seed")
    parser.add_argument("--mode", choices=[*MODES, "both"], default="both", help="all modules, none of them, or both")
    parser.add_argument("--base-url", default="", help="a live endpoint instead of the kept replies")
    options = parser.parse_args()
    options.half = options.half or "validation"
    shares: dict[str, float] = {}
    with sites_of(options) as sites:
        asked = drawn(sites, options.sample)
        for mode in MODES if options.mode == "both" else (options.mode,):
            more = ["--max-pages", str(options.pages), "--vision-model", MODEL, *shlex.split(options.more)]
            ended = measure(asked, [*more, *shlex.split(MODES[mode])], options.base_url, options.checkout)
            scored = [
                Scored(site=served.site, question=one, is_right=is_right(one, end))
                for (served, one), end in zip(asked, ended, strict=True)
            ]
            write_results(options.results, scored)
            for line in table_of(scored):
                print(f"written model, {mode}: {line}")
            shares[mode] = sum(one.is_right for one in scored) / max(1, len(scored))
            sure = [
                one.is_right for one, end in zip(scored, ended, strict=True) if end.answer and end.confidence >= 0.8
            ]
            print(f"written model, {mode}: said with confidence >= 0.8: {len(sure)}, right {sum(sure)}")
            tokens = statistics.median(end.tokens for end in ended) if ended else 0
            print_figure(
                f"written model, {mode}: tokens of a question, median", tokens, "tokens", "<= 25000", tokens <= 25_000
            )
    if "all" in shares:
        print_figure("written model, all", round(shares["all"], 3), "share", f">= {WANTED}", shares["all"] >= WANTED)
    if len(shares) == len(MODES):
        ratio = shares["all"] / max(shares["baseline"], 0.01)
        print_figure("written model / baseline", round(ratio, 2), "x", f">= {ABOVE_BASELINE}", ratio >= ABOVE_BASELINE)


if __name__ == "__main__":
    main()
