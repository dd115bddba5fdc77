"""scrapy-playwright, breadth first; its pages are Scrapy's own."""

import sys
from collections.abc import AsyncIterator

import scrapy
import scrapy_http

CHROMIUM = sys.argv[4]


class Rendered(scrapy_http.Pages):
    async def start(self) -> AsyncIterator[scrapy.Request]:
        yield self.ask(scrapy_http.ROOT)

    def ask(self, url: str) -> scrapy.Request:
        return scrapy.Request(url, meta={"playwright": True})


if __name__ == "__main__":
    handler = "scrapy_playwright.handler.ScrapyPlaywrightDownloadHandler"
    scrapy_http.main(
        Rendered,
        {
            "DOWNLOAD_HANDLERS": {"http": handler, "https": handler},
            "TWISTED_REACTOR": "twisted.internet.asyncioreactor.AsyncioSelectorReactor",
            "PLAYWRIGHT_LAUNCH_OPTIONS": {"executable_path": CHROMIUM, "args": ["--no-sandbox"]},
            "PLAYWRIGHT_MAX_PAGES_PER_CONTEXT": scrapy_http.AT_A_TIME,
            "PLAYWRIGHT_DEFAULT_NAVIGATION_TIMEOUT": 30_000,
        },
    )
