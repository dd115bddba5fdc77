"""The contract of the Traffic seam: what takes the exchanges of pages, for the WARC file of a crawl and the recording of a walk."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec
import pytest
from warcio.archiveiterator import ArchiveIterator

from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.network.network_log import NetworkLog
from walker.crawl.output.warc_traffic import WarcTraffic
from walker.crawl.script.spec import CrawlSpec
from walker.errors import WalkerError
from walker.seams.web.exchange import Exchange
from walker.seams.web.traffic import Traffic, too_long, without_body, without_secrets

HOME = "http://harbour.example/"
PAGE = Exchange(
    url=HOME,
    resource="document",
    status=200,
    headers=(("content-type", "text/html"), ("set-cookie", "key=secret-word")),
    body=b"<p>lamps</p>",
    at=1.0,
)
EXCHANGES = (
    PAGE,
    msgspec.structs.replace(PAGE, url=HOME + "old", status=301, redirect_to=HOME, body=b""),
    too_long(msgspec.structs.replace(PAGE, url=HOME + "large"), 10**9),
    without_body(msgspec.structs.replace(PAGE, url=HOME + "cut"), "disconnect", "the connection ended"),
    msgspec.structs.replace(PAGE, url=HOME + "mute", status=0, headers=(), body=b"", error="refused"),
)
Taken = Callable[[], Awaitable[list[tuple[str, bytes]]]]


async def of_a_recording(chromium: Chromium, _: Path) -> tuple[Traffic, Taken]:
    log = NetworkLog()
    await log.watch(await chromium.new_context(ContextOptions()))

    async def taken() -> list[tuple[str, bytes]]:
        return [(one.url, one.body) for one in (await log.take()).exchanges]

    return log, taken


async def of_a_crawl(_: Chromium, folder: Path) -> tuple[Traffic, Taken]:
    file = folder / "crawl.warc.gz"
    traffic = WarcTraffic(file, CrawlSpec(start=(HOME,)))

    async def taken() -> list[tuple[str, bytes]]:
        traffic.close()
        with file.open("rb") as stream:
            return [
                (str(record.rec_headers.get_header("WARC-Target-URI")), record.content_stream().read())
                for record in ArchiveIterator(stream)
                if record.rec_type in ("response", "revisit")
            ]

    return traffic, taken


KINDS = [of_a_recording, of_a_crawl]


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.parametrize("kind", KINDS)
async def test_exchanges_are_taken_in_order_with_their_bodies(
    kind: Callable[[Chromium, Path], Awaitable[tuple[Traffic, Taken]]], chromium: Chromium, tmp_path: Path
) -> None:
    traffic, taken = await kind(chromium, tmp_path)
    for exchange in EXCHANGES:
        traffic.add(exchange)
    answered = [(exchange.url, exchange.body) for exchange in EXCHANGES if exchange.status]
    assert [one for one in await taken() if one[0] != HOME + "mute"] == answered


def test_a_file_that_cannot_be_written_is_an_error_with_advice(tmp_path: Path) -> None:
    with pytest.raises(WalkerError) as raised:
        WarcTraffic(tmp_path, CrawlSpec(start=(HOME,)))
    assert raised.value.advice


def test_what_logs_in_is_no_header_that_is_kept() -> None:
    assert without_secrets(PAGE.headers) == (("content-type", "text/html"),)
