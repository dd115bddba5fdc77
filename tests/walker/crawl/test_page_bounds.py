"""What a page may be: pages that are too large, have too many elements, or never end are given up, and the crawl goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sites.misbehaving import serve_misbehaving
from tests.sites.over_tls import chromium_that_trusts_all, served_over_tls
from tests.sites.pages_on_loopback import serve
from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from walker.browser.launch.find_chromium import find_browser
from walker.browser.playwright import playwright_browser
from walker.browser.selenium import selenium_browser
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.spec_loader import CrawlScript

DRIVERS = ["http", "auto", "playwright", "selenium"]
RENDERED = ["playwright", "selenium"]
FINE = "<title>Fine</title><h1>Fine</h1><p>A page of the ordinary size, with words about the harbour.</p>"
MANY = "<title>Many</title>" + "<p>row</p>" * 3000
LARGE = "<title>Large</title><p>" + "word " * 400_000
GROWS = "<title>Grows</title><p id=x></p><script>x.textContent = 'word '.repeat(400000)</script>"


class Flood(LoopbackSite):
    """Sends markup as fast as it is taken, without end."""

    sent = 0

    def answer(self, asked: Asked) -> Answer | None:
        return Answer(parts=self._parts()) if asked.target == "/flood" else None

    def _parts(self) -> Iterator[bytes]:
        part = b"<p>" + b"and on " * 9000
        while True:
            yield part
            self.sent += len(part)


@pytest.fixture
def flood() -> Iterator[Flood]:
    with serving(Flood()) as site:
        yield site


@pytest.fixture(scope="module")
def secure_flood(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Flood]:
    with served_over_tls(Flood(), tmp_path_factory.mktemp("tls")) as server:
        yield server


async def crawled(
    folder: Path, home: str, paths: list[str], driver: str, *, chromium: str = "", **parts: Any
) -> dict[str, str]:
    """What became of each path: "done", or why not."""
    spec = CrawlSpec.model_validate(
        {"start": [home + path for path in paths], "driver": driver, "polite": {"retries": 0}, **parts}
    )
    await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder, chromium=chromium))
    rows = [json.loads(line) for line in (folder / "pages.jsonl").read_text().splitlines()]
    return {row["url"].removeprefix(home): row.get("why", row["state"]) for row in rows}


@pytest.mark.parametrize("driver", DRIVERS)
async def test_too_many_elements_and_too_many_bytes(tmp_path: Path, driver: str) -> None:
    with serve({"/fine": FINE, "/many": MANY, "/large": LARGE}) as home:
        found = await crawled(
            tmp_path,
            home,
            ["/many", "/large", "/fine"],
            driver,
            page_elements=1000,
            page_bytes=1_000_000,
            concurrency=1,
        )
    assert found["/fine"] == "done"
    assert found["/many"] == "unreadable: more than 1000 elements"
    assert found["/large"] == "unreadable: it is larger than 1000000 bytes, the limit for one response"


@pytest.mark.parametrize("driver", RENDERED)
async def test_a_page_that_makes_itself_too_large(tmp_path: Path, driver: str) -> None:
    with serve({"/fine": FINE, "/grows": GROWS}) as home:
        found = await crawled(tmp_path, home, ["/grows", "/fine"], driver, page_bytes=1_000_000, concurrency=1)
    assert found["/fine"] == "done"
    assert found["/grows"].startswith("unreadable: it is larger than 1000000 bytes")


@pytest.mark.parametrize("driver", ["http", *RENDERED])
async def test_a_flood_is_cut_off(tmp_path: Path, flood: Flood, driver: str) -> None:
    found = await crawled(tmp_path, flood.home, ["flood"], driver, page_bytes=1_000_000, page_seconds=60)
    assert found["flood"].startswith("unreadable: it is larger than 1000000 bytes")
    assert flood.sent < 20_000_000, "what is in buffers when it is cut"


@pytest.mark.parametrize("driver", RENDERED)
async def test_a_flood_over_tls_is_cut_off_too(tmp_path: Path, secure_flood: Flood, driver: str) -> None:
    home, secure_flood.sent = f"https://127.0.0.1:{secure_flood.server_port}/", 0
    chromium = chromium_that_trusts_all(tmp_path)
    found = await crawled(tmp_path, home, ["flood"], driver, chromium=chromium, page_bytes=1_000_000, page_seconds=60)
    assert found["flood"].startswith("unreadable: it is larger than 1000000 bytes")
    assert secure_flood.sent < 20_000_000, "what is in buffers when it is cut"


@pytest.mark.parametrize("driver", DRIVERS)
async def test_pages_without_end(tmp_path: Path, driver: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (playwright_browser, selenium_browser):
        monkeypatch.setattr(module, "SCRIPT_SECONDS", 4)
    paths = ["endless", "plain", *(["spin", "endless-alerts"] if driver != "http" else [])]
    with serve_misbehaving() as home:
        own = find_browser().path  # what hangs in it ends with it
        found = await crawled(tmp_path, home, paths, driver, chromium=own, page_seconds=4)
    assert found.pop("plain") == "done"
    assert {why.partition(":")[0] for why in found.values()} <= {"timeout", "crashed"}
    assert set(found) >= set(paths) - {"plain"}
