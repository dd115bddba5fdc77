"""What a crawl finds where it presses buttons, tabs and summaries, and what it must never send, on real pages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from walker.crawl.crawling import CrawlSettings, crawl
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root

TEXT = "<p>" + "The ferry leaves the quay when the tide allows it, and comes back in the evening with the mail. " * 5
HARMLESS = """
<button id=plain>Show timetable</button><div id=shown></div>
<div role=tablist><a role=tab href="#one">One</a><a role=tab href="#two">Two</a></div><div id=panel></div>
<details><summary>More</summary><p id=more></p></details>
<div id=hearing>Islands</div>
<a href="#menu" id=menu>Menu</a><ul id=entries></ul>
<button onclick="location.href = '/straight'">Go</button>
<button onclick="window.open('/window')">New window</button>
<button onclick="history.pushState({}, '', '/route')">Route</button>
<my-box></my-box>
<script>
const link = (path) => `<a href="${path}">${path}</a>`;
plain.onclick = () => {
  shown.innerHTML = '<button id=second>And the next</button>';
  second.onclick = async () => { const answer = await fetch('/data/third'); shown.innerHTML = await answer.text(); };
};
for (const tab of document.querySelectorAll('[role=tab]')) tab.addEventListener('click', (event) => {
  event.preventDefault(); panel.innerHTML = link('/tab/' + tab.textContent.toLowerCase()); });
document.querySelector('details').addEventListener('toggle', () => { more.innerHTML = link('/details'); });
hearing.addEventListener('mousedown', () => { document.body.insertAdjacentHTML('beforeend', link('/heard')); });
menu.addEventListener('click', () => { entries.innerHTML = `<li>${link('/entry')}</li>`; });
customElements.define('my-box', class extends HTMLElement { connectedCallback() {
  const root = this.attachShadow({mode: 'open'}); root.innerHTML = '<button>Open the box</button>';
  root.firstChild.onclick = () => { root.innerHTML = link('/boxed'); }; } });
</script>"""
FOUND = {"/third", "/tab/one", "/tab/two", "/details", "/heard", "/entry", "/straight", "/window", "/route", "/boxed"}
HARMFUL = """
<form action=/sent-by-get id=get><input name=q><button>Look</button><button type=button id=inside>Look again</button></form>
<form action=/sent method=post id=post target=frame><input name=q value=1><input type=submit value=Go></form>
<iframe name=frame id=frame src="/inner"></iframe>
<button id=a>a</button><button id=b>b</button><button id=c>c</button><button id=d>d</button><button id=e>e</button>
<button id=f>f</button><button id=g>g</button>
<button onclick="fetch('/harm/delete')">Delete all</button>
<button class=btn-logout id=h>x</button>
<a href="/harmless">A plain link</a>
<button onclick="location = 'http://elsewhere.example/'">Elsewhere</button>
<script>
inside.onclick = () => get.submit();
h.onclick = () => { location = '/harm/' + 'gone'; };
a.onclick = () => post.submit();
b.onclick = () => post.requestSubmit();
c.onclick = () => fetch('/posted/fetch', {method: 'POST', body: 'x'}).catch(() => fetch('/refused'));
d.onclick = () => { const asked = new XMLHttpRequest(); asked.open('PUT', '/posted/xhr'); asked.send('x'); };
e.onclick = () => navigator.sendBeacon('/posted/beacon', 'x');
f.onclick = () => frame.contentWindow.eval("fetch('/posted/in-frame', {method: 'DELETE'})");
g.onclick = () => {
  const made = document.createElement('iframe'); document.body.append(made);
  made.contentWindow.fetch('/posted/in-new-frame', {method: 'POST'});
  fetch(new Request('/posted/request', {method: 'PATCH'}));
};
</script>"""


def answer(asked: Asked) -> Answer | str:
    if asked.path == "/data/third":
        return '<a href="/third">third</a>'
    body = {"/": HARMLESS, "/harmful": HARMFUL}.get(asked.path, f"Page {asked.path}")
    return f"<!doctype html><title>{asked.path}</title>{TEXT}{body}"


async def crawled(folder: Path, path: str, driver: str, *, press: bool = True) -> list[str]:
    with serving(LoopbackSite(answer)) as site:
        spec = spec_of_root(
            site.home.rstrip("/") + path, driver=driver, concurrency=1, press=press, keep=["text"], scope={"depth": 1}
        )
        await crawl(CrawlScript(spec=spec), CrawlSettings(folder=folder))
        return site.asked


@pytest.mark.parametrize("driver", ["auto", "selenium"])
async def test_presses_show_what_is_behind_them(tmp_path: Path, driver: str) -> None:
    asked = await crawled(tmp_path, "/", driver)
    assert set(asked) >= FOUND, FOUND - set(asked)
    assert not [one for one in asked if " " in one]


async def test_nothing_is_pressed_unless_it_is_asked_for(tmp_path: Path) -> None:
    assert not {"/third", "/tab/one", "/heard", "/entry", "/boxed"} & set(
        await crawled(tmp_path, "/", "playwright", press=False)
    )


@pytest.mark.parametrize("driver", ["playwright", "selenium"])
async def test_presses_send_nothing(tmp_path: Path, driver: str) -> None:
    asked = await crawled(tmp_path, "/harmful", driver)
    assert "/refused" in asked, "the button was pressed, and its request failed"
    assert not [one for one in asked if " " in one or one.startswith(("/sent", "/posted", "/harm/"))]
    assert "/harmless" in asked
    assert not [
        one for one in (tmp_path / "pages.jsonl").read_text().splitlines() if "elsewhere" in json.loads(one)["url"]
    ]
