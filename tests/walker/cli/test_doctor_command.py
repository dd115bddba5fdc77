"""`walker doctor` as a person runs it."""

from __future__ import annotations

import json
from pathlib import Path

from tests.sites.search_service import SearchService
from tests.sites.serving import serving
from tests.walker.cli.program import NO_BROWSER, walker_here
from walker.doctor.search_trial import QUERY

NAMES = [
    "python",
    "packages",
    "builds",
    "playwright",
    "browser",
    "embeddings",
    "ocr",
    "icons",
    "device",
    "runs folder",
    "disk space",
    "fonts",
    "keys",
    "model",
]
"""All that is examined, once, in this order; the only list of it."""


def test_a_machine_that_has_everything_is_told_so_and_nothing_is_left_on_it(tmp_path: Path) -> None:
    ended = walker_here("doctor", folder=tmp_path)
    assert (ended.code, ended.err) == (0, "")
    told = [line.partition(": ") for line in ended.out.splitlines() if not line.startswith(" ")]
    assert [name for name, _, _ in told] == [f"ok   {name}" for name in NAMES]
    assert all(detail for _, _, detail in told)
    assert list(tmp_path.iterdir()) == []


def test_what_is_missing_fails_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "runs").write_text("a file, not a folder")
    ended = walker_here("doctor", "--json", folder=tmp_path, WALKER_CHROMIUM=str(tmp_path / "none"))
    assert (ended.code, ended.err) == (1, "")
    report = json.loads(ended.out)
    checks = {check["name"]: check for check in report["checks"]}
    assert (report["ok"], list(checks)) == (False, NAMES)
    assert [name for name, check in checks.items() if not check["ok"]] == ["browser", "runs folder"]
    assert checks["browser"]["detail"] == f"{tmp_path / 'none'}: there is no program there"
    assert "WALKER_CHROMIUM" in checks["browser"]["advice"]
    assert "--runs" in checks["runs folder"]["advice"]


def test_a_program_that_is_no_browser_is_told(tmp_path: Path) -> None:
    fake = tmp_path / "fake"
    fake.write_text("#!/bin/sh\nexit 1\n")
    fake.chmod(0o755)
    ended = walker_here("doctor", folder=tmp_path, WALKER_CHROMIUM=str(fake))
    assert (ended.code, ended.err) == (1, "")
    (failed,) = [line for line in ended.out.splitlines() if line.startswith("FAIL")]
    assert failed.startswith(f"FAIL browser: {fake} does not start: ")


def test_a_search_service_is_tried_as_a_walk_asks_it(tmp_path: Path) -> None:
    hits = [(f"https://{name}.example/", name, "an encyclopedia") for name in "ab"]
    with serving(SearchService({QUERY: hits})) as service:
        good = walker_here("doctor", "--search", service.address, folder=tmp_path)
        service.hits.clear()
        empty = walker_here("doctor", "--search", service.address, folder=tmp_path, **NO_BROWSER)
        service.formats = ("html",)
        refused = walker_here("doctor", "--search", service.address, "--json", folder=tmp_path)
    gone = walker_here("doctor", "--search", service.address, folder=tmp_path)
    wrong = walker_here("doctor", "--search", "none.yaml", folder=tmp_path)
    assert good.code == 0
    assert "found 2 pages on 2 hosts for “encyclopedia”" in good.out
    assert "check which engines it has switched on" in " ".join(empty.out.split())
    assert refused.code == gone.code == 1
    checks = {check["name"]: check for check in json.loads(refused.out)["checks"]}
    assert "add json to the formats under search" in checks["search"]["detail"]
    assert "FAIL search: " in gone.out
    assert wrong.code == 2
    assert wrong.line.startswith("walker: none.yaml: the file cannot be read")
