"""Rows that a page takes away or writes over while it is scrolled or pressed come back once, each with all of its cells."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from perception.snapshot import Snapshot
from tests.sites.serving import Asked, LoopbackSite, serving
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.crawl.fetch.page_steps import steps_then_take
from walker.crawl.script.spec import Step
from walker.seams.protocols import ScriptedBrowser

pytestmark = pytest.mark.asyncio(loop_scope="session")

TEXT = "<p>The harbour of the reef, its boats, its crew and its weather, since 1997.</p>" * 5
CITIES = """const city = (n) => ['Rome', 'Oslo', 'Lima', 'Bonn', 'Cork', 'Nice', 'Faro', 'Kiel', 'Graz'][(n * n + n) % 9];
    const cells = (n) => [`Item ${n};`, city(n), 'In stock', `${n % 3} EUR`, 'Buy'].map((said) => `<div>${said}</div>`).join('');"""
PLACED = (
    """const place = (el, n) => { el.style.cssText = `position:absolute;top:${n * 60}px;height:60px;width:300px`; };"""
)
LINK = """const write = (el, n) => { el.innerHTML = `<a href="/item/${n}">Item ${n}</a>`; place(el, n); };"""
CELLS = "const write = (el, n) => { place(el, n); el.innerHTML = cells(n); };"
SCROLLED = """const pane = document.getElementById('pane'), tall = document.getElementById('tall');
    pane.addEventListener('scroll', () => draw(Math.floor(pane.scrollTop / 60))); draw(0);"""
NEW_ELEMENTS = """const draw = (first) => tall.replaceChildren(...Array.from({length: 8}, (_, k) => first + k).filter((n) => n < 32)
    .map((n) => { const el = document.createElement('div'); write(el, n); return el; }));"""
KEPT_ELEMENTS = """const drawn = new Map();
    const draw = (first) => { for (const [n, el] of drawn) if (n < first || n >= first + 8) { el.remove(); drawn.delete(n); }
      for (let n = first; n < Math.min(32, first + 8); n++) if (!drawn.has(n)) {
        const el = document.createElement('div'); write(el, n); drawn.set(n, el); tall.append(el); } };"""
SHIFTED_ELEMENTS = """const draw = (first) => { for (let k = 0; k < 8; k++) {
    tall.children[k] ?? tall.append(document.createElement('div')); write(tall.children[k], Math.min(24, first) + k); } };"""
RING_OF_ELEMENTS = """const draw = (first) => { while (tall.children.length < 8) tall.append(document.createElement('div'));
    for (let n = Math.min(24, first), k = 0; k < 8; n++, k++) write(tall.children[n % 8], n); };"""

REPLACED_CONTAINER = """const draw = (first) => { const list = document.createElement('article');
    for (let n = first; n < Math.min(32, first + 8); n++) {
      const el = document.createElement('div'); write(el, n); list.append(el); }
    tall.replaceChildren(list); };"""
REPLACED_AROUND = """const draw = (first) => {
    tall.innerHTML = '<section><div>Head</div><div class=list></div><div>Foot</div></section>';
    for (let n = first; n < Math.min(32, first + 8); n++) {
      const el = document.createElement('div'); write(el, n); tall.querySelector('.list').append(el); } };"""


def drawn_by(drawn: str, written: str = LINK, around: str = "{}") -> str:
    """A pane of 32 rows of 60 px, 8 of which are in the document, with text of the page below it."""
    setup, listening = SCROLLED.split("\n", 1)
    pane = '<div id=pane style="height:300px;overflow-y:auto"><div id=tall style="position:relative;height:1920px"></div></div>'
    return f"{around.format(pane)}{TEXT}<script>{CITIES}{PLACED}{written}{setup}{drawn}{listening}</script>"


PAGES = {
    "/new": drawn_by(NEW_ELEMENTS),
    "/kept": drawn_by(KEPT_ELEMENTS),
    "/ring": drawn_by(RING_OF_ELEMENTS),
    "/article": drawn_by(NEW_ELEMENTS, around="<article><h2>Items</h2>{}<p>Updated today</p></article>"),
    "/replaced": drawn_by(REPLACED_CONTAINER),
    "/replaced-around": drawn_by(REPLACED_AROUND),
    "/new-cells": drawn_by(NEW_ELEMENTS, CELLS),
    "/shifted-cells": drawn_by(SHIFTED_ELEMENTS, CELLS),
    "/ring-cells": drawn_by(RING_OF_ELEMENTS, CELLS),
    "/grows": f"""<div id=list></div><button id=more>Load more</button>{TEXT}<script>
        let n = 0; const list = document.getElementById('list'), more = document.getElementById('more');
        const fill = () => {{
            for (let k = 0; k < 4; k++) list.insertAdjacentHTML('beforeend', `<div>Item ${{n++}};</div>`);
            if (n >= 12) more.remove(); }};
        fill(); more.onclick = fill;</script>""",
    "/grows-anew": f"""<div id=list></div><button id=more>Load more</button>{TEXT}<script>
        let n = 0; const list = document.getElementById('list'), more = document.getElementById('more');
        const fill = () => {{
            n += 4;
            const rows = Array.from({{length: n}}, (_, k) => `<div>Item ${{k}};</div>`).join('');
            list.innerHTML = `<div>Items</div><div>${{rows}}</div><div>End</div>`;
            if (n >= 12) more.remove(); }};
        fill(); more.onclick = fill;</script>""",
    "/cards": f"""<div id=cards></div><button id=next>Next</button>{TEXT}<script>{CITIES}
        let first = 0; const cards = document.getElementById('cards'), next = document.getElementById('next');
        const draw = () => {{ cards.innerHTML = [0, 1, 2, 3].map((k) => first + k).map((n) => `<div>${{cells(n)}}</div>`).join('');
            if (first >= 12) next.remove(); }};
        draw(); next.onclick = () => {{ first += 4; draw(); }};</script>""",
    "/one-card": f"""<div id=card></div><button id=next>Next</button>{TEXT}<script>{CITIES}
        let n = 0; const card = document.getElementById('card'), next = document.getElementById('next');
        const draw = () => {{ card.innerHTML = cells(n); if (n >= 11) next.remove(); }};
        draw(); next.onclick = () => {{ n += 1; draw(); }};</script>""",
    "/tabs": f"""<nav><button class=tab>One</button><button class=tab>Two</button><button class=tab>Three</button></nav>
        <div id=panel></div>{TEXT}<script>
        const panel = document.getElementById('panel');
        for (const tab of document.querySelectorAll('.tab')) tab.onclick = () => {{
            const name = tab.textContent;
            panel.innerHTML = `<p>All about ${{name}}.</p><ul><li>First of all</li><li>Second of ${{name}}</li></ul>`; }};
        </script>""",
    "/tabs-in-shadow": f"""<my-tabs></my-tabs>{TEXT}<script>
        customElements.define('my-tabs', class extends HTMLElement {{ connectedCallback() {{
            const root = this.attachShadow({{mode: 'open'}});
            root.innerHTML = '<button>One</button><button>Two</button><button>Three</button><div id=panel></div>';
            for (const tab of root.querySelectorAll('button')) tab.onclick = () => {{
                root.getElementById('panel').innerHTML = `<p>All about ${{tab.textContent}}.</p>`; }};
        }} }});</script>""",
    "/large": f"""<div id=all></div><button id=next>Next</button>{TEXT}<script>
        let n = 0; const all = document.getElementById('all'), next = document.getElementById('next');
        const row = (a, b) => `<div><div>Row ${{n}}-${{a}}-${{b}};</div><div>In stock</div><div>${{b}} EUR</div><div>Buy</div></div>`;
        const draw = () => {{
            all.innerHTML = Array.from({{length: 80}}, (_, a) =>
                '<div>' + Array.from({{length: 50}}, (_, b) => row(a, b)).join('') + '</div>').join('');
            if (n++ > 0) next.remove(); }};
        draw(); next.onclick = draw;
        </script>""",
}


def answer(asked: Asked) -> str:
    return "<!doctype html><title>Rows</title><body>" + PAGES.get(asked.path, "")


@pytest_asyncio.fixture(loop_scope="session", scope="module")
async def browser(chromium: Chromium) -> AsyncIterator[ScriptedBrowser]:
    """One: each list takes seconds to scroll, and that both do steps alike is tested beside this."""
    made = PlaywrightBrowser(chromium, ContextOptions(), lean=True)
    yield made
    await made.close()


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serving(LoopbackSite(answer)) as site:
        yield site.home.rstrip("/")


async def after(browser: ScriptedBrowser, url: str, *steps: Step) -> str:
    assert isinstance(await browser.open(url), Snapshot)
    taken = await steps_then_take(browser, steps, {})
    assert isinstance(taken, Snapshot), taken
    return re.sub(r"<script>.*?</script>", "", taken.html, flags=re.DOTALL)


CITY_NAMES = ("Rome", "Oslo", "Lima", "Bonn", "Cork", "Nice", "Faro", "Kiel", "Graz")


def with_cells(n: int) -> str:
    said = (f"Item {n};", CITY_NAMES[(n * n + n) % 9], "In stock", f"{n % 3} EUR", "Buy")
    return "".join(f"<div>{one}</div>" for one in said)


@pytest.mark.parametrize("path", ["/new", "/kept", "/ring", "/article", "/replaced", "/replaced-around"])
async def test_rows_of_a_virtual_list_with_text_below_come_back_once(
    browser: ScriptedBrowser, home: str, path: str
) -> None:
    html = await after(browser, home + path, Step(scroll="end"))
    assert sorted(int(n) for n in re.findall(r">Item (\d+)</a>", html)) == list(range(32))


@pytest.mark.parametrize("path", ["/new-cells", "/shifted-cells", "/ring-cells"])
async def test_rows_come_back_once_with_the_cells_they_had(browser: ScriptedBrowser, home: str, path: str) -> None:
    html = await after(browser, home + path, Step(scroll="end"))
    assert [html.count(with_cells(n)) for n in range(32)] == [1] * 32
    assert html.count("In stock") == 32


@pytest.mark.parametrize("path", ["/grows", "/grows-anew"])
async def test_a_list_that_only_grows_comes_back_in_no_part(browser: ScriptedBrowser, home: str, path: str) -> None:
    html = await after(browser, home + path, Step(click="#more", until="gone"))
    assert re.findall(r"Item (\d+);", html) == [str(n) for n in range(12)]


@pytest.mark.parametrize(("path", "cards"), [("/cards", 16), ("/one-card", 12)])
async def test_cards_of_five_divs_that_others_replace_stay_whole(
    browser: ScriptedBrowser, home: str, path: str, cards: int
) -> None:
    html = await after(browser, home + path, Step(click="#next", until="gone"))
    assert [html.count(with_cells(n)) for n in range(cards)] == [1] * cards
    assert html.count("In stock") == cards


async def test_words_of_panels_that_share_a_row_come_back(browser: ScriptedBrowser, home: str) -> None:
    html = await after(browser, home + "/tabs", Step(click=".tab", until="each"))
    for name in ("One", "Two", "Three"):
        assert html.count(f"All about {name}.") == html.count(f"Second of {name}") == 1


async def test_panels_in_a_shadow_root_come_back(browser: ScriptedBrowser, home: str) -> None:
    html = await after(browser, home + "/tabs-in-shadow", Step(click="button", until="each"))
    assert [html.count(f"All about {name}.") for name in ("One", "Two", "Three")] == [1, 1, 1]


async def test_thousands_of_rows_that_others_replace_come_back_in_seconds(browser: ScriptedBrowser, home: str) -> None:
    # Of 20,000 elements. A step has 5 s of grace beyond its own time.
    html = await after(browser, home + "/large", Step(click="#next", until="gone", most=2, seconds=1))
    assert html.count("Row 0-") == html.count("Row 1-") == 4000
