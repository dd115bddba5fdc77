from __future__ import annotations

import pytest

from walker.browser.egress.tunnel_meter import CREDIT_BYTES, REQUEST_BYTES, TunnelMeter


def record(size: int) -> bytes:
    return b"\x17\x03\x03" + size.to_bytes(2) + bytes(size)


def test_what_comes_without_being_asked_for_is_bounded() -> None:
    meter = TunnelMeter(100)
    assert not meter.is_overfull(100)
    meter.sent(record(43))  # window updates
    assert meter.is_overfull(1)
    assert not TunnelMeter(0).is_overfull(1 << 40)


@pytest.mark.parametrize("step", [1, 3, 60, 1000])
def test_each_request_is_good_for_an_answer_however_it_is_cut_into_pieces(step: int) -> None:
    meter = TunnelMeter(100)
    meter.sent(b"\x16\x03\x01\x02\x00" + bytes(512) + record(53))  # the hands that are shaken
    sent = record(43) + record(300) + record(30) + record(REQUEST_BYTES)
    for _ in range(5):
        for place in range(0, len(sent), step):
            meter.sent(sent[place : place + step])
    assert not meter.is_overfull(11 * 100), "one at first and two each time"
    assert meter.is_overfull(1)


def test_many_small_answers_leave_no_credit_without_end() -> None:
    meter = TunnelMeter(CREDIT_BYTES // 10)
    for _ in range(1000):
        meter.sent(record(300))
        assert not meter.is_overfull(1)
    assert meter.is_overfull(CREDIT_BYTES)


def test_requests_without_end_pay_for_no_answer_without_end() -> None:
    meter = TunnelMeter(CREDIT_BYTES // 10)

    def brought() -> int:
        for time in range(100):
            meter.sent(record(300))
            if meter.is_overfull(CREDIT_BYTES // 10):
                return time
        return 100

    assert brought() < 12
    meter = TunnelMeter(CREDIT_BYTES // 10)
    for _ in range(100):
        # What is done step by step may go on for ever.
        meter.renew()
        meter.sent(record(300))
        assert not meter.is_overfull(CREDIT_BYTES // 10)


def test_a_socket_of_a_plain_page_is_bounded_too() -> None:
    meter = TunnelMeter(100)
    meter.sent(b"GET /socket HTTP/1.1\r\nHost: a.org\r\nUpgrade: websocket\r\n\r\n")
    assert not meter.is_overfull(200)
    meter.sent(b"\x81\x85abcdabcde")
    assert meter.is_overfull(1)
