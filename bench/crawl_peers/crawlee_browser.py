"""Crawlee's PlaywrightCrawler, its queue in memory, its crawl breadth first; disguises off, they cost and are not asked for."""

import asyncio
import json
import logging
import sys
from datetime import timedelta

from crawlee import ConcurrencySettings
from crawlee.crawlers import PlaywrightCrawler, PlaywrightCrawlingContext
from crawlee.storage_clients import MemoryStorageClient


async def crawl(root: str, pages: int, at_a_time: int, chromium: str) -> int:
    done = 0
    crawler = PlaywrightCrawler(
        storage_client=MemoryStorageClient(),
        max_requests_per_crawl=pages,
        concurrency_settings=ConcurrencySettings(
            min_concurrency=at_a_time, max_concurrency=at_a_time, desired_concurrency=at_a_time
        ),
        browser_launch_options={"executable_path": chromium, "args": ["--no-sandbox"], "chromium_sandbox": False},
        headless=True,
        fingerprint_generator=None,
        configure_logging=False,
        goto_options={"wait_until": "domcontentloaded"},
        request_handler_timeout=timedelta(seconds=120),
    )

    @crawler.router.default_handler
    async def keep(context: PlaywrightCrawlingContext) -> None:
        nonlocal done
        await context.page.content()
        await context.push_data({"url": context.request.url, "title": await context.page.title()})
        await context.enqueue_links(strategy="same-origin")
        done += 1

    await crawler.run([root])
    return done


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    root, pages, at_a_time, chromium = sys.argv[1:5]
    print(json.dumps({"pages": asyncio.run(crawl(root, int(pages), int(at_a_time), chromium))}))
