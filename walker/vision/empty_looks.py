"""Whether the words of a look say only that there is nothing to see: "decorative photo, no text" is no finding."""

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
_LETTER = lazy_re.compile(r"[^\W\d_]|\d")


def tells_nothing(shows: str) -> bool:
    """Whether each clause denies something, or names no more than the kind of an empty picture.

    >>> tells_nothing("decorative photo, no text"), tells_nothing("no opening hours shown"), tells_nothing("装饰性图片，没有文字")
    (True, True, True)
    >>> tells_nothing("a red boat at the quay, no text"), tells_nothing("a menu of a harbour restaurant")
    (False, False)
    """
    return not any(map(_tells_something, _CLAUSE_END.split(shows)))


def _tells_something(clause: str) -> bool:
    if _DENIES.search(clause) or _OF_NOTHING.search(clause):
        return False
    return _LETTER.search(_KINDS.sub(" ", clause)) is not None
