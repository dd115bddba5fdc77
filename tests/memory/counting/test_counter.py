"""Counting: quota and whole lists, what merges, and how surely."""

from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.counting.counter import Counter
from memory.counting.requirement import Requirement
from memory.findings import Item

QUOTA = Requirement(mode="quota", target=3, noun="papers")
WHOLE = Requirement(mode="exhaustive", noun="professors")


def item(name: str, key: str = "", page: str = "http://h/list", step: int = 1) -> Item:
    return Item(name=name, key=key, page_url=page, step=step)


def items(*names: str) -> list[Item]:
    return [item(name) for name in names]


def counted(counter: Counter) -> list[str]:
    return [kept.name for kept in counter.items]


def test_a_quota_is_met_and_never_exceeded() -> None:
    counter = Counter.start(QUOTA).add(items("A", "B"))
    assert (counter.found, counter.done, counter.complete) == (2, False, False)
    counter = counter.add(items("b", "C", "D", "E"))
    assert counted(counter) == ["A", "B", "C"]
    assert (counter.done, counter.complete, counter.lower_bound) == (True, True, False)
    assert counter.add(items("F")).items == counter.items
    assert counter.describe() == {"mode": "quota", "target": 3, "found": 3, "complete": True}


def test_a_whole_list_is_done_at_its_end_and_complete_when_the_total_agrees() -> None:
    counter = Counter.start(WHOLE).add(items("A", "B", "C"))
    assert (counter.done, counter.complete, counter.lower_bound) == (False, False, True)
    assert counter.saw_end().complete
    assert counter.saw_total(3).saw_end().complete
    short = counter.saw_total(57).saw_end()
    assert (short.done, short.complete, short.lower_bound) == (True, False, True)
    assert short.describe() == {"mode": "exhaustive", "target": 0, "found": 3, "complete": False}
    assert short.saw_total(2).saw_total(0).stated_total == 57


def test_a_question_that_counts_nothing_keeps_nothing() -> None:
    counter = Counter.start(Requirement()).add(items("A")).saw_end()
    assert (counter.found, counter.done, counter.complete, counter.lower_bound) == (0, False, False, False)
    assert counter.describe() == {"mode": "none", "target": 0, "found": 0, "complete": False}


def test_every_merge_is_noted_with_its_reason() -> None:
    counter = Counter.start(WHOLE).add(
        [
            item("Li Na", "http://h/people/li-na", step=1),
            item("Prof. Li Na", "http://h/people/li-na?utm_source=news", page="http://h/news", step=2),
            item("LI  NA", page="http://h/news", step=3),
            item("Prof. Li Na, PhD", page="http://h/talks", step=4),
        ]
    )
    assert counted(counter) == ["Li Na"]
    assert [(merge.reason, merge.name, merge.into, merge.step) for merge in counter.merges] == [
        ("same key", "Prof. Li Na", "Li Na", 2),
        ("same name", "LI  NA", "Li Na", 3),
        ("edit distance", "Prof. Li Na, PhD", "Li Na", 4),
    ]
    assert 0 < counter.merges[2].similarity < 1


def test_rows_that_share_a_link_and_no_name_are_two_things() -> None:
    shared = "http://h/limits.html"
    counter = Counter.start(WHOLE).add([item("SQLITE_LIMIT_LENGTH", shared), item("SQLITE_LIMIT_COLUMN", shared)])
    assert counter.found == 2
    again = [item("SQLITE_LIMIT_COLUMN", shared, step=2), item("SQLITE_LIMIT_DEPTH", shared, page="http://h/2", step=2)]
    assert counted(counter.add(again)) == ["SQLITE_LIMIT_LENGTH", "SQLITE_LIMIT_COLUMN", "SQLITE_LIMIT_DEPTH"]
    anchors = [item("Lock", "http://h/api#Lock"), item("Event", "http://h/api#Event")]
    assert Counter.start(WHOLE).add(anchors).found == 2


def test_one_address_on_two_pages_is_one_thing_under_any_name() -> None:
    talk = item("Robots that read", "http://h/talks/7")
    flyer = item("Thursday's colloquium", "http://h/talks/7?utm_source=flyer", page="http://h/news")
    assert Counter.start(WHOLE).add([talk, flyer]).found == 1


def test_one_name_with_two_neighbouring_pages_is_two_people() -> None:
    counter = Counter.start(WHOLE).add([item("王伟", "http://h/people/12"), item("王伟", "http://h/people/57")])
    assert counter.found == 2
    elsewhere = counter.add([item("王伟", "http://h/news/2024/3", page="http://h/news")])
    assert elsewhere.found == 2


def test_reading_a_page_again_adds_nothing() -> None:
    page = [
        item("王伟", "http://h/people/12"),
        item("王伟", "http://h/people/57"),
        item("Nobody"),
        item("", "http://h/x"),
    ]
    once = Counter.start(WHOLE).add(page)
    assert once.found == 4
    assert once.add(page).items == once.items


def test_a_title_cut_short_needs_meaning_to_find_its_whole() -> None:
    whole, short = "Agents that walk the web with memory", "Agents that walk the w…"
    counter = Counter.start(WHOLE).add(items(whole))
    assert counter.add(items(short)).found == 2
    merged = counter.add(items(short), similarity=lambda first, second: 0.83)
    assert merged.found == 1
    assert (merged.merges[0].reason, merged.merges[0].similarity) == ("embedding", 0.83)
    assert counter.add(items(short), similarity=lambda first, second: 0.1).found == 2
    two = counter.add(items("Agents that walk the wild"))
    assert two.add(items(short), similarity=lambda first, second: 0.99).found == 3, "two wholes: nobody knows which"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Dept. of Physics", "Physics Department"),
        ("Part One: The Forest", "Part 1: The forest"),
        ("5 km run", "5 kilometre run"),
        ("World Health Organization (WHO)", "WHO"),
        ("Programme commitee", "Programme committee"),
        ("Santos, Maria", "Maria L. Santos"),
        ("計算機科學系", "计算机科学系"),
    ],
)
def test_a_near_name_of_another_page_counts_once_and_both_names_are_kept(first: str, second: str) -> None:
    counter = Counter.start(WHOLE).add([item(first)]).add([item(second, page="http://h/other", step=2)])
    assert counted(counter) == [first]
    assert [(merge.name, merge.into, merge.reason) for merge in counter.merges] == [(second, first, "near name")]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Python 3.10", "Python 3.11"),
        ("Part 1", "Part 2"),
        ("Hall 3, room 14", "Hall 14, room 3"),
        ("Wang Wei", "Wei Wang"),
        ("Maria Santos", "Mario Santos"),
        ("From text to image", "From image to text"),
        ("16 MB of memory", "16 GB of memory"),
        ("数据结构（上）", "数据结构（下）"),
        ("os.path", "os.paths"),
    ],
)
def test_names_that_only_look_alike_stay_two(first: str, second: str) -> None:
    assert Counter.start(WHOLE).add([item(first)]).add([item(second, page="http://h/other")]).found == 2


def test_entries_of_one_page_are_as_many_as_it_makes_them() -> None:
    both = [item("Physics Department"), item("Department of Physics")]
    assert Counter.start(WHOLE).add(both).found == 2
    elsewhere = item("Dept. of Physics", page="http://h/other")
    assert Counter.start(WHOLE).add(both).add([elsewhere]).found == 3, "two wholes: nobody knows which"


def test_meaning_alone_never_merges() -> None:
    alike = Counter.start(WHOLE).add(items("Lecture 1", "Lecture 2", "car", "automobile"), similarity=lambda a, b: 1.0)
    assert alike.found == 4


def test_an_item_without_name_and_key_is_nothing() -> None:
    assert Counter.start(WHOLE).add(items("", "  ")).found == 0


@pytest.mark.parametrize("requirement", [QUOTA, WHOLE])
def test_a_counter_survives_json(requirement: Requirement) -> None:
    counter = Counter.start(requirement).add(items("A", "a", "B")).saw_total(9).saw_end()
    assert msgspec.json.decode(msgspec.json.encode(counter), type=Counter) == counter


NAMES = st.lists(
    st.sampled_from(["A", "a", "A.", "Dr. Bo Li", "Bo Li", "C++", "C", "L 1", "L 2", "名", "名 "]), max_size=12
)


@given(NAMES, NAMES)
def test_items_come_in_any_portions(first: list[str], second: list[str]) -> None:
    at_once = Counter.start(WHOLE).add(items(*first, *second))
    assert Counter.start(WHOLE).add(items(*first)).add(items(*second)) == at_once
    assert at_once.found + len(at_once.merges) == len(first) + len(second)
    assert at_once.add(items(*second)).items == at_once.items


@given(NAMES, st.integers(2, 5))
def test_a_quota_counts_the_first_distinct_ones(names: list[str], target: int) -> None:
    everything = Counter.start(WHOLE).add(items(*names))
    quota = Counter.start(Requirement(mode="quota", target=target)).add(items(*names))
    assert quota.items == everything.items[:target]
    assert quota.done == (everything.found >= target)


def test_a_value_that_is_found_later_joins_its_item_though_the_quota_is_met() -> None:
    two = Counter.start(Requirement(mode="quota", target=2)).add(
        (Item(name="Mantis", page_url="a", step=1), Item(name="Squid", page_url="a", step=1))
    )
    valued = two.add(
        (
            Item(name="Mantis", page_url="b", step=2, value="18 m"),
            Item(name="Orca", page_url="b", step=2, value="9 m"),
        )
    )
    assert [item.told for item in valued.items] == ["Mantis (18 m)", "Squid"]
    again = valued.add((Item(name="Mantis", page_url="c", step=3, value="20 m"),))
    assert again.items[0].value == "18 m", "the first that was found stays"
