"""What all events of a run have."""

from __future__ import annotations

import msgspec


class EventBase(msgspec.Struct, frozen=True, kw_only=True, gc=False):
    """Common base. Events hold plain values without cycles and are exempt from garbage collection: a log of 60,000 is read
    without repeated collector passes over them."""

    step: int = 0
    """Number of the page being read, from 1; 0 before the first."""
