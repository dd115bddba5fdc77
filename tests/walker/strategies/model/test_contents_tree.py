"""Contents pages that are too long for a prompt are shown as a tree."""

from __future__ import annotations

import re
import time

import pytest

from tests.fixtures.paper import page
from tests.walker.strategies.model.shown_page import digest, seen
from walker.models.token_count import count_tokens


def index(letters: str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ", each: int = 30) -> str:
    def entries(letter: str) -> str:
        return "".join(
            f'<li><a href="/{letter}/{n}.html">{letter}{"abdeg"[n % 5]}rten {n}</a></li>' for n in range(each)
        )

    body = "".join(f"<h2>{letter}</h2><ul>{entries(letter)}</ul>" for letter in letters)
    return page("Index", body.replace("Mbrten 21", "Mantis, research vessel"))


def test_the_branches_that_bear_on_the_question_are_open_and_the_others_are_named_with_their_counts() -> None:
    text = digest(index(), 1500).text
    assert re.search(r"^- Mantis, research vessel \[\d+\]$", text, re.MULTILINE)
    assert all(f"\n## {letter}\n" in text for letter in "ABCDEFGHIJKLMNOPQRSTUVWXYZ"), "no branch is without a name"
    shown = len(re.findall(r"^- .+ \[\d+\]$", text, re.MULTILINE))
    left = sum(int(count) for count in re.findall(r"^parts? [\d-]+: .*\((\d+) entries", text, re.MULTILINE))
    assert shown + left == 26 * 30, "every entry is shown or counted"
    branch = text.partition("\n## M\n")[2].partition("\n## N")[0]
    assert branch.count("\n- ") >= 29, "the branch of what is asked is open"


def test_the_entries_left_out_of_a_branch_can_be_read() -> None:
    shown = digest(index(), 1500)
    number = re.findall(r"^parts? (\d+)(?:-\d+)?: T “", shown.text, re.MULTILINE)[0]
    assert int(number) in shown.left_out
    again = digest(index(), 1500, unfolded=(int(number),)).text
    assert "Tarten 5 [" in again


def test_lists_within_lists_are_set_in() -> None:
    nested = "<ul><li>Boats<ul><li>Mantis<ul><li>Crew</li></ul></li></ul></li><li>People</li></ul>"
    assert digest(page("Contents", nested)).text.splitlines()[3:] == ["- Boats", "  - Mantis", "    - Crew", "- People"]


@pytest.mark.parametrize("tokens", [300, 700, 1500, 4000])
def test_a_tree_never_costs_more_than_it_may(tokens: int) -> None:
    assert count_tokens(digest(index(), tokens).text) <= 1.05 * tokens + 20


def test_a_long_text_with_links_is_no_page_of_contents() -> None:
    prose = "The station was shut, and nothing of note was written down by anyone who stayed for the winter. " * 4
    text = digest(page("Log", "".join(f'<p><a href="/{n}">{n}</a> {prose}</p>' for n in range(100))), 1500).text
    assert "Left out of this page: " in text


def test_posts_are_no_page_of_contents_in_a_language_of_few_characters() -> None:
    post = "三月十日下午，由学生协会承办的安装聚会活动在西区教室顺利举行，三百余人到场，有一半是第一次来的新同学。" * 2
    text = digest(page("活动", "".join(f'<p><a href="/{n}">第{n}次活动</a> {post}</p>' for n in range(100))), 1500).text
    assert "Left out of this page: " in text


def test_a_tree_of_20_000_entries_is_made_in_time() -> None:
    html = index(each=770)
    observation = seen(html)
    took = []
    for _ in range(3):
        began = time.process_time()
        digest(observation)
        took.append(time.process_time() - began)
    assert min(took) < 1.5  # the digest alone has 0.2 s in bench/resilience.py, on a quiet machine
