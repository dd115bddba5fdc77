"""Which list of a page a question means, and when it means none of them."""

from __future__ import annotations

import pytest

from memory.counting.requirement import read_requirement
from memory.state import PageNote, WalkMemory
from perception.observation import Observation
from tests.fixtures.paper import HOME, observed, page, ranker, task_for
from walker.strategies.answers.list_question import read_asked_list
from walker.strategies.answers.lists import SURE_FIT, CountedList, PageLists, find_list
from walker.strategies.builtin.builtin_critic import ENOUGH, BuiltinCritic
from walker.strategies.question.question import read_question

CONTENTS = "<ul>{}</ul>".format(
    "".join(f'<li><a href="/{n}.html">Chapter {n} of the guide</a></li>' for n in "abcdefg")
)
SPONSORS = "<ul><li>Acme Ltd</li><li>Nordic Rope</li><li>Blue Harbour</li></ul>"
FACULTY = (
    "<h2>Professors</h2><ul><li>Ana Ruiz</li><li>Bo Lind</li><li>Cem Kaya</li></ul>"
    "<h2>Lecturers</h2><ul><li>Dora Papp</li><li>Emil Berg</li></ul>"
)


def found(question: str, body: str, title: str = "Guide") -> CountedList | None:
    requirement = read_requirement(question)
    assert requirement.mode != "none", question
    part = read_question(question).parts[0]
    return find_list(PageLists(observed(page(title, body))), part, requirement.noun, requirement.target)


def sure(question: str, body: str, title: str = "Guide") -> tuple[str, ...]:
    counted = found(question, body, title)
    return counted.names if counted is not None and counted.fit >= SURE_FIT else ()


def test_the_lists_of_a_page_are_read_once_for_what_is_asked_of_it() -> None:
    lists = PageLists(observed(page("Guide", FACULTY)))
    part = read_question("How many professors are there?").parts[0]
    asked = read_asked_list(part, "professors", 0)
    assert lists.by_form(asked) is lists.by_form(read_asked_list(part, "professors", 0))
    assert lists.by_form(asked) is not lists.by_form(read_asked_list(part, "lecturers", 0))


@pytest.mark.parametrize(
    "question",
    [
        "Name 5 of the species listed in the section 'Fish of the reef'.",
        "How many sponsors are listed?",
        "List all professors.",
        "Name five laboratories.",
    ],
)
def test_a_list_of_other_things_is_never_counted(question: str) -> None:
    assert found(question, CONTENTS) is None
    assert found(question, f"<h2>Contents</h2>{CONTENTS}") is None
    assert found(question, f"<nav>{CONTENTS}</nav>") is None


def test_a_heading_a_lead_in_or_a_column_names_what_is_counted() -> None:
    question = "How many sponsors are listed?"
    names = ("Acme Ltd", "Nordic Rope", "Blue Harbour")
    assert sure(question, f"<h2>Our sponsors</h2>{SPONSORS}") == names
    assert sure(question, f"<p>These sponsors support us:</p>{SPONSORS}") == names
    rows = "".join(f"<tr><td>{name}</td><td>2019</td></tr>" for name in names)
    assert sure(question, f"<table><tr><th>Sponsor</th><th>Since</th></tr>{rows}</table>") == names


def test_the_heading_tells_one_list_from_another() -> None:
    assert sure("How many lecturers are listed?", FACULTY) == ("Dora Papp", "Emil Berg")
    assert sure("List all professors.", FACULTY) == ("Ana Ruiz", "Bo Lind", "Cem Kaya")


def test_a_section_that_is_named_is_the_only_one_that_counts() -> None:
    body = (
        "<h2>Lagoon</h2><p>The species are:</p><ul><li>Goby</li><li>Ray</li></ul>"
        "<h2>Outer reef</h2><p>The species are:</p><ul><li>Grouper</li><li>Tuna</li><li>Barracuda</li></ul>"
    )
    assert sure("How many species are listed in the section 'Lagoon'?", body) == ("Goby", "Ray")
    assert sure("How many species are listed in the section 'Outer reef'?", body) == ("Grouper", "Tuna", "Barracuda")
    assert found("How many species are listed in the section 'Harbour mouth'?", body) is None


def test_entries_that_say_what_they_are_need_no_heading() -> None:
    body = "<ul><li>Laboratory for Corals</li><li>Laboratory for Tides</li><li>Laboratory for Fish</li></ul>"
    assert len(sure("List all laboratories.", body)) == 3


def test_a_teaser_is_not_a_whole_list() -> None:
    events = "<ul><li>Reef walk</li><li>Open day</li><li>Night dive</li></ul>"
    assert sure("How many events are listed?", f"<h2>Events</h2>{events}")
    assert not sure("How many events are listed?", f"<h2>Latest events</h2>{events}")


def test_a_name_in_the_question_picks_the_rows_that_have_it() -> None:
    rows = "".join(
        f"<tr><td>Talk {n}</td><td>{tongue}</td></tr>"
        for n, tongue in zip("ABCD", ["French", "English"] * 2, strict=True)
    )
    body = f"<h2>Talks</h2><table><tr><th>Talk</th><th>Language</th></tr>{rows}</table>"
    assert sure("How many of the listed talks are in French?", body) == ("Talk A", "Talk C")


def test_a_name_that_stands_nowhere_leaves_the_list_in_doubt() -> None:
    counted = found("Name three sponsors of the Glacier Race.", f"<h2>Sponsors</h2>{SPONSORS}")
    assert counted is None or counted.fit < SURE_FIT


def test_files_of_an_example_are_counted_in_its_code() -> None:
    body = (
        "<h2>Packing a project</h2><p>A project may look like this.</p>"
        "<pre>setup.py\nREADME.txt\npackage/main.py\npackage/tools.py\n</pre><ul><li>Be brief</li><li>Be clear</li></ul>"
    )
    question = "How many files does the example in the section 'Packing a project' list?"
    assert sure(question, body) == ("setup.py", "README.txt", "package/main.py", "package/tools.py")
    assert found("How many functions does the example in the section 'Packing a project' list?", body) is None


def test_a_year_that_begins_a_name_is_no_numbering() -> None:
    body = "<h2>News</h2><ul><li>2019 autumn course</li><li>2. Second letter</li></ul>"
    counted = found("List all news.", body)
    assert counted is not None
    assert counted.names == ("2019 autumn course", "Second letter")


def holding(observation: Observation) -> WalkMemory:
    return WalkMemory(step=2, pages=(PageNote(step=1, url=HOME, key=HOME, title="Reef Station"),))


async def test_a_doubtful_list_is_a_guess_that_ends_nothing() -> None:
    here = observed(page("Sponsors", f"<h2>Sponsors</h2>{SPONSORS}"), HOME + "sponsors.html")
    task = task_for("Name three sponsors of the Glacier Race.")
    critic = BuiltinCritic(ranker())
    kept = await critic.find(task, here, holding(here))
    assert kept.items == ()
    assert not kept.list_ended
    assert all(finding.score < ENOUGH for finding in kept.findings)


async def test_a_sentence_that_states_the_number_wins_over_a_list_that_says_otherwise() -> None:
    stated = "<p>The institute has 12 laboratories.</p><h2>Laboratories</h2><ul><li>Corals</li><li>Tides</li></ul>"
    here = observed(page("Institute", stated), HOME + "institute.html")
    critic = BuiltinCritic(ranker())
    open_question = await critic.find(task_for("How many laboratories does the institute have?"), here, holding(here))
    assert open_question.items == ()
    assert open_question.findings[0].text == "12"
    listed = await critic.find(
        task_for("How many laboratories are listed on the 'Institute' page?"), here, holding(here)
    )
    assert [item.name for item in listed.items] == ["Corals", "Tides"]


IN_PARTS = (
    "<h1>Earlier papers</h1><h2>Papers of 2024</h2><ul><li>Bores without a funnel</li><li>Mud and sand</li></ul>"
    "<h2>Papers of 2023</h2><ul><li>Drag of sea grass</li><li>Counting waders by night</li><li>Kites</li></ul>"
)


def test_a_list_in_parts_is_one_list_and_its_headings_are_no_entries() -> None:
    whole = ("Bores without a funnel", "Mud and sand", "Drag of sea grass", "Counting waders by night", "Kites")
    assert sure("How many papers are listed?", IN_PARTS) == whole
    days = "<h1>Talks</h1>" + "".join(
        f"<h2>{day}</h2><ul><li>{day} keynote</li><li>{day} workshop</li></ul>" for day in ("Friday", "Saturday")
    )
    assert sure("How many talks are listed?", days) == (
        "Friday keynote",
        "Friday workshop",
        "Saturday keynote",
        "Saturday workshop",
    )


def test_a_word_of_one_heading_means_that_part() -> None:
    assert sure("How many papers of 2023 are listed?", IN_PARTS) == (
        "Drag of sea grass",
        "Counting waders by night",
        "Kites",
    )
    assert sure("How many lecturers are listed?", f"<h1>Staff</h1>{FACULTY}") == ("Dora Papp", "Emil Berg")


def test_headings_that_name_one_thing_each_are_entries() -> None:
    courses = "<h1>Courses</h1>" + "".join(
        f"<h2>Course {letter}</h2><ul><li>Monday</li><li>Friday</li></ul>" for letter in "ABC"
    )
    assert sure("How many courses are listed?", courses) == ("Course A", "Course B", "Course C")


def test_entries_that_a_word_and_a_number_name_are_named_by_what_follows() -> None:
    body = "<h2>Lessons</h2><ul><li>Lesson 3. On mills</li><li>Lesson 4. On trees</li><li>Lesson 5. On ponds</li></ul>"
    assert sure("Name 2 lessons.", body)[:2] == ("Lesson 3. On mills", "Lesson 4. On trees")


def test_what_stands_behind_a_dash_stays_where_it_alone_tells_entries_apart() -> None:
    row = "<tr><td>{}</td><td>A value of 0 to 5</td></tr>"
    names = ("Risk of pollen — Alder", "Risk of pollen — Birch", "Height — above the sea", "Risk of pollen — Grass")
    body = f"<h2>Measures</h2><table><tr><th>Measures</th><th>What</th></tr>{''.join(map(row.format, names))}</table>"
    assert sure("Name 4 measures.", body) == (*names[:2], "Height", names[3])
