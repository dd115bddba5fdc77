"""What an operation on a page changed, and where results of a search stand."""

from __future__ import annotations

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.fixtures.paper import HOME
from walker.walk.page_changes import has_the_same_text, shows_the_same, what_is_new, with_results_in_text

TEXT = "<main><h1>Boats</h1><p>The station has two boats at the quay.</p></main>"


def seen(aside: str) -> Observation:
    html = f"{TEXT}<aside><a href='/a'>About</a>{aside}</aside>"
    return observe(Snapshot(url=HOME, final_url=HOME, status=200, html=html))


HITS = "<ul>" + "".join(f"<li><a href='/hit{n}'>Hit {n}</a></li>" for n in range(3)) + "</ul>"


def test_what_came_and_went_is_told() -> None:
    assert what_is_new(seen(""), seen(HITS)) == "3 new lines, 3 new links"
    assert what_is_new(seen(HITS), seen("<p>No results.</p>")) == "1 new lines, 3 lines gone, 3 links gone"
    assert what_is_new(seen(HITS), seen(HITS)) == ""
    assert shows_the_same(seen(HITS), seen(HITS))


def test_results_of_a_search_are_text_and_what_stood_there_before_is_not() -> None:
    regions = {block.text: block.region for block in with_results_in_text(seen(""), seen(HITS)).blocks}
    assert regions["Hit 1"] == "main"
    assert regions["About"] == "aside"


def test_a_form_that_only_adds_its_words_to_the_address_changed_nothing() -> None:
    def at(url: str, text: str = "Two boats.") -> Observation:
        html = f"<main><h1>Boats</h1><p>{text}</p><p><a href='?sort=a'>Sorted</a></p><input name=q></main>"
        return observe(Snapshot(url=url, final_url=url, status=200, html=html))

    assert has_the_same_text(at(HOME), at(HOME + "?q=keel"))
    assert not has_the_same_text(at(HOME), at(HOME + "?q=keel", "One boat has a keel."))
