"""Synchronises the cookies of the HTTP client and a browser context."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from http.cookiejar import CookieJar

from playwright.async_api import BrowserContext, Error

from walker.seams.web.storage_state import StorageState, StoredCookie, cookies_in, put_cookies, state_of

_Key = tuple[str, str, str]


class SharedCookies:
    """Copies only changes since the last synchronisation: an unchanged cookie on one side does not overwrite a new one on the other.
    If both sides changed, the later synchronisation wins."""

    def __init__(self, jar: CookieJar) -> None:
        self._jar = jar
        self._context: BrowserContext | None = None
        self._known: dict[_Key, StoredCookie] = {}
        """The cookies that both sides have."""
        self._rendering = 0
        self._may_have_more = False
        self._lock = asyncio.Lock()

    @contextlib.asynccontextmanager
    async def rendering(self) -> AsyncIterator[None]:
        """Context manager for browser actions: cookies are copied to the browser before, and back after."""
        self._rendering += 1
        try:
            await self._to_browser()
            yield
        finally:
            self._rendering -= 1
            self._may_have_more = True

    async def watch(self, context: BrowserContext) -> None:
        """Synchronise with this context from now on; its cookies are replaced by those of the HTTP client."""
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
                # Otherwise the browser crashed; the next context gets all of them.
                for name, domain, path in self._known.keys() - mine.keys():
                    await context.clear_cookies(name=name, domain=domain, path=path)
                await _add(context, changed)
                # A cookie that the browser refused is missing there, but was not deleted.
                has = _by_key(state_of({"cookies": await context.cookies()}).cookies)
                self._known = {key: one for key, one in mine.items() if key in has}

    async def from_browser(self) -> None:
        """Copy changed cookies from the browser, before an HTTP request."""
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
    """Whether two cookies are equal; expiry times are compared in whole seconds, as only one side has fractions."""
    return (one.value, int(one.expires)) == (other.value, int(other.expires))


def _domains(jar: CookieJar) -> dict[_Key, str]:
    """Domains in the jar's own notation."""
    return {
        (cookie.name, cookie.domain, cookie.path): one.domain for one, cookie in zip(jar, cookies_in(jar), strict=True)
    }


async def _add(context: BrowserContext, cookies: tuple[StoredCookie, ...]) -> None:
    for cookie in StorageState(cookies=cookies).as_playwright()["cookies"]:
        # A cookie that the browser refuses is omitted.
        with contextlib.suppress(Error):
            await context.add_cookies([cookie])
