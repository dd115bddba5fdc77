"""Lists that a question may mean, whole and singled out."""

from __future__ import annotations

from tests.fixtures.paper import observed, page, ranker
from walker.strategies.answers.list_signals import LIST_SIGNALS, first_list_weights, list_candidates
from walker.strategies.answers.lists import PageLists
from walker.strategies.question.question import read_question

BODY = (
    "<h2>Members of the committee</h2><ul><li>Ana Ruiz, Spain</li><li>Bo Lind, Sweden</li><li>Cem Kaya, Turkey</li>"
    "<li>Eva Gil, Spain</li></ul><h2>Sponsors</h2><ul><li>Acme</li><li>Nordic Rope</li></ul>"
)


def candidates(question: str, noun: str, target: int = 0) -> list[tuple[str, ...]]:
    part = read_question(question).parts[0]
    found = list_candidates(PageLists(observed(page("Reef", BODY))), part, noun, target, frozenset(), ranker())
    assert all(len(one.signals) == len(LIST_SIGNALS) and 0 <= one.chance <= 1 for one in found)
    assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)
    return [one.counted.names for one in found]


def test_the_weights_are_of_known_signals_and_say_what_they_were_fitted_on() -> None:
    weights = first_list_weights()
    assert "questions" in weights.fitted_on
    assert weights.list.weights.keys() <= set(LIST_SIGNALS)
    assert weights.list.weights["rare"] > 0


def test_the_list_under_the_heading_that_has_the_noun_comes_first() -> None:
    assert candidates("How many members does the committee have?", "members")[0] == (
        "Ana Ruiz, Spain",
        "Bo Lind, Sweden",
        "Cem Kaya, Turkey",
        "Eva Gil, Spain",
    )
    assert candidates("How many sponsors are there?", "sponsors")[0] == ("Acme", "Nordic Rope")


def test_entries_that_hold_a_name_of_the_question_are_a_candidate_of_their_own() -> None:
    found = candidates("Name 2 members of the committee from Spain.", "members", 2)
    assert ("Ana Ruiz, Spain", "Eva Gil, Spain") in found


def test_a_page_without_lists_has_none() -> None:
    part = read_question("How many sponsors are there?").parts[0]
    assert (
        list_candidates(PageLists(observed(page("Reef", "<p>No.</p>"))), part, "sponsors", 0, frozenset(), ranker())
        == []
    )


def test_the_number_of_a_quota_singles_out_no_entry() -> None:
    body = "<h2>Boats</h2><ul><li>Mantis</li><li>Heron 2</li><li>Skua 2</li><li>Petrel</li></ul>"
    part = read_question("Name 2 boats.").parts[0]
    found = list_candidates(PageLists(observed(page("Reef", body))), part, "boats", 2, frozenset(), ranker())
    assert [one.counted.names for one in found] == [("Mantis", "Heron 2", "Skua 2", "Petrel")]


def test_names_in_a_sentence_and_below_a_time_are_lists_too() -> None:
    body = (
        "<p>The sponsors of the station include Acme, Nordic Rope and Blue Sail.</p>"
        "<h2>Talks</h2><div><p>09:00</p><p>Corals</p></div><div><p>09:30</p><p>Tides</p></div><div><p>10:00</p><p>Boats</p></div>"
    )
    part = read_question("Name 3 sponsors of the station.").parts[0]
    found = list_candidates(PageLists(observed(page("Reef", body))), part, "sponsors", 3, frozenset(), ranker())
    assert found[0].counted.names == ("Acme", "Nordic Rope", "Blue Sail")


def test_entries_that_say_the_whole_noun_are_a_candidate_of_their_own() -> None:
    body = (
        "<h2>Programme</h2><ul><li>Oslo site report</li><li>Opening</li><li>Faro site report</li><li>Closing</li></ul>"
    )
    part = read_question("How many site reports are on the programme?").parts[0]
    found = list_candidates(PageLists(observed(page("Reef", body))), part, "site reports", 0, frozenset(), ranker())
    assert ("Oslo site report", "Faro site report") in [one.counted.names for one in found]


def test_a_part_of_a_chinese_list_that_the_question_names_is_not_joined_with_the_others() -> None:
    body = (
        "<h1>网络服务</h1><h2>A 级服务</h2><ul><li>镜像站</li><li>域名</li></ul><h2>已停止的服务</h2><ul><li>旧博客</li>"
        "<li>旧论坛</li><li>网盘</li></ul>"
    )
    part = read_question("已停止的服务有几项？", "zh").parts[0]
    found = list_candidates(PageLists(observed(page("社团", body))), part, "服务", 0, frozenset(), ranker())
    assert found[0].counted.names == ("旧博客", "旧论坛", "网盘")
    assert all(len(one.counted.names) < 5 for one in found)
