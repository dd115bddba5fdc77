"""Archives: pages of entries chosen by subject or date, and whether a question asks for what would stand there."""

from __future__ import annotations

import re

from memory.words import lazy_re

_ADDRESS = lazy_re.compile(
    r"/(?:tags?|categor(?:y|ies)|topics?|archives?|archiv|kategorien?|themen|schlagwort|étiquettes?|catégories?|etiquetas?|categorias?)(?:/|\.\w+$|$)"
    r"|/(?:19|20)\d\d(?:[/-](?:0?[1-9]|1[0-2]))?(?:/|/?index\.\w+|\.\w+)?(?:[?#]|$)"
    r"|[?&](?:tag|cat|category|topic|year|month|m)=",
    re.IGNORECASE,
)
"""Addresses of entries chosen by subject or date."""
_LABEL = lazy_re.compile(
    r"^\W*(?:(?:news|blog|post|full|complete|older|past)\s+)?(?:archives?|archiv|archivo|arquivo|archivio|归档|歸檔|存档|存檔|アーカイブ|过往新闻)\W*$"
    r"|^\W*(?:[^\W\d]{3,12}\.?\s+(?:de\s+)?)?(?:19|20)\d\d(?:\s*年(?:\s*\d{1,2}\s*月)?)?(?:\s*\(\d+\))?\W*$"
    r"|^\W*(?:older|past|previous|earlier|all)\s+(?:posts|entries|articles|news|events|issues)\b",
    re.IGNORECASE,
)
"""What links to them are called: "Archive", "2019", "March 2019 (4)", "Older posts"."""
_YEAR = lazy_re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_MONTHS = (
    ("january januar janvier enero janeiro gennaio", "01 1月"),
    ("february februar février febrero fevereiro febbraio", "02 2月"),
    ("march märz mars marzo março", "03 3月"),
    ("april avril abril aprile", "04 4月"),
    ("may mai mayo maio maggio", "05 5月"),
    ("june juni juin junio junho giugno", "06 6月"),
    ("july juli juillet julio julho luglio", "07 7月"),
    ("august août agosto", "08 8月"),
    ("september septembre septiembre setembro settembre", "09 9月"),
    ("october oktober octobre octubre outubro ottobre", "10 10月"),
    ("november novembre noviembre novembro", "11 11月"),
    ("december dezember décembre diciembre dezembro dicembre", "12 12月"),
)
"""Their names, and how addresses and labels may write them."""
_FORMS = {
    name: f"{names} {others}".split() for names, others in _MONTHS for name in (*names.split(), others.split()[1])
}
_AMBIGUOUS = frozenset(("may", "mars", "march"))
"""Names that are other words too: they count beside a year only."""
_OLD = lazy_re.compile(
    r"\b(?:first|oldest|earliest|older|former|formerly|past|archived?|ago|erste[nrs]?|älteste\w*|früher\w*|ehemalig\w*"
    r"|premi(?:er|ère)s?|ancien\w*|primer[oa]?s?|antigu[oa]s?|primeir[oa]s?|antig[oa]s?|prim[oaie]|vecchi[oa])\b|最早|最初|首次|首届|第一次|以前|过去|往年|初めて",
    re.IGNORECASE,
)
_WORD = lazy_re.compile(r"\d{1,2}月|[^\W\d_]+")


def asked_times(query: str) -> tuple[str, ...] | None:
    """The years and months that a question names, as archives may write them; () for one that asks for something old without naming
    a time, None for any other.

    >>> asked_times("Who won in 2019?"), asked_times("Which was the first meeting?"), asked_times("How long is it?")
    (('2019',), (), None)
    """
    years = tuple(dict.fromkeys(_YEAR.findall(query)))
    words = {word for word in _WORD.findall(query.casefold()) if word in _FORMS and (years or word not in _AMBIGUOUS)}
    months = tuple(form for name in sorted(words) for form in _FORMS[name])
    if years or months:
        return (*years, *(f"/{form}" if form.isdigit() else form for form in months))
    return () if _OLD.search(query) else None


def is_archive(label: str, url: str) -> bool:
    """Whether a link leads to entries of one subject or time, or to where these are listed."""
    return _ADDRESS.search(url) is not None or _LABEL.search(label) is not None
