"""`walker look`: what Walker sees on one page, outside a walk."""

from __future__ import annotations

import msgspec

from memory.counting.counter import Counter
from memory.state import WalkMemory
from perception.element_map import View
from perception.geometry import Box
from perception.grounding.discrepancy import Discrepancies
from perception.grounding.grounding import Evidence, Grounding
from perception.snapshot import BlindRegion
from walker.assembly import WalkResources, read_task
from walker.calibration.pages import gate_inputs_of
from walker.errors import RootUnreachable
from walker.handover.their_session import with_their_session
from walker.rules.gate import GateDecision, decide_glance
from walker.rules.language import language_of
from walker.rules.pictures.blindness import boxes_of, find_blindness
from walker.seams.protocols import Look, LookRequest, PageFailure
from walker.settings import Settings
from walker.vision.merge_look import with_look
from walker.vision.pointing import Pointing

ANY_QUESTION = "What does this page show?"


class PageLook(msgspec.Struct, frozen=True, kw_only=True):
    """What was seen."""

    title: str
    view: View
    blind: tuple[BlindRegion, ...]
    look: Look
    decision: GateDecision | None = None
    """What the gate decides for the question, None where there is none."""
    answer: str = ""
    found: Grounding | None = None
    """What `find` means on the page, None where nothing was to be found."""
    differ: Discrepancies = Discrepancies()
    """Differences between OCR and page text; only with `find`, since the whole screenshot goes through OCR for it."""
    closer: Box | None = None
    """The region that was enlarged because the sources named different elements, or None."""
    apart: tuple[Evidence, ...] = ()
    """What each source named before that."""
    notes: tuple[str, ...] = ()
    """What did not work while finding."""


async def look_at_page(url: str, question: str, settings: Settings, *, whole: bool, find: str = "") -> PageLook:
    """Open, draw and read a page, and find what a phrase means on it; raises `RootUnreachable` where it cannot be opened or drawn."""
    task = read_task(url, question or ANY_QUESTION)
    async with WalkResources(settings) as resources:
        if resources.browsers.running is not None:
            theirs = await with_their_session(settings, resources.browsers, (url,))
            resources = resources.with_settings(theirs)  # noqa: PLW2901 - the same browser, with their cookies
        edges = resources.edges(task)
        try:
            opened = await edges.browser.open(url)
            if isinstance(opened, PageFailure):
                raise RootUnreachable(opened.message, where=url, advice="Check the address in a browser")
            observation = await edges.reader.read(opened)
            view = await edges.browser.see(whole=whole)
            if isinstance(view, PageFailure):
                raise RootUnreachable(
                    view.message, where=url, advice="Try again; no screenshot of the page could be taken"
                )
            pointing = Pointing(edges.browser, resources.builtin_vision, edges.vision_model, language_of(find))
            pointed = await pointing.find(find, view, observation) if find else None
        finally:
            await edges.browser.close()
        blindness = find_blindness(observation, task.question)
        memory = WalkMemory(step=1, counter=Counter.start(task.requirement))
        findings = await edges.critic.find(task, observation, memory)
        inputs = gate_inputs_of(observation, findings, blindness)
        decision = decide_glance(inputs, settings.weights, settings.threshold, may_look=True) if question else None
        request = LookRequest(
            question=task.question,
            observation=observation,
            view=view,
            regions=boxes_of(blindness),
            blind=observation.blind,
            language=task.language,
        )
        look = await edges.vision.look(request)
        answer = ""
        if question:
            seen = with_look(observation, look)
            findings = await edges.critic.find(task, seen, memory)
            counter = memory.counter.add(findings.items)
            known = msgspec.structs.replace(memory, findings=findings.findings, counter=counter)
            answer = (await edges.critic.judge(task, known)).answer
        return PageLook(
            title=observation.title,
            view=view,
            blind=observation.blind,
            look=look,
            decision=decision,
            answer=answer,
            found=pointed.grounding if pointed is not None else None,
            differ=pointed.differ if pointed is not None else Discrepancies(),
            closer=pointed.closer if pointed is not None else None,
            apart=pointed.disputed_by if pointed is not None else (),
            notes=pointed.notes if pointed is not None else (),
        )
