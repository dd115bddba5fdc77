from __future__ import annotations

from pathlib import Path

import pytest

from tests.recordings.make import FOLDER, QUESTIONS, make
from walker.runs.replay import replay_run
from walker.runs.verification import verify_run

ANSWERS = {
    "single": "18.4 metres",
    "count": "5 (Ana Ruiz; Bo Lind; Cem Kaya; Dora Papp; Emil Berg)",
    "model": "18.4 metres",
}
REMAKE = "run `python -m tests.recordings.make` if this was meant to change"


@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("deep", [False, True])
async def test_a_walk_recorded_earlier_replays(kind: str, deep: bool) -> None:
    report = await replay_run(FOLDER / kind, deep=deep)
    assert report.problems == (), REMAKE
    assert report.outcome is not None
    assert report.outcome.answer == ANSWERS[kind]


@pytest.mark.parametrize("kind", QUESTIONS)
@pytest.mark.parametrize("deep", [False, True])
async def test_every_line_blob_and_decision_of_it_is_verified(kind: str, deep: bool) -> None:
    result = await verify_run(FOLDER / kind, deep=deep)
    assert result.is_equal, (result.departure, result.problems, REMAKE)
    assert (result.certificate.minor, result.certificate.major, result.certificate.unrecorded) == (0, 0, 0)


@pytest.mark.parametrize("kind", QUESTIONS)
async def test_the_same_walk_is_recorded_today(kind: str, tmp_path: Path) -> None:
    await make(kind, tmp_path / "run")
    today = (tmp_path / "run" / "events.jsonl").read_text(encoding="utf-8").splitlines()
    then = (FOLDER / kind / "events.jsonl").read_text(encoding="utf-8").splitlines()
    assert len(today) == len(then), REMAKE
    for number, (line, kept) in enumerate(zip(today, then, strict=True), start=1):
        assert line == kept, f"line {number}; {REMAKE}"


def test_recordings_name_no_place_of_the_machine_they_were_made_on() -> None:
    for path in FOLDER.rglob("*"):
        if path.is_file() and path.suffix in (".jsonl", ".json"):
            assert str(FOLDER.parent.parent).encode() not in path.read_bytes()
