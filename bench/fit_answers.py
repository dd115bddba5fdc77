"""Fits the weights of the built-in strategy's answers on the building sites, and writes them into the package.

usage: python bench/fit_answers.py [--read] [--written CLONES] [--others 8] [--only NAME,NAME] [--gathered FILE]
--read fits the weights of what the reader has read (read_weights.json), on questions in languages that it reads; without, the others
(answer_weights.json). --written adds questions of tools/reader_training that the reader has not learnt; CLONES holds their sites.
--dry fits and prints, and writes nothing.
Every question of one part gives examples: the passages that weigh most of its source pages, and of as many other pages as a
search finds; those of the shared sites count less. Lists, weighed as `fit_lists.py` fitted it, compete with them. What is printed is
of sites held out. --gathered keeps what was read in a file, or takes it from there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from zlib import crc32

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.fitting import fit_for, fit_options, kept_or, write_weights
from answers.kept_pages import PageShelf, pages_for
from answers.options import parser_of, sites_of
from answers.question_set import KINDS, Question
from answers.shared_sites import shared_sites
from answers.sites_here import ServedSite
from builtin_answers import KEPT

from evaluation.grading.match import READ_CHARS, says
from memory.findings import Finding
from memory.retrieval import Ranker, WordLlamaEmbedder
from memory.words import tokens
from perception.observation import Observation
from tools.reader_training.examples import PAGES_A_SITE, cloned_sites, load_held_out
from tools.reader_training.site_pages import SitePages
from walker.assembly import read_task
from walker.calibration.logistic_fit import SignalExample, fit_choice, fit_logistic, held_out, reliability
from walker.rules.language import language_of
from walker.strategies.answers import answer_chance
from walker.strategies.answers.answer_chance import (
    PASSAGE_SIGNALS,
    READ_PASSAGE_SIGNALS,
    READ_SPAN_SIGNALS,
    AnswerWeights,
    Logistic,
    answer_weights,
    finding_score,
)
from walker.strategies.answers.extraction import SPAN_SIGNALS, passage_answer
from walker.strategies.answers.list_signals import LIST_SIGNALS, first_list_weights, list_candidates
from walker.strategies.answers.lists import PageLists
from walker.strategies.builtin.answer_confidence import ANSWER_SIGNALS, answer_signals, best_answer
from walker.strategies.builtin.counted_lists import asked_count, list_text
from walker.strategies.builtin.part_reading import PASSAGE_CHARS, SURE_FORM, SURE_SPAN, PageAnswers
from walker.strategies.question.asked_kinds import is_yes_no
from walker.strategies.question.question import read_question
from walker.strategies.reader.passage_reader import NetReader, PassageReader
from walker.strategies.values.polarity import yes_or_no

OTHERS = 8
"""Pages besides the sources."""
PASSAGES_A_PAGE, LISTS_A_PAGE, FINDINGS_A_PAGE = 15, 25, 3
WRITTEN, WRITTEN_OTHERS, WRITTEN_WEIGHT = "written", 4, 0.5
"""Of building sites held out 151 of 210 single questions are best answered rightly with 0, 154 with 0.3, 155 with 1; of written
questions held out 191, 208 and 211 of 470."""
WITHOUT = 0.5
"""Weight of an answer that was given without the source pages."""
SHARED = 0.4
"""Weight of a question of the shared sites, which were used all through development."""
ALL = 1000
FIRST = (1, 2, 4, ALL)
"""Pages after which the best answer is looked at: a walk has to know whether it needs more."""
FOLDS = 5
SPEAK_FOR = ("fit", "noun", "unit", "closeness", "adjacency", "whole", "read")
"""Signals of a span that can only speak for it."""
RIDGE = 1.0
FOLDER = Path(answer_chance.__file__).parent


class SeenPassage(msgspec.Struct, frozen=True, kw_only=True):
    """A passage that was weighed for a question, with its spans and their signals."""

    page: str
    is_source: bool
    is_formed: bool
    text: str
    signals: tuple[float, ...]
    spans: tuple[tuple[str, tuple[float, ...]], ...]
    is_near: bool = True
    """Whether it is among those that weigh most; others are examples only where they hold the answer."""


class SeenList(msgspec.Struct, frozen=True, kw_only=True):
    """A list that was weighed for a question."""

    page: str
    is_source: bool
    signals: tuple[float, ...]
    names: tuple[str, ...]
    text: str


class Gathered(msgspec.Struct, frozen=True, kw_only=True):
    """What was read for one question."""

    question: Question
    weight: float
    passages: tuple[SeenPassage, ...] = ()
    lists: tuple[SeenList, ...] = ()
    target: int = 0


Kit = tuple[Ranker, PassageReader | None]


def gathered_of(served: ServedSite, weight: float, others: int, kit: Kit) -> Iterator[Gathered]:
    """What is read for each question of a site; with a reader, of those in its language."""
    shelf = PageShelf(served, KEPT)
    found = shelf.found()
    for question in served.questions:
        if question.kind == "visual" or len(read_question(question.text, question.lang).parts) > 1:
            continue
        if kit[1] is not None and not kit[1].reads(question.lang):
            continue
        paths = pages_for(question, found[question.id], others=others, with_sources=True)
        yield gather(question, shelf.observed(paths), weight, kit)


def gathered_of_written(folder: Path, kit: Kit) -> Iterator[Gathered]:
    """What is read for each written question that the reader has not learnt."""
    for question, site in written_questions(folder):
        if kit[1] is not None and not kit[1].reads(question.lang):
            continue
        (page,) = question.sources
        first = [path for path in site.found(question.text) if path != page][:WRITTEN_OTHERS]
        yield gather(question, site.read([*first, page]), WRITTEN_WEIGHT, kit)


def written_questions(folder: Path) -> Iterator[tuple[Question, SitePages]]:
    """Each question of one part that the reader has not learnt, with the pages of its site. The sites count as `FOLDS`, told apart by
    name."""
    asked = load_held_out()
    for source in cloned_sites(folder):
        rows = [row for row in asked if row["site"] == source.name]
        site = SitePages(folder, source, {row["page"] for row in rows}, PAGES_A_SITE) if rows else None
        for number, row in enumerate(rows):
            question = _written(row, number)
            if site is not None and row["page"] in site and len(read_question(question.text, question.lang).parts) == 1:
                yield question, site


def is_written(one: Gathered) -> bool:
    """Whether a question was written for learning, not for a building site."""
    return one.question.site.startswith(WRITTEN)


def _written(row: dict[str, str], number: int) -> Question:
    return Question(
        id=f"{row['site']}-{number}",
        site=f"{WRITTEN} {crc32(row['site'].encode()) % FOLDS}",
        root="",
        question=row["question"],
        answer=row["answer"],
        kind="single",
        sources=(row["page"],),
        evidence=("",),
        depth=(1,),
        lang=language_of(row["question"]),
    )


def gather(question: Question, pages: dict[str, Observation], weight: float, kit: Kit) -> Gathered:
    """The passages and lists of these pages for a question; with a reader, the passages that it has read."""
    ranker, reader = kit
    task = read_task("http://site.example/", question.text, question.lang)
    read = read_question(question.text, question.lang)
    asked = asked_count(task, read)
    passages: list[SeenPassage] = []
    lists: list[SeenList] = []
    home: frozenset[str] = frozenset()
    for path, page in pages.items():
        is_source = path in question.sources
        for place, one in enumerate(PageAnswers(page, ranker, reader).weighed(read, read.parts[0])):
            if reader is not None and len(one.signals) != len(READ_PASSAGE_SIGNALS):
                continue  # of a page in another language
            text = one.weighed.passage.text
            seen = SeenPassage(
                page=path,
                is_source=is_source,
                is_formed=one.is_formed,
                text=text,
                signals=one.signals,
                spans=tuple((span.text, span.signals) for span in one.spans),
                is_near=place < PASSAGES_A_PAGE,
            )
            if seen.is_near or (is_source and is_said(question, text)):
                passages.append(seen)
        if asked is not None:
            found = list_candidates(PageLists(page), read.parts[0], asked.noun, asked.target, home, ranker)[
                :LISTS_A_PAGE
            ]
            lists += [
                SeenList(
                    page=path,
                    is_source=is_source,
                    signals=one.signals,
                    names=one.counted.names,
                    text=list_text(one.counted, asked),
                )
                for one in found
            ]
        home = home or frozenset(tokens(page.title))
    target = asked.target if asked is not None else 0
    return Gathered(question=question, weight=weight, passages=tuple(passages), lists=tuple(lists), target=target)


def is_said(question: Question, text: str) -> bool:
    """Whether an accepted answer stands in a text."""
    return any(says(text, form) for form in question.forms)


def is_met(question: Question, names: Sequence[str], target: int) -> bool:
    """Whether these names answer a quota."""
    used = names[: target or None]
    known = sum(any(says(name, item) or says(item, name) for item in question.items) for name in used)
    return bool(question.items) and known >= question.n and len(used) - known <= 1


class Fitted(msgspec.Struct, frozen=True, kw_only=True):
    """The two functions that weigh the passages of a page."""

    span: Logistic
    passage: Logistic
    read: bool
    """Whether of what a reader has read."""

    @property
    def span_names(self) -> tuple[str, ...]:
        """The signals of a span."""
        return READ_SPAN_SIGNALS if self.read else SPAN_SIGNALS

    @property
    def passage_names(self) -> tuple[str, ...]:
        """The signals of a passage."""
        return READ_PASSAGE_SIGNALS if self.read else PASSAGE_SIGNALS

    def given(self, seen: SeenPassage, question: Question) -> str:
        """What a passage gives as the answer."""
        if is_yes_no(question.text, question.lang):
            return yes_or_no(question.text, passage_answer(seen.text, PASSAGE_CHARS), question.lang)
        chances = [self.span.chance(self.span_names, signals) for _, signals in seen.spans]
        best = max(range(len(chances)), key=chances.__getitem__, default=-1)
        if best >= 0 and chances[best] >= (SURE_FORM if seen.is_formed else SURE_SPAN):
            return seen.spans[best][0]
        return passage_answer(seen.text, PASSAGE_CHARS, seen.spans[best][0] if best >= 0 else "")

    def signals(self, seen: SeenPassage) -> tuple[float, ...]:
        """The signals of a passage, with the chance of its best span by this function."""
        best = max((self.span.chance(self.span_names, signals) for _, signals in seen.spans), default=0.0)
        named = {**dict(zip(self.passage_names, seen.signals, strict=True)), "span": best}
        return tuple(named[name] for name in self.passage_names)


def fit_pages(gathered: Sequence[Gathered], *, read: bool) -> Fitted:
    """The functions of least loss."""
    spans = [
        SignalExample(
            signals=signals,
            right=is_said(one.question, text),
            group=one.question.site,
            weight=one.weight / len(seen.spans),
        )
        for one in gathered
        if one.question.kind == "single"
        for seen in one.passages
        if seen.is_source and is_said(one.question, seen.text)
        for text, signals in seen.spans
    ]
    span = fit_for(READ_SPAN_SIGNALS if read else SPAN_SIGNALS, spans, SPEAK_FOR, ridge=RIDGE)
    first = Fitted(span=span, passage=answer_weights().passage, read=read)
    passages = [one for each in gathered for one in passage_examples(each, first)]
    return msgspec.structs.replace(first, passage=fit_choice(first.passage_names, passages, ridge=RIDGE))


def passage_examples(one: Gathered, fitted: Fitted) -> Iterator[SignalExample]:
    """Passages that give the right answer on a source, and those that do not; one that says it elsewhere may be either."""
    question = one.question
    if question.kind == "quota":
        return
    for seen in one.passages:
        is_right = seen.is_source and is_said(question, fitted.given(seen, question)[:READ_CHARS])
        if is_right or seen.is_source or not is_said(question, seen.text):
            yield SignalExample(
                signals=fitted.signals(seen), right=is_right, group=question.site, weight=one.weight, among=question.id
            )


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """The best that is found for a question."""

    question: Question
    is_right: bool
    signals: tuple[float, ...]
    is_whole: bool
    """Of all pages, the sources among them."""
    weight: float


def answered(one: Gathered, fitted: Fitted, *, with_sources: bool, first: int) -> Answered | None:
    """What the functions find on the first pages of a question, with its sources or without them."""
    found: list[tuple[float, str, str, tuple[str, ...]]] = []
    everything: tuple[SeenPassage | SeenList, ...] = (*one.passages, *one.lists)
    pages = tuple(dict.fromkeys(seen.page for seen in everything if with_sources or not seen.is_source))
    for page in pages[:first]:
        weighed = [
            (
                fitted.passage.chance(fitted.passage_names, fitted.signals(seen)),
                fitted.given(seen, one.question),
                page,
                (),
            )
            for seen in one.passages
            if seen.page == page and seen.is_near and not one.target
        ]
        texts: dict[str, tuple[float, str, str, tuple[str, ...]]] = {}
        for each in sorted(weighed, key=lambda entry: -entry[0]):
            texts.setdefault(each[1], each)
        found += list(texts.values())[:FINDINGS_A_PAGE]
        listed = [
            (first_list_weights().list.chance(LIST_SIGNALS, seen.signals), seen.text, page, seen.names)
            for seen in one.lists
            if seen.page == page
        ]
        found += [max(listed)] if listed else []
    findings = [
        Finding(text=text, quote=text, url=page, step=0, score=finding_score(chance)) for chance, text, page, _ in found
    ]
    signals, best = answer_signals(findings, 0), best_answer(findings, 0)
    if signals is None or best is None:
        return None
    _, text, _, names = found[findings.index(best)]
    question = one.question
    is_list = question.kind == "quota" and is_met(question, names, one.target)
    is_right = is_list or (question.kind not in ("quota", "none") and is_said(question, text[:READ_CHARS]))
    return Answered(
        question=question,
        is_right=is_right,
        signals=signals,
        is_whole=with_sources and first >= ALL,
        weight=one.weight * (1.0 if with_sources else WITHOUT) / len(FIRST),
    )


def answers_of(gathered: Sequence[Gathered], fitted: Callable[[str], Fitted]) -> list[Answered]:
    """The best answers after some pages, each by the functions for its site: with the source pages, and without."""
    told = (
        answered(one, fitted(one.question.site), with_sources=with_sources, first=first)
        for one in gathered
        for first in FIRST
        for with_sources in ((True, False) if one.question.sources else (True,))
    )
    return [one for one in told if one is not None]


def main() -> None:
    """Gather, fit without each site, then with all, and write."""
    parser = parser_of(__doc__)
    parser.add_argument("--read", action="store_true", help="of what the reader has read")
    parser.add_argument(
        "--written",
        type=Path,
        metavar="CLONES",
        help="questions of tools/reader_training that the reader has not learnt",
    )
    parser.add_argument("--lang", default="", help="questions in this language only")
    options = fit_options(parser, others=OTHERS)
    gathered = kept_or(options.gathered, Gathered, lambda: gather_all(options))
    kept = [one for one in gathered if options.lang in ("", one.question.lang)]
    weights = fit_all(kept, read=options.read)
    if not options.dry:
        write_weights(FOLDER / ("read_weights.json" if options.read else "answer_weights.json"), weights)
        answer_weights.cache_clear()


def gather_all(options: argparse.Namespace) -> list[Gathered]:
    """What is read for every question of one part."""
    kit = (Ranker(WordLlamaEmbedder.load()), NetReader() if options.read else None)
    with sites_of(options) as sites, shared_sites() as shared:
        weighed = [*((served, 1.0) for served in sites), *((served, SHARED) for served in shared)]
        gathered = [one for served, weight in weighed for one in gathered_of(served, weight, options.others, kit)]
    return [*gathered, *(gathered_of_written(options.written, kit) if options.written is not None else ())]


def fit_all(gathered: Sequence[Gathered], *, read: bool) -> AnswerWeights:
    """Fit without some sites in turn and print what comes of it there; the weights fitted on all."""
    sites = sorted({one.question.site for one in gathered})
    without: dict[str, Fitted] = {}
    for fold in range(FOLDS):
        held = sites[fold::FOLDS]
        without |= dict.fromkeys(held, fit_pages([one for one in gathered if one.question.site not in held], read=read))
    # Of a written question only its wording of the answer counts as right: too strict for what an answer is worth.
    told = answers_of([one for one in gathered if not is_written(one)], without.__getitem__)
    examples = [
        SignalExample(signals=one.signals, right=one.is_right, group=one.question.site, weight=one.weight)
        for one in told
    ]
    print_held_out(told, held_out(ANSWER_SIGNALS, examples, ridge=RIDGE))
    fitted = fit_pages(gathered, read=read)
    return AnswerWeights(
        fitted_on=f"{len(gathered)} questions of one part of {', '.join(sites)}",
        span=fitted.span,
        passage=fitted.passage,
        answer=fit_logistic(ANSWER_SIGNALS, examples, ridge=RIDGE),
    )


def print_held_out(told: Sequence[Answered], chances: Sequence[float]) -> None:
    """Right by kind, precision and coverage on sites held out, with the source pages."""
    for is_shared in (False, True):
        own = [
            (one, chance)
            for one, chance in zip(told, chances, strict=True)
            if one.is_whole and (one.weight < 1 / len(FIRST)) == is_shared
        ]
        print("shared sites" if is_shared else "building sites", "held out, with the source pages:")
        for kind in KINDS:
            members = [(one, chance) for one, chance in own if one.question.kind == kind]
            if members:
                right, given = sum(one.is_right for one, _ in members), sum(chance >= 0.5 for _, chance in members)
                print(f"  {kind}: best right {right} of {len(members)}, given {given}")
        for least in (0.5, 0.8):
            surely = [one.is_right for one, chance in own if chance >= least]
            share = sum(surely) / max(1, len(surely))
            print(f"  at {least}: {len(surely)} of {len(own)} given, right {share:.3f}")
        for line in reliability([chance for _, chance in own], [one.is_right for one, _ in own]):
            print(f"    {line}")


if __name__ == "__main__":
    main()
