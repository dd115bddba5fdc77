"""Reads a page in passes: its text, the built-in OCR if the text is not trusted, OCR of enlarged pictures, a vision model.

Each pass takes the `Reading` of the passes before it, decides whether it is needed, and adds what it sees. A pass that adds text
sets `findings` to None: the critic then reads the page again (in `read_words`, the only place where it does).
"""

from __future__ import annotations

import msgspec

from memory.findings import SHOWN_SCORE, Finding, Findings
from memory.state import MoveNote
from memory.words import tokens
from perception.element_map import View
from perception.errors import PictureUnreadable
from perception.geometry import Box
from perception.images.image import decode_picture, hash_distance, is_blank
from perception.observation import Observation
from perception.snapshot import BlindRegion
from perception.understanding import understand
from walker.rules.gate import GateDecision, GateInputs, decide_by_score, decide_glance, decide_look, lowered
from walker.rules.pictures.blindness import Blindness, find_blindness, without_read
from walker.rules.question_picture.pictured_name import only_pictured
from walker.seams.picture_pages import TITLE
from walker.seams.protocols import Look, LookRequest, PageFailure
from walker.seams.searches import picture_of
from walker.seams.task import Task
from walker.vision.empty_looks import misses_answer, tells_nothing, what_is_missing, what_is_there
from walker.vision.merge_look import regions_of, with_crop, with_look, with_looked_at, without_texts, without_unseen
from walker.vision.seen_once import only_new, read_anew, without_said
from walker.walk.corroboration import corroborate_look, halve_disputed
from walker.walk.picture_reading import (
    Drawn,
    add_to_read,
    draw_chosen,
    draw_page,
    letters_in,
    nothing_drawn,
    read_shots,
    read_told,
    request_for,
)
from walker.walk.walk_events import gate_decided, picture_cropped, understood
from walker.walk.walk_state import Looked, Reading, Stage, WalkContext, WalkState, bring_back, count_look

CLOSER_FROM, CLOSER_AT_MOST, CLOSER_SCALE, CLOSER_PIXELS = 1.5, 2, 4.0, 8_000_000
"""For enlarging pictures: the least intrinsic pixels per CSS pixel, the most pictures per page, the largest scale, and the most
pixels of one screenshot."""
UNREAD_FROM = 3.0
"""The same for a picture in which nothing was read: the letters of a drawing that is shown a third as large as it is."""
SMALL_PRINT = 16.0
"""Height of a line as OCR reports it, CSS pixels, margins included: a font size of about 11 pixels."""
CLOSER_GAIN = 1.2
"""How many times as large as before a picture must be drawn to show more."""
SHOTS_ASKED = 2
"""Most shots of a page that the vision model is asked about."""
EMPTY_CHARS = 80
"""Of what a look in vain says, in the line of its step."""
ANSWERED_FROM = 0.5
"""Score 0..1 of a finding from a picture from which the picture was read well enough."""
TOLD_FROM = 0.34
"""Share 0..1 of the question's words in what the page says of a picture, from which these words are read where the text says fewer of
them: they cost nothing but the critic's time."""
PRINT_BITS = 6
"""Bits of 64 in which the perceptual hashes of two screenshots of the same content may differ."""


def refine(*passes: Stage) -> tuple[Stage, ...]:
    """The passes in order; after each the critic reads what it added."""
    return tuple(stage for one in passes for stage in (one, read_words))


async def read_words(context: WalkContext, state: WalkState) -> WalkState:
    """Let the critic read the page if it holds text that it has not read. Findings that rest on a disputed answer count half."""
    reading = state.under_way
    if reading.findings is not None:
        return state
    is_start = bool(picture_of(reading.observation.url))
    if is_start and not reading.observation.seen_text:
        # All that stands there besides its picture is about other pages, and the picture is yet to be read.
        return state.read_on(findings=Findings(), decision=None)
    findings = await context.edges.critic.find(context.task, reading.observation, state.memory)
    if is_start:
        findings = only_pictured(findings, reading.observation)
    return state.read_on(findings=halve_disputed(findings, reading.look), decision=None)


async def run_ocr(context: WalkContext, state: WalkState) -> WalkState:
    """Run the built-in OCR on the pictures that the gate chooses, if the text is not trusted. If what is drawn has not changed since
    the last pass, its result is used again."""
    rules, task, observation = context.rules, context.task, state.under_way.observation
    meant = task.analysis.picture or (TITLE if picture_of(observation.url) else "")
    blindness = find_blindness(
        observation, task.question, state.often, meant, means_none=task.analysis.means_no_picture
    )
    threshold = lowered(rules.threshold, _budget_left(context, state))
    inputs = _gate_inputs(context, state, blindness)
    if rules.gate == "paper":
        decision = decide_by_score(inputs, rules.threshold, may_look=rules.may_look)
    else:
        decision = decide_glance(inputs, rules.weights, threshold, may_look=rules.may_look)
    context.sink.emit(gate_decided(state.step, decision))
    state = state.read_on(blindness=blindness, threshold=decision.threshold, decision=decision)
    if decision.choice == "read":
        # What the page says of its pictures is worth reading where it says more of the question than the text does.
        is_open = not inputs.is_enough and inputs.answered < ANSWERED_FROM
        is_told = is_open and blindness.told >= max(TOLD_FROM, 1 - blindness.gap)
        return await read_told(context, state) if is_told and rules.may_look else state
    state, drawn = await (draw_page if rules.gate == "paper" else draw_chosen)(context, state)
    return await _read_drawn(context, state, drawn)


async def read_pictures(context: WalkContext, state: WalkState) -> WalkState:
    """Run the built-in OCR on the pictures that were chosen already, whatever the gate says of the text."""
    state, drawn = await draw_chosen(context, state)
    return await _read_drawn(context, state, drawn)


async def _read_drawn(context: WalkContext, state: WalkState, drawn: Drawn) -> WalkState:
    """The state with what OCR reads in what was drawn."""
    observation, views = state.under_way.observation, [view for _, view in drawn.shots]
    if (before := _unchanged(state, drawn.prints)) is not None:
        observation = with_look(observation, without_said(before, views, observation))
        return state.read_on(observation=observation, prints=drawn.prints, findings=None)
    # Text that no person can see is hidden from the strategies from here on.
    observation, hidden = without_unseen(observation, views[0].map) if views else (observation, ())
    state, look = await read_shots(context, state.read_on(observation=observation), drawn)
    state = count_look(context, state, msgspec.structs.replace(look, notes=(*look.notes, *hidden)))
    news = without_said(look, views, observation)
    observation = with_look(observation, news)
    for boxes, scale in letters_in(drawn):
        observation = with_looked_at(observation, boxes, scale, look)
    requests = tuple(request_for(context, state, shot.regions, view) for shot, view in drawn.shots)
    return state.read_on(
        observation=observation,
        findings=None if news.seen or hidden else state.under_way.findings,
        requests=requests or (request_for(context, state, (), nothing_drawn(state)),),
        prints=drawn.prints,
        look=look,
        read_boxes=look.boxes,
        decision=None,
    )


async def run_ocr_closer(context: WalkContext, state: WalkState) -> WalkState:
    """Run OCR again on pictures that the page scales down, at their intrinsic size, if the first pass is not trusted or read small
    print. It costs as much as the first pass, so the same threshold applies."""
    reading = state.under_way
    if not reading.requests or context.rules.gate == "paper":
        return state
    decision = _decide_look(context, state)
    state = state.read_on(decision=decision)
    small = _worth_enlarging(reading, is_sure=decision.trust >= reading.threshold)
    if not small:
        return state
    observation, seen = reading.observation, reading.look.seen
    state, drawn = await _look_closer(context, state, small)
    closer = Look(
        seen=tuple(one for _, _, look in drawn for one in look.seen),
        lines=tuple(one for _, _, look in drawn for one in look.lines),
    )
    worse, new = read_anew(seen, closer.seen)
    seen = tuple(one for one in seen if one not in worse)
    observation = with_look(without_texts(observation, worse), Look(seen=new, lines=closer.lines))
    for box, scale, look in drawn:
        observation = with_looked_at(observation, (box,), scale, look)
    return state.read_on(
        observation=observation,
        findings=None if {one.text for one in new} != {one.text for one in worse} else reading.findings,
        look=msgspec.structs.replace(reading.look, seen=(*seen, *closer.seen)),
        read_boxes=(*reading.read_boxes, *closer.boxes),
    )


async def draw_part(context: WalkContext, state: WalkState) -> WalkState:
    """Enlarge one part of the page and run the built-in OCR on it. A part that cannot be drawn is noted too, so that it is not
    requested again."""
    observation, part = state.under_way.observation, state.under_way.part
    assert part is not None, "this stage runs for a part of a page only"
    state = (await bring_back(context, state)).read_on(findings=_known(state, observation))
    view = await context.edges.browser.see(box=part.box, scale=part.scale)
    failure = view.message if isinstance(view, PageFailure) else "" if view.shown.area else "nothing is drawn there"
    context.sink.emit(picture_cropped(state.step, part, len(observation.pictures), failure))
    if isinstance(view, PageFailure) or failure:
        return state.read_on(observation=with_crop(observation, part, part.scale, Look()))
    asked = context.task.analysis
    blindness = find_blindness(
        observation, context.task.question, meant=asked.picture, means_none=asked.means_no_picture
    )
    request = msgspec.structs.replace(
        request_for(context, state, regions_of(observation, part), view), regions=(part.box,)
    )
    look = only_new(await context.edges.vision.look(request), view)
    state = count_look(context, state, look)
    before = state.page.looked
    worse, new = read_anew(before.look.seen if before is not None else (), look.seen)
    observation = with_look(without_texts(observation, worse), Look(seen=new, lines=look.lines))
    return state.read_on(
        observation=with_crop(observation, part, view.frame.scale, look, blank=_is_blank(view, look)),
        findings=None if {one.text for one in new} != {one.text for one in worse} else state.under_way.findings,
        blindness=blindness,
        requests=(request,),
        look=look,
        read_boxes=(*look.boxes, *(before.look.boxes if before is not None else ())),
    )


def _is_blank(view: View, look: Look) -> bool:
    """Whether an enlarged part shows nothing at all: a picture that has not come looks so, and one without letters does not."""
    try:
        return not look.texts and is_blank(decode_picture(view.picture))
    except PictureUnreadable:
        return False  # its look says so


async def ask_vision_model(context: WalkContext, state: WalkState) -> WalkState:
    """Ask the vision model if OCR was not enough, about one shot after the other until it has an answer. This is checked against
    the OCR and the page's own text."""
    reading = state.under_way
    if not reading.requests:
        return state
    decision = reading.decision or _decide_look(context, state)
    context.sink.emit(gate_decided(state.step, decision))
    state = state.read_on(decision=decision)
    requests = [request for request in reading.requests if request.view.picture][:SHOTS_ASKED]
    if decision.choice != "look" or not requests:
        return state
    assert context.edges.vision_model is not None, "the gate chooses a vision model only if there is one"
    look, seen, observation, shown, is_news = Look(), reading.look.seen, reading.observation, reading.shown, False
    for one in requests:
        request = msgspec.structs.replace(one, observation=reading.observation)
        look = await context.edges.vision_model.look(request)
        state = count_look(context, state, look)
        state, look = await corroborate_look(context, state, request, look, reading.look.seen)
        seen, observation = (*seen, *look.seen), with_look(observation, look)
        # What a picture shows is kept as it is: only an answer, or what was read, is for the critic to make sense of.
        is_news = is_news or bool(look.answer) or any(one.text != look.shows for one in look.seen)
        if look.answer:
            break
        if look.shows and not _bears_on_question(look, context.task, state):
            state = _note_in_vain(state, look)
        else:
            shown = (*shown, *_shown_in(look, request, state))
    return state.read_on(
        observation=observation,
        findings=None if is_news else state.found,
        look=msgspec.structs.replace(look, seen=seen),
        shown=shown,
    )


async def keep_shown(context: WalkContext, state: WalkState) -> WalkState:  # noqa: ARG001 - a stage
    """Add what pictures show that answer nothing by themselves to the findings, each once: a later page may make it the answer."""
    findings = state.found
    known = {finding.quote for finding in (*state.memory.findings, *findings.findings)}
    new = tuple(one for one in state.under_way.shown if one.quote not in known)
    return state.read_on(findings=msgspec.structs.replace(findings, findings=(*findings.findings, *new)))


async def keep_look(context: WalkContext, state: WalkState) -> WalkState:  # noqa: ARG001 - a stage
    """Store what was seen, to be used again while the page looks the same."""
    reading = state.under_way
    if not reading.requests:
        return state
    return state.note_page(looked=Looked(prints=reading.prints, look=reading.look))


async def keep_part(context: WalkContext, state: WalkState) -> WalkState:  # noqa: ARG001 - a stage
    """Store what was seen in a part with the page; findings that the memory already has are left out."""
    reading, before = state.under_way, state.page.looked
    if reading.requests and before is not None:
        look = msgspec.structs.replace(before.look, seen=(*before.look.seen, *reading.look.seen))
        state = state.note_page(looked=msgspec.structs.replace(before, look=look))
    known = {(finding.text, finding.quote, finding.part) for finding in state.memory.findings}
    findings = state.found
    new = tuple(found for found in findings.findings if (found.text, found.quote, found.part) not in known)
    return state.read_on(findings=msgspec.structs.replace(findings, findings=new))


READ_PAGE: tuple[Stage, ...] = (
    read_words,
    *refine(run_ocr, run_ocr_closer, ask_vision_model),
    keep_look,
    keep_shown,
)
"""Stages for a page that was just opened, or changed by an operation."""
READ_PICTURES: tuple[Stage, ...] = (*refine(read_pictures, run_ocr_closer), keep_look)
"""Stages for pictures of a page that the walk comes back to."""
READ_TEXT: tuple[Stage, ...] = (read_words,)
"""Stages for more of the text of a page that was read."""
READ_PART: tuple[Stage, ...] = (*refine(draw_part, ask_vision_model), keep_shown, keep_part)
"""Stages for a part of a page that is enlarged."""
READ_LETTERS: tuple[Stage, ...] = (*refine(draw_part), keep_part)
"""The same without the vision model."""


async def _look_closer(
    context: WalkContext, state: WalkState, small: dict[BlindRegion, float]
) -> tuple[WalkState, list[tuple[Box, float, Look]]]:
    """OCR of pictures, given with the scale at which they were read, at their intrinsic size: the box, the scale and what was seen
    of each."""
    drawn: list[tuple[Box, float, Look]] = []
    for region, before in tuple(small.items())[:CLOSER_AT_MOST]:
        scale = min(region.detail, CLOSER_SCALE, (CLOSER_PIXELS / max(1.0, region.box.area)) ** 0.5)
        if scale < CLOSER_GAIN * before:
            continue
        view = await context.edges.browser.see(box=region.box, scale=round(scale, 2))
        if isinstance(view, PageFailure):
            continue
        closer = msgspec.structs.replace(request_for(context, state, (region,), view), regions=(region.box,))
        look = await context.edges.vision.look(closer)
        state = count_look(context, state, look)
        seen = tuple(one for one in look.seen if one.source != "page")
        look = msgspec.structs.replace(look, seen=seen)
        state = add_to_read(state, region, look)
        drawn.append((region.box, view.frame.scale, look))
    return state, drawn


def _worth_enlarging(reading: Reading, *, is_sure: bool) -> dict[BlindRegion, float]:
    """The pictures that the page scales down and that say more at their own size, with the scale at which they were read: those with
    small print, which OCR may have misread; and where nothing is sure yet, those whose letters may be too small to be found."""
    scales = {region: request.view.frame.scale for request in reading.requests for region in request.blind}
    small = {region: scale for region, scale in scales.items() if region.detail >= CLOSER_FROM}
    texts = [seen.box for seen in reading.look.seen if seen.source == "ocr" and seen.box is not None]
    worth: dict[BlindRegion, float] = {}
    for region, scale in small.items():
        heights = [box.height for box in texts if box.share_in(region.box) > 0.5]
        may_be_too_small = not heights and region.detail >= UNREAD_FROM * scale
        if (heights and min(heights) < SMALL_PRINT) or (may_be_too_small and not is_sure):
            worth[region] = scale
    return worth


def _bears_on_question(look: Look, task: Task, state: WalkState) -> bool:
    """Whether what a picture shows may be of use later: it shows what the question or what is missing names; or the question means a
    picture, or lines of it were read that bear on the question, and it is not said that what was asked for is not there. A group photo
    on the way to a price is none of these, nor is "a price list, the price of soup is not shown"."""
    if tells_nothing(look.shows):
        return False
    wanted = frozenset(tokens(" ".join((task.question, *task.analysis.spellings, *state.memory.missing))))
    missed = wanted.intersection(tokens(what_is_missing(look.shows)))
    is_missing = bool(missed) or misses_answer(look.shows)
    read = " ".join(one.text for one in look.seen if one.text != look.shows)
    if not is_missing and (task.analysis.picture or read):
        return True
    return not (wanted - missed).isdisjoint(tokens(f"{what_is_there(look.shows)} {read}"))


def _note_in_vain(state: WalkState, look: Look) -> WalkState:
    """The step tells that a picture was looked at in vain, so that it is not looked at again for the same."""
    top = state.memory.stack.top
    if top is None:
        return state
    note = MoveNote(step=state.step, page=top.key, what="look at a picture", outcome=look.shows[:EMPTY_CHARS])
    return state.remember(moves=(*state.memory.moves, note))


def _shown_in(look: Look, request: LookRequest, state: WalkState) -> tuple[Finding, ...]:
    """What a picture shows, as a finding about it; none where the model did not say."""
    if not look.shows:
        return ()
    name = next((told for region in request.blind if (told := region.name or region.heading)), "")
    url = state.under_way.observation.url
    finding = Finding(text=look.shows, quote=look.shows, url=url, step=state.step, score=SHOWN_SCORE, heading=name)
    return (finding,)


def _decide_look(context: WalkContext, state: WalkState) -> GateDecision:
    """The gate's second decision: whether the OCR result is enough, or the vision model is asked."""
    rules, reading = context.rules, state.under_way
    blindness = without_read(reading.blindness, reading.read_boxes)
    if _answered_by_picture(state):
        blindness = msgspec.structs.replace(blindness, pointed=0.0)
    return decide_look(
        _gate_inputs(context, state, blindness),
        rules.weights,
        lowered(rules.look_threshold, _budget_left(context, state)),
        has_model=context.edges.vision_model is not None,
    )


def _gate_inputs(context: WalkContext, state: WalkState, blindness: Blindness) -> GateInputs:
    observation, findings = state.under_way.observation, state.found
    understanding = understand(observation, findings.relevance)
    context.sink.emit(understood(state.step, understanding))
    answered = max((finding.score for finding in findings.findings), default=0.0)
    return GateInputs(
        understanding=understanding.score,
        answered=1.0 if findings.items else answered,
        blind=blindness.blind,
        gap=blindness.gap,
        pointed=blindness.pointed,
        is_enough=findings.is_enough is True and context.task.requirement.mode == "none",
        has_pictures=bool(observation.blind or observation.described)
        or any(figure.is_described for figure in observation.figures),
        challenge=observation.signals.challenge,
    )


def _budget_left(context: WalkContext, state: WalkState) -> float:
    """Share 0..1 of the budget that is left: of pages or of looks, whichever is less."""
    budget = context.rules.budget
    looks = 1 - state.looks / budget.limits.looks if budget.limits.looks else 1.0
    return max(0.0, min(budget.share_left(state.memory), looks))


def _answered_by_picture(state: WalkState) -> bool:
    """Whether the critic has an answer from what was read in the page's pictures."""
    seen = frozenset(state.under_way.observation.seen_text)
    return any(found.score >= ANSWERED_FROM and found.quote in seen for found in state.found.findings)


def _unchanged(state: WalkState, prints: tuple[int, ...]) -> Look | None:
    """The result of an earlier look at this page, if what was drawn looks the same now."""
    before = state.page.looked
    if before is None or not prints or len(before.prints) != len(prints):
        return None
    pairs = zip(before.prints, prints, strict=True)
    return before.look if all(hash_distance(one, other) <= PRINT_BITS for one, other in pairs) else None


def _known(state: WalkState, observation: Observation) -> Findings:
    """The findings of a page that the memory already has."""
    note = next((note for note in reversed(state.memory.pages) if note.url == observation.url), None)
    return Findings(
        relevance=note.relevance if note is not None else 0.0,
        gist=note.gist if note is not None else "",
        findings=tuple(finding for finding in state.memory.findings if finding.url == observation.url),
    )
