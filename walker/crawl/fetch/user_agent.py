"""The User-Agent of a crawl."""

from __future__ import annotations

import re
from importlib.metadata import version

from walker.crawl.script.polite import Polite

PRODUCT = "Walker"
"""The product token for robots.txt."""


_TOKEN = re.compile(r"(?:Mozilla/[\d.]+\s*\(\s*compatible\s*;\s*)?([A-Za-z_-]+)", re.IGNORECASE)


def product_of(agent: str) -> str:
    """The product token of a User-Agent for robots.txt (RFC 9309, section 2.2.1); "*" if it has none.

    >>> product_of("Mozilla/5.0 (compatible; Walker/0.1; +https://example.org)"), product_of("my-bot/2"), product_of("")
    ('Walker', 'my-bot', '*')
    """
    token = _TOKEN.match(agent.strip())
    return token[1] if token else "*"


def agent_of(polite: Polite) -> str:
    """The User-Agent of a crawl: name, version, and contact. Never that of a regular browser."""
    if polite.user_agent:
        return polite.user_agent
    contact = f"; +{polite.contact}" if polite.contact else ""
    return f"Mozilla/5.0 (compatible; {PRODUCT}/{version('gemwalker')}{contact})"
