"""Writes records in parts, and kills its own process in place of the part after so many; address, folder, parts, records."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Any

from walker.crawl.output import s3_objects
from walker.crawl.output.spool import Spool
from walker.crawl.script.destination import S3Parts, destination_of

put, left = s3_objects.put_file, 0


def put_and_die(*given: Any) -> None:
    """The last but for the kill."""
    global left  # noqa: PLW0603 - this program is gone with it
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1
    put(*given)


if __name__ == "__main__":
    address, folder, parts, records = sys.argv[1:]
    left = int(parts)
    s3_objects.put_file = put_and_die  # type: ignore[assignment]
    rows = [{"n": n} for n in range(100, 100 + int(records))]
    to = destination_of(address)
    assert isinstance(to, S3Parts)
    s3_objects.write_s3_parts(Spool.fill(Path(folder), rows, ("n", "more")), to, 10)
