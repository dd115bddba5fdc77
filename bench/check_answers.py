"""Checks the questions of bench/answers against the pages of their sites: a line for each failure, then what the set holds.

usage: python bench/check_answers.py [--cache DIR] [--half building|validation] [--only NAME,NAME] [--correct]
--correct writes depth and difficulty as they follow from the pages into the files. Exit status 1 if anything fails.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from answers.checks import corrected, failures_of, failures_of_set
from answers.question_set import FOLDER, HALVES, PARTS, SiteQuestions, read_set, write_questions
from answers.rendering import text_seen
from answers.site_map import OverHttp
from answers.sites_here import ServedSite, served_sites
from answers.unpacking import CACHE


def main() -> int:
    """Check, print, and say by the exit status whether all is well."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--only", default="")
    parser.add_argument("--correct", action="store_true")
    options = parser.parse_args()
    halves = (options.half,) if options.half else HALVES
    only = tuple(filter(None, options.only.split(",")))
    sets = read_set(halves=halves, parts=PARTS)
    failed = 0
    for failure in failures_of_set(sets):
        failed += 1
        print(f"FAIL {failure}", flush=True)
    with served_sites(options.cache, halves=halves, only=only, parts=PARTS) as served:
        for site in served:
            failed += check_site(site, correct=options.correct)
    print_totals(sets)
    print(f"{failed} failures" if failed else "all is well")
    return int(failed > 0)


class PagesServed:
    """Asks a served site about single files; a page is shown in a browser once."""

    def __init__(self, base: str) -> None:
        self._base = base
        self._seen: dict[str, str] = {}

    def file_kind(self, path: str) -> str:
        """Type of the file at a path, "" for none."""
        with OverHttp(self._base) as plain:
            answer = plain.get(path)
        return answer[1].get("content-type", "") if answer and answer[0] == 200 else ""

    def text_seen(self, path: str) -> str:
        """What a browser shows of a page."""
        if path not in self._seen:
            self._seen[path] = text_seen(self._base, path)
        return self._seen[path]


def check_site(served: ServedSite, *, correct: bool) -> int:
    """Print the failures of one site and give their number."""
    site, map_ = served.site, served.map()
    pages = PagesServed(served.base)
    questions = tuple(corrected(one, map_) for one in served.questions) if correct else served.questions
    if questions != served.questions:
        write_questions(FOLDER / site.half / f"{site.name}.jsonl", questions)
    depths = dict(sorted(Counter(map_.distance.values()).items()))
    print(f"{site.name}: {len(map_.pages)} pages, by clicks {depths}", flush=True)
    failed = 0
    for question in questions:
        for failure in failures_of(question, site, map_, pages):
            failed += 1
            print(f"FAIL {question.id} ({question.kind}): {failure}", flush=True)
    return failed


def print_totals(sets: Sequence[SiteQuestions]) -> None:
    """How many questions there are of each sort."""
    every = [(one.site, question) for one in sets for question in one.questions]
    print(f"{len(sets)} sites, {len(every)} questions")
    sorts: dict[str, list[str]] = {
        "half": [site.half for site, _ in every],
        "kind of site": [site.kind for site, _ in every],
        "kind of question": [question.kind for _, question in every],
        "language of the question": [question.lang for _, question in every],
        "language of the site": [site.language for site, _ in every],
        "where": [question.where or "text" for _, question in every],
        "difficulty": [question.difficulty or "-" for _, question in every],
        "pages": [site.pages for site, _ in every],
        "part": [question.part for _, question in every],
    }
    for name, values in sorts.items():
        print(f"  {name}: " + ", ".join(f"{value} {count}" for value, count in sorted(Counter(values).items())))


if __name__ == "__main__":
    sys.exit(main())
