"""Of which list of a page a link to the next page is the pager."""

from __future__ import annotations

import pytest

from perception.observation import Observation, RecordSet
from tests.fixtures.paper import observed, page
from walker.strategies.answers.list_forms.list_pager import ends_before_pager

PAGER = '<p><a href="/index.html?page=2">Next page</a></p>'
TOOLS = "<ul><li>Saw</li><li>Plane</li><li>Chisel</li></ul>"


def post(title: str, body: str, *, linked: bool = True) -> str:
    head = f'<a href="/{title}.html">Report of the {title}</a>' if linked else f"Report of the {title}"
    return f"<h2>{head}</h2><p>What we did on that day in the boat shed of the club.</p>{body}"


def with_tools(body: str) -> tuple[RecordSet, Observation]:
    seen = observed(page("Reports", body))
    assert seen.pagination.next_url, "the page has a next one"
    return next(one for one in seen.record_sets if any(record.text == "Saw" for record in one.records)), seen


@pytest.mark.parametrize(
    "body",
    [
        post("autumn", TOOLS, linked=False) + post("winter", "", linked=False) + PAGER,
        post("autumn", TOOLS, linked=False) + "<h3>Costs</h3><p>Ten</p>" + post("winter", "", linked=False) + PAGER,
        post("autumn", "") + post("winter", TOOLS) + PAGER,
        f"<div><article>{post('autumn', '')}</article><article>{post('winter', TOOLS)}</article></div>{PAGER}",
    ],
    ids=["another post follows", "a section of its own follows first", "the last of two posts", "within an article"],
)
def test_a_list_within_one_of_several_posts_ends_before_their_pager(body: str) -> None:
    assert ends_before_pager(*with_tools(body))


@pytest.mark.parametrize(
    "body",
    [
        f"<h2>Tools</h2>{TOOLS}{PAGER}",
        f"<h2>About</h2><p>What the club has.</p><h2>Tools</h2>{TOOLS}{PAGER}",
        f"<h2>Tools</h2>{TOOLS}<h2>Pages</h2>{PAGER}",
        f"<h2>Tools</h2>{PAGER}{TOOLS}<h2>Address</h2><p>The shed stands at the quay.</p>",
        f"<h2>Tools</h2>{TOOLS}<h3>Of these</h3><p>All can be borrowed.</p>{PAGER}",
    ],
    ids=["alone", "behind another section", "a heading of the pager", "above the list", "a section within"],
)
def test_a_list_that_a_pager_stands_at_goes_on(body: str) -> None:
    assert not ends_before_pager(*with_tools(body))
