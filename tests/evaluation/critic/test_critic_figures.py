"""Recall and specificity of a passage critic, training lines, and answers from what is kept."""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path

import pytest

from evaluation.critic.answering import Answerer
from evaluation.critic.cases import PassageCase, Sought, case_of, with_evidence
from evaluation.critic.filtering import WeighedCase, filtering_at, weigh_cases
from evaluation.critic.measure import Answering, lost_on_the_way, measure_critic, sought_in
from evaluation.critic.right_passages import holding_passages, saying_the_same
from evaluation.critic.training_lines import lines_of
from evaluation.dataset.question import Question
from memory.library.protocol import NewPage, PageLine
from memory.retrieval import Ranker, WordLlamaEmbedder
from walker.errors import UsageError
from walker.library.library_file import LibraryFile
from walker.seams.passage_critic import OfferedPassage, Weight
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.passages.builtin_passage_critic import BuiltinPassageCritic
from walker.testing.scripted_passage_critic import ScriptedPassageCritic


@pytest.mark.parametrize(
    ("quote", "wanted"),
    [
        ("Depth | 4.5 m", (1,)),
        ("depth  –  4.5 m", (1,)),
        ("5 m", ()),
        ("", ()),
        ("。", ()),
        ("深さは 12 メートル", (2,)),
        ("the pool is open on Monday to Friday and also", (0,)),
    ],
)
def test_a_quote_is_held_whatever_separates_its_words(quote: str, wanted: tuple[int, ...]) -> None:
    passages = ("The pool is open on Monday to Friday.", "Depth\n4.5 m, 4.55 m at the edge", "深さは12メートルです")
    assert holding_passages(quote, passages) == wanted


def _case(evidence: tuple[tuple[int, ...], ...], count: int = 10, name: str = "q") -> PassageCase:
    passages = tuple(
        OfferedPassage(text=f"text {place}", url=f"https://a.example/{place // 5}", place=place % 5)
        for place in range(count)
    )
    return PassageCase(sought=Sought(id=name, question="Which?"), pages=2, passages=passages, evidence=evidence)


def _weighed(case: PassageCase, *high: int) -> WeighedCase:
    weights = tuple(Weight(chance=0.5 if place in high else 0.05) for place in range(len(case.passages)))
    return WeighedCase(case=case, weights=weights)


def test_figures_are_shares_of_evidence_and_of_other_passages() -> None:
    weighed = [_weighed(_case(((0, 1), (7,))), 1, 2, 3), _weighed(_case(((4,),), count=5), 4), _weighed(_case(()), 0)]
    row = filtering_at(weighed, 0.1, 2)
    assert row is not None
    assert (row.questions, row.pieces) == (2, 3), "a question of which no passage holds evidence is in neither figure"
    assert row.recall == pytest.approx(2 / 3)
    assert row.specificity == pytest.approx(9 / 11)
    assert row.specificity_a_question == pytest.approx((5 / 7 + 1) / 2)
    assert (row.kept, row.offered) == (2, 7.5)
    everything = filtering_at(weighed, 0.0, 2)
    assert everything is not None
    assert (everything.recall, everything.specificity) == (1.0, 0.0)
    assert filtering_at([_weighed(_case(()))], 0.1, 2) is None


def test_training_lines_are_seven_hard_to_three_soft_and_name_the_relevant_ones() -> None:
    weighed = _weighed(_case(((3,), (12,)), count=60), 3, 20, 21)
    lines = list(lines_of(weighed))
    assert Counter(line.label for line in lines) == {"relevant": 2, "hard": 7, "soft": 3}
    assert {line.passage for line in lines if line.relevant} == {"text 3", "text 12"}
    hard = {line.passage for line in lines if line.label == "hard"}
    assert {"text 20", "text 21"} <= hard, "what was weighed wrongly"
    assert hard & {f"text {place}" for place in (0, 1, 2, 4, 10, 11, 13, 14)}, "and what stands beside the evidence"
    assert len({line.passage for line in lines}) == len(lines)
    assert lines == list(lines_of(weighed))
    assert list(lines_of(_weighed(_case(())))) == []


@pytest.fixture
def library(tmp_path: Path) -> LibraryFile:
    library = LibraryFile.write(tmp_path / "l.library")
    pages = {
        "pool": ("Swimming hall", ("Opening hours", "The diving pool is 4.5 metres deep.", "The hall has a sauna.")),
        "club": ("Chess club", ("We meet on Mondays.", "A pool of players is listed below.")),
        "news": ("News", tuple(f"News of week {week}: nothing happened in the town." for week in range(60))),
    }
    for name, (title, lines) in pages.items():
        library.add(
            NewPage(url=f"https://a.example/{name}", title=title, lines=tuple(PageLine(text=line) for line in lines))
        )
    return library


def _question(name: str, **changes: object) -> Question:
    fields = {
        "id": name,
        "question": "How deep is the diving pool?",
        "answers": ("4.5 metres",),
        "root": "pool",
        "site": "hall",
        "sources": ("pool",),
        "evidence": ("diving pool is 4.5 metres deep",),
        "language": "en",
    }
    return Question(**{**fields, **changes})  # type: ignore[arg-type]


async def test_a_dataset_is_measured_over_pages_and_thresholds_with_answers(library: LibraryFile) -> None:
    questions = (
        _question("deep"),
        _question("no-evidence", evidence=()),
        _question("elsewhere", sources=("gone",)),
        _question("lost", evidence=("a text that stands nowhere",)),
    )
    asked = sought_in(questions, [library], {"hall": "https://a.example/"})
    assert [sought.id for _, sought in asked] == ["deep", "lost"]
    answerer = Answerer(BuiltinCritic(Ranker(WordLlamaEmbedder.load())))
    told: list[str] = []
    measured = await measure_critic(
        asked,
        BuiltinPassageCritic(),
        pages=(1, 3),
        thresholds=(0.1, 1.0),
        answering=Answering(answerer, lambda _, text, __: "4.5" in text),
        tell=told.append,
    )
    assert [line.split()[0] for line in told] == 2 * ["weighing", "threshold", "threshold"]
    assert told[1] == "threshold 0.1: answered 2 of 2"
    assert [(row.pages, row.threshold) for row in measured.rows] == [(1, 0.1), (1, 1.0), (3, 0.1), (3, 1.0)]
    best = measured.rows[2]
    assert (best.recall, best.questions, best.answered) == (1.0, 1, 1.0)
    assert best.specificity >= 0.5
    assert measured.rows[3].recall == 0
    assert measured.rows[3].answered == 0, "nothing is kept, so nothing is answered"
    assert [case.sought.id for case in lost_on_the_way(measured.weighed)] == ["lost"]
    with pytest.raises(UsageError, match="hall"):
        sought_in(questions, [library], {})


@pytest.mark.parametrize(
    ("quote", "wanted"),
    [
        ("open on Monday to Friday", (0, 2)),
        ("Monday to Friday", ()),
        ("深さは十二メートル", (1,)),
        ("十二メートル", ()),
        ("", ()),
    ],
)
def test_only_a_quote_of_some_words_is_proved_by_another_page(quote: str, wanted: tuple[int, ...]) -> None:
    passages = (
        "The pool is open on Monday to Friday.",
        "プールの深さは十二メートルです",
        "News: open on Monday – to Friday",
    )
    assert saying_the_same(quote, passages) == wanted


def test_a_passage_of_another_page_that_says_the_same_is_no_wrong_one(tmp_path: Path) -> None:
    said = "The diving pool is 4.5 metres deep."
    with contextlib.closing(LibraryFile.write(tmp_path / "l")) as library:
        for name, text in (("pool", said), ("news", f"New: {said}"), ("prices", "The diving pool costs 4 euros.")):
            library.add(
                NewPage(url=f"https://a.example/{name}", title=name, lines=(PageLine(text=text),), language="en")
            )
        case = case_of(
            library,
            Sought(id="q", question="How deep is the diving pool?", quotes=(("https://a.example/pool", said),)),
            3,
        )
    saying = {place for place, one in enumerate(case.passages) if one.url != "https://a.example/prices"}
    assert [set(places) for places in case.evidence] == [saying]
    kept = next(place for place, one in enumerate(case.passages) if one.url == "https://a.example/news")
    row = filtering_at([_weighed(case, kept)], 0.1, 3)
    assert row is not None
    assert (row.recall, row.specificity) == (1.0, 1.0)


async def test_passages_come_page_after_page_and_a_question_without_words_finds_none(library: LibraryFile) -> None:
    sought = Sought(id="q", question="diving pool", quotes=(("https://a.example/pool", "4.5 metres deep"),))
    case = case_of(library, sought, 2)
    assert [passage.url for passage in case.passages] == sorted(
        (passage.url for passage in case.passages), key=[one.url for one in case.passages].index
    )
    assert case.evidence
    assert case.missing == 0
    empty = case_of(library, Sought(id="q", question="???"), 2)
    assert (empty.passages, empty.pages) == ((), 0)
    assert with_evidence([case, empty]) == (case,)
    (weighed,) = await weigh_cases([empty], ScriptedPassageCritic({}))
    assert weighed.weights == ()
