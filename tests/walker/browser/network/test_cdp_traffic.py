from __future__ import annotations

from typing import Any

import msgspec

from walker.browser.network.cdp_traffic import CdpTraffic, with_body

PAGE = {"url": "http://a.org/", "method": "GET", "headers": {"A": "1"}}


def heard(*events: tuple[str, dict[str, Any]], most_bytes: int = 100) -> CdpTraffic:
    traffic = CdpTraffic(most_bytes=most_bytes)
    for method, params in events:
        traffic.receive(f"Network.{method}", msgspec.json.encode({"requestId": "1", **params}))
    return traffic


def asked(**more: Any) -> tuple[str, dict[str, Any]]:
    return "requestWillBeSent", {"request": PAGE, "type": "Document", "wallTime": 7.0, "timestamp": 1.0, **more}


def answered(status: int = 200) -> tuple[str, dict[str, Any]]:
    return "responseReceived", {"response": {"status": status, "headers": {"Set-Cookie": "a=1\nb=2"}}}


FINISHED = ("loadingFinished", {"timestamp": 1.5})


def test_a_redirect_is_an_exchange_of_its_own() -> None:
    hop = {"redirectResponse": {"status": 302}, "request": {**PAGE, "url": "http://a.org/b"}}
    first, second = heard(asked(), asked(**hop), answered(), FINISHED).take_ended()
    assert (first.exchange.status, first.exchange.redirect_to, first.request) == (302, "http://a.org/b", "")
    assert (second.exchange.url, second.exchange.status, second.request) == ("http://a.org/b", 200, "1")
    assert second.exchange.headers == (("Set-Cookie", "a=1"), ("Set-Cookie", "b=2"))
    assert (second.exchange.at, second.exchange.seconds, second.exchange.resource) == (7.0, 0.5, "document")
    assert with_body(second.exchange, {"body": "w6k=", "base64Encoded": True}).body == "é".encode()


def test_what_is_too_long_was_cut_or_never_ended_says_so() -> None:
    (long,) = heard(asked(), answered(), ("dataReceived", {"dataLength": 101}), FINISHED).take_ended()
    assert (long.exchange.truncated, long.request) == ("length", "")
    (cut,) = heard(asked(), answered(), ("loadingFailed", {"errorText": "net::ERR_FAILED"})).take_ended()
    assert (cut.exchange.truncated, cut.exchange.error) == ("disconnect", "net::ERR_FAILED")
    (left,) = heard(asked(), answered()).take_left("its page was given up")
    assert (left.truncated, left.error) == ("disconnect", "its page was given up")


def test_a_request_that_nobody_answered_has_no_status() -> None:
    traffic = heard(asked(), ("loadingFailed", {"errorText": "net::ERR_CONNECTION_REFUSED"}))
    (failed,) = traffic.take_ended()
    assert (failed.exchange.status, failed.exchange.error) == (0, "net::ERR_CONNECTION_REFUSED")
    assert heard(asked()).take_left("over") == []
