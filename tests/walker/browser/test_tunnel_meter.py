from __future__ import annotations

import pytest

from walker.browser.tunnel_meter import REQUEST_BYTES, TunnelMeter


def record(size: int) -> bytes:
    return b"\x17\x03\x03" + size.to_bytes(2) + bytes(size)


def test_what_comes_without_being_asked_for_is_bounded() -> None:
    meter = TunnelMeter(100)
    assert not meter.is_overfull(100)
    meter.sent(record(43))  # window updates
    assert meter.is_overfull(1)
    assert not TunnelMeter(0).is_overfull(1 << 40)


@pytest.mark.parametrize("step", [1, 3, 60, 1000])
def test_each_request_begins_anew_however_it_is_cut_into_pieces(step: int) -> None:
    meter = TunnelMeter(100)
    sent = record(43) + record(300) + record(30) + record(REQUEST_BYTES)
    for _ in range(5):
        assert not meter.is_overfull(80)
        for place in range(0, len(sent), step):
            meter.sent(sent[place : place + step])


def test_a_socket_of_a_plain_page_is_bounded_too() -> None:
    meter = TunnelMeter(100)
    meter.sent(b"GET /socket HTTP/1.1\r\nHost: a.org\r\nUpgrade: websocket\r\n\r\n")
    assert not meter.is_overfull(100)
    meter.sent(b"\x81\x85abcdabcde")
    assert meter.is_overfull(1)
