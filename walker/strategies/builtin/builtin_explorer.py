"""The explorer without a model: follows the link with the highest score for the open parts of the question."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from memory.retrieval import Ranker
from memory.state import WalkMemory
from memory.url_key import BadUrl, key_of
from memory.words import lazy_re
from perception.observation import Control, Observation
from walker.rules.counted_list import list_goes_on, may_show_more
from walker.seams.actions import Action, FollowLink, GiveAnswer, GoBack, Jump, NextPage, Refusal, Scroll, TypeText
from walker.seams.searches import FOUND_LITTLE, is_search
from walker.seams.task import Task
from walker.strategies.builtin.closed_parts import next_opening
from walker.strategies.builtin.hit_order import find_by_search, is_walk_through_hits, next_hit
from walker.strategies.builtin.picture_start import next_of_start
from walker.strategies.builtin.small_print import next_crop
from walker.strategies.links.link_candidates import Barred, LinkCandidate, LinkCandidateFinder
from walker.strategies.pictured.pictured_question import question_of
from walker.strategies.question.name_match import match_title
from walker.strategies.question.open_parts import OpenParts, current_parts, was_read
from walker.strategies.question.question import Question

SEARCH_BELOW = 0.35
"""Score of the best link below which the site's own search is worth a try."""
SEARCH_AFTER_PAGES = 4
LEAST_SCORES = ((16, -1.0), (22, 0.08), (10_000_000, 0.14))
"""Least link score, by the number of pages up to which it holds: a small site is read completely, a large one is not."""
LEAST_SCORES_SEARCHED = ((10, 0.14), (16, 0.35), (10_000_000, 0.6))
"""The same once the site was searched: what a link promises less than the hits that were read is seldom worth a page."""
JUMP_FROM = 0.6
"""Link score from which a link further up the stack is opened directly; below, the walk goes back and scores again there."""
HIGH_SCORE = 0.6
FAIR = 0.35
"""Confidence of an answer that another page is unlikely to improve once the pages named in the question were read."""
IDLE_FAIR, IDLE_POOR = 8, 22
"""Pages without a better finding after which only a high score continues the walk."""
IDLE_FAIR_SEARCHED, IDLE_POOR_SEARCHED = 4, 10
"""The same once the site was searched."""
HOLDS_LIST = 0.7
"""Match of a page's title, 0..1, from which the page is taken for the one that the question names."""
SEARCHED = frozenset(("", "read"))
"""Outcomes of a search that was answered."""
FOUND_FEW = frozenset((FOUND_LITTLE, "found nothing"))
_SEARCH_NAME = lazy_re.compile(
    r"search|find|query|suche|recherche|buscar|cerca|搜索|检索|查找|查询|検索", re.IGNORECASE
)
_DIGITS = lazy_re.compile(r"\d+")


class BuiltinExplorer:
    """Implements `walker.seams.protocols.Explorer`: depth first, ordered by link score, back to the best sibling at a dead end."""

    def __init__(self, ranker: Ranker, *, may_look: bool = True, may_search: bool = False) -> None:
        """`may_look`: whether crops of pictures may be proposed; `may_search`: whether searches may."""
        self._finder, self._may_look, self._may_search = LinkCandidateFinder(ranker), may_look, may_search

    async def propose(
        self, task: Task, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]
    ) -> Action:
        """The best action that was not refused; `GiveAnswer` if no link scores enough."""
        if self._may_look and (crop := next_crop(observation, task.question, refused)) is not None:
            return crop
        question = question_of(task)
        open_parts = current_parts(question, observation, memory, task.analysis.names)
        begun = next_of_start(observation, memory, refused)
        if (onward := begun or next_of_list(observation, memory, refused)) is not None:
            return onward
        if _named_page_goes_on(open_parts, observation, memory) and not _was_refused(refused, NextPage):
            return NextPage(reason="the list goes on")
        if (opening := next_opening(open_parts, observation, memory, refused)) is not None:
            return opening
        if (found := self._by_search(question, open_parts, observation, memory, refused)) is not None:
            return found
        barred = _barred(observation, refused)
        # From hit to hit the walk leaves pages whose links nobody followed: the web goes on behind every one of them.
        left = memory.stack.left if self._may_search and is_walk_through_hits(memory) else ()
        candidates = self._finder.find_candidates(open_parts, observation, memory, barred, left=left)
        score = candidates[0].score if candidates else 0.0
        if score < SEARCH_BELOW and (typing := _search(open_parts, observation, memory, refused)) is not None:
            return typing
        if score < SEARCH_BELOW and (more := _show_more(observation, memory, refused)) is not None:
            return more
        # Where an end was refused, because the count is open, the next best link is better than none.
        if candidates and (score >= least_score(question, memory) or _was_refused(refused, GiveAnswer)):
            return _take(candidates[0], memory, refused)
        late = next((url for url in memory.unanswered.values() if not barred(url, 0)), "")
        if late:
            return Jump(url=late, reason="it did not come before, and nothing left promises more")
        return GiveAnswer(reason=f"nothing left promises anything (best {score:.2f})")

    def _by_search(
        self,
        question: Question,
        open_parts: OpenParts,
        observation: Observation,
        memory: WalkMemory,
        refused: tuple[Refusal, ...],
    ) -> Action | None:
        """A search, or what one found; None where links are to be followed."""
        if self._may_search:
            found = find_by_search(question, open_parts, observation, memory, refused)
            if found is not None:
                return found
        if not is_walk_through_hits(memory):
            return None
        hit = next_hit(question, observation, memory, refused)
        # Of a library all that fits is among the hits; the web goes on behind them.
        return None if self._may_search and isinstance(hit, GiveAnswer) else hit


def next_of_list(observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]) -> NextPage | None:
    """The next page of the counted list, which comes before any other action; None if the list ends here, or this was refused."""
    if _was_refused(refused, NextPage) or not list_goes_on(observation, memory):
        return None
    return NextPage(reason="the list goes on")


def least_score(question: Question, memory: WalkMemory) -> float:
    """The least link score: it rises with the length of the walk, and the less the answer can still be improved."""
    pages = len(memory.pages)
    searches = {page.outcome for page in memory.pages if is_search(page.url)}
    # A search finds little where a site cannot be read ahead: while nothing likely is found, its links are all there is to go by.
    has_searched = bool(searches & SEARCHED) or (bool(searches & FOUND_FEW) and memory.confidence >= FAIR)
    scores = LEAST_SCORES_SEARCHED if has_searched else LEAST_SCORES
    least = next(least for before, least in scores if pages < before)
    if not memory.answer or memory.counter.requirement.mode != "none":
        return least
    if memory.confidence >= FAIR and all(part.page_hints and was_read(part, memory) for part in question.parts):
        return max(least, HIGH_SCORE)
    best: dict[int, tuple[float, int]] = {}
    for finding in memory.findings:
        best[finding.part] = max(best.get(finding.part, (0.0, 0)), (finding.score, -finding.step))
    newest = max((-step for _, step in best.values()), default=memory.step)
    idle = memory.step - newest
    fair, poor = (IDLE_FAIR_SEARCHED, IDLE_POOR_SEARCHED) if has_searched else (IDLE_FAIR, IDLE_POOR)
    return max(least, HIGH_SCORE) if idle >= (fair if memory.confidence >= FAIR else poor) else least


def _take(candidate: LinkCandidate, memory: WalkMemory, refused: tuple[Refusal, ...]) -> Action:
    reason = f"{candidate.why}: {candidate.label[:60]} ({candidate.score:.2f})"
    if candidate.depth == memory.stack.depth and candidate.link_id:
        return FollowLink(link_id=candidate.link_id, reason=reason)
    if candidate.depth < memory.stack.depth and candidate.score < JUMP_FROM and not _was_refused(refused, GoBack):
        return GoBack(reason=f"more is promised further up: {candidate.label[:60]} ({candidate.score:.2f})")
    return Jump(url=candidate.url, reason=reason)


def _named_page_goes_on(open_parts: OpenParts, observation: Observation, memory: WalkMemory) -> bool:
    """Whether the current page is the page named, and has a next page that was not visited."""
    pagination = observation.pagination
    if not pagination.next_url and not pagination.next_control:
        return False
    if pagination.next_url and _is_entered(pagination.next_url, memory):
        return False
    if memory.counter.requirement.mode != "none" and memory.counter.done:
        return False
    if not (pagination.page_urls or pagination.total or pagination.last > 1):
        return False
    heads = [observation.title, *[block.text for block in observation.blocks if block.kind == "heading"][:3]]
    names = [name for wanted in open_parts.now for name in wanted.pages]
    return any(match_title(head, name, frozenset()) >= HOLDS_LIST for head in heads for name in names)


def _is_entered(url: str, memory: WalkMemory) -> bool:
    try:
        return memory.stack.has_entered(key_of(url))
    except BadUrl:
        return True


def _barred(observation: Observation, refused: tuple[Refusal, ...]) -> Barred:
    """A predicate for candidates that were refused in this step, themselves or by a rule that applies to them too."""
    urls: set[str] = set()
    shapes: set[str] = set()
    too_deep = False
    for refusal in refused:
        action = refusal.action
        link = observation.link(action.link_id) if isinstance(action, FollowLink) else None
        url = link.url if link else action.url if isinstance(action, Jump) else ""
        urls.add(url)
        if "shape" in refusal.reason:
            shapes.add(_DIGITS.sub("0", url))
        too_deep = too_deep or "deep" in refusal.reason

    def barred(url: str, link_id: int) -> bool:
        if url in urls or (too_deep and link_id):
            return True
        return bool(shapes) and _DIGITS.sub("0", url) in shapes

    return barred


def _was_refused(refused: tuple[Refusal, ...], kind: type[Action]) -> bool:
    return any(isinstance(refusal.action, kind) for refusal in refused)


def _search(
    open_parts: OpenParts, observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]
) -> TypeText | None:
    """A search with the site's search form, once per walk: static copies of sites have forms that find nothing."""
    operated = memory.step > len(memory.pages)
    if operated or len(memory.pages) < SEARCH_AFTER_PAGES or _was_refused(refused, TypeText):
        return None
    field = next((control for control in observation.controls if _is_search(control, observation.url)), None)
    terms = [name for wanted in open_parts.now[:1] for name in (*wanted.pages[:1], *wanted.terms[:2])]
    if field is None or not terms or _form_was_used(field, observation.url, memory):
        return None
    return TypeText(control_id=field.id, text=" ".join(terms), reason="no link promises much; the site has a search")


def _show_more(observation: Observation, memory: WalkMemory, refused: tuple[Refusal, ...]) -> NextPage | Scroll | None:
    """More of this page, where no link promises much: what its "load more" or scrolling to its end shows."""
    if observation.pagination.next_control and not _was_refused(refused, NextPage):
        return NextPage(reason="no link promises much; the page can show more")
    if may_show_more(observation, memory) and not _was_refused(refused, Scroll):
        return Scroll(reason="no link promises much; the page may show more at its end")
    return None


def _is_search(control: Control, url: str) -> bool:
    if control.hidden or control.form_method.lower() == "post":
        return False
    host = urlsplit(control.form_action).netloc
    if host and host != urlsplit(url).netloc:
        return False
    return control.kind == "search" or (control.kind == "text" and _SEARCH_NAME.search(control.name) is not None)


def _form_was_used(control: Control, url: str, memory: WalkMemory) -> bool:
    action = urlsplit(control.form_action or url).path
    return any("?" in page.url and urlsplit(page.url).path == action for page in memory.pages)
