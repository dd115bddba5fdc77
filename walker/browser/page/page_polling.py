"""Polls the open pages of a context for data collected by our scripts."""

from __future__ import annotations

import asyncio
from typing import TypeVar

import msgspec
from playwright.async_api import BrowserContext, Error, Page

T = TypeVar("T")

ANSWER_SECONDS = 1.0
"""Seconds; a responsive page answers within a few milliseconds."""


async def ask_pages(context: BrowserContext, function: str, kind: type[T]) -> list[tuple[Page, T]]:
    """Each page with the result of the function, converted to this type. Pages that hang, navigate, or give an invalid result (they
    may have tampered with it) are omitted."""

    async def ask(page: Page) -> tuple[Page, T] | None:
        try:
            async with asyncio.timeout(ANSWER_SECONDS):
                answer = await page.evaluate(function)
            return page, msgspec.convert(answer, kind, strict=False)
        except (Error, TimeoutError, msgspec.ValidationError):
            return None

    answers = await asyncio.gather(*(ask(page) for page in context.pages if not page.is_closed()))
    return [one for one in answers if one is not None]
