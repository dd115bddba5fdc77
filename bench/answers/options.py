"""The options that the measuring programs share."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from answers.question_set import HALVES, MEASURED, PARTS, QuestionSetError, Site
from answers.sites_here import ServedSite, served_sites, sites_elsewhere
from answers.slices import Scored
from answers.unpacking import CACHE
from answers.walks import PROJECT


def parser_of(description: str | None) -> argparse.ArgumentParser:
    """Which questions, which sites, which version of the program."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--questions", type=Path, help="a file of questions instead of those of bench/answers")
    parser.add_argument("--site", action="append", default=[], metavar="NAME=BASE", help="a site of that file")
    parser.add_argument("--half", choices=HALVES, help="only this half of bench/answers")
    parser.add_argument("--only", default="", help="only these sites of bench/answers, separated by commas")
    parser.add_argument(
        "--part",
        action="append",
        choices=PARTS,
        dest="parts",
        help=f"of the questions of each site; default: {', '.join(MEASURED)}",
    )
    parser.add_argument("--cache", type=Path, default=CACHE, help="where fetch_answer_sites.py unpacked them")
    parser.add_argument(
        "--list-failures",
        action="store_true",
        help="print a line for each failure; those of the validation half are only counted",
    )
    parser.add_argument("--results", type=Path, help="a file that gets a line for each question, for comparing runs")
    parser.add_argument(
        "--checkout", type=Path, default=PROJECT, help="another version of the project, to measure that"
    )
    parser.add_argument("--with", dest="more", default="", metavar="OPTIONS", help="further options of `walker ask`")
    return parser


@contextlib.contextmanager
def sites_of(options: argparse.Namespace) -> Iterator[tuple[ServedSite, ...]]:
    """Yields the sites that the options name. Ends the program in one line where files are wrong, or nothing is unpacked."""
    try:
        if options.questions is not None:
            yield sites_elsewhere(options.questions, dict(one.split("=", 1) for one in options.site))
            return
        halves = (options.half,) if options.half else HALVES
        only = tuple(filter(None, options.only.split(",")))
        with served_sites(options.cache, halves=halves, only=only, parts=options.parts or MEASURED) as served:
            if not served:
                sys.stderr.write("skipped: no site of bench/answers is unpacked here\n")
                raise SystemExit(0)
            yield served
    except QuestionSetError as error:
        raise SystemExit(str(error)) from None


def write_results(file: Path | None, scored: Sequence[Scored]) -> None:
    """Append what came of each question, one JSON object a line."""
    if file is not None:
        with file.open("ab") as lines:
            for one in scored:
                told = {"id": one.question.id, "piece": one.piece, "right": one.is_right, "cause": one.cause}
                lines.write(msgspec.json.encode(told) + b"\n")


def listed(lines: Sequence[tuple[Site, str]]) -> Iterator[str]:
    """The failures that may be read by whoever writes rules: those of the building half. The others are counted."""
    kept_back = [line for site, line in lines if site.half == "validation"]
    yield from (line for site, line in lines if site.half != "validation")
    if kept_back:
        yield f"{len(kept_back)} failures of the validation half are not listed"
