"""Fetches the search indexes of API references, and the list of pages of VitePress."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import assert_never
from urllib.parse import urljoin

from walker.finding.aids.js_values import NotAValue
from walker.finding.aids.named_aids import NamedReference
from walker.finding.aids.named_page import NamedPage
from walker.finding.aids.reference_indexes import (
    doxygen_files,
    read_doxygen,
    read_javadoc,
    read_typedoc,
    read_vitepress,
)

TextOf = Callable[[str], Awaitable[str]]
"""The text of a file of the site by its address; "" where there is none."""


async def read_reference(
    named: NamedReference, text_of: TextOf, first_page: str, links: tuple[str, ...]
) -> tuple[NamedPage, ...]:
    """The pages that an index names; none where it is missing or cannot be read. `first_page`: markup of the site's first page,
    `links`: the addresses on it."""
    try:
        return await _read(named, text_of, first_page, links)
    except NotAValue:
        return ()


async def _read(
    named: NamedReference, text_of: TextOf, first_page: str, links: tuple[str, ...]
) -> tuple[NamedPage, ...]:
    folder = named.folder
    match named.kind:
        case "Javadoc":
            texts = [
                await text_of(urljoin(folder, f"{kind}-search-index.js")) for kind in ("type", "member", "package")
            ]
            return await asyncio.to_thread(read_javadoc, texts[0], texts[1], texts[2], folder)
        case "Doxygen":
            within = urljoin(folder, "search/")
            files = doxygen_files(await text_of(urljoin(within, "searchdata.js")))
            texts = [await text_of(urljoin(within, file)) for file in files]
            return await asyncio.to_thread(read_doxygen, texts, within)
        case "TypeDoc":
            return await asyncio.to_thread(read_typedoc, await text_of(urljoin(folder, "assets/search.js")), folder)
        case "VitePress":
            names = await text_of(urljoin(folder, "hashmap.json"))
            return await asyncio.to_thread(read_vitepress, names, first_page, folder, links)
        case _:
            assert_never(named.kind)
