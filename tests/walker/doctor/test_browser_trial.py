from __future__ import annotations

import shutil
from pathlib import Path

import psutil
import pytest

from walker.doctor.browser_trial import try_browser

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome") or ""


@pytest.mark.skipif(not CHROMIUM, reason="no browser on the path")
async def test_a_browser_that_works_tells_its_version_and_is_gone() -> None:
    before = set(psutil.Process().children(recursive=True))
    trial = await try_browser(CHROMIUM)
    assert trial.failure == ""
    assert trial.version.split(".")[0].isdigit()
    started = set(psutil.Process().children(recursive=True)) - before
    assert [child for child in started if "chrom" in child.name()] == []


async def test_a_program_that_is_no_browser_is_told_in_one_line() -> None:
    trial = await try_browser("/bin/false")
    assert trial.version == ""
    assert trial.failure.startswith("/bin/false does not start: ")
    assert "\n" not in trial.failure


async def test_a_path_that_leads_nowhere_is_told(tmp_path: Path) -> None:
    trial = await try_browser(str(tmp_path / "none"))
    assert "does not start" in trial.failure
    assert "none" in trial.failure
