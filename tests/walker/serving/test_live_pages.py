"""The pages of a service in a browser: the newest jobs side by side, and one of them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from playwright.async_api import Browser, Page

from tests.walker.serving.service_here import FLUME, ended, options, sent, served
from walker.demo.server import serve_institute

pytestmark = pytest.mark.usefixtures("kept_chromium")


@pytest.fixture(scope="module")
def institute() -> Iterator[str]:
    with serve_institute() as root:
        yield root


async def heads(page: Page) -> list[str]:
    return await page.locator(".jobs h2").all_inner_texts()


async def test_the_newest_jobs_stand_side_by_side_and_lead_to_their_own_pages(
    institute: str, tmp_path: Path, browser: Browser
) -> None:
    page, given = await browser.new_page(), options(institute, tmp_path)
    with_pictures = msgspec.structs.replace(given, settings=msgspec.structs.replace(given.settings, pictures=True))
    async with served(with_pictures) as client:
        await page.goto(f"{client.base_url}/live/")
        await page.get_by_text("No job yet.").wait_for()
        asked = await sent(client, "ask", {"root": institute, "question": FLUME, "max_pages": 8})
        assert asked["about"] == FLUME
        await ended(client, asked["id"])
        crawled = await sent(client, "crawl", {"start": [institute], "scope": {"pages": 2}})
        assert crawled["most_pages"] == 2
        await ended(client, crawled["id"])
        await page.get_by_text("0 of the newest 2 go on.").wait_for()
        assert await heads(page) == [institute, FLUME]
        card = page.locator(".jobs li").nth(1)
        assert (await card.locator(".state").inner_text()) == "done"
        await card.locator("img").wait_for()
        assert await card.locator("img").evaluate("picture => picture.decode().then(() => picture.naturalWidth)") > 300
        await card.locator("a").click()
        await page.get_by_text("1.8 m", exact=True).wait_for()
        assert await page.locator("#what").inner_text() == FLUME
        unanswered = await sent(
            client, "ask", {"root": institute, "question": "Who is the king of Norway?", "max_pages": 1}
        )
        assert (await ended(client, unanswered["id"]))["result"]["answer"] == ""
        await page.goto(f"{client.base_url}/live/{unanswered['id']}")
        await page.get_by_text(re.compile("^(None \\(|Not sure)")).wait_for()
    await page.close()


async def test_whoever_has_the_token_signs_in_at_the_page_itself(
    institute: str, tmp_path: Path, browser: Browser
) -> None:
    context = await browser.new_context()
    page = await context.new_page()
    async with served(options(institute, tmp_path), token="a-long-enough-token") as client:
        await sent(client, "crawl", {"start": [institute], "max_pages": 1})
        await page.goto(f"{client.base_url}/live/")
        await page.get_by_label("Token of the service").fill("another-token")
        await page.get_by_text("Show").click()
        await page.get_by_text("This is not the token.").wait_for()
        await page.get_by_label("Token of the service").fill("a-long-enough-token")
        await page.get_by_text("Show").click()
        await page.locator(".jobs li").wait_for()
        assert await heads(page) == [institute]
    await context.close()
