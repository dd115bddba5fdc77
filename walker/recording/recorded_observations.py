"""Observations read back from a recording, those of earlier versions too."""

from __future__ import annotations

import msgspec

from perception.observation import Observation

_observations = msgspec.json.Decoder(Observation)
_TWO_FIELDS = b'"may_load_more":true'
"""Written until there was one field for what scrolling may show: the other, `may_grow`, held for pages longer than their window only.
In a text of the page its quotation marks would be escaped."""


def load_observation(recorded: bytes) -> Observation:
    """The observation that was recorded. Raises `msgspec.DecodeError` for what is none."""
    found = _observations.decode(recorded)
    return msgspec.structs.replace(found, may_grow=True) if _TWO_FIELDS in recorded else found
