"""A page in a prompt: all of it where it fits; of a longer one the parts that bear on the question, and an outline of the rest."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import groupby

import msgspec

from memory.retrieval import Ranker, tokens
from perception.document.visible import visible_text
from perception.observation import Observation
from walker.models.token_count import count_tokens
from walker.strategies.model.digest.digest_request import DigestRequest
from walker.strategies.model.digest.page_jumps import ways_through
from walker.strategies.model.digest.page_lists import list_sets
from walker.strategies.model.digest.page_parts import Part
from walker.strategies.model.digest.page_sides import hidden_links, show_sides

RANKED_AT_MOST = 240
"""Most parts that are ranked, of a very long page those with most of the question's words."""
SIDES_SHARE = 0.3
"""Most of the tokens that headers, menus, side bars and footers may take where the main text needs the rest."""
OUTLINE_SHARE = 0.15
OUTLINE_LINES = 40
LEAST_FOR_OUTLINE = 200
"""Tokens below which only the best passage is shown."""
LEAST_CHARS = 80
READ_ON_SHARE = 0.6
"""Of the tokens, for the text that follows a part that was asked for."""
LINKS_LEFT_OUT = 16
CHARS_A_TOKEN = 8
"""Characters that a token holds at most on average; a text above this share needs no counting."""


class Digest(msgspec.Struct, frozen=True, kw_only=True):
    """A page as a prompt shows it."""

    text: str
    main: str = ""
    """Of it the main text."""
    left_out: frozenset[int] = frozenset()
    """Numbers of the parts of the page that are not shown."""


def digest_page(observation: Observation, asked: DigestRequest, ranker: Ranker) -> Digest:
    """The page in at most about `asked.tokens` tokens: title, URL, main text with its links in place, then what stands around it."""
    head = f"{visible_text(observation.title)}\n{observation.url}"
    lists = f"Lists of this page:\n{found}" if asked.with_lists and (found := list_sets(observation)) else ""
    left = asked.tokens - count_tokens(head) - count_tokens(lists)
    parts = asked.page.parts
    folded = _folded(parts, asked)
    main = "\n".join(
        _with_gaps(parts, frozenset(part.number for part in parts) - folded)
        if folded
        else (part.text for part in parts)
    )
    cost = _cost(main, left)
    around = show_sides(observation, asked, max(int(SIDES_SHARE * left), left - cost))
    fits = cost + count_tokens(around.text) <= left
    jumps = ways_through(observation, asked, f"{main}\n{around.text}" if fits else around.text)
    likely = _links_left_out(asked, f"{main}\n{around.text}") if folded else ""
    sides = "\n".join(filter(None, (likely, jumps, around.text, hidden_links(asked))))
    left -= count_tokens(sides)
    if cost <= left:
        text = "\n".join(text for text in (head, main, lists, sides) if text)
        return Digest(text=text, main=main, left_out=around.left_out | folded)
    chosen = _choose(parts, asked, ranker, int((1 - OUTLINE_SHARE) * left))
    shown = cut_text("\n".join(_with_gaps(parts, chosen)), left)
    if left < LEAST_FOR_OUTLINE:
        return Digest(
            text="\n".join(text for text in (head, shown) if text), main=shown, left_out=_others(parts, chosen)
        )
    outline = _outline(parts, chosen, int(OUTLINE_SHARE * left))
    links = _links_left_out(asked, "\n".join((shown, sides)))
    text = "\n".join(text for text in (head, shown, outline, links, lists, sides) if text)
    return Digest(text=text, main=shown, left_out=_others(parts, chosen) | around.left_out)


def _others(parts: Sequence[Part], chosen: frozenset[int]) -> frozenset[int]:
    return frozenset(part.number for part in parts) - chosen


def cut_text(text: str, budget: int) -> str:
    """The text within a budget of tokens; where it is cut, an ellipsis says so."""
    while (over := count_tokens(text)) > max(budget, 1) and len(text) > LEAST_CHARS:
        text = text[: min(len(text) - LEAST_CHARS // 2, len(text) * budget // over)].rstrip("… ") + " …"
    return text


def _cost(text: str, tokens_left: int) -> int:
    """Tokens of a text; for one that is far too long a lower bound, since counting takes time."""
    least = len(text) // CHARS_A_TOKEN
    return least if least > tokens_left else count_tokens(text)


def _choose(parts: Sequence[Part], asked: DigestRequest, ranker: Ranker, budget: int) -> frozenset[int]:
    """Numbers of the parts that are shown: those asked for and what follows them, then the most relevant with their neighbours."""
    chosen: dict[int, int] = {}

    def take(number: int, limit: int) -> bool:
        if not 1 <= number <= len(parts) or number in chosen:
            return True
        cost = count_tokens(parts[number - 1].text) + 2
        if sum(chosen.values()) + cost > limit and chosen:
            return False
        chosen[number] = cost
        return True

    for number in asked.unfolded:
        take(number, budget)
    if asked.unfolded:
        following = asked.unfolded[-1] + 1
        while following <= len(parts) and take(following, int(READ_ON_SHARE * budget)):
            following += 1
    folded = _folded(parts, asked)
    for number in _ranked([part for part in parts if part.number not in folded], asked.query, ranker):
        if not take(number, budget):
            break
        for beside in (number + 1, number - 1):
            take(beside, budget)
    return frozenset(chosen)


def _ranked(parts: Sequence[Part], query: str, ranker: Ranker) -> Iterable[int]:
    words = tuple(dict.fromkeys(tokens(query)))
    kept = list(parts)
    by_number = {part.number: part for part in parts}
    if len(kept) > RANKED_AT_MOST:
        counted = [
            (-sum(word in text for word in words), part.number) for part in parts if (text := part.text.casefold())
        ]
        kept = [by_number[number] for _, number in sorted(sorted(counted)[:RANKED_AT_MOST], key=lambda pair: pair[1])]
    ranking = ranker.rank(query, [f"{' '.join(part.path)} {part.text}" for part in kept])
    return (kept[ranked.index].number for ranked in ranking)


def _with_gaps(parts: Sequence[Part], chosen: frozenset[int]) -> Iterable[str]:
    """The chosen parts in the page's order; where others were left out, a line says so, and under which headings it goes on."""
    before = 0
    for number in sorted(chosen):
        part = parts[number - 1]
        if number > before + 1:
            yield _gap(parts[before : number - 1])
            if part.path and not part.text.startswith("#"):
                yield f"({' > '.join(visible_text(heading) for heading in part.path)})"
        yield part.text
        before = number
    if before < len(parts) and all(part.again for part in parts[before:]):
        yield _gap(parts[before:])


def _gap(parts: Sequence[Part]) -> str:
    """A line for parts that are not shown."""
    if not all(part.again for part in parts):
        return f"[… {_range(parts[0].number, parts[-1].number)} left out]"
    links = sum(part.text.count("\n") + 1 for part in parts)
    return f'[{links} links as on step {parts[0].again} ("read" {parts[0].number} shows all)]'


def _folded(parts: Sequence[Part], asked: DigestRequest) -> frozenset[int]:
    """Numbers of the parts that an earlier page had and that were not asked for."""
    repeated = [part.number for part in parts if part.again]
    return frozenset() if set(repeated) & set(asked.unfolded) else frozenset(repeated)


def _outline(parts: Sequence[Part], chosen: frozenset[int], budget: int) -> str:
    """What was left out: its words, and a line for each stretch under one heading; where there are too many, for several in a row."""
    left, shown = [part for part in parts if part.number not in chosen], sorted(chosen)
    words = sum(part.words for part in left)
    stretches = [list(run) for _, run in groupby(left, key=lambda part: (bisect_left(shown, part.number), part.path))]
    most = OUTLINE_LINES
    lines = _lines_of(stretches, most)
    while count_tokens("\n".join(lines)) > budget and most > 1:
        most //= 2
        lines = _lines_of(stretches, most)
    head = f'Left out of this page: {words} words in {len(left)} parts. "read" shows one by its number:'
    return "\n".join((head, *lines))


def _lines_of(stretches: Sequence[list[Part]], most: int) -> list[str]:
    """At most so many lines; each tells of equally many stretches."""
    each = -(-len(stretches) // max(1, most))
    return [_line_of(stretches[start : start + each]) for start in range(0, len(stretches), max(1, each))]


def _line_of(stretches: Sequence[list[Part]]) -> str:
    first, last = stretches[0][0], stretches[-1][-1]
    words = sum(part.words for stretch in stretches for part in stretch)
    names = list(dict.fromkeys(" > ".join(_shortened(part.path)) for part in (first, last)))
    about = " … ".join(name for name in names if name)
    # Parts under one heading, such as cards, are told by the first and the last of them.
    until = f" to “{last.last}…”" if first is not last and len(names) == 1 else ""
    return f"{_range(first.number, last.number)}: {about} “{_beginning(first)}…”{until} ({words} words)"


def _beginning(part: Part) -> str:
    """The first words of a part below its heading."""
    lines = [line for line in part.text.splitlines() if not line.startswith("#")] or [part.text]
    return visible_text(lines[0])[:50]


def _shortened(path: Sequence[str]) -> list[str]:
    return [visible_text(heading)[:60] for heading in path[-2:]]


def _range(first: int, last: int) -> str:
    return f"part {first}" if first == last else f"parts {first}-{last}"


def _links_left_out(asked: DigestRequest, shown: str) -> str:
    best = [link for link in asked.promising if f"[{link.id}]" not in shown][:LINKS_LEFT_OUT]
    return "Links of the parts left out: " + " · ".join(map(asked.marks.label_of, best)) if best else ""
