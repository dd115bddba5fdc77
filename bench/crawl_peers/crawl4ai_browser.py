"""Crawl4AI, breadth first, without its cache. It takes no path of a browser: Playwright's own call is told of it."""

import asyncio
import json
import os
import sys
from pathlib import Path
from typing import Any

os.environ["CRAWL4_AI_BASE_DIRECTORY"] = str(Path.cwd())

from crawl4ai import AsyncWebCrawler, BrowserConfig, CacheMode, CrawlerRunConfig
from crawl4ai.deep_crawling import BFSDeepCrawlStrategy
from playwright.async_api import Browser, BrowserType

DEEP = 30


def use_browser(chromium: str) -> None:
    launch = BrowserType.launch

    async def launched(self: BrowserType, **options: Any) -> Browser:
        options.pop("channel", None)
        return await launch(self, **{**options, "executable_path": chromium})

    setattr(BrowserType, "launch", launched)  # noqa: B010 - a method of another's class


async def crawl(root: str, pages: int, at_a_time: int) -> int:
    done = 0
    run = CrawlerRunConfig(
        deep_crawl_strategy=BFSDeepCrawlStrategy(max_depth=DEEP, max_pages=pages),
        cache_mode=CacheMode.BYPASS,
        stream=True,
        verbose=False,
        semaphore_count=at_a_time,
    )
    browser = BrowserConfig(headless=True, verbose=False, extra_args=["--no-sandbox"])
    async with AsyncWebCrawler(config=browser) as crawler:
        async for result in await crawler.arun(root, config=run):
            done += result.success
    return done


if __name__ == "__main__":
    root, pages, at_a_time, chromium = sys.argv[1:5]
    use_browser(chromium)
    print(json.dumps({"pages": asyncio.run(crawl(root, int(pages), int(at_a_time)))}))
