from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import msgspec
import pytest

from tests.recordings.make import FOLDER
from tests.traces.forging import Line, forge, seal
from traces.store.blobs import BlobRef
from traces.store.packing import pack_run
from walker.runs.recorded_run import open_run
from walker.runs.verification import verify_run


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER / "count", tmp_path / "run"))


async def test_a_whole_run_is_equal_packed_too(run: Path, tmp_path: Path) -> None:
    pack_run(run, tmp_path / "run.zip")
    for path in (run, tmp_path / "run.zip"):
        result = await verify_run(path)
        assert result.is_equal, result
        assert (result.events, result.calls, result.lines, result.blobs) == (31, 16, 47, 8)
        assert (result.certificate.exact, result.certificate.unrecorded) == (16, 0)
        assert (result.unnamed_blobs, result.notes, result.mismatches) == (0, (), ())


async def test_a_flipped_byte_is_found_wherever_it_is(run: Path, tmp_path: Path) -> None:
    seal(run)
    chance = random.Random(6)
    files = [run / "events.jsonl", *sorted((run / "blobs").glob("*/*"))]
    for _ in range(60):
        path = chance.choice(files)
        data = bytearray(path.read_bytes())
        place = chance.randrange(len(data))
        data[place] ^= 1 << chance.randrange(8)
        shutil.copytree(run, tmp_path / "bad")
        (tmp_path / "bad" / path.relative_to(run)).write_bytes(bytes(data))
        result = await verify_run(tmp_path / "bad")
        assert not result.is_equal, (path, place)
        assert result.problems, "the damage is named"
        shutil.rmtree(tmp_path / "bad")


@pytest.mark.parametrize(
    ("kind", "field", "to", "place"),
    [
        ("us", "score", 61.5, "score"),
        ("gate", "choice", "look", "choice"),
        ("counter", "found", 9, "found"),
        ("stack", "depth", 7, "depth"),
        ("move", "url", "http://reef.example/other", "url"),
        ("proposal", "action", "GoBack", "action"),
        ("verdict", "answer", "17", "answer"),
        ("run.end", "answer", "17", "answer"),
    ],
)
async def test_what_code_would_do_otherwise_is_named_with_both_values(
    run: Path, kind: str, field: str, to: object, place: str
) -> None:
    seen: list[int] = []

    def change(line: Line) -> Line:
        if line["k"] == kind and not seen:
            seen.append(line["step"])
            line["d"][field] = to
        return line

    assert forge(run, change) > 0
    result = await verify_run(run)
    assert result.problems == (), "the chain holds"
    assert result.departure is not None
    found = result.departure
    assert (found.step, found.place, found.field, found.expected) == (seen[0], kind, place, to)
    assert found.got != to


async def test_a_request_that_changed_names_seam_field_and_both_values(run: Path) -> None:
    def change(line: Line) -> Line:
        if line["k"] == "call" and (line["step"], line["d"]["seam"], line["d"]["method"]) == (2, "critic", "judge"):
            line["d"]["request"]["memory"] = "0" * 16
            line["d"]["fingerprint"] = "0" * 32
        return line

    assert forge(run, change) > 0
    found = (await verify_run(run)).departure
    assert found is not None
    assert (found.step, found.place, found.field, found.expected) == (2, "critic.judge", "memory", "0" * 16)
    assert "critic.judge asks for something else: memory: expected" in found.told
    major = await verify_run(run, tolerance="major")
    assert major.is_equal
    assert (major.certificate.exact, major.certificate.major, major.certificate.unrecorded) == (15, 1, 0)
    assert [(mismatch.step, mismatch.seam, mismatch.field) for mismatch in major.mismatches] == [
        (2, "critic", "memory")
    ]
    strict = await verify_run(run, tolerance="minor")
    assert (strict.is_equal, strict.certificate.unrecorded) == (False, 1)


async def test_a_word_of_a_prompt_is_a_minor_mismatch(tmp_path: Path) -> None:
    run = Path(shutil.copytree(FOLDER / "model", tmp_path / "run"))
    blobs, seen = open_run(run).blobs, list[bool]()

    def change(line: Line) -> Line:
        if line["k"] == "call" and line["d"]["seam"] == "chat" and not seen:
            asked = msgspec.json.decode(blobs.get(msgspec.convert(line["d"]["request"], BlobRef)))
            first = asked["messages"][0]
            if asked["schema_name"] != "step":
                return line
            seen.append(True)
            first["content"] = first["content"].replace("by walking it", "by wandering it")
            line["d"] |= {"request": asked, "fingerprint": "0" * 32}
        return line

    assert forge(run, change) > 0
    assert (await verify_run(run)).is_equal, "a plain replay takes the minds' own answers"
    exact = await verify_run(run, deep=True)
    assert exact.departure is not None
    assert (exact.departure.place, exact.departure.field) == ("chat.complete", "messages[0].content")
    minor = await verify_run(run, deep=True, tolerance="minor")
    assert minor.is_equal
    assert (minor.certificate.minor, minor.certificate.major) == (1, 0)
    assert 0 < minor.mismatches[0].distance < 0.1


async def test_a_changed_threshold_departs_where_it_is_told_first(run: Path) -> None:
    manifest = json.loads((run / "run.json").read_text())
    manifest["settings"]["threshold"] = 5.0
    (run / "run.json").write_text(json.dumps(manifest))
    found = (await verify_run(run)).departure
    assert found is not None
    assert (found.step, found.place, found.field, found.expected, found.got) == (
        0,
        "run.start",
        "settings.threshold",
        70.0,
        5.0,
    )


async def test_a_lost_blob_is_named_with_its_line(run: Path) -> None:
    lost = min((run / "blobs").glob("*/*-*"))
    lost.unlink()
    result = await verify_run(run)
    assert not result.is_equal
    assert any(lost.name[:12] in problem and "missing" in problem for problem in result.problems)


async def test_a_walk_that_was_cut_off_is_equal_as_far_as_it_goes(run: Path) -> None:
    log = run / "events.jsonl"
    data = log.read_bytes()
    log.write_bytes(data[: data.index(b"\n", len(data) // 2) + 20])
    result = await verify_run(run)
    assert result.is_equal
    assert result.events > 5
    assert [note.split(";")[0] for note in result.notes] == [
        "the last line is truncated after 19 bytes",
        "the walk was interrupted or failed: the recording ends here",
    ]


@pytest.mark.parametrize("data", [b"", b"{", b'{"version": [9, 0]}'])
async def test_no_run_is_a_problem_and_no_crash(run: Path, data: bytes) -> None:
    (run / "run.json").write_bytes(data)
    result = await verify_run(run)
    assert (result.is_equal, len(result.problems)) == (False, 1)
