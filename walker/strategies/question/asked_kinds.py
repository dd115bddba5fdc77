"""Reads from a question's words whether it asks for yes or no, and which kind of answer it asks for in languages other than English
and Chinese."""

from __future__ import annotations

import re
from collections.abc import Mapping

from memory.words import lazy_re
from walker.seams.task_analysis import AnswerKind

_SOURCE = (
    r"^[¿¡\s]*(?:(?:according to|in|on|at|laut|gemäß|auf|selon|d'après|según|en|secondo|segundo)\s[^,?]{2,60},\s*)?"
)
_YES_NO: Mapping[str, re.Pattern[str]] = {
    "en": lazy_re.compile(
        rf"{_SOURCE}(?:is|are|was|were|does|do|did|has|have|had|can|could|will|would|should|may|must|am)\s(?!.*\bor\b(?! not\b))"
        rf"|^(?!.*\b(?:what|which|who|whom|whose|when|where|why|how)\b).*\bwhether\b(?!.*\bor\b(?! not\b))",
        re.IGNORECASE,
    ),
    "zh": lazy_re.compile(r"吗\s*[？?]?\s*$|是否|有没有|是不是|能否|可否|能不能|可不可以"),
    "de": lazy_re.compile(
        rf"{_SOURCE}(?:ist|sind|war|waren|hat|haben|hatten?|kann|können|darf|dürfen|muss|müssen|gibt es|gab es|wird|werden|wurden?"
        rf"|bietet|braucht|brauche|soll|sollen|gilt|gehört)\s(?!.*\boder\b(?! nicht\b))",
        re.IGNORECASE,
    ),
    "fr": lazy_re.compile(
        rf"{_SOURCE}(?:est-ce qu|y a-t-il|(?:[\w'’-]+\s){{0,6}}?(?:est|sont|a|ont|peut|peuvent|faut|doit|fait|était)"
        r"-(?:t-)?(?:ils?|elles?|on|ce)\b)(?!.*\bou\b(?! non\b))",
        re.IGNORECASE,
    ),
    "es": lazy_re.compile(
        rf"{_SOURCE}¿?\s*(?:es|son|está|están|hay|había|tienen?|se puede|se pueden|puede|pueden|existen?|fue|fueron|ofrecen?|hace"
        r"|aceptan?)\s(?!.*\bo\b(?! no\b))",
        re.IGNORECASE,
    ),
    "ja": lazy_re.compile(r"(?:ます|です|ません|でしょう|ました|でした)か[？?。]?\s*$"),
}
_ASKING = lazy_re.compile(
    r"^(?:[\w'’-]+\s){0,3}?(?:qui|que|quoi|quels?|quelles?|où|quand|combien|comment|pourquoi)\b"
    r"|何|誰|どなた|どこ|いつ|いくつ|いくら|どの|どれ|どちら|どう|どんな|なぜ",
    re.IGNORECASE,
)
"""Question words where yes and no are no answers although the verb is turned."""

_KINDS: Mapping[str, tuple[tuple[AnswerKind, str], ...]] = {
    "de": (
        ("time", r"\b(?:um wie ?viel uhr|wie spät|ab wann öffne|(?:welche[rnms]? )?uhrzeit)"),
        ("number", r"\bwie ?viele?[mnrs]?\b|\bwie (?:hoch|groß|lang|lange|weit|alt|teuer|schwer|breit|tief|viel)\b"),
        ("date", r"\bwann\b|\b(?:welche[ms]|welchen) (?:jahr|tag|datum|monat)"),
        ("person", r"\b(?:wer|wem|wen|wessen)\b"),
        ("value", r"\b(?:telefonnummer|e-?mail(?:-?adresse)?|version|webadresse|aktenzeichen)\b"),
        ("place", r"\bwo(?:her|hin)?\b"),
        ("name", r"\bwelche[rsnm]?\b|\bwie (?:heißt|heißen|lautet)\b"),
    ),
    "fr": (
        ("time", r"\b(?:à )?quelle heure\b"),
        ("number", r"\bcombien\b|\bquelle? (?:est )?(?:l[ea'’]\s?)?(?:prix|nombre|hauteur|longueur|taille|surface|durée|âge|tarif)"),
        ("date", r"\bquand\b|\b(?:quelle année|quelle date|quel jour|quel mois)\b"),
        (
            "person",
            r"(?:^|[,;:]\s*)qui\b|\b(?:[àa]|de|par|pour|chez|avec|selon|contre|sur|est|sont) qui\b|\bd['’]après qui\b|\bqui\s*\?",
        ),
        ("value", r"\b(?:numéro de téléphone|courriel|adresse e-?mail|version)\b"),
        ("place", r"\boù\b"),
        ("name", r"\bquel(?:le)?s?\b|\bcomment s['’]appelle"),
    ),
    "es": (
        ("time", r"\b(?:a )?qué hora\b"),
        ("number", r"\bcuánt[oa]s?\b|\bqué (?:precio|altura|longitud|tamaño|superficie|duración)"),
        ("date", r"\bcuándo\b|\bqué (?:año|fecha|día|mes)\b"),
        ("person", r"\bqui[ée]n(?:es)?\b"),
        ("value", r"\b(?:número de teléfono|correo electrónico|versión)\b"),
        ("place", r"\bd[óo]nde\b"),
        ("name", r"\b(?:cuál(?:es)?|qué)\b|\bcómo se llama"),
    ),
    "ja": (
        ("time", r"何時(?!間)"),
        ("date", r"いつ|何年(?!間)|何月|何日(?!間)|何曜日"),
        ("number", r"いくつ|いくら|何(?:人|個|本|冊|台|件|回|歳|円|枚|匹|軒|点|名|つ|キロ|メートル|時間)|ど[のれ]くらい"),
        ("person", r"誰|どなた"),
        ("value", r"電話番号|メールアドレス|バージョン"),
        ("place", r"どこ|何処"),
        ("name", r"どの|どれ|どちら|何という|何です|名前"),
    ),
}  # fmt: skip
_OPEN: Mapping[str, re.Pattern[str]] = {
    "de": lazy_re.compile(r"\b(?:was|warum|wieso|weshalb|wozu)\b", re.IGNORECASE),
    "fr": lazy_re.compile(
        r"^(?:que\b|qu['’]|(?:à |de |en |sur |avec )?quoi\b|comment\b(?! s['’]appel)|pourquoi\b)", re.IGNORECASE
    ),
    "es": lazy_re.compile(r"\bcómo\b(?! se llama)", re.IGNORECASE),
}
"""Question words that ask for no kind of answer."""
_PRICE: Mapping[str, re.Pattern[str]] = {
    "de": lazy_re.compile(
        r"\b(?:wie ?viel|was)\b.*\b(?:kosten|kostet\w*|zahlt|zahlen|bezahl\w+)\b|\bwie teuer\b"
        r"|\bwie hoch\b.*(?:preis|gebühr|kosten)\b",
        re.IGNORECASE,
    ),
    "fr": lazy_re.compile(
        r"\bcombien\b(?! d[e'’u]).*\b(?:coût\w+|pay\w+|pai\w+)\b|\bquel (?:est |était )?(?:le )?(?:prix|coût)\b",
        re.IGNORECASE,
    ),
    "es": lazy_re.compile(
        r"\bcuánto\b(?! tiempo).*\b(?:cuesta\w*|costó|costaba\w*|costará\w*|pag\w+)\b"
        r"|\b(?:cuál es|a) (?:el )?(?:qué )?precio\b|\bqué precio\b",
        re.IGNORECASE,
    ),
    "ja": lazy_re.compile(r"何円|(?:料|料金|値段|費用|会費|価格)[^、]*いくら"),
}
"""Questions for a price in languages whose question words tell no more than that a number is asked for."""
_COSTS = lazy_re.compile(
    r"^[¿\s]*(?:was (?:kostet|kosten|kostete)|(?:que|qu['’]est-ce que) coût\w+|qué (?:cuesta|cuestan|vale))\b",
    re.IGNORECASE,
)
"""The same without a word for a number."""
_COMPILED = {
    language: tuple((kind, lazy_re.compile(pattern, re.IGNORECASE)) for kind, pattern in kinds)
    for language, kinds in _KINDS.items()
}


def is_yes_no(question: str, language: str) -> bool:
    """Whether a question in English, Chinese, German, French, Spanish or Japanese wants yes or no; a choice between two does not."""
    pattern = _YES_NO.get(language)
    if pattern is None or pattern.search(question) is None:
        return False
    return language not in ("fr", "ja") or _ASKING.search(question) is None


def kind_by_words(question: str, language: str) -> AnswerKind | None:
    """The kind of answer by the question words of German, French, Spanish or Japanese; None where none of them stands. The first of
    them asks ("Qui paie quand ..." for a person), in Japanese the one that comes first among the kinds; what asks for no kind comes
    before them all ("Que faut-il faire quand ...")."""
    found = [
        (match.start(), kind) for kind, pattern in _COMPILED.get(language, ()) if (match := pattern.search(question))
    ]
    if not found or language == "ja":
        return found[0][1] if found else None
    start, first = min(found, key=lambda one: one[0])
    open_word = _OPEN[language].search(question)
    if open_word is not None and open_word.start() < start:
        return None
    return "value" if first == "name" and any(kind == "value" for _, kind in found) else first


def asks_for_price(question: str, language: str, kind: AnswerKind | None) -> bool:
    """Whether a question of this `kind_by_words` asks for a price; English and Chinese questions tell by words for units."""
    if kind is None:
        return _COSTS.search(question) is not None
    return kind == "number" and _PRICE[language].search(question) is not None
