"""A question asked of the bundled site becomes a script, which is played there, in a real browser, while the site changes."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.endpoint_in_a_thread import served
from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import walker_here
from walker.browser.launch.find_chromium import find_browser
from walker.demo.server import SITE
from walker.testing.chat_server import Asked, Endpoint, Reply

pytestmark = pytest.mark.usefixtures("kept_chromium")
FLUME, LAB, HOME = "/lab/tidal-flume.html", "/lab/index.html", "/index.html"
QUESTION = "What is the greatest depth of water in the tidal flume?"


class ChangingInstitute:
    """The bundled site, whose pages a test changes."""

    def __init__(self, pages: dict[str, str | bytes], root: str, exported: Path) -> None:
        self.pages, self.root, self._exported = pages, root, exported
        self._as_it_was = dict(pages)

    def change(self, path: str, old: str, new: str) -> None:
        text = str(self.pages[path])
        assert old in text
        self.pages[path] = text.replace(old, new)

    def restore(self) -> None:
        self.pages.clear()
        self.pages.update(self._as_it_was)

    def script(self, folder: Path) -> Path:
        return Path(shutil.copy(self._exported / "flume.yaml", folder))


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ChangingInstitute]:
    folder = tmp_path_factory.mktemp("exported")
    pages: dict[str, str | bytes] = {}
    for file in Path(str(SITE)).rglob("*"):
        if file.is_file():
            is_text = file.suffix in (".html", ".css", ".svg")
            pages[f"/{file.relative_to(str(SITE))}"] = file.read_text() if is_text else file.read_bytes()
    with serve(pages) as base:
        site = ChangingInstitute(pages, base + HOME, folder)
        asked = walker_here("ask", site.root, QUESTION, "--json", "-q", folder=folder)
        assert json.loads(asked.out)["answer"] == "1.8 m"
        run = json.loads(asked.out)["trace"]
        for to, name in (("script", "flume.yaml"), ("playwright", "test_flume.py")):
            ended = walker_here("export", run, "--to", to, "-o", name, folder=folder)
            assert ended.code == 0, ended.err
        yield site


@pytest.fixture
def site(recorded: ChangingInstitute) -> Iterator[ChangingInstitute]:
    yield recorded
    recorded.restore()


def test_a_play_of_the_same_site_hits_every_step_and_is_recorded(site: ChangingInstitute, tmp_path: Path) -> None:
    before = site.script(tmp_path).read_text()
    ended = walker_here("play", "flume.yaml", folder=tmp_path)
    assert ended.code == 0, ended.err
    assert ended.out.startswith("1.8 m\n  as before\n")
    assert [line.split()[1] for line in ended.err.strip().splitlines()] == ["hit:"] * 3
    assert not (tmp_path / "flume.patch").exists()
    assert (tmp_path / "flume.yaml").read_text() == before
    (run,) = (tmp_path / "runs").glob("2*")
    assert walker_here("view", str(run), "--export", "run.html", folder=tmp_path).code == 0
    assert walker_here("export", str(run), "--to", "har", "-o", "run.har", folder=tmp_path).code == 0
    replayed = walker_here("replay", str(run), folder=tmp_path)
    assert (replayed.code, "walker play" in replayed.err) == (2, True)


def test_the_lines_and_blobs_of_a_played_script_are_verified(site: ChangingInstitute, tmp_path: Path) -> None:
    site.script(tmp_path)
    assert walker_here("play", "flume.yaml", "-q", folder=tmp_path).code == 0
    verified = walker_here("verify", "runs", folder=tmp_path)
    assert (verified.code, "there are no decisions to repeat" in verified.out) == (0, True), verified
    (events,) = (tmp_path / "runs").glob("2*/events.jsonl")
    events.write_bytes(events.read_bytes().replace(b"flume", b"plume", 1))
    damaged = walker_here("verify", "runs", folder=tmp_path)
    assert (damaged.code, damaged.out.startswith("DAMAGED")) == (1, True), damaged


def test_a_healed_step_is_proposed_and_written_only_when_asked(site: ChangingInstitute, tmp_path: Path) -> None:
    script = site.script(tmp_path)
    before = script.read_text()
    site.change(LAB, ">Tidal flume</a>", ">The water channel</a>")
    site.change(LAB, '<a href="tidal-flume.html"', '<a class="tile" href="tidal-flume.html"')
    strict = walker_here("play", "flume.yaml", "--no-heal", "-q", folder=tmp_path)
    assert (strict.code, "stopped at step 3: follow Tidal flume" in strict.out) == (1, True)
    healed = walker_here("play", "flume.yaml", folder=tmp_path)
    assert healed.code == 0, healed.err
    assert "3 healed by " in healed.err
    assert "there is no link 'Tidal flume'" in healed.err
    assert "proposed in flume.patch; --apply writes it" in healed.out
    assert script.read_text() == before
    assert "+  - follow: The water channel" in (tmp_path / "flume.patch").read_text()
    assert walker_here("play", "flume.yaml", "--apply", "-q", folder=tmp_path).code == 0
    assert "follow: The water channel" in script.read_text()
    assert walker_here("play", "flume.yaml", "--no-heal", "-q", folder=tmp_path).code == 0


def test_a_changed_value_has_an_exit_code_of_its_own(site: ChangingInstitute, tmp_path: Path) -> None:
    site.script(tmp_path)
    site.change(FLUME, "1.8 m", "2.4 m")
    ended = walker_here("play", "flume.yaml", "--json", "-q", folder=tmp_path)
    answer = json.loads(ended.out)["played"]["answer"]
    assert (ended.code, answer["state"], answer["value"], answer["was"]) == (10, "changed", "2.4 m", "1.8 m")
    assert answer["quotes"] == ["Greatest depth of water | 2.4 m"]
    site.change(FLUME, "Greatest depth of water", "Length of the glass part")
    gone = walker_here("play", "flume.yaml", "-q", folder=tmp_path)
    assert (gone.code, gone.out.splitlines()[0]) == (3, "No longer found. It was: 1.8 m")


def test_a_page_that_was_removed_stops_the_play_with_a_diff(site: ChangingInstitute, tmp_path: Path) -> None:
    site.script(tmp_path)
    del site.pages[FLUME]
    ended = walker_here("play", "flume.yaml", "-q", folder=tmp_path)
    assert ended.code == 1
    assert "stopped at step 3: follow Tidal flume\n  status\n  - a page\n  + 404\n" in ended.out
    assert not (tmp_path / "flume.patch").exists()


def test_a_model_finds_what_no_locator_finds_in_one_call(site: ChangingInstitute, tmp_path: Path) -> None:
    script = site.script(tmp_path)
    lines = script.read_text().splitlines(keepends=True)
    # A script of a person who kept the name alone.
    kept = [
        line
        for line in lines
        if not any(word in line for word in ("- css:", "- {text", "{address:", "place:", "        > "))
    ]
    script.write_text("".join(kept))
    site.change(LAB, ">Tidal flume</a>", ">The water channel</a>")

    def reply(asked: Asked) -> Reply:
        line = next(line for line in asked.prompt.splitlines() if "The water channel" in line)
        return Reply(text=json.dumps({"number": int(line.split(".")[0]), "reason": "the flume"}))

    with served(Endpoint(reply)) as endpoint:
        flags = ("--model", "test-model", "--base-url", endpoint.base_url)
        ended = walker_here("play", "flume.yaml", *flags, "--json", "-q", folder=tmp_path)
        report = json.loads(ended.out)
        assert (ended.code, report["model_calls"], len(endpoint.asked)) == (0, 1, 1), ended.err
        assert report["played"]["steps"][2]["by"] == "model"
    assert walker_here("play", "flume.yaml", "-q", folder=tmp_path).code == 1


def test_the_playwright_file_runs_and_asserts_what_is_there(site: ChangingInstitute, tmp_path: Path) -> None:
    file = shutil.copy(site._exported / "test_flume.py", tmp_path)
    browser = {**os.environ, "CHROMIUM": str(find_browser().path), "PYTEST_ADDOPTS": ""}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:xdist",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:asyncio",
        str(file),
    ]
    done = subprocess.run(command, cwd=tmp_path, env=browser, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, "1 passed" in done.stdout) == (0, True), done.stdout[-2000:]
    site.change(LAB, 'href="tidal-flume.html"', 'href="wave-basin.html"')
    fails = subprocess.run(command, cwd=tmp_path, env=browser, capture_output=True, text=True, timeout=120, check=False)
    assert fails.returncode == 1
    assert "to_have_url" in fails.stdout


def test_variables_that_are_not_there_and_scripts_that_are_wrong_are_told_in_one_line(
    site: ChangingInstitute, tmp_path: Path
) -> None:
    script = site.script(tmp_path)
    ended = walker_here("play", "flume.yaml", "--set", "color=red", folder=tmp_path)
    assert (ended.code, ended.line) == (2, "walker: flume.yaml: it has no variable color. It has start")
    checked = walker_here("play", "flume.yaml", "--check", folder=tmp_path)
    assert checked.out.splitlines() == ["  1 open {start}", "  2 follow Laboratory", "  3 follow Tidal flume"]
    script.write_text(script.read_text().replace("  - follow: Tidal flume", "  - clik: Tidal flume"))
    number = script.read_text().splitlines().index("  - clik: Tidal flume") + 1
    wrong = walker_here("play", "flume.yaml", folder=tmp_path)
    assert wrong.code == 2
    assert wrong.line.startswith(f"walker: flume.yaml:{number}: steps[2]: ")
