"""The browsers of one process by kind: the light one, the whole one, one with a window."""

from __future__ import annotations

from walker.browser.launch.chromium import Chromium
from walker.browser.launch.find_chromium import BrowserChoice, find_browser
from walker.browser.launch.kept_chromium import get_chromium
from walker.browser.launch.running_chromium import RunningChromium
from walker.settings import BrowserKind, WindowPlace


class BrowserKinds:
    """Each is found when it is first wanted, and starts with its first page."""

    def __init__(
        self, *, path: str = "", kind: BrowserKind | None = None, cdp: str = "", windows: WindowPlace = "shown"
    ) -> None:
        """`path` of a program, "" to find one; `kind` of the first, None for the lightest that is there; `cdp`: the address of one
        that runs already, which is then the only one. `windows`: where one with a
        window has it. Raises `UsageError` for an address that cannot be."""
        self._path, self.kind, self._windows, self._cdp = path, kind, windows, cdp
        self._running = RunningChromium(cdp) if cdp else None
        self._made: dict[BrowserKind | None, Chromium] = {}

    @property
    def first(self) -> Chromium:
        """That of all pages, until one is kept closed. Raises `BrowserUnavailable`."""
        return self._running or self.of(self.kind)

    @property
    def choice(self) -> BrowserChoice:
        """The program of the first. Raises `BrowserUnavailable`."""
        return self._choice_of(self.kind)

    def of(self, kind: BrowserKind | None) -> Chromium:
        """The browser of a kind; Raises `BrowserUnavailable`."""
        if self._running is not None:
            return self._running
        if kind not in self._made:
            headed = kind == "headed"
            self._made[kind] = get_chromium(self._choice_of(kind), headed=headed, virtual=self._windows == "virtual")
        return self._made[kind]

    @property
    def running(self) -> RunningChromium | None:
        """The person's own, where that is used."""
        return self._running

    @property
    def is_movable(self) -> bool:
        """Whether there is another kind to go on in."""
        return self._running is None

    def fuller(self) -> BrowserKind | None:
        """What a page is opened in that the first keeps closed: with a window where one can be, else the whole browser; None where the
        first is the fullest."""
        if self._running is not None or self.kind == "headed":
            return None
        if self._windows != "none":
            return "headed"
        is_light = self.kind != "chrome" and not self._path and find_browser().is_shell
        return "chrome" if is_light and not find_browser(windowed=True).is_shell else None

    def can_show(self) -> bool:
        """Whether a person can see a window of the browser."""
        return self._running is not None or self._windows == "shown"

    def again(self) -> BrowserKinds:
        """The same, none of them started."""
        return BrowserKinds(path=self._path, kind=self.kind, cdp=self._cdp, windows=self._windows)

    def _choice_of(self, kind: BrowserKind | None) -> BrowserChoice:
        return find_browser(self._path, windowed=kind in ("chrome", "headed"))

    async def close(self) -> None:
        """Close all that were started."""
        for one in (self._running, *self._made.values()):
            if one is not None:
                await one.close()
