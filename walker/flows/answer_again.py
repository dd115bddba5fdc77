"""The answer of a script, extracted again from the pages that a play reached. No model is asked."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

import msgspec

from perception.observation import Block, Observation
from walker.flows.script import Answer, Listed, Passage
from walker.flows.shown_page import one_form

CELLS = " | "
WORDS_AROUND = 5
VALUE_CHARS = 160
"""Most characters between the words around a value: a longer stretch is another sentence."""
LABEL_CHARS = 60
"""Most characters of a label: a longer text is a sentence."""
LEAST_SHARED = 0.3
"""Share of the names of a list that one has to hold to be the same list."""

AnswerState = Literal["same", "changed", "gone", "none"]


class Extracted(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The answer as it is now."""

    state: AnswerState
    """`none`: the script has no answer to extract."""
    value: str = ""
    was: str = ""
    quotes: tuple[str, ...] = ()
    """The passages that it stands in now."""
    new: tuple[str, ...] = ()
    """Of what was counted: names that were not there,"""
    gone: tuple[str, ...] = ()
    """and those that are not there any more."""
    notes: tuple[str, ...] = ()


class _Found(msgspec.Struct, frozen=True, kw_only=True):
    state: AnswerState
    value: str = ""
    quote: str = ""


def extract_again(answer: Answer, pages: Mapping[int, Observation]) -> Extracted:
    """The answer on these pages, by the numbers of the steps that led to them."""
    if not answer.passages and not answer.lists:
        return Extracted(state="none", was=answer.value)
    found = [(one, _passage(one, pages.get(one.step))) for one in answer.passages]
    value, notes = answer.value, []
    for passage, now in found:
        if now.state == "gone":
            notes.append(f"no longer on the page of step {passage.step}: {passage.quote}")
        elif now.state == "changed":
            value = _replaced(value, passage, now)
            notes.append(f"{passage.value or passage.quote} is now {now.value or now.quote}")
    new, gone, value_of_lists = _list_changes(answer.lists, pages)
    value = value_of_lists if new or gone else value
    states = {now.state for _, now in found} | ({"changed"} if new or gone else {"same"} if answer.lists else set())
    state: AnswerState = "gone" if states == {"gone"} else "changed" if states & {"gone", "changed"} else "same"
    return Extracted(
        state=state,
        value="" if state == "gone" else value,
        was=answer.value,
        quotes=tuple(now.quote for _, now in found if now.quote),
        new=new,
        gone=gone,
        notes=tuple(notes),
    )


def passage_of(observation: Observation, step: int, quote: str, answer: str) -> Passage | None:
    """How a quote of an answer is found again on its page; None where the page's text does not hold it."""
    block = _block_with(observation, quote)
    if block is None:
        return None
    value = answer if answer and one_form(answer) in one_form(quote) else ""
    passage = Passage(step=step, quote=quote, value=value)
    if not value:
        return passage
    cells = block.text.split(CELLS)
    if block.kind == "row" and len(cells) > 1:
        at = next((place for place, cell in enumerate(cells) if one_form(value) in one_form(cell)), 0)
        column = block.columns[at] if at < len(block.columns) else ""
        return msgspec.structs.replace(passage, label=cells[0] if at else "", column=column)
    if label := _label_of(observation, block, value):
        return msgspec.structs.replace(passage, label=label)
    before, _, after = _plain(block.text).partition(_plain(value))
    return msgspec.structs.replace(
        passage, before=" ".join(before.split()[-WORDS_AROUND:]), after=" ".join(after.split()[:WORDS_AROUND])
    )


def names_on(observation: Observation, wanted: frozenset[str]) -> tuple[str, tuple[str, ...]]:
    """The heading over the list of a page that holds most of these names, and all names of that list; ("", ()) for none."""
    best: tuple[int, str, tuple[str, ...]] = (0, "", ())
    by_heading: dict[str, list[str]] = {}
    for records in observation.record_sets:
        if not records.nested:
            by_heading.setdefault(next(reversed(records.headings), ""), []).extend(one.name for one in records.records)
    for heading, names in by_heading.items():
        shared = sum(one_form(name) in wanted for name in names)
        if shared > best[0]:
            best = (shared, heading, tuple(dict.fromkeys(names)))
    return best[1:]


def _passage(passage: Passage, page: Observation | None) -> _Found:
    if page is None:
        return _Found(state="gone")
    if _block_with(page, passage.quote) is not None:
        return _Found(state="same", value=passage.value, quote=passage.quote)
    return _by_label(passage, page) or _by_words(passage, page) or _Found(state="gone")


def _by_label(passage: Passage, page: Observation) -> _Found | None:
    if not passage.label:
        return None
    label = one_form(passage.label)
    for place, block in enumerate(page.blocks):
        if block.kind == "row":
            cells = block.text.split(CELLS)
            if one_form(cells[0]) == label and len(cells) > 1:
                at = block.columns.index(passage.column) if passage.column in block.columns else 1
                return _Found(state="changed", value=cells[min(at, len(cells) - 1)], quote=block.text)
        elif one_form(block.text) == label:
            kinds = ("definition",) if block.kind == "term" else ("paragraph", "item", "definition")
            behind = next((one for one in page.blocks[place + 1 :] if not one.hidden), None)
            if behind is not None and behind.kind in kinds and len(behind.text) <= VALUE_CHARS:
                return _Found(state="changed", value=behind.text, quote=behind.text)
    return None


def _by_words(passage: Passage, page: Observation) -> _Found | None:
    """Between the words that stood around the value. One side may have none, where the value began or ended its block."""
    words = (passage.before.split(), passage.after.split())
    if not any(words):
        return None
    before, after = re.escape(passage.before), re.escape(passage.after)
    # Fewer words than were kept are all that there are: the block begins, or ends, with them.
    patterns = [f"{'^' * (len(words[0]) < WORDS_AROUND)}{before}", f"{after}{'$' * (len(words[1]) < WORDS_AROUND)}"]
    loose = [before or "^", after or "$"]
    for start, end in (patterns, loose)[: 1 + (len(words[0]) + len(words[1]) > 1)]:
        pattern = re.compile(rf"{start}\s*(.{{1,{VALUE_CHARS}}}?)\s*{end}", re.IGNORECASE)
        for block in page.blocks:
            text = _plain(block.text)
            if not block.hidden and (match := pattern.search(text)):
                return _Found(state="changed", value=match[1].strip(" :,"), quote=text)
    return None


def _list_changes(
    lists: tuple[Listed, ...], pages: Mapping[int, Observation]
) -> tuple[tuple[str, ...], tuple[str, ...], str]:
    """Names that are new and gone over all pages: one that moved from page to page is neither. And the answer that they give."""
    before = {one_form(name): name for one in lists for name in one.names}
    now: dict[str, str] = {}
    for one in lists:
        page = pages.get(one.step)
        if page is not None:
            now |= {one_form(name): name for name in _names_again(one, page, before)}
    gone = tuple(name for form, name in before.items() if form not in now)
    if any(one.some for one in lists):
        return (), gone, "; ".join(name for form, name in before.items() if form in now)
    new = tuple(name for form, name in now.items() if form not in before)
    return new, gone, f"{len(now)} ({'; '.join(now.values())})"


def _names_again(one: Listed, page: Observation, before: Mapping[str, str]) -> tuple[str, ...]:
    heading, names = names_on(page, frozenset(before))
    shared = sum(one_form(name) in before for name in names)
    return names if shared >= LEAST_SHARED * min(len(names), len(one.names)) or heading == one.under else ()


def _block_with(observation: Observation, quote: str) -> Block | None:
    """The block that holds a quote; a quote may be of several blocks in a row, of which this is the last."""
    wanted = _squeezed(quote)
    if not wanted:
        return None
    direct = [block for block in observation.blocks if wanted in _squeezed(block.text) and not block.hidden]
    if direct:
        return direct[0]
    joined, ends = "", []
    for block in observation.blocks:
        if not block.hidden:
            joined += _squeezed(block.text)
            ends.append((len(joined), block))
    at = joined.find(wanted)
    return next((block for end, block in ends if end >= at + len(wanted)), None) if at >= 0 else None


def _label_of(observation: Observation, block: Block, value: str) -> str:
    """The term of a definition, or the short text before one that is the value alone, as in cards and tables of one row."""
    before = [one for one in observation.blocks if one.id < block.id and not one.hidden]
    if block.kind == "definition":
        return next((one.text for one in reversed(before) if one.kind == "term"), "")
    is_alone = _squeezed(block.text) == _squeezed(value)
    return before[-1].text if is_alone and before and len(before[-1].text) <= LABEL_CHARS else ""


def _replaced(value: str, passage: Passage, now: _Found) -> str:
    if passage.value and now.value and passage.value in value:
        return value.replace(passage.value, now.value)
    return now.value or now.quote


def _plain(text: str) -> str:
    return " ".join(text.split())


def _squeezed(text: str) -> str:
    """Letters and digits alone: separators of cells and lines vary."""
    return "".join(letter for letter in text if letter.isalnum()).casefold()
