"""HAR 1.2 export: the network traffic of a walk for the network panel of a browser."""

from __future__ import annotations

import base64
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import msgspec

from traces.events import StreamMessage
from traces.export.recorded_pages import RecordedExchange, RecordedPage, RecordedPages
from traces.reading.streams import RecordedStream, event_stream_of


def har_of(recorded: RecordedPages, *, version: str) -> bytes:
    """One entry for each exchange where the network was recorded, else for each redirect and page, as far as known."""
    pages, entries = [], []
    for number, page in enumerate(recorded.pages, start=1):
        name, started = f"page_{number}", _time(page.fetched_at)
        milliseconds = round(page.load_seconds * 1000, 3)
        timings = {"onContentLoad": milliseconds, "onLoad": milliseconds}
        pages.append({"startedDateTime": started, "id": name, "title": page.title or page.url, "pageTimings": timings})
        if recorded.exchanges:
            continue
        hops = [*(address for address, _ in page.redirects), page.final_url]
        for (address, status), target in zip(page.redirects, hops[1:], strict=True):
            entries.append(_entry(name, started, address, 0.0, _response(status, target=target)))
        response = _response(page.status, page=page)
        entries.append(_entry(name, started, page.final_url, milliseconds, response) | _comment(page))
    names = {page.step: f"page_{number}" for number, page in reversed(list(enumerate(recorded.pages, start=1)))}
    entries += [_exchanged(kept, names.get(kept.event.step, "page_1")) for kept in recorded.exchanges]
    entries += [_streamed(stream, names.get(stream.step, "page_1")) for stream in recorded.streams]
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


def _exchanged(kept: RecordedExchange, page: str) -> dict[str, Any]:
    event, milliseconds = kept.event, round(kept.event.seconds * 1000, 3)
    response = _response(event.status, target=event.redirect_to)
    headers = [{"name": name, "value": value} for name, value in event.headers.items()]
    media = event.headers.get("content-type", "application/octet-stream")
    response |= {"headers": headers, "content": _content(kept.body, media), "bodySize": len(kept.body)}
    entry = _entry(page, _time(event.at), event.url, milliseconds, response)
    request = entry["request"] | {
        "method": event.method,
        "headers": [{"name": name, "value": value} for name, value in event.request_headers.items()],
        "bodySize": len(kept.request_body),
    }
    if kept.request_body:
        posted = event.request_headers.get("content-type", "application/octet-stream")
        request["postData"] = {"mimeType": posted, "text": kept.request_body.decode("utf-8", "replace")}
    entry |= {"request": request, "_resourceType": event.resource}
    return entry | ({"comment": event.error} if event.error else {})


def _streamed(stream: RecordedStream, page: str) -> dict[str, Any]:
    """A WebSocket with its messages as Chrome's network panel exports them; an event stream as an HTTP response."""
    last = stream.messages[-1].at if stream.messages else stream.at
    milliseconds = round(max(0.0, last - stream.at) * 1000, 3)
    if stream.kind == "websocket":
        entry = _entry(page, _time(stream.at), stream.url, milliseconds, _response(101))
        return entry | {"_resourceType": "websocket", "_webSocketMessages": [_message(one) for one in stream.messages]}
    body, media = event_stream_of(stream.messages), "text/event-stream"
    response = _response(200) | {"content": _content(body, media), "bodySize": len(body)}
    response |= {"headers": [{"name": "content-type", "value": media}]}
    return _entry(page, _time(stream.at), stream.url, milliseconds, response) | {"_resourceType": "eventsource"}


def _message(message: StreamMessage) -> dict[str, Any]:
    binary = message.data is not None
    return {
        "type": "send" if message.is_sent else "receive",
        "time": message.at,
        "opcode": 2 if binary else 1,  # RFC 6455, 5.2
        "data": base64.b64encode(message.data or b"").decode() if binary else message.text,
    }


def _content(body: bytes, media: str) -> dict[str, Any]:
    try:
        return {"size": len(body), "mimeType": media, "text": body.decode()}
    except UnicodeDecodeError:
        coded = base64.b64encode(body).decode()
        return {"size": len(body), "mimeType": media, "text": coded, "encoding": "base64"}


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
