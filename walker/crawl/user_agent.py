"""What a crawl calls itself."""

from __future__ import annotations

from importlib.metadata import version

from walker.crawl.spec import Polite

PRODUCT = "Walker"
"""The name that robots.txt files may address."""


def agent_of(polite: Polite) -> str:
    """The User-Agent of a crawl: its name, its version, and whom to turn to. Never that of a browser for people."""
    if polite.user_agent:
        return polite.user_agent
    contact = f"; +{polite.contact}" if polite.contact else ""
    return f"Mozilla/5.0 (compatible; {PRODUCT}/{version('gemwalker')}{contact})"
