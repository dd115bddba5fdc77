"""Fetches the pictures that a set names by their addresses, into the folder `images` beside it, where they are read from then on."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from evaluation.dataset.files import picture_addresses
from evaluation.dataset.pictures import IMAGES, kept_picture, name_of_address
from memory.url_key import origin_of
from perception.errors import PictureUnreadable
from perception.images.picture_file import FETCHED, check_header
from walker.browser.http.http_client import HttpAnswer, HttpClient
from walker.crawl.fetch.page_pictures import ACCEPT
from walker.crawl.fetch.politeness import Pace
from walker.crawl.fetch.user_agent import agent_of
from walker.crawl.script.polite import Polite
from walker.files.atomic_output import write_output


class NamedPictures(msgspec.Struct, frozen=True, kw_only=True):
    """What became of the addresses."""

    fetched: int
    known: int
    """Whose files were there already."""
    failed: tuple[str, ...]
    """Addresses that gave no picture, each with the reason."""


async def fetch_named_pictures(path: Path, roots: Sequence[str] = ()) -> NamedPictures:
    """Fetch what a file of questions names by address and is not there yet. A set is what others wrote: addresses of private networks
    are refused, but those of `roots`. Raises `UsageError` for a file that is no set, and `OutputUnwritable`."""
    addresses = picture_addresses(path)
    missing = [address for address in addresses if kept_picture(path.parent, address) is None]
    polite = Polite()
    client = HttpClient(*roots, headers={"User-Agent": agent_of(polite)}, page_bytes=FETCHED.size, connections=4)
    async with client:
        pace = Pace(polite)
        said = await asyncio.gather(*(_fetch(client, pace, address, path.parent / IMAGES) for address in missing))
    failed = tuple(f"{address}: {why}" for address, why in zip(missing, said, strict=True) if why)
    return NamedPictures(fetched=len(missing) - len(failed), known=len(addresses) - len(missing), failed=failed)


async def _fetch(client: HttpClient, pace: Pace, address: str, folder: Path) -> str:
    """Keep a picture; returns why there is none, "" where there is."""
    async with pace.slot(origin_of(address)):
        started = time.monotonic()
        answer = await client.fetch(address, headers={"Accept": ACCEPT}, page_bytes=FETCHED.size)
        status = answer.status if isinstance(answer, HttpAnswer) else 0
        pace.answered(origin_of(address), status, time.monotonic() - started)
    if not isinstance(answer, HttpAnswer):
        return answer.message
    if status != 200 or answer.is_cut:
        return f"HTTP {status}" if status != 200 else "it is too large"
    try:
        header = check_header(answer.body)
    except PictureUnreadable as error:
        return str(error)
    write_output(folder / f"{name_of_address(address)}.{header.format}", answer.body)
    return ""
