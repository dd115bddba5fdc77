"""Fits what an answer is worth that stands in a picture only, and writes the weights into the package.

usage: python bench/fit_pictured.py [--only NAME,NAME] [--gathered FILE] [--list] [--dry]
Of each question about a picture of the building sites, of bench/gate_pages/picture_questions.jsonl, and of pages that are
drawn by lot, the pictures are read in a browser, as a walk reads them that ends unsure. The best answer of that page, of it
with the pages of text that a search finds, of it as its pictures were read first, and of other pages alone is right or wrong.
What is printed is of sites, and of kinds of drawings, held out.
--gathered keeps the pages that were read in a file, or takes them from there; --list tells each best answer; --dry writes nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.fitting import fit_options, kept_or, write_weights
from answers.options import parser_of, sites_of
from drawn_print import read_print
from looking_cost import walk_settings
from pictured_pages import MADE, TEXTS, ReadPages, drawn_pages, pages_of_site

from evaluation.grading.match import READ_CHARS, says
from memory.counting.counter import Counter
from memory.findings import Finding
from memory.retrieval import Ranker, WordLlamaEmbedder
from memory.state import PageNote, WalkMemory
from perception.observation import Observation
from walker.assembly import WalkResources, read_task
from walker.calibration.logistic_fit import SignalExample, fit_logistic, held_out, reliability
from walker.settings import SURE
from walker.strategies.answers.answer_chance import Logistic
from walker.strategies.builtin.answer_confidence import best_answer, pictured_signals
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.pictured import pictured_chance
from walker.strategies.pictured.pictured_chance import (
    PICTURED_SIGNALS,
    READING_SIGNALS,
    PicturedWeights,
    reading_signals,
)
from walker.strategies.question.question import read_question
from walker.strategies.question.question_analysis import analyse_question
from walker.strategies.reader.passage_reader import NetReader

ALONE, EARLY, WITHOUT, DRAWN = 0.5, 0.5, 1.0, 0.5
"""Weights of what is found on the source page alone, on it as its pictures were read first, and without it; and of drawn
pages, which are more alike than those of sites."""
RIDGE = 2.0
PRINT_FOLDS = 5
OTHERS = 2
"""Further pages of a site whose pictures were read: a walk that ends unsure goes back to three."""


class Best(msgspec.Struct, frozen=True, kw_only=True):
    """The best answer of a choice of pages, its signs, and whether it is right; the weight of the example counts how surely it
    was read."""

    id: str
    choice: str
    text: str
    reading: float
    """The chance that its line was read rightly."""
    example: SignalExample


Choice = tuple[str, float, list[Finding]]
"""Name, weight and findings of a choice of pages."""


async def gather_all(options: argparse.Namespace) -> list[ReadPages]:
    """What was read for every question."""
    read: list[ReadPages] = []
    async with WalkResources(walk_settings(1, may_look=True)) as resources:
        with sites_of(options) as sites:
            for served in sites:
                read += await pages_of_site(served, resources)
                print(f"{served.site.name}: {len(read)} questions", file=sys.stderr)
        return read + await drawn_pages(resources)


async def found_on(critic: BuiltinCritic, one: ReadPages, page: Observation | None) -> list[Finding]:
    """What the critic finds on a page."""
    if page is None:
        return []
    task = read_task(page.url, one.question, one.language)
    task = task.analysed(analyse_question(task.question, task.language, task.requirement))
    home = one.home
    note = (PageNote(step=1, url=home.url, key=home.url, title=home.title),) if home is not None else ()
    memory = WalkMemory(step=2, counter=Counter.start(task.requirement), pages=note)
    return list((await critic.find(task, page, memory)).findings)


async def choices_of(critic: BuiltinCritic, one: ReadPages, others: Sequence[Observation]) -> list[Choice]:
    """Each choice of pages; `others`: further ones whose pictures were read."""
    source = await found_on(critic, one, one.source)
    texts = [finding for page in one.texts for finding in await found_on(critic, one, page)]
    other = [finding for page in (one.other, *others) for finding in await found_on(critic, one, page)]
    choices = [("without", WITHOUT, [*texts, *other])]
    if one.source is not None:
        choices.append(("all", 1.0, [*texts, *source, *other]))
    if one.source is not None and (texts or other):
        choices.append(("alone", ALONE, source))
    if one.early is not None:
        choices.append(("early", EARLY, [*texts, *await found_on(critic, one, one.early)]))
    return choices


def is_right(one: ReadPages, text: str) -> bool:
    """Whether an answer is one of the accepted ones."""
    return any(says(text[:READ_CHARS], form) for form in one.forms)


async def best_ones(read: Sequence[ReadPages], reading: Logistic) -> list[Best]:
    """The best answers that stand in a picture only; none of a question of several parts."""
    critic = BuiltinCritic(Ranker(WordLlamaEmbedder.load()), NetReader())
    found: list[Best] = []
    for one in read:
        if len(read_question(one.question, one.language).parts) > 1:
            continue
        for choice, weight, findings in await choices_of(critic, one, _others(one, read)):
            one_best = best_of(one, choice, weight, findings, reading)
            found += [one_best] if one_best is not None else []
    return found


def best_of(one: ReadPages, choice: str, weight: float, findings: Sequence[Finding], reading: Logistic) -> Best | None:
    """The best answer of some findings, None where it does not stand in a picture only."""
    best = best_answer(findings, 0)
    if best is None or best.pictured is msgspec.UNSET:
        return None
    signs = best.pictured
    signals = pictured_signals(findings, best, signs)
    surely = reading.chance(READING_SIGNALS, reading_signals(signs.sure, signs.clear, signs.pixels))
    share = surely * (DRAWN if one.site.startswith(MADE) else 1.0)
    example = SignalExample(
        signals=signals, right=is_right(one, best.text), group=one.site, weight=weight * share, among=one.id
    )
    return Best(id=one.id, choice=choice, text=best.text, reading=surely, example=example)


def fit_reading() -> Logistic:
    """What the confidence of OCR is worth, from lines that are drawn; prints that of pictures held out."""
    read = list(read_print())
    examples = [
        SignalExample(
            signals=reading_signals(one.sure, one.clear, one.pixels), right=one.right, group=str(at % PRINT_FOLDS)
        )
        for at, one in enumerate(read)
    ]
    chances = held_out(READING_SIGNALS, examples, ridge=1.0)
    print(f"lines of print: {len(read)}, read rightly {sum(one.right for one in read)}")
    for line in reliability(chances, [one.right for one in read]):
        print(f"    {line}")
    return fit_logistic(READING_SIGNALS, examples, ridge=1.0)


def _others(one: ReadPages, read: Sequence[ReadPages]) -> list[Observation]:
    """Some other pages of the site of a question whose pictures were read for other questions."""
    if one.site.startswith(MADE) or one.source is None:
        return []
    own = {page.url for page in (one.source, one.other) if page is not None}
    pages = {each.source.url: each.source for each in read if each.site == one.site and each.source is not None}
    others = [page for url, page in pages.items() if url not in own and page.picture_lines]
    return random.Random(one.id).sample(others, min(OTHERS, len(others)))


def print_held_out(found: Sequence[Best], *, list_all: bool) -> None:
    """How many are right and given, of sites held out."""
    chances = held_out(PICTURED_SIGNALS, [one.example for one in found], ridge=RIDGE)
    pairs = [(one, one.reading * chance) for one, chance in zip(found, chances, strict=True)]
    for is_drawn in (False, True):
        own = [pair for pair in pairs if pair[0].example.group.startswith(MADE) is is_drawn]
        for line in _table("drawn" if is_drawn else "sites", own):
            print(line)
        for one, chance in own if list_all else ():
            print(f"{chance:.2f} {'right' if one.example.right else 'WRONG'} {one.choice} {one.id} {one.text[:60]!r}")


def _table(name: str, pairs: Sequence[tuple[Best, float]]) -> Iterator[str]:
    for choice in dict.fromkeys(one.choice for one, _ in pairs):
        rows = [(chance, one.example.right) for one, chance in pairs if one.choice == choice]
        given, right = [is_right for chance, is_right in rows if chance >= SURE], sum(is_right for _, is_right in rows)
        yield f"{name}, {choice}: of {len(rows)} best answers {right} right; given {len(given)}, right {sum(given)}"
    for line in reliability([chance for _, chance in pairs], [one.example.right for one, _ in pairs]):
        yield f"    {line}"


def main() -> None:
    """Gather, fit without each site, then with all, and write."""
    parser = parser_of(__doc__)
    parser.add_argument("--list", action="store_true", help="tell each best answer")
    options = fit_options(parser, others=TEXTS)
    read = kept_or(options.gathered, ReadPages, lambda: asyncio.run(gather_all(options)))
    reading = fit_reading()
    found = asyncio.run(best_ones(read, reading))
    print_held_out(found, list_all=options.list)
    fitted = fit_logistic(PICTURED_SIGNALS, [one.example for one in found], ridge=RIDGE)
    sites = sorted({one.site for one in read if not one.site.startswith(MADE)})
    drawn = sum(one.site.startswith(MADE) for one in read)
    told = f"{len(read) - drawn} questions about pictures of {', '.join(sites)}, and {drawn} about drawn pages"
    weights = PicturedWeights(fitted_on=told, reading=reading, answer=fitted)
    print(msgspec.json.encode(weights).decode())
    if not options.dry:
        write_weights(Path(pictured_chance.__file__).parent / "pictured_weights.json", weights)


if __name__ == "__main__":
    main()
