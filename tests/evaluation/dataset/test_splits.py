from __future__ import annotations

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.dataset.question import Dataset, Question
from evaluation.dataset.splits import balanced_split, read_shares, split


def some(count: int) -> Dataset:
    made = (
        Question(id=f"q{number}", question=f"{number}?", answers=("x",), root=f"https://{number % 40}.example/")
        for number in range(count)
    )
    return Dataset(name="set", questions=tuple(made))


def test_a_split_keeps_its_questions_when_others_come() -> None:
    shares = {"dev": 0.2, "test": 0.8}
    small, large = split(some(400), shares).parts, split(some(800), shares).parts
    assert {q.id for q in small["dev"].questions} <= {q.id for q in large["dev"].questions}
    assert len(large["dev"].questions) + len(large["test"].questions) == 800
    assert 110 < len(large["dev"].questions) < 210


def test_a_split_by_site_keeps_a_site_together() -> None:
    parts = split(some(400), {"dev": 0.5, "test": 0.5}, together="site").parts
    roots = [{question.root for question in part.questions} for part in parts.values()]
    assert roots[0] & roots[1] == set()
    assert all(roots)


def test_shares_add_up() -> None:
    with pytest.raises(ValueError, match="add up to 1"):
        split(some(2), {"dev": 0.5, "test": 0.4})


@given(st.integers(1, 40), st.floats(0, 1), st.sampled_from(["question", "site"]), st.text(max_size=3))
def test_every_question_is_in_one_part(count: int, share: float, together: str, seed: str) -> None:
    whole = some(count)
    made = split(
        whole, {"dev": share, "test": 1 - share}, together="site" if together == "site" else "question", seed=seed
    )
    ids = [question.id for part in made.parts.values() for question in part.questions]
    assert sorted(ids) == sorted(question.id for question in whole.questions)
    assert sum(sum(counts.values()) for counts in made.strata().values()) == count


def test_a_question_that_was_corrected_or_numbered_anew_stays_where_it_is() -> None:
    shares = {"dev": 0.5, "test": 0.5}
    before = some(60)
    corrected = tuple(
        msgspec.structs.replace(question, id=f"n-{question.id}", answers=("y", "z"), question=f" {question.question} ")
        for question in before.questions
    )
    after = split(msgspec.structs.replace(before, questions=corrected), shares).parts["dev"]
    assert [q.id for q in after.questions] == [f"n-{q.id}" for q in split(before, shares).parts["dev"].questions]


def test_nothing_falls_into_a_part_without_a_share() -> None:
    made = split(some(200), {"dev": 1.0, "test": 0.0})
    assert made.parts["test"].questions == ()


def test_a_balanced_split_is_as_even_as_its_shares_allow() -> None:
    kinds = [("single", "easy")] * 20 + [("single", "hard")] * 10 + [("multi", "easy")] * 10
    mixed = tuple(
        msgspec.structs.replace(question, kind=kind, difficulty=difficulty)
        for question, (kind, difficulty) in zip(some(40).questions, kinds, strict=True)
    )
    made = balanced_split(Dataset(name="set", questions=mixed), {"dev": 0.2, "test": 0.8})
    off = [abs(counts["dev"] - 0.2 * sum(counts.values())) for counts in made.strata().values()]
    assert max(off) <= 1
    assert split(Dataset(name="set", questions=mixed), {"dev": 0.2, "test": 0.8}, seed=made.seed).parts == made.parts


def test_shares_are_read() -> None:
    assert read_shares("train=0.7, dev=0.1,test=0.2") == {"train": 0.7, "dev": 0.1, "test": 0.2}
