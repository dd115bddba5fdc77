"""The understanding score: how well a page's text carries its meaning, 0..100 in four parts (V-GEMS section 3.3, appendix A)."""

from __future__ import annotations

import msgspec

from perception.observation import Observation, Signals

LENGTH_POINTS, CHARACTER_POINTS, FORMAT_POINTS = 10.0, 10.0, 5.0
RELEVANCE_POINTS = 40.0
PARAGRAPH_POINTS, NAVIGATION_POINTS, DENSITY_POINTS = 5.0, 10.0, 5.0
SPECIAL_POINTS = 15.0

SPARSE_CHARS, BLOATED_CHARS = 200, 60_000
"""Range of visible characters with the full length score; it falls below and above (DESIGN)."""
FEW_CONTROLS, MANY_CONTROLS = 5, 30
"""Range of interactive elements with the full navigation score: V-GEMS appendix A.3."""

PENALTIES = {
    "unnamed media": 10.0,  # times the share of the page it covers, full from UNNAMED_FULL on
    "image gallery": 5.0,
    "challenge": 10.0,
    "error page": 8.0,
    "video": 4.0,
    "empty shell": 12.0,
}
UNNAMED_FULL = 0.5
GALLERY_IMAGES = 8


class Understanding(msgspec.Struct, frozen=True, kw_only=True):
    """The score 0..100 and its parts; `terms` add up to the score, penalties are negative."""

    score: float
    text_quality: float
    relevance: float
    clarity: float
    special: float
    terms: dict[str, float]


def understand(observation: Observation, relevance: float) -> Understanding:
    """Score an observation. `relevance`, 0..1, is its relevance to the question."""
    signals = observation.signals
    quality = {
        "length": LENGTH_POINTS * _length_share(signals.text_chars),
        "characters": CHARACTER_POINTS * signals.meaningful_share,
        "format": FORMAT_POINTS * _format_share(signals),
    }
    clarity = {
        "paragraphs": PARAGRAPH_POINTS if signals.paragraphs >= 3 else 0.0,
        "navigation": NAVIGATION_POINTS * _navigation_share(signals.interactive),
        "density": DENSITY_POINTS * _density_share(signals),
    }
    special = _special_terms(observation)
    terms = {**quality, "relevance": RELEVANCE_POINTS * min(1.0, max(0.0, relevance)), **clarity, **special}
    terms = {name: round(value, 3) for name, value in terms.items()}
    return Understanding(
        score=round(sum(terms.values()), 3),
        text_quality=_total(terms, quality),
        relevance=terms["relevance"],
        clarity=_total(terms, clarity),
        special=_total(terms, special),
        terms=terms,
    )


def _total(terms: dict[str, float], part: dict[str, float]) -> float:
    return round(sum(terms[name] for name in part), 3)


def _length_share(chars: int) -> float:
    """1 between sparse and bloated, falling to 0 towards an empty page and towards twice the bloated length."""
    if chars < SPARSE_CHARS:
        return chars / SPARSE_CHARS
    if chars > BLOATED_CHARS:
        return max(0.0, 2 - chars / BLOATED_CHARS)
    return 1.0


def _format_share(signals: Signals) -> float:
    kinds = (signals.headings, signals.list_items, signals.paragraphs, signals.tables)
    return min(1.0, sum(count > 0 for count in kinds) / 2)


def _navigation_share(interactive: int) -> float:
    if interactive < FEW_CONTROLS:
        return interactive / FEW_CONTROLS
    if interactive > MANY_CONTROLS:
        # 300 links score as low as none; in between the share falls logarithmically: 60 links keep half.
        return max(0.0, MANY_CONTROLS / interactive)
    return 1.0


def _density_share(signals: Signals) -> float:
    return signals.content_chars / signals.text_chars if signals.text_chars else 0.0


def _special_terms(observation: Observation) -> dict[str, float]:
    """15 points less a penalty for each structure that text cannot carry, at least 0."""
    signals = observation.signals
    found = {
        "unnamed media": min(1.0, signals.unnamed_media_area / UNNAMED_FULL),
        "image gallery": float(_is_gallery(observation)),
        "challenge": float(signals.challenge),
        "error page": float(observation.status >= 400),
        "video": float(signals.video),
        "empty shell": float(signals.empty_shell),
    }
    terms = {"special": SPECIAL_POINTS}
    left = SPECIAL_POINTS
    for name, share in found.items():
        taken = round(min(left, PENALTIES[name] * share), 3)
        left = round(left - taken, 3)
        if taken:
            terms[f"- {name}"] = -taken
    return terms


def _is_gallery(observation: Observation) -> bool:
    """Whether a page has many pictures without alternative text, and little text beside them."""
    bare = sum(figure.kind == "img" and not (figure.alt or figure.caption) for figure in observation.figures)
    return bare >= GALLERY_IMAGES and observation.signals.content_chars < 150 * bare
