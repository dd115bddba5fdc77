"""How the questions that were written about public sites are read: a change of the rules for one form may not cost another."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.reader_training.examples import cloned_sites, load_questions, load_sources
from tools.reader_training.list_pages import read_asked
from tools.reader_training.written_lists import load_list_questions
from tools.reader_training.written_parts import load_parts_questions
from walker.rules.language import language_of
from walker.strategies.question.question import read_question

EVERY = 8


def test_questions_for_two_facts_are_taken_apart_and_others_are_not() -> None:
    written = load_parts_questions()
    apart = [one for one in written if len(read_question(one.question, language_of(one.question)).parts) > 1]
    assert len(apart) > 0.7 * len(written)
    single = [row["question"] for row in load_questions()[::EVERY]]
    divided = [one for one in single if len(read_question(one, language_of(one)).parts) > 1]
    assert len(divided) < 0.02 * len(single)


def test_questions_about_lists_are_read_with_the_number_that_they_ask_for() -> None:
    written = load_list_questions()
    read = [(one, read_asked(one.question, language_of(one.question)).count) for one in written]
    quotas = [(one.n, count) for one, count in read if one.kind == "quota" and count is not None]
    assert len(quotas) > 0.9 * sum(one.kind == "quota" for one in written)
    assert sum(count.target == n for n, count in quotas) > 0.98 * len(quotas)
    whole = [count.target for one, count in read if one.kind == "exhaustive" and count is not None]
    assert sum(target == 0 for target in whole) > 0.9 * len(whole) > 100


def test_sites_without_a_clone_are_left_out_and_counted(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    (tmp_path / load_sources().sites[0].repository.replace("/", "+")).mkdir()
    assert [one.name for one in cloned_sites(tmp_path)] == [load_sources().sites[0].name]
    total = len(load_sources().sites)
    assert f"{total - 1} of {total} sites have no clone here" in caplog.text
