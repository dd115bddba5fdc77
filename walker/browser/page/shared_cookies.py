"""One visitor, two jars of cookies: that of the HTTP client and that of a browser's context, each handed what the other got."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from http.cookiejar import CookieJar

from playwright.async_api import BrowserContext, Error

from walker.seams.storage_state import StorageState, StoredCookie, cookies_in, put_cookies, state_of

_Key = tuple[str, str, str]


class SharedCookies:
    """What changed since the last hand-over is handed over, and nothing else: a cookie that one side has had all the time does
    not overwrite what the other was given meanwhile. Where both were given one, that of the later hand-over stays."""

    def __init__(self, jar: CookieJar) -> None:
        self._jar = jar
        self._context: BrowserContext | None = None
        self._known: dict[_Key, StoredCookie] = {}
        """What both have."""
        self._rendering = 0
        self._may_have_more = False
        self._lock = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def rendering(self) -> AsyncIterator[None]:
        """Around all that is done in the browser, which has by then what came over HTTP, and may get more."""
        self._rendering += 1
        try:
            await self._to_browser()
            yield
        finally:
            self._rendering -= 1
            self._may_have_more = True

    async def watch(self, context: BrowserContext) -> None:
        """Share with this context from now on; it gets the cookies of the HTTP client, and no others, before a page is opened."""
        await context.clear_cookies()
        self._context, self._known = context, {}
        await self._to_browser()

    async def _to_browser(self) -> None:
        async with self._lock:
            self._jar.clear_expired_cookies()
            context, mine = self._context, _by_key(cookies_in(self._jar))
            changed = _changed(mine, self._known)
            if context is None or not (changed or self._known.keys() - mine.keys()):
                return
            with contextlib.suppress(Error):
                # Else the browser died; the next context gets all of them.
                for name, domain, path in self._known.keys() - mine.keys():
                    await context.clear_cookies(name=name, domain=domain, path=path)
                await _add(context, changed)
                # What the browser refused is not gone when it is not there.
                has = _by_key(state_of({"cookies": await context.cookies()}).cookies)
                self._known = {key: one for key, one in mine.items() if key in has}

    async def from_browser(self) -> None:
        """Hand over what pages in the browser got until they were taken: one is to be asked for over HTTP."""
        async with self._lock:
            if self._context is None or not (self._may_have_more or self._rendering):
                return
            self._may_have_more = False
            try:
                theirs = _by_key(state_of({"cookies": await self._context.cookies()}).cookies)
            except Error:
                return
            gone = self._known.keys() - theirs.keys()
            for key, domain in _domains(self._jar).items():
                if key in gone:
                    self._jar.clear(domain, key[2], key[0])
            put_cookies(self._jar, StorageState(cookies=_changed(theirs, self._known)))
            self._known = theirs


def _by_key(cookies: tuple[StoredCookie, ...]) -> dict[_Key, StoredCookie]:
    return {(one.name, one.domain, one.path): one for one in cookies}


def _changed(now: dict[_Key, StoredCookie], before: dict[_Key, StoredCookie]) -> tuple[StoredCookie, ...]:
    return tuple(one for key, one in now.items() if key not in before or not _is_same(one, before[key]))


def _is_same(one: StoredCookie, other: StoredCookie) -> bool:
    """Both jars write them, one of them with fractions of seconds."""
    return (one.value, int(one.expires)) == (other.value, int(other.expires))


def _domains(jar: CookieJar) -> dict[_Key, str]:
    """As the jar itself writes them."""
    return {(told.name, told.domain, told.path): one.domain for one, told in zip(jar, cookies_in(jar), strict=True)}


async def _add(context: BrowserContext, cookies: tuple[StoredCookie, ...]) -> None:
    for cookie in StorageState(cookies=cookies).as_playwright()["cookies"]:
        # One that the browser refuses is left out.
        with contextlib.suppress(Error):
            await context.add_cookies([cookie])
