"""An HTTP client with size and time limits, shared by the `HttpBrowser`s of one crawl with its cookies and connections."""

from __future__ import annotations

import asyncio
import contextlib
import re
import ssl
import time
from collections.abc import AsyncIterable, AsyncIterator, Coroutine, Mapping
from http.cookiejar import Cookie, CookieJar
from types import TracebackType
from typing import Any
from urllib.parse import quote

import httpcore2
import httpx2
import msgspec

from perception.snapshot import Redirect
from walker.browser.egress.dialing import EGRESS_MESSAGES, Dialer, Refused, too_large
from walker.browser.http.http_backend import DialledBackend, StaleConnection
from walker.seams.protocols import FailureKind, PageFailure
from walker.seams.web.exchange import Exchange
from walker.seams.web.storage_state import StorageState, StoredOrigin, cookies_in, put_cookies
from walker.seams.web.traffic import Traffic
from walker.seams.web.way_out import PLAIN, WayOut

REDIRECTS_AT_MOST = 20
"""Most redirects, as in Chromium and Firefox."""
RATIO_AT_MOST, RATIO_FROM = 200, 4 << 20
"""Highest compression ratio, checked beyond the first 4 MiB. gzip reaches 1,030 on zeros; log files and tables of real sites stay
below 60."""
DRAINED_BYTES = 65536
"""Bytes of a redirect's body that are read so that the connection can be reused."""
BEYOND_BORDERS = "it leads to another site, which this walk may not open"
ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"
STALE_TRIES = 3
PROBED_BYTES = 1445
"""Bytes examined to distinguish text from binary data (WHATWG MIME sniffing, section 7.2)."""
NO_TEXT = re.compile(rb"[\x00-\x08\x0b\x0e-\x1a\x1c-\x1f]")
_CARRIED = "".join(map(chr, range(0x20, 0x7F)))
_OLD_NAME = re.compile(r"\bx-(?=gzip\b)", re.IGNORECASE)


class HttpAnswer(msgspec.Struct, frozen=True, kw_only=True):
    """A response of any status."""

    url: str
    final_url: str
    status: int
    headers: httpx2.Headers
    body: bytes
    """Decompressed."""
    redirects: tuple[Redirect, ...] = ()
    is_cut: bool = False
    """The body is incomplete."""

    @property
    def content_type(self) -> str:
        """Media type from the Content-Type header, "" for none."""
        return self.headers.get("content-type", "")


class HttpClient:
    """The HTTP/1.1 client of one crawl, for any number of concurrent tasks; an async context manager."""

    def __init__(  # noqa: PLR0913 - all but the first are usually omitted
        self,
        *root_urls: str,
        headers: Mapping[str, str] | None = None,
        page_bytes: int = 32 << 20,
        page_seconds: float = 20.0,
        connections: int = 64,
        certificates: ssl.SSLContext | None = None,
        traffic: Traffic | None = None,
        way_out: WayOut = PLAIN,
    ) -> None:
        """Private addresses of the roots are allowed (walker/rules/egress.py). `headers` are sent with every request
        ("User-Agent"); `certificates` are the trusted ones, None for the system's; `traffic` receives every exchange that was read
        completely or up to its limit, including redirects. `way_out` has header fields for some hosts
        only, the proxy that makes the connections, and the borders of redirects."""
        self.page_bytes, self.page_seconds = page_bytes, page_seconds
        self.dialer, self._own = Dialer(*root_urls, upstream=way_out.proxy), way_out.headers
        self._borders = way_out.borders
        transport = _Transport(self.dialer, connections, certificates)
        self._client = httpx2.AsyncClient(
            transport=transport,
            headers={"Accept": ACCEPT, **(headers or {})},
            cookies=_Jar(),
            timeout=None,
            trust_env=False,
        )
        self._traffic = traffic
        self._origins: tuple[StoredOrigin, ...] = ()
        self._encodings = frozenset(_words(self._client.headers.get("accept-encoding", ""))) | {"identity"}

    @property
    def cookies(self) -> CookieJar:
        """The cookie jar of the client."""
        return self._client.cookies.jar

    def state(self) -> StorageState:
        """Its cookies; and local storage, unchanged as it was set."""
        return StorageState(cookies=cookies_in(self.cookies), origins=self._origins)

    def restore(self, state: StorageState) -> None:
        """Replace all cookies."""
        self.cookies.clear()
        put_cookies(self.cookies, state)
        self._origins = state.origins

    async def __aenter__(self) -> HttpClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close all connections."""
        await self._client.aclose()

    async def fetch(
        self, url: str, *, headers: Mapping[str, str] | None = None, page_bytes: int = 0, cut: bool = False
    ) -> HttpAnswer | PageFailure:
        """The response of a URL after redirects; `page_bytes` 0 for the client's own size limit. With `cut`, the body is truncated at
        the limit; without, a larger response is a failure."""
        return await self._guarded(url, self._follow(url, headers, page_bytes or self.page_bytes, cut=cut))

    async def post_file(self, url: str, name: str, data: bytes, fields: Mapping[str, str]) -> HttpAnswer | PageFailure:
        """The response to a form with a file (multipart/form-data), whatever its status; redirects are not followed."""
        return await self._guarded(url, self._posted(url, name, data, fields))

    async def _posted(self, url: str, name: str, data: bytes, fields: Mapping[str, str]) -> HttpAnswer:
        request = self._client.build_request(
            "POST", url, data=dict(fields), files={name: ("picture", data, "application/octet-stream")}
        )
        return await self._answered(url, request)

    async def _answered(self, url: str, request: httpx2.Request) -> HttpAnswer:
        response = await self._send(request)
        try:
            return await self._answer(url, response, (), self.page_bytes, cut=False)
        finally:
            await response.aclose()

    async def post_body(self, url: str, data: bytes, headers: Mapping[str, str]) -> HttpAnswer | PageFailure:
        """The response to these bytes, whose type the headers say, whatever its status; redirects are not followed."""
        request = self._client.build_request("POST", url, content=data, headers=dict(headers))
        return await self._guarded(url, self._answered(url, request))

    async def _guarded(
        self, url: str, asked: Coroutine[Any, Any, HttpAnswer | PageFailure]
    ) -> HttpAnswer | PageFailure:
        """What comes of a request, its errors as failures."""
        try:
            async with asyncio.timeout(self.page_seconds):
                return await asked
        except TimeoutError:
            message = f"the page was not complete within {self.page_seconds:g} seconds"
            return PageFailure(url=url, kind="timeout", message=message)
        except Refused as refused:
            return PageFailure(url=url, kind=refused.kind, message=refused.detail or EGRESS_MESSAGES[refused.kind])
        except _TooLarge as much:
            return PageFailure(url=url, kind="unreadable", message=str(much))
        except _UnsupportedEncoding as packing:
            return PageFailure(url=url, kind="other", message=str(packing))
        except (httpx2.InvalidURL, httpx2.UnsupportedProtocol, ValueError):
            return PageFailure(url=url, kind="other", message="it is not a valid URL")
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpx2.TransportError, httpx2.DecodingError) as error:
            kind, message = _reason(error)
            return PageFailure(url=url, kind=kind, message=message)

    async def _follow(
        self, url: str, headers: Mapping[str, str] | None, most: int, *, cut: bool
    ) -> HttpAnswer | PageFailure:
        request = self._client.build_request("GET", url, headers=headers)
        hops: list[Redirect] = []
        while True:
            if request.url.scheme not in ("http", "https") or not request.url.host:
                message = "only http and https addresses are opened"
                return PageFailure(url=url, kind="bad_scheme", message=message)
            started = time.time()
            response = await self._send(request)
            try:
                # An empty Location is no redirect: its body is the page, as in browsers.
                if not response.has_redirect_location or not response.headers["location"].strip():
                    try:
                        answer = await self._answer(url, response, tuple(hops), most, cut=cut)
                    except _TooLarge as much:
                        self._tell(response, started, b"", beyond=str(much))
                        raise
                    self._tell(response, started, answer.body, beyond=too_large(most) if answer.is_cut else "")
                    return answer
                hops.append(Redirect(url=_shown(request.url), status=response.status_code))
                if len(hops) > REDIRECTS_AT_MOST:
                    return PageFailure(url=url, kind="redirect_loop", message="it redirects without end")
                if response.next_request is None:
                    return PageFailure(url=url, kind="other", message="it redirects to an invalid URL")
                request = response.next_request
                if self._borders and not self._borders.allow(str(request.url), asked=url, shown="", is_redirect=True):
                    return PageFailure(url=url, kind="other", message=BEYOND_BORDERS)
                self._tell(response, started, await _drain(response), is_unpacked=False)
            finally:
                await response.aclose()

    def _tell(
        self, response: httpx2.Response, started: float, body: bytes, *, is_unpacked: bool = True, beyond: str = ""
    ) -> None:
        if self._traffic is not None:
            exchange = Exchange(
                url=_shown(response.request.url).partition("#")[0],
                at=started,
                status=response.status_code,
                headers=tuple(response.headers.multi_items()),
                body=body,
                request_headers=self._own.without(response.request.headers.multi_items()),
                is_unpacked=is_unpacked,
                error=beyond,
                truncated="length" if beyond else "",
            )
            self._traffic.add(exchange)

    async def _send(self, request: httpx2.Request) -> httpx2.Response:
        if self._own:
            request.headers = httpx2.Headers(self._own.applied(str(request.url), request.headers.multi_items()))
        for left in reversed(range(STALE_TRIES)):
            try:
                return await self._client.send(request, stream=True, auth=None, follow_redirects=False)
            except StaleConnection:
                if not left:
                    raise
        raise AssertionError("the last attempt returns or raises")

    async def _answer(
        self, url: str, response: httpx2.Response, hops: tuple[Redirect, ...], most: int, *, cut: bool
    ) -> HttpAnswer:
        length = response.headers.get("content-length", "")
        if not cut and length.isdecimal() and int(length) > most:
            raise _TooLarge(too_large(most))
        packing = response.headers.get("content-encoding", "")
        if "x-" in packing.lower():
            # RFC 9110, section 8.4.1.3: old names of the same.
            response.headers["content-encoding"] = _OLD_NAME.sub("", packing)
        odd = [one for one in _words(response.headers.get("content-encoding", "")) if one not in self._encodings]
        parts: list[bytes] = []
        total = 0
        async for part in response.aiter_bytes():
            parts.append(part)
            total += len(part)
            if total > most and cut:
                break
            if total > most:
                raise _TooLarge(too_large(most))
            if total > RATIO_FROM and total > RATIO_AT_MOST * response.num_bytes_downloaded:
                raise _TooLarge(f"it decompresses to more than {RATIO_AT_MOST} times its size")
        body = b"".join(parts)[:most]
        # An unknown content encoding is ignored, as in browsers: mostly there is none ("utf-8", "none").
        if odd and NO_TEXT.search(body[:PROBED_BYTES]):
            raise _UnsupportedEncoding(f"it has the unsupported content encoding {odd[0][:20]}")
        return HttpAnswer(
            url=url,
            final_url=_shown(response.request.url),
            status=response.status_code,
            headers=response.headers,
            body=body,
            redirects=hops,
            is_cut=total > most,
        )


class _Jar(CookieJar):
    """Escapes non-ASCII and control characters of cookies, which would otherwise make every request fail."""

    def set_cookie(self, cookie: Cookie) -> None:
        cookie.name = quote(cookie.name, safe=_CARRIED)
        cookie.value = quote(cookie.value, safe=_CARRIED) if cookie.value else cookie.value
        super().set_cookie(cookie)


class _TooLarge(Exception):
    """A response beyond its size limit."""


class _UnsupportedEncoding(Exception):
    """A response with an unsupported content encoding."""


class _Transport(httpx2.AsyncBaseTransport):
    """The connection pool with our network backend, which httpx2's own transport does not accept."""

    def __init__(self, dialer: Dialer, connections: int, certificates: ssl.SSLContext | None) -> None:
        self._dialer = dialer

        def pool(backend: DialledBackend) -> httpcore2.AsyncConnectionPool:
            return httpcore2.AsyncConnectionPool(
                ssl_context=certificates,
                max_connections=connections,
                max_keepalive_connections=connections,
                keepalive_expiry=15.0,
                network_backend=backend,
            )

        self._pool = pool(DialledBackend(dialer.dial))
        self._forwarding = pool(DialledBackend(self._dial_upstream))
        """Connections to an HTTP proxy, which fetches plain pages itself."""

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        url, upstream = request.url, self._dialer.upstream
        pool, fields = self._pool, request.headers.raw
        place = httpcore2.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path)
        if upstream is not None and upstream.kind == "http" and url.scheme == "http":
            await self._dialer.check(url.host, url.port or 80)
            pool = self._forwarding
            target = b"http://" + url.netloc + url.raw_path
            place = httpcore2.URL(scheme=b"http", host=upstream.host.encode(), port=upstream.port, target=target)
            if upstream.authorization:
                fields = [*fields, (b"Proxy-Authorization", upstream.authorization.encode())]
        answer = await pool.handle_async_request(
            httpcore2.Request(
                method=request.method,
                url=place,
                headers=fields,
                content=request.stream,
                extensions=request.extensions,
            )
        )
        if pool is self._forwarding and answer.status == 407:
            await answer.aclose()
            raise Refused("proxy", f"the proxy {upstream.address if upstream else ''} asks for other credentials")
        assert isinstance(answer.stream, AsyncIterable)
        return httpx2.Response(
            answer.status, headers=answer.headers, stream=_Body(answer.stream), extensions=answer.extensions
        )

    async def _dial_upstream(self, host: str, port: int) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        del host, port
        return await self._dialer.dial_checked_upstream()

    async def aclose(self) -> None:
        await self._pool.aclose()
        await self._forwarding.aclose()


class _Body(httpx2.AsyncByteStream):
    def __init__(self, stream: AsyncIterable[bytes]) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        async for part in self._stream:
            yield part

    async def aclose(self) -> None:
        if hasattr(self._stream, "aclose"):
            await self._stream.aclose()


def _words(header: str) -> list[str]:
    return header.replace(",", " ").lower().split()


async def _drain(response: httpx2.Response) -> bytes:
    """Read the short body of a redirect and return it undecoded; a long one closes the connection."""
    taken = b""
    with contextlib.suppress(httpcore2.NetworkError, httpcore2.ProtocolError):
        async for part in response.aiter_raw():
            taken += part
            if len(taken) > DRAINED_BYTES:
                break
    return taken


def _shown(url: httpx2.URL) -> str:
    """The URL as shown by browsers: with a path, and without credentials."""
    if url.userinfo:
        url = url.copy_with(username=None, password=None)
    return str(url) if url.raw_path[:1] == b"/" and url.path != "/" else str(url.copy_with(path=url.path or "/"))


def _reason(error: Exception) -> tuple[FailureKind, str]:
    words = str(error)
    if isinstance(error, httpx2.DecodingError):
        return "other", "its content encoding is damaged"
    if "without sending a response" in words:
        return "empty", "the server closed without a response"
    if "without sending complete" in words:
        return "refused", "the server closed before the page was complete"
    if isinstance(error, httpcore2.NetworkError):
        return "refused", "the connection was closed by the server"
    return "other", "the response is not valid HTTP"
