"""Observations of recordings, of earlier versions too."""

from __future__ import annotations

import json

import msgspec
import pytest

from perception.observation import Block, Observation
from walker.recording.recorded_observations import load_observation

PAGE = Observation(url="http://a/", status=200, blocks=(Block(id=1, kind="code", text='{"may_load_more":true}'),))


def test_an_observation_is_read_as_it_was_written() -> None:
    grows = msgspec.structs.replace(PAGE, may_grow=True)
    assert load_observation(msgspec.json.encode(PAGE)) == PAGE
    assert load_observation(msgspec.json.encode(grows)) == grows


@pytest.mark.parametrize("fields", [{"may_load_more": True}, {"may_load_more": True, "may_grow": True}])
def test_of_the_two_fields_of_earlier_versions_the_wider_counts(fields: dict[str, bool]) -> None:
    older = json.loads(msgspec.json.encode(PAGE)) | fields
    assert load_observation(msgspec.json.encode(older)) == msgspec.structs.replace(PAGE, may_grow=True)
