"""Prints how often questions about pictures of the sites are answered rightly: by walks with all modules and a library of the sites'
pictures, and by the model alone, which gets the question and the picture; and how often a picture search finds the picture.

usage: python bench/picture_answers.py [--model NAME [--base-url URL]] [--mode walk|direct|both] [--half HALF] [--only NAME,NAME]
       [--sorts whole,crop,onward] [--pages 15] [--list-failures] [--results FILE] [--with OPTIONS]

Each question's picture is made from the site's own file in a temporary folder: all of it or a part, smaller, as a JPEG.
Without --model the built-in strategy walks, and there is no model alone. With --model and without --base-url the kept replies of
bench/answers/written_replies.jsonl answer.
"""

from __future__ import annotations

import argparse
import asyncio
import shlex
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.options import listed, parser_of, sites_of, write_results
from answers.pictures.asking import (
    PAGES_OF_A_SITE,
    SEARCHED,
    AskedQuestion,
    Placed,
    fill_library,
    made_pictures,
    place_of,
)
from answers.pictures.picture_questions import (
    SORTS,
    PictureQuestion,
    Sort,
    read_picture_file,
    read_picture_questions,
)
from answers.question_set import QuestionSetError
from answers.scoring import is_right
from answers.slices import Scored, table_of
from answers.walks import MODEL, SIDE_BY_SIDE, Ended, ask_batch, walk_all
from answers.written_replies import WrittenReplies
from figures import print_figure

from perception.errors import PictureUnreadable

WANTED, ABOVE_DIRECT = 0.75, 1.5
WANTED_FIRST, WANTED_AMONG = 0.85, 0.95
PAGES = 15
MODES = ("walk", "direct")


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """A question, and what came of it."""

    asked: AskedQuestion
    ended: Ended

    @property
    def is_right(self) -> bool:
        """Whether the answer that was given is right."""
        return is_right(self.asked.question, self.ended)

    @property
    def is_best_right(self) -> bool:
        """Whether the best that was found is right, given or not."""
        best = self.ended.answer or self.ended.nearest
        return is_right(self.asked.question, msgspec.structs.replace(self.ended, answer=best))


def main() -> None:
    """Fill the library, search it, ask in each mode, and print."""
    options = options_given()
    pictured = questions_of(options)
    options.only = options.only or ",".join(pictured)
    shares: dict[str, float] = {}
    with sites_of(options) as served, tempfile.TemporaryDirectory() as scratch:
        sites = [one for one in served if one.site.name in pictured]
        library = Path(scratch) / "pictures.library"
        try:
            asked = list(made_pictures(sites, pictured, Path(scratch)))
            if options.mode != "direct":  # the model alone needs no library
                fill_library(library, sites, most_pages=options.crawl_pages, checkout=options.checkout)
                print_search([place_of(one, library, checkout=options.checkout) for one in asked], options)
            for mode in modes_of(options):
                shares[mode] = print_mode(mode, answers_of(mode, asked, library, options), options)
        except (PictureUnreadable, RuntimeError) as error:
            raise SystemExit(str(error)) from None
    if len(shares) == len(MODES):
        ratio = shares["walk"] / max(shares["direct"], 0.01)
        print_figure("pictures: walk / direct", round(ratio, 2), "x", f">= {ABOVE_DIRECT}", ratio >= ABOVE_DIRECT)


def options_given() -> argparse.Namespace:
    """What the command line says."""
    parser = parser_of(__doc__)
    parser.add_argument("--sorts", default=",".join(SORTS), help="only these sorts, separated by commas")
    parser.add_argument("--mode", choices=[*MODES, "both"], default="both", help="walks, the model alone, or both")
    parser.add_argument("--model", default="", metavar="NAME", help="a language model that sees; none: built in")
    parser.add_argument("--base-url", default="", help="its endpoint, instead of the kept replies")
    parser.add_argument("--pages", type=int, default=PAGES, help="most pages of a walk")
    parser.add_argument("--crawl-pages", type=int, default=PAGES_OF_A_SITE, help="most pages of a site in the library")
    options = parser.parse_args()
    if options.base_url and not options.model:
        parser.error("--base-url needs --model")
    if options.mode == "direct" and not options.model:
        parser.error("--mode direct needs --model")
    if unknown := set(filter(None, options.sorts.split(","))) - set(SORTS):
        parser.error(f"there is no sort {', '.join(sorted(unknown))}: {', '.join(SORTS)}")
    return options


def modes_of(options: argparse.Namespace) -> Sequence[str]:
    """What is measured: without a model walks only."""
    every = MODES if options.model else ("walk",)
    return every if options.mode == "both" else (options.mode,)


def questions_of(options: argparse.Namespace) -> dict[str, list[PictureQuestion]]:
    """The questions that are asked, by site. Ends the program in one line where files are wrong."""
    try:
        found = (
            read_picture_file(options.questions)
            if options.questions is not None
            else [one for questions in read_picture_questions().values() for one in questions]
        )
    except QuestionSetError as error:
        raise SystemExit(str(error)) from None
    sorts: tuple[Sort, ...] = tuple(sort for sort in SORTS if sort in options.sorts.split(","))
    by_site: dict[str, list[PictureQuestion]] = {}
    for one in found:
        if one.sort in sorts:
            by_site.setdefault(one.site, []).append(one)
    return by_site


def answers_of(mode: str, asked: Sequence[AskedQuestion], library: Path, options: argparse.Namespace) -> list[Answered]:
    """Ask every question in a mode. Raises `RuntimeError` where the batch itself fails."""
    walks = [one.walk for one in asked]
    more = (
        ["--workflow", "direct"] if mode == "direct" else ["--library", str(library), "--max-pages", str(options.pages)]
    )
    more += shlex.split(options.more)
    if not options.model:
        more += ["--quiet", "--jobs", str(SIDE_BY_SIDE)]
        ended = asyncio.run(ask_batch(walks, more, checkout=options.checkout))
    else:
        # The later of two --model counts: the first is that of the kept replies.
        name = options.model if options.base_url else MODEL
        more += ["--model", name, "--vision-model", name]
        replies = WrittenReplies()
        ended = asyncio.run(walk_all(walks, replies, more, checkout=options.checkout, base_url=options.base_url))
        if replies.unknown:
            sys.stderr.write(f"{replies.unknown} of {replies.known + replies.unknown} prompts have no kept reply\n")
    return [Answered(asked=one, ended=ended[one.question.id]) for one in asked]


def print_mode(mode: str, answered: Sequence[Answered], options: argparse.Namespace) -> float:
    """Right answers by sort and in all; gives their share."""
    name = f"pictures, {mode}"
    scored = [
        Scored(site=one.asked.served.site, question=one.asked.question, is_right=one.is_right, cause=mode)
        for one in answered
    ]
    for line in table_of(scored):
        print(f"{name}: {line}")
    for sort in SORTS:
        members = [one for one in answered if one.asked.question.sort == sort]
        if members:
            best = sum(one.is_best_right for one in members)
            right = sum(one.is_right for one in members)
            print(f"{name}: {sort}: {right} of {len(members)} right; the best that was found, given or not: {best}")
    failed = [one.ended.error for one in answered if one.ended.error]
    print(f"{name}: failed: {len(failed)}", *dict.fromkeys(failed), sep="\n  ")
    write_results(options.results, scored)
    if options.list_failures:
        wrong = [one for one in answered if not one.is_right]
        for line in listed([(one.asked.served.site, told(one)) for one in wrong]):
            print(f"{name}: {line}")
    share = sum(one.is_right for one in answered) / max(1, len(answered))
    # What is to be reached is for walks with a model.
    is_held = mode == "walk" and bool(options.model)
    wanted = (f">= {WANTED}", share >= WANTED) if is_held else ("", True)
    print_figure(f"{name}: right of {len(answered)}", round(share, 3), "share", *wanted)
    return share


def told(one: Answered) -> str:
    """A failure in two lines."""
    question = one.asked.question
    said = one.ended.answer or one.ended.nearest
    return (
        f"{question.id} {question.sort} {one.ended.confidence:.2f} {question.text}\n"
        f"   wanted {question.answer!r}, said {said[:110]!r}"
    )


def print_search(placed: Sequence[Placed], options: argparse.Namespace) -> None:
    """How often the picture search had the asked picture first, and among the first."""
    for sort in SORTS:
        members = [one.place for one in placed if one.asked.question.sort == sort]
        if members:
            among = sum(place > 0 for place in members)
            print(f"picture search: {sort}: first {members.count(1)}, among {SEARCHED} {among}, of {len(members)}")
    if options.list_failures:
        for line in listed(
            [
                (one.asked.served.site, f"at {one.place or '-'}: {one.asked.question.id}")
                for one in placed
                if one.place != 1
            ]
        ):
            print(f"picture search: {line}")
    places = [one.place for one in placed]
    first = places.count(1) / max(1, len(places))
    among_share = sum(place > 0 for place in places) / max(1, len(places))
    print_figure("picture search: first", round(first, 3), "share", f">= {WANTED_FIRST}", first >= WANTED_FIRST)
    print_figure(
        f"picture search: among {SEARCHED}",
        round(among_share, 3),
        "share",
        f">= {WANTED_AMONG}",
        among_share >= WANTED_AMONG,
    )


if __name__ == "__main__":
    main()
