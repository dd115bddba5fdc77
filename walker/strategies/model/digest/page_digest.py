"""A page in a prompt: all of it where it fits; of a longer one the parts that bear on the question, and an outline of the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from memory.retrieval import Ranker, holders_of_names, tokens
from memory.words import lazy_re
from perception.document.visible import visible_text
from perception.observation import Link, Observation
from walker.models.token_count import count_tokens
from walker.strategies.model.digest.contents_tree import tree_of
from walker.strategies.model.digest.digest_request import DigestRequest
from walker.strategies.model.digest.digest_words import said
from walker.strategies.model.digest.outline import name_run, outline_of, range_of
from walker.strategies.model.digest.page_jumps import may_lead_through, ways_through
from walker.strategies.model.digest.page_lists import ListedSets, list_sets
from walker.strategies.model.digest.page_parts import Part
from walker.strategies.model.digest.page_sides import hidden_links, show_sides

RANKED_AT_MOST = 240
"""Most parts that are ranked, of a very long page those with most of the question's words."""
SIDES_SHARE = 0.3
"""Most of the tokens that headers, menus, side bars and footers may take where the main text needs the rest."""
WAYS_TOKENS = 250
"""Tokens that what stands around the text leaves free for the ways through a list, where there may be any."""
OUTLINE_SHARE, OUTLINE_LEAST = 0.15, 60
GAPS_TOKENS = 24
"""Of the lines that say what is left out before and after a part."""
LEAST_FOR_OUTLINE = 200
"""Tokens below which only the best passage is shown."""
HEAD_TOKENS = 40
"""Of the line above a tree of contents."""
LEAST_CHARS = 80
READ_ON_SHARE = 0.6
"""Of the tokens, for the text that follows a part that was asked for."""
LINKS_LEFT_OUT = 16
_NUMBER = lazy_re.compile(r"\[\d+")
TITLES_AGAIN, TITLE_CHARS = 40, 60
"""Entries with a link to follow that are named of long lists which this page had when the walk was here before: nothing else tells
them apart. Those likeliest to lead on; 40 of five words each take 400 tokens."""
_TITLE = lazy_re.compile(r"(.*?)\s*\[(\d+)\]")
_ENTRY_SIGNS = "-|># "
MOSTLY = 1.5
"""Times the tokens that a page would take from which most of it is left out, so that names come before contents."""
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
    listed = _lists_of(observation, asked)
    lists = _told(listed, asked, is_cut=False)
    left = asked.tokens - count_tokens(head) - count_tokens(lists)
    parts = _parts_of(asked)
    folded = _folded(parts, asked)
    titles = _titles_in(parts, folded, asked)
    main = "\n".join(
        _with_gaps(parts, frozenset(part.number for part in parts) - folded, titles, asked.language)
        if folded
        else (part.text for part in parts)
    )
    cost = _cost(main, left)
    hidden = hidden_links(asked)
    kept_free = count_tokens(hidden) + (WAYS_TOKENS if may_lead_through(observation, asked) else 0)
    around = show_sides(observation, asked, max(int(SIDES_SHARE * left), left - cost - kept_free))
    fits = cost + count_tokens(around.text) <= left
    jumps = ways_through(observation, asked, f"{main}\n{around.text}" if fits else around.text)
    likely = _links_left_out(asked, f"{main}\n{around.text}") if folded and not titles else ""
    sides = "\n".join(filter(None, (_on_pictures(asked), likely, jumps, around.text, hidden)))
    left -= count_tokens(sides)
    if cost <= left:
        text = "\n".join(text for text in (head, main, lists, sides) if text)
        return Digest(text=text, main=main, left_out=around.left_out | folded)
    if left >= LEAST_FOR_OUTLINE and not folded:
        tree = tree_of(parts, asked, ranker, left - HEAD_TOKENS)
        if tree is not None:
            text = "\n".join(text for text in (head, said("tree", asked.language), tree.text, lists, sides) if text)
            return Digest(text=text, main=tree.text, left_out=tree.left_out | around.left_out)
    is_long = max(cost, len(main) // 4) > MOSTLY * left
    page = _LongPage(
        parts=parts, titles=titles, head=head, listed=listed, sides=sides, left_out=around.left_out, is_long=is_long
    )
    return _of_long_page(observation, asked, ranker, page, left)


class _LongPage(NamedTuple):
    """A page whose main text does not fit, and what stands around that."""

    parts: Sequence[Part]
    titles: Mapping[int, Sequence[str]]
    """Of the parts that an earlier page had too, by their number."""
    head: str
    listed: ListedSets
    sides: str
    left_out: frozenset[int]
    is_long: bool
    """Most of the text is left out."""


def _of_long_page(
    observation: Observation,
    asked: DigestRequest,
    ranker: Ranker,
    page: _LongPage,
    left: int,
) -> Digest:
    """The best parts of the main text, those that were asked for first, and an outline of the others. The text comes first: where it
    has too few tokens left, or less than the part that was asked for needs, lists and sides give theirs."""
    parts, titles, head, listed, sides, left_out, is_long = page
    lists = _told(listed, asked, is_cut=False)
    if asked.counted is not None and (fuller := _told(listed, asked, is_cut=True)) != lists:
        left += count_tokens(lists) - count_tokens(fuller)
        lists = fuller
    least = LEAST_FOR_OUTLINE
    if asked_for := _cost_of_asked(parts, asked):
        least = max(least, int(asked_for / (1 - OUTLINE_SHARE)) + GAPS_TOKENS)
        if left < least:  # they were shown before the part was asked for
            left, sides = left + count_tokens(sides), ""
    if left < least:
        left, lists = left + count_tokens(lists), ""
    if left < least and asked.around_number not in asked.unfolded:
        left, sides = left + count_tokens(sides), ""
    names = name_run(observation, asked, left) if is_long else ""
    left -= count_tokens(names)
    chosen = _choose(parts, asked, ranker, int((1 - OUTLINE_SHARE) * left))
    may_outline = left >= LEAST_FOR_OUTLINE
    room = left - OUTLINE_LEAST if may_outline and not asked_for else left
    text, hidden = _within(parts, chosen, titles, room, asked.language)
    if asked_for and count_tokens(text) > left - OUTLINE_LEAST:
        may_outline = False
    shown = "\n".join(filter(None, (names, text)))
    share = int(min(OUTLINE_SHARE * left, max(OUTLINE_LEAST, left - count_tokens(text))))
    outline = outline_of(parts, frozenset(part.number for part in parts) - hidden, share, asked.language)
    if not may_outline or not hidden:
        outline = ""
    links = _links_left_out(asked, "\n".join((shown, sides))) if outline else ""
    text = "\n".join(text for text in (head, shown, outline, links, lists, sides) if text)
    return Digest(text=text, main=shown, left_out=hidden | left_out)


def _cost_of_asked(parts: Sequence[Part], asked: DigestRequest) -> int:
    """Tokens of the part that was asked for last, 0 where none was."""
    number = asked.unfolded[-1] if asked.unfolded else 0
    return count_tokens(parts[number - 1].text) if 1 <= number <= len(parts) else 0


def _lists_of(observation: Observation, asked: DigestRequest) -> ListedSets:
    """The page's lists by number, none where there is none to choose."""
    if not asked.with_lists:
        return ListedSets()
    return list_sets(observation, asked.query, asked.seen_around, asked.language, asked.counted)


def _told(listed: ListedSets, asked: DigestRequest, *, is_cut: bool) -> str:
    """The lists below their title, "" where there is none."""
    found = listed.text(is_cut=is_cut)
    return f"{said('lists', asked.language)}\n{found}" if found else ""


def _on_pictures(asked: DigestRequest) -> str:
    """That nothing but names is known of the pictures that the text has, where it has any and none can be looked at."""
    return said("unseen", asked.language) if asked.page.has_pictures and not asked.may_look else ""


def cut_text(text: str, budget: int) -> str:
    """The text within a budget of tokens; where it is cut, an ellipsis says so."""
    while (over := count_tokens(text)) > max(budget, 1) and len(text) > LEAST_CHARS:
        text = text[: min(len(text) - LEAST_CHARS // 2, len(text) * budget // over)].rstrip("… ") + " …"
    return text


def _cost(text: str, tokens_left: int) -> int:
    """Tokens of a text; for one that is far too long a lower bound, since counting takes time."""
    least = len(text) // CHARS_A_TOKEN
    return least if least > tokens_left else count_tokens(text)


def _choose(parts: Sequence[Part], asked: DigestRequest, ranker: Ranker, budget: int) -> dict[int, int]:
    """Numbers of the parts that are shown with their tokens, the most wanted first: the one asked for last with what follows it, those
    asked for before, then the most relevant with their neighbours."""
    chosen: dict[int, int] = {}

    def take(number: int, limit: int) -> bool:
        if not 1 <= number <= len(parts) or number in chosen:
            return True
        cost = count_tokens(parts[number - 1].text) + 2
        if sum(chosen.values()) + cost > limit and chosen:
            return False
        chosen[number] = cost
        return True

    if asked.unfolded:
        following = asked.unfolded[-1]
        take(following, budget)
        while following < len(parts) and take(following + 1, int(READ_ON_SHARE * budget)):
            following += 1
    for number in reversed(asked.unfolded):
        take(number, budget)
    folded = _folded(parts, asked)
    for number in _ranked([part for part in parts if part.number not in folded], asked.query, ranker):
        if not take(number, budget):
            break
        for beside in (number + 1, number - 1):
            take(beside, budget)
    return chosen


def _within(
    parts: Sequence[Part], chosen: Mapping[int, int], titles: Mapping[int, Sequence[str]], budget: int, language: str
) -> tuple[str, frozenset[int]]:
    """The chosen parts in the page's order within a budget of tokens, marks and all, without the least wanted that do not fit; and the
    numbers of those that are not shown whole. A part that is longer than the budget by itself ends with a whole line,
    unless that would be little."""
    kept = list(chosen)
    while (over := count_tokens(text := "\n".join(_with_gaps(parts, frozenset(kept), titles, language))) - budget) > 0:
        if len(kept) < 2:
            break
        while over > 0 and len(kept) > 1:
            over -= chosen[kept.pop()]
    hidden = frozenset(part.number for part in parts) - frozenset(kept)
    if over <= 0 or not kept:
        return text, hidden
    text, room = parts[kept[0] - 1].text, budget - GAPS_TOKENS
    lines = text.splitlines()
    while lines and count_tokens("\n".join(lines)) > room:
        lines.pop()
    whole = "\n".join(lines)
    text = whole if count_tokens(whole) > room // 2 else cut_text(text, room)
    text = f"{text}\n{said('goes on', language, range_of(kept[0], kept[0], language))}"
    return text, hidden | {kept[0]}


def _ranked(parts: Sequence[Part], query: str, ranker: Ranker) -> Iterable[int]:
    words = tuple(dict.fromkeys(tokens(query)))
    kept = list(parts)
    by_number = {part.number: part for part in parts}
    if len(kept) > RANKED_AT_MOST:
        counted = [
            (-sum(word in text for word in words), part.number) for part in parts if (text := part.text.casefold())
        ]
        kept = [by_number[number] for _, number in sorted(sorted(counted)[:RANKED_AT_MOST], key=lambda pair: pair[1])]
    named = [parts[place].number for place in holders_of_names(query, [part.text for part in parts])]
    ranking = ranker.rank(query, [f"{' '.join(part.path)} {part.text}" for part in kept])
    return (*named, *(kept[ranked.index].number for ranked in ranking))


def _with_gaps(
    parts: Sequence[Part], chosen: frozenset[int], titles: Mapping[int, Sequence[str]], language: str
) -> Iterable[str]:
    """The chosen parts in the page's order; where others were left out, a line says so, with the `titles` in them by part, and under
    which headings it goes on."""
    before = 0
    for number in sorted(chosen):
        part = parts[number - 1]
        if number > before + 1:
            yield _gap(parts[before : number - 1], titles, language)
            if part.path and not part.text.startswith("#"):
                yield f"({' > '.join(visible_text(heading) for heading in part.path)})"
            if part.head:
                yield part.head
        yield part.text
        before = number
    if before < len(parts):
        yield _gap(parts[before:], titles, language)


def _gap(parts: Sequence[Part], titles: Mapping[int, Sequence[str]], language: str) -> str:
    """A line for parts that are not shown."""
    if not all(part.again for part in parts):
        return said("gap", language, range_of(parts[0].number, parts[-1].number, language))
    lines = [line for part in parts for line in part.text.splitlines()]
    what = "links" if all(_NUMBER.search(line) for line in lines) else "entries"
    named = " · ".join(title for part in parts for title in titles.get(part.number, ()))
    told = said("again", language, len(lines), said(what, language), parts[0].again, parts[0].number)
    return f"[{told}: {named}]" if named else f"[{told}]"


def _titles_in(parts: Sequence[Part], folded: frozenset[int], asked: DigestRequest) -> dict[int, list[str]]:
    """By part, the names of entries to follow that an earlier visit to this page had, in its order: the likeliest of many."""
    likely = {link.id: place for place, link in enumerate(asked.promising)}
    found: list[tuple[int, int, str]] = []
    for part in parts:
        if part.number in folded and part.again in asked.visits:
            titles = (_TITLE.match(line) for line in part.text.splitlines())
            found += [(int(one[2]), part.number, f"{_short(one[1])} [{one[2]}]") for one in titles if one is not None]
    kept = set(sorted(found, key=lambda one: (likely.get(one[0], len(likely)), one[0]))[:TITLES_AGAIN])
    by_part: dict[int, list[str]] = {}
    for one in found:
        if one in kept:
            by_part.setdefault(one[1], []).append(one[2])
    return by_part


def _short(text: str) -> str:
    """The end of what stands before a link's number, in whole words: a card's name is the last of it."""
    name = text.strip(_ENTRY_SIGNS)
    return name if len(name) <= TITLE_CHARS else name[-TITLE_CHARS:].partition(" ")[2] or name[-TITLE_CHARS:]


def _parts_of(asked: DigestRequest) -> tuple[Part, ...]:
    """The page's parts; what an earlier visit to this page had is no repetition where the page was too long to be shown whole then."""
    parts = asked.page.parts
    is_back = any(part.again in asked.visits for part in parts if part.again)
    if not is_back or _cost("\n".join(part.text for part in parts), asked.tokens) <= asked.tokens:
        return parts
    return tuple(msgspec.structs.replace(part, again=0) if part.again in asked.visits else part for part in parts)


def _folded(parts: Sequence[Part], asked: DigestRequest) -> frozenset[int]:
    """Numbers of the parts that an earlier page had and that were not asked for."""
    repeated = [part.number for part in parts if part.again]
    return frozenset() if set(repeated) & set(asked.unfolded) else frozenset(repeated)


def _links_left_out(asked: DigestRequest, shown: str) -> str:
    """The likeliest links that are not shown, each page once: by the label that says most, which is no date where it has a title."""
    titles: dict[str, Link] = {}
    for link in asked.promising:
        known = titles.setdefault(link.url, link)
        if _letters_in(link) > _letters_in(known):
            titles[link.url] = link
    there = {link.url for link in asked.promising if f"[{link.id}]" in shown}
    best = [link for url, link in titles.items() if url not in there][:LINKS_LEFT_OUT]
    return said("links left", asked.language) + " · ".join(map(asked.marks.label_of, best)) if best else ""


def _letters_in(link: Link) -> int:
    return sum(map(str.isalpha, link.label[:TITLE_CHARS]))
