"""robots.txt as RFC 9309 reads it, written out so that Protego reads it alike.

Protego ends a list of agents at any line between them, takes several agents in one line for one name, and knows no names with
digits and a version. So each agent gets a line, lines that are no rule are left out, and where a delay stands between agents, which
only those above it are meant by, they are named once more after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

MOST_CHARACTERS = 500 << 10
"""RFC 9309, section 2.5: at least 500 KiB must be parsed."""

_AGENT = re.compile(r"\s*user(?:-|\s)?agent\s*(?::|\s)\s*(.*)", re.IGNORECASE)
_RULE = re.compile(r"\s*(?:allow|dis+al+[oa]w|diasllow)\s*(?::|\s)", re.IGNORECASE)
_PACE = re.compile(r"\s*(?:crawl|request|visit)(?:-|\s)(?:delay|rate|time)\s*(?::|\s)", re.IGNORECASE)
_OF_ALL = re.compile(r"\s*(?:site-?maps?|host)\s*(?::|\s)", re.IGNORECASE)
_BETWEEN = re.compile(r"[,;|()\s]+")
_VERSION = re.compile(r"/.*")


def readable_robots(text: str) -> str:
    r"""The complete lines within the limit, in the form that Protego reads as RFC 9309 says.

    >>> readable_robots("User-agent: one/2.0, two3\nUnknown: x\nUser-agent: four\nDisallow: /a")
    'User-agent: one\nUser-agent: two3\nUser-agent: four\nDisallow: /a'
    """
    text = text.lstrip("\ufeff")
    if len(text) > MOST_CHARACTERS:
        text = text[:MOST_CHARACTERS].rpartition("\n")[0]
    lines: list[str] = []
    agents: list[str] = []
    """Those of the current group."""
    has_rules = has_pace = False
    for written in text.splitlines():
        line = written.partition("#")[0].strip()
        if named := _AGENT.fullmatch(line):
            if has_rules:
                agents = []
            elif has_pace:
                lines += _named(agents)
            new = _agents_in(named[1])
            agents += new
            lines += _named(new)
            has_rules = has_pace = False
        elif _RULE.match(line):
            has_rules = True
            lines.append(line)
        elif _PACE.match(line):
            has_pace = True
            lines.append(line)
        elif _OF_ALL.match(line):
            lines.append(line)
    return "\n".join(lines)


def names_agent(text: str, product: str) -> bool:
    """Whether a group of a text from `readable_robots` is for this product; Protego would take one for "bot" too, where the product
    is "bot360"."""
    return f"user-agent: {product.lower()}\n" in f"{text.lower()}\n"


def _agents_in(value: str) -> list[str]:
    names = (_VERSION.sub("", name) for name in _BETWEEN.split(value))
    return list(dict.fromkeys(name for name in names if name))


def _named(agents: Iterable[str]) -> list[str]:
    return [f"User-agent: {agent}" for agent in agents]
