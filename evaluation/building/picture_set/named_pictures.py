"""Fetches the pictures that a set names by their addresses, into the folder `images` beside it, where they are read from then on."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import msgspec

from evaluation.building.picture_set.picture_files import Fetch, picture_fetcher
from evaluation.dataset.files import picture_addresses
from evaluation.dataset.pictures import IMAGES, kept_picture, name_of_address
from memory.url_key import BadUrl
from perception.errors import PictureUnreadable
from perception.images.picture_file import check_header
from walker.browser.http.http_client import HttpAnswer
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
    async with picture_fetcher(*roots) as fetch:
        said = await asyncio.gather(*(_keep(fetch, address, path.parent / IMAGES) for address in missing))
    failed = tuple(f"{address}: {why}" for address, why in zip(missing, said, strict=True) if why)
    return NamedPictures(fetched=len(missing) - len(failed), known=len(addresses) - len(missing), failed=failed)


async def _keep(fetch: Fetch, address: str, folder: Path) -> str:
    """Keep a picture; returns why there is none, "" where there is."""
    try:
        answer = await fetch(address)
    except BadUrl as error:
        return str(error)
    if not isinstance(answer, HttpAnswer):
        return answer.message
    if answer.status != 200:
        return f"HTTP {answer.status}"
    try:
        header = check_header(answer.body)
    except PictureUnreadable as error:
        return str(error)
    write_output(folder / f"{name_of_address(address)}.{header.format}", answer.body)
    return ""
