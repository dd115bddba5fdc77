"""What comes late to a page that has text already is read by a crawl, whichever browser it drives."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from perception.snapshot import Snapshot
from tests.fixtures.sparing import sparing_driver, sparing_selenium
from tests.sites.late_content import serve_late_content
from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from walker.browser.launch.chromium import Chromium
from walker.browser.page.settled_page import SETTLE_MS
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.spec_loader import CrawlScript

LATE = "fetched asked body chained timer frame idle events socket imported script".split()
POLLS = "polling"


@pytest.mark.parametrize("driver", ["playwright", "selenium", "auto"])
async def test_what_a_page_has_begun_is_kept(tmp_path: Path, driver: str) -> None:
    with serve_late_content() as home:
        spec = CrawlSpec.model_validate(
            {"start": [home + name for name in (*LATE, POLLS)], "driver": driver, "concurrency": 3}
        )
        await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path))
    rows = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    words = {row["url"].removeprefix(home): row["words"] for row in rows}
    assert words == {**dict.fromkeys(LATE, words[POLLS] + len(("Two", "boats"))), POLLS: words[POLLS]}


ROUTES = [f"#/operation/{name}" for name in ("list", "add", "show", "change", "remove")]
TEXT = "The ferry leaves the quay when the tide allows it, and comes back in the evening with the mail. " * 3
APPLICATION = f"""<title>Operations</title><nav>{"".join(f"<a href='{route}'>{route}</a> " for route in ROUTES)}</nav>
<p>{TEXT}</p><div id=view></div><script>
const show = () => setTimeout(() => {{ view.textContent = `Reads ${{location.hash || "all"}}` }}, 350);
onhashchange = show;
show();
</script>"""


@pytest.mark.parametrize("driver", ["playwright", "selenium", "auto"])
async def test_a_route_is_no_copy_of_the_one_before(tmp_path: Path, driver: str) -> None:
    with serving(LoopbackSite(lambda asked: Answer(APPLICATION if asked.path == "/" else "", 200))) as site:
        spec = CrawlSpec.model_validate(
            {
                "start": site.home,
                "driver": driver,
                "concurrency": 1,
                "cut_after": 0,
                "keep": ["text"],
            }
        )
        await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path))
    rows = [json.loads(line) for line in (tmp_path / "pages.jsonl").read_text().splitlines()]
    read = {row["url"].partition("#")[2]: row["text"].partition("Reads ")[2].split()[0] for row in rows}
    assert read == {"": "all", **{route[1:]: route for route in ROUTES}}


WORKERS = {
    "/worker": f"{TEXT}<script>new Worker('/w.js')</script>",
    "/shared": f"{TEXT}<script>new SharedWorker('/w.js')</script>",
}


async def test_scripts_of_workers_are_not_waited_for(chromium: Chromium) -> None:
    def answer(asked: Asked) -> Answer:
        return Answer("1", kind="text/javascript") if asked.path == "/w.js" else Answer(WORKERS.get(asked.path, TEXT))

    with serving(LoopbackSite(answer)) as site:
        for driver in (sparing_driver(chromium), sparing_selenium()):
            seconds = []
            for path in ("/shared", "/worker", "/shared"):
                page = await driver.open(site.home.rstrip("/") + path)
                assert isinstance(page, Snapshot)
                seconds.append(page.load_seconds)
            assert max(seconds[1:]) < SETTLE_MS / 1000, "of the first one nobody tells that it has ended"
            await driver.close()
