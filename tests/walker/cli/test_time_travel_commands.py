"""`walker replay --to`, `--with`, `walker whatif` and `walker why` as a person runs them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.recordings.make import FOLDER
from tests.walker.cli.program import walker_here

COUNT, SINGLE, MODEL = (str(FOLDER / kind) for kind in ("count", "single", "model"))


def test_the_state_at_a_step_is_one_object(tmp_path: Path) -> None:
    done = walker_here("replay", COUNT, "--to", "2", "-q", folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    state = json.loads(done.out)
    assert (state["step"], state["last_step"], state["counter"]["found"]) == (2, 3, 3)
    assert len(done.out.splitlines()) > 20
    assert len(walker_here("replay", COUNT, "--to", "2", "-q", "--json", folder=tmp_path).out.splitlines()) == 1


@pytest.mark.parametrize(
    ("flags", "told"),
    [
        (("--to", "9"), "the recording has 3 steps. Give a step from 0 to 3"),
        (("--to", "1", "--deep"), "--to goes without --deep, --live-after and --with"),
        (("--to", "0", "--view"), "--view goes with --to and a step from 1"),
        (("--with", "tau"), "--with tau: write it as NAME=VALUE, such as tau=60"),
        (("--with", "tau=hot"), "--with tau=hot: tau takes a number from 0 to 100"),
        (("--with", "tau=101"), "tau takes a number from 0 to 100"),
        (("--with", "max_pages=0"), "max_pages takes a number from 1"),
        (("--with", "weather=fine"), "there is no weather; there are base_url, gate, max_pages, model, prompt"),
        (("--with", "prompt=none.md"), "none.md: "),
        (("--with", "prompt=odd.md"), "there is no prompt odd; name the file as one of agentic.en"),
        (("--with", "prompt=explorer.en.md"), "it has no line <!-- user -->"),
        (("--with", "prompt=explorer.zh.md"), "nothing gives it weather"),
        (("--with", "prompt=critic_find.en.md"), "line 3: "),
        (("--with", "tau=60,gate=none.json"), "none.json: "),
    ],
)
def test_what_cannot_be_is_one_line(flags: tuple[str, ...], told: str, tmp_path: Path) -> None:
    (tmp_path / "odd.md").write_text("x")
    (tmp_path / "explorer.en.md").write_text("You walk.")
    (tmp_path / "explorer.zh.md").write_text("You walk.\n<!-- user -->\n{{ weather }}")
    (tmp_path / "critic_find.en.md").write_text("You read.\n<!-- user -->\n{% if %}")
    done = walker_here("replay", COUNT, *flags, "-q", folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert told in done.err.splitlines()[-1]
    assert "Traceback" not in done.err
    assert not (tmp_path / "runs").exists()


def test_thresholds_are_tried_on_all_runs(tmp_path: Path) -> None:
    done = walker_here("whatif", str(FOLDER), "--tau", "40..80:20", folder=tmp_path)
    assert (done.code, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "3 runs, 7 decisions, 0 glances and 0 looks as recorded"
    assert [line.split(":")[0] for line in lines[1:]] == ["tau 40", "tau 60", "tau 80"]
    plain = json.loads(
        walker_here("whatif", COUNT, "--tau", "60", "--tau2", "30..50:10", "--json", folder=tmp_path).out
    )
    assert [(one["tau"], one["tau2"], one["saved"]) for one in plain["scenarios"]] == [
        (60, 30, 0),
        (60, 40, 0),
        (60, 50, 0),
    ]


def test_weights_come_from_a_calibration(tmp_path: Path) -> None:
    gate = {"weights": {"intercept": 5.0, "understanding": 1.0, "answered": 1.0, "blind": -1.0, "gap": 0.0}}
    (tmp_path / "gate.json").write_text(json.dumps(gate | {"tau": 66.0, "tau2": 44.0}))
    done = walker_here("whatif", COUNT, "--weights", "gate.json", folder=tmp_path)
    assert done.out.splitlines()[1].startswith("tau 66 tau2 44: 0 pages flip")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("whatif", COUNT, "--tau", "80..40"), "--tau 80..40: write it as 60, 40..80 or 40..80:2.5, within 0 to 100"),
        (("whatif", COUNT, "--tau", "0..100:0.1"), "1001 thresholds are too many"),
        (("whatif", COUNT, "--weights", "none.json"), "none.json: "),
        (("whatif", "nowhere"), "nowhere: there is no run there"),
        (("why", SINGLE, "1"), "this walk counted nothing: its question asks for no number"),
        (("why", COUNT, "17"), "it counted 5. Give a number from 1 to 5"),
        (("why", "nowhere"), "nowhere: there is no run there"),
    ],
)
def test_wrong_usage_is_one_line(words: tuple[str, ...], told: str, tmp_path: Path) -> None:
    done = walker_here(*words, folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert told in done.err.splitlines()[-1]


def test_an_answer_is_accounted_for_in_five_lines(tmp_path: Path) -> None:
    done = walker_here("why", SINGLE, folder=tmp_path)
    lines = done.out.splitlines()
    assert (done.code, len(lines)) == (0, 5)
    assert lines[0].startswith("answer: 18.4 metres (chance of being right ")
    assert "because: “The research vessel Mantis" in lines[1]
    assert lines[2].startswith("next: ")
    assert lines[3].startswith("said by 0 further pages")
    assert lines[4].startswith("ended: answered after 2 pages; ")
    assert json.loads(walker_here("why", SINGLE, "--json", folder=tmp_path).out)["best"][0]["text"] == "18.4 metres"


def test_a_unit_is_accounted_for(tmp_path: Path) -> None:
    done = walker_here("why", COUNT, "4", folder=tmp_path)
    assert done.out.splitlines()[:2] == ["   4  Dora Papp", "      step 3, http://reef.example/people.html?page=2"]
    whole = walker_here("why", COUNT, folder=tmp_path).out.splitlines()
    assert whole[-1].startswith("5 people: complete")
    assert json.loads(walker_here("why", COUNT, "1", "--json", folder=tmp_path).out)["name"] == "Ana Ruiz"
