from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from memory.findings import Citation
from walker.demo.questions import bundled_questions
from walker.demo.run import Answered, run_demo, show_answer, show_summary
from walker.seams.outcome import Outcome, StopReason, Usage
from walker.settings import Settings


def answered(answer: str, *, right: bool) -> Answered:
    outcome = Outcome(
        question="", answer=answer, items=(), confidence=0.9, stop_reason=StopReason.ANSWERED, pages=4, steps=5,
        citations=(Citation(url="http://127.0.0.1:1/lab/tidal-flume.html", quote="Greatest depth\nof water 1.8 m"),),
        usage=Usage(seconds=1.5), trace="runs/one", count={},
    )  # fmt: skip
    return Answered(question=bundled_questions()[0], outcome=outcome, right=right)


def printed(*results: Answered) -> str:
    out = StringIO()
    console = Console(file=out, width=100, highlight=False)
    for result in results:
        show_answer(console, result)
    show_summary(console, results, Path("runs"))
    return out.getvalue()


def test_an_answer_is_shown_with_its_quote_and_trace() -> None:
    text = printed(answered("1.8 m", right=True))
    assert "1.8 m\n  [1] http://127.0.0.1:1/lab/tidal-flume.html\n" in text
    assert "“Greatest depth of water 1.8 m”" in text
    assert "  trace: runs/one\n" in text
    assert "1 of 1 questions answered correctly, from 4 pages in 2 s" in text
    assert ".venv/bin/walker replay runs/one" in text


def test_a_wrong_answer_is_owned_up_to() -> None:
    text = printed(answered("", right=False), answered("1.8 m", right=True))
    assert "no answer" in text
    assert "the site says: 1.8 m" in text
    assert "1 of 2 questions answered correctly" in text


@pytest.mark.usefixtures("kept_chromium")
async def test_the_demo_answers_its_questions(tmp_path: Path) -> None:
    out = StringIO()
    right = await run_demo(Console(file=out, width=160), settings=Settings(runs_folder=tmp_path / "runs"))
    assert right, out.getvalue()
    assert len(list((tmp_path / "runs").iterdir())) == 5
