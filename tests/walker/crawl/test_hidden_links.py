"""Links that stand neither in the document nor in an address of it, found by a whole crawl in a real browser and over HTTP."""

from __future__ import annotations

import json
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root

TEXT = "<p>" + "The ferry leaves the quay when the tide allows it, and comes back in the evening with the mail. " * 5

PAGES = {
    "/in-frames": f"""{TEXT}
        <iframe srcdoc="<a href='one'>1</a><iframe srcdoc='&lt;a href=&quot;/folder/two&quot;&gt;2&lt;/a&gt;'></iframe>"></iframe>
        <iframe srcdoc="<base href='/other/'><a href='three'>3</a>"></iframe>""",
    "/written": f"""{TEXT}<iframe id=a></iframe><iframe id=b></iframe><script>
        a.contentDocument.body.innerHTML = '<a href="four">4</a>';
        b.contentDocument.open(); b.contentDocument.write('<a href="five">5</a>'); b.contentDocument.close();
        </script>""",
    "/closed": f"""{TEXT}<my-card></my-card><div id=host></div><script>
        customElements.define('my-card', class extends HTMLElement {{ connectedCallback() {{
          const root = this.attachShadow({{mode: 'closed'}});
          root.innerHTML = '<p>Card</p><my-link></my-link>';
        }} }});
        customElements.define('my-link', class extends HTMLElement {{ connectedCallback() {{
          this.attachShadow({{mode: 'closed'}}).innerHTML = '<a href="/inner">Inner</a>';
        }} }});
        const root = host.attachShadow({{mode: 'closed'}});
        root.innerHTML = '<a href="/outer">Outer</a>';
        document.body.append(`told: ${{host.shadowRoot}} ${{root.mode}} ${{Element.prototype.attachShadow.name}} `
          + `${{/native code/.test(Element.prototype.attachShadow)}}`);
        </script>""",
    "/timers": f"""{TEXT}<script>
        function go() {{ location.href = ['', 'called'].join('/'); }}
        setTimeout(() => go(), 9000);
        let left = 12;
        const tick = () => {{ left -= 1; if (left) setTimeout(tick, 1000); else window.location = '/count' + 'ed'; }};
        setTimeout(tick, 1000);
        let beats = 5;
        const pulse = setInterval(() => {{
          beats -= 1; if (!beats) {{ clearInterval(pulse); location.assign('/pul' + 'sed'); }} }}, 2000);
        setTimeout("location = '/in' + '-text'", 8000);
        const stopped = setTimeout(() => {{ location = '/never' + '-ever'; }}, 9000);
        clearTimeout(stopped);
        setTimeout(() => {{ location = '/logged' + '-out'; }}, 1800000);
        </script>""",
    "/timers-by-parts": f"""{TEXT}<script>
        setTimeout(() => {{ location.pathname = '/by-' + 'path'; }}, 9000);
        setTimeout(() => {{ const link = document.createElement('a'); link.href = '/by-' + 'click'; link.click(); }}, 8000);
        </script>""",
    "/literal": f"{TEXT}<script>setTimeout(function () {{ window.location = '/after/a/while' }}, 9000);</script>",
}
HEADERS = {
    "/refreshed": ("Refresh", "60; url=/after-a-minute"),
    "/listed": ("Link", '</listed/2>; rel="next", </style.css>; rel=preload; as=style, </whole>; rel=canonical'),
}

ENTRY = "<item><title>{0}</title><link>/entry/{0}</link></item><item><guid isPermaLink='true'>/guid/{0}</guid></item>"
FEEDS = {
    "/rss": (
        "application/rss+xml",
        f"<?xml version='1.0'?><rss version='2.0'><channel>{ENTRY.format('rss')}</channel></rss>",
    ),
    "/plain": ("text/xml; charset=utf-8", f"<rss version='2.0'><channel>{ENTRY.format('plain')}</channel></rss>"),
    "/broken": ("application/xml", f"<rss version='2.0'><channel>{ENTRY.format('broken')}<item><b></channel>"),
    "/atom": (
        "application/atom+xml",
        """<feed xmlns="http://www.w3.org/2005/Atom"><entry><link rel="edit" href="/edit"/>
        <link href="/entry/atom"/></entry></feed>""",
    ),
    "/no-feed": ("application/xml", "<list><item><link>/in-a-list</link></item></list>"),
}
PAGES["/with-feeds"] = TEXT + "".join(f'<a href="{path}">{path}</a>' for path in FEEDS)


def answer(asked: Asked) -> Answer | str | None:
    if asked.path in HEADERS:
        return Answer(f"<title>{asked.path}</title>{TEXT}", headers=(HEADERS[asked.path],))
    if asked.path in FEEDS:
        kind, feed = FEEDS[asked.path]
        return Answer(feed, kind=kind)
    body = PAGES.get(asked.path)
    return f"<!doctype html><title>{asked.path}</title>{body or f'Page {asked.path}'}"


async def crawled(folder: Path, path: str, driver: str) -> set[str]:
    with serving(LoopbackSite(answer)) as site:
        spec = spec_of_root(site.home.rstrip("/") + path, driver=driver, concurrency=1, keep=["text"])
        await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder))
        return set(site.asked) - {path, "/robots.txt", "/style.css"}


@pytest.mark.parametrize("driver", ["http", "playwright", "selenium"])
@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/in-frames", {"/one", "/folder/two", "/other/three"}),
        ("/refreshed", {"/after-a-minute"}),
        ("/listed", {"/listed/2", "/whole"}),
        ("/literal", {"/after/a/while"}),
    ],
)
async def test_links_that_every_driver_finds(tmp_path: Path, path: str, found: set[str], driver: str) -> None:
    assert await crawled(tmp_path, path, driver) == found


@pytest.mark.parametrize("driver", ["auto", "http", "playwright", "selenium"])
async def test_entries_of_a_feed_are_links(tmp_path: Path, driver: str) -> None:
    entries = {f"/{kind}/{feed}" for kind in ("entry", "guid") for feed in ("rss", "plain", "broken")}
    assert await crawled(tmp_path, "/with-feeds", driver) == entries | {"/entry/atom"} | set(FEEDS)
    with (tmp_path / "pages.jsonl").open(encoding="utf-8") as lines:
        kept = {urlsplit(json.loads(line)["final_url"]).path for line in lines}
    assert kept & set(FEEDS) == {"/no-feed"}, "a feed is no page"


async def test_a_feed_that_is_kept_as_a_file_leads_on_too(tmp_path: Path) -> None:
    with serving(LoopbackSite(answer)) as site:
        for again in (False, True):
            spec = spec_of_root(f"{site.home}rss", driver="http", keep=["download"])
            report = await crawl(CrawlScript(spec=spec), CrawlSettings(folder=tmp_path, again=again))
            assert (report.pages, report.gone) == (3, {})
    assert {"/entry/rss", "/guid/rss"} <= set(site.asked)


@pytest.mark.parametrize("driver", ["auto", "selenium"])
@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("/written", {"/four", "/five"}),
        ("/closed", {"/inner", "/outer"}),
        ("/timers", {"/called", "/counted", "/pulsed", "/in-text"}),
        ("/timers-by-parts", {"/by-path", "/by-click"}),
    ],
)
async def test_links_that_scripts_make(tmp_path: Path, path: str, found: set[str], driver: str) -> None:
    assert await crawled(tmp_path, path, driver) == found


async def test_closed_shadow_roots_stay_closed_to_the_page(tmp_path: Path) -> None:
    await crawled(tmp_path, "/closed", "playwright")
    assert '"text":"' in (pages := (tmp_path / "pages.jsonl").read_text())
    assert "told: null closed attachShadow true" in pages
