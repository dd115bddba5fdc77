"""Links that only a press shows: elements with a program of the page's own behind them instead of an address.

Pressed once the page was taken, while each navigation is held back; what is in a form, or looks as if it changed something, is left
alone. What was found stands at the end of the page's markup as links without words, so that it is read like any other.
"""

from __future__ import annotations

import html
import re
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
    """The page with the links that presses show; as it is where there is nothing to press, or no browser to press it in."""
    if not hasattr(browser, "run") or getattr(browser, "driver", "") == "http" or not _PRESSABLE.search(snapshot.html):
        return snapshot
    scripted = cast("ScriptedBrowser", browser)
    probe = page_function("steps/click_probe.js", "probeClicks")
    done = await scripted.run(probe, [MOST_PRESSES, MOST_MILLISECONDS], seconds=MOST_MILLISECONDS / 1000)
    found = done.get("found", []) if isinstance(done, dict) else []
    if not found:
        return snapshot
    links = "".join(f'<a href="{html.escape(str(url))}"></a>' for url in found)
    body, end, rest = snapshot.html.rpartition("</body>")
    if not end:
        body, rest = snapshot.html, ""
    return msgspec.structs.replace(snapshot, html=f'{body}<div data-walker-pressed="">{links}</div>{end}{rest}')
