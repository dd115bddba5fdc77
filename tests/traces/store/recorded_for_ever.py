"""Records events in a folder, and tells each that was taken; a process of its own, which is killed."""

from __future__ import annotations

import sys
from pathlib import Path

from traces.events import MoveTaken
from traces.manifest import RunManifest
from traces.store.recorder import Recorder

if __name__ == "__main__":
    manifest = RunManifest(run_id="r", created=1.0, question="q", root_url="http://a/")
    recorder = Recorder.create(Path(sys.argv[1]), manifest, clock=lambda: 1.0)
    for step in range(100000):
        recorder.emit(MoveTaken(step=step, move="Open", url="http://a/" + "y" * (step % 7 * 900), reason="r"))
        print(step, flush=True)  # noqa: T201 - to who kills it
