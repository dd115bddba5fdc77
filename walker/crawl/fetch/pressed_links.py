"""Links behind click handlers and timers: what navigates by JavaScript instead of an `href`.

They are clicked, and the timers run, after the snapshot, with every navigation intercepted; elements in forms, or that look as if
they changed something, are not clicked. The URLs found are appended to the markup as links without text, so that they are parsed
like any others.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterable
from typing import cast

import msgspec

from perception.snapshot import Snapshot
from walker.browser.scripts.page_functions import page_function
from walker.seams.protocols import Browser, ScriptedBrowser

MOST_PRESSES, MOST_MILLISECONDS = 300, 2000
_PRESSABLE = re.compile(
    r"<[^>]+\s(?:onclick\s*=|href\s*=\s*[\"']?\s*javascript:|role\s*=\s*[\"']?link\b)", re.IGNORECASE
)


async def with_pressed_links(snapshot: Snapshot, browser: Browser) -> Snapshot:
    """The page with the links that clicks and timers reveal; unchanged if there are none, or no browser to click in."""
    if not hasattr(browser, "run") or getattr(browser, "driver", "") == "http":
        return snapshot
    if not (snapshot.leads_later or _PRESSABLE.search(snapshot.html)):
        return snapshot
    scripted = cast("ScriptedBrowser", browser)
    probe = page_function("steps/click_probe.js", "probeClicks")
    done = await scripted.run(probe, [MOST_PRESSES, MOST_MILLISECONDS], seconds=MOST_MILLISECONDS / 1000)
    found = done.get("found", []) if isinstance(done, dict) else []
    return with_links(snapshot, map(str, found))


def with_links(snapshot: Snapshot, urls: Iterable[str]) -> Snapshot:
    """The page with links to these URLs at its end."""
    links = "".join(f'<a href="{html.escape(url)}"></a>' for url in urls)
    if not links:
        return snapshot
    body, end, rest = snapshot.html.rpartition("</body>")
    if not end:
        body, rest = snapshot.html, ""
    return msgspec.structs.replace(snapshot, html=f'{body}<div data-walker-pressed="">{links}</div>{end}{rest}')
