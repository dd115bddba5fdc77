"""A job that is not sure waits at its page: what it asks stands there, one press answers it, and nothing else does."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import msgspec
import pytest
from playwright.async_api import Browser

from tests.sites.members import MembersSite
from tests.sites.pages_on_loopback import serve
from tests.sites.serving import serving
from tests.sites.two_minds import PAGES, QUESTION
from tests.walker.serving.service_here import ended, events, options, sent, served
from walker.browser.playwright.movable_browser import MovableBrowser
from walker.serving.served import ServiceOptions

pytestmark = pytest.mark.usefixtures("kept_chromium")


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with serve(PAGES) as home:
        yield f"{home}/"


def asking(site: str, data: Path) -> ServiceOptions:
    given = options(site, data)
    return msgspec.structs.replace(given, settings=msgspec.structs.replace(given.settings, ask_me=True, scout_pages=0))


async def asks(client: httpx2.AsyncClient, job: str, about: str = "answer") -> dict[str, Any]:
    """What a job asks, once it does; to what it asks before, it is told to go on."""
    async with asyncio.timeout(120):
        while True:
            found = (await client.get(f"/v1/jobs/{job}")).json()
            assert found["state"] not in ("done", "failed"), found
            if (asked := found["asks"]) is not None:
                if asked["kind"] == about:
                    return dict(asked)
                await client.post(f"/v1/jobs/{job}/answer", json={"number": asked["number"], "choice": 1})
            await asyncio.sleep(0.1)


async def test_the_page_shows_what_is_asked_and_one_press_is_the_answer(
    site: str, tmp_path: Path, browser: Browser
) -> None:
    page = await browser.new_page()
    async with served(asking(site, tmp_path)) as client:
        body = {"root": site, "question": QUESTION, "max_pages": 5, "ask_me": True}
        job = (await sent(client, "ask", body))["id"]
        await page.goto(f"{client.base_url}/live/{job}")
        asked = await asks(client, job)
        assert asked["choices"][-1]["text"] == "None of these"
        await page.get_by_text("Nothing found is sure").wait_for()
        await page.locator("#choices button", has_text="1884").first.click()
        result = (await ended(client, job))["result"]
        assert "1884" in result["answer"]
        assert result["citations"][0]["url"] == site
        assert result["by_person"]
        assert "1884" in result["helped"][-1]["chosen"]
        await page.locator("#asks").wait_for(state="hidden")
        kinds = [kind for _, kind, _ in await events(client, job)]
        assert kinds.count("job.asks") == kinds.count("job.answered") == kinds.count("asked") >= 1
        late = await client.post(f"/v1/jobs/{job}/answer", json={"number": asked["number"], "choice": 1})
        assert late.status_code == 409
    await page.close()


async def test_no_other_choice_or_pause_can_be_answered_and_a_reader_cannot_press(
    site: str, tmp_path: Path, browser: Browser
) -> None:
    page = await browser.new_page()
    async with served(asking(site, tmp_path), token="a-long-enough-token") as client:
        body = {"root": site, "question": QUESTION, "max_pages": 5, "ask_me": True}
        sent_job = await sent(client, "ask", body)
        job, live = sent_job["id"], sent_job["links"]["live"]
        assert "No window can open" in sent_job["window"]
        asked = await asks(client, job)
        most = len(asked["choices"])
        for number, choice, status in ((asked["number"] + 1, 1, 409), (asked["number"], most + 1, 422)):
            answer = await client.post(f"/v1/jobs/{job}/answer", json={"number": number, "choice": choice})
            assert answer.status_code == status, answer.text
        assert f"Choose from 0 to {most}" in answer.json()["error"]
        await page.goto(f"{client.base_url}{live}")
        await page.get_by_text("Whoever holds the token").wait_for()
        assert await page.locator("#choices button").first.is_disabled()
        answer = await client.post(f"/v1/jobs/{job}/answer", json={"number": asked["number"], "choice": 0})
        assert answer.status_code == 200
        assert (await ended(client, job))["result"]["answered"] is False
    await page.close()


async def test_a_service_that_asks_nobody_refuses_such_a_job_and_others_never_wait(site: str, tmp_path: Path) -> None:
    body = {"root": site, "question": QUESTION, "max_pages": 5}
    async with served(options(site, tmp_path / "one")) as client:
        refused = await client.post("/v1/asks", json={**body, "ask_me": True})
        assert refused.status_code == 403, refused.text
        assert "--ask-me" in refused.json()["error"]
    async with served(asking(site, tmp_path / "two")) as client:
        job = await sent(client, "ask", body)
        assert job["window"] == ""
        result = (await ended(client, job["id"]))["result"]
        assert (result["answered"], result["by_person"], result["helped"]) == (False, False, [])
        assert "job.asks" not in [kind for _, kind, _ in await events(client, job["id"])]


async def test_a_window_on_the_display_of_the_service_is_told_to_whoever_sent_the_job_in_the_job_and_at_its_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, browser: Browser
) -> None:
    """The window itself is another test's."""

    async def stay(_self: MovableBrowser, _kind: str) -> None:
        return None

    monkeypatch.setattr(MovableBrowser, "move_to", stay)
    page = await browser.new_page()
    with serving(MembersSite()) as members:
        given = asking(members.home, tmp_path)
        given = msgspec.structs.replace(given, settings=msgspec.structs.replace(given.settings, windows="shown"))
        async with served(given) as client:
            body = {
                "root": f"{members.home}members/hours",
                "question": "When does the lighthouse open?",
                "max_pages": 3,
            }
            job = (await sent(client, "ask", {**body, "ask_me": True}))["id"]
            await asks(client, job, about="login wall")
            told = (await client.get(f"/v1/jobs/{job}")).json()["window"]
            assert "on the display of the machine that runs this service" in told
            assert len(told.splitlines()) == 1
            await page.goto(f"{client.base_url}/live/{job}")
            await page.get_by_text(told).wait_for()
            await page.locator("#without").click()
            assert (await ended(client, job))["result"]["stop_reason"] == "needs login"
    await page.close()
