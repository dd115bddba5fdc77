"""What a page reads like once it is shown: words that the screen parts, and text that comes late."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.sites.serving import Asked, LoopbackSite, serving
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.playwright.playwright_browser import PlaywrightBrowser

pytestmark = pytest.mark.asyncio(loop_scope="session")

AROUND = (
    "<header>" + "<p>The harbour of the reef, its boats, its crew and its weather, since 1997.</p>" * 5 + "</header>"
)
LATE = "<script>setTimeout(() => { document.querySelector('main').innerHTML = '<p>Two boats.</p>' }, 700)</script>"
PAGES = {
    "flex": "<p style='display:flex;gap:8px'><span>Boats</span><span>12</span></p>",
    "rows": "<p style='display:flex;flex-direction:column'><b>Length</b><span>18 m</span></p>",
    "margin": "<p><a href='/a'>Crew</a><a href='/b' style='margin-left:10px'>Map</a></p>",
    "block": "<p>Mantis<small style='display:block'>research vessel</small></p>",
    "word": "<p>Un<b>mis</b>takable <a href='/boat'>boat</a>s, H<sub>2</sub>O, <span>ab</span><i>cd</i></p>",
    "narrow": "<p style='width:3em;overflow-wrap:anywhere'>mmmmmm<b>mmmmmmmmm</b>mmmm</p>",
    "letters": "<p style='display:flex'><span>R</span><span>e</span><span>e</span><span>f</span></p>",
    "padded": "<p>call <code style='padding:2px 4px'>boat</code>s</p>",
    "late": f"{AROUND}<main></main>{LATE}",
    "empty": f"{AROUND}<main></main><script>1</script>",
}


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    def answer(asked: Asked) -> str:
        return f"<html lang=en><title>Reef</title><body>{PAGES.get(asked.target.strip('/'), '')}</body></html>"

    with serving(LoopbackSite(answer)) as site:
        yield site.home


async def shown(chromium: Chromium, home: str, name: str) -> Observation:
    browser = PlaywrightBrowser(chromium, ContextOptions())
    try:
        opened = await browser.open(home + name)
    finally:
        await browser.close()
    assert isinstance(opened, Snapshot)
    return observe(opened)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("flex", "Boats 12"),
        ("rows", "Length 18 m"),
        ("margin", "Crew Map"),
        ("block", "Mantis research vessel"),
        ("word", "Unmistakable boats, H2O, abcd"),
        ("narrow", "m" * 19),
        ("letters", "Reef"),
        ("padded", "call boats"),
    ],
)
async def test_words_that_the_screen_parts_are_parted_and_no_others(
    chromium: Chromium, home: str, name: str, text: str
) -> None:
    (block,) = (await shown(chromium, home, name)).blocks
    assert block.text == text


async def test_a_page_with_an_empty_main_part_is_read_when_it_is_filled(chromium: Chromium, home: str) -> None:
    assert "Two boats." in [block.text for block in (await shown(chromium, home, "late")).blocks]


async def test_a_main_part_that_stays_empty_is_not_waited_for_beyond_the_limit(chromium: Chromium, home: str) -> None:
    assert (await shown(chromium, home, "empty")).signals.text_chars > 200
