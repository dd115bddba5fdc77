"""Lists that a question may mean, whole and singled out."""

from __future__ import annotations

from tests.fixtures.paper import observed, page, ranker
from walker.strategies.answers.list_signals import LIST_SIGNALS, list_candidates
from walker.strategies.question.question import read_question

BODY = (
    "<h2>Members of the committee</h2><ul><li>Ana Ruiz, Spain</li><li>Bo Lind, Sweden</li><li>Cem Kaya, Turkey</li>"
    "<li>Eva Gil, Spain</li></ul><h2>Sponsors</h2><ul><li>Acme</li><li>Nordic Rope</li></ul>"
)


def candidates(question: str, noun: str, target: int = 0) -> list[tuple[str, ...]]:
    part = read_question(question).parts[0]
    found = list_candidates(observed(page("Reef", BODY)), part, noun, target, frozenset(), ranker())
    assert all(len(one.signals) == len(LIST_SIGNALS) and 0 <= one.chance <= 1 for one in found)
    assert [one.chance for one in found] == sorted((one.chance for one in found), reverse=True)
    return [one.counted.names for one in found]


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
    assert list_candidates(observed(page("Reef", "<p>No.</p>")), part, "sponsors", 0, frozenset(), ranker()) == []


def test_an_entry_that_is_only_the_name_is_the_thing_itself() -> None:
    body = "<h2>Contributors</h2><ul><li>SchedMD</li><li>Ana Ruiz, SchedMD</li><li>Bo Lind, SchedMD</li><li>Cem Kaya</li></ul>"
    part = read_question("How many of the contributors are listed with SchedMD?").parts[0]
    found = list_candidates(observed(page("Team", body)), part, "contributors", 0, frozenset(), ranker())
    assert ("Ana Ruiz, SchedMD", "Bo Lind, SchedMD") in [one.counted.names for one in found]


def test_a_whole_list_and_a_length_that_may_be_stated_are_told() -> None:
    def told(question: str, target: int = 0) -> tuple[float, float, float, float]:
        part = read_question(question).parts[0]
        one = list_candidates(observed(page("Reef", BODY)), part, "members", target, frozenset(), ranker())[0]
        signals = dict(zip(LIST_SIGNALS, one.signals, strict=True))
        return signals["whole"], signals["required"], signals["stated"], signals["enough"]

    assert told("How many members are listed on the page?") == (1, 1, 0, 1)
    assert told("How many members does the committee have?") == (1, 1, 1, 1)
    assert told("Name 2 members of the committee.", 2) == (0, 0, 0, 1)
    assert told("Name 20 members of the committee.", 20) == (0, 0, 0, 0)


def test_entries_with_a_date_in_the_month_that_is_asked_for_are_a_candidate() -> None:
    games = ("31.10.2026 Jena", "08.11.2026 Ulm", "20.11.2026 Trier", "02.12.2026 Bonn")
    body = f"<h2>Spielplan</h2><ul>{''.join(f'<li>{game}</li>' for game in games)}</ul>"
    part = read_question("Wie viele Heimspiele stehen für November 2026 im Spielplan?", "de").parts[0]
    found = list_candidates(observed(page("Profis", body)), part, "Heimspiele", 0, frozenset(), ranker())
    assert ("08.11.2026 Ulm", "20.11.2026 Trier") in [tuple(r.text for r in one.counted.records) for one in found]


def test_entries_of_the_counted_kind_are_a_candidate_in_a_list_of_several_kinds() -> None:
    body = (
        "<h2>Programme</h2><ul><li>Site Report: Kiel</li><li>Keynote</li><li>Site Report: Ulm</li><li>Lunch</li></ul>"
    )
    part = read_question("How many site reports are on the programme?").parts[0]
    found = list_candidates(observed(page("Meeting", body)), part, "site reports", 0, frozenset(), ranker())
    assert ("Site Report: Kiel", "Site Report: Ulm") in [one.counted.names for one in found]
