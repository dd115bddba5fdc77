"""Which of the links that were left behind on earlier pages are offered again: the few that bear on what is still wanted, and those
beside links that led to something."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby

import msgspec

from memory.focus import name_of, place_of
from memory.retrieval import Ranker
from memory.state import WalkMemory
from memory.url_stack import Frame, UntriedLink
from perception.document.pagination import page_number, same_run
from perception.document.visible import shortened, visible_text
from perception.observation import Observation
from walker.rules.action_words import followed_link
from walker.seams.task import Task
from walker.strategies.links.link_candidates import LinkCandidate
from walker.strategies.links.link_kinds import hub_kind, is_chrome
from walker.strategies.links.list_order import names_place
from walker.strategies.links.vague_links import is_vague
from walker.strategies.model.digest.digest_words import said
from walker.strategies.model.digest.page_archives import is_archive
from walker.strategies.question.answered_parts import open_parts_of

LABEL_CHARS = 70
SHOWN, ALL_SHOWN = 6, 10
"""Links that are offered of many, and how many are few. Few are all shown: to go back for one that is not costs a whole step."""
WEIGHED = 160
"""Links that are compared with what is wanted, the best by their link score."""
PHRASES = 5
QUESTION_WEIGHT = 0.7
"""Of the question as a whole, beside what is said to be missing."""
SCORE_SHARE = 0.5
"""Weight of the link score, which knows names of pages and where a link stands."""
HUBS_KEPT = 1
"""Overviews and indexes that stay among them: the way to pages that no label names. Where something is counted or listed, of archives
and categories too."""
CONTEXT_CHARS = 80
NEAR = 3
"""Links before and after one that led to something whose worth that raises, the less the farther."""
NEAR_WEIGHT = 0.6
"""What the nearest gains, beside 1 for a label that fits a missing phrase best: a sibling without any wanted word comes before what
shares a common word, and after what a phrase names."""
PAGES_KEPT = 3
"""Pages of a long list that stay among them where the question names a time or a number, spread evenly: this page may name others."""
NEAR_KEPT = 2
"""The nearest that are offered beside those that all this chooses."""
SAME_LIST_KEPT = 6
"""Pages of the list that stands open: the pager of each shows its neighbours only, and to leaf there takes a step for each page."""
RELEVANT = 0.75
"""Relevance from which a page without findings led to something: it names the place of the answer."""
FOUND, POINTED = 1.0, 0.5
"""How much a page is worth that gave findings, and one that was relevant alone."""


def with_pages_left(memory: WalkMemory) -> WalkMemory:
    """The memory as if the pages that the walk went back from lay below its root: their links are as far away as any."""
    stack = memory.stack
    if not stack.left:
        return memory
    frames = (*(page.frame for page in stack.left), *stack.frames)
    return msgspec.structs.replace(memory, stack=msgspec.structs.replace(stack, frames=frames, left=()))


def best_left_behind(
    candidates: Sequence[LinkCandidate], task: Task, memory: WalkMemory, ranker: Ranker
) -> tuple[LinkCandidate, ...]:
    """The best few, in the order of their worth; `candidates` by link score, the best first."""
    if len(candidates) <= ALL_SHOWN:
        return tuple(candidates)
    beside = {one.key: gain for one, gain in _beside_useful(memory).items()}
    weighed = _weighed(candidates, beside)
    bearing = _bearing(weighed, task, memory, ranker)
    most = max(candidates[0].score, 1e-6)
    worth = [
        (bearing[place] + SCORE_SHARE * max(0.0, one.score) / most + beside.get(one.key, 0.0))
        * (0.3 if is_chrome(one.label, one.url) else 1.0)
        for place, one in enumerate(weighed)
    ]
    order = sorted(range(len(weighed)), key=lambda place: (-worth[place], place))
    hubs = [place for place in order if hub_kind(weighed[place].label, weighed[place].url)][:HUBS_KEPT]
    if task.requirement.mode != "none":
        archives = (place for place in order if is_archive(weighed[place].label, weighed[place].url))
        hubs += [place for place in archives if place not in hubs][:HUBS_KEPT]
    chosen = [*hubs, *(place for place in order if place not in hubs)][:SHOWN]
    chosen += [place for place in _pages_of_lists(weighed, task) if place not in chosen]
    near = sorted((-beside.get(one.key, 0.0), place) for place, one in enumerate(weighed))
    chosen += [place for gain, place in near if gain and place not in chosen][:NEAR_KEPT]
    return tuple(weighed[place] for place in sorted(chosen, key=order.index))


def _pages_of_lists(links: Sequence[LinkCandidate], task: Task) -> list[int]:
    """Places of the links to pages of a list by number, where the question names a time or a number: a few, evenly spread."""
    if not names_place(task.question):
        return []
    pages = sorted((number, place) for place, one in enumerate(links) if (number := page_number(one.label)))
    if len(pages) <= PAGES_KEPT:
        return [place for _, place in pages]
    even = (round(step * (len(pages) - 1) / (PAGES_KEPT - 1)) for step in range(PAGES_KEPT))
    return [pages[place][1] for place in even]


def pages_of_same_list(candidates: Sequence[LinkCandidate], observation: Observation) -> tuple[LinkCandidate, ...]:
    """The links to further pages of the list that stands open, by number: a few, evenly spread, with the nearest to this page."""
    pagination = observation.pagination
    known = (observation.url, pagination.next_url, pagination.previous_url, *pagination.page_urls)
    around = [url for url in dict.fromkeys(known) if url and any(map(str.isdigit, place_of(url)))]
    if not around or not (pagination.page_urls or pagination.next_url or pagination.previous_url):
        return ()
    pages = {
        number: one
        for one in reversed(candidates)
        if (number := page_number(one.label)) and any(same_run(one.url, url) for url in around)
    }
    kept = sorted(pages)
    if len(kept) > SAME_LIST_KEPT:
        near = sorted(kept, key=lambda number: (abs(number - pagination.current), number))[:2]
        even = (round(step * (len(kept) - 1) / (SAME_LIST_KEPT - 3)) for step in range(SAME_LIST_KEPT - 2))
        kept = sorted({*near, *(kept[place] for place in even)})
    return tuple(pages[number] for number in kept)


def with_neighbours(candidates: Sequence[LinkCandidate], memory: WalkMemory) -> list[LinkCandidate]:
    """Links of earlier pages with those that stand beside a link that led to something, and those to pages of a list by number,
    whatever their score is."""
    pages = (
        LinkCandidate(depth=depth, url=link.url, key=link.key, label=link.label, score=0.0)
        for depth, frame in enumerate(memory.stack.frames[:-1], start=1)
        for link in frame.untried
        if page_number(link.label)
    )
    further = {one.key: one for one in (*_beside_useful(memory), *pages)}
    known = {one.key for one in candidates}
    return [*candidates, *(one for key, one in further.items() if key not in known)]


def _weighed(candidates: Sequence[LinkCandidate], gains: Mapping[str, float]) -> tuple[LinkCandidate, ...]:
    further = (one for one in candidates[WEIGHED:] if one.key in gains or page_number(one.label))
    return (*candidates[:WEIGHED], *further)


def _beside_useful(memory: WalkMemory) -> dict[LinkCandidate, float]:
    """Links of earlier pages that stand beside one that led to a page that gave something, with what each gains by that."""
    worth = _worth_of_followed(memory)
    gains: dict[LinkCandidate, float] = {}
    for depth, frame in enumerate(memory.stack.frames[:-1], start=1):
        for number, value in worth.get(frame.key, {}).items():
            for link in frame.untried:
                if link.number and (away := abs(link.number - number)) <= NEAR:
                    one = LinkCandidate(depth=depth, url=link.url, key=link.key, label=link.label, score=0.0)
                    gains[one] = max(NEAR_WEIGHT * value * (1 - (away - 1) / NEAR), gains.get(one, 0.0))
    return gains


def _worth_of_followed(memory: WalkMemory) -> dict[str, dict[int, float]]:
    """By key of the page and number of the link there, how much the page gave that it led to; without those that gave nothing."""
    giving = {finding.step for finding in memory.findings if not finding.is_shown}
    steps = [note.step for note in memory.pages]
    found: dict[str, dict[int, float]] = {}
    for move in memory.moves:
        number = 0 if move.outcome else followed_link(move.what)
        after = next((place for place, step in enumerate(steps) if step > move.step), None) if number else None
        if after is None:
            continue
        note = memory.pages[after]
        worth = FOUND if note.step in giving else POINTED if note.relevance >= RELEVANT else 0.0
        if worth:
            found.setdefault(move.page, {})[number] = worth
    return found


def _bearing(links: Sequence[LinkCandidate], task: Task, memory: WalkMemory, ranker: Ranker) -> list[float]:
    """How well, 0..1, label, surroundings and address of each link fit the phrase that they fit best."""
    told = _surroundings(memory)
    texts = [f"{visible_text(one.label)} {told.get((one.depth, one.key), '')} {_words_of(one.url)}" for one in links]
    best = [0.0] * len(links)
    for phrase, weight in _wanted(task, memory):
        for ranked in ranker.rank(phrase, texts):
            best[ranked.index] = max(best[ranked.index], weight * ranked.score)
    return best


def _wanted(task: Task, memory: WalkMemory) -> list[tuple[str, float]]:
    """What is looked for: the phrases that are missing, the parts that no finding answers, and the question."""
    still_open = [part.text for part in open_parts_of(task.analysis.parts, memory.findings, memory)]
    phrases = list(dict.fromkeys((*memory.missing, *still_open)))[:PHRASES]
    asked = " ".join((task.question, *task.analysis.spellings))
    return [*((phrase, 1.0) for phrase in phrases), (asked, QUESTION_WEIGHT if phrases else 1.0)]


def _surroundings(memory: WalkMemory) -> dict[tuple[int, str], str]:
    return {
        (depth, link.key): f"{link.heading} {link.context}"[:CONTEXT_CHARS]
        for depth, frame in enumerate(memory.stack.frames, start=1)
        for link in frame.untried
    }


def _words_of(url: str) -> str:
    return "".join(letter if letter.isalnum() else " " for letter in place_of(url))


def earlier_lines(
    earlier: Sequence[LinkCandidate],
    others: dict[str, int],
    same_list: frozenset[str],
    memory: WalkMemory,
    language: str,
) -> str:
    """Links by number, below the name of the page where they were left, with how many more were left there and the step that has
    them; with what stands at them where their label repeats.
    `others`: by key of each page, how many links left there are not listed; `same_list`: keys of further pages of the open list."""
    frames, has_others = with_pages_left(memory).stack.frames, bool(others)
    labels = Counter(visible_text(one.label) for one in earlier)
    lines: list[str] = []
    number = 0
    for depth, links in groupby(earlier, key=lambda one: one.depth):
        frame = frames[depth - 1]
        there = {link.key: link for link in frame.untried}
        lines.append(f"- {frame_name(frame, memory)}{_more_there(frame, others.pop(frame.key, 0), memory, language)}:")
        for link in links:
            number += 1
            label, at = visible_text(link.label), there.get(link.key)
            if link.key in same_list:
                label = said("page of this", language, label)
            elif at is not None and (around := _around(label, at, repeats=labels[label] > 1)):
                label = f"{shortened(label, LABEL_CHARS // 2)}: {shortened(around, LABEL_CHARS // 2)}"
            lines.append(f"{number} {shortened(label, LABEL_CHARS)} ({place_of(link.url)})".replace("  ", " "))
    for frame in frames:
        if frame.key in others:
            more = _more_there(frame, others[frame.key], memory, language)
            lines.append(f"- {frame_name(frame, memory)}{more}")
    if has_others:
        lines.append(said("left behind", language))
    return "\n".join(lines)


def _around(label: str, link: UntriedLink, *, repeats: bool) -> str:
    """What stands at a link where its label does not tell it from others, or tells nothing; "" for any other."""
    if is_vague(label):
        return visible_text(link.context or link.heading)
    return visible_text(link.heading or link.context) if repeats else ""


def _more_there(frame: Frame, count: int, memory: WalkMemory, language: str) -> str:
    """How many links of a page were left that are not listed, and the step that read it."""
    if not count:
        return ""
    steps = [note.step for note in memory.pages if note.key == frame.key and note.outcome == "read"]
    return said("left there at" if steps else "left there", language, count, *steps[-1:])


def frame_name(frame: Frame, memory: WalkMemory) -> str:
    """What a page of the stack is called."""
    note = next((note for note in reversed(memory.pages) if note.key == frame.key), None)
    name = name_of(note, memory) if note is not None else frame.title
    return visible_text(name)[:40] or frame.url
