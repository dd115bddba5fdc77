"""Scrapy over HTTP, breadth first."""

import json
import sys
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.http import HtmlResponse, Response

ROOT, PAGES, AT_A_TIME = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
HOST = urlsplit(ROOT).netloc
SETTINGS = {
    "CONCURRENT_REQUESTS": AT_A_TIME,
    "CONCURRENT_REQUESTS_PER_DOMAIN": AT_A_TIME,
    "DOWNLOAD_DELAY": 0,
    "LOG_ENABLED": False,
    "TELNETCONSOLE_ENABLED": False,
    "DEPTH_PRIORITY": 1,
    "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
}


class Pages(scrapy.Spider):
    name = "pages"
    start_urls = (ROOT,)
    done = 0

    def parse(self, response: Response) -> Iterator[scrapy.Request | dict[str, str | None]]:
        if not isinstance(response, HtmlResponse) or self.done >= PAGES:
            return
        self.done += 1
        if self.done == PAGES:
            self.crawler.engine.close_spider(self, "page limit")
        yield {"url": response.url, "title": response.css("title::text").get()}
        for link in response.css("a::attr(href)").getall():
            url = response.urljoin(link).partition("#")[0]
            if urlsplit(url).netloc == HOST:
                yield self.ask(url)

    def ask(self, url: str) -> scrapy.Request:
        return scrapy.Request(url)


def main(spider: type[Pages], settings: dict[str, Any]) -> None:
    process = CrawlerProcess({**SETTINGS, **settings})
    crawler = process.create_crawler(spider)
    process.crawl(crawler)
    process.start()
    print(json.dumps({"pages": crawler.spider.done if crawler.spider else 0}))


if __name__ == "__main__":
    main(Pages, {})
