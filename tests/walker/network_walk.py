"""A real browser led over pages by a test, with its network on the tape: a walk without minds."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from traces.manifest import RunManifest
from traces.recorder import Recorder
from traces.redaction import Redactor
from walker.assembly import Workshop
from walker.browser.chromium import WalkContext
from walker.browser.egress_proxy import EgressProxy
from walker.browser.network_log import NetworkLog
from walker.browser.playwright_browser import PlaywrightBrowser
from walker.replay import on_tape
from walker.running import recorded_settings
from walker.seams import Crew
from walker.settings import Settings
from walker.tape import Tape


async def record_pages(
    folder: Path, root: str, paths: Sequence[str], *, chromium: str, secrets: Sequence[str] = (), pinned_at: float = 0.0
) -> None:
    """One step a page, into `folder`."""
    settings = Settings(chromium=chromium, pinned_at=pinned_at)
    manifest = RunManifest(
        run_id=folder.name, created=time.time(), question="", root_url=root, settings=recorded_settings(settings)
    )
    recorder = Recorder.create(folder, manifest, clock=time.time, redactor=Redactor(secrets, b"key"))
    nobody: Any = None
    async with Workshop(settings) as workshop:
        with contextlib.closing(recorder):
            tape, network = Tape(recorder=recorder), NetworkLog(pinned_at=pinned_at)
            egress = EgressProxy(root)
            live = PlaywrightBrowser(
                workshop.chromium, WalkContext(), page_seconds=5, egress=egress, prepare=network.watch
            )
            edges = {"reader": nobody, "vision": nobody, "explorer": nobody, "critic": nobody}
            crew = on_tape(Crew(browser=live, network=network, **edges), tape)
            for step, path in enumerate(paths, start=1):
                tape.step = step
                await crew.browser.open(root + path)
            await crew.browser.close()
