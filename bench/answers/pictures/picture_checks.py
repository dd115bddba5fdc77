"""Checks questions about pictures against the pages and the files that they are about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Protocol
from urllib.parse import unquote

from answers.checks import Served, failures_of, stands
from answers.comparing import mentions
from answers.pictures.asked_pictures import asked_picture
from answers.pictures.picture_questions import SORTS, PictureQuestion
from answers.question_set import Site
from answers.site_map import SiteMap
from perception.errors import PictureUnreadable
from perception.images.image import decode_picture, size_of

LEAST_QUESTIONS, LEAST_SITES, LEAST_OF_A_SORT = 14, 3, 4
CROP_AREA = (0.3, 0.6)
LEAST_SIDE = 48
"""Pixels of the shorter side of an asked picture: on fewer a person makes out little."""


class Files(Served, Protocol):
    """What the checks ask of a site that is being served."""

    def file(self, path: str) -> bytes:
        """The bytes at a path, b"" for none."""

    def markup(self, path: str) -> str:
        """The page's markup, after its scripts where it has such."""


def failures_of_picture(question: PictureQuestion, site: Site, map_: SiteMap, served: Files) -> tuple[str, ...]:
    """What is wrong with a question about a picture, one line each."""
    return (
        *failures_of(question, site, map_, served),
        *_of_words(question),
        *_of_shown(question, map_, served),
        *_of_asked(question, served),
    )


def failures_of_pictures(sets: Mapping[str, Sequence[PictureQuestion]]) -> Iterator[str]:
    """What is wrong with the questions about pictures as a whole."""
    every = [question for questions in sets.values() for question in questions]
    yield from (
        f"id occurs {count} times: {name}" for name, count in Counter(one.id for one in every).items() if count > 1
    )
    if len(every) < LEAST_QUESTIONS or len(sets) < LEAST_SITES:
        yield f"{len(every)} questions about pictures of {len(sets)} sites: {LEAST_QUESTIONS} of {LEAST_SITES} are the least"
    for sort, count in ((sort, sum(one.sort == sort for one in every)) for sort in SORTS):
        if count < LEAST_OF_A_SORT:
            yield f"{sort}: {count} questions, {LEAST_OF_A_SORT} are the least"


def _of_words(question: PictureQuestion) -> Iterator[str]:
    if not question.names:
        yield "it names nothing that its picture shows"
    yield from (f"the question names {name!r}" for name in question.names if mentions(question.text, name))
    stem = PurePosixPath(question.asked.picture).stem
    if mentions(question.text, stem):
        yield f"the question has the file's name {stem!r}"


def _of_shown(question: PictureQuestion, map_: SiteMap, served: Files) -> Iterator[str]:
    path = map_.named(question.shown)
    page = map_.pages.get(path)
    if page is None:
        yield f"{question.shown}: no clicks lead there"
        return
    if not _shows(served.markup(path), question.asked.picture):
        yield f"{question.shown} does not show {question.asked.picture}"
    sources = [map_.named(source) for source in question.sources]
    if question.sort != "onward":
        if sources != [path]:
            yield f"{question.sort}: the answer has to stand on the page that shows the picture"
        return
    for source, piece in zip(sources, question.evidence, strict=False):
        if _shows(served.markup(source), question.asked.picture):
            yield f"onward: {source} shows the picture too"
        if stands(piece, page, closed=True):
            yield f"onward: the evidence stands on {question.shown} too"


def _shows(markup: str, picture: str) -> bool:
    """Whether a tag of an image names the file; scripts and styles that name it do not show it."""
    name = re.escape(PurePosixPath(picture).name)
    tags = (unquote(tag) for tag in re.findall(r"<img\b[^>]*>", markup, re.IGNORECASE | re.DOTALL))
    return any(re.search(rf"[/\"'=]{name}\b", tag) for tag in tags)


def _of_asked(question: PictureQuestion, served: Files) -> Iterator[str]:
    recipe = question.asked
    if recipe.box is not None:
        left, top, right, bottom = recipe.box
        if not (0 <= left < right <= 1 and 0 <= top < bottom <= 1):
            yield f"{recipe.box} is no part of a picture"
            return
    if question.sort == "whole" and recipe.box is not None:
        yield "whole: it has a box"
    if question.sort == "crop" and not CROP_AREA[0] <= recipe.area <= CROP_AREA[1]:
        yield f"crop: {recipe.area:.0%} of the picture, {CROP_AREA[0]:.0%} to {CROP_AREA[1]:.0%} are allowed"
    try:
        made = asked_picture(served.file(recipe.picture), recipe)
    except PictureUnreadable as error:
        yield f"{recipe.picture}: {error}"
        return
    if min(size_of(decode_picture(made))) < LEAST_SIDE:
        width, height = size_of(decode_picture(made))
        yield f"the asked picture has {width} x {height} pixels"
