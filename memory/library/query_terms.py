"""From a query to the terms that are looked up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memory.library.errors import BadQuery
from memory.words import STOP_WORDS, tokens

TERMS_AT_MOST = 64
"""Distinct terms of one query; a whole document as a query is searched by its first ones."""
POSTINGS_AT_MOST = 100_000
"""Entries of the index that one search reads: about 0.7 microseconds each. Common terms beyond are left out, which in a file of
200,000 passages are those that every third passage has, and that weigh next to nothing."""
LEAST_LETTERS, LEAST_BEGINNING, ENDING = 6, 5, 2
"""Letters of a word that is looked up by its beginning, of the beginning, and those at the end that may differ."""
ANY_END = "*"
"""Ends a term that stands for all that begin so; no token has it."""
_FIRST_OF_CJK = "\u2e80"


def terms_of(query: str) -> tuple[str, ...]:
    """The distinct terms of a query, in order. Raises `BadQuery` where there is none, or only words that every text has."""
    found = tuple(dict.fromkeys(tokens(query)))[:TERMS_AT_MOST]
    if not found:
        raise BadQuery("the query has no word in it", advice='Give the words to look for, such as "backup schedule"')
    if all(term in STOP_WORDS for term in found):
        raise BadQuery("the query has only words that every page has", advice="Add a word for what you are looking for")
    return found


def beginning_of(term: str) -> str:
    """What a term that no passage has is looked up by: its beginning and "*", for its other forms, for what it was derived from and
    for what it is a part of; "" for a short one, and one that is no word of an alphabet."""
    is_word = len(term) >= LEAST_LETTERS and term.isalpha() and term[0] < _FIRST_OF_CJK
    return f"{term[: max(LEAST_BEGINNING, len(term) - ENDING)]}{ANY_END}" if is_word else ""


def chosen_terms(terms: Sequence[str], frequency: Mapping[str, int]) -> tuple[str, ...]:
    """The terms to look up, the rarest first: as many as have `POSTINGS_AT_MOST` postings together, but at least one that occurs."""
    chosen: list[str] = []
    postings = 0
    for term in sorted((term for term in terms if frequency.get(term, 0)), key=lambda term: (frequency[term], term)):
        if chosen and postings + frequency[term] > POSTINGS_AT_MOST:
            break
        chosen.append(term)
        postings += frequency[term]
    return tuple(chosen)


def match_expression(terms: Sequence[str]) -> str:
    """Any of the terms, as FTS5 writes it; each is a quoted string, so that nothing in it is syntax, and a beginning a prefix."""
    return " OR ".join(_quoted(term) for term in terms)


def _quoted(term: str) -> str:
    is_beginning = term.endswith(ANY_END)
    quoted = '"' + term.removesuffix(ANY_END).replace('"', '""') + '"'
    return f"{quoted} *" if is_beginning else quoted
