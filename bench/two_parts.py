"""Prints how often the built-in strategy takes apart and answers questions of two facts that were written about public sites.

usage: python bench/two_parts.py CLONES [--sites seen|held] [--others 3] [--every N] [--kinds KIND,KIND] [--langs LANG,LANG]
       [--kept FILE] [--outcomes FILE] [--list] [--apart]
CLONES holds the clones of tools/reader_training/sources.json as OWNER+NAME. Of each question of multi.tsv its pages and as many
others as a search finds are read. One site in three is held out: of these only totals are printed. --apart takes apart only;
--every N reads one question in N; --kept keeps the pages that are read in a file, or takes them from there; --outcomes writes what was
found, for fit_joined.py, one question a line.
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
from answers.fitting import kept_or
from answers.leafing import leaf_through

from evaluation.grading.match import says
from memory.findings import Finding
from memory.retrieval import Ranker, WordLlamaEmbedder
from memory.words import STOP_WORDS, tokens
from tools.reader_training.examples import cloned_sites
from tools.reader_training.written_parts import KINDS, PartsPages, PartsQuestion, load_parts_questions, parts_pages
from walker.rules.language import language_of
from walker.settings import SURE
from walker.strategies.answers.answer_chance import found_chance
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.question.question import read_question
from walker.strategies.reader.passage_reader import NetReader

OTHERS = 3
LANGUAGES = ("en", "de", "fr", "es", "zh")
_COMPUTED = ("difference", "compare")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_JOINED = re.compile(r"\s*(?:[,;，、；]|\band\b|\bund\b|\bet\b|\by\b|和)\s*")


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one question."""

    asked: PartsQuestion
    language: str
    answer: str
    confidence: float
    is_apart: bool
    facts: tuple[bool, bool]
    """Whether the likeliest finding of each part says one of the two facts, each its own."""
    findings: tuple[Finding, ...] = ()
    pages: tuple[str, ...] = ()
    """Addresses in the order in which they were read."""
    sources: tuple[str, ...] = ()

    @property
    def is_right(self) -> bool:
        """Whether the best that was found is right, given or not."""
        return is_right(self.asked, self.answer)

    @property
    def fate(self) -> str:
        """Where it was answered or lost."""
        if self.is_right:
            return "right" if self.confidence >= SURE else "right, not sure"
        if not self.is_apart:
            return "not apart"
        if all(self.facts):
            return "joined wrongly"
        return "second wrong" if self.facts[0] else "first wrong" if self.facts[1] else "both wrong"


def is_right(asked: PartsQuestion, answer: str) -> bool:
    """Of a difference the number counts, of a comparison the words of the name, of others each value in its order."""
    told = answer.partition(" (")[0] if asked.kind in _COMPUTED else answer
    if not told.strip():
        return False
    if asked.kind == "difference":
        return _number(told) is not None and _number(told) == _number(asked.answer)
    if asked.kind == "compare":
        wanted, said = _words(asked.answer), _words(told)
        return bool(wanted & said) and len(wanted & said) * 2 >= min(len(wanted), len(said))
    if asked.kind == "pair":
        parts = _JOINED.split(asked.answer)
        own = parts if len(parts) == 2 else asked.facts
        halves = told.split("; ")
        if len(halves) == 2 == len(own):
            return all(
                _is_half(half, one) or _is_half(half, fact)
                for half, one, fact in zip(halves, own, (*asked.facts, "", "")[:2], strict=True)
            )
        return says(told, asked.answer) or all(says(told, one) for one in own)
    return _says_one(told, asked.answer) or (bool(asked.facts) and _says_one(told, asked.facts[-1]))


def _says_one(told: str, wanted: str) -> bool:
    """Whether the value is told, or all of it but what a comma adds ("Fishers" of "Fishers, IN")."""
    return says(told, wanted) or told.casefold() == wanted.partition(",")[0].strip().casefold()


def _is_half(told: str, wanted: str) -> bool:
    """Whether one value of a pair is told, or the number of one without its noun or sign."""
    if not wanted:
        return False
    number = _number(told)
    return says(told, wanted) or (says(wanted, told) and number is not None and number == _number(wanted))


def _number(text: str) -> str | None:
    found = _NUMBER.search(text)
    return re.sub(r",(?=\d{3})", "", found[0]).replace(",", ".") if found else None


def _words(text: str) -> frozenset[str]:
    words = frozenset(tokens(text))
    return frozenset(word for word in words if word not in STOP_WORDS) or words


def outcome_of(one: PartsPages, critic: BuiltinCritic) -> Outcome:
    """One question asked of its pages."""
    language = language_of(one.asked.question)
    question = read_question(one.asked.question, language)
    read = leaf_through(one.asked.question, language, list(one.pages.values()), critic, to_the_end=True)
    ended, memory, _ = asyncio.run(read)
    return Outcome(
        asked=one.asked,
        language=language,
        answer=ended.answer,
        confidence=ended.confidence,
        is_apart=len(question.parts) > 1,
        facts=_facts_found(one.asked, memory.findings),
        findings=memory.findings,
        pages=tuple(page.url for page in one.pages.values()),
        sources=tuple(page.url for path, page in one.pages.items() if path in one.asked.pages),
    )


def _facts_found(asked: PartsQuestion, findings: Sequence[Finding]) -> tuple[bool, bool]:
    told = [
        max((one for one in findings if one.part == part), key=lambda one: one.score, default=None) for part in (0, 1)
    ]
    facts = (*asked.facts, "", "")[:2]
    held = [[one is not None and _holds(one, fact) for fact in facts] for one in told]
    if held[0][1] and held[1][0] and not (held[0][0] and held[1][1]):
        return True, True
    return held[0][0], held[1][1]


def _holds(finding: Finding, fact: str) -> bool:
    return bool(fact) and (says(finding.text, fact) or says(finding.quote, fact) or says(fact, finding.text))


def print_apart(questions: Sequence[PartsQuestion], *, listed: bool) -> None:
    """How many are taken apart, by kind and language, and which are not."""
    all_of: Counter[tuple[str, str]] = Counter()
    apart: Counter[tuple[str, str]] = Counter()
    for one in questions:
        language = language_of(one.question)
        read = read_question(one.question, language)
        all_of[one.kind, language] += 1
        apart[one.kind, language] += len(read.parts) > 1
        if listed and not one.is_held_out:
            told = [part.text for part in read.parts] if len(read.parts) > 1 else "NOT APART"
            print(f"{one.kind} {language} {one.question}\n    {read.operation} {told}")
    for kind in KINDS:
        told = [f"{lang} {apart[kind, lang]} of {all_of[kind, lang]}" for lang in LANGUAGES if all_of[kind, lang]]
        print(f"taken apart, {kind}: {', '.join(told)}")
    print(f"taken apart: {sum(apart.values())} of {sum(all_of.values())}")


def print_outcomes(outcomes: Sequence[Outcome]) -> None:
    """By kind: right, best right, and where the others are lost."""
    for kind in (*KINDS, ""):
        own = [one for one in outcomes if not kind or one.asked.kind == kind]
        if own:
            fates = Counter(one.fate for one in own)
            given = sum(bool(one.answer) and one.confidence >= SURE for one in own)
            best = sum(one.is_right for one in own)
            told = ", ".join(f"{fate} {number}" for fate, number in fates.most_common())
            print(f"{kind or 'all'}: right {fates['right']} of {given} given, best right {best} of {len(own)}; {told}")


def gathered(options: argparse.Namespace, questions: Sequence[PartsQuestion]) -> Iterator[PartsPages]:
    """The questions with their pages."""
    yield from parts_pages(options.clones, cloned_sites(options.clones), questions, options.others)


def main() -> None:
    """Take apart, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path)
    parser.add_argument("--sites", choices=("seen", "held"), default="seen")
    parser.add_argument("--others", type=int, default=OTHERS)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--langs", default=",".join(LANGUAGES))
    parser.add_argument("--kept", type=Path)
    parser.add_argument("--outcomes", type=Path)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--apart", action="store_true")
    options = parser.parse_args()
    chosen = [one for one in load_parts_questions() if one.is_held_out == (options.sites == "held")]
    is_listed = options.list and options.sites == "seen"
    print_apart(chosen, listed=is_listed and options.apart)
    if options.apart:
        return
    chosen = [
        one
        for one in chosen
        if one.kind in options.kinds.split(",") and language_of(one.question) in options.langs.split(",")
    ][:: options.every]
    pages = kept_or(options.kept, PartsPages, lambda: list(gathered(options, chosen)))
    wanted = {one.question for one in chosen}
    pages = [_with_fewer(one, options.others) for one in pages]
    critic = BuiltinCritic(Ranker(WordLlamaEmbedder.load()), NetReader())
    outcomes = []
    for one in pages:
        if one.asked.question in wanted:
            outcomes.append(outcome_of(one, critic))
            if options.outcomes:
                with options.outcomes.open("ab") as file:
                    file.write(msgspec.json.encode(outcomes[-1]) + b"\n")
            if is_listed:
                print_one(outcomes[-1])
    print_outcomes(outcomes)


def _with_fewer(one: PartsPages, others: int) -> PartsPages:
    """With no more other pages than are asked for, where more are kept."""
    beside = [path for path in one.pages if path not in one.asked.pages][others:]
    return PartsPages(asked=one.asked, pages={path: page for path, page in one.pages.items() if path not in beside})


def print_one(outcome: Outcome) -> None:
    """One question, its answer and the likeliest findings of both parts."""
    asked = outcome.asked
    print(f"{asked.kind} {outcome.language} [{outcome.fate}] {asked.question}\n    wanted {asked.answer} {asked.facts}")
    print(f"    said {outcome.confidence:.2f} {outcome.answer[:120]!r}")
    for number, part in enumerate(read_question(asked.question, outcome.language).parts):
        best = sorted((one for one in outcome.findings if one.part == number), key=lambda one: -one.score)[:2]
        told = "; ".join(f"{found_chance(one.score):.2f} {one.text[:60]!r}" for one in best)
        print(f"    {part.text} -> {told}", flush=True)


if __name__ == "__main__":
    main()
