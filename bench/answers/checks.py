"""Checks questions against the pages that they are about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Protocol, TypeVar

import msgspec

from answers.comparing import mentions
from answers.page_parts import PageParts, collapsed
from answers.question_set import Question, Site, SiteQuestions
from answers.site_map import SiteMap

LEAST_QUESTIONS = 15
EVIDENCE_CHARS = 200
ANSWER_CHARS = 60
DEEPEST = 6
PICTURES = ("image/",)
NEAR_SHOWN = 3
Asked = TypeVar("Asked", bound=Question)


class Served(Protocol):
    """What the checks ask of a site that is being served."""

    def file_kind(self, path: str) -> str:
        """Type of the file at a path, "" for none."""

    def text_seen(self, path: str) -> str:
        """What a browser shows of a page, with its style sheets."""


def failures_of(question: Question, site: Site, map_: SiteMap, served: Served) -> tuple[str, ...]:
    """What is wrong with a question, one line each."""
    if question.kind == "none":
        return tuple(_of_unanswered(question))
    found = [*_of_form(question, site), *_of_places(question, map_, served), *_of_answer(question)]
    match question.kind:
        case "quota" | "exhaustive":
            found += _of_items(question, map_)
        case "visual":
            found += _of_picture(question, map_, served)
    return tuple(found)


def failures_of_set(sets: Sequence[SiteQuestions]) -> Iterator[str]:
    """What is wrong with the set as a whole."""
    every = [question for one in sets for question in one.questions]
    for name, values in (("id", [one.id for one in every]), ("question", [one.text for one in every])):
        yield from (f"{name} occurs {count} times: {value}" for value, count in Counter(values).items() if count > 1)
    for one in sets:
        if len(one.questions) < LEAST_QUESTIONS:
            yield f"{one.site.name}: {len(one.questions)} questions, {LEAST_QUESTIONS} are the least"


def corrected(question: Asked, map_: SiteMap) -> Asked:
    """The question with depth and difficulty as they follow from the pages."""
    if question.kind == "none":
        return msgspec.structs.replace(question, depth=())
    depth = tuple(map_.distance.get(map_.named(source), 0) for source in question.sources)
    return msgspec.structs.replace(question, depth=depth, difficulty=difficulty_of(depth))


def difficulty_of(depth: Sequence[int]) -> str:
    """By the clicks to all sources together."""
    return "easy" if sum(depth) <= 2 else "medium" if sum(depth) <= 4 else "hard"


def _of_unanswered(question: Question) -> Iterator[str]:
    for name in ("answer", "accept", "sources", "evidence", "depth", "items", "picture"):
        if getattr(question, name):
            yield f"the site does not answer it, and it has {name}"


def _of_form(question: Question, site: Site) -> Iterator[str]:
    if question.site != site.name or question.root != site.root:
        yield f"site and root are {question.site!r} {question.root!r}, not {site.name!r} {site.root!r}"
    if not len(question.sources) == len(question.evidence) == len(question.depth):
        yield "sources, evidence and depth are not equally many"
    if len(set(question.sources)) != len(question.sources):
        yield "a source occurs twice"
    if question.kind == "multi" and len(question.sources) < 2:
        yield "it has one source only"
    if question.kind in ("single", "visual") and len(question.sources) != 1:
        yield "it has not exactly one source"
    for piece in question.evidence:
        if len(piece) > EVIDENCE_CHARS or piece != collapsed(piece):
            yield f"evidence is longer than {EVIDENCE_CHARS}, or its white space is not collapsed: {piece[:60]!r}"
    if not question.answer or (len(question.answer) > ANSWER_CHARS and question.kind != "quota"):
        yield f"the answer has {len(question.answer)} characters"


def _of_places(question: Question, map_: SiteMap, served: Served) -> Iterator[str]:
    for source, piece, depth in zip(question.sources, question.evidence, question.depth, strict=False):
        path = map_.named(source)
        page = map_.pages.get(path)
        if page is None:
            yield f"{source}: no clicks lead there"
            continue
        clicks = map_.distance[path]
        if clicks != depth:
            yield f"{source}: {clicks} clicks away, not {depth}"
        if not 1 <= clicks <= DEEPEST:
            yield f"{source}: {clicks} clicks away, 1 to {DEEPEST} are allowed"
        if question.kind == "visual":
            continue
        if failure := _of_evidence(piece, path, page, closed=question.where == "closed"):
            yield failure
        elif near := nearer(piece, path, map_, served):
            yield f"{path}: evidence also stands nearer to the root, on {', '.join(near)}: {piece[:60]!r}"
    if question.difficulty != difficulty_of(question.depth):
        yield f"difficulty is {question.difficulty}, not {difficulty_of(question.depth)}"


def _of_evidence(piece: str, path: str, page: PageParts, *, closed: bool) -> str:
    if stands(piece, page, closed=closed):
        return ""
    hidden = stands(piece, page, closed=True)
    return f"{path}: evidence {'is hidden and not marked as closed' if hidden else 'is not there'}: {piece[:80]!r}"


def nearer(piece: str, path: str, map_: SiteMap, served: Served) -> list[str]:
    """Pages nearer to the root that show a piece of evidence too. Where the markup has it, a browser says whether it is seen."""
    likely = [
        other
        for other, clicks in map_.distance.items()
        if clicks < map_.distance[path] and stands(piece, map_.pages[other], closed=False)
    ]
    return [other for other in likely[:NEAR_SHOWN] if _bare(piece) in _bare(served.text_seen(other))]


def stands(piece: str, page: PageParts, *, closed: bool) -> bool:
    """Whether a page shows a verbatim piece; white space may differ, since browsers put it where markup has none."""
    text = page.whole if closed else page.text
    return bool(piece) and (piece in text or _bare(piece) in _bare(text))


@lru_cache(maxsize=8000)
def _bare(text: str) -> str:
    return re.sub(r"\s+", "", text)


def _of_answer(question: Question) -> Iterator[str]:
    if question.kind in ("single", "multi", "visual"):
        for form in question.forms:
            if (len(form) > 3 and form.lower() in question.text.lower()) or mentions(question.text, form):
                yield f"the question contains the answer {form!r}"
    if question.kind == "single" and not any(
        mentions(piece, form) for piece in question.evidence for form in question.forms
    ):
        yield "no form of the answer stands in the evidence"
    if question.kind == "exhaustive" and any(mentions(question.text, form) for form in question.forms):
        yield "the question contains the count"


def _of_items(question: Question, map_: SiteMap) -> Iterator[str]:
    pages = [page for source in question.sources if (page := map_.pages.get(map_.named(source)))]
    texts = [page.whole if question.where == "closed" else page.text for page in pages]
    if len(set(question.items)) != len(question.items) or not question.items:
        yield "items repeat, or there are none"
    for item in question.items:
        if not any(mentions(text, item) or collapsed(item).lower() in text.lower() for text in texts):
            yield f"an item is on none of the sources: {item!r}"
    if question.kind == "exhaustive" and str(len(question.items)) not in question.forms:
        yield f"{len(question.items)} items, and the answer is {question.answer}"
    if question.kind == "quota":
        named = [item for item in question.items if len(item) > 3 and mentions(question.text, item)]
        if len(named) > 1:
            yield f"the question contains {len(named)} of the items"
        if not 0 < question.n < len(question.items):
            yield f"{question.n} of {len(question.items)} items are asked for"
        if question.answer != "; ".join(question.items):
            yield "the answer is not all items, joined by '; '"


def _of_picture(question: Question, map_: SiteMap, served: Served) -> Iterator[str]:
    if not question.picture or not served.file_kind(question.picture).startswith(PICTURES):
        yield f"there is no picture {question.picture!r}"
    for source in question.sources:
        page = map_.pages.get(map_.named(source))
        said = [form for form in question.forms if page is not None and mentions(page.whole, form)]
        if said:
            yield f"{source}: the text says {said[0]!r} too"
