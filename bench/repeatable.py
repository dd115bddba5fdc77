"""Prints how far the prompts of a walk depend on the load of the machine and the network: the same walks on the machine as it is,
and again with busy processes beside them and a site that answers late, each file at another delay.

usage: python bench/repeatable.py [--half building] [--only SITE,SITE] [--questions-each 2] [--pages 6] [--rounds 3] [--load 15]
       [--late-ms 400] [--list-differences] [--keep FOLDER] [--first FILE]

The model's reply is a function of its prompt alone: where a walk asks another prompt, its pages were read differently. A prompt
counts as equal where the walk has asked the same one, byte for byte, in the first round; markers and ports do not count.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import difflib
import json
import multiprocessing
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from answers.options import parser_of
from answers.question_set import MEASURED, SiteQuestions, read_set
from answers.serving import Pace, at_once, serve_site
from answers.sites_here import ServedSite
from answers.steady import Steady
from answers.unpacking import pages_of
from answers.walks import MODEL, Walk, walk_all
from figures import print_figure

SITES = "golem-wiki,loewen-erfurt,abz-conference,ustc-lug"
"""Two that scripts build, and two that are as they were sent."""
WANTED = 0.98
LINES_SHOWN = 6
Prompts = dict[str, list[str]]


def spin() -> None:
    """Keep a processor busy until the process is ended."""
    while True:
        sum(range(10_000))


@contextlib.contextmanager
def busy(processes: int) -> Iterator[None]:
    """So many processes that compute while the block runs."""
    started = [multiprocessing.Process(target=spin, daemon=True) for _ in range(processes)]
    for one in started:
        one.start()
    try:
        yield
    finally:
        for one in started:
            one.kill()
            one.join()


def late(most_ms: int, seed: int) -> Pace:
    """A pace at which each answer takes a time of its own, up to so many milliseconds."""
    chance = random.Random(seed)

    def wait(_: str) -> None:
        time.sleep(chance.random() * most_ms / 1000)

    return wait


def asked_in_a_round(sites: Sequence[tuple[SiteQuestions, Path]], pace: Pace, options: argparse.Namespace) -> Prompts:
    """The prompts of every walk, by question."""
    with contextlib.ExitStack() as stack:
        walks = []
        for one, folder in sites:
            base = stack.enter_context(serve_site(one.site, folder, pace))
            served = ServedSite(site=one.site, base=base, questions=one.questions)
            for question in one.questions[:: max(1, len(one.questions) // options.questions_each)]:
                root = served.address(question.root)
                walks.append(Walk(id=question.id, question=question.text, root=root, lang=question.lang))
        model = Steady(walks)
        # No walk ends by the clock: it would be shorter where the machine is busier.
        bounds = ["--max-pages", str(options.pages), "--max-seconds", "36000"]
        more = [*bounds, "--vision-model", MODEL, *options.more.split()]
        asyncio.run(walk_all(walks, model, more, checkout=options.checkout))
    return model.prompts


def equal_share(first: Prompts, again: Prompts) -> tuple[int, int]:
    """Prompts of a later round that the first round has asked in the same walk; and all of that round, or of the first where a walk
    has asked more there."""
    equal = sum((Counter(again[walk]) & Counter(first[walk])).total() for walk in again)
    return equal, sum(max(len(again[walk]), len(first[walk])) for walk in again)


def first_difference(first: Sequence[str], again: Sequence[str]) -> list[str]:
    """The first lines in which the first new prompt differs from the one of the first round that is most like it."""
    new = next((one for one in again if one not in first), None)
    if new is None:
        return []
    lines = _lines(new)
    nearest = max(map(_lines, first), key=lambda one: _likeness(one, lines), default=[])
    changes = [line for line in difflib.ndiff(nearest, lines) if line[:2] in ("- ", "+ ")]
    return [f"prompt {again.index(new) + 1}", *(line[:200] for line in changes[:LINES_SHOWN])]


def _likeness(one: Sequence[str], other: Sequence[str]) -> float:
    return difflib.SequenceMatcher(None, one, other, autojunk=False).ratio()


def _lines(prompt: str) -> list[str]:
    """The text of a request line by line; what is no message stands in a line of its own."""
    messages, *rest = json.loads(prompt)
    lines = [json.dumps(rest)[:400]]
    for message in messages:
        content = message.get("content") or ""
        parts = content if isinstance(content, list) else [{"text": content}]
        lines += [line for part in parts for line in str(part.get("text", part)).splitlines()]
    return lines


def main() -> None:
    """Walk in rounds, and print the figure of each."""
    parser = parser_of(__doc__)
    parser.set_defaults(half="building", only=SITES)
    parser.add_argument("--questions-each", type=int, default=2, help="questions of each site")
    parser.add_argument("--pages", type=int, default=6, help="most pages of a walk")
    parser.add_argument("--rounds", type=int, default=3, help="rounds after the first one")
    parser.add_argument("--load", type=int, default=15, help="busy processes during these rounds")
    parser.add_argument("--late-ms", type=int, default=400, help="longest delay of an answer in these rounds")
    parser.add_argument("--list-differences", action="store_true", help="where each walk first went another way")
    parser.add_argument("--keep", type=Path, help="a folder that gets the prompts of each round")
    parser.add_argument(
        "--first", type=Path, help="the file of a first round that was kept, instead of walking it again"
    )
    options = parser.parse_args()
    only = options.only.split(",")
    found = [one for one in read_set(halves=[options.half], parts=options.parts or MEASURED) if one.site.name in only]
    sites = [(one, pages) for one in found if (pages := pages_of(one.site, options.cache)) is not None]
    if not sites:
        sys.stderr.write("skipped: no site of bench/answers is unpacked here\n")
        return
    if options.first is not None:
        first: Prompts = json.loads(options.first.read_text())
    else:
        first = asked_in_a_round(sites, at_once, options)
    _keep(options.keep, 0, first)
    equal = total = 0
    for number in range(1, options.rounds + 1):
        with busy(options.load):
            again = asked_in_a_round(sites, late(options.late_ms, number), options)
        _keep(options.keep, number, again)
        same, all_ = equal_share(first, again)
        equal, total = equal + same, total + all_
        print(f"repeatable: round {number}: {same} of {all_} prompts are those of the first round", flush=True)
        for walk in again if options.list_differences else ():
            for line in first_difference(first[walk], again[walk]):
                print(f"repeatable: {walk}: {line}")
    share = equal / max(1, total)
    print_figure("prompts that load leaves as they are", round(share, 3), "share", f">= {WANTED}", share >= WANTED)


def _keep(folder: Path | None, number: int, prompts: Prompts) -> None:
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"round-{number}.json").write_text(json.dumps(prompts, ensure_ascii=False, indent=1))


if __name__ == "__main__":
    main()
