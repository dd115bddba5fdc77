"""Maps error messages of Playwright and Chromium to `PageFailure`s."""

from __future__ import annotations

import re

from walker.seams.protocols import FailureKind, PageFailure

_NET_ERROR = re.compile(r"net::(ERR_[A-Z0-9_]+)")
_KINDS: tuple[tuple[str, FailureKind, str], ...] = (
    ("ERR_NAME_", "unknown_host", "the host name does not resolve"),
    ("ERR_CONNECTION_TIMED_OUT", "timeout", "the server did not answer in time"),
    ("ERR_TIMED_OUT", "timeout", "the server did not answer in time"),
    ("ERR_CONNECTION_REFUSED", "refused", "the connection was refused"),
    ("ERR_CONNECTION_", "refused", "the connection was closed by the server"),
    ("ERR_ADDRESS_", "refused", "the address cannot be reached"),
    ("ERR_INTERNET_DISCONNECTED", "refused", "this machine is not connected"),
    ("ERR_NETWORK_", "refused", "the network cannot be reached"),
    ("ERR_PROXY_", "refused", "the egress proxy is closed"),
    ("ERR_TUNNEL_", "refused", "the connection was refused"),
    ("ERR_CERT_", "tls", "the certificate is not valid"),
    ("ERR_SSL_", "tls", "the secure connection failed"),
    ("ERR_TOO_MANY_REDIRECTS", "redirect_loop", "it redirects without end"),
    ("ERR_EMPTY_RESPONSE", "empty", "the server closed without a response"),
    ("ERR_UNSAFE_PORT", "other", "browsers refuse this port"),
    ("ERR_UNKNOWN_URL_SCHEME", "bad_scheme", "the scheme is not http or https"),
    ("ERR_BLOCKED_BY_CLIENT", "other", "it leads to another site, which this walk may not open"),
    ("ERR_ABORTED", "empty", "the server sent nothing to show"),
    ("ERR_INVALID_RESPONSE", "other", "the response is not valid HTTP"),
    ("ERR_RESPONSE_", "other", "the response is not valid HTTP"),
)


def failure_of(url: str, error: str) -> PageFailure:
    """The `PageFailure` of this URL for an error message of Playwright; kind "other" for an unknown message."""
    if "Download is starting" in error:
        return PageFailure(url=url, kind="download", message="it is a file to download, which was refused")
    if match := _NET_ERROR.search(error):
        code = match.group(1)
        for start, kind, message in _KINDS:
            if code.startswith(start):
                return PageFailure(url=url, kind=kind, message=f"{message} ({code})")
        return PageFailure(url=url, kind="other", message=code)
    if "Timeout" in error:
        return PageFailure(url=url, kind="timeout", message="the page was not readable in time")
    if "crashed" in error:
        return PageFailure(url=url, kind="crashed", message="the page crashed its renderer")
    return PageFailure(url=url, kind="other", message=error.splitlines()[0][:200] if error else "unknown error")
