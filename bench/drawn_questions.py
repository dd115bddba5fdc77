"""Questions of a built set, drawn by lot and printed with the pages that they rest on, for a person to judge."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from evaluation.building.facts.lines import folded
from evaluation.building.harvesting import read_snapshots, visible_lines
from evaluation.dataset.question import Question, address_of
from evaluation.metrics.rates import plain
from perception.document.reading import observe

BEFORE, AFTER = 4, 6
"""Lines of a page that are printed before and after what is quoted."""
MOST_LINE_CHARS = 300
MOST_ELSEWHERE = 4
"""Lines that are printed of those that say the answer too."""


def drawn(questions: Sequence[Question], number: int, seed: int) -> list[Question]:
    """So many of the questions, in an order drawn by lot."""
    every = sorted(questions, key=lambda one: one.id)
    return random.Random(seed).sample(every, min(number, len(every)))


def lines_of_pages(harvests: Path, wanted: frozenset[str]) -> dict[str, tuple[str, tuple[str, ...]]]:
    """Title and visible lines of the pages at these addresses, as the harvests below a folder keep them."""
    found: dict[str, tuple[str, tuple[str, ...]]] = {}
    for file in sorted(harvests.glob("*.harvest/*/pages.jsonl")):
        for snapshot in read_snapshots(file):
            places = wanted & {snapshot.url, snapshot.final_url} - found.keys()
            if places:
                observation = observe(snapshot)
                found |= dict.fromkeys(places, (observation.title, visible_lines(observation)))
    return found


def tell_drawn(questions: Sequence[Question], bases: Mapping[str, str], harvests: Path) -> None:
    """Print each question with its answers, and of each page the quote, what stands around it, and other lines with the answer."""
    sites = dict(bases)
    addresses = frozenset(address_of(one, source, sites) for one in questions for source in one.sources)
    pages = lines_of_pages(harvests, addresses)
    for number, one in enumerate(questions, start=1):
        print(f"\n[{number}] {one.id} {one.site} {one.kind} {one.difficulty}\n  Q: {one.question}")
        print(f"  A: {' = '.join(one.answers)}")
        for source, quote in zip(one.sources, one.evidence, strict=True):
            title, lines = pages.get(address_of(one, source, sites), ("(no longer here)", ()))
            print(f"  page {source}: {title}\n    quote: {quote}")
            for line in _around(lines, quote, one.answers):
                print(f"    {line}")


def _around(lines: Sequence[str], quote: str, answers: Sequence[str]) -> Iterator[str]:
    """The lines around a quote, then others that say the answer."""
    start, end = _place_of(lines, plain(quote))
    first, last = max(0, start - BEFORE), min(len(lines), end + AFTER)
    for number in range(first, last):
        mark = ">" if start <= number < end else "|"
        yield f"{mark} {lines[number][:MOST_LINE_CHARS]}"
    said = [plain(answer) for answer in answers]
    others = [
        line for number, line in enumerate(lines)
        if not first <= number < last and any(answer in folded(line) for answer in said)
    ]  # fmt: skip
    for line in others[:MOST_ELSEWHERE]:
        yield f"elsewhere: {line[:MOST_LINE_CHARS]}"


def _place_of(lines: Sequence[str], quote: str) -> tuple[int, int]:
    """The shortest run of lines that holds a quote: its first line and the one behind its last; (0, 0) where none does."""
    best = (0, 0)
    for start in range(len(lines)):
        said = ""
        for end in range(start, len(lines)):
            said = f"{said} {folded(lines[end])}".strip()
            if quote in said:
                if not best[1] or end + 1 - start < best[1] - best[0]:
                    best = (start, end + 1)
                break
            if len(said) > 2 * len(quote) + 400 or (best[1] and end + 1 - start >= best[1] - best[0]):
                break
    return best
