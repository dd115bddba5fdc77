"""What a prompt tells of a walk: the page with its links in place, what was found and done before, and what can be done now."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

import msgspec

from memory.counting.requirement import HOW_MANY, wants_names
from memory.findings import ComputedFinding, Finding
from memory.focus import defocus
from memory.retrieval import Ranker
from memory.state import WalkMemory
from memory.url_key import key_or
from memory.words import lazy_re, tokens
from perception.document.visible import shortened, visible_text
from perception.observation import Control, Observation
from perception.page_pictures import PagePicture
from walker.rules.budget import pages_opened
from walker.rules.counted_list import may_show_more
from walker.rules.cropping import may_crop_more
from walker.rules.tools.code_rules import RUNS_A_WALK
from walker.seams.actions import Crop, Refusal, SearchPicture
from walker.seams.picture_pages import told_address
from walker.seams.searches import SearchReach
from walker.seams.task import Task
from walker.seams.tools import TOOLS
from walker.settings import ChosenTool
from walker.strategies.answers.list_question import AskedList, read_asked_list
from walker.strategies.builtin.counted_lists import asked_count
from walker.strategies.links.link_candidates import LinkCandidate, LinkCandidateFinder
from walker.strategies.model.digest.digest_request import DigestRequest
from walker.strategies.model.digest.digest_words import said
from walker.strategies.model.digest.link_marks import LinkMarks, mark_links, spelled_otherwise
from walker.strategies.model.digest.page_digest import Digest, digest_page
from walker.strategies.model.digest.page_jumps import last_page
from walker.strategies.model.digest.page_lists import table_lines
from walker.strategies.model.digest.page_parts import DividedPage, Looks, divide_page
from walker.strategies.model.digest.picture_marks import fitting_pictures, picture_lines
from walker.strategies.model.fruitless_search import fruitless_note
from walker.strategies.model.judged_lines import counted_so_far, parts_of
from walker.strategies.model.left_behind import (
    best_left_behind,
    earlier_lines,
    frame_name,
    pages_of_same_list,
    with_neighbours,
    with_pages_left,
)
from walker.strategies.pictured.pictured_question import asked_words, question_of
from walker.strategies.question.answered_parts import open_parts_of
from walker.strategies.question.open_parts import current_parts
from walker.strategies.question.task_words import task_lines

CONTROLS_SHOWN = 40
FINDINGS_SHOWN = 24
"""Most findings shown, those with the highest scores."""
LABEL_CHARS = 70
QUOTE_CHARS = 400
"""Characters of what was read in a crop."""
PATH_SHOWN = 6
PATH_GLUE = " > "
"""Between the headings above a finding."""
_INSTEAD = {"already visited": "instead of seen", "of this shape": "instead of shape", "pages deep": "instead of deep"}
"""By what a refusal says, the words for what may be done instead."""
REFOCUSES = 2
"""Most earlier steps that the model may see again before one action."""
REFOCUS = "refocus"
"""What a model may ask for besides tools: a step is shown again, and nothing is done."""
_TOLD_LIST = lazy_re.compile(r"\d+: (.+)", re.DOTALL)
"""How a list that was counted is told among the findings."""


class Offer(msgspec.Struct, frozen=True, kw_only=True):
    """What a model may choose from at one step."""

    marks: LinkMarks
    page: DividedPage = DividedPage()
    earlier: tuple[LinkCandidate, ...] = ()
    again: tuple[str, ...] = ()
    """URLs of links of steps that are seen again, numbered on from those."""
    others: tuple[tuple[str, int], ...] = ()
    """By the key of each earlier page, how many links left there are not among these."""
    same_list: frozenset[str] = frozenset()
    """Keys of those of them that are pages of the list that stands open."""
    controls: tuple[Control, ...] = ()
    pictures: tuple[PagePicture, ...] = ()
    """Those of the page, and the parts that were looked at with what was read there."""
    fitting_pictures: frozenset[int] = frozenset()
    """Numbers of those that the question's words fit."""
    promising: tuple[int, ...] = ()
    """Numbers of the page's links that are likely to lead on, the best first."""
    may_search: SearchReach = False
    """Whether the walk has something to search."""
    tools: tuple[ChosenTool, ...] = ()
    """Tools that are switched on and of use here."""
    tables: str = ""
    """The page's lists by the names that code has them under, a line each; "" where no code is offered."""
    may_crop: bool = False
    """Whether a part of a picture may still be looked at closely."""
    seen_again: int = 0
    """Steps that are seen again."""
    fruitless: str = ""
    """That the search which led here found nothing, and what may be done instead; "" where it did, or none led here."""

    @property
    def jumps(self) -> tuple[str, ...]:
        """Where the numbers to jump to lead, from 1."""
        return (*(one.url for one in self.earlier), *self.again)


class Offers(msgspec.Struct, frozen=True, kw_only=True):
    """What a walk offers a model besides the links and controls of its pages."""

    may_look: bool = True
    """Crops of pictures."""
    may_search: SearchReach = False
    tools: frozenset[ChosenTool] = frozenset()
    """Tools that are switched on."""
    may_count: bool = True
    """Lists of pages, for questions that may mean one."""
    pages: int = 0
    """Pages that the walk may open, 0 where that is not known."""
    looks: int = 0
    """Looks at pictures that the walk may take, 0 where that is not known."""


ALL_BUT_SEARCH = Offers()


class PromptValues:
    """Makes the values of prompts. Its caches do not affect the result."""

    def __init__(self, ranker: Ranker, offers: Offers = ALL_BUT_SEARCH) -> None:
        self._ranker, self._offers = ranker, offers
        self._finder = LinkCandidateFinder(ranker)

    def offer(self, task: Task, observation: Observation, memory: WalkMemory) -> Offer:
        """The links, controls and pictures of a page, and the links left behind on pages below."""
        question = question_of(task)
        open_parts = current_parts(question, observation, memory, task.analysis.names)
        every = with_pages_left(memory)
        candidates = self._finder.find_candidates(open_parts, observation, every)
        marks = mark_links(observation, memory)
        here = {key_or(link.url, "") for link in observation.links if marks.states.get(link.id) == ""}
        here |= spelled_otherwise(memory)
        below = with_neighbours([one for one in candidates if not one.link_id], every)
        earlier = [one for one in below if one.key not in here] if every.stack.depth > 1 else []
        same_list = pages_of_same_list(earlier, observation)
        offered = tuple(dict.fromkeys((*best_left_behind(earlier, task, every, self._ranker), *same_list)))
        query = _query_of(task, memory)
        pictures = observation.pictures if self._offers.may_look and not observation.signals.challenge else ()
        has_looks = not self._offers.looks or memory.looks < self._offers.looks
        looks = Looks(pictures=pictures, question=task.question)
        return Offer(
            tools=tuple(tool.name for tool in TOOLS if tool.is_chosen and tool.name in self._offers.tools),
            tables=table_lines(observation, query, _seen_around(memory)) if "run" in self._offers.tools else "",
            marks=marks,
            page=divide_page(observation, marks, _seen_around(memory), _visits(memory), _wanted(task, memory), looks),
            earlier=_by_page(offered, every),
            others=_others(earlier, offered, every),
            same_list=frozenset(one.key for one in same_list),
            controls=_usable(observation)[:CONTROLS_SHOWN],
            pictures=pictures,
            fitting_pictures=fitting_pictures(pictures, query),
            may_crop=has_looks and may_crop_more(pictures),
            promising=tuple(one.link_id for one in candidates if one.link_id),
            may_search=self._offers.may_search,
            fruitless=fruitless_note(observation, memory, task.language),
        )

    def bounds(self, task: Task, memory: WalkMemory) -> dict[str, object]:
        """How many pages may still be opened, and that the page's lists have no numbers, where that is so."""
        pages = self._offers.pages
        left: dict[str, object] = {"pages_left": max(0, pages - pages_opened(memory))} if pages else {}
        return left if self._shows_lists(task) else {**left, "no_lists": True}

    def _shows_lists(self, task: Task) -> bool:
        return self._offers.may_count and may_mean_list(task)

    def digest(self, task: Task, observation: Observation, memory: WalkMemory, offer: Offer, tokens: int) -> Digest:
        """The page in at most about so many tokens."""
        return digest_page(observation, self.digest_request(task, observation, memory, offer, tokens), self._ranker)

    def digest_request(
        self, task: Task, observation: Observation, memory: WalkMemory, offer: Offer, tokens: int
    ) -> DigestRequest:
        """How the page is shown for this question."""
        return DigestRequest(
            query=_query_of(task, memory),
            tokens=tokens,
            marks=offer.marks,
            page=offer.page,
            promising=tuple(link for number in offer.promising if (link := observation.link(number)) is not None),
            unfolded=memory.unfolded,
            with_lists=self._shows_lists(task),
            counted=_counted(task, memory),
            may_look=bool(offer.pictures),
            language=task.language,
            visits=_visits(memory),
            seen_around=_seen_around(memory),
        )


def may_mean_list(task: Task) -> bool:
    """Whether a list of a page may be what a question counts or names, also where the number may be stated, so that code counts
    none of itself: of 91 counts of the building sites the rules leave 36 open, and a model that sees no lists cannot choose one."""
    several = wants_names(task.question, task.requirement) or HOW_MANY.search(task.question) is not None
    return task.requirement.mode != "none" or several or task.analysis.kind in ("list", "count")


def _counted(task: Task, memory: WalkMemory) -> AskedList | None:
    """What the question counts or lists, as the part that says so has it; None where it does not say."""
    question = question_of(task)
    asked = asked_count(task, question)
    if asked is None or not asked.noun:
        return None
    noun = asked.noun.casefold()
    part = next((part for part in question.parts if noun in part.text.casefold()), question.parts[0])
    site = frozenset(tokens(memory.pages[0].title)) if memory.pages else frozenset[str]()
    return read_asked_list(part, asked.noun, asked.target, site)


def _query_of(task: Task, memory: WalkMemory) -> str:
    """What parts of a page are ranked by."""
    return " ".join((asked_words(task), *task.analysis.spellings, *memory.missing[:3]))


def _wanted(task: Task, memory: WalkMemory) -> tuple[str, ...]:
    """What is still looked for: what the last verdict misses, and the open parts of the question, else all of it."""
    still_open = open_parts_of(parts_of(task), memory.findings, memory)
    return (*memory.missing, *(part.text for part in still_open)) or (task.question,)


def _seen_around(memory: WalkMemory) -> dict[int, int]:
    """What stood around the text of pages read before, and the entries of their lists, with the step of the first that had it."""
    seen: dict[int, int] = {}
    visits = _visits(memory)
    here = memory.stack.top.key if memory.stack.top is not None else ""
    for note in memory.pages:
        if note.key != here or note.step in visits:
            for mark in note.around:
                seen.setdefault(mark, note.step)
    return seen


def _visits(memory: WalkMemory) -> frozenset[int]:
    """The steps at which the walk came to this page before, without the last time."""
    here = memory.stack.top.key if memory.stack.top is not None else ""
    steps = [note.step for note in memory.pages if note.key == here and note.outcome == "read"]
    return frozenset(steps if memory.pages and memory.pages[-1].key != here else steps[:-1])


def _by_page(links: Sequence[LinkCandidate], memory: WalkMemory) -> tuple[LinkCandidate, ...]:
    """Links that were left behind in an order that stays from step to step: the pages from the root on, each with its links as they
    stand there."""
    order = {
        (depth, link.key): place
        for depth, frame in enumerate(memory.stack.frames, start=1)
        for place, link in enumerate(frame.untried)
    }
    return tuple(sorted(links, key=lambda one: (one.depth, order.get((one.depth, one.key), 0))))


def _others(
    links: Sequence[LinkCandidate], offered: Sequence[LinkCandidate], memory: WalkMemory
) -> tuple[tuple[str, int], ...]:
    counts = Counter(one.depth for one in links)
    counts.subtract(one.depth for one in offered)
    return tuple((memory.stack.frames[depth - 1].key, count) for depth, count in sorted(counts.items()) if count)


def question_values(task: Task, memory: WalkMemory) -> dict[str, object]:
    """The question, and how far the walk has come with it."""
    return {
        "question": task.question,
        "task": task_lines(task),
        "progress": counted_so_far(memory, task.language),
        "known": shortened(memory.answer, QUOTE_CHARS),
        "missing": shortened("; ".join(memory.missing), QUOTE_CHARS),
    }


def walk_values(
    memory: WalkMemory, offer: Offer, again: str, refused: tuple[Refusal, ...], language: str = "en", page: str = ""
) -> dict[str, object]:
    """The steps so far, the place in the site, what is seen `again`, and what can be chosen besides the links and the pictures that
    the `page` shows."""
    return {
        "steps": visible_lines(defocus(memory, language)),
        "path": " > ".join(frame_name(frame, memory) for frame in memory.stack.frames[-PATH_SHOWN:]),
        "earlier": earlier_lines(offer.earlier, dict(offer.others), offer.same_list, memory, language),
        "controls": "\n".join(map(_control_line, offer.controls)),
        "pictures": picture_lines(offer.pictures, offer.fitting_pictures, language, page),
        "vain": offer.fruitless,
        "more": again,
        "refused": "\n".join(_refusal_line(one, language) for one in refused),
        # Where nothing can be searched, prompts are what they were before there were searches.
        **({"search": True} if offer.may_search else {}),
        **({"web": True} if offer.may_search == "web" else {}),
        **({"tools": offer.tools, "tables": offer.tables} if offer.tools else {}),
        # A walk that keeps no stack, as the baseline does, may open again what it has seen.
        **({} if memory.stack.goes_back else {"reopens": True}),
    }


def possible_actions(
    observation: Observation, memory: WalkMemory, offer: Offer, digest: Digest, language: str = "en"
) -> str:
    """Names of the actions that make sense on this page now."""
    pages = observation.pagination
    last = last_page(observation) if pages.current else 0
    place = said("page of", language, pages.current, last) if last else ""
    switched = frozenset(offer.tools)
    can: dict[str, bool] = {
        "next": bool(pages.next_url or pages.next_control),
        "follow": "" in offer.marks.states.values(),
        "jump": bool(offer.jumps),
        "read": bool(digest.left_out),
        "click": any(control.kind not in ("text", "search", "password") for control in offer.controls),
        "type": any(control.kind in ("text", "search") for control in offer.controls),
        "search": bool(offer.may_search),
        "scroll": may_show_more(observation, memory),
        "crop": offer.may_crop,
        "ocr": "ocr" in switched and offer.may_crop,
        "ground": "ground" in switched,
        "search_picture": "search_picture" in switched and bool(offer.pictures),
        "run": "run" in switched and len(memory.runs) < RUNS_A_WALK and bool(memory.findings or offer.tables),
        "back": memory.stack.depth > 1,
        REFOCUS: _may_refocus(memory, offer),
        "answer": True,
    }
    names = (name for tool in TOOLS for name in ((REFOCUS, tool.name) if tool.name == "answer" else (tool.name,)))
    return ", ".join(f"{name}{place}" if name == "next" else name for name in names if can.get(name))


def _may_refocus(memory: WalkMemory, offer: Offer) -> bool:
    """Whether a step of another page may be seen again."""
    here = memory.stack.top.key if memory.stack.top is not None else ""
    others = {note.step for note in memory.pages if note.key != here}
    return offer.seen_again < min(REFOCUSES, len(others))


def shown_findings(memory: WalkMemory) -> tuple[Finding, ...]:
    """The findings that a prompt lists, in the order found. What a page gave again when it was read again is listed once, and of a
    list that was read in pieces the longest."""
    distinct = _each_once(memory.findings)
    kept = [one for place, one in enumerate(distinct) if not _goes_on_in(one, distinct[place + 1 :])]
    best = sorted(kept, key=lambda finding: -finding.score)[:FINDINGS_SHOWN]
    return tuple(finding for finding in kept if finding in best)


def _each_once(findings: Sequence[Finding]) -> tuple[Finding, ...]:
    """Equal findings as one, the first, with the parts of the question that any of them names."""
    first: dict[tuple[str, str, str], Finding] = {}
    for one in findings:
        known = first.setdefault((one.text, one.quote, one.address), one)
        if parts := tuple(sorted({*one.parts, *known.parts})):
            first[one.text, one.quote, one.address] = msgspec.structs.replace(known, parts=parts)
    return tuple(first.values())


def _goes_on_in(finding: Finding, later: Sequence[Finding]) -> bool:
    """Whether it is a list that a later finding of the same page has from its beginning, and further."""
    names = _names_listed(finding)
    return bool(names) and any(
        one.address == finding.address and _names_listed(one).startswith(names) for one in later if one != finding
    )


def _names_listed(finding: Finding) -> str:
    """The names of a finding that tells a list ("3: Mantis; Squid; Orca"), "" for any other."""
    told = _TOLD_LIST.match(finding.text)
    return told[1].rstrip("…") if told else ""


def finding_lines(findings: tuple[Finding, ...], question: str = "") -> str:
    """Findings by number, each with its quote, the sentence before, the heading above and its page. What a look at a picture gave that
    was asked the `question` does not stand under that, but in the picture."""
    return "\n".join(_finding_line(number, finding, question) for number, finding in enumerate(findings, start=1))


def visible_lines(text: str) -> str:
    """Visible text, line by line."""
    return "\n".join(line for line in map(visible_text, text.splitlines()) if line)


def _finding_line(number: int, finding: Finding, question: str) -> str:
    before = f"({visible_text(finding.before)}) " if finding.before else ""
    under = _place_told(visible_text(finding.heading), visible_text(question))
    quote = visible_text(finding.quote)
    cut = "…" if len(quote) > QUOTE_CHARS else ""
    if isinstance(finding, ComputedFinding):
        made_of = visible_text("; ".join(finding.inputs))[:QUOTE_CHARS]
        return f"[{number}] {visible_text(finding.text)}: computed by code from {made_of}"
    if finding.is_shown:  # it quotes nothing but itself
        name = f" “{visible_text(finding.heading)}”" if finding.heading else ""
        return f"[{number}] picture{name} shows “{quote[:QUOTE_CHARS]}{cut}”, {told_address(finding.address)}"
    return f"[{number}] {visible_text(finding.text)}: {before}“{quote[:QUOTE_CHARS]}{cut}”{under}, {told_address(finding.address)}"


def _place_told(heading: str, question: str) -> str:
    """Where a quote stands: under headings, or in a picture that was asked the question."""
    names = heading.split(PATH_GLUE) if heading else []
    if not question or question not in names:
        return f" under “{heading}”" if heading else ""
    rest = PATH_GLUE.join(name for name in names if name != question)
    return f" in the picture “{rest}”" if rest else " in a picture"


def _usable(observation: Observation) -> tuple[Control, ...]:
    """Controls that are visible and can be used now, and that the policy allows; without those that would open what a prompt shows
    anyway as closed, and those that stand in there."""
    shown = {block.opener for block in observation.blocks if block.opener and not block.hidden}
    return tuple(
        control
        for control in observation.controls
        if not control.hidden
        and control.opener not in shown
        and not ("collapsed" in control.state and control.name in shown)
        and "disabled" not in control.state
        and control.kind != "password"
        and control.form_method.lower() != "post"
    )


def _control_line(control: Control) -> str:
    state = f" ({', '.join(control.state)})" if control.state else ""
    group = f", in “{shortened(control.group, LABEL_CHARS)}”" if control.group else ""
    return f"{control.id} {control.kind} {shortened(control.name, LABEL_CHARS)}{state}{group}"


def _refusal_line(refusal: Refusal, language: str) -> str:
    """What was refused, why, and where the reason does not tell it, what may be done instead."""
    action = refusal.action
    instead = next((said(told, language) for why, told in _INSTEAD.items() if why in refusal.reason), "")
    reason = f"{refusal.reason}{instead}"
    if isinstance(action, Crop | SearchPicture):
        box = ", ".join(f"{share:g}" for share in action.box)
        return f"{type(action).__name__} {action.image_index} [{box}]: {reason}"
    number = getattr(action, "link_id", 0) or getattr(action, "control_id", 0) or getattr(action, "part", 0) or ""
    return f"{type(action).__name__} {number}: {reason}"
