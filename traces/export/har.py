"""HAR 1.2: the pages of a walk for the network panel of a browser."""

from __future__ import annotations

from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

from traces.export.recorded_pages import RecordedPage, RecordedPages


def har_of(recorded: RecordedPages, *, version: str) -> bytes:
    """One entry for each hop and page. Requests are as far as they are known: a walk records what pages showed, not the wire."""
    pages, entries = [], []
    for number, page in enumerate(recorded.pages, start=1):
        name, started = f"page_{number}", _time(page.fetched_at)
        milliseconds = round(page.load_seconds * 1000, 3)
        timings = {"onContentLoad": milliseconds, "onLoad": milliseconds}
        pages.append({"startedDateTime": started, "id": name, "title": page.title or page.url, "pageTimings": timings})
        hops = [*(address for address, _ in page.redirects), page.final_url]
        for (address, status), target in zip(page.redirects, hops[1:], strict=True):
            entries.append(_entry(name, started, address, 0.0, _response(status, target=target)))
        response = _response(page.status, page=page)
        entries.append(_entry(name, started, page.final_url, milliseconds, response) | _comment(page))
    creator = {"name": "walker", "version": version}
    log = {"version": "1.2", "creator": creator, "pages": pages, "entries": entries}
    return msgspec.json.format(msgspec.json.encode({"log": log}))


def _entry(page: str, started: str, url: str, milliseconds: float, response: dict[str, Any]) -> dict[str, Any]:
    return {
        "pageref": page,
        "startedDateTime": started,
        "time": milliseconds,
        "request": {
            "method": "GET",
            "url": url,
            "httpVersion": "HTTP/1.1",
            "cookies": [],
            "headers": [],
            "queryString": [
                {"name": name, "value": value} for name, value in parse_qsl(urlsplit(url).query, keep_blank_values=True)
            ],
            "headersSize": -1,
            "bodySize": 0,
        },
        "response": response,
        "cache": {},
        "timings": {"send": 0, "wait": milliseconds, "receive": 0},
    }


def _response(status: int, *, page: RecordedPage | None = None, target: str = "") -> dict[str, Any]:
    content: dict[str, Any] = {"size": 0, "mimeType": "x-unknown"}
    if page is not None and not page.failure:
        text = page.html.decode("utf-8", "replace")
        content = {"size": len(page.html), "mimeType": "text/html; charset=utf-8", "text": text}
    return {
        "status": status,
        "statusText": HTTPStatus(status).phrase if status in HTTPStatus._value2member_map_ else "",
        "httpVersion": "HTTP/1.1",
        "cookies": [],
        "headers": [{"name": "Location", "value": target}] if target else [],
        "content": content,
        "redirectURL": target,
        "headersSize": -1,
        "bodySize": -1,
    }


def _comment(page: RecordedPage) -> dict[str, str]:
    return {"comment": page.failure or f"step {page.step}; the content is the page as it was rendered"}


def _time(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
