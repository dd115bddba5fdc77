"""Decides from a page's structure whether it is worth the critic's time, before anything costly (V-GEMS section 3.2)."""

from __future__ import annotations

import re
from typing import Literal

import msgspec
from rapidfuzz import fuzz

from memory.words import lazy_re
from perception.observation import Observation

RejectionReason = Literal[
    "http error", "soft 404", "login wall", "challenge page", "off topic", "off site", "already visited", "unreadable"
]

SPARSE_CHARS = 1500
"""A login or challenge page has less text than this besides its form; an article that merely has a login box has more."""
PROBE_CHARS = 900
"""Only a page with less text than this is compared with the probe: real "not found" pages are short."""
SAME_PAGE_SIMILARITY = 88.0
"""rapidfuzz token_sort_ratio, 0..100, above which two short pages count as the same; URLs are left out of the comparison."""
REFUSED = frozenset((403, 429, 503))
"""Statuses that come with a check page: forbidden, too many requests, unavailable (RFC 9110, RFC 6585)."""
CHECK_CHARS = 200
"""Of a page's text, within which a check says that it is one."""
_CHECKING = lazy_re.compile(
    r"just a moment|checking your browser|verify(?:ing)? (?:that )?you are (?:a )?human|are you (?:a )?(?:human|robot)"
    r"|attention required|unusual traffic|security check|access denied|请完成安全验证|人机验证",
    re.IGNORECASE,
)
OFF_TOPIC_LINKS = 3
"""A page with more untried links than this may lead on, even if its own text is off topic."""


class Rejection(msgspec.Struct, frozen=True, kw_only=True):
    """Why a page is left without being read."""

    reason: RejectionReason
    detail: str = ""


def reject_by_structure(observation: Observation) -> Rejection | None:
    """A rejection for an HTTP error, a challenge page or a login wall, else None."""
    signals = observation.signals
    sparse = signals.content_chars < SPARSE_CHARS
    if sparse and (signals.challenge or (observation.status in REFUSED and _says_check(observation))):
        return Rejection(reason="challenge page", detail=observation.title)
    if observation.status == 401 or (signals.password_fields and sparse):
        return Rejection(reason="login wall", detail=observation.title)
    if observation.status >= 400:
        return Rejection(reason="http error", detail=f"status {observation.status}")
    return None


def says_check(title: str, text: str) -> bool:
    """Whether a page's title or first words say that it checks who visits."""
    return _CHECKING.search(f"{title} {text[:CHECK_CHARS]}") is not None


def _says_check(observation: Observation) -> bool:
    return says_check(observation.title, " ".join(block.text for block in observation.blocks if not block.hidden))


def needs_probe(observation: Observation) -> bool:
    """Whether the page is so short that it may be a "not found" page with status 200."""
    return observation.status == 200 and observation.signals.content_chars < PROBE_CHARS


def matches_probe(observation: Observation, probe: Observation) -> bool:
    """Whether the page reads like the site's answer to a URL that cannot exist."""
    if probe.status >= 400:
        return False
    return fuzz.token_sort_ratio(_statement(observation), _statement(probe)) >= SAME_PAGE_SIMILARITY and (
        observation.title == probe.title or not observation.title
    )


def off_topic(shared_terms: int, links_left: int) -> Rejection | None:
    """A rejection for a page with no word of the question and hardly any link to follow, else None."""
    if shared_terms == 0 and links_left <= OFF_TOPIC_LINKS:
        return Rejection(reason="off topic", detail="no word of the question, and no way on")
    return None


def _statement(observation: Observation) -> str:
    """The text of a page's main part without URLs (a "not found" page repeats the one that was requested)."""
    words = " ".join(block.text for block in observation.blocks if block.region == "main" and not block.hidden).split()
    return " ".join(word for word in words if "/" not in word)
