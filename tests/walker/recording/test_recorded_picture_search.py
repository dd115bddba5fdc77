"""Found pictures in a recording: their previews in blobs, whole again for a walk that goes on."""

from __future__ import annotations

import contextlib
import hashlib
from pathlib import Path

from traces.events import EdgeCall
from traces.manifest import RunManifest
from traces.reading.reader import read_run
from traces.recorded_calls import RecordedCalls
from traces.store.blobs import BlobStore
from traces.store.recorder import Recorder
from traces.store.run_files import BLOB_FOLDER
from walker.recording.recorded_picture_search import RecordedPictureSearch
from walker.recording.recording import Recording
from walker.seams.search_protocols import PictureHit, SearchFailure
from walker.testing.scripted_searches import ScriptedPictureSearch

SEARCHED, ABSENT, BROKEN = b"\x89PNG searched", b"\x89PNG absent", b"\x89PNG broken"
HITS = (
    PictureHit(url="https://a.example/one", title="One", score=0.9, preview=b"\xff\xd8\xff one"),
    PictureHit(url="https://a.example/two", title="Two", score=0.1),
)
FAILED = SearchFailure(kind="unreachable", message="it is gone")


def digest_of(picture: bytes) -> str:
    return hashlib.sha256(picture).hexdigest()


async def test_previews_are_blobs_and_come_back(tmp_path: Path) -> None:
    live = ScriptedPictureSearch({digest_of(SEARCHED): HITS, digest_of(BROKEN): FAILED})
    manifest = RunManifest(run_id="p", created=1.0, question="Who?", root_url="https://a.example/")
    recorder = Recorder.create(tmp_path / "run", manifest, clock=lambda: 1.0)
    with contextlib.closing(recorder):
        search = RecordedPictureSearch(live, Recording(recorder=recorder))
        answers = [await search.find(picture, "", 5) for picture in (SEARCHED, ABSENT, BROKEN)]
    assert answers == [HITS, (), FAILED]
    run = read_run(tmp_path / "run")
    calls = [event for event in run.events if isinstance(event, EdgeCall)]
    assert "$b" in calls[0].outcome[0]["preview"]
    assert "preview" not in calls[0].outcome[1]
    nobody = ScriptedPictureSearch({})
    again = RecordedPictureSearch(
        nobody, Recording(recorded_calls=RecordedCalls(run.events), blobs=BlobStore(tmp_path / "run" / BLOB_FOLDER))
    )
    assert [await again.find(picture, "", 5) for picture in (SEARCHED, ABSENT, BROKEN)] == answers
    assert nobody.asked == []
