"""Whether a search found nothing, or nothing came of what was done: then the links of the page are those of any page, and no hits."""

from __future__ import annotations

import re
from collections.abc import Sequence

from memory.state import NOTHING_CHANGED, MoveNote, WalkMemory
from memory.words import lazy_re
from perception.document.visible import visible_text
from perception.observation import Observation
from walker.seams.searches import is_search, queries_of

SAID_CHARS = 200
"""Most characters of a passage that says so; in a longer one the words speak of something else."""
WORDS_CHARS = 120
_NOTHING = lazy_re.compile(
    r"\b(?:no|0|zero) (?:\w+ )?(?:results?|matches|hits|entries|documents|pages?)\b"
    r"|\bnothing (?:was )?found\b|\b(?:did not|didn't|does not) match any\b|\bnot match any\b|\bno \w+ found\b"
    r"|\b(?:keine?|0) (?:ergebnisse|treffer|resultate)\b|\bnichts gefunden\b|\baucun résultat\b|\b0 résultat"
    r"|\b(?:ningún|sin|no hay) resultados?\b|\bno se (?:ha |han )?encontr|\b(?:nenhum|sem) resultados?\b|\bnada encontrado\b"
    r"|\bnessun risultato\b|没有(?:找到|搜索到|相关)|未找到|无(?:结果|匹配)|0 ?(?:个|条)结果|沒有找到|見つかりません|ありませんでした",
    re.IGNORECASE,
)
"""How sites say that a search found nothing."""
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
    is_told = words and _says_so(observation)
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
    return typed[1] if is_same or _says_so(observation) else ""


def _says_so(observation: Observation) -> bool:
    return any(map(_says_nothing, _shown(observation)))


def _shown(observation: Observation) -> list[str]:
    return [block.text for block in observation.blocks if not block.hidden and not block.pictured]


def _says_nothing(text: str) -> bool:
    return len(text) <= SAID_CHARS and _NOTHING.search(text) is not None


def _quoted(words: str) -> str:
    return f"“{visible_text(words)[:WORDS_CHARS]}”"
