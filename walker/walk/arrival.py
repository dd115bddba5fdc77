"""Carries out a move and observes the page it leads to; a page that is not worth the critic's time is left at once."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from typing import assert_never
from urllib.parse import urljoin

import msgspec

from memory.retrieval import tokens
from memory.state import NOTHING_CHANGED, PageNote
from memory.url_key import BadUrl, key_of, key_or
from memory.url_stack import Frame, UntriedLink
from perception.document.regions.surroundings import marks_around
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.errors import RootUnreachable
from walker.rules.action_words import results_told
from walker.rules.viability import (
    OFF_TOPIC_LINKS,
    REFUSED,
    Rejection,
    matches_probe,
    needs_probe,
    off_topic,
    reject_by_structure,
)
from walker.seams.actions import (
    Compute,
    Enlarge,
    Finish,
    Locate,
    Move,
    Open,
    Operate,
    Pop,
    ReadBox,
    Return,
    ScrollToEnd,
    TypeText,
    Unfold,
)
from walker.seams.protocols import Browser, PageFailure, PageReader
from walker.seams.searches import FEW_HITS, FOUND_LITTLE, is_own_page, is_search, is_start, picture_of
from walker.seams.web.asked_person import ACTED
from walker.seams.web.handover import Handover, Obstacle, ObstacleKind, Passed
from walker.walk.computing import use_tool
from walker.walk.page_changes import has_the_same_text, shows_the_same, what_is_new, with_results_in_text
from walker.walk.walk_events import handed_over, page_failed, page_observed, page_opened, page_rejected, stack_moved
from walker.walk.walk_state import (
    CloserLook,
    Fresh,
    LettersOnly,
    NothingNew,
    Page,
    Reading,
    ReadOn,
    WalkContext,
    WalkState,
    bring_back,
    note_help,
)

PROBES_A_WALK = 4
"""Most requests for a URL that cannot exist, to detect soft 404s: one per folder that has a suspiciously short page."""

UNFILLED_CHARS = 200
"""Visible characters below which a page whose time was over is taken for one that has not come yet."""
LEAST_LIST = 3
"""Entries of a list from which it may be one that is counted."""
PROBE_NAME = "walker-probe-"
"""How the last segment of such a URL begins."""

TRIES_A_PAGE = 3
"""Handovers for one page: a fuller browser, then a person, and once more a person for a login behind the check."""
_TRACES = re.compile(r"captcha|challenge|turnstile|geetest|arkoselabs|type=.?password", re.IGNORECASE)
"""Without one of these a page is neither; most pages have none, and need not be parsed twice."""
_KINDS: dict[str, ObstacleKind] = {"challenge page": "challenge page", "login wall": "login wall"}

Arrived = tuple[WalkState, Page]


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """How the walk got to a page."""

    reason: str
    asked: str = ""
    """Key of the URL that was requested; "" if an operation on a page led here."""
    typed: bool = False
    """Something was typed on the page."""
    page_number: int = 1


async def take_move(context: WalkContext, state: WalkState, move: Move) -> Arrived:
    """Carry out a move. If the page fails to load, the walk stays on the page below it; raises `RootUnreachable` if there is
    none."""
    if state.memory.unfolded and not isinstance(move, Unfold | Enlarge | Compute | Locate):
        state = state.remember(unfolded=())
    match move:
        case Open(url=url, reason=reason):
            return await _open(context, state, url, reason)
        case Return(depth=depth, url=url, reason=reason):
            state = state.remember(stack=state.memory.stack.return_to(depth))
            context.sink.emit(stack_moved(state.step, state.memory.stack, "return"))
            return await _open(context, state, url, reason)
        case Operate(action=action, reason=reason):
            state = state.note_page(operations=state.page.operations + 1).remember(step=state.step + 1)
            state = await bring_back(context, state)
            opened = await context.edges.browser.act(move)
            return await _enter(context, state, opened, Entry(reason=reason, typed=isinstance(action, TypeText)))
        case Pop():
            return _leave_page(context, state)
        case Compute() | Locate():
            return await use_tool(context, state, move)
        case Enlarge():
            page: Page = LettersOnly() if isinstance(move, ReadBox) else CloserLook()
            return msgspec.structs.replace(state, reading=Reading(observation=state.page.observation, part=move)), page
        case Unfold(part=part):
            state = state.remember(unfolded=(*state.memory.unfolded, part))
            return msgspec.structs.replace(state, reading=Reading(observation=state.page.observation)), ReadOn()
        case Finish():
            raise AssertionError("the loop ends before a finish is carried out")
        case _:
            assert_never(move)


async def check_viability(context: WalkContext, state: WalkState, page: Page) -> Arrived:
    """Leave a fresh page that is an HTTP error, a login or challenge page, or off topic. The root is never left, only not read;
    raises `RootUnreachable` if the walk begins with an HTTP error. A page of our own leads on and is not read: what stands on it
    stands on the pages that it leads to, and is cited from there. Only the one that shows the picture of the question is."""
    if not isinstance(page, Fresh):
        return state, page
    if is_own_page(state.page.observation.url):
        return state, page if picture_of(state.page.observation.url) else NothingNew()
    state, rejection = await _why_not_viable(context, state)
    if rejection is None:
        return state, page
    context.sink.emit(page_rejected(state.step, state.page.observation.url, rejection))
    if rejection.reason == "challenge page" and state.memory.stack.depth == 1:
        state = msgspec.structs.replace(state, is_checked=True)
    if rejection.reason == "login wall":
        state = _note_wall(state, state.page.observation, state.frame.key)
    if state.memory.stack.depth > 1:
        return _leave_page(context, state)
    if rejection.reason == "http error" and state.step == 1:
        raise RootUnreachable(
            f"the server answered with {rejection.detail}",
            where=context.task.root_url,
            advice="Check the address in a browser, and give a page that exists as the root",
        )
    return state, NothingNew()


async def _open(context: WalkContext, state: WalkState, url: str, reason: str) -> Arrived:
    key, below = key_of(url), state.memory.stack.top
    number = below.page_number + 1 if below is not None and reason == "next page" else 1
    state = state.remember(step=state.step + 1, stack=state.memory.stack.enter(key))
    opened = await context.edges.browser.open(url)
    if below is None and isinstance(opened, PageFailure) and opened.kind == "timeout":
        # Without its first page there is no walk, and the first is the one that a server and a browser just started are late with.
        context.sink.emit(page_failed(state.step, opened))
        opened = await context.edges.browser.open(url)
    state, opened = await _get_past(context, state, opened)
    return await _enter(context, state, opened, Entry(reason=reason, asked=key, page_number=number))


async def _enter(context: WalkContext, state: WalkState, opened: Snapshot | PageFailure, entry: Entry) -> Arrived:
    """Check the final URL, observe the page and push it on the stack. A requested URL is noted even if it fails, so that the
    budget counts it."""
    if isinstance(opened, PageFailure):
        return _stay_below(context, state, opened, entry), NothingNew()
    url, here = opened.final_url, state.memory.stack.top
    key = key_or(url, entry.asked or state.frame.key)
    was_led = bool(entry.asked) and key != entry.asked
    is_kept_out = state.is_kept_out or (was_led and key in state.walls)
    state = msgspec.structs.replace(state, shown_key=key, was_led=was_led, is_kept_out=is_kept_out)
    context.sink.emit(page_opened(state.step, opened, key))
    is_same = not entry.asked and here is not None and key == here.key
    if not is_same and (rejection := _reject_landing(context, state, opened, key, entry)):
        context.sink.emit(page_rejected(state.step, url, rejection))
        return _note(state, _left(state, entry, url, opened.title, rejection.reason)), NothingNew()
    opened, observation = await _read_when_filled(context, opened, is_asked=bool(entry.asked))
    if entry.asked:
        opened, observation = await _read_to_its_end(context, opened, observation)
    outcome = ""
    if is_same:
        observation, outcome = _after_operation(state.page.observation, observation, entry)
    elif not entry.asked and has_the_same_text(state.page.observation, observation):
        outcome = NOTHING_CHANGED
    elif entry.typed:
        outcome = results_told(observation)
    state = state.saw_page(key, observation, opened.fetched_at)
    context.sink.emit(page_observed(state.step, observation))
    if is_same or outcome:
        state = state.with_outcome(outcome)
    # Pictures may have changed where the text has not.
    if is_same and outcome == NOTHING_CHANGED and not observation.blind:
        return state, NothingNew()
    stack = state.memory.stack
    if not is_same:
        title, number, asked = observation.title, entry.page_number, entry.asked if was_led else ""
        frame = Frame(url=url, key=key, title=title, reason=entry.reason, page_number=number, asked=asked)
        stack = stack.push(frame)
        state = _note(state, _entered(state.step, key, observation))
    state = _with_sites_of_hits(context, state, observation)
    state = state.remember(stack=stack.offer(_links_on(context, state, observation)))
    context.sink.emit(stack_moved(state.step, state.memory.stack, "stay" if is_same else "push"))
    return msgspec.structs.replace(state, reading=Reading(observation=observation)), Fresh()


async def _get_past(
    context: WalkContext, state: WalkState, opened: Snapshot | PageFailure
) -> tuple[WalkState, Snapshot | PageFailure]:
    """The page that was wanted, where somebody got past what kept it closed; else the page as it is."""
    edges, helped = context.edges, list[Obstacle]()
    if isinstance(opened, PageFailure) or is_own_page(opened.url):
        return state, opened

    def tell(obstacle: Obstacle, passed: Passed) -> None:
        context.sink.emit(handed_over(state.step, obstacle, passed))
        helped.extend([obstacle] if passed.by == "person" else [])

    opened = await get_past(edges.browser, edges.reader, edges.handover, opened, tell)
    for obstacle in helped:
        state = note_help(state, obstacle.kind, ACTED, obstacle.url)
    return state, opened


async def get_past(
    browser: Browser,
    reader: PageReader,
    handover: Handover | None,
    opened: Snapshot | PageFailure,
    tell: Callable[[Obstacle, Passed], None],
) -> Snapshot | PageFailure:
    """The page that was wanted, where somebody got past what kept it closed; else the page as it is. `tell` hears what was done, or
    why nothing could be."""
    if handover is None or isinstance(opened, PageFailure):
        return opened
    for _ in range(TRIES_A_PAGE):
        if opened.status != 401 and opened.status not in REFUSED and not _TRACES.search(opened.html):
            break
        rejection = reject_by_structure(await reader.read(opened))
        kind = _KINDS.get(rejection.reason) if rejection is not None else None
        if kind is None:
            break
        obstacle = Obstacle(url=opened.url, kind=kind, title=opened.title)
        passed = await handover.overcome(obstacle)
        if passed.by != "nobody" or passed.note:
            tell(obstacle, passed)
        if passed.by == "nobody":
            break
        again = await browser.open(opened.url)
        if isinstance(again, PageFailure):
            break
        opened = again
    return opened


def _note_wall(state: WalkState, observation: Observation, key: str) -> WalkState:
    """The state after a page that asks for a login; a form that a plain link leads to keeps nobody out."""
    is_in_the_way = state.was_led or observation.status == 401 or state.memory.stack.depth == 1
    return msgspec.structs.replace(state, walls=state.walls | {key}, is_kept_out=state.is_kept_out or is_in_the_way)


async def _read_when_filled(context: WalkContext, opened: Snapshot, *, is_asked: bool) -> tuple[Snapshot, Observation]:
    """The page as it is read. One that was nearly empty when its time was over is opened once more: it would count as read, and never
    be looked at again."""
    observation = await context.edges.reader.read(opened)
    is_late = any(notice.kind == "unsettled" for notice in opened.notices)
    if not is_asked or not is_late or observation.signals.text_chars >= UNFILLED_CHARS:
        return opened, observation
    again = await context.edges.browser.open(opened.final_url)
    if isinstance(again, PageFailure) or key_or(again.final_url, "") != key_or(opened.final_url, ""):
        return opened, observation
    return again, await context.edges.reader.read(again)


async def _read_to_its_end(
    context: WalkContext, opened: Snapshot, observation: Observation
) -> tuple[Snapshot, Observation]:
    """The page with all that scrolling shows, where the walk counts, the page has lists, and its scripts hear of scrolling."""
    counts = context.task.requirement.mode != "none"
    lists = any(len(one.records) >= LEAST_LIST for one in observation.record_sets)
    if not (counts and lists and observation.may_grow):
        return opened, observation
    whole = await context.edges.browser.act(Operate(action=ScrollToEnd(), reason="the list may go on"))
    if isinstance(whole, PageFailure) or key_or(whole.final_url, "") != key_or(opened.final_url, ""):
        return opened, observation
    whole = msgspec.structs.replace(whole, url=opened.url, status=opened.status, redirects=opened.redirects)
    return whole, await context.edges.reader.read(whole)


def _after_operation(before: Observation, now: Observation, entry: Entry) -> tuple[Observation, str]:
    """The page after an operation on it, and what that changed."""
    if shows_the_same(before, now):
        return now, NOTHING_CHANGED
    return with_results_in_text(before, now) if entry.typed else now, what_is_new(before, now)


def _stay_below(context: WalkContext, state: WalkState, failure: PageFailure, entry: Entry) -> WalkState:
    """Note a page that failed to load."""
    context.sink.emit(page_failed(state.step, failure))
    if not entry.asked:
        return state
    if state.memory.stack.depth == 0 and is_own_page(failure.url):
        raise RootUnreachable(failure.message, advice="See what it answers with walker doctor --search URL")
    if state.memory.stack.depth == 0:
        advice = _ADVICE.get(failure.kind, _ADVICE["other"])
        raise RootUnreachable(failure.message, where=failure.url, advice=advice)
    return _note(msgspec.structs.replace(state, shown_key=""), _left(state, entry, failure.url, "", failure.kind))


def _leave_page(context: WalkContext, state: WalkState) -> Arrived:
    state = state.remember(stack=state.memory.stack.pop())
    context.sink.emit(stack_moved(state.step, state.memory.stack, "pop"))
    return state, NothingNew()


def _reject_landing(
    context: WalkContext, state: WalkState, opened: Snapshot, key: str, entry: Entry
) -> Rejection | None:
    """Why the final URL may not be entered, or None. A root may redirect anywhere, and a page of our own is one of no site."""
    if not state.memory.stack.depth or (is_own_page(opened.url) and is_own_page(opened.final_url)):
        return None
    scope = context.rules.policy.scope
    if key != entry.asked and state.memory.stack.has_entered(key):
        return Rejection(reason="already visited", detail=f"leads to {opened.final_url}")
    if opened.url in scope.roots:
        return None
    if why := scope.why_outside(opened.final_url, state.memory.hit_sites):
        return Rejection(reason="off site", detail=f"leads to {opened.final_url}: {why}")
    return None


async def _why_not_viable(context: WalkContext, state: WalkState) -> tuple[WalkState, Rejection | None]:
    """Why the page on top of the stack is not worth the critic's time, or None."""
    observation = state.page.observation
    if rejection := reject_by_structure(observation):
        return state, rejection
    frames = state.memory.stack.frames
    if len(frames) <= 1 or is_start(frames[-2].url):
        # A root, or a page that shows the picture of the question, in whatever words.
        return state, None
    if needs_probe(observation):
        state, probe = await _probe(context, state, observation.url)
        if probe is not None and matches_probe(observation, probe):
            return state, Rejection(reason="soft 404", detail="the page reads like one that cannot exist")
    links_left = len(state.frame.untried)
    may_show_more = context.rules.may_look and any(not region.declared for region in observation.blind)
    if links_left > OFF_TOPIC_LINKS or may_show_more:
        return state, None
    task = context.task
    words = frozenset(tokens(" ".join((task.question, task.pictured, *task.analysis.spellings, *state.memory.missing))))
    # A tab that the question names opens what is not in the markup yet.
    openers = (control.name for control in observation.controls if not control.hidden)
    text = " ".join((observation.title, *openers, *(block.text for block in observation.blocks)))
    return state, off_topic(len(words.intersection(tokens(text[:20_000]))), links_left)


async def _probe(context: WalkContext, state: WalkState, url: str) -> tuple[WalkState, Observation | None]:
    """What the site answers to a URL in the same folder that cannot exist; requested once per folder."""
    address = urljoin(url, PROBE_NAME + hashlib.sha256(url.encode()).hexdigest()[:12])
    folder = address.rsplit("/", 1)[0]
    if folder in state.probes or len(state.probes) >= PROBES_A_WALK:
        return state, state.probes.get(folder)
    opened = await context.edges.browser.open(address)
    said = await context.edges.reader.read(opened) if isinstance(opened, Snapshot) else None
    return msgspec.structs.replace(state, shown_key="", probes={**state.probes, folder: said}), said


def _with_sites_of_hits(context: WalkContext, state: WalkState, observation: Observation) -> WalkState:
    """The state with the sites that a page of our own opens."""
    if not is_own_page(observation.url):
        return state
    sites = context.rules.policy.scope.sites_of_hits(link.url for link in observation.links)
    context.edges.found_sites.add(sites)
    known = state.memory.hit_sites
    return state.remember(hit_sites=(*known, *(site for site in sites if site not in known))) if sites else state


def _links_on(context: WalkContext, state: WalkState, observation: Observation) -> tuple[UntriedLink, ...]:
    """The page's links that the scope allows, in document order."""
    links, scope = [], context.rules.policy.scope
    for link in observation.links:
        try:
            if scope.why_outside(link.url, state.memory.hit_sites):
                continue
            key = key_of(link.url)
        except BadUrl:
            continue
        links.append(
            UntriedLink(
                url=link.url,
                key=key,
                label=link.label,
                context=link.context,
                heading=link.heading,
                region=link.region,
                number=link.id,
            )
        )
    return tuple(links)


_ADVICE = {
    "unknown_host": "Check the spelling of the host name, and that this machine reaches the network",
    "refused": "Check that the site is up and the port is right",
    "proxy": "Check the address and the credentials of --proxy, and that it runs",
    "tls": "Open the site in a browser to see what is wrong with its certificate, or use its http address",
    "timeout": "Try again later, or give it more time with --page-seconds",
    "redirect_loop": "Give the address that the redirects should lead to",
    "download": "Give a web page, a PDF or an office file as the root; other files are not read",
    "not_a_page": "Give a web page, a PDF or an office file as the root; other files are not read",
    "blocked_address": "Private addresses may only be opened if the root's own address is private",
    "unreadable": "Give another page of the site as the root",
    "bad_scheme": "Give an http or https address",
    "other": "Check the address in a browser",
}


def _entered(step: int, key: str, observation: Observation) -> PageNote:
    heading = next((block.text for block in observation.blocks if block.kind == "heading" and not block.hidden), "")
    around = marks_around(observation)
    return PageNote(
        step=step,
        url=observation.url,
        key=key,
        title=observation.title,
        heading=heading,
        outcome=_found(observation),
        around=around,
    )


def _found(observation: Observation) -> str:
    """What is noted of a page. Where a search found nothing or little, the links of the site are what is left to go by."""
    if is_own_page(observation.url) and not observation.links:
        return "found nothing"
    hits = sum(bool(link.context) for link in observation.links)  # of others only the name is known
    return FOUND_LITTLE if is_search(observation.url) and hits < FEW_HITS else "read"


def _left(state: WalkState, entry: Entry, url: str, title: str, outcome: str) -> PageNote:
    """A note on a page that was not entered."""
    return PageNote(step=state.step, url=url, key=entry.asked, title=title, outcome=outcome)


def _note(state: WalkState, note: PageNote) -> WalkState:
    """The state with a note on a page in its memory; unchanged for a page without a key."""
    return state.remember(pages=(*state.memory.pages, note)) if note.key else state
