"""Prints how often the built-in strategy answers rightly, and what its confidence is worth.

usage: python bench/builtin_answers.py [--pages oracle|found|walk] [--words-alone] [--others 6] [--half HALF] [--only NAME,NAME]
       [--kinds KIND,KIND] [--list-failures] [--results FILE] [--with "--max-pages 12"]
oracle: the source pages and as many others as a search finds are read in the order of the search, without a browser (those that
scripts make are shown once, and kept), so that what answers is measured apart from what finds. found: only what the search finds.
walk: walks by the command line. Pages as they were read are kept in bench/out/pages; remove it after a change of perception.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.kept_pages import PageShelf, pages_for
from answers.leafing import leaf_through
from answers.options import parser_of, sites_of
from answers.question_set import KINDS, Question, Site, kinds_in
from answers.scoring import is_right
from answers.sites_here import ServedSite
from answers.slices import Scored, table_of
from answers.walks import PROJECT, Ended
from figures import print_figure

from memory.retrieval import Ranker, WordLlamaEmbedder
from walker.calibration.logistic_fit import reliability
from walker.settings import SURE
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.reader.passage_reader import NetReader

KEPT = Path(__file__).parent / "out" / "pages"
OTHERS, PAGES = 6, 30
WANTED = {"single": 0.60, "multi": 0.30, "quota": 0.55, "exhaustive": 0.55, "visual": 0.3, "none": 0.8}
SURELY, PRECISION, COVERAGE = 0.8, 0.9, 0.3


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """A question and the best that was found, whether it is sure enough to be given or not."""

    site: Site
    question: Question
    best: Ended

    @property
    def is_best_right(self) -> bool:
        """Whether the best that was found is right; never where there is nothing to find."""
        return self.question.kind != "none" and is_right(self.question, self.best)

    @property
    def is_answered(self) -> bool:
        """Whether an answer is given."""
        return bool(self.best.answer.strip()) and self.best.confidence >= SURE

    @property
    def is_right(self) -> bool:
        """Whether the question is answered rightly, or rightly not answered."""
        return not self.is_answered if self.question.kind == "none" else self.is_answered and self.is_best_right


def leafed(options: argparse.Namespace, sites: Sequence[ServedSite]) -> Iterator[Answered]:
    """Each question asked of its pages."""
    critic = BuiltinCritic(Ranker(WordLlamaEmbedder.load()), None if options.words_alone else NetReader())
    for served in sites:
        shelf = PageShelf(served, KEPT)
        found = shelf.found()
        for question in asked_of(options, served):
            paths = pages_for(
                question, found[question.id], others=options.others, with_sources=options.pages == "oracle"
            )
            pages = list(shelf.observed(paths).values())
            if not pages:
                continue
            home = shelf.observed([question.root]).get(question.root)
            ended, _, _ = asyncio.run(leaf_through(question.text, question.lang, pages, critic, home=home))
            yield Answered(site=served.site, question=question, best=ended)


def walked(options: argparse.Namespace, sites: Sequence[ServedSite]) -> Iterator[Answered]:
    """Each question asked by the command line; prints nothing of single walks."""
    asked = [(served, question) for served in sites for question in asked_of(options, served)]
    with tempfile.TemporaryDirectory() as scratch:
        batch, out = Path(scratch) / "questions.jsonl", Path(scratch) / "answers.jsonl"
        lines = (
            {"id": one.id, "question": one.text, "root": served.address(one.root), "lang": one.lang}
            for served, one in asked
        )
        batch.write_text("".join(json.dumps(line) + "\n" for line in lines))
        command = [*"-m walker ask --no-record --quiet --jobs 2 --max-pages".split(), str(PAGES)]
        command += ["--batch", str(batch), "--out", str(out), *shlex.split(options.more)]
        subprocess.run([sys.executable, *command], cwd=options.checkout, check=False)
        ended = {line["id"]: line for line in map(json.loads, out.read_text().splitlines())} if out.is_file() else {}
    for served, question in asked:
        told = ended.get(question.id, {})
        fields = {name: told[name] for name in Ended.__struct_fields__ if name in told and name != "tokens"}
        fields["answer"] = fields.get("answer") or told.get("nearest", "")
        one = msgspec.convert({"id": question.id, **fields}, Ended)
        yield Answered(site=served.site, question=question, best=one)


def asked_of(options: argparse.Namespace, served: ServedSite) -> list[Question]:
    """The questions of a site of the kinds that are measured."""
    return [one for one in served.questions if one.kind in options.kinds]


def print_all(answered: Sequence[Answered]) -> None:
    """Shares by sort, then by kind with what is wanted, then what confidence is worth."""
    scored = [Scored(site=one.site, question=one.question, is_right=one.is_right) for one in answered]
    for line in table_of(scored):
        print(line)
    for kind, wanted in WANTED.items():
        members = [one.is_right for one in answered if one.question.kind == kind]
        if members:
            share = sum(members) / len(members)
            print_figure(f"built-in: right, {kind}", round(share, 3), "share", f">= {wanted}", share >= wanted)
            if kind != "none":
                best = sum(one.is_best_right for one in answered if one.question.kind == kind)
                print(f"  the best that was found, given or not: {best} of {len(members)}")
    print_confidence(answered)


def print_confidence(answered: Sequence[Answered]) -> None:
    """A reliability table, and precision and coverage of what is said surely."""
    given = [one for one in answered if one.is_answered]
    print(f"answered {len(given)} of {len(answered)}, rightly {sum(one.is_right for one in given)}")
    found = [one for one in answered if one.best.answer.strip()]
    for line in reliability([one.best.confidence for one in found], [one.is_best_right for one in found]):
        print(f"confidence {line}")
    sure = [one for one in given if one.best.confidence >= SURELY]
    precision = sum(one.is_right for one in sure) / len(sure) if sure else 0.0
    name = f"built-in: precision at {SURELY}, {len(sure)} answers"
    print_figure(name, round(precision, 3), "share", f">= {PRECISION}", precision >= PRECISION)
    coverage = len(sure) / max(1, len(answered))
    print_figure(f"built-in: coverage at {SURELY}", round(coverage, 3), "share", f">= {COVERAGE}", coverage >= COVERAGE)


def main() -> None:
    """Ask, then print."""
    parser = parser_of(__doc__)
    parser.add_argument("--pages", choices=("oracle", "found", "walk"), default="oracle")
    parser.add_argument("--others", type=int, default=OTHERS, help="pages of the search that are read besides")
    parser.add_argument("--words-alone", action="store_true", help="without the reader, for oracle and found")
    parser.add_argument("--kinds", type=kinds_in, default=KINDS, help="only these kinds, separated by commas")
    options = parser.parse_args()
    options.checkout = options.checkout or PROJECT
    with sites_of(options) as sites:
        answered = list(walked(options, sites) if options.pages == "walk" else leafed(options, sites))
    if options.results:
        told = ({**msgspec.to_builtins(one.best), "id": one.question.id, "right": one.is_right} for one in answered)
        options.results.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in told))
    if options.list_failures:
        for one in answered:
            if not one.is_best_right and one.site.half == "building":
                print(
                    f"{one.question.id} {one.question.kind} {one.best.confidence:.2f} {one.question.text}\n"
                    f"   wanted {one.question.answer[:70]!r}, said {one.best.answer[:110]!r}"
                )
    print_all(answered)


if __name__ == "__main__":
    main()
