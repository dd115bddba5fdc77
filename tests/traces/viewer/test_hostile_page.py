"""A recorded page that tries to run script, to load from outside, to move the frame and to break out of it."""

# ruff: noqa: E501 (markup, and what it should become, read better whole)
from __future__ import annotations

from pathlib import Path

import pytest
from playwright.async_api import Browser, expect

from tests.sites.pages_on_loopback import serve
from tests.traces.viewer.browsing import Watched, viewing, watched
from tests.traces.viewer.walks import write_start, write_step
from traces.manifest import RunManifest
from traces.store.recorder import Recorder
from traces.viewer.export import write_page
from traces.viewer.library import Library

pytestmark = pytest.mark.asyncio(loop_scope="session")

ATTACKS = """<!doctype html><html><head><title>"><script>parent.owned = 1</script></title>
<base href="OUT/base/"><meta http-equiv="refresh" content="0; url=OUT/refresh">
<meta http-equiv="Content-Security-Policy" content="script-src * 'unsafe-inline'">
<link rel="stylesheet" href="OUT/a.css"><link rel="preconnect" href="OUT"><link rel="dns-prefetch" href="OUT"><link rel="prefetch" href="OUT/prefetch"><link rel="icon" href="OUT/icon.png">
<style>@import url(OUT/import.css); @font-face { font-family: f; src: url(OUT/f.woff2); } p { font-family: f; background: url(OUT/bg.png); } h4::before { content: url(OUT/c.png); }</style>
<script>document.title = "owned"; parent.document.title = "owned"; top.location = "OUT/top";</script><script src="OUT/a.js"></script></head>
<body onload="parent.owned = 2" background="OUT/body.png">
<h1 onmouseover="parent.owned = 3">Harbour number 7 has 8 berths.</h1><p id="words">Ships call here.</p>
<img src="OUT/i.png" srcset="OUT/i2.png 2x" onerror="parent.owned = 4"><img src=x onerror="top.owned = 5"><picture><source srcset="OUT/s.webp"><img></picture>
<div style="background-image: url(OUT/style.png)">styled</div><input type="image" src="OUT/input.png"><video poster="OUT/poster.png" src="OUT/v.mp4" autoplay></video><audio src="OUT/a.mp3" autoplay></audio>
<svg><script>parent.owned = 6</script><image href="OUT/svg.png"/><use href="OUT/use.svg#a"/><a xlink:href="javascript:parent.owned=7"><text y="20">press</text></a><animate attributeName="href" values="OUT/smil"/></svg>
<svg><style><img src=x onerror="parent.owned = 8"></style></svg><math><mtext><table><mglyph><style><img src=x onerror="parent.owned = 9"></style></mglyph></table></mtext></math>
<a id="self" href="OUT/self">self</a><a id="blank" href="OUT/blank" target="_blank" ping="OUT/ping">blank</a><a id="top" href="OUT/top" target="_top">top</a><a id="js" href="javascript:top.owned=10">js</a>
<form action="OUT/form" target="_top"><button id="send">send</button></form><form id="f2" action="javascript:top.owned=11"><input autofocus onfocus="top.owned=12"><button formaction="OUT/formaction">go</button></form>
<iframe src="OUT/frame"></iframe><iframe srcdoc="<script>top.owned=13</script>"></iframe><object data="OUT/object"></object><embed src="OUT/embed"><frameset><frame src="OUT/fr"></frameset>
<noscript><img src="OUT/noscript.png"></noscript><template><img src="OUT/template.png"></template></body></html></iframe>"></iframe><script>parent.owned = 14</script>
<style></style><img src="OUT/after.png"></srcdoc>"""


def hostile_run(folder: Path, outside: str) -> Path:
    manifest = RunManifest(
        run_id="hostile", created=1.0, question="<img src=x onerror='owned = 20'>", root_url="javascript:owned=21"
    )
    recorder = Recorder.create(folder, manifest, clock=lambda: 1.0)
    write_start(recorder)
    write_step(recorder, 7, ATTACKS.replace("OUT", outside))
    recorder.close()
    return folder


async def press_everything(seen: Watched) -> None:
    """The page in its frame, looked at and pressed all over."""
    page = seen.page
    await page.get_by_role("tab", name="Page").click()
    frame = page.frame_locator("iframe.recorded")
    await expect(frame.locator("#words")).to_be_visible()
    await expect(frame.locator("mark.walker-found")).to_have_text("Harbour number 7 has 8 berths.")
    for name in ("self", "blank", "top", "js", "send"):
        await frame.locator(f"#{name}").click(force=True)
    await frame.locator("h1").hover()
    await page.get_by_role("tab", name="Text").click()
    await page.get_by_role("tab", name="Page").click()
    await expect(frame.locator("#words")).to_be_visible()
    await page.wait_for_timeout(300)


async def nothing_happened(seen: Watched, came: list[str]) -> None:
    page = seen.page
    assert await page.evaluate("window.owned") is None
    assert (await page.title()).endswith("· Walker")
    assert len(page.context.pages) == 1
    assert came == []
    own = page.frames[0]
    for child in own.child_frames:
        assert child.url in ("about:srcdoc", "about:blank")
    frame = page.locator("iframe.recorded")
    assert await frame.get_attribute("sandbox") == ""
    page_text = await frame.get_attribute("srcdoc") or ""
    assert page_text.index("Content-Security-Policy") < page_text.index("words")
    for never in ("<script", 'http-equiv="refresh"', "<base", "<link", "<iframe", "<object", "<embed", "preconnect"):
        assert never not in page_text


async def test_a_hostile_page_does_nothing_in_the_viewer(browser: Browser, tmp_path: Path) -> None:
    came: list[str] = []
    with serve(_Noting(came)) as outside:
        run = hostile_run(tmp_path / "run", outside)
        async with viewing(browser, run, "#step=7") as seen:
            start = seen.page.url
            await press_everything(seen)
            await nothing_happened(seen, came)
            assert seen.page.url == start
            assert "onerror" in await seen.text("h1")


async def test_a_hostile_page_does_nothing_in_an_exported_file(browser: Browser, tmp_path: Path) -> None:
    came: list[str] = []
    with serve(_Noting(came)) as outside:
        run = hostile_run(tmp_path / "run", outside)
        write_page(Library(run), tmp_path / "report.html")
        file = (tmp_path / "report.html").as_uri()
        async with watched(browser, f"{file}#step=7") as seen:
            await press_everything(seen)
            await nothing_happened(seen, came)
            assert seen.errors == []
            assert seen.outside(file) == []


async def test_the_frame_holds_even_without_the_cleaning(browser: Browser, tmp_path: Path) -> None:
    """Sandbox and policy alone, the page put in as it was recorded."""
    came: list[str] = []
    with serve(_Noting(came)) as outside:
        run = hostile_run(tmp_path / "run", outside)
        async with viewing(browser, run, "#step=7") as seen:
            page = seen.page
            await page.get_by_role("tab", name="Page").click()
            await expect(page.frame_locator("iframe.recorded").locator("#words")).to_be_visible()
            bare = "<!doctype html><p id=bare>here</p>" + ATTACKS.replace("OUT", outside).replace(
                '<link rel="preconnect"', '<link rel="none"'
            ).replace('"dns-prefetch"', '"none"')
            await page.evaluate("html => { document.querySelector('iframe.recorded').srcdoc = html; }", bare)
            await page.wait_for_timeout(800)
            assert await page.evaluate("window.owned") is None
            assert came == []
            seen.asked.clear()


class _Noting(dict[str, "str | bytes"]):
    """Pages of the outside: each visit is noted."""

    def __init__(self, came: list[str]) -> None:
        super().__init__()
        self._came = came

    def get(self, path: str, default: object = None) -> str:
        self._came.append(path)
        return "<script>parent.owned = 99</script>"
