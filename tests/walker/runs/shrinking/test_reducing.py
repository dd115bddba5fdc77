from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from walker.runs.shrinking.reducing import shortest, smallest_page


@given(st.lists(st.integers(0, 30), max_size=40, unique=True), st.sets(st.integers(0, 30), max_size=5))
def test_what_is_left_is_needed_and_no_more(items: list[int], needed: set[int]) -> None:
    wanted = needed & set(items)

    async def persists(rest: list[int]) -> bool:
        return wanted <= set(rest)

    assert asyncio.run(shortest(items, persists)) == [item for item in items if item in wanted]


@given(st.lists(st.integers(0, 9), min_size=1, max_size=20))
def test_nothing_of_what_is_left_can_go_alone(items: list[int]) -> None:
    async def persists(rest: list[int]) -> bool:
        return sum(rest) % 3 == sum(items) % 3

    kept = asyncio.run(shortest(items, persists))
    assert asyncio.run(persists(kept))
    for place in range(len(kept)):
        assert not asyncio.run(persists(kept[:place] + kept[place + 1 :]))


PAGE = """<!doctype html><html lang="en"><head><title>T</title><style>p{color:red}</style></head><body class="a">
<nav><ul><li><a href="/a" class="x">A</a></li><li><a href="/b">B</a></li></ul></nav>
<main><p>one</p><div><p>two <b>needed</b> three</p><p>four</p></div></main><script>alert(1)</script></body></html>"""


async def test_a_page_keeps_the_subtrees_that_are_needed_and_their_ancestors() -> None:
    async def persists(html: str) -> bool:
        return "needed" in html and 'href="/b"' in html

    small = await smallest_page(PAGE, persists)
    assert small.replace("\n", "") == (
        '<html><head></head><body><nav><ul><li><a href="/b">B</a></li></ul></nav>'
        "<main><div><p>two <b>needed</b> three</p></div></main></body></html>"
    )


@pytest.mark.parametrize(
    "html", ["", "   ", "<!-- only -->", "<p>unclosed <b>x", '<?xml version="1.0" encoding="utf-8"?><p>x</p>']
)
async def test_what_cannot_be_taken_apart_stays_or_gets_smaller(html: str) -> None:
    async def persists(page: str) -> bool:
        return True

    assert "<b>" not in await smallest_page(html, persists)


async def test_a_page_that_does_not_come_back_the_same_stays_as_it_was() -> None:
    async def persists(page: str) -> bool:
        return page == "<p>as it is"

    assert await smallest_page("<p>as it is", persists) == "<p>as it is"
