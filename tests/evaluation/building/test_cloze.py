from __future__ import annotations

import msgspec
import pytest

from evaluation.building.balancing import PAPER, balance, read_counts
from evaluation.building.candidate import Candidate
from evaluation.building.checks import reasons, why_not, without_duplicates
from evaluation.building.facts.fact import Cell, Dated, Given
from evaluation.building.facts.reading import facts_of
from evaluation.building.make import Site, question_of
from evaluation.building.rules.cloze import write_multi, write_single
from evaluation.dataset.question import Question
from tests.evaluation.building.small_site import BASE, PAGES, key, page, tree_of
from walker.errors import UsageError


def facts(path: str) -> set[tuple[str, ...]]:
    """Row, column and value of cells; label, "" and value; entry, "" and date."""
    tree = tree_of()
    found = tree.page(key(path))
    assert found is not None
    told: set[tuple[str, ...]] = set()
    for fact in facts_of(found):
        match fact:
            case Cell(row=row, column=column, value=value):
                told.add((row, column, value))
            case Given(label=name, value=value) | Dated(entry=name, value=value):
                told.add((name, "", value))
            case _:
                pass
    return told


def test_facts_are_cells_definitions_and_dated_entries() -> None:
    assert facts("/oak") == {("Height of the hall", "", "7.5 m"), ("Founded", "", "1911")}
    assert facts("/oak/prices") == {
        ("Small chair", "Price", "€ 120"),
        ("Small chair", "Days", "9"),
        ("Round table", "Price", "€ 640"),
        ("Round table", "Days", "14"),
    }
    assert facts("/oak/prices/news") == {("The saw was mended", "", "3 May 2026"), ("New lathe", "", "17 June 2026")}


def test_what_says_nothing_is_no_fact() -> None:
    assert facts("/ash") == {("Height of the hall", "", "9 m"), ("Founded", "", "1924"), ("Foreman", "", "Ines Vale")}


def test_a_calendar_holds_no_facts() -> None:
    days = "".join(f"<th>{day}</th>" for day in ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))
    weeks = "".join(f"<tr>{''.join(f'<td>{7 * week + day}</td>' for day in range(7))}</tr>" for week in range(3))
    tree = tree_of(PAGES | {"/oak": page("May", f"<table><tr>{days}</tr>{weeks}</table>")})
    month = tree.page(key("/oak"))
    assert month is not None
    assert facts_of(month) == ()


def test_a_question_is_about_one_fact_and_names_its_page() -> None:
    # a page is asked for a few facts of a form, drawn by lot
    written = {candidate.question: candidate for seed in range(5) for candidate in write_single(tree_of(), seed=seed)}
    asked = written["In the table on the page “Prices of oak”, what does the column “Price” say for “Round table”?"]
    assert (asked.answers, asked.modality, asked.language) == (("€ 640",), "table", "en")
    assert "Which date does the page “News” give for “New lathe”?" in written
    assert all(
        why_not(candidate, tree_of()) == "" for candidate in written.values() if "Days" not in candidate.question
    )


def test_two_pages_are_compared_where_both_give_a_quantity() -> None:
    made = list(write_multi(tree_of()))
    (larger,) = (one for one in made if one.form == "larger")
    assert larger.question.startswith(
        "Which gives the larger figure as “Height of the hall”, the page “Oak works” or the"
    )
    assert larger.answers == ("9 m",)
    both = [one for one in made if one.parts]
    assert both
    assert all(len(one.parts) == len(one.pages) == len(one.quotes) == 2 for one in both)
    assert all(one.answers == (f"{one.parts[0]}; {one.parts[1]}", f"{one.parts[0]} and {one.parts[1]}") for one in both)
    assert [one.question for one in write_multi(tree_of())] == [one.question for one in made]


def candidate(**more: object) -> Candidate:
    said = {
        "question": "Who is the foreman of the ash works?",
        "answers": ("Ines Vale",),
        "pages": (key("/ash"),),
        "quotes": ("Ines Vale",),
        "language": "en",
    }
    return Candidate(**(said | more))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("more", "reason"),
    [
        ({}, ""),
        ({"quotes": ("ines  “VALE”",)}, ""),
        ({"quotes": ("Ines Hill",)}, "its quote is not on"),
        ({"quotes": ()}, "not have one quote per page"),
        ({"pages": (key("/elm"),)}, "not in the tree"),
        ({"pages": (key("/"),)}, "it can be answered from the root page"),
        ({"question": "Is Ines Vale the foreman?"}, "the question contains the answer"),
        ({"answers": ("14",), "quotes": ("Ines Vale",)}, "the root page contains “14”"),
        ({"answers": ("9 metres",)}, "its quote does not contain the answer"),
        ({"answers": ("9 metres",), "writer": "model"}, ""),
        ({"answers": ("10 metres",), "answer": "worked out"}, ""),
        ({"answers": ("",)}, "no question or no answer"),
        ({"pages": (key("/ash"), key("/ash")), "quotes": ("9 m", "1924")}, "not in the tree"),
        (
            {"pages": (key("/ash"), key("/oak")), "quotes": ("hundred years", "hundred years")},
            "alone contains both quotes",
        ),
        ({"pages": (key("/ash"), key("/oak")), "quotes": ("9 m", "7.5 m"), "writer": "model"}, ""),
    ],
)
def test_every_check_says_what_is_wrong(more: dict[str, object], reason: str) -> None:
    told = why_not(candidate(**more), tree_of())
    assert (reason in told) if reason else told == ""


def test_a_page_that_no_click_path_walks_to_is_told() -> None:
    pages = PAGES | {"/oak": PAGES["/oak"].replace('href="/oak/prices"', 'href="/elsewhere"')}
    lost = candidate(pages=(key("/oak/prices"),), quotes=("€ 640",), answers=("€ 640",))
    assert "no click path leads to" in why_not(lost, tree_of(pages))


def test_what_is_asked_twice_is_asked_once() -> None:
    again = candidate(question="Who is the foreman of the Ash works")
    other = candidate(question="Who runs the kiln?")
    kept, doubles = without_duplicates([candidate(), again, other])
    assert [one.question for one in kept] == [candidate().question, other.question]
    assert reasons(doubles) == {"it is a duplicate": 1}


def test_a_question_is_written_relative_to_its_site() -> None:
    site = Site(root=BASE, domain="craft", name="wood", base=BASE)
    question = question_of(candidate(), tree_of(), site)
    assert (question.root, question.sources, question.site, question.domain) == ("", ("ash",), "wood", "craft")
    assert [click.url for click in question.click_paths[0]] == ["ash"]
    assert (question.kind, question.difficulty, question.depths, question.created) == (
        "single",
        "easy",
        (2,),
        "2026-05-01",
    )
    whole = question_of(candidate(), tree_of(), Site(root=BASE))
    assert (whole.root, whole.sources) == (BASE, (f"{BASE}ash",))


def made(number: int, **more: object) -> Question:
    said = {
        "id": f"q{number}",
        "question": "?",
        "answers": ("x",),
        "root": BASE,
        "difficulty": "easy",
        "language": "en",
    }
    return Question(**(said | {"sources": (f"page{number}",)} | more))  # type: ignore[arg-type]


def test_balancing_takes_what_there_is_least_of() -> None:
    many = [made(n) for n in range(8)] + [made(8, language="zh"), made(9, domain="game")]
    chosen = balance(many, {("single", "easy"): 4, ("single", "hard"): 2})
    assert len(chosen.questions) == 4
    assert {(question.language, question.domain) for question in chosen.questions} == {
        ("en", ""),
        ("zh", ""),
        ("en", "game"),
    }
    assert chosen.short == {"single hard": 2}


def test_balancing_spreads_over_pages() -> None:
    crowded = [made(n, sources=("one",)) for n in range(5)] + [made(9, sources=("two",))]
    chosen = balance(crowded, {("single", "easy"): 2})
    assert {question.sources for question in chosen.questions} == {("one",), ("two",)}


def test_balancing_mixes_forms_before_pages() -> None:
    many = [made(n) for n in range(4)] + [made(9, sources=("page0",))]
    forms = {f"q{n}": "cell" for n in range(4)} | {"q9": "amount"}
    chosen = balance(many, {("single", "easy"): 2}, forms)
    assert {forms[question.id] for question in chosen.questions} == {"cell", "amount"}


def test_two_things_at_once_are_asked_where_nothing_else_can_be() -> None:
    several = [made(n, kind="multi", items=("x", "y")) for n in range(4)]
    linked = [made(n, kind="multi", sources=("page0",)) for n in range(4, 7)]
    chosen = balance([*several, *linked], {("multi", "easy"): 4})
    assert [bool(question.items) for question in chosen.questions] == [False, False, False, True]


def test_the_papers_counts_are_680() -> None:
    assert sum(PAPER.values()) == 680
    assert read_counts("paper") == PAPER
    assert read_counts("single:easy=3, multi:hard=1") == {("single", "easy"): 3, ("multi", "hard"): 1}
    with pytest.raises(UsageError, match="is not a count"):
        read_counts("single=3")


def test_candidates_are_values() -> None:
    assert msgspec.json.decode(msgspec.json.encode(candidate()), type=Candidate) == candidate()
