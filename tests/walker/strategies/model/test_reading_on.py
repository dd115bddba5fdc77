"""What is left out of a long page can be read: every part by its number, whole, and the marks say exactly what is left out."""

from __future__ import annotations

import re

import pytest

from memory.state import WalkMemory
from perception.observation import Observation
from tests.fixtures.paper import page
from tests.walker.strategies.model.shown_page import MANTIS, chapters, digest, seen
from walker.strategies.model.digest.link_marks import mark_links
from walker.strategies.model.digest.page_parts import Part, divide_page

HARBOURS = [f"| {n} | 第{n}号港口 | {n % 7} | 这个港口建于十九世纪，冬天不结冰，可以停泊大船 |" for n in range(1, 41)]
_ROWS = "".join(
    f"<tr><td>{n}</td><td>第{n}号港口</td><td>{n % 7}</td><td>这个港口建于十九世纪，冬天不结冰，可以停泊大船</td></tr>"
    for n in range(1, 41)
)
_DULL = "".join(
    f"<h2>第{n}章</h2><p>{'这一年没有什么值得记下来的事情，考察站整个冬天都关着。' * 12}</p>" for n in range(1, 9)
)
TABLE = page(
    "港口",
    f"{_DULL}<h2>港口一览</h2><table><thead><tr><th>编号</th><th>名称</th><th>区</th><th>说明</th></tr></thead>"
    f"<tbody>{_ROWS}</tbody></table>{_DULL.replace('第', '后')}",
)
HEAD = "| 编号 | 名称 | 区 | 说明 |"


def parts_of(observation: Observation) -> tuple[Part, ...]:
    return divide_page(observation, mark_links(observation, WalkMemory())).parts


def told(text: str, pattern: str) -> set[int]:
    """Numbers of the parts that lines of one form name."""
    numbers: set[int] = set()
    for ranges in re.findall(pattern, text, re.MULTILINE):
        for first, last in re.findall(r"(\d+)(?:-(\d+))?", ranges):
            numbers |= set(range(int(first), int(last or first) + 1))
    return numbers


@pytest.mark.parametrize("tokens", [600, 1000, 1500, 3000])
@pytest.mark.parametrize("with_lists", [False, True])
def test_every_part_of_a_long_table_is_shown_whole_when_it_is_asked_for(tokens: int, with_lists: bool) -> None:
    observation = seen(TABLE)
    parts = parts_of(observation)
    assert all(any(row in part.text for part in parts) for row in HARBOURS)
    for part in (*parts[:2], *(part for part in parts if "|" in part.text), *parts[-2:]):
        shown = digest(
            observation, tokens, query="第七区有多少个港口？", with_lists=with_lists, unfolded=(part.number,)
        )
        assert part.text in shown.text
        assert part.number not in shown.left_out


def test_sentences_of_a_long_chinese_paragraph_are_not_parted_by_spaces() -> None:
    sentence = "这一年没有什么值得记下来的事情，考察站整个冬天都关着。"
    parts = parts_of(seen(page("船", f"<p>{sentence * 40}</p>")))
    assert len(parts) > 2
    assert all(not part.text.removeprefix("# 船\n").replace(sentence, "").strip("\n") for part in parts)


def test_rows_that_go_on_have_the_head_of_their_table() -> None:
    observation = seen(TABLE)
    last = next(part for part in parts_of(observation) if HARBOURS[-1] in part.text)
    shown = digest(observation, 700, unfolded=(last.number,)).text
    assert f"\n{HEAD}\n{last.text}" in shown


def test_of_several_parts_the_one_asked_for_last_is_shown() -> None:
    observation = seen(TABLE)
    with_rows = [part for part in parts_of(observation) if "号港口" in part.text]
    assert len(with_rows) > 3
    shown = digest(observation, 2200, unfolded=tuple(part.number for part in with_rows[::-1]))
    assert with_rows[0].text in shown.text
    assert with_rows[1].text in shown.text, "it goes on behind that"


@pytest.mark.parametrize("tokens", [350, 600, 1000, 2000])
def test_what_is_not_among_the_parts_left_out_is_shown_whole_and_the_marks_name_the_others(tokens: int) -> None:
    observation = seen(chapters(60, {n: f"{MANTIS} In year {n} it was painted." for n in range(3, 60, 6)}))
    shown = digest(observation, tokens)
    for part in parts_of(observation):
        assert (part.text in shown.main) == (part.number not in shown.left_out)
    assert told(shown.main, r"^\[… parts? ([\d-]+) left out\]$") == shown.left_out


def test_the_outline_names_no_part_that_is_shown() -> None:
    observation = seen(chapters(60, {n: f"{MANTIS} In year {n} it was painted." for n in range(3, 60, 6)}))
    shown = digest(observation, 1800)
    named = told(shown.text, r"^parts? ([\d, -]+): ")
    assert named == shown.left_out
    assert len(re.findall(r"^\[… part", shown.main, re.MULTILINE)) > 2


def test_a_part_that_is_too_long_for_a_small_prompt_ends_with_a_whole_line_and_a_mark() -> None:
    observation = seen(TABLE)
    shown = digest(observation, 200, query="第7号港口")
    lines = shown.main.splitlines()
    number = re.fullmatch(r"\[… part (\d+) goes on\]", lines[-1])
    assert number is not None
    part = parts_of(observation)[int(number[1]) - 1]
    assert lines[-2] in part.text.splitlines()
    assert part.number in shown.left_out
