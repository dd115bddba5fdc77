"""Detects the language of a question."""

from __future__ import annotations

import re
from functools import lru_cache

from py3langid.langid import MODEL_FILE, LanguageIdentifier

HAN = re.compile(r"[\u3400-\u9fff]")
KANA = re.compile(r"[\u3040-\u30ff]")
WORDS = {
    "en": "what which how who whose where when why the does many much there their with",
    "de": "wann welche welcher welches welchem welchen wieviel viele und ist für nicht wird wurde wurden werden zum zur beim eine "
    "einer eines einem einen heißt gibt dem auf sind kostet lautet steht liegt",
    "fr": "quel quelle quels quelles combien est sont où quand comment dans pour avec cette aux sur été une faut peut chaque",
    "es": "cuál cuáles qué quién quiénes dónde cuándo cuánto cuánta cuántos cuántas cómo según los el las del está están hay y fue",
    "pt": "quais quantos quantas onde são não foi dos pelo pela ao em do no na às qual uma está",
    "it": "quanti quante quanto dove della delle degli gli dello nel nella sono è che chi qual una il di",
}
"""Function words of questions. Where two or more of one language stand in a question and none of another, it is of that language,
and the statistical model need not be loaded."""
KEPT = 1024
"""Questions whose language is remembered."""
_OF = {language: frozenset(words.split()) for language, words in WORDS.items()}


@lru_cache(KEPT)
def language_of(text: str) -> str:
    """BCP 47 primary tag. Chinese and Japanese are detected by script, since a question is too short for statistics."""
    if KANA.search(text):
        return "ja"
    if len(HAN.findall(text)) * 3 >= len(re.findall(r"\w", text)):
        return "zh"
    return _by_words(text) or _by_statistics(text)


def _by_words(text: str) -> str:
    """The language whose function words stand in the text, "" where that is not plain."""
    words = frozenset(re.findall(r"[^\W\d_]+", text.lower()))
    found = {language: len(words & own) for language, own in _OF.items()}
    best = max(found, key=lambda language: found[language])
    rivals = sum(words_found > 0 for words_found in found.values()) - 1
    # English names stand in questions of every language; the other way round they are rare.
    is_plain = text.isascii() if best == "en" else not rivals
    return best if found[best] >= 2 and is_plain else ""


def _by_statistics(text: str) -> str:
    # Loaded for each text anew (0.6 s of processor time): it would keep 75 MB for the rest of the process.
    identifier = LanguageIdentifier.from_model_file(MODEL_FILE)
    return str(identifier.classify(text)[0])
