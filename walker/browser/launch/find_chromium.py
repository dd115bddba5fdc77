"""Finds the browser to start: the configured one, else the system's, else Playwright's."""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path
from typing import Literal

import msgspec
from playwright._impl._driver import compute_driver_executable

from walker.errors import BrowserUnavailable

SHELL_NAMES = ("/usr/lib/chromium/chromium-headless-shell", "chromium-headless-shell", "chrome-headless-shell")
"""Headless shells: the same pages for a third of the CPU time. Debian's command is a shell script that survives signals, so the
binary itself is preferred."""
SYSTEM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "chrome")
PLAYWRIGHT_SHELLS = (
    "chromium_headless_shell-*/*/chrome-headless-shell*",
    "chromium_headless_shell-*/*/headless_shell*",
)
PLAYWRIGHT_NAMES = (
    "chromium-*/chrome-linux*/chrome",
    "chromium-*/chrome-mac*/Chromium.app/Contents/MacOS/Chromium",
    "chromium-*/chrome-win*/chrome.exe",
)
APPLICATIONS = {
    "Darwin": (
        "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
        "/Applications/Chromium.app/Contents/MacOS/Chromium",
    ),
    "Windows": (
        r"C:\Program Files\Google\Chrome\Application\chrome.exe",
        r"C:\Program Files (x86)\Google\Chrome\Application\chrome.exe",
    ),
}
ADVICE = (
    "Run `make setup`, or install one: `apt-get install chromium` on Debian, `playwright install chromium` elsewhere"
)


class BrowserChoice(msgspec.Struct, frozen=True, kw_only=True):
    """An executable and where it came from."""

    path: str
    source: Literal["named", "system", "playwright"]

    @property
    def is_shell(self) -> bool:
        """Whether it is a headless shell, by its name."""
        return "headless" in Path(self.path).name


def find_browser(explicit: str | None = None, *, windowed: bool = False) -> BrowserChoice:
    """The browser to start; one that can show windows if `windowed`. Raises `BrowserUnavailable` if the named one does not exist, or
    there is none."""
    if explicit:
        found = shutil.which(explicit)
        if found is None:
            raise BrowserUnavailable(
                "there is no program there", where=explicit, advice="Correct WALKER_CHROMIUM, or unset it"
            )
        return BrowserChoice(path=found, source="named")
    shells = () if windowed else SHELL_NAMES
    for name in (*shells, *SYSTEM_NAMES, *APPLICATIONS.get(platform.system(), ())):
        if found := shutil.which(name):
            return BrowserChoice(path=found, source="system")
    if own := _playwright_chromium(windowed=windowed):
        return BrowserChoice(path=own, source="playwright")
    raise BrowserUnavailable("no Chromium or Chrome is installed", advice=ADVICE)


def _playwright_chromium(*, windowed: bool) -> str:
    """The newest Chromium installed by `playwright install`, "" for none."""
    driver = Path(compute_driver_executable()[0])
    home = Path.home()
    folders = [
        driver.parent / "package" / ".local-browsers",
        home / ".cache" / "ms-playwright",
        home / "Library" / "Caches" / "ms-playwright",
        home / "AppData" / "Local" / "ms-playwright",
    ]
    shells = () if windowed else PLAYWRIGHT_SHELLS
    for folder in folders:
        for name in (*shells, *PLAYWRIGHT_NAMES):
            found = [path for path in folder.glob(name) if os.access(path, os.X_OK)]
            if found:
                return str(max(found, key=lambda path: path.as_posix()))
    return ""
