"""Prints how much a summary of a page by its own sentences keeps: how often the quotes that prove an answer stand in the at most five
sentences, for the questions of bench/answers whose page is at hand (no PDF files, no pictures, one source page).

usage: python bench/summaries.py [--half building|validation] [--only NAME,NAME] [--list-failures]
A line for each failure only of the building half.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.question_set import HALVES, Question
from answers.sites_here import ServedSite, served_sites
from answers.unpacking import CACHE
from figures import print_figure
from library import pages_of

from memory.findings import SENTENCES, PageSummary
from memory.library.protocol import WholePage
from memory.retrieval import Ranker, WordLlamaEmbedder
from memory.url_key import key_of
from walker.models.token_count import count_tokens
from walker.seams.task import Task
from walker.strategies.answers.passages import split_sentences
from walker.strategies.model.quotes import pieces_of, squeezed
from walker.strategies.summaries.sentence_summary import SentenceSummariser

RECALL = 0.85
KINDS = ("single", "multi")
"""Questions whose proof is a quote; a list that is counted fits in no five sentences."""


class Summarised(msgspec.Struct, frozen=True, kw_only=True):
    """A question, the summary of its page, and what of the two is compared."""

    question: Question
    quote: str
    page: WholePage
    summary: PageSummary

    @property
    def is_kept(self) -> bool:
        """Whether the quote stands in the summary."""
        said = squeezed(self.summary.summary)
        return all(squeezed(piece) in said for piece in pieces_of(self.quote))

    @property
    def is_quoted(self) -> bool:
        """Whether all evidence stands on the page."""
        return all(squeezed(quote) in squeezed(self.page.text) for quote in self.summary.evidence)


def main() -> None:
    """Prints the figures of each half."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--only", default="")
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--list-failures", action="store_true")
    options = parser.parse_args()
    summariser = SentenceSummariser(Ranker(WordLlamaEmbedder.load()))
    for half in (options.half,) if options.half else HALVES:
        only = tuple(filter(None, options.only.split(",")))
        began = time.process_time()
        with served_sites(options.cache, halves=(half,), only=only) as served:
            made = [one for site in served for one in summarised_on(site, summariser)]
        if made:
            print_made(half, made, time.process_time() - began)
        if half == "building" and options.list_failures:
            for one in made:
                if not one.is_kept:
                    sys.stderr.write(f"{one.question.id} {one.question.text}\n    “{one.quote}”\n")
                    sys.stderr.write("".join(f"    - {line[:200]}\n" for line in one.summary.summary.split("\n")))


def print_made(half: str, made: list[Summarised], seconds: float) -> None:
    """The figures of one half."""
    kept = statistics.mean(one.is_kept for one in made)
    name = f"summaries, {half}: quotes of {len(made)} answers that stand in the summary of their page"
    print_figure(name, round(kept, 3), "share", f">= {RECALL}", kept >= RECALL)
    quoted = sum(not one.is_quoted for one in made)
    print_figure(f"summaries, {half}: summaries with evidence that is not on the page", quoted, "", "0", quoted == 0)
    most = max(sum(len(split_sentences(line)) for line in one.summary.summary.split("\n")) for one in made)
    print_figure(f"summaries, {half}: most sentences", most, "", f"<= {SENTENCES}", most <= SENTENCES)
    tokens = statistics.mean(count_tokens(one.summary.summary) for one in made)
    whole = statistics.mean(len(one.page.text) / 4 for one in made)
    print_figure(
        f"summaries, {half}: mean tokens of a summary, of pages of about {whole:.0f}", round(tokens), "", "", True
    )
    print_figure(f"summaries, {half}: processor time, with reading the sites", round(seconds, 1), "s", "", True)


def summarised_on(site: ServedSite, summariser: SentenceSummariser) -> Iterator[Summarised]:
    """The summary of each source page whose text has the quote, for its question."""
    pages = {
        str(key_of(page.url)): WholePage(url=page.url, title=page.title, lines=page.lines) for page in pages_of(site)
    }
    for question in site.questions:
        if question.kind not in KINDS or len(question.sources) != 1 or question.picture:
            continue
        page = pages.get(str(key_of(site.base + question.sources[0])))
        quote = question.evidence[0]
        if page is None or not all(squeezed(piece) in squeezed(page.text) for piece in pieces_of(quote)):
            continue
        task = Task(question=question.text, root_url=site.base)
        summary = asyncio.run(summariser.summarise(task, question.text, page, 1))
        yield Summarised(question=question, quote=quote, page=page, summary=summary)


if __name__ == "__main__":
    main()
