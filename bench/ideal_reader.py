"""Prints what the runtime allows: the share of questions that a reader answers who knows evidence and ways, and takes from a
prompt only what it holds. Each failure has a cause: evidence never shown, link never offered, refused, overridden, budget.

usage: python bench/ideal_reader.py [--questions FILE --site NAME=BASE ...] [--half HALF] [--pages 15] [--sample N]
       [--list-failures] [--checkout DIR] [--with "--without counter"]
"""

from __future__ import annotations

import asyncio
import random
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from answers.ideal import IdealReader
from answers.options import listed, parser_of, sites_of, write_results
from answers.question_set import HALVES, Question, Site
from answers.reader_state import ReaderState
from answers.scoring import is_right
from answers.sites_here import ServedSite
from answers.slices import Scored, table_of
from answers.walks import MODEL, Walk, walk_all
from figures import print_figure

WANTED = 0.97
PAGES = 15
SEED = 7


def states_of(served: ServedSite, questions: Sequence[Question]) -> dict[str, ReaderState]:
    """What the reader knows of each question of a site."""
    map_ = served.map()
    ways = {source: map_.ways_to(map_.named(source)) for one in questions for source in one.sources}
    return {one.id: ReaderState(one, map_, served.base, [ways[source] for source in one.sources]) for one in questions}


async def measure(
    asked: Sequence[tuple[ServedSite, Question]],
    states: dict[str, ReaderState],
    options: Sequence[str],
    checkout: Path,
    pages: int,
) -> tuple[list[Scored], list[tuple[Site, str, str]]]:
    """Whether each question was answered, and the cause and a line for each that was not."""
    walks = [Walk(id=one.id, question=one.text, root=served.address(one.root), lang=one.lang) for served, one in asked]
    vision = ("--vision-model", MODEL)
    ended = await walk_all(
        walks, IdealReader(walks, states), ["--max-pages", str(pages), *vision, *options], checkout=checkout
    )
    scored: list[Scored] = []
    failures: list[tuple[Site, str, str]] = []
    for served, one in asked:
        right = is_right(one, ended[one.id])
        cause, detail = ("", "") if right else states[one.id].cause(ended[one.id], pages)
        scored.append(Scored(site=served.site, question=one, is_right=right, cause=cause))
        if cause:
            line = f"{cause}: {one.id} {one.kind} {one.where or 'text'}, {ended[one.id].pages} pages: {detail}"
            failures.append((served.site, cause, line))
    return scored, failures


def main() -> None:
    """Walk, print the table and the causes, then the figures."""
    parser = parser_of(__doc__)
    parser.add_argument("--pages", type=int, default=PAGES, help="most pages of a walk")
    parser.add_argument("--sample", type=int, default=0, help="only so many questions, drawn with a fixed seed")
    options = parser.parse_args()
    with sites_of(options) as sites:
        asked = [(served, question) for served in sites for question in served.questions]
        if options.sample:
            asked = random.Random(SEED).sample(asked, min(options.sample, len(asked)))
        states: dict[str, ReaderState] = {}
        for served in dict.fromkeys(served for served, _ in asked):
            states |= states_of(served, [one for home, one in asked if home is served])
        more = shlex.split(options.more)
        scored, failures = asyncio.run(measure(asked, states, more, options.checkout, options.pages))
    write_results(options.results, scored)
    for line in listed([(site, line) for site, _, line in failures]) if options.list_failures else ():
        print(line)
    for line in table_of(scored):
        print(f"ideal reader: {line}")
    for cause, count in Counter(cause for _, cause, _ in failures).most_common():
        print(f"ideal reader: failed by {cause:24} {count:>4}")
    for half in HALVES:
        members = [one.is_right for one in scored if one.site.half == half]
        if members and options.questions is None:
            share = sum(members) / len(members)
            print_figure(f"ideal reader answers, {half}", round(share, 3), "share", f">= {WANTED}", share >= WANTED)


if __name__ == "__main__":
    main()
