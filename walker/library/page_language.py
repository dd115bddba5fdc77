"""The language of a page that names none, by its script or its most frequent words; no model is loaded for it."""

from __future__ import annotations

import re

HAN_SHARE = 1 / 3
"""Of the letters, from which a text is Chinese."""
LEAST_SHARE = 0.08
"""Of the words, that are function words of one language; prose has 0.3 to 0.5 of its own, and less than half as many of any other."""
_FREQUENT = {
    "en": "the and of to is that for it with as are this be or from by on you not have an at which was we can will if",
    "de": "der die das und ist nicht mit ein eine zu den von auf für dem sich des auch es wird im sind oder als wir zur bei",
    "fr": "le la les des est et une du dans pour qui au par sur pas vous ce sont avec nous ou aux cette être il elle ont",
    "es": "el los las que una por con del se para es su al como más esta lo este son pero hay sus también fue ha muy",
    "pt": "o os as que um uma não com do da dos das em para por mais se ao como é ou foi são seu sua pelo pela isso",
    "it": "il che di gli una per del della non con dei è le nel alla più sono anche dal questo come ha si delle lo nella",
}
_OF = {language: frozenset(words.split()) for language, words in _FREQUENT.items()}
_WORD = re.compile(r"[^\W\d_]+")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7af]")
_HAN = re.compile(r"[\u3400-\u9fff]")


def language_of_text(text: str) -> str:
    """BCP 47 primary tag of some hundred characters of a page, "" where it is not plain.

    >>> language_of_text("The library is open on Sundays."), language_of_text("图书馆开放"), language_of_text("make -j 4")
    ('en', 'zh', '')
    """
    letters = len(re.findall(r"[^\W\d_]", text))
    if not letters:
        return ""
    if len(_KANA.findall(text)) > 0.05 * letters:
        return "ja"
    if len(_HANGUL.findall(text)) > HAN_SHARE * letters:
        return "ko"
    if len(_HAN.findall(text)) > HAN_SHARE * letters:
        return "zh"
    words = _WORD.findall(text.casefold())
    counts = sorted(((sum(word in own for word in words), language) for language, own in _OF.items()), reverse=True)
    (most, best), (second, _) = counts[:2]
    return best if most >= max(2.0, LEAST_SHARE * len(words)) and most >= 1.5 * second else ""
