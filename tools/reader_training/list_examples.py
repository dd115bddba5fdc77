"""Examples of lists: a question that counts or names several, with the list that it means, and with others of its site."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from evaluation.grading.match import says
from memory.retrieval import Ranker
from tools.reader_training.examples import Example, Judge, Source
from tools.reader_training.list_pages import candidates_on, read_asked
from tools.reader_training.site_texts import SiteText
from tools.reader_training.written_lists import AskedPages, ListQuestion, asked_pages
from walker.rules.language import language_of
from walker.strategies.answers.list_signals import ListCandidate
from walker.strategies.builtin.counted_lists import AskedCount
from walker.strategies.builtin.list_reading import as_text

OTHERS = 3
"""Other pages whose lists are examples."""
LISTS_A_PAGE, OWN, MISTAKEN = 10, 4, 2
"""Likeliest lists of a page that are looked at; those of the same page and of each other page that are taken as wrong ones."""
HOLDS, LACKS = 0.95, 0.25
"""Share of the items from which a list is the one that is meant, and below which it is another."""


def list_examples(
    folder: Path, sites: Sequence[Source], questions: Sequence[ListQuestion], ranker: Ranker, judge: Judge | None = None
) -> list[Example]:
    """`folder` holds the clones; with a judge the wrong lists are those that it takes for right."""
    examples: list[Example] = []
    for number, one in enumerate(asked_pages(folder, sites, questions, OTHERS)):
        made = list(_of_question(one, ranker, judge))
        if any(example.says for example in made):
            examples += [msgspec.structs.replace(example, group=number) for example in made]
    return examples


def held_share(asked: ListQuestion, names: Sequence[str]) -> float:
    """0..1: the share of the asked items that a list names; of n that are wanted, as many are all."""
    held = sum(any(says(name, item) or says(item, name) for name in names) for item in asked.items)
    return min(1.0, held / (asked.n or len(asked.items)))


def _of_question(one: AskedPages, ranker: Ranker, judge: Judge | None) -> Iterator[Example]:
    asked = read_asked(one.asked.question, language_of(one.asked.question))
    count = asked.count or AskedCount(noun="", target=one.asked.n)
    for path, page in one.pages.items():
        found = candidates_on(page, asked.part, count, one.asked.site, ranker)[:LISTS_A_PAGE]
        is_own = path == one.asked.page
        shares = [held_share(one.asked, candidate.counted.names) for candidate in found]
        if is_own:
            yield from (
                _example(one.asked, candidate, says=True)
                for candidate, share in zip(found, shares, strict=True)
                if share >= HOLDS
            )
        wrong = [candidate for candidate, share in zip(found, shares, strict=True) if share < LACKS]
        for candidate in _hardest(one.asked, wrong, judge)[: OWN if is_own else MISTAKEN]:
            yield _example(one.asked, candidate, says=False)


def _hardest(asked: ListQuestion, candidates: Sequence[ListCandidate], judge: Judge | None) -> Sequence[ListCandidate]:
    """Those first that the judge takes for right, or that words find."""
    if judge is None or not candidates:
        return candidates
    texts = [as_text(candidate) for candidate in candidates]
    scores = judge(
        asked.question,
        [SiteText(site=asked.site, page="", title="", heading=text.heading, text=text.text) for text in texts],
    )
    return [candidates[place] for place in sorted(range(len(candidates)), key=lambda place: -scores[place])]


def _example(asked: ListQuestion, candidate: ListCandidate, *, says: bool) -> Example:
    text = as_text(candidate)
    return Example(question=asked.question, heading=text.heading, text=text.text, says=says)
