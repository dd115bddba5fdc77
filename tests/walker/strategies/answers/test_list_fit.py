"""How surely a list is the one that a question counts: one thing that speaks for it or against it at a time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perception.observation import Observation, Record, RecordSet
from walker.strategies.answers.list_fit import DOUBTFUL, fit_of, list_traits, narrowed, words_beside
from walker.strategies.answers.list_question import AskedList, read_asked_list
from walker.strategies.question.question import read_question

NAMES = ("Mantis", "Heron", "Gannet", "Plover")
PAGE = Observation(url="http://reef.example/fleet.html", status=200, title="Guide")


def records(
    *names: str,
    heading: str = "",
    caption: str = "",
    columns: tuple[str, ...] = (),
    region: str = "main",
    nested: bool = False,
    links: bool = False,
) -> RecordSet:
    made = tuple(
        Record(name=name, text=name, url=f"http://reef.example/{name}.html" if links else "") for name in names or NAMES
    )
    return RecordSet(
        id=1,
        kind="list",
        records=made,
        headings=("Guide", heading) if heading else (),
        caption=caption,
        columns=columns,
        region=region,  # type: ignore[arg-type]
        nested=nested,
    )


def asked(question: str, noun: str = "boats", target: int = 0) -> AskedList:
    return read_asked_list(read_question(question).parts[0], noun, target)


BOATS = asked("How many boats are listed?")


def fit(one: RecordSet, question: AskedList = BOATS, page: Observation = PAGE) -> float:
    return fit_of(one, page, question)


def test_a_list_for_which_nothing_speaks_does_not_fit() -> None:
    assert fit(records()) == 0
    assert fit(records(heading="Tides")) == 0


@pytest.mark.parametrize("region", ["nav", "footer", "header"])
def test_the_margins_of_a_page_are_never_counted(region: str) -> None:
    assert fit(records(heading="Boats", region=region)) == 0


def test_one_entry_is_no_list() -> None:
    assert fit(records("Mantis", heading="Boats")) == 0


def test_a_heading_a_lead_in_and_a_first_column_speak_alike() -> None:
    fits = [
        fit(one)
        for one in (
            records(heading="Boats"),
            records(caption="These are the boats:"),
            records(columns=("Boats", "Berth")),
        )
    ]
    assert min(fits) >= DOUBTFUL
    assert max(fits) - min(fits) < 0.05


def test_the_noun_as_it_is_written_speaks_more_than_its_other_form() -> None:
    assert fit(records(heading="Boats")) > fit(records(heading="Boat")) > 0


def test_a_sentence_that_introduces_speaks_more_than_one_that_mentions() -> None:
    mentions = "The harbour master, who has been with us since the flood of 1962, looks after boats in every weather."
    assert fit(records(caption="The boats:")) > fit(records(caption=mentions))


def test_a_lead_in_with_the_right_number_speaks_for_the_list() -> None:
    assert fit(records(caption="The four boats are:")) > fit(records(caption="The nine boats are:"))


def test_a_teaser_a_nested_list_and_a_sidebar_are_doubtful() -> None:
    assert fit(records(heading="Latest boats")) <= DOUBTFUL
    assert fit(records(heading="Boats", nested=True)) <= DOUBTFUL
    assert fit(records(heading="Boats", region="aside")) <= DOUBTFUL
    assert fit(records(heading="Boats")) > DOUBTFUL


def test_too_few_entries_for_a_quota_are_doubtful() -> None:
    assert fit(records(heading="Boats"), asked("Name 9 boats.", target=9)) <= DOUBTFUL
    assert fit(records(heading="Boats"), asked("Name 3 boats.", target=3)) > DOUBTFUL


def test_a_table_of_contents_is_none_unless_parts_are_asked_for() -> None:
    contents = records(heading="Contents", links=True)
    assert fit(contents) == 0
    assert fit(contents, asked("How many sections are in the section 'Contents'?", "sections")) > 0
    assert list_traits(contents, PAGE, BOATS)[3:5] == (True, True)


def test_a_section_that_is_named_is_the_only_place() -> None:
    question = asked("How many boats are listed in the section 'Outer Reef'?")
    assert fit(records(heading="Outer Reef"), question) > 0
    assert fit(records(heading="Outer Reef", caption="The boats:"), question) > DOUBTFUL
    assert fit(records(heading="Inner Harbour", caption="The boats:"), question) == 0


def test_what_a_name_singles_out_and_what_holds_for_the_whole_list() -> None:
    crews = (Record(name="Mantis", text="Mantis Norway"), Record(name="Heron", text="Heron Denmark"))
    question = asked("How many boats come from Norway?")
    assert [one.name for one in narrowed(crews, question, frozenset())] == ["Mantis"]
    assert narrowed(crews, question, frozenset({"norway"})) == crews, "the heading says it of all"
    assert narrowed(crews, asked("How many boats come from Peru?"), frozenset()) == crews
    assert narrowed(crews, BOATS, frozenset()) == crews


def test_words_beside_a_list_are_those_of_its_lead_in_its_headings_the_title_and_the_address() -> None:
    beside = words_beside(records(heading="Boats", caption="An old story. The sails:"), PAGE)
    assert {"boat", "sail", "guid", "fleet"} <= beside
    assert "story" not in beside


@settings(max_examples=60, deadline=None)
@given(
    names=st.lists(st.text("abc XYZ0.", min_size=1, max_size=12), min_size=1, max_size=5),
    heading=st.sampled_from(("", "Boats", "Latest boats", "Contents", "Outer Reef")),
    caption=st.sampled_from(("", "The 3 boats are:", "Boats. And more.")),
    region=st.sampled_from(("main", "nav", "aside")),
    nested=st.booleans(),
    links=st.booleans(),
)
def test_a_fit_is_between_0_and_1(
    *, names: list[str], heading: str, caption: str, region: str, nested: bool, links: bool
) -> None:
    one = records(*names, heading=heading, caption=caption, region=region, nested=nested, links=links)
    for question in (BOATS, asked("Name 3 boats.", target=3), asked("How many items are there?", "items")):
        assert 0 <= fit(one, question) <= 1
