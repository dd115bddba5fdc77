"""Asks about pictures: the questions with the pictures that they are asked with, and the library that pictures are found in."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import msgspec

from answers.pictures.asked_pictures import asked_picture
from answers.pictures.picture_questions import PictureQuestion
from answers.site_map import OverHttp
from answers.sites_here import ServedSite
from answers.walks import PROJECT, Walk

PAGES_OF_A_SITE = 250
PAGES_RENDERED = 80
"""Most pages of a site whose pages scripts make: each takes a second, and its library is of the pages near its root."""
SEARCHED = 5
"""Hits of a picture search that are looked at."""


class PictureWalk(Walk, frozen=True, kw_only=True):
    """A line of a batch with a picture."""

    picture: str
    """Path of the file that the question is asked with."""


class AskedQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question of a site that is being served, and the file of its picture."""

    served: ServedSite
    question: PictureQuestion
    picture: Path

    @property
    def walk(self) -> PictureWalk:
        """It as a line of a batch."""
        one = self.question
        return PictureWalk(
            id=one.id, question=one.text, root=self.served.address(one.root), lang=one.lang, picture=str(self.picture)
        )


class Placed(msgspec.Struct, frozen=True, kw_only=True):
    """At which place a picture search had the asked picture, from 1; 0 for not among the first `SEARCHED`."""

    asked: AskedQuestion
    place: int


def made_pictures(
    sites: Sequence[ServedSite], pictured: Mapping[str, Sequence[PictureQuestion]], folder: Path
) -> Iterator[AskedQuestion]:
    """Make the picture of each question from what its site serves, in this folder. Raises `PictureUnreadable`."""
    for served in sites:
        with OverHttp(served.base) as plain:
            for question in pictured.get(served.site.name, ()):
                answer = plain.get(question.asked.picture)
                file = folder / f"{question.id}.jpg"
                file.write_bytes(asked_picture(answer[2] if answer else b"", question.asked))
                yield AskedQuestion(served=served, question=question, picture=file)


Run = Callable[[Sequence[str], Path], subprocess.CompletedProcess[str]]
"""Runs a command of Walker, as arguments, in a checkout."""


def in_a_process(command: Sequence[str], checkout: Path) -> subprocess.CompletedProcess[str]:
    """As a person runs it, with the checkout's own version."""
    return subprocess.run(
        [sys.executable, "-m", "walker", *command], cwd=checkout, check=False, capture_output=True, text=True
    )


def fill_library(
    library: Path,
    sites: Sequence[ServedSite],
    *,
    most_pages: int = PAGES_OF_A_SITE,
    checkout: Path = PROJECT,
    run: Run = in_a_process,
) -> None:
    """Crawl each site with its pictures into one library. Raises `RuntimeError` with the last line that a crawl wrote."""
    for served in sites:
        job = library.with_name(f"crawl-{served.site.name}")
        command = ["crawl", served.address(served.site.root), "--keep", "pictures", "--library", str(library)]
        most = most_pages if served.site.pages == "static" else min(most_pages, PAGES_RENDERED)
        command += ["--job", str(job), "--max-pages", str(most), "--order", "breadth-first", "--delay", "0"]
        command += ["--ignore-robots", "--quiet"]
        ended = run(command, checkout)
        if ended.returncode:
            raise RuntimeError(f"{served.site.name} was not crawled: {_last_line(ended.stderr)}")


def place_of(asked: AskedQuestion, library: Path, *, checkout: Path = PROJECT, run: Run = in_a_process) -> Placed:
    """Search the library by the question's picture. Raises `RuntimeError` where the search itself fails."""
    ended = run(["search", str(library), "--picture", str(asked.picture), "-k", str(SEARCHED), "--json"], checkout)
    if ended.returncode not in (0, 3):
        raise RuntimeError(f"{asked.question.id}: no picture search: {_last_line(ended.stderr)}")
    hits = [json.loads(line) for line in ended.stdout.splitlines() if line.strip()]
    shows = (place for place, hit in enumerate(hits, start=1) if is_hit(asked, hit))
    return Placed(asked=asked, place=next(shows, 0))


def is_hit(asked: AskedQuestion, hit: Mapping[str, Any]) -> bool:
    """Whether a hit is the file that the asked picture was made from; where its address is not told, a page that shows it."""
    base, question = asked.served.base, asked.question
    wanted = question.asked.picture if hit.get("picture") else question.shown
    address = str(hit.get("picture") or hit.get("url") or "")
    path = unquote(urlsplit(address).path).lstrip("/")
    return address.startswith(base) and path.removesuffix("index.html") == wanted.removesuffix("index.html")


def _last_line(said: str) -> str:
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return lines[-1][:200] if lines else "nothing was said"
