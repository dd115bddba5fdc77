"""Checks the questions of bench/answers, those about pictures too, against the pages of their sites: a line for each failure, then
what the set holds.

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
from answers.pictures.picture_checks import failures_of_picture, failures_of_pictures
from answers.pictures.picture_questions import FOLDER as PICTURES
from answers.pictures.picture_questions import PictureQuestion, read_picture_questions, write_picture_questions
from answers.question_set import FOLDER, HALVES, PARTS, SiteQuestions, read_set, write_questions
from answers.rendering import shown_pages, text_seen
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
    pictures = read_picture_questions(halves=halves)
    failed = 0
    for failure in (*failures_of_set(sets), *(() if options.half else failures_of_pictures(pictures))):
        failed += 1
        print(f"FAIL {failure}", flush=True)
    with served_sites(options.cache, halves=halves, only=only, parts=PARTS) as served:
        for site in served:
            failed += check_site(site, pictures.get(site.site.name, ()), correct=options.correct)
    print_totals(sets)
    every = [one for questions in pictures.values() for one in questions]
    sorts = ", ".join(f"{sort} {count}" for sort, count in sorted(Counter(one.sort for one in every).items()))
    print(f"{len(pictures)} sites, {len(every)} questions about pictures: {sorts}")
    print(f"{failed} failures" if failed else "all is well")
    return int(failed > 0)


class PagesServed:
    """Asks a served site about single files; a page is shown in a browser once."""

    def __init__(self, base: str, *, has_scripts: bool) -> None:
        self._base, self._has_scripts = base, has_scripts
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

    def file(self, path: str) -> bytes:
        """The bytes at a path, b"" for none."""
        with OverHttp(self._base) as plain:
            answer = plain.get(path)
        return answer[2] if answer and answer[0] == 200 else b""

    def markup(self, path: str) -> str:
        """A page's markup, after its scripts where the site has pages that scripts make."""
        if not self._has_scripts:
            return self.file(path).decode("utf-8", "replace")
        with shown_pages(self._base) as show:
            shown = show(path)
        return shown.markup if shown else ""


def check_site(served: ServedSite, about_pictures: Sequence[PictureQuestion], *, correct: bool) -> int:
    """Print the failures of one site and give their number."""
    site, map_ = served.site, served.map()
    pages = PagesServed(served.base, has_scripts=site.pages == "javascript")
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
    pictured = tuple(corrected(one, map_) for one in about_pictures) if correct else tuple(about_pictures)
    if pictured != tuple(about_pictures):
        write_picture_questions(PICTURES / site.half / f"{site.name}.jsonl", pictured)
    for one in pictured:
        for failure in failures_of_picture(one, site, map_, pages):
            failed += 1
            print(f"FAIL {one.id} ({one.sort}): {failure}", flush=True)
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
