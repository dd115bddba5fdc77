"""The least that crawling with a browser takes: pages opened, taken and their links read, and nothing kept."""

import asyncio
import json
import sys
from collections import deque
from urllib.parse import urljoin, urlsplit

from lxml import html
from playwright.async_api import Error, Page, async_playwright


async def crawl(root: str, pages: int, at_a_time: int, chromium: str) -> int:
    host = urlsplit(root).netloc
    waiting, seen, flying, done = deque([root]), {root}, 0, 0

    async def work(page: Page) -> None:
        nonlocal flying, done
        while done + flying < pages:
            if not waiting:
                if not flying:
                    return
                await asyncio.sleep(0.005)
                continue
            url = waiting.popleft()
            flying += 1
            try:
                await page.goto(url, wait_until="domcontentloaded")
                content = await page.content()
            except Error:
                continue  # a file to download
            finally:
                flying -= 1
            done += 1
            for link in html.document_fromstring(content).iterfind(".//a[@href]"):
                address = urljoin(page.url, link.get("href")).partition("#")[0]
                if address not in seen and urlsplit(address).netloc == host:
                    seen.add(address)
                    waiting.append(address)

    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = await browser.new_context()
        await asyncio.gather(*[work(await context.new_page()) for _ in range(at_a_time)])
        await browser.close()
    return done


if __name__ == "__main__":
    root, pages, at_a_time, chromium = sys.argv[1:5]
    print(json.dumps({"pages": asyncio.run(crawl(root, int(pages), int(at_a_time), chromium))}))
