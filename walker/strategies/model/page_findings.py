"""What a model's reply says of a page, checked: every quote must stand on it, and the counted items come from its lists."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from memory.counting.requirement import HOW_MANY, may_be_stated, read_requirement
from memory.findings import Finding, Findings, citations_of
from memory.words import lazy_re
from perception.document.visible import shortened, visible_text
from perception.observation import Observation
from walker.models.replies import FindReply, FoundReply, JudgeReply
from walker.seams.protocols import Verdict
from walker.seams.task import Task
from walker.strategies.answers.file_pages import page_of_quote, part_of_quote
from walker.strategies.model.computed_answer import ComputedAnswer, compute_answer, why_not_computed
from walker.strategies.model.judged_lines import contradicted, parts_of, unticked_parts
from walker.strategies.model.named_items import REFUSED_CHARS, NamedItems, part_places, why_not_quoted
from walker.strategies.model.quotes import PageText, around, quoted_instead
from walker.strategies.values.value_kinds import Measure
from walker.strategies.values.written_values import only_value

FINDINGS_A_PAGE = 8
MOST_RELEVANT = 40
TEXT_CHARS = 600
MISSING_CHARS = 120
"""Of a phrase that says what is still missing."""
STATED = 0.6
"""Confidence from which a number that the page states has precedence over a list of another length."""
UNTICKED_MOST = 0.7
"""Greatest confidence where a part of the question has no finding."""
_ENTRY_MARK = lazy_re.compile(r"^\s*(?:[-*•]|\(?\d{1,3}[.)])\s+")
KEPT_CHARS = 24_000
"""Of a page's text as it was shown, kept for later steps that look back at it: all that 6,000 tokens hold. A walk of 30 pages keeps at
most 700 KB."""

ByCode = Callable[[Findings], Findings]


class PageFindings:
    """Reads replies about one page."""

    def __init__(self, observation: Observation, step: int, task: Task, by_code: ByCode | None = None) -> None:
        """`by_code`: counts by code, where the model found the page relevant and gave nothing to count."""
        self._observation, self._step, self._task, self._by_code = observation, step, task, by_code
        self._said = PageText(observation)
        self._items = NamedItems(observation, self._said, step, task.requirement, _counting_parts(task))

    def read(
        self, reply: FindReply, shown: str, answer: str = "", given: Sequence[Finding] = ()
    ) -> tuple[Findings, tuple[Finding | None, ...]]:
        """The findings; and, for each one `given` before and each of the reply in its order, the finding or None where its quote is
        not on the page. `shown`: the page's text as the model saw it; `answer`: what the model answers so far."""
        relevance = max(0.0, min(1.0, reply.relevance / MOST_RELEVANT))
        by_place: list[Finding | None] = list(given)
        refused: list[str] = []
        known = {(one.text, one.quote): one for one in given}
        for place, found in enumerate(reply.findings):
            why = self._why_not(found) if place < FINDINGS_A_PAGE else f"only the first {FINDINGS_A_PAGE} are taken"
            read = None if why else self._finding(found)
            by_place.append(read and known.get((read.text, read.quote), read))
            refused += [f"finding “{visible_text(found.answer)[:REFUSED_CHARS]}”: {why}"] if why else []
        kept = tuple(dict.fromkeys(finding for finding in by_place if finding is not None))
        findings = Findings(
            relevance=round(relevance, 4), findings=kept, gist=shown[:KEPT_CHARS], refused=tuple(refused)
        )
        findings = self._items.add_to(findings, reply, answer)
        if self._by_code is not None and not reply.items and not reply.list:
            findings = self._by_code(findings)
        if self._states_another_number(kept, findings):
            findings = msgspec.structs.replace(findings, list_ended=False)
        # Things that were counted are a finding too, the last: a reply need not give them twice.
        return findings, (*by_place, *findings.findings[len(kept) :])

    def _states_another_number(self, kept: tuple[Finding, ...], findings: Findings) -> bool:
        """Whether a quoted number says that the counted list is not all, where the question may mean a number that is stated."""
        if (
            not findings.list_ended
            or not may_be_stated(self._task.question)
            or self._observation.pagination.previous_url
        ):
            return False
        values = (only_value(finding.text, self._task.language) for finding in kept if finding.score >= STATED)
        return any(isinstance(value, Measure) and value.amount != len(findings.items) for value in values)

    def _why_not(self, found: FoundReply) -> str:
        if not found.answer.strip():
            return "it has no answer"
        return "" if self._said.holds(found.quote) else why_not_quoted(self._said, found.quote)

    def _finding(self, found: FoundReply) -> Finding:
        quote = self._said.as_written(found.quote)
        heading, before = around(self._observation, quote)
        parts = part_places(found.part)
        return Finding(
            text=visible_text(found.answer)[:TEXT_CHARS],
            quote=quote[:TEXT_CHARS],
            url=self._observation.url,
            step=self._step,
            score=round(max(0, min(100, found.confidence)) / 100, 4),
            part=parts[0] if parts else 0,
            parts=parts,
            heading=heading,
            before=before,
            page=page_of_quote(self._observation, quote),
            place=part_of_quote(self._observation, quote),
        )


def _counting_parts(task: Task) -> frozenset[int]:
    """Places of the parts of the question that count or list things, of several those that name the counted noun."""
    texts = [part.text for part in parts_of(task)]
    counting = [
        place
        for place, text in enumerate(texts)
        if HOW_MANY.search(text) or read_requirement(text, task.language).mode != "none"
    ]
    noun = task.requirement.noun.casefold()
    naming = [place for place in counting if noun and noun in texts[place].casefold()]
    return frozenset(naming or counting)


def verdict_of(reply: JudgeReply, task: Task, shown: Sequence[Finding], new: Sequence[Finding | None] = ()) -> Verdict:
    """The verdict of a reply that cites the shown findings by number, from 1, and then the new ones. What the reply lets code compute
    is its answer; one that leaves a part of the question open is less sure."""
    numbered = (*shown, *new)
    cited = [found for number in reply.cite if 1 <= number <= len(numbered) and (found := numbered[number - 1])]
    said = _as_one_line(reply.answer) if task.requirement.mode != "none" else visible_text(reply.answer)
    result = compute_answer(reply.calculation, numbered, task, said)
    answer = result.answer if result is not None else said
    cited = list(dict.fromkeys((*cited, *(result.inputs if result is not None else ()))))
    # An answer that rests on nothing found is no answer.
    sufficient = reply.sufficient and bool(answer) and bool(cited)
    resting = cited or [found for found in numbered[:1] if found is not None]
    all_found = [finding for finding in numbered if finding is not None]
    unticked = unticked_parts(parts_of(task), all_found, cited) if sufficient else ()
    confidence = round(max(0, min(100, reply.confidence)) / 100, 3)
    reasons = ["the findings are enough" if sufficient else "something is missing"]
    uncomputed = why_not_computed(reply.calculation, numbered, task) if reply.calculation is not None else ""
    reasons += [note for note in (result.note if result is not None else uncomputed,) if note]
    reasons += [f"no finding for part {', '.join(str(part + 1) for part in unticked)}"] if unticked else []
    reasons += contradicted(cited, all_found, task)
    return Verdict(
        sufficient=sufficient,
        answer=answer,
        confidence=min(confidence, UNTICKED_MOST) if unticked else confidence,
        citations=citations_of(resting),
        missing=() if sufficient else tuple(shortened(phrase, MISSING_CHARS) for phrase in reply.missing[:4]),
        reason="; ".join(reasons),
        quoted=_quoted(answer, result, cited, all_found),
    )


def _quoted(
    answer: str, result: ComputedAnswer | None, cited: Sequence[Finding], found: Sequence[Finding]
) -> str | msgspec.UnsetType:
    if result is None:
        return quoted_instead(answer, cited, found)
    return msgspec.UNSET if result.value == answer else result.value


def _as_one_line(answer: str) -> str:
    """An answer that enumerates things line by line, with semicolons between them."""
    lines = (visible_text(_ENTRY_MARK.sub("", line)) for line in answer.splitlines())
    return "; ".join(line for line in lines if line)
