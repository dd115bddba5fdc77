"""Prints at which stage questions that one page answers are lost, by language; of building sites with the question, of others totals.

usage: python bench/answer_stages.py [--others 6] [--half building] [--only NAME,NAME] [--part PART] [--kinds single,multi]
       [--list-failures] [--show ID]
The pages are those of `builtin_answers.py --pages oracle`, and kept where it keeps them. --show prints the likeliest passages of a
question's source pages, and the best findings of all.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.kept_pages import PageShelf, pages_for
from answers.leafing import leaf_through
from answers.options import parser_of, sites_of
from answers.question_set import Question, kinds_in
from answers.scoring import is_right
from answers.sites_here import ServedSite
from builtin_answers import KEPT, OTHERS
from fit_answers import is_said

from evaluation.grading.match import READ_CHARS
from memory.findings import Finding
from memory.retrieval import Ranker, WordLlamaEmbedder
from perception.observation import Observation
from walker.settings import SURE
from walker.strategies.answers.answer_chance import span_chance
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.builtin.part_reading import PageAnswer, PageAnswers, wanted_type
from walker.strategies.question.asked_kinds import is_yes_no
from walker.strategies.question.question import Question as Read
from walker.strategies.question.question import read_question
from walker.strategies.reader.passage_reader import NetReader, PassageReader

STAGES = (
    "no source page is read", "counted or taken apart", "not on the page as read", "in no passage of the page",
    "neither weighed nor read", "not among the first three of its page", "not the first of its page",
    "first, but another span is told", "another page is chosen", "right, but not sure", "right",
)  # fmt: skip
FIRST = 3
_SIGNS = re.compile(r"[\W_]+")


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """A question, the stage that it reached, and what was said."""

    question: Question
    stage: str
    said: str
    confidence: float
    wanted: str
    """The type of answer that was read from it."""


class Kit(msgspec.Struct, frozen=True, kw_only=True):
    """What reads pages."""

    ranker: Ranker
    reader: PassageReader
    critic: BuiltinCritic


def kit_of(reader: PassageReader) -> Kit:
    """The parts of the built-in strategy around a reader."""
    ranker = Ranker(WordLlamaEmbedder.load())
    return Kit(ranker=ranker, reader=reader, critic=BuiltinCritic(ranker, reader))


def staged(served: ServedSite, options: argparse.Namespace, kit: Kit) -> Iterator[Lost]:
    """Each question of a site with the stage that it reached."""
    shelf = PageShelf(served, KEPT)
    found = shelf.found()
    for question in served.questions:
        if question.kind not in options.kinds or (options.show and question.id != options.show):
            continue
        pages = shelf.observed(pages_for(question, found[question.id], others=options.others, with_sources=True))
        home = shelf.observed([question.root]).get(question.root)
        ended, memory, _ = asyncio.run(
            leaf_through(question.text, question.lang, list(pages.values()), kit.critic, home=home)
        )
        read = read_question(question.text, question.lang)
        sources = [page for path, page in pages.items() if path in question.sources]
        if is_right(question, ended):
            stage = STAGES[-1] if ended.confidence >= SURE else STAGES[-2]
        else:
            stage = stage_of(question, read, sources, kit)
        wanted = wanted_type(read, read.parts[0])
        if options.show:
            print(f"{ended.confidence:.2f} {ended.answer[:200]}\n{question.text} {question.forms} {wanted}")
            for page in sources:
                show_passages(question, page, kit)
            show_findings(memory.findings)
        yield Lost(
            question=question,
            stage=stage,
            said=ended.answer,
            confidence=ended.confidence,
            wanted=f"{wanted.kind} {wanted.noun}",
        )


def stage_of(question: Question, read: Read, sources: Sequence[Observation], kit: Kit) -> str:
    """The furthest stage that a question that was not answered rightly reached on one of its source pages."""
    if not sources:
        return STAGES[0]
    if len(read.parts) > 1:
        return STAGES[1]
    return max((_on_page(question, read, page, kit) for page in sources), key=STAGES.index)


def _on_page(question: Question, read: Read, page: Observation, kit: Kit) -> str:
    if not is_said(question, "\n".join(block.text for block in page.blocks)):
        return STAGES[2]
    answers = PageAnswers(page, kit.ranker, kit.reader)
    if not any(_holds(question, passage.text) for passage in answers.passages):
        return STAGES[3]
    weighed = answers.weighed(read, read.parts[0])
    places = [place for place, one in enumerate(weighed) if _holds(question, one.weighed.passage.text)]
    if not places:
        return STAGES[4]
    if places[0]:
        return STAGES[6] if places[0] < FIRST else STAGES[5]
    told = said_by(weighed[0], read)
    return STAGES[8] if is_said(question, told[:READ_CHARS]) else STAGES[7]


def said_by(answer: PageAnswer, read: Read) -> str:
    """What a passage gives as the answer."""
    if is_yes_no(read.text, read.language):
        return answer.verdict(read.text, read.language)
    return answer.text()


def _holds(question: Question, text: str) -> bool:
    """Whether a passage says the answer, and is a part of the evidence or has it: "4" alone stands everywhere."""
    bare = _bare(text)
    among = any(bare in known or known in bare for known in map(_bare, question.evidence))
    return among and is_said(question, text)


def _bare(text: str) -> str:
    return _SIGNS.sub("", text.casefold())


def show_passages(question: Question, page: Observation, kit: Kit) -> None:
    """The likeliest passages of a page with their best spans; those that hold the evidence are marked."""
    read = read_question(question.text, question.lang)
    print(page.url)
    for place, one in enumerate(PageAnswers(page, kit.ranker, kit.reader).weighed(read, read.parts[0])):
        mark = "*" if _holds(question, one.weighed.passage.text) else " "
        if place < 2 * FIRST or mark == "*":
            spans = ", ".join(f"{span.text[:40]!r} {span_chance(span):.2f}" for span in one.spans[:4])
            shown = " ".join(f"{signal:.2f}" for signal in one.signals[-2:])
            print(f"{mark}{place:3} {one.chance:.3f} [{shown}] {one.weighed.passage.text[:160]!r}\n       {spans}")


def show_findings(findings: Sequence[Finding]) -> None:
    """The best findings of all pages."""
    for one in sorted(findings, key=lambda one: -one.score)[: 2 * FIRST]:
        print(f"  {one.score:.3f} part {one.part} {one.url} {one.text[:100]!r}")


def print_all(lost: Sequence[Lost]) -> None:
    """How many questions ended at each stage, by kind and language."""
    for kind in dict.fromkeys(one.question.kind for one in lost):
        own = [one for one in lost if one.question.kind == kind]
        languages = sorted({one.question.lang for one in own})
        print(f"{kind}: {len(own)}  ({', '.join(languages)})")
        for stage in STAGES:
            reached = Counter(one.question.lang for one in own if one.stage == stage)
            by_language = "  ".join(f"{reached[language]:3}" for language in languages)
            print(f"  {sum(reached.values()):3}  ({by_language})  {stage}")


def main() -> None:
    """Ask, then print."""
    parser = parser_of(__doc__)
    parser.add_argument("--others", type=int, default=OTHERS, help="pages of the search that are read besides")
    parser.add_argument("--kinds", type=kinds_in, default=("single",), help="only these kinds, separated by commas")
    parser.add_argument("--show", default="", metavar="ID", help="print the passages of this question's source pages")
    options = parser.parse_args()
    report(options, kit_of(NetReader()))


def report(options: argparse.Namespace, kit: Kit) -> None:
    """What `main` does, with these parts."""
    with sites_of(options) as sites:
        halves = {served.site.name: served.site.half for served in sites}
        if any(half != "building" for half in halves.values()):
            options.show = ""
        lost = [one for served in sites for one in staged(served, options, kit)]
    if options.list_failures:
        for one in lost:
            if one.stage != STAGES[-1] and halves[one.question.site] == "building":
                print(f"{one.question.id} {one.stage}: {one.question.text}")
                print(f"   {one.wanted} | {one.question.answer[:60]!r} | {one.confidence:.2f} {one.said[:100]!r}")
    print_all(lost)


if __name__ == "__main__":
    main()
