"""Scores a link by its text: label, URL, heading and surrounding words."""

from __future__ import annotations

import msgspec

from memory.url_stack import UntriedLink
from memory.words import lazy_re, tokens
from walker.strategies.links.link_kinds import hub_kind, is_chrome, leads_to_language
from walker.strategies.links.site_vocabulary import groups_asked, groups_of
from walker.strategies.question.name_match import (
    CODE,
    address_words,
    match_address,
    match_folder,
    match_jointly,
    match_title,
    word_weight,
    words_of,
)
from walker.strategies.question.open_parts import OpenParts, Wanted

HUB_SCORE = {"contents": 0.5, "index": 0.42, "overview": 0.33}
"""Scores of overviews: more than for a common word shared with the question, less than for a matching name."""
INDEX_FOR_IDENTIFIER = 0.5
"""Score of an index of terms for a question about a function or a constant."""
DECISIVE = 0.7
"""Score from which a link's label is taken to name the page that the question names."""
KIND_SHARE = 0.4
TERM_SHARE = 0.6
TERM_SHARE_NAMED = 0.42
"""Factor of the terms if the question names the page, as they mislead then: half of all pages mention "format"."""
LANGUAGE_SCORE = 0.66
"""Score of the switch to the question's language, which comes first unless a label names the page."""
OTHER_SCRIPT = 0.5
HAN_LANGUAGES = ("zh", "ja")
HAN = lazy_re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
IN_FOLDER = 0.6
"""Score of a page in a folder with the name of the manual."""
SECTION_LINK = 0.8
"""Factor for a link with a fragment: its label names a section rather than the page."""
_REGION_WORTH = {"main": 1.0, "nav": 0.97, "aside": 0.92, "header": 0.95, "footer": 0.85}


class LinkScore(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A score, usually 0..1 but not capped, and its reason in words, for the recording."""

    score: float
    why: str = ""


def score_link(link: UntriedLink, open_parts: OpenParts, site_words: frozenset[str]) -> LinkScore:
    """The score of one link; the same link and open parts always give the same."""
    best = max(
        (_fit(link, wanted, site_words) for wanted in open_parts.now),
        key=lambda one: one.score,
        default=LinkScore(score=0),
    )
    if open_parts.later and best.score < DECISIVE:
        later = max(_page_fit(link, wanted, site_words) for wanted in open_parts.later)
        if later > best.score:
            # A page read before it is known what to look for is wasted: no page is entered twice.
            return LinkScore(score=best.score * 0.4, why="of use later")
    if best.score >= DECISIVE:
        return best
    if open_parts.wants_switch and leads_to_language(link.label, open_parts.language):
        return LinkScore(score=LANGUAGE_SCORE, why="the language of the question")
    if is_chrome(link.label, link.url):
        return LinkScore(score=best.score * 0.25, why=best.why)
    score = best.score * _REGION_WORTH.get(link.region, 1.0) * script_worth(link, open_parts)
    if (worth := _hub_score(link, open_parts)) > 0:
        return LinkScore(
            score=max(score, worth) + 0.15 * min(score, worth), why=best.why if score > worth else "an overview"
        )
    return LinkScore(score=score, why=best.why)


def score_plain_link(link: UntriedLink, open_parts: OpenParts) -> LinkScore:
    """The score of a link that shares no distinctive word with the open parts: only its kind counts."""
    if open_parts.wants_switch and leads_to_language(link.label, open_parts.language):
        return LinkScore(score=LANGUAGE_SCORE, why="the language of the question")
    if is_chrome(link.label, link.url):
        return LinkScore(score=0.0)
    if (worth := _hub_score(link, open_parts)) > 0:
        return LinkScore(score=worth, why="an overview")
    score = max((KIND_SHARE * _kind_fit(link, wanted) for wanted in open_parts.now), default=0.0)
    score *= _REGION_WORTH.get(link.region, 1.0) * script_worth(link, open_parts)
    return LinkScore(score=score, why="this kind of page" if score else "")


def script_worth(link: UntriedLink, open_parts: OpenParts) -> float:
    """Penalty for a label in another script than the question's: the answer is likelier in the question's language."""
    return 1.0 if reads_like(link, open_parts) else OTHER_SCRIPT


def reads_like(link: UntriedLink, open_parts: OpenParts) -> bool:
    """Whether the label is in the script of the question."""
    return (open_parts.language in HAN_LANGUAGES) == (HAN.search(link.label) is not None)


def _hub_score(link: UntriedLink, open_parts: OpenParts) -> float:
    kind = hub_kind(link.label, link.url)
    if kind == "index" and any(CODE.search(term) for wanted in open_parts.now for term in wanted.terms[:3]):
        return INDEX_FOR_IDENTIFIER
    return HUB_SCORE.get(kind, 0.0)


def _fit(link: UntriedLink, wanted: Wanted, site_words: frozenset[str]) -> LinkScore:
    heads = {
        "the page named": _page_fit(link, wanted, site_words),
        "the section named": 0.7 * _named(link.label, wanted.sections, site_words),
        "the manual named": 0.62 * _container_fit(link, wanted, site_words),
        "a key term": (TERM_SHARE_NAMED if wanted.pages else TERM_SHARE) * _term_fit(link, wanted, site_words),
        "its surroundings": 0.4 * _nearby_fit(link, wanted, site_words),
        "this kind of page": KIND_SHARE * _kind_fit(link, wanted),
    }
    ordered = sorted(heads.values(), reverse=True)
    why = max(heads, key=lambda name: heads[name])
    return LinkScore(score=ordered[0] + 0.2 * ordered[1] + 0.1 * ordered[2], why=why if ordered[0] > 0 else "")


def _page_fit(link: UntriedLink, wanted: Wanted, site_words: frozenset[str]) -> float:
    best = 0.0
    for place, name in enumerate(wanted.pages):
        by_label = match_title(link.label, name, site_words) * (SECTION_LINK if "#" in link.url else 1.0)
        by_address = 0.85 * match_address(link.url, name, site_words)
        jointly = 0.75 * match_jointly(link.label, link.url, name, site_words)
        inside = 0.4 * match_folder(link.url, name, site_words)
        both = max(by_label, by_address, jointly, inside) + 0.1 * min(by_label, by_address)
        best = max(best, both * (1.0 if place == 0 else 0.9))
    return best


def _container_fit(link: UntriedLink, wanted: Wanted, site_words: frozenset[str]) -> float:
    best = 0.0
    for name in wanted.containers:
        by_label = match_title(link.label, name, site_words)
        by_address = 0.8 * match_address(link.url, name, site_words)
        inside = IN_FOLDER * match_folder(link.url, name, site_words)
        best = max(best, by_label, by_address, inside, 0.85 * match_jointly(link.label, link.url, name, site_words))
    return best


def _named(label: str, names: tuple[str, ...], site_words: frozenset[str]) -> float:
    return max((match_title(label, name, site_words) for name in names), default=0.0)


def _term_fit(link: UntriedLink, wanted: Wanted, site_words: frozenset[str]) -> float:
    """Key terms held by label or address; the first two in full would be 1, an identifier alone nearly so."""
    words = words_of(link.label) | words_of(address_words(link.url))
    total, seen = 0.0, set()
    for place, term in enumerate(wanted.terms[:12]):
        forms = tokens(term)
        held = [word for word in forms if word in words and word not in seen]
        if held:
            seen.update(held)
            worth = sum(word_weight(word, site_words) for word in held) / max(1.0, len(forms) * 0.75)
            total += worth * (1.0 if place < 3 else 0.7 if place < 6 else 0.5)
    if CODE.search(link.label) and not any(CODE.search(term) for term in wanted.terms[:6]):
        total *= 0.5  # a function whose name contains an ordinary word of the question
    return min(1.1, total / 1.6)


def _nearby_fit(link: UntriedLink, wanted: Wanted, site_words: frozenset[str]) -> float:
    named = _named(link.heading, (*wanted.pages, *wanted.containers, *wanted.sections), site_words)
    words = words_of(link.context) | words_of(link.heading)
    asked = {word for name in (*wanted.pages, *wanted.terms[:6]) for word in tokens(name)}
    total = sum(word_weight(word, site_words) for word in sorted(asked))
    held = sum(word_weight(word, site_words) for word in sorted(asked & words))
    return max(0.7 * named, held / total if total else 0.0)


def _kind_fit(link: UntriedLink, wanted: Wanted) -> float:
    """Whether the label is a usual name for the kind of page that the question's words belong to."""
    if len(link.label) > 40 or CODE.search(link.label):
        return 0.0
    kinds = groups_of(link.label)
    if not kinds:
        return 0.0
    # A word that label and name share is scored elsewhere; this one needs another word of the same kind.
    if any(groups_of(link.label, words_of(name)) & groups_of(name) for name in wanted.pages):
        return 1.0
    return (0.45 if wanted.pages else 0.85) if kinds & groups_asked(wanted.text) else 0.0
