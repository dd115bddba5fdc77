"""Tells the language of a question or a page: by script, by function words, and where these leave it open, by statistics."""

from __future__ import annotations

from functools import lru_cache

from memory.words import lazy_re
from perception.observation import Observation
from walker.rules.language_statistics import likeliest_language

WORDS = {
    "en": "the and of to is that for it with as are this be or from by you not have an which was we can will if what how who "
    "whose where when why does many much there their",
    "de": "der die das und ist nicht mit ein eine zu den von auf für dem sich des auch es wird im sind oder als wir zur bei wann "
    "welche welcher welches welchem welchen wieviel viele wurde wurden werden zum beim einer eines einem einen heißt gibt kostet "
    "lautet steht liegt",
    "fr": "le la les des est et une du dans pour qui au par sur pas vous ce sont avec nous ou aux cette être il elle ont quel "
    "quelle quels quelles combien où quand comment été un faut peut chaque",
    "es": "el los las la que una por con del se para es su al como más esta lo este son pero hay sus también fue ha muy cuál cuáles "
    "qué quién quiénes dónde cuándo cuánto cuánta cuántos cuántas cómo según está están un en y",
    "pt": "o os as que um uma não com do da dos das em para por mais se ao como é ou foi são seu sua pelo pela isso quais quantos "
    "quantas onde no na às qual está e",
    "it": "il che di gli una per del della non con dei è le nel alla più sono anche dal questo come ha si delle lo nella la un e "
    "quanti quante quanto quando dove degli dello chi qual",
}
"""Function words of texts and of questions."""
LEAST_WORDS, LEAST_SHARE, LEAST_LEAD = 2.0, 0.08, 1.5
"""Function words of one language, and their share of all words, from which it is that language: prose has 0.3 to 0.5 of its own. A
word of two languages counts half for each. Least number of times that a second language's words stand in them."""
HAN_SHARE, KANA_SHARE = 1 / 3, 0.05
"""Of the letters, from which a text is Chinese (with Hangul: Korean), and Japanese."""
PAGE_CHARS = 1500
"""Characters of a page that are read."""
STATISTICS_LETTERS = 120
"""Letters of a page from which statistics are asked: of fewer they guess."""
KEPT = 1024
"""Questions whose language is remembered."""
_HAN, _KANA, _HANGUL = (lazy_re.compile(span) for span in ("[\u3400-\u9fff]", "[\u3040-\u30ff]", "[\uac00-\ud7af]"))
_WORD, _LETTER = lazy_re.compile(r"[^\W\d_]+"), lazy_re.compile(r"[^\W\d_]")


def _weights() -> dict[str, dict[str, float]]:
    """By word, what it counts for each language that has it."""
    languages: dict[str, list[str]] = {}
    for language, words in WORDS.items():
        for word in words.split():
            languages.setdefault(word, []).append(language)
    return {word: dict.fromkeys(those, 1 / len(those)) for word, those in languages.items()}


_WEIGHTS = _weights()


@lru_cache(KEPT)
def language_of(text: str) -> str:
    """BCP 47 primary tag of a question."""
    return language_of_text(text) or likeliest_language(text)


def language_of_text(text: str) -> str:
    """BCP 47 primary tag, "" where script and words leave it open.

    >>> language_of_text("The library is open on Sundays."), language_of_text("图书馆开放"), language_of_text("make -j 4")
    ('en', 'zh', '')
    """
    letters = len(_LETTER.findall(text))
    if not letters:
        return ""
    if len(_KANA.findall(text)) > KANA_SHARE * letters:
        return "ja"
    if len(_HANGUL.findall(text)) > HAN_SHARE * letters:
        return "ko"
    return "zh" if len(_HAN.findall(text)) > HAN_SHARE * letters else _by_words(text)


def language_of_page(observation: Observation) -> str:
    """BCP 47 primary tag of what stands on a page, "" where it is not plain. What the page declares is the word of its template, and
    holds only where its text leaves the language open."""
    text = _beginning_of(observation)
    if said := language_of_text(text) or observation.language:
        return said
    return likeliest_language(text) if len(_LETTER.findall(text)) >= STATISTICS_LETTERS else ""


def _beginning_of(observation: Observation) -> str:
    """Text of the main part, then of what stands around it."""
    seen = [block for block in observation.blocks if not block.hidden and block.kind != "code"]
    seen.sort(key=lambda block: block.region != "main")
    pieces: list[str] = []
    length = 0
    for block in seen:
        pieces.append(block.text[:PAGE_CHARS])
        length += len(pieces[-1])
        if length > PAGE_CHARS:
            break
    return " ".join(pieces)[:PAGE_CHARS]


def _by_words(text: str) -> str:
    words = _WORD.findall(text.casefold())
    found = dict.fromkeys(WORDS, 0.0)
    for word in words:
        for language, weight in _WEIGHTS.get(word, {}).items():
            found[language] += weight
    (most, best), (second, _) = sorted(((count, language) for language, count in found.items()), reverse=True)[:2]
    return best if most >= max(LEAST_WORDS, LEAST_SHARE * len(words)) and most >= LEAST_LEAD * second else ""
