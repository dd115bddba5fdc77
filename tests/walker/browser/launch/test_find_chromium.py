"""Which browser is started."""

from __future__ import annotations

from pathlib import Path

import pytest

from walker.browser.launch import find_chromium as finding
from walker.browser.launch.find_chromium import find_browser
from walker.errors import BrowserUnavailable


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without a browser: a folder of commands and a home, both empty."""
    monkeypatch.setattr(finding, "SHELL_NAMES", finding.SHELL_NAMES[1:])
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    monkeypatch.setenv("HOME", str(tmp_path))
    return tmp_path


def put(path: Path) -> str:
    """A program at a path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("#!/bin/sh\n", encoding="ascii")
    path.chmod(0o755)
    return str(path)


def test_the_one_without_a_window_comes_first_where_none_is_needed(bare: Path) -> None:
    whole, shell = put(bare / "bin/chromium"), put(bare / "bin/chromium-headless-shell")
    assert find_browser().path == shell
    assert find_browser(windowed=True).path == whole
    assert find_browser(whole).path == whole


def test_playwrights_own_is_found_where_the_system_has_none(bare: Path) -> None:
    home = bare / ".cache" / "ms-playwright"
    old, whole = (put(home / f"chromium-{build}/chrome-linux64/chrome") for build in (1180, 1200))
    assert (find_browser().path, find_browser().source) == (whole, "playwright")
    shell = put(home / "chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell")
    assert find_browser().path == shell
    assert find_browser(windowed=True).path == whole != old


def test_none_at_all_is_one_line_that_says_how_to_get_one(bare: Path) -> None:
    put(bare / "bin/chromium-headless-shell")
    with pytest.raises(BrowserUnavailable, match="no Chromium or Chrome is installed"):
        find_browser(windowed=True)
