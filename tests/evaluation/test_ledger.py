from __future__ import annotations

from pathlib import Path

import pytest

from evaluation.ledger import Ledger, read_lines
from evaluation.sample import Sample
from walker.errors import UsageError

ONE, TWO = (Sample(question_id=name, variant="all", answer="x\u2028y") for name in ("a", "b"))


def test_what_was_added_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "samples.jsonl"
    ledger = Ledger(path, Sample)
    ledger.add(ONE)
    ledger.close()
    again = Ledger(path, Sample)
    again.add(TWO)
    again.close()
    assert read_lines(path, Sample) == (ONE, TWO) == tuple(again.entries)


def test_a_line_that_was_cut_off_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    ledger = Ledger(path, Sample)
    ledger.add(ONE)
    ledger.close()
    path.write_bytes(path.read_bytes() + b'{"question_id":"b","vari')
    assert read_lines(path, Sample) == (ONE,)
    again = Ledger(path, Sample)
    again.add(TWO)
    again.close()
    assert read_lines(path, Sample) == (ONE, TWO)


def test_one_process_writes_at_a_time(tmp_path: Path) -> None:
    first = Ledger(tmp_path / "samples.jsonl", Sample)
    with pytest.raises(UsageError, match="another process"):
        Ledger(tmp_path / "samples.jsonl", Sample)
    first.close()


def test_a_line_that_is_something_else_is_named(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    path.write_text('{"question_id": "a", "variant": "all"}\n{"text": 1}\n')
    with pytest.raises(UsageError, match=r"samples\.jsonl:2: not a sample"):
        Ledger(path, Sample)
    with pytest.raises(UsageError, match="cannot be written"):
        Ledger(path / "below" / "file", Sample)
