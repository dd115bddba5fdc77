"""A site of real pages with endless places between them, on loopback: what a crawl must get, and what it must leave."""

from tests.sites.traps.endless import TRAPS
from tests.sites.traps.real import Item, Shape, Truth, truth
from tests.sites.traps.server import TrapSite, serve_traps

__all__ = ["TRAPS", "Item", "Shape", "TrapSite", "Truth", "serve_traps", "truth"]
