"""The real sites that the figures are measured on: found beside the project, served on loopback."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "testbeds"
SITES = {"python": "http://127.0.0.1:8101/", "sqlite": "http://127.0.0.1:8102/"}
PAGES = {"python": Path("/usr/share/doc/python3.11/html"), "sqlite": Path("/usr/share/doc/sqlite3")}


def serve_or_skip() -> None:
    """Have both sites answer; where that cannot be, say why in one line and end with success."""
    if all(_answers(url) for url in SITES.values()):
        return
    serve = FOLDER / "serve"
    if not serve.exists() or shutil.which("nginx") is None or not all(path.is_dir() for path in PAGES.values()):
        sys.stderr.write(
            "skipped: the documentation sites are not there (apt-get install nginx-light python3-doc sqlite3-doc,"
            " and the testbeds folder beside the project)\n"
        )
        raise SystemExit(0)
    subprocess.run(["bash", str(serve), "start"], check=True, stdout=subprocess.DEVNULL)


def _answers(url: str) -> bool:
    host, port = url.split("/")[2].split(":")
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex((host, int(port))) == 0
