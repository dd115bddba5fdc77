"""Whether a search found nothing, or nothing came of what was done: then the links of the page are those of any page, and no hits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.state import NOTHING_CHANGED, MoveNote, WalkMemory
from memory.words import lazy_re
from perception.document.visible import visible_text
from perception.observation import Observation
from walker.rules.action_words import says_nothing_found
from walker.seams.searches import is_search, queries_of

WORDS_CHARS = 120
_TYPED = lazy_re.compile("type “(.*)” into ", re.DOTALL)
_TOLD = {
    "en": "The search for {words} found nothing{others}. Links of this page are no hits: search with other words, or go on by links.",
    "zh": "搜索{words}没有结果{others}。本页的链接不是搜索结果：请换别的词搜索，或继续走链接。",
}
_NO_EFFECT = {
    "en": "Typing {words} changed nothing{others}: the page is as it was, and its links are no hits. Try another way.",
    "zh": "输入{words}没有任何变化：页面与之前相同{others}，其链接不是搜索结果。请换一个控件，或继续走链接。",
}
_SAME_TEXT = {
    "en": "Typing {words} led to another address with the same text{others}: its links are no hits. Try another way.",
    "zh": "输入{words}后地址变了，文字没有变{others}，其链接不是搜索结果。请换一个控件，或继续走链接。",
}
_UNCHANGED = {
    "en": "“{what}” changed nothing: the page is as it was. Do something else.",
    "zh": "“{what}”没有任何变化：页面与之前相同。请换一种操作。",
}
_TRIED = {"en": " (tried before: {words})", "zh": "（之前试过：{words}）"}


def fruitless_note(observation: Observation, memory: WalkMemory, language: str) -> str:
    """That the search which led here found nothing, or what was done changed nothing, with words that were tried, and what else may be
    done; "" otherwise."""
    spoken = language if language in _TOLD else "en"
    moved = [note for note in memory.moves if note.step == memory.step - 1]
    is_same = bool(moved) and moved[-1].outcome == NOTHING_CHANGED
    here = memory.stack.top.key if memory.stack.top is not None else ""
    words = _searched_in_vain(observation, moved, is_same=is_same)
    is_told = words and says_nothing_found(observation)
    if not words:
        return _UNCHANGED[spoken].format(what=visible_text(moved[-1].what)[:WORDS_CHARS]) if is_same else ""
    tried = [_quoted(query) for page in memory.pages for query in queries_of(page.url)]
    tried += [_quoted(typed[1]) for note in memory.moves if (typed := _TYPED.match(note.what))]
    others = ", ".join(dict.fromkeys(one for one in tried if one != _quoted(words)))[:WORDS_CHARS]
    effect = _NO_EFFECT if moved and moved[-1].page == here else _SAME_TEXT
    told = (effect if is_same and not is_told else _TOLD)[spoken]
    return told.format(words=_quoted(words), others=_TRIED[spoken].format(words=others) if others else "")


def _searched_in_vain(observation: Observation, moved: Sequence[MoveNote], *, is_same: bool) -> str:
    """The words of the search that led here and found nothing, or changed nothing; "" if none did. `moved`: what the last step did."""
    if is_search(observation.url):
        return "" if observation.links else "; ".join(queries_of(observation.url))
    typed = next((found for note in reversed(moved) if (found := _TYPED.match(note.what))), None)
    if typed is None:
        return ""
    return typed[1] if is_same or says_nothing_found(observation) else ""


def _quoted(words: str) -> str:
    return f"“{visible_text(words)[:WORDS_CHARS]}”"
