"""Passages of a page as texts for the reader."""

from __future__ import annotations

from tests.fixtures.paper import observed, page
from walker.strategies.answers.passages import split_passages
from walker.strategies.reader.windows import BAR, WINDOW_WORDS, reading_windows, words_in

SENTENCE = "The boats of the harbour are painted every spring by the crew that sails them. "
BODY = (
    f"<h2>Boats</h2><p>{SENTENCE * 9}</p><h2>Prices</h2><p>A berth costs 18 euros. Water is free.</p>"
    "<table><tr><th>Boat</th><th>Berth</th></tr><tr><td>Mantis</td><td>north quay</td></tr>"
    "<tr><td>Heron</td><td>south quay</td></tr></table>"
)


def test_every_passage_stands_at_its_place_in_a_window() -> None:
    passages = split_passages(observed(page("Harbour", BODY)))
    windows, places = reading_windows(passages)
    assert len(places) == len(passages)
    for passage, place in zip(passages, places, strict=True):
        shown = windows[place.window].text[place.start : place.end]
        assert shown.replace(" : ", BAR) == passage.text


def test_neighbours_of_a_section_are_read_together_up_to_so_many_words() -> None:
    passages = split_passages(observed(page("Harbour", BODY)))
    windows, places = reading_windows(passages)
    priced = [place.window for passage, place in zip(passages, places, strict=True) if "18 euros" in passage.text]
    assert windows[priced[0]].text == "A berth costs 18 euros. Water is free."
    assert "Prices" in windows[priced[0]].heading
    assert 1 < sum(SENTENCE[:20] in window.text for window in windows) < 9
    assert max(len(window.text.split()) for window in windows) <= WINDOW_WORDS


def test_chinese_is_measured_by_its_characters_not_by_its_spaces() -> None:
    sentence = "港口的船每年春天由驾驶它们的船员重新粉刷一次。"
    windows, _ = reading_windows(split_passages(observed(page("港口", f"<p>{sentence * 12}</p>"))))
    assert 1 < len(windows) < 12
    assert max(words_in(window.text) for window in windows) <= WINDOW_WORDS
    assert words_in("十二 free berths") == 3


def test_a_cell_is_read_with_the_names_of_its_row_and_column() -> None:
    windows, _ = reading_windows(split_passages(observed(page("Harbour", BODY))))
    assert "Mantis Berth: north quay" in [window.text for window in windows]


def test_each_row_of_a_table_is_read_by_itself_and_as_a_sentence_would_say_it() -> None:
    rows = "<tr><th>Length</th><td>42 m</td></tr><tr><th>Greatest depth of water</th><td>1.8 m</td></tr>"
    passages = split_passages(
        observed(page("Flume", f"<table>{rows}<tr><td>Pumps</td><td>two</td><td>75 kW</td></tr></table>"))
    )
    windows, _ = reading_windows(passages)
    assert {"Length : 42 m", "Greatest depth of water : 1.8 m", "Pumps : two , 75 kW"} <= {
        window.text for window in windows
    }
