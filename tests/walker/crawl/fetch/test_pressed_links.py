"""Links that are no links, in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root

FRONT = """<!doctype html><title>Front</title><h1>Front</h1>
<div onclick="location.href = '/plain'">a</div>
<span onclick="goTo(3)">b</span>
<a href="javascript:window.location = '/by-' + 'program'">c</a>
<button onclick="router.push('/route')">d</button>
<div role=link id=listens>e</div>
<li onclick="setTimeout(() => { window.location.assign('/later') }, 0)">f</li>
<a href="javascript:history.back()">back</a>
<div onclick="fetch('/deleted', {method: 'POST'}); location.href = '/harm'">g</div>
<form action=/sent><button onclick="location.href = '/in-a-form'">h</button></form>
<script>
const router = {push: (path) => history.pushState({}, '', path)};
function goTo(n) { window.location = '/number/' + n * 2; }
document.getElementById('listens').addEventListener('click', () => { location = '/listened'; });
</script>"""
LED_TO = {"/plain", "/number/6", "/by-program", "/route", "/listened", "/later"}


def answer(asked: Asked) -> Answer | str:
    if asked.method == "POST":
        return Answer(status=204)
    if asked.target == "/":
        return FRONT
    return f"<!doctype html><title>{asked.target}</title><h1>Page {asked.target}</h1>"


@pytest.fixture
def site() -> Iterator[LoopbackSite]:
    with serving(LoopbackSite(answer)) as served:
        yield served


@pytest.mark.parametrize("driver", ["playwright", "auto"])
async def test_what_a_press_leads_to_is_crawled_and_nothing_is_sent(
    site: LoopbackSite, tmp_path: Path, driver: str
) -> None:
    spec = spec_of_root(site.home, driver=driver, concurrency=1)
    report = await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path))
    assert set(site.asked) >= LED_TO, LED_TO - set(site.asked)
    assert not [path for path in site.asked if path.startswith("POST")]
    assert report.stop_reason == "complete"
