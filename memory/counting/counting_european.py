"""Parses from a German, French, Spanish, Portuguese or Italian question how many items it asks for, by the same rules as for English:
what a page lists is counted, what it states as a figure is not.

Tables instead of grammars (tongues.py): the words that ask, the words that list, and the words after which the noun has ended.
"""

from __future__ import annotations

import re

from memory.counting.afterthoughts import AFTERTHOUGHTS, last_asked, read_afterthought, sentences_of
from memory.counting.asked_number import NOTHING, Asked
from memory.counting.tongues import ADJECTIVES_FIRST, FLAGS, TONGUES, Tongue, number_of, number_words
from memory.words import lazy_re

_HIDDEN = "▢"
_QUOTED = lazy_re.compile(r"\"[^\"]+\"|“[^”]+”|„[^“”]+[“”]|«[^»]+»|»[^«]+«|‚[^‘]+‘|(?<!\w)'[^']+'(?!\w)")
_WORD = lazy_re.compile(r"\d{0,2}[^\W\d_][\w'’-]*")
_QUESTION_WORD = lazy_re.compile(
    r"\b(?:quel(?:le)?s?|qui|où|combien|comment|qué|quién(?:es)?|cuál(?:es)?|dónde|cómo|cuánt[oa]s|qual|quais|quem|onde|quale|quali|chi|dove"
    r"|welche[rnsm]?|wer|wo|was|wie)\b",
    FLAGS,
)
"""Behind one a verb that could ask tells: "Quelle commande liste les dix joueurs ?"."""
_ADJECTIVE = lazy_re.compile(r"[^\W\d_][\w-]*(?:e|en|er|es|em)")
"""Ending of a German adjective before its noun."""
SHORTEST_NOUN = 3
VERB_BEFORE = 8
"""Characters before "how many" that may hold its verb: "il y a combien"."""


def read_european(question: str, language: str = "") -> Asked:
    """Mode, target and noun of a question, `NOTHING` if it does not count; `language` says which tongue is tried first. The last
    sentence that counts decides."""
    sentences = sentences_of(_QUOTED.sub(_HIDDEN, question))
    readings = [found for code in _ordered(language) if (found := _read_in(sentences, code)) != NOTHING]
    # "Liste todos" is a sentence of two tongues; the one that reads the question before it finds the noun.
    return next((one for one in readings if one.noun), readings[0] if readings else NOTHING)


def european_count_noun(question: str, language: str) -> str:
    """What "how many" of one of these languages asks for, figures left out; "" where nothing that could be listed is asked for."""
    tongue = TONGUES.get(language)
    found = _how_many(_QUOTED.sub(_HIDDEN, question), tongue, language) if tongue is not None else None
    return found[0] if found is not None else ""


def may_be_stated_european(question: str) -> bool:
    """Whether "how many" may ask for a number that the site states: nothing in the question says that the things are listed."""
    text = _QUOTED.sub(_HIDDEN, question)
    return any(
        re.search(tongue.how_many, text, FLAGS) is not None
        and re.search(rf"\b(?:{tongue.listed})", text, FLAGS) is None
        for tongue in TONGUES.values()
    )


def _ordered(language: str) -> list[str]:
    return sorted(TONGUES, key=lambda code: code != language)


def _read_in(sentences: list[str], code: str) -> Asked:
    asked = NOTHING
    for place, sentence in enumerate(sentences):
        asked = _read_sentence(sentences[:place], sentence, code) or asked
    return asked


def _read_sentence(before: list[str], sentence: str, code: str) -> Asked | None:
    """What one sentence counts; `before`: the sentences before it, of which an afterthought speaks."""
    tongue = TONGUES[code]
    late = read_afterthought(before, sentence, AFTERTHOUGHTS[code])
    if late is not None:
        noun = _noun(late.noun, tongue, code) or last_asked(late.of, lambda text: _asked_noun(text, tongue, code))
        return late.asked._replace(noun=noun)
    return (
        _read_named(sentence, tongue, code)
        or _read_which(sentence, tongue, code)
        or _read_how_many(sentence, tongue, code)
    )


def _read_named(text: str, tongue: Tongue, code: str) -> Asked | None:
    """Of "nenne vier Quellen" and "nenne alle Quellen", wherever the asking word stands."""
    for asking in tongue.name.finditer(text):
        rest = text[asking.end() :]
        found = _quota(rest, tongue, code) or _every(rest, tongue, code)
        if found is not None and not _QUESTION_WORD.search(text[: asking.start()]):
            return found
    return None


def _read_which(text: str, tongue: Tongue, code: str) -> Asked | None:
    """Of "welche vier Quellen" and "welche sind alle Quellen"."""
    for asking in re.finditer(tongue.which, text, FLAGS):
        rest = text[asking.end() :]
        found = _quota(rest, tongue, code) or _every(rest, tongue, code)
        if found is not None and not _is_figure(found.noun, tongue):
            return found
    return None


def _quota(rest: str, tongue: Tongue, code: str) -> Asked | None:
    number = re.match(
        rf"(?:\s+{tongue.between})*\s+(?P<number>\d{{1,3}}|{number_words(tongue)})\b(?![.,]\d)(?:\s+{tongue.between})*"
        r"(?:\s+|(?<=['’]))(?P<rest>.+)",
        rest,
        FLAGS,
    )
    if number is None:
        return None
    target, noun = number_of(number["number"], tongue), _noun(number["rest"], tongue, code)
    return Asked("quota", target, noun) if target > 1 and noun else None


def _every(rest: str, tongue: Tongue, code: str) -> Asked | None:
    every = re.match(
        rf"(?:\s+{tongue.between})*\s+{tongue.every}(?:\s+{tongue.between}|\s+(?:\d{{1,3}}|{number_words(tongue)})\b)*\s+(?P<rest>.+)",
        rest,
        FLAGS,
    )
    noun = _noun(every["rest"], tongue, code) if every is not None else ""
    return Asked("exhaustive", 0, noun) if noun else None


def _read_how_many(text: str, tongue: Tongue, code: str) -> Asked | None:
    found = _how_many(text, tongue, code)
    if found is None:
        return None
    noun, rest = found
    if re.search(tongue.stated, text, FLAGS):
        return None
    if re.search(rf"\b(?:{tongue.listed})", rest, FLAGS):
        return Asked("exhaustive", 0, noun)
    if _is_one_of(tongue.people_and_places, noun):
        return None
    is_kind = " " in noun and re.match(rf"{tongue.kinds}(?!\w)", noun, FLAGS) is not None
    return Asked("exhaustive", 0, noun) if is_kind or re.search(rf"\b(?:{tongue.lists})\b", rest, FLAGS) else None


def _how_many(text: str, tongue: Tongue, code: str) -> tuple[str, str] | None:
    """The noun of "how many", if it is no figure, with all that follows the asking words."""
    match = re.search(rf"{tongue.how_many}(?:{tongue.between}\s+)*", text, FLAGS)
    if match is None:
        return None
    # The verb may stand within and before the asking words: "Combien y a-t-il de niveaux", "Il y a combien de niveaux".
    rest = text[match.end() :]
    noun = _noun(rest, tongue, code)
    is_one = not re.search(rf"{tongue.plural}$", noun.partition(" ")[0], FLAGS)
    before = text[max(0, match.start() - VERB_BEFORE) : match.end()]
    return None if not noun or is_one or _is_figure(noun, tongue) else (noun, f"{before} {rest}")


def _asked_noun(text: str, tongue: Tongue, code: str) -> str:
    """What the question before an afterthought asks for: "Plattformen" of "Auf welchen Plattformen"."""
    for asking in (*re.finditer(tongue.which, text, FLAGS), *re.finditer(tongue.how_many, text, FLAGS)):
        rest = re.sub(rf"^(?:\s*{tongue.between}\b)+", "", text[asking.end() :], flags=FLAGS)
        if noun := _noun(rest, tongue, code):
            return noun
    return tongue.people if re.search(tongue.who, text, FLAGS) else ""


def _is_figure(noun: str, tongue: Tongue) -> bool:
    return _is_one_of(tongue.figures, noun)


def _is_one_of(nouns: str, noun: str) -> bool:
    return re.fullmatch(nouns, noun.rsplit(maxsplit=1)[-1], FLAGS) is not None


def _noun(text: str, tongue: Tongue, code: str) -> str:
    """The noun at the beginning of a text: in German with its adjectives, elsewhere its first word; kinds with what they are of."""
    kind = re.match(rf"\s*(?P<kind>{tongue.kinds})(?:(?<=['’])|\b)\s*(?P<rest>.*)$", text, FLAGS)
    if kind is not None and re.search(r"\s", kind["kind"]):
        of = _noun(re.sub(rf"^(?:\s*{tongue.between}\s)+", "", kind["rest"], flags=FLAGS), tongue, code)
        space = "" if kind["kind"][-1] in "'’" else " "
        return f"{kind['kind']}{space}{of}" if of else kind["kind"].split()[0]
    words = _phrase(text, tongue, may_go_on=code in ADJECTIVES_FIRST)
    if code in ADJECTIVES_FIRST:
        return _after_adjectives(words)
    return words[0] if words and len(words[0]) >= SHORTEST_NOUN else ""


def _phrase(text: str, tongue: Tongue, *, may_go_on: bool = False) -> list[str]:
    """The words from the beginning of a text up to a mark, or one that ends a noun phrase; `may_go_on`: adjectives may have a comma
    between them."""
    words: list[str] = []
    for word in re.split(r"\s+", text.strip()):
        bare = word.strip(".,;:?!()¿¡")
        if re.fullmatch(tongue.end, bare, FLAGS) or not _WORD.fullmatch(bare):
            break
        words.append(bare)
        if bare != word and not (word == f"{bare}," and may_go_on and _ADJECTIVE.fullmatch(bare) and bare[0].islower()):
            break
    return words


def _after_adjectives(words: list[str]) -> str:
    """Adjectives and the nouns behind them: German nouns begin with a capital, and what follows the last one is a verb."""
    first = next((place for place, word in enumerate(words) if word[0].isupper() or word[0].isdigit()), None)
    if first is None or not all(_ADJECTIVE.fullmatch(word) for word in words[:first]):
        return ""
    last = first
    while last + 1 < len(words) and words[last + 1][0].isupper():
        last += 1
    return " ".join(words[: last + 1])
