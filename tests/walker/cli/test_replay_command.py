"""`walker replay` as a person runs it, on whole records and on damaged ones."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.walker.cli.program import walker_here
from traces.events import MoveTaken
from traces.reading.reader import read_run
from traces.store.run_files import SEAL_NAME
from walker.demo.server import serve_institute

DEPTH = "What is the greatest depth of water in the tidal flume?"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run that ended; its site is gone by now."""
    folder = tmp_path_factory.mktemp("recorded")
    with serve_institute() as root:
        ended = walker_here("ask", root, DEPTH, "--json", "--no-scout", folder=folder)
    assert ended.code == 0, ended.err
    trace: str = json.loads(ended.out)["trace"]
    return folder / trace


@pytest.fixture
def run(recorded: Path, tmp_path: Path) -> Path:
    """A copy of it, to be damaged."""
    return Path(shutil.copytree(recorded, tmp_path / "run"))


def test_a_replay_is_one_json_object_and_needs_neither_site_nor_browser(run: Path, tmp_path: Path) -> None:
    ended = walker_here("replay", "run", "--json", folder=tmp_path, WALKER_CHROMIUM=str(tmp_path / "none"))
    assert ended.code == 0, ended.err
    report = json.loads(ended.out)
    assert (report["run"], report["pages"], report["ended_with"], report["problems"]) == ("run", 3, "", [])
    assert (report["outcome"]["answer"], report["outcome"]["trace"]) == ("1.8 m", "run")
    assert report["outcome"]["usage"]["model_calls"] == 0
    assert ended.err.count("Tidal flume") == 1  # progress goes to stderr
    graph = walker_here("replay", "run", "--graph", "g.graphml", "--json", folder=tmp_path)
    assert (graph.code, json.loads(graph.out), graph.err) == (0, {"graph": "g.graphml"}, "")
    assert (tmp_path / "g.graphml").stat().st_size > 1000


def log_lines(run: Path) -> list[bytes]:
    return (run / "events.jsonl").read_bytes().splitlines(keepends=True)


def keep_half(run: Path) -> None:
    """As kill -9 leaves it: without a seal."""
    (run / SEAL_NAME).unlink()
    data = (run / "events.jsonl").read_bytes()
    place = data.index(b"\n", len(data) // 2) + 20
    (run / "events.jsonl").write_bytes(data[:place])


def alter_a_line(run: Path) -> None:
    lines = log_lines(run)
    place = len(lines) // 2
    (run / "events.jsonl").write_bytes(b"".join([*lines[:place], b"garbage\n", *lines[place + 1 :]]))


def lose_the_blobs(run: Path) -> None:
    shutil.rmtree(run / "blobs")


def lose_the_log(run: Path) -> None:
    (run / "events.jsonl").unlink()


def tear_the_manifest(run: Path) -> None:
    (run / "run.json").write_text('{"run_id": "a')


def change(run: Path, **fields: object) -> None:
    manifest = json.loads((run / "run.json").read_text(encoding="utf-8"))
    (run / "run.json").write_text(json.dumps(manifest | fields), encoding="utf-8")


def spoil_the_settings(run: Path) -> None:
    change(run, settings={"limits": "none"})


def make_it_newer(run: Path) -> None:
    change(run, version=[99, 0])


def test_a_walk_that_was_cut_off_replays_as_far_as_it_went(run: Path, tmp_path: Path) -> None:
    keep_half(run)
    moves = [event for event in read_run(run).events if isinstance(event, MoveTaken)]
    assert moves
    ended = walker_here("replay", "run", "-q", folder=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    first, *rest = ended.out.splitlines()
    assert first.startswith("equal: ")
    assert rest == [
        "damaged: the last line is truncated after 19 bytes; it was never acknowledged",
        "the walk was interrupted or failed: the recording ends here; the walk was interrupted",
        "fidelity of the recorded answers: 9 exact, 0 minor, 0 major, 0 not in the recording",
    ]


def alter_what_nothing_depends_on(run: Path) -> None:
    """The time of the last event: the decisions stay equal."""
    lines = log_lines(run)
    place = len(lines) - 1
    envelope = json.loads(lines[place])
    lines[place] = (json.dumps(envelope | {"t": envelope["t"] + 1}, separators=(",", ":")) + "\n").encode()
    (run / "events.jsonl").write_bytes(b"".join(lines))


def test_a_record_that_was_altered_is_no_success_even_where_its_decisions_are_equal(run: Path, tmp_path: Path) -> None:
    alter_what_nothing_depends_on(run)
    ended = walker_here("replay", "run", "-q", folder=tmp_path)
    assert ended.code == 1
    assert "damaged: the log is not the one that was sealed" in ended.out
    assert ended.line == "walker: run: the recording is not what the walk wrote; restore it from a backup"
    told = walker_here("replay", "run", "-q", "--json", folder=tmp_path)
    assert (told.code, json.loads(told.out)["is_altered"]) == (1, True)


@pytest.mark.parametrize(
    ("damage", "code", "told"),
    [
        (alter_a_line, 1, ". The recording is not what the walk wrote; walker verify names the lines"),
        (lose_the_blobs, 1, "the recorded value is missing"),
        (lose_the_log, 2, "nothing was recorded before the walk was interrupted. Ask again"),
        (tear_the_manifest, 2, "run.json: the manifest cannot be read"),
        (spoil_the_settings, 2, "the recorded settings cannot be read (Expected `object`, got `str` - at `$.limits`)"),
        (make_it_newer, 2, "it has format 99.0, written by a newer version; update to read it"),
    ],
)
def test_a_damaged_record_is_one_line(
    run: Path, tmp_path: Path, damage: Callable[[Path], None], code: int, told: str
) -> None:
    damage(run)
    ended = walker_here("replay", "run", "-q", folder=tmp_path)
    assert (ended.code, ended.out) == (code, "")
    assert told in ended.line


def test_a_graph_of_a_record_without_its_pages_is_one_line(run: Path, tmp_path: Path) -> None:
    lose_the_blobs(run)
    ended = walker_here("replay", "run", "--graph", "g.graphml", folder=tmp_path)
    assert (ended.code, ended.out) == (1, "")
    assert "the recorded value is missing. The recording is damaged" in ended.line
    assert not (tmp_path / "g.graphml").exists()


def test_a_graph_that_cannot_be_written_is_one_line(run: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    ended = walker_here("replay", "run", "--graph", "file/g.graphml", folder=tmp_path)
    assert (ended.code, ended.out) == (1, "")
    assert "file/g.graphml: it cannot be written" in ended.line


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--live-after", "99"), "the recording has 3 steps. Give a step from 0 to 3"),
        (("--graph", "g.graphml", "--deep"), "--graph goes without --deep"),
        (("--live-after", "-1"), "--live-after takes a step number from 0"),
    ],
)
def test_a_flag_that_cannot_be_is_wrong_usage(run: Path, tmp_path: Path, flags: tuple[str, ...], told: str) -> None:
    ended = walker_here("replay", "run", *flags, folder=tmp_path)
    assert (ended.code, ended.out) == (2, "")
    assert told in ended.err.splitlines()[-1]
    assert not (tmp_path / "runs").exists()
