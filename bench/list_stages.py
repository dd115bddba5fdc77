"""Prints at which stage questions that count or name several are lost, of building sites with the question, of others the totals.

usage: python bench/list_stages.py [--others 6] [--half building] [--only NAME,NAME] [--part PART] [--list-failures] [--show ID]
The pages are those of `builtin_answers.py --pages oracle`, and kept where it keeps them. --show prints the lists of a question's
source pages, the chances of those that are candidates, and what came of it.
"""

from __future__ import annotations

import argparse
import asyncio
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
from answers.question_set import Question
from answers.scoring import is_right
from answers.sites_here import ServedSite
from builtin_answers import KEPT, OTHERS
from gathered_lists import is_meant

from evaluation.grading.match import says
from memory.counting.requirement import may_be_stated
from memory.retrieval import Ranker, WordLlamaEmbedder
from memory.words import tokens
from perception.observation import Observation, RecordSet
from walker.assembly import read_task
from walker.rules.language import language_of_page
from walker.settings import SURE
from walker.strategies.answers.list_question import read_asked_list
from walker.strategies.answers.list_signals import ListCandidate, list_candidates
from walker.strategies.answers.lists import PageLists
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.builtin.counted_lists import AskedCount, asked_count
from walker.strategies.builtin.list_reading import LISTS_READ, weighed_again
from walker.strategies.question.question import Part, read_question
from walker.strategies.reader.passage_reader import NetReader

STAGES = (
    "no source page is read", "is not read as counting", "no list has the entries", "its entries are not singled out",
    "not among the likeliest of its page", "not the first of its page", "another page or a sentence is chosen",
    "right, but not sure", "right",
)  # fmt: skip
HELD = 0.8
"""Least share of a question's items that a list must have for it to be the list."""
COUNTED = ("quota", "exhaustive")


class Lost(msgspec.Struct, frozen=True, kw_only=True):
    """A question, the stage that it reached, and what was said."""

    question: Question
    stage: str
    said: str
    confidence: float


class Kit(msgspec.Struct, frozen=True, kw_only=True):
    """What reads pages."""

    ranker: Ranker
    reader: NetReader
    critic: BuiltinCritic


def staged(served: ServedSite, others: int, kit: Kit, show: str) -> Iterator[Lost]:
    """Each question of a site with the stage that it reached."""
    shelf = PageShelf(served, KEPT)
    found = shelf.found()
    for question in served.questions:
        if question.kind not in COUNTED or (show and question.id != show):
            continue
        pages = shelf.observed(pages_for(question, found[question.id], others=others, with_sources=True))
        home = shelf.observed([question.root]).get(question.root)
        ended, _, _ = asyncio.run(
            leaf_through(question.text, question.lang, list(pages.values()), kit.critic, home=home)
        )
        site = frozenset(tokens(home.title)) if home is not None else frozenset[str]()
        sources = [page for path, page in pages.items() if path in question.sources]
        if is_right(question, ended):
            stage = STAGES[-1] if ended.confidence >= SURE else STAGES[-2]
        else:
            stage = stage_of(question, sources, site, kit)
        if show:
            print(f"{ended.confidence:.2f} {ended.answer[:200]}")
            for page in sources:
                show_lists(question, page, site, kit)
        yield Lost(question=question, stage=stage, said=ended.answer, confidence=ended.confidence)


def stage_of(question: Question, sources: Sequence[Observation], site: frozenset[str], kit: Kit) -> str:
    """The furthest stage that a question that was not answered rightly reached on one of its source pages."""
    asked = asked_by(question)
    if not sources:
        return STAGES[0]
    if asked is None:
        return STAGES[1]
    return max((_on_page(question, asked, page, site, kit) for page in sources), key=STAGES.index)


def asked_by(question: Question) -> tuple[AskedCount, Part] | None:
    """What is counted, None where nothing is."""
    read = read_question(question.text, question.lang)
    asked = asked_count(read_task("http://site.example/", question.text, question.lang), read)
    return (asked, read.parts[0]) if asked is not None else None


def _on_page(
    question: Question, asked_part: tuple[AskedCount, Part], page: Observation, site: frozenset[str], kit: Kit
) -> str:
    asked, part = asked_part
    wanted = read_asked_list(part, asked.noun, asked.target, site)
    lists = PageLists(page)
    if not any(has_entries(question, records) for _, records in lists.by_form(wanted)):
        return STAGES[2]
    candidates = list_candidates(lists, part, asked.noun, asked.target, site, kit.ranker)
    if not any(_meant(question, one) for one in candidates):
        return STAGES[3]
    if not any(_meant(question, one) for one in candidates[:LISTS_READ]):
        return STAGES[4]
    reader = reader_of(question, page, kit)
    best = weighed_again(candidates, part.text, kit.ranker, reader, is_quota=bool(asked.target))
    return STAGES[6] if _meant(question, best[0]) else STAGES[5]


def has_entries(question: Question, records: RecordSet) -> bool:
    """Whether entries of a list name enough of the items, each another one."""
    used: set[int] = set()
    for item in question.items:
        place = next(
            (
                number
                for number, record in enumerate(records.records)
                if number not in used and (says(record.text, item) or (record.name and says(item, record.name)))
            ),
            None,
        )
        if place is not None:
            used.add(place)
    least = question.n if question.kind == "quota" else HELD * len(question.items)
    return len(used) >= max(1, least)


def _meant(question: Question, one: ListCandidate) -> bool:
    return is_meant(question, one.counted.names, [record.text for record in one.counted.records], is_source=True)


def reader_of(question: Question, page: Observation, kit: Kit) -> NetReader | None:
    """The reader, where it reads question and page."""
    is_read = kit.reader.reads(question.lang) and kit.reader.reads(language_of_page(page))
    return kit.reader if is_read else None


def show_lists(question: Question, page: Observation, site: frozenset[str], kit: Kit) -> None:
    """The lists of a source page, and the likeliest candidates."""
    asked_part = asked_by(question)
    print(f"{question.text}\n{page.url} {asked_part[0] if asked_part else None} stated {may_be_stated(question.text)}")
    if asked_part is None:
        return
    asked, part = asked_part
    wanted = read_asked_list(part, asked.noun, asked.target, site)
    print(wanted)
    lists = PageLists(page)
    for _, records in lists.by_form(wanted):
        names = "; ".join(record.name[:40] for record in records.records)
        mark = "*" if has_entries(question, records) else " "
        print(
            f"{mark} {records.kind} {len(records.records)} {records.headings[-2:]} {records.caption[-60:]!r} {names[:250]}"
        )
    candidates = list_candidates(lists, part, asked.noun, asked.target, site, kit.ranker)
    for number, one in enumerate(candidates[:14]):
        mark = "*" if _meant(question, one) else " "
        print(f"{mark} {number} {one.chance:.3f} {one.above!r} {len(one.counted.names)} {one.counted.names[:6]}")
    reader = reader_of(question, page, kit)
    for one in weighed_again(candidates, part.text, kit.ranker, reader, is_quota=bool(asked.target)):
        print(f"  again {one.chance:.3f} {one.above!r} {len(one.counted.names)} {one.counted.names[:6]}")


def print_all(lost: Sequence[Lost]) -> None:
    """How many questions ended at each stage."""
    for kind in COUNTED:
        reached = Counter(one.stage for one in lost if one.question.kind == kind)
        print(f"{kind}: {sum(reached.values())}")
        for stage in STAGES:
            print(f"  {reached[stage]:3} {stage}")


def main() -> None:
    """Ask, then print."""
    parser = parser_of(__doc__)
    parser.add_argument("--others", type=int, default=OTHERS, help="pages of the search that are read besides")
    parser.add_argument("--show", default="", metavar="ID", help="print the lists of this question's source pages")
    options: argparse.Namespace = parser.parse_args()
    ranker, reader = Ranker(WordLlamaEmbedder.load()), NetReader()
    kit = Kit(ranker=ranker, reader=reader, critic=BuiltinCritic(ranker, reader))
    with sites_of(options) as sites:
        halves = {served.site.name: served.site.half for served in sites}
        show = options.show if all(half == "building" for half in halves.values()) else ""
        lost = [one for served in sites for one in staged(served, options.others, kit, show)]
    if options.list_failures:
        for one in lost:
            if one.stage != STAGES[-1] and halves[one.question.site] == "building":
                print(f"{one.question.id} {one.question.kind} {one.stage}: {one.question.text}")
                print(f"   {one.confidence:.2f} {one.said[:100]!r}")
    print_all(lost)


if __name__ == "__main__":
    main()
