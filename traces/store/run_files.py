"""Names of the files of a run."""

from __future__ import annotations

LOG_NAME, MANIFEST_NAME, SEAL_NAME, BLOB_FOLDER = "events.jsonl", "run.json", "seal.json", "blobs"
