"""What scripts of a page make of it, known without running them."""

from __future__ import annotations

import gc
import tracemalloc

from walker.crawl.rendering.needs_javascript import facts_of

PAGES, DATA = 40, 50_000
"""Pages with so much data in a script each."""


def scripted(data: str) -> frozenset[str]:
    return facts_of(f"<title>Pier</title><script>show({data})</script><p>text", "http://a.example/").programs


def test_scripts_that_differ_in_their_data_only_are_one_program() -> None:
    assert scripted('"Monday"') == scripted('"Tuesday"') != scripted('"Monday", count')
    assert scripted('"\ud800"') == scripted('"Monday"'), "half a character"


def test_scripts_full_of_data_are_not_kept() -> None:
    scripted("0")
    gc.collect()
    tracemalloc.start()
    try:
        for page in range(PAGES):
            scripted(f'"{page}", "{"x" * DATA}"')
        gc.collect()
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < PAGES * DATA / 10
