"""The critic without a model: it finds, quotes, counts and judges by the words on the page."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from memory.counting.requirement import may_be_stated
from memory.findings import Candidate, Citation, Finding, Findings, citations_of
from memory.retrieval import Ranker
from memory.state import WalkMemory
from memory.words import tokens
from perception.observation import Observation
from walker.rules.language import language_of_page
from walker.rules.pictures.picture_words import how_question_points
from walker.rules.question_picture.pictured_name import pictured_part
from walker.seams.protocols import Verdict
from walker.seams.searches import picture_of
from walker.seams.task import Task
from walker.strategies.answers.answer_chance import finding_score, found_chance
from walker.strategies.answers.evidence import page_fit
from walker.strategies.answers.file_pages import page_of_quote, part_of_quote
from walker.strategies.answers.list_fit import DOUBTFUL
from walker.strategies.answers.list_signals import ListCandidate
from walker.strategies.answers.lists import SURE_FIT, CountedList, PageLists, as_items, find_list, with_items
from walker.strategies.builtin.answer_confidence import (
    CLOSE,
    best_answer,
    confidence_in,
    count_confidence,
    list_confidence,
    tied_findings,
)
from walker.strategies.builtin.counted_lists import (
    AskedCount,
    ListReader,
    asked_count,
    is_list_text,
    likeliest_list,
    list_finding,
    told_beside,
    without_entries,
)
from walker.strategies.builtin.part_reading import PageAnswers, wanted_type
from walker.strategies.builtin.pictured_findings import POINTED, beside_findings, label_findings, pictured_first
from walker.strategies.joining.chained import known_answer, weighed_again
from walker.strategies.joining.composing import COMPUTED, compose
from walker.strategies.joining.joined_chance import chain_chance, pair_chance
from walker.strategies.joining.paired_values import pair_signals, pairs_of
from walker.strategies.joining.side_by_side import said_of_other, two_answers
from walker.strategies.pictured.pictured_question import is_unnamed, question_of
from walker.strategies.pictured.read_surely import as_surely_as_read
from walker.strategies.question.asked_kinds import is_yes_no
from walker.strategies.question.name_match import match_title, word_weight
from walker.strategies.question.question import Part, Question
from walker.strategies.reader.passage_reader import PassageReader

FINDINGS_A_PART = 3
FINDINGS_OF_UNKNOWN = 12
"""The same of the last part of a chain while it is not known what it is about: later one of them may turn out to name it."""
WHOLE = 2
"""Number of the findings that answer a question as a whole, which is read in two parts besides."""
VALUES_A_PASSAGE = 3
"""Values that are taken of one passage, where one is computed with: both may stand in one sentence."""
FLOOR = 0.1
"""Least score of a finding."""
ENOUGH = 0.7
"""Confidence from which an answer ends the walk: of these 0.8 are right on building sites that were held out."""
RIGHT_PAGE = 0.55
"""Match of a page's title with the name in the question, 0..1, from which it is the named page."""
SITE_NAME = 0.65
"""Match of the home page's title with a name in the question, 0..1, from which the name is the site's."""
SURE_PAGE = 0.6
"""Match of a page with the name in the question, 0..1, from which its lists are counted; below they are a guess."""
SURE_LIST = 0.5
"""Chance of a list from which its entries are counted; below, it is one finding among others."""
UNNAMED = 0.4
"""Most confidence in what a page says of "this", where nothing tells what this is: below `SURE`, so that it is told as the nearest."""
VALUE_WORDS = 6
"""Most words of an answer that is one value: of two things that are asked at once it tells one, and is told as the nearest."""
AGREED = 0.6
"""Chance of a list that is the likeliest and fits by rules too: right in 7 of 11 on the building sites."""


class BuiltinCritic:
    """Implements `seams.Critic`. Pure: its answers depend on the task, the page and the memory only."""

    def __init__(self, ranker: Ranker, reader: PassageReader | None = None) -> None:
        """With a reader, passages in its languages are read; without, they are weighed by their words alone."""
        self._ranker, self._reader = ranker, reader

    async def find(self, task: Task, observation: Observation, memory: WalkMemory) -> Findings:
        """Up to three findings for each part of the question, and the items of the list that it counts."""
        question = question_of(task)
        observation = pictured_part(observation) if picture_of(observation.url) else observation
        page = PageAnswers(observation, self._ranker, self._reader)
        relevance = page.relevance(question.text)
        asked, lists = asked_count(task, question), PageLists(observation)
        passages: list[Finding] = []
        if asked is None or not asked.target:
            for number, whole in enumerate(question.parts):
                part = _without_site_name(whole, memory)
                known, _ = known_answer(question, number, memory.findings)
                passages += _findings(page, observation, (question, number, part, known), memory.step)
            if question.whole is not None:
                part = _without_site_name(question.whole, memory)
                passages += _findings(page, observation, (_as_one(question), WHOLE, part, ""), memory.step)
        findings, listed = passages, None
        if asked is not None:
            listed = self._listed(task, asked, lists, memory, passages)
        if asked is not None and listed is not None:
            beside = passages if asked.target else without_entries(passages, listed.counted)
            findings = [list_finding(listed, asked, observation, memory.step), *beside]
        kept = tuple(sorted((one for one in findings if one.score >= FLOOR), key=lambda one: -one.score))
        result = Findings(relevance=relevance, findings=kept)
        is_meant = bool(kept) and (kept[0] is findings[0] or not may_be_stated(task.question))
        if listed is not None and is_meant and _is_counted(task, listed, lists, memory):
            return with_items(result, as_items(listed.counted, observation.url, memory.step), observation)
        return result

    def _listed(
        self, task: Task, asked: AskedCount, lists: PageLists, memory: WalkMemory, passages: Sequence[Finding]
    ) -> ListCandidate | None:
        """The list that is meant most likely, beside the passages that were found on its page; surer where the rules of fit say the
        same."""
        question, observation = question_of(task), lists.observation
        weighing = ListReader(ranker=self._ranker, reader=self._reader_of(question, observation))
        part = _without_site_name(question.parts[0], memory)
        likeliest = likeliest_list(asked, part, lists, memory, weighing)
        if likeliest is not None and task.requirement.mode == "exhaustive":
            asks_list = not may_be_stated(task.question)
            told = [one.text for one in passages]
            likeliest = told_beside(likeliest, told, observation, asks_list=asks_list)
        if likeliest is None or may_be_stated(task.question) or not _is_by_rules(task, likeliest, lists, memory):
            return likeliest
        return msgspec.structs.replace(likeliest, chance=max(likeliest.chance, AGREED))

    def _reader_of(self, question: Question, observation: Observation) -> PassageReader | None:
        """The reader, where it reads both the question and the page."""
        reader = self._reader
        if reader is None or not reader.reads(question.language):
            return None
        return reader if reader.reads(language_of_page(observation)) else None

    def count_list(self, task: Task, observation: Observation, memory: WalkMemory, least_fit: float) -> Findings:
        """The items of the list that the question counts, if it fits so well; without relevance and findings."""
        counted = _find_counted(task, question_of(task), PageLists(observation), memory)
        return Findings() if counted is None or counted.fit < least_fit else _count(counted, observation, memory, 0.0)

    async def judge(self, task: Task, memory: WalkMemory) -> Verdict:
        """The answer composed of the best finding of each part; sufficient if each is confident enough. Where nothing tells what the
        picture of the question shows, no page is known to be about it."""
        verdict = self._judged(question_of(task), memory, asks_list=not may_be_stated(task.question))
        if not is_unnamed(task) or all(picture_of(one.url) for one in verdict.citations):
            return verdict
        confidence = min(verdict.confidence, UNNAMED)
        reason = "nothing tells what the picture shows"
        return msgspec.structs.replace(verdict, confidence=confidence, sufficient=False, reason=reason)

    def _judged(self, question: Question, memory: WalkMemory, *, asks_list: bool) -> Verdict:
        if memory.counter.items:
            return _judge_count(memory, question, asks_list=asks_list)
        if question.operation in COMPUTED and len(question.parts) == 2:
            return _judge_pair(question, memory)
        findings = weighed_again(question, memory.findings)
        memory = msgspec.structs.replace(memory, findings=findings)
        best = _best_of_parts(question, findings)
        if question.operation == "both":
            best = two_answers(best, findings)
        found = [finding for finding in best if finding is not None]
        read = self._reader is not None and self._reader.reads(question.language)
        sure = [
            _confidence(memory, number, finding, read=read, asks_list=asks_list) for number, finding in enumerate(best)
        ]
        if question.operation == "both" and (borrowed := said_of_other(best, question.parts)) is not None:
            sure[borrowed] = min(sure[borrowed], UNNAMED)
        missing = tuple(
            _phrase(part, known_answer(question, number, findings)[0])
            for number, part in enumerate(question.parts)
            if sure[number] < ENOUGH
        )
        whole = best_answer(findings, WHOLE) if question.whole is not None else None
        if not found and whole is None:
            return Verdict(missing=missing, reason="nothing on the pages so far answers the question")
        texts, quotes = zip(*((one.text, one.quote) if one is not None else ("", "") for one in best), strict=True)
        answer = compose(question, texts, quotes)
        confidence = (chain_chance(sure) if len(sure) > 1 else sure[0]) if answer else 0.0
        if question.is_half and len(tokens(answer)) <= VALUE_WORDS:
            confidence, missing = min(confidence, UNNAMED), missing or (question.parts[0].search_phrase,)
        if whole is not None and (chance := confidence_in(findings, WHOLE, read=read)) >= confidence:
            return _judge_whole(whole, chance, missing, _candidates(tied_findings(findings, WHOLE, CLOSE)))
        return Verdict(
            sufficient=bool(answer) and not missing,
            answer=answer,
            confidence=round(confidence, 3),
            citations=citations_of(found),
            missing=missing,
            reason="every part is answered" if not missing else f"{len(missing)} of {len(best)} parts are not sure",
            tied=_candidates(
                [one for part in best if part is not None for one in tied_findings(findings, part.part, CLOSE)]
            ),
        )


def _as_one(question: Question) -> Question:
    """The question not taken apart."""
    parts = (question.whole,) if question.whole is not None else question.parts[:1]
    return Question(text=question.text, language=question.language, parts=parts)


def _candidates(tied: Sequence[Finding]) -> tuple[Candidate, ...] | msgspec.UnsetType:
    """Other answers that are about as likely as the best; unset where there is none."""
    return tuple(Candidate(answer=one.text, citations=one.citations) for one in tied) or msgspec.UNSET


def _judge_whole(
    best: Finding, chance: float, missing: tuple[str, ...], tied: tuple[Candidate, ...] | msgspec.UnsetType
) -> Verdict:
    """What is said of the question as a whole, where that is surer than what is found part by part."""
    is_enough = chance >= ENOUGH
    return Verdict(
        sufficient=is_enough,
        answer=best.text,
        confidence=round(chance, 3),
        citations=citations_of([best]),
        missing=() if is_enough else missing,
        reason="one passage answers the whole question"
        if is_enough
        else "no passage answers the whole question surely",
        tied=tied,
    )


def _confidence(memory: WalkMemory, number: int, finding: Finding | None, *, read: bool, asks_list: bool) -> float:
    """The chance that the best finding of a part is right: of a list by what lists are worth."""
    mode = memory.counter.requirement.mode
    if number == 0 and finding is not None and mode != "none" and (mode == "quota" or is_list_text(finding.text)):
        return list_confidence(memory.findings, is_quota=mode == "quota", asks_list=asks_list)
    return confidence_in(memory.findings, number, read=read)


def _is_by_rules(task: Task, listed: ListCandidate, lists: PageLists, memory: WalkMemory) -> bool:
    """Whether the rules of fit find the same list, and surely."""
    by_rules = _find_counted(task, question_of(task), lists, memory)
    return by_rules is not None and by_rules.fit >= SURE_FIT and by_rules.names == listed.counted.names


def _is_counted(task: Task, listed: ListCandidate, lists: PageLists, memory: WalkMemory) -> bool:
    """Whether the entries of a list are counted, by which a walk may end: for a whole count only where the rules of fit say the same,
    or where the list goes on; else it stays a finding, which a list of a further page may outdo."""
    mode, pagination = task.requirement.mode, lists.observation.pagination
    if mode == "none" or listed.chance < SURE_LIST:
        return False
    goes_on = bool(pagination.next_url or pagination.next_control or pagination.total)
    return mode == "quota" or goes_on or _is_by_rules(task, listed, lists, memory)


def _findings(
    page: PageAnswers, observation: Observation, asked: tuple[Question, int, Part, str], step: int
) -> list[Finding]:
    """The likeliest answers of a page to one part, each text once."""
    question, number, part, known = asked
    is_last = question.operation == "chain" and number == len(question.parts) - 1
    is_used = question.operation != "none" and not is_last
    wants_yes_or_no = not is_used and is_yes_no(part.text, question.language)
    most = FINDINGS_OF_UNKNOWN if is_last and not known else FINDINGS_A_PART
    beside = [] if is_used or wants_yes_or_no else beside_findings(part.text, observation, number, step)
    at_labels = (
        []
        if is_used or wants_yes_or_no or beside
        else label_findings(part.text, wanted_type(question, part), observation, number, step)
    )
    found = {one.text: one for one in (*beside, *at_labels)}
    most += len(found)
    weighed = page.weighed(question, part, known)
    for answer in pictured_first(weighed, part.text, observation, beside=beside, at_labels=at_labels):
        text = answer.verdict(part.text, question.language) if wants_yes_or_no else answer.text(short=is_used)
        if is_used and question.operation == "chain":
            text = answer.named_above(part.text) or text
        told = [(text, answer.quote, answer.chance)]
        told += answer.further_values(VALUES_A_PASSAGE) if question.operation in COMPUTED else ()
        for said, quote, chance in told:
            if said and (said not in found or found[said].score < finding_score(chance)):
                found[said] = Finding(
                    text=said,
                    quote=quote,
                    url=observation.url,
                    step=step,
                    score=finding_score(chance),
                    part=number,
                    page=page_of_quote(observation, quote),
                    place=part_of_quote(observation, quote),
                    pictured=found[said].pictured if said in found else msgspec.UNSET,
                )
        if len(found) >= most:
            break
    return as_surely_as_read(list(found.values()), observation, part.text, POINTED[how_question_points(part.text)])


def _find_counted(task: Task, question: Question, lists: PageLists, memory: WalkMemory) -> CountedList | None:
    """The list of this page that the question counts, None if it counts nothing or the page has no such list."""
    requirement = task.requirement
    if requirement.mode == "none":
        return None
    part = _without_site_name(question.parts[0], memory)
    site = frozenset(tokens(memory.pages[0].title)) if memory.pages and memory.step > 1 else frozenset[str]()
    if part.page_hints and all(word_weight(word, site) < 1 for hint in part.page_hints for word in tokens(hint)):
        part = msgspec.structs.replace(part, page_hints=())  # "the manual" names no page
    fit = page_fit(part, lists.observation)
    if part.page_hints and fit < RIGHT_PAGE:
        return None
    counted = find_list(lists, part, requirement.noun, requirement.target, site)
    if counted is not None and part.page_hints and fit < SURE_PAGE:
        return msgspec.structs.replace(counted, fit=min(counted.fit, DOUBTFUL))
    return counted


def _count(counted: CountedList, observation: Observation, memory: WalkMemory, relevance: float) -> Findings:
    items = as_items(counted, observation.url, memory.step)
    return with_items(Findings(relevance=relevance), items, observation)


def _without_site_name(part: Part, memory: WalkMemory) -> Part:
    """The part without hints that name the site as a whole: "according to the Debian FAQ" says nothing of the page."""
    if not part.page_hints or not memory.pages or memory.step <= 1:
        return part
    home = memory.pages[0].title
    kept = tuple(hint for hint in part.page_hints if match_title(home, hint, frozenset()) < SITE_NAME)
    return part if len(kept) == len(part.page_hints) else msgspec.structs.replace(part, page_hints=kept)


def _judge_count(memory: WalkMemory, question: Question, *, asks_list: bool) -> Verdict:
    counter = memory.counter
    done = counter.done
    names = [item.told for item in counter.items]
    missing = () if done else tuple(part.search_phrase for part in question.parts)
    return Verdict(
        sufficient=done,
        answer="; ".join(names) if counter.requirement.mode == "quota" else str(counter.found),
        confidence=count_confidence(counter, memory.findings, asks_list=asks_list),
        citations=tuple(Citation(url=item.page_url, quote=item.quote) for item in counter.items[:1]),
        missing=missing,
        reason="the count is complete" if done else f"{counter.found} counted so far",
    )


def _best_of_parts(question: Question, findings: tuple[Finding, ...]) -> list[Finding | None]:
    """The best finding of each part."""
    return [best_answer(findings, number) for number in range(len(question.parts))]


def _judge_pair(question: Question, memory: WalkMemory) -> Verdict:
    """What is computed from the likeliest two values; where nothing can be, both are missing."""
    pairs = pairs_of(question, memory.findings)
    signals = pair_signals(question, pairs, memory.findings)
    if signals is None:
        missing = tuple(part.search_phrase for part in question.parts)
        return Verdict(missing=missing, reason="no two values that can be compared were found so far")
    best, confidence = pairs[0], pair_chance(signals)
    is_enough = confidence >= ENOUGH
    missing = (
        ()
        if is_enough
        else tuple(
            part.search_phrase
            for part, found in zip(question.parts, (best.one, best.other), strict=True)
            if found_chance(found.score) < ENOUGH
        )
        or tuple(part.search_phrase for part in question.parts)
    )
    return Verdict(
        sufficient=is_enough,
        answer=best.answer,
        confidence=round(confidence, 3),
        citations=citations_of([best.one, best.other]),
        missing=missing,
        reason="both values are known" if is_enough else "the two values are not sure",
    )


def _phrase(part: Part, known: str) -> str:
    return f"{known} {part.search_phrase}".strip()
