"""Prints what one call a page and fetching ahead save: a walk of ten pages, each 0.5 s away, with a model that takes 2 s a call.

Both are real servers on loopback and the browser is real; the model is a script that follows the most promising link, and every
fifth time one that nobody would have loaded ahead.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
from figures import print_figure

from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.settings import Limits, ModelSettings, Settings
from walker.testing.chat_server import Asked, Endpoint, Reply

PAGE_SECONDS, MODEL_SECONDS, PAGES = 0.5, 2.0, 10
WANTED = 0.55
QUESTION = "Which tide gauge of the harbour was set up first?"
SUBJECTS = "gauges harbours tides boats charts quays storms floods pilots lamps".split()
LIKELY, UNLIKELY = ("tides", "gauges", "harbours"), "lamps"
"""Of the links of a page, those that the question is about, each time another one, and one that nobody would load ahead."""


class _Slow(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        time.sleep(PAGE_SECONDS)
        name = self.path.strip("/") or "home-0"
        part = int(name.rpartition("-")[2] if name.rpartition("-")[2].isdigit() else 0) + 1
        links = "".join(f'<li><a href="/{word}-{part}">The {word} of part {part}</a></li>' for word in SUBJECTS)
        text = f"<p>This page tells of {name} and leads on to what belongs to it, in ten parts.</p>"
        body = f"<html lang=en><title>{name}</title><main><h1>{name}</h1>{text}<ul>{links}</ul></main>".encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002, ARG002
        return


@contextmanager
def slow_site() -> Iterator[str]:
    """A site each page of which takes `PAGE_SECONDS`."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Slow)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


class Wanderer:
    """Finds nothing and goes on."""

    def __init__(self) -> None:
        self._steps = 0

    def __call__(self, asked: Asked) -> Reply:
        read = {"relevance": 10, "findings": [], "list": 0}
        if asked.schema_name == "critic_find":
            return Reply(text=json.dumps(read), seconds=MODEL_SECONDS)
        if asked.schema_name == "analysis":
            return Reply(text=json.dumps({"kind": "other"}), seconds=MODEL_SECONDS)
        self._steps += 1
        wanted = UNLIKELY if self._steps % 5 == 0 else LIKELY[self._steps % len(LIKELY)]
        link = re.search(
            rf"The {wanted} of part \d+ \[(\d+)\]|\[(\d+)\] The {wanted} of", asked.prompt.partition("\nHere: ")[2]
        )
        assert link is not None, "each page has this link"
        number = int(link[1] or link[2])
        chosen = {"action": "follow", "number": number, "text": "", "reason": "on"}
        if asked.schema_name == "step":
            chosen |= {**read, "sufficient": False}
        return Reply(text=json.dumps(chosen), seconds=MODEL_SECONDS)


async def walked(root: str, model: ModelSettings, folder: str) -> tuple[float, int]:
    """Wall seconds from the first page to the end, and pages."""
    async with Endpoint(Wanderer()) as endpoint:
        settings = Settings(
            model=msgspec.structs.replace(model, base_url=endpoint.base_url),
            limits=Limits(pages=PAGES),
            runs_folder=Path(folder),
        )
        async with WalkResources(settings) as resources:
            began = time.perf_counter()
            outcome = await ask_in(resources, root, QUESTION)
            return time.perf_counter() - began, outcome.pages


async def main() -> None:
    """One call after the other, then one a page, then with pages fetched ahead too."""
    model = ModelSettings(name="test-model")
    with slow_site() as root, tempfile.TemporaryDirectory() as folder:
        one_by_one = msgspec.structs.replace(model, order="in-turn", fetch_ahead=0)
        before, pages = await walked(root, one_by_one, folder)
        combined, _ = await walked(root, msgspec.structs.replace(model, fetch_ahead=0), folder)
        after, same = await walked(root, model, folder)
    assert pages == same == PAGES, "both walks go equally far"
    print_figure("walk of ten pages, one by one", round(before, 1), "s", "", True)
    print_figure("the same, in one call a page", round(combined, 1), "s", "", True)
    print_figure("the same, fetching ahead too", round(after, 1), "s", "", True)
    print_figure(
        "time of a walk with both", round(after / before, 3), "of one by one", f"<= {WANTED}", after / before <= WANTED
    )


if __name__ == "__main__":
    asyncio.run(main())
