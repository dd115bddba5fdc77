"""Measures a labelled page, with and without OCR as in a walk, as a training example for the gate."""

from __future__ import annotations

import time
from pathlib import Path

import msgspec

from memory.counting.counter import Counter
from memory.findings import Findings
from memory.state import WalkMemory
from perception.element_map import View
from perception.observation import Observation
from perception.understanding import understand
from walker.assembly import WalkResources, read_task
from walker.calibration.fit import Example
from walker.errors import UsageError
from walker.rules.gate import GateInputs
from walker.rules.pictures.blindness import Blindness, boxes_of, find_blindness, without_read
from walker.seams.protocols import Critic, Edges, LookRequest, PageFailure
from walker.seams.task import Task
from walker.vision.merge_look import with_look

TOKENS_A_PIXEL = 1 / 1024
"""Of a vision model that takes patches of 32 x 32 pixels."""


class LabelledPage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line of the file that `walker calibrate` reads."""

    url: str
    question: str
    answer: str
    """As written on the page; alternatives are separated by " | "."""
    site: str = ""
    """Pages of one site stay in one fold; the host if not given."""
    needs_look: bool | None = None
    """Whether the image is needed; found by trying both if not given."""


def read_labelled(path: Path) -> tuple[LabelledPage, ...]:
    """The pages of a JSONL file; raises `UsageError` with the line number."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot be read ({error})", where=str(path), advice="Give a JSONL file of pages") from None
    pages = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            pages.append(msgspec.json.decode(line, type=LabelledPage))
        except msgspec.DecodeError as error:
            raise UsageError(
                str(error), where=f"{path}:{number}", advice='A line is {"url": ..., "question": ..., "answer": ...}'
            ) from None
    if not pages:
        raise UsageError("there is no page in it", where=str(path), advice="Give one JSON object a line")
    return tuple(pages)


class PageMeasure:
    """Measures pages one after the other in one browser."""

    def __init__(self, resources: WalkResources) -> None:
        self._resources = resources

    async def before(self, page: LabelledPage) -> GateInputs | PageFailure:
        """What the gate is told of the page before anyone looks at it, or why the page could not be opened."""
        edges, task = self._edges(page)
        try:
            observation = await _observed(edges, page)
        finally:
            await edges.browser.close()
        if isinstance(observation, PageFailure):
            return observation
        text, _ = await _read(edges.critic, task, observation, page.answer)
        return gate_inputs_of(observation, text, find_blindness(observation, page.question))

    async def take(self, page: LabelledPage) -> Example | PageFailure:
        """The page as an example, or why it could not be opened."""
        edges, task = self._edges(page)
        try:
            observation = await _observed(edges, page)
            if isinstance(observation, PageFailure):
                return observation
            view = await edges.browser.see(whole=True)
            if isinstance(view, PageFailure):
                return view
        finally:
            await edges.browser.close()
        blindness = find_blindness(observation, page.question)
        text, text_right = await _read(edges.critic, task, observation, page.answer)
        before = gate_inputs_of(observation, text, blindness)
        started = time.perf_counter()
        look = await edges.vision.look(_request(page, observation, view))
        seconds = time.perf_counter() - started
        seen = with_look(observation, look)
        both, both_right = await _read(edges.critic, task, seen, page.answer)
        after = gate_inputs_of(seen, both, without_read(blindness, look.boxes))
        needs = page.needs_look if page.needs_look is not None else (both_right and not text_right)
        return Example(
            site=page.site or page.url.split("/")[2],
            page=page.url,
            needs_look=needs,
            before=before,
            after=after,
            text_right=text_right,
            glance_right=both_right,
            tokens=round(view.width * view.height * TOKENS_A_PIXEL),
            seconds=round(seconds, 4),
        )

    def _edges(self, page: LabelledPage) -> tuple[Edges, Task]:
        task = read_task(page.url, page.question)
        return self._resources.edges(task), task


async def _observed(edges: Edges, page: LabelledPage) -> Observation | PageFailure:
    """The page as a walk reads it, open in the browser."""
    opened = await edges.browser.open(page.url)
    return opened if isinstance(opened, PageFailure) else await edges.reader.read(opened)


def gate_inputs_of(observation: Observation, findings: Findings, blindness: Blindness) -> GateInputs:
    """The gate's inputs for a page as it was read."""
    answered = max((finding.score for finding in findings.findings), default=0.0)
    return GateInputs(
        understanding=understand(observation, findings.relevance).score,
        answered=1.0 if findings.items else answered,
        blind=blindness.blind,
        gap=blindness.gap,
        pointed=blindness.pointed,
        has_pictures=bool(observation.blind or observation.described)
        or any(figure.is_described for figure in observation.figures),
        challenge=observation.signals.challenge,
    )


async def _read(critic: Critic, task: Task, observation: Observation, answer: str) -> tuple[Findings, bool]:
    memory = WalkMemory(step=1, counter=Counter.start(task.requirement))
    findings = await critic.find(task, observation, memory)
    memory = msgspec.structs.replace(memory, findings=findings.findings, counter=memory.counter.add(findings.items))
    verdict = await critic.judge(task, memory)
    wanted = [" ".join(part.casefold().split()) for part in answer.split(" | ")]
    given = " ".join(verdict.answer.casefold().split())
    return findings, any(part and _holds(given, part) for part in wanted)


def _holds(given: str, wanted: str) -> bool:
    """Whether an answer is the wanted one, units and a word or two around it allowed."""
    padded = f" {given} "
    if not wanted.isascii():
        return wanted in given and len(given) <= 4 * len(wanted) + 8
    at = padded.find(wanted)
    while at >= 0:
        before, after = padded[at - 1], padded[at + len(wanted)] if at + len(wanted) < len(padded) else " "
        apart = not _is_letter(before) and not _is_letter(after)
        if apart and len(given) <= 3 * len(wanted) + 40:
            return True
        at = padded.find(wanted, at + 1)
    return False


def _is_letter(sign: str) -> bool:
    """Whether a word goes on with it; a unit in Chinese follows its number directly."""
    return sign.isascii() and sign.isalnum()


def _request(page: LabelledPage, observation: Observation, view: View) -> LookRequest:
    blindness = find_blindness(observation, page.question)
    return LookRequest(
        question=page.question,
        observation=observation,
        view=view,
        regions=boxes_of(blindness),
        blind=tuple(region for _, region in blindness.regions),
    )


msgspec.json.Decoder(LabelledPage)  # described at import: docs/design/msgspec.md
