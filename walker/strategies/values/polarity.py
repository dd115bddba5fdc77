"""Whether a passage that says something of a question of yes or no says yes: where one of the two denies and the other does not, it
says no."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory.words import lazy_re, tokens

_DENIES: Mapping[str, re.Pattern[str]] = {
    language: lazy_re.compile(pattern, re.IGNORECASE)
    for language, pattern in {
        "en": r"\b(?:not|no|never|none|nobody|nothing|neither|nor|cannot|without|unable|impossible|forbidden|prohibited|exclud\w+"
        r"|except|unless|refus\w+|left out|no longer|instead of|rather than|un(?:supported|available|necessary)|optional"
        r"|avoid(?:ed|s|ing)?|discouraged?|advised? against)\b|n['’]t\b",
        "de": r"\b(?:nicht|nichts|nie|niemals|niemand|keine?[mnrs]?|ohne|weder|nein|unmöglich|verboten|untersagt|ausgeschlossen"
        r"|entfällt|statt|anstatt|vermeiden?|vermieden|abgeraten|abzuraten)\b",
        "fr": r"\b(?:ne|pas|jamais|aucune?|sans|ni|rien|non|impossible|interdite?s?|exclue?s?|facultati\w+"
        r"|évite[rz]?|déconseill\w+)\b|\bn['’]",
        "es": r"\b(?:no|nunca|jamás|nada|nadie|ningún|ninguna|tampoco|sin|ni|imposible|prohibid\w+|excluid\w+|excepto"
        r"|eviten?|evitar(?:se)?|desaconsej\w+)\b",
        "pt": r"\b(?:não|nunca|jamais|nada|ninguém|nenhuma?|sem|nem|impossível|proibid\w+|exceto|evit(?:e|em|ar)|desaconselh\w+)\b",
        "it": r"\b(?:non|mai|niente|nulla|nessun\w*|senza|né|impossibile|vietat\w+|esclus\w+|tranne|evitare|evitate|sconsigli\w+)\b",
        "zh": r"不|没有|没能|未|无法|无需|禁止|非(?!常)|勿|仅限|避免",
        "ja": r"ない|ません|なく|なし|ず(?:に)?(?=[、。\s]|$)|不可|無効|禁止|無料|避け",
    }.items()
}
_PAID = lazy_re.compile(
    r"\b(?:pay|paid|cost|costs|fee|fees|charge|charged|price|money|zahlen|bezahlen|kosten|kostet|eintritt|gebühr(?:en)?|payer|payants?|payante"
    r"|coûte|pagar|pago|cuesta|custa|costa|pagare)\b|收费|付费|花钱|有料|料金",
    re.IGNORECASE,
)
_FREE = lazy_re.compile(
    r"\bfree(?: of charge)?\b|\b(?:freier eintritt|kostenlos|kostenfrei|gebührenfrei|gratuite?s?|gratuitement|gratis|gratuit[oa]s?)\b"
    r"|免费|無料",
    re.IGNORECASE,
)
_WORDS = {
    "en": ("Yes", "No"),
    "de": ("Ja", "Nein"),
    "fr": ("Oui", "Non"),
    "es": ("Sí", "No"),
    "pt": ("Sim", "Não"),
    "it": ("Sì", "No"),
    "zh": ("是", "不是"),
    "ja": ("はい", "いいえ"),
}
_CHINESE_WORDS = (("能", "不能"), ("可以", "不可以"), ("会", "不会"), ("需要", "不需要"), ("有", "没有"))
"""Chinese answers with the verb of the question."""
_YES, _NO = (frozenset(pair[place] for pair in (*_WORDS.values(), *_CHINESE_WORDS)) for place in (0, 1))
_CLAUSE_END = lazy_re.compile(
    r"[,;:—–]\s|[，；：。]|[.!?]\s|\s-\s|\b(?:but|aber|sondern|mais|pero|sino|mas|ma|però)\b|但", re.IGNORECASE
)


def says_yes(question: str, passage: str, language: str) -> bool:
    """Whether the passage affirms what the question asks, by the clause of it that shares most words with the question.

    >>> says_yes("May dogs come along?", "Dogs are not allowed on board.", "en")
    False
    >>> says_yes("Are loaded games left out of the score?", "Loaded games don't count.", "en")
    True
    """
    asked = frozenset(tokens(question))
    clauses = [one for one in _CLAUSE_END.split(passage) if one.strip()] or [passage]
    clause = max(clauses, key=lambda one: len(asked & frozenset(tokens(one))))
    if _PAID.search(question) is not None and _FREE.search(question) is None and _FREE.search(clause) is not None:
        return _denies(question, language) != _denies(clause, language)
    return _denies(question, language) == _denies(clause, language)


def yes_or_no(question: str, passage: str, language: str) -> str:
    """The passage as an answer of yes or no, with the word before it; the passage alone in a language without these words.

    >>> yes_or_no("May dogs come along?", "Dogs are not allowed on board.", "en")
    'No: Dogs are not allowed on board.'
    """
    words = _WORDS.get(language)
    if words is None:
        return passage
    if language == "zh":
        words = next((pair for pair in _CHINESE_WORDS if pair[0] in question), words)
    said = words[0] if says_yes(question, passage, language) else words[1]
    return f"{said}{'：' if language in ('zh', 'ja') else ': '}{passage}"


def verdict_in(answer: str) -> bool | None:
    """Whether an answer begins with yes, as `yes_or_no` writes it; None for one that begins with neither."""
    said = re.split(r"[:：]", answer, maxsplit=1)[0].strip()
    return True if said in _YES else False if said in _NO else None


def _denies(text: str, language: str) -> bool:
    pattern = _DENIES.get(language)
    return pattern is not None and pattern.search(text) is not None
