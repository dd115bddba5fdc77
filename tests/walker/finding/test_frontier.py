from __future__ import annotations

from memory.words import tokens
from walker.finding.frontier import Frontier
from walker.rules.scope import WalkScope

HOME = "http://reef.example/"


def frontier(*links: tuple[str, str]) -> Frontier:
    made = Frontier(WalkScope(root_url=HOME))
    for url, label in links:
        made.offer(HOME + url, label)
    return made


def taken(made: Frontier, query: str, count: int = 1) -> list[str]:
    return [one.url.removeprefix(HOME) for one, _ in made.take(tokens(query), count)]


def test_words_in_a_label_promise_more_than_in_a_path_and_rare_ones_more_than_frequent_ones() -> None:
    made = frontier(("a", "Boats"), ("boats", "Read"), ("b", "Boats of the crew"), ("c", "Weather"))
    assert taken(made, "crew of the boats", 4) == ["b", "a", "boats", "c"]


def test_a_page_is_given_once_however_it_is_spelled() -> None:
    made = frontier(("a", "Boats"))
    assert taken(made, "boats") == ["a"]
    made.offer(HOME + "a#deck", "Boats")
    made.offer("HTTP://REEF.example:80/a", "Boats")
    assert taken(made, "boats") == []


def test_nothing_outside_the_site_and_no_file_is_known() -> None:
    made = Frontier(WalkScope(root_url=HOME))
    for url in (
        "https://elsewhere.example/",
        "javascript:go()",
        "mailto:a@b.example",
        HOME + "a.zip",
        "http://[",
    ):
        made.offer(url, "Boats")
    assert len(made) == 0


def test_an_index_comes_before_what_promises_nothing() -> None:
    made = frontier(("w", "Weather"), ("all", "Table of contents"), ("login", "Log in"))
    assert taken(made, "zeppelin", 3) == ["all", "w", "login"]


def test_a_calendar_does_not_use_up_the_budget() -> None:
    days = [(f"day/{number}", "Day") for number in range(40)]
    made = frontier(*days)
    for _ in range(12):
        taken(made, "day")
    made.offer(HOME + "crew", "Crew")
    assert taken(made, "weather") == ["crew"]


def test_a_folder_of_many_pages_does_not_take_every_turn() -> None:
    rules = [(f"rules/{name}", f"Rules of the game {name}") for name in "abcdefghijklmnopqrst"]
    made = frontier(*rules, ("options", "Assistance"), ("credits", "Thanks"))
    batches = [taken(made, "bookmarks in a game", 4) for _ in range(3)]
    assert [batch[0] for batch in batches] == ["rules/a", "options", "credits"]
    assert all(url.startswith("rules/") for batch in batches for url in batch[1:])
    deep = frontier(*rules)
    deep.offer(HOME + "far/options", "Assistance", depth=3)
    assert taken(deep, "a game", 4) == ["rules/a", "rules/b", "rules/c", "rules/d"]


def test_pages_left_or_not_read_are_known_by_their_names() -> None:
    made = frontier(("a", "Boats"), ("b", "Old boats"), ("c", "Crew"))
    ((one, _),) = made.take(tokens("old boats"), 1)
    made.leave(one)
    assert [known.title for known in made.named(tokens("boats"), 5)] == ["Boats", "Old boats"]


def test_routes_of_an_application_are_known_by_their_names_and_not_read() -> None:
    made = frontier(
        ("", "Home"), ("#/boats", "Boats"), ("#/boats?id=old", "Old boats"), ("crew.html#deck", "Crew of boats")
    )
    assert made.routes == 2
    assert set(taken(made, "boats", 9)) == {"", "crew.html"}
    assert {known.url for known in made.named(tokens("boats"), 5)} == {f"{HOME}#/boats", f"{HOME}#/boats?id=old"}
    made.done(f"{HOME}#/boats")
    assert made.routes == 1
