"""The header fields and the proxy of a crawl script: whether they can be, and what they are with the environment's values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from urllib.parse import urlsplit

import msgspec

from walker.crawl.script.crawl_scope import CrawlScope
from walker.crawl.script.secret_text import SECRET, fill_in
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.spec_problems import Problem
from walker.errors import UsageError
from walker.seams.web.own_headers import NO_HEADERS, OwnHeaders, why_no_header
from walker.seams.web.way_out import CAN_HAND_OVER_PIPES, UpstreamProxy, WayOut, read_proxy

_SENT_OTHERWISE = {
    "user-agent": "polite: {user_agent: ...}",
    "cookie": "state_in, a file of Playwright's storage state",
    "proxy-authorization": "proxy: http://user:password@host:port",
}


def problems_of_way_out(spec: CrawlSpec) -> Iterator[Problem]:
    """What is wrong with the header fields and the proxy of a script."""
    for name, value in spec.headers.items():
        location = ("headers", name)
        if instead := _SENT_OTHERWISE.get(name.lower()):
            yield Problem(location=location, what="is sent by other means", expected=f"expected {instead}")
        elif why := why_no_header(name, SECRET.sub("x", value)):
            yield Problem(location=location, what=why)
    if (
        spec.headers
        and spec.driver == "selenium"
        and not CAN_HAND_OVER_PIPES
        and any(url.startswith("https:") for url in spec.start)
    ):
        yield Problem(
            location=("headers",),
            what="driver selenium cannot send them over https on this system",
            expected="say driver: playwright",
        )
    if spec.proxy:
        try:
            read_proxy(spec.proxy)
        except ValueError as error:
            yield Problem(location=("proxy",), what=str(error))
        if SECRET.search(spec.proxy.rpartition("@")[2]):
            yield Problem(location=("proxy",), what="${...} is allowed in its user and password only")


def way_out_of(spec: CrawlSpec, environment: Mapping[str, str]) -> WayOut:
    """What a script adds to its requests. Raises `UsageError` for a variable that is not set, or a value that cannot be sent."""
    return WayOut(headers=_headers(spec, environment), proxy=_proxy(spec.proxy, environment))


def _headers(spec: CrawlSpec, environment: Mapping[str, str]) -> OwnHeaders:
    if not spec.headers:
        return NO_HEADERS
    filled = {name: fill_in(value, environment) for name, value in spec.headers.items()}
    for name, value in filled.items():
        if why := why_no_header(name, value):
            raise UsageError(f"the header {name} {why}", advice="Look at the value in the environment")
    scope = CrawlScope(spec)
    plain_hosts = {urlsplit(url).netloc for url in spec.start if url.startswith("http:")}
    all_encrypted = not plain_hosts

    def is_own(url: str) -> bool:
        # A secret of an encrypted site is not sent in the clear, wherever its links lead.
        return not (all_encrypted and url.startswith("http:")) and not scope.why_foreign(url)

    return OwnHeaders(filled, is_own)


def _proxy(proxy: str, environment: Mapping[str, str]) -> UpstreamProxy | None:
    if not proxy:
        return None
    # Filled in after it was taken apart: a password may hold any character.
    read = read_proxy(proxy)
    user, password = fill_in(read.user, environment), fill_in(read.password, environment)
    return msgspec.structs.replace(read, user=user, password=password)
