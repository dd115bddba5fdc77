"""What is read for questions that count or name several: the lists of their pages, each with its signals and whether it answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from zlib import crc32

import msgspec
from answers.kept_pages import PageShelf, pages_for
from answers.question_set import Question
from answers.sites_here import ServedSite
from builtin_answers import KEPT

from evaluation.grading.match import READ_CHARS, says
from memory.counting.requirement import may_be_stated
from memory.retrieval import Ranker
from memory.words import tokens
from perception.observation import Observation
from tools.reader_training.examples import Source
from tools.reader_training.written_lists import ListQuestion, asked_pages
from walker.assembly import read_task
from walker.rules.language import language_of, language_of_page
from walker.strategies.answers.list_signals import list_candidates
from walker.strategies.answers.lists import PageLists
from walker.strategies.builtin.counted_lists import AskedCount, asked_count, list_text, stated_total
from walker.strategies.builtin.list_reading import meant_by
from walker.strategies.builtin.part_reading import PageAnswers
from walker.strategies.question.question import Question as AskedQuestion
from walker.strategies.question.question import read_question
from walker.strategies.reader.passage_reader import NetReader

WRITTEN_OTHERS = 4
"""Other pages that are read of a site of Markdown files."""
WRITTEN, FOLDS = "written", 6
GATHERED_A_PAGE = 14
"""Lists of a page of which all is kept; `LISTS_READ` of them, by the function that is being fitted, are weighed again."""
PASSAGES_A_PAGE = 3
AFTERTHOUGHTS = {
    "de": "Nennen Sie alle.", "es": "Cítalos todos.", "fr": "Citez-les tous.", "zh": "请全部列出。",
}  # fmt: skip
"""What says of a written question that all is wanted, which only its kind says otherwise: "Which tools are shown?"."""
IN_ENGLISH = "List them all."
KNOWN = 0.6
"""Least share of the entries of a right list that name an item."""


class SeenList(msgspec.Struct, frozen=True, kw_only=True):
    """A list that was weighed for a question; `read` is 0 where no reader reads its page."""

    signals: tuple[float, ...]
    words: float
    read: float
    is_right: bool
    text: str
    number: int


class SeenPassage(msgspec.Struct, frozen=True, kw_only=True):
    """A passage that may state the number."""

    text: str
    chance: float
    is_right: bool


class SeenPage(msgspec.Struct, frozen=True, kw_only=True):
    """What was read of one page for a question."""

    path: str
    is_source: bool
    is_read: bool
    lists: tuple[SeenList, ...]
    passages: tuple[SeenPassage, ...]


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """A question that counts or names several, and its pages in the order of the search."""

    question: Question
    target: int
    asks_list: bool
    pages: tuple[SeenPage, ...]
    fold: str
    """What is held out together: a building site, or a share of the sites of written questions."""


class Kit(msgspec.Struct, frozen=True, kw_only=True):
    """What reads pages."""

    ranker: Ranker
    reader: NetReader


def gathered_of(served: ServedSite, others: int, kit: Kit) -> Iterator[Gathered]:
    """What is read for each question of a site that counts."""
    shelf = PageShelf(served, KEPT)
    found = shelf.found()
    for question in served.questions:
        parts = read_question(question.text, question.lang).parts
        asked = _asked(question)
        if asked is None or len(parts) != 1:
            continue
        pages = shelf.observed(pages_for(question, found[question.id], others=others, with_sources=True))
        home = shelf.observed([question.root]).get(question.root)
        site = frozenset(tokens(home.title)) if home is not None else frozenset[str]()
        yield Gathered(
            question=question,
            target=asked.target,
            asks_list=not may_be_stated(question.text),
            pages=tuple(seen_page(question, path, page, site, kit) for path, page in pages.items()),
            fold=question.site,
        )


def gathered_of_written(
    folder: Path, kit: Kit, sites: Sequence[Source], questions: Sequence[ListQuestion]
) -> Iterator[Gathered]:
    """What is read for each question about a list that was written for learning."""
    for number, one in enumerate(asked_pages(folder, sites, questions, WRITTEN_OTHERS)):
        question = asking_for_all(question_of_written(one.asked, number))
        read, asked = _read(question), _asked(question)
        if asked is None or len(read.parts) != 1:
            continue
        site = frozenset(tokens(one.asked.site))
        yield Gathered(
            question=question,
            target=asked.target,
            asks_list=not may_be_stated(question.text),
            pages=tuple(seen_page(question, path, page, site, kit) for path, page in one.pages.items()),
            fold=f"{WRITTEN} {crc32(one.asked.site.encode()) % FOLDS}",
        )


def asking_for_all(question: Question) -> Question:
    """A question for all of a list that says so, with a sentence behind it where it is not read as counting otherwise."""
    if question.kind != "exhaustive" or _asked(question) is not None:
        return question
    told = f"{question.question.rstrip(' ?？')}? {AFTERTHOUGHTS.get(question.lang, IN_ENGLISH)}"
    return msgspec.structs.replace(question, question=told)


def is_written(fold: str) -> bool:
    """Whether a fold holds written questions."""
    return fold.startswith(WRITTEN)


def question_of_written(asked: ListQuestion, number: int) -> Question:
    """A question about a list as one of the question set."""
    return Question(
        id=f"{asked.site}-{number}",
        site=asked.site,
        root="",
        question=asked.question,
        answer="; ".join(asked.items[: asked.n]) if asked.n else str(len(asked.items)),
        kind=asked.kind,
        sources=(asked.page,),
        evidence=("",),
        depth=(1,),
        lang=language_of(asked.question),
        items=asked.items,
        n=asked.n,
    )


def seen_page(question: Question, path: str, page: Observation, site: frozenset[str], kit: Kit) -> SeenPage:
    """The lists and passages of one page."""
    read, task = _read(question), read_task("http://site.example/", question.text, question.lang)
    part, asked = read.parts[0], asked_count(task, read)
    assert asked is not None
    answers = PageAnswers(page, kit.ranker, kit.reader)
    candidates = list_candidates(PageLists(page), part, asked.noun, asked.target, site, kit.ranker)[:GATHERED_A_PAGE]
    reader = kit.reader if kit.reader.reads(question.lang) and kit.reader.reads(language_of_page(page)) else None
    told = meant_by(candidates, part.text, kit.ranker, reader)
    texts: dict[str, float] = {}
    for one in [] if asked.target else answers.weighed(read, part):
        texts.setdefault(one.text(), one.chance)
    is_source = path in question.sources
    return SeenPage(
        path=path,
        is_source=is_source,
        is_read=reader is not None,
        lists=tuple(
            SeenList(
                signals=one.signals,
                words=words,
                read=logs,
                is_right=is_meant(question, one.counted.names, [each.text for each in one.counted.records], is_source),
                text=list_text(one.counted, asked, stated_total(one.counted, page)),
                number=stated_total(one.counted, page) or len(one.counted.names),
            )
            for one, (words, logs) in zip(candidates, told, strict=True)
        ),
        passages=tuple(
            SeenPassage(text=text, chance=chance, is_right=is_source and is_said(question, text))
            for text, chance in list(texts.items())[:PASSAGES_A_PAGE]
        ),
    )


def _read(question: Question) -> AskedQuestion:
    return read_question(question.text, question.lang)


def _asked(question: Question) -> AskedCount | None:
    return asked_count(read_task("http://site.example/", question.text, question.lang), _read(question))


def is_said(question: Question, text: str) -> bool:
    """Whether an accepted answer stands in a text."""
    return any(says(text[:READ_CHARS], form) for form in question.forms)


def is_meant(question: Question, names: Sequence[str], texts: Sequence[str], is_source: bool) -> bool:
    """Whether a list answers: its first names are those of a quota; or it has as many entries as are to be counted, most of
    them known; where nothing is known of the entries, on a source page only."""
    if question.kind == "quota":
        used = list(dict.fromkeys(names))[: question.n]
        known = sum(any(says(name, item) or says(item, name) for item in question.items) for name in used)
        return known >= question.n
    if question.kind == "exhaustive" and question.items:
        known = sum(any(says(text, item) or says(item, text) for item in question.items) for text in texts)
        return len(names) == len(question.items) and known >= KNOWN * len(texts)
    return question.kind != "none" and is_source and is_said(question, str(len(names)))
