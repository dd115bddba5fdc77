"""What a comparing question wants besides the thing that it chooses: ", and by how many minutes", " et à quelle heure"."""

from __future__ import annotations

import re

BESIDES = re.compile(
    r"(?:,\s+and\s+(?:(?:by|in|at|on|with|from|since|to)\s+)?(?:which|what|how|when|where)"
    r"|,?\s+(?:et|und|y)\s+(?:(?:de|à|en|dans|depuis|quel|um|in|an|ab|seit|por|con|desde|a)\s+)?"
    r"(?:quel(?:le)?s?|combien|quand|où|wie ?viele?|welche\w*|wann|wo|cu[aá]nt[oa]s?|cuál(?:es)?|qué|cuándo|dónde))\b[^,]*$",
    re.IGNORECASE,
)
_MOMENT = re.compile(
    r"^\W*(?:et|und|y)\s+(?P<asked>à quelle (?:heure|date)|quel jour|quand|en quelle année"
    r"|um wie ?viel uhr|wann|an welchem tag|in welchem jahr"
    r"|a qué hora|en qué (?:fecha|año)|qué día|cuándo|de (?:qué|cuándo))\b[^,]*$",
    re.IGNORECASE,
)
_WAS = {"fr": "a eu lieu", "de": "war", "es": "fue"}


def moment_besides(language: str, tail: str, thing: str) -> str | None:
    """The question for one of two things of which the tail wants to know when it was; None where it asks anything else.

    >>> moment_besides("de", ", und wann?", "der Umzug")
    'Wann war der Umzug?'
    """
    found = _MOMENT.match(tail)
    if found is None or language not in _WAS:
        return None
    asked = found["asked"]
    if asked.lower().startswith("de "):
        asked = "cuándo"
    verb, start = _WAS[language], "¿" if language == "es" else ""
    end = " ?" if language == "fr" else "?"
    return f"{start}{asked[0].upper()}{asked[1:]} {verb} {thing.strip(' ,')}{end}"
