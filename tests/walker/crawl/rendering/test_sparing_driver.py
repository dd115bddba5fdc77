"""Pages that are drawn only where that may make a difference: none has less than in a browser that draws."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from perception.snapshot import Snapshot
from tests.fixtures.sparing import sparing_driver, sparing_selenium
from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from walker.browser.launch.chromium import Chromium
from walker.browser.scripts.page_functions import page_function
from walker.crawl.rendering.sparing_driver import MOST_TEMPLATES, DrawnPages, SparingDriver
from walker.crawl.traps.templates import template_of
from walker.seams.protocols import PageFailure

pytestmark = pytest.mark.asyncio(loop_scope="session")

TEXT = "<p>" + "The ferry leaves the quay when the tide allows it, and comes back in the evening with the mail. " * 5
PLAIN = {
    "/text": TEXT,
    "/script": f"{TEXT}<p id=p></p><script>setTimeout(() => {{ p.textContent = 'come ' + 'late' }}, 200)</script>",
    "/answer": f"{TEXT}<p id=p></p><script>fetch('/text').then(() => {{ p.textContent = 'come ' + 'late' }})</script>",
    "/measured": f"{TEXT}<p id=p></p><script>p.textContent = document.body.clientWidth > 1000 ? 'come ' + 'late' : 'narrow'</script>",
    "/lazy": f"{TEXT}<img loading=lazy src=/picture>",
}
"""Nothing of them needs a frame."""
ANIMATED = "<style>@keyframes a { to { color: red } } p { animation: a .05s }</style>"
SHOWN = "p.textContent = 'come ' + 'late'"
DRAWN = {
    "/frame": f"<script>requestAnimationFrame(() => {{ {SHOWN} }})</script>",
    "/later": f"<script>setTimeout(() => requestAnimationFrame(() => {{ {SHOWN} }}), 100)</script>",
    "/idle": f"<script>requestIdleCallback(() => {{ {SHOWN} }})</script>",
    "/in-sight": f"<script>new IntersectionObserver(() => {{ {SHOWN} }}).observe(p)</script>",
    "/measures": f"<script>new ResizeObserver(() => {{ {SHOWN} }}).observe(p)</script>",
    "/animated": f"{ANIMATED}<script>p.onanimationend = () => {{ {SHOWN} }}</script>",
    "/slow": f"{ANIMATED.replace('.05s', '.4s')}<script>p.onanimationend = () => {{ {SHOWN} }}</script>",
    "/faded": f"{ANIMATED}<script>p.addEventListener('animationend', () => {{ {SHOWN} }})</script>",
    "/scrolled": f"<div style='height:9000px'><script>onscroll = () => {{ {SHOWN} }}; setTimeout(scrollTo, 50, 0, 50)</script>",
    "/object": f'<object data=/framed type=text/html onload="{SHOWN}"></object><script>1</script>',
    "/framed-in": "<iframe src=/framed></iframe>",
    "/picture-first": f'<img loading=lazy src=/picture onload="{SHOWN}" onerror="{SHOWN}"><script>1</script>',
}
"""All of them do."""
FRAMED = f"{TEXT}<p id=p></p><script>{SHOWN}</script>"
CALLED = f"""{TEXT}<a href="javascript:void 0" onclick="requestAnimationFrame(() => {{ location = '/by-' + 'frame' }}); show()">go</a>
<script>function show() {{}}</script>"""
COOKIES = {
    "/given": f"{TEXT}<script>document.cookie = 'quay=north; path=/'</script>",
    "/known": f"{TEXT}<p id=p></p><script>requestAnimationFrame(() => {{ p.textContent = `as ${{document.cookie}}` }})</script>",
}


def answer(asked: Asked) -> Answer:
    if asked.path in DRAWN:
        return Answer(f"{TEXT}<p id=p></p>{DRAWN[asked.path]}")
    return Answer(({"/framed": FRAMED, "/called": CALLED} | COOKIES | PLAIN).get(asked.path, TEXT))


@pytest.fixture(scope="module")
def site() -> Iterator[LoopbackSite]:
    with serving(LoopbackSite(answer)) as quay:
        yield quay


@pytest_asyncio.fixture(scope="module", loop_scope="session", params=["playwright", "selenium"])
async def made(request: pytest.FixtureRequest, chromium: Chromium) -> AsyncIterator[SparingDriver]:
    """One for all of a kind: with Selenium each has a Chromium of its own."""
    made = sparing_driver(chromium) if request.param == "playwright" else sparing_selenium()
    yield made
    await made.close()


@pytest.fixture
def driver(made: SparingDriver, monkeypatch: pytest.MonkeyPatch) -> SparingDriver:
    """It knows of no page yet."""
    monkeypatch.setattr(made, "_pages", DrawnPages(template_of))
    return made


async def opened(driver: SparingDriver, site: LoopbackSite, path: str) -> str:
    site.asked.clear()
    page = await driver.open(site.home.rstrip("/") + path)
    assert isinstance(page, Snapshot), page
    return page.html


@pytest.mark.parametrize("path", PLAIN)
async def test_a_page_that_needs_no_frame_is_asked_for_once(
    driver: SparingDriver, site: LoopbackSite, path: str
) -> None:
    html = await opened(driver, site, path)
    assert site.asked.count(path) == 1
    assert "come late" in html or "late" not in PLAIN[path]


@pytest.mark.parametrize("path", DRAWN)
async def test_what_comes_with_a_frame_is_there(driver: SparingDriver, site: LoopbackSite, path: str) -> None:
    assert "come late" in await opened(driver, site, path)
    assert site.asked.count(path) == 2
    # All further pages of the template are drawn at once.
    assert "come late" in await opened(driver, site, path)
    assert site.asked.count(path) == 1


async def test_what_a_press_leads_to_with_a_frame_is_found(driver: SparingDriver, site: LoopbackSite) -> None:
    await opened(driver, site, "/called")
    found = await driver.run(page_function("steps/click_probe.js", "probeClicks"), [10, 1000], seconds=5)
    assert isinstance(found, dict)
    assert found["found"] == [site.home.rstrip("/") + "/by-frame"]


async def test_a_page_is_drawn_to_be_looked_at(driver: SparingDriver, site: LoopbackSite) -> None:
    await opened(driver, site, "/text")
    view = await driver.see()
    assert not isinstance(view, PageFailure)
    assert view.picture
    assert site.asked.count("/text") == 2


async def test_both_tabs_are_of_one_visitor(driver: SparingDriver, site: LoopbackSite) -> None:
    await opened(driver, site, "/given")
    assert "as quay=north" in await opened(driver, site, "/known")
    assert site.asked.count("/known") == 2, "it was drawn"
    assert [cookie.name for cookie in (await driver.state()).cookies] == ["quay"]
    assert "come late" in await opened(driver, site, "/script")
    assert site.asked.count("/script") == 1, "there is the tab without frames still"


async def test_few_pages_of_a_host_are_opened_twice() -> None:
    pages = DrawnPages(template_of)
    for depth in range(MOST_TEMPLATES):
        assert not pages.has(f"https://a.example/{depth * 'part/'}")
        pages.add(f"https://a.example/{depth * 'part/'}")
    assert pages.has("https://a.example/anything/else")
    assert not pages.has("https://b.example/articles/")
