"""Asking from programs: with and without an event loop."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.sites.pages_on_loopback import serve
from walker.asking import ask_sync
from walker.errors import EmptyQuestion
from walker.settings import Settings

PAGES = {"/": "<html lang=en><title>Reef</title><h1>Reef</h1><p>The reef is 14 km long.</p>"}
QUESTION = "How long is the reef?"


async def test_ask_sync_works_where_an_event_loop_is_running(tmp_path: Path) -> None:
    """As in a notebook."""
    with serve(PAGES) as home:
        outcome = ask_sync(home, QUESTION, settings=Settings(runs_folder=tmp_path, scout_pages=0))
    assert (outcome.answer, outcome.pages) == ("14 km", 1)
    with pytest.raises(EmptyQuestion):
        ask_sync(home, " ")
