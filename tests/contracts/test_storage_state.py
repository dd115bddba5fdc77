"""Who logged in with one driver is logged in with every other."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import pytest_asyncio

from perception.snapshot import Snapshot
from tests.fixtures.sparing import sparing_driver
from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from walker.browser.http.http_browser import HttpBrowser
from walker.browser.http.http_client import HttpClient
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.browser.page.shared_cookies import SharedCookies
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.browser.selenium.selenium_browser import SeleniumBrowser
from walker.crawl.rendering.auto_driver import AutoDriver
from walker.crawl.rendering.render_decisions import RenderDecisions
from walker.errors import OutputUnwritable, UsageError
from walker.seams.protocols import StatefulBrowser
from walker.seams.web.storage_state import NO_STATE, StorageState, read_state, write_state

pytestmark = pytest.mark.asyncio(loop_scope="session")

DRIVERS = ("playwright", "selenium", "http", "auto")
COOKIES = {
    "/login": ("who=me; Path=/; HttpOnly; SameSite=Strict", "until=later; Path=/; Max-Age=86400", "part=x; Path=/deep"),
    "/logout": ("who=; Path=/; Max-Age=0",),
}
PAGE = """<title>{path}</title><p>{cookie}</p><p id=token>none</p><p>{filler}</p><script>
if ('{path}' === '/login') localStorage.setItem('token', 'kept ☃');
token.textContent = 'token: ' + localStorage.getItem('token');
</script>"""


def answer(asked: Asked) -> Answer:
    cookie = "; ".join(sorted(asked.headers.get("Cookie", "nobody").split("; ")))
    body = PAGE.format(path=asked.target, cookie=cookie, filler="words " * 60)
    return Answer(body, headers=tuple(("Set-Cookie", given) for given in COOKIES.get(asked.target, ())))


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serving(LoopbackSite(answer)) as site:
        yield site.home.rstrip("/")


@pytest_asyncio.fixture(scope="module", loop_scope="session")
async def browsers(home: str, chromium: Chromium) -> AsyncIterator[dict[str, StatefulBrowser]]:
    async with HttpClient(home) as client, HttpClient(home) as other:
        shared = SharedCookies(other.cookies)
        made: dict[str, StatefulBrowser] = {
            "playwright": PlaywrightBrowser(chromium, ContextOptions()),
            "selenium": SeleniumBrowser(find_browser(), ContextOptions()),
            "http": HttpBrowser(client),
            "auto": AutoDriver(
                HttpBrowser(other),
                PlaywrightBrowser(chromium, ContextOptions(), lean=True, prepare=shared.watch),
                RenderDecisions(lambda url: url),
                shared,
            ),
            "sparing": sparing_driver(chromium),
        }
        yield made
        for browser in made.values():
            await browser.close()


async def html_of(browser: StatefulBrowser, url: str) -> str:
    opened = await browser.open(url)
    assert isinstance(opened, Snapshot), opened
    return opened.html


@pytest.mark.parametrize("giver", [*DRIVERS, "sparing"])
async def test_a_login_is_handed_on(
    browsers: dict[str, StatefulBrowser], home: str, tmp_path: Path, giver: str
) -> None:
    await browsers[giver].restore(NO_STATE)
    assert "nobody" in await html_of(browsers[giver], home + "/who")
    await html_of(browsers[giver], home + "/login")
    write_state(tmp_path / "state.json", await browsers[giver].state())
    state = read_state(tmp_path / "state.json")
    cookies = {cookie.name: cookie for cookie in state.cookies}
    assert cookies.keys() == {"who", "until", "part"}
    assert (cookies["who"].value, cookies["who"].http_only, cookies["who"].same_site) == ("me", True, "Strict")
    assert cookies["who"].expires == -1
    assert cookies["until"].expires > 1_700_000_000
    assert (cookies["part"].domain, cookies["part"].path) == ("127.0.0.1", "/deep")
    for taker, browser in browsers.items():
        await browser.restore(state)
        html = await html_of(browser, home + "/who")
        assert "<p>until=later; who=me</p>" in html, taker
        assert "part=x" in await html_of(browser, home + "/deep/in"), taker
        if giver != "http" and taker != "http":
            assert "token: kept ☃" in html, taker
        again = await browser.state()
        assert {cookie.name for cookie in again.cookies} == {"who", "until", "part"}
        assert again.origins == state.origins, "what a driver cannot use it still hands on"


@pytest.mark.parametrize("driver", DRIVERS)
async def test_who_logs_out_stays_out(browsers: dict[str, StatefulBrowser], home: str, driver: str) -> None:
    browser = browsers[driver]
    await browser.restore(NO_STATE)
    await html_of(browser, home + "/login")
    await html_of(browser, home + "/logout")
    assert "who" not in {cookie.name for cookie in (await browser.state()).cookies}
    await browser.restore(NO_STATE)
    assert "nobody" in await html_of(browser, home + "/who")


async def test_a_state_of_playwright_itself_is_read(tmp_path: Path) -> None:
    cookie = {
        "name": "a",
        "value": "b",
        "domain": ".a.example",
        "path": "/",
        "expires": 1800000000.5,
        "httpOnly": False,
    }
    cookie |= {"secure": True, "sameSite": "None", "partitionKey": "x"}
    origin = {"origin": "https://a.example", "localStorage": [{"name": "k", "value": "v"}], "indexedDB": []}
    path = tmp_path / "state.json"
    path.write_text(json.dumps({"cookies": [cookie], "origins": [origin]}))
    async with HttpClient("https://a.example/") as client:
        client.restore(read_state(path))
        state = client.state()
    assert state.origins[0].local_storage[0].value == "v"
    assert state.cookies[0].domain == ".a.example"
    assert (state.cookies[0].secure, state.cookies[0].same_site) == (True, "None")


@pytest.mark.parametrize("written", ["", "[]", '{"cookies": [{"name": 1}]}', "\x80", None])
async def test_a_bad_state_is_one_line(tmp_path: Path, written: str | None) -> None:
    path = tmp_path / "state.json"
    if written is not None:
        path.write_bytes(written.encode("latin-1"))
    with pytest.raises(UsageError) as raised:
        read_state(path)
    assert str(path) in str(raised.value)
    assert "\n" not in str(raised.value)


async def test_a_state_is_written_whole_and_for_its_owner(tmp_path: Path) -> None:
    path = tmp_path / "new" / "state.json"
    write_state(path, StorageState())
    write_state(path, StorageState())
    assert path.stat().st_mode & 0o077 == 0
    assert [entry.name for entry in path.parent.iterdir()] == ["state.json"]
    with pytest.raises(OutputUnwritable, match="cannot be written"):
        write_state(path / "under-a-file", StorageState())
