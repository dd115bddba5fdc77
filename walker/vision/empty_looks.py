"""What the words of a look say of what is there, and what only of what is not: "decorative photo, no text" is no finding, and "a boat,
the price is not shown" none for who asked for the price."""

from __future__ import annotations

import re

from memory.words import lazy_re

_CLAUSE_END = lazy_re.compile(
    r"[,;:.!?，；：。、]\s*|\s[-–—]\s|\b(?:and|but|with|und|aber|mit|et|mais|avec|y|pero|con)\b|但是?|而且",
    re.IGNORECASE,
)
_DENIES = lazy_re.compile(
    r"\b(?:no|not|none|nothing|nobody|neither|nor|without|cannot|isn['’]t|doesn['’]t|kein\w*|nicht\w*|ohne|aucune?|pas|sans|rien|ni|sin|nada"
    r"|ningun[oa]?|ningún|sem|nenhuma?|não|senza|nessun\w*|non)\b|没有|沒有|無|无|不|未|ない|なし|ません",
    re.IGNORECASE,
)
_OF_NOTHING = lazy_re.compile(
    r"\b(?:decorati\w+|ornament\w*|generic|stock|abstract|plain|blank|empty|background|unrelated|irrelevant|placeholder|divider|spacer"
    r"|dekorativ\w*|leer\w*|hintergrund\w*|schmuck\w*|décorati\w+|vide|arrière-plan|decorativ[oa]s?|vac[ií][oa]|fondo)\b|装饰|裝飾|空白|背景|无关|飾り",
    re.IGNORECASE,
)
"""How pictures are called that show nothing in particular."""
_KINDS = lazy_re.compile(
    r"\b(?:an?|the|of|in|on|this|it|is|only|just|very|small|large|some|simple|single|picture|image|photo(?:graph)?|icon|logo|banner|graphic"
    r"|illustration|drawing|part|page|text|visible|shown|ein[er]?|der|die|das|nur|bild|foto|seite|une?|le|la|les|l|image|un|una|el|imagen)\b"
    r"|一张|一幅|图片|照片|图像|图标|图案|画像|写真|的|性|这|是|页面",
    re.IGNORECASE,
)
"""Words that say no more than that it is a picture."""
_OF_ANSWER = lazy_re.compile(
    r"\b(?:answers?|questions?|asked|here|relevant|related|bearing|antwort\w*|frage|hier|gefragt\w*|réponse|question|ici|respuesta|pregunta|aquí"
    r"|resposta|pergunta|aqui|risposta|domanda|qui)\b|答案|问题|問題|回答|这里|此处|相关|ここ",
    re.IGNORECASE,
)
"""How what was asked for is called, whatever it is."""
_LETTER = lazy_re.compile(r"[^\W\d_]|\d")


def tells_nothing(shows: str) -> bool:
    """Whether each clause denies something, or names no more than the kind of an empty picture.

    >>> tells_nothing("decorative photo, no text"), tells_nothing("no opening hours shown"), tells_nothing("装饰性图片，没有文字")
    (True, True, True)
    >>> tells_nothing("a red boat at the quay, no text"), tells_nothing("a menu of a harbour restaurant")
    (False, False)
    """
    return not any(map(_tells_something, _CLAUSE_END.split(shows)))


def what_is_there(shows: str) -> str:
    """The clauses that say what is to be seen, without those that deny something or name no more than the kind of a picture.

    >>> what_is_there("a red boat at the quay, its price is not shown")
    'a red boat at the quay'
    """
    return ", ".join(clause for clause in _CLAUSE_END.split(shows) if _tells_something(clause))


def what_is_missing(shows: str) -> str:
    """The clauses that deny something.

    >>> what_is_missing("a red boat at the quay, its price is not shown")
    'its price is not shown'
    """
    return ", ".join(clause for clause in _CLAUSE_END.split(shows) if _DENIES.search(clause))


def misses_answer(shows: str) -> bool:
    """Whether it is denied that what was asked for is there, whatever that is.

    >>> misses_answer("a group photo; the answer is not here"), misses_answer("a red boat, no text")
    (True, False)
    """
    return _OF_ANSWER.search(what_is_missing(shows)) is not None


def _tells_something(clause: str) -> bool:
    if _DENIES.search(clause) or _OF_NOTHING.search(clause):
        return False
    return _LETTER.search(_KINDS.sub(" ", clause)) is not None
