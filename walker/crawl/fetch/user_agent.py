"""What a crawl calls itself."""

from __future__ import annotations

import re
from importlib.metadata import version

from walker.crawl.script.spec import Polite

PRODUCT = "Walker"
"""The name that robots.txt files may address."""


_TOKEN = re.compile(r"(?:Mozilla/[\d.]+\s*\(\s*compatible\s*;\s*)?([A-Za-z_-]+)", re.IGNORECASE)


def product_of(agent: str) -> str:
    """The name in a User-Agent that robots.txt files address (RFC 9309, section 2.2.1); "*" where it has none.

    >>> product_of("Mozilla/5.0 (compatible; Walker/0.1; +https://example.org)"), product_of("my-bot/2"), product_of("")
    ('Walker', 'my-bot', '*')
    """
    token = _TOKEN.match(agent.strip())
    return token[1] if token else "*"


def agent_of(polite: Polite) -> str:
    """The User-Agent of a crawl: its name, its version, and whom to turn to. Never that of a browser for people."""
    if polite.user_agent:
        return polite.user_agent
    contact = f"; +{polite.contact}" if polite.contact else ""
    return f"Mozilla/5.0 (compatible; {PRODUCT}/{version('gemwalker')}{contact})"
