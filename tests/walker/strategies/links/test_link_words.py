"""What the label of a link says, apart from the question and for it."""

from __future__ import annotations

import pytest

from walker.strategies.links.link_kinds import hub_kind, is_chrome, leads_to_language
from walker.strategies.links.site_vocabulary import groups_asked, groups_of


@pytest.mark.parametrize(
    ("label", "kind", "chrome"),
    [("Contents", "contents", False), ("Site map", "contents", False), ("Log in", "", True), ("Boats", "", False)],
)
def test_overviews_and_furniture_are_known_by_their_labels(label: str, kind: str, *, chrome: bool) -> None:
    assert hub_kind(label) == kind
    assert is_chrome(label) is chrome


def test_the_name_of_a_language_leads_to_it() -> None:
    assert leads_to_language("English", "en")
    assert not leads_to_language("Boats", "en")


def test_words_that_sites_use_for_one_another_are_one_group() -> None:
    assert groups_of("Our team") & groups_of("Staff")
    assert groups_of("Boats") == frozenset()
    assert groups_asked("How deep is it?") == frozenset()
