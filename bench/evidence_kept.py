"""Prints how much of the verbatim evidence stands in the prompts of the step that stands on its page.

For each piece of evidence one walk of one page starts at the page itself, with the default settings, against an endpoint that
keeps the prompts and says nothing. White space, quotes, dashes, table separators and the numbers of links are normalised; a form
of the answer elsewhere on the page does not count. The median size of a prompt is printed with it.
usage: python bench/evidence_kept.py [--questions FILE --site NAME=BASE ...] [--half HALF] [--list-failures] [--checkout DIR]
"""

from __future__ import annotations

import asyncio
import json
import shlex
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from answers.blank_reply import blank, schema_of
from answers.comparing import holds
from answers.options import listed, parser_of, sites_of, write_results
from answers.question_set import HALVES, Question, Site
from answers.sites_here import ServedSite
from answers.slices import Scored, table_of
from answers.walks import Recognised, Walk, walk_all
from figures import print_figure

from walker.models.token_count import count_tokens
from walker.testing.chat_server import Asked, Reply

WANTED = 0.99
ONE_PAGE = ("--max-pages", "1")


class Listener:
    """A model that says nothing and keeps what each walk sent."""

    def __init__(self, walks: Sequence[Walk]) -> None:
        self._recognised = Recognised(walks)
        self.sent: dict[str, list[str]] = {walk.id: [] for walk in walks}

    def __call__(self, asked: Asked) -> Reply:
        """Keep the prompt, reply with nothing."""
        walk = self._recognised.walk_of(asked.prompt)
        if walk is not None:
            self.sent[walk.id].append(asked.prompt)
        return Reply(text=json.dumps(blank(schema_of(asked.body))))


def rounds_of(sites: Sequence[ServedSite]) -> list[dict[str, tuple[ServedSite, Question, int]]]:
    """The pieces of evidence, so that no round asks a question twice: the first piece of each question, the second of each ..."""
    rounds: list[dict[str, tuple[ServedSite, Question, int]]] = []
    for served in sites:
        for question in served.questions:
            for number, piece in enumerate(question.evidence):
                if piece:
                    rounds += [{} for _ in range(number + 1 - len(rounds))]
                    rounds[number][f"{question.id}#{number}"] = (served, question, number)
    return rounds


async def measure(
    sites: Sequence[ServedSite], options: Sequence[str], checkout: Path
) -> tuple[list[Scored], list[tuple[Site, str]], list[int]]:
    """Whether each piece was kept, a line for each that was not, and the tokens of each prompt."""
    scored: list[Scored] = []
    lost: list[tuple[Site, str]] = []
    sizes: list[int] = []
    for pieces in rounds_of(sites):
        walks = [
            Walk(id=id_, question=one.text, root=served.address(one.sources[number]), lang=one.lang)
            for id_, (served, one, number) in pieces.items()
        ]
        listener = Listener(walks)
        ended = await walk_all(walks, listener, [*ONE_PAGE, *options], checkout=checkout)
        sizes += [count_tokens(prompt) for prompts in listener.sent.values() for prompt in prompts]
        for id_, (served, one, number) in pieces.items():
            kept = any(holds(prompt, one.evidence[number]) for prompt in listener.sent[id_])
            scored.append(Scored(site=served.site, question=one, is_right=kept, piece=number))
            if not kept:
                why = ended[id_].error or ("no prompt showed it" if listener.sent[id_] else "nothing was asked")
                place = f"{one.kind} {one.where or 'text'} {one.sources[number]}"
                lost.append((served.site, f"lost {id_} {place}: {why}: {one.evidence[number]!r}"))
    return scored, lost, sizes


def main() -> None:
    """Measure, print the table, then the figures."""
    options = parser_of(__doc__).parse_args()
    with sites_of(options) as sites:
        scored, lost, sizes = asyncio.run(measure(sites, shlex.split(options.more), options.checkout))
    write_results(options.results, scored)
    for line in listed(lost) if options.list_failures else ():
        print(line)
    for line in table_of(scored):
        print(f"evidence kept: {line}")
    if sizes:
        print_figure("tokens of a prompt, median", statistics.median(sizes), "tokens", "printed", True)
    for half in HALVES:
        members = [one.is_right for one in scored if one.site.half == half]
        if members and options.questions is None:
            share = sum(members) / len(members)
            print_figure(f"evidence kept, {half}", round(share, 3), "share", f">= {WANTED}", share >= WANTED)


if __name__ == "__main__":
    main()
