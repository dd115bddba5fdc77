"""Limits the response bytes of a tunnel per request, where requests are recognised by the sizes of TLS records only."""

from __future__ import annotations

REQUEST_BYTES = 45
"""Least size in bytes of a TLS record with a request. Chromium's shortest over HTTP/2 were observed to take 50 (images `/1` to `/60`
of one page, TLS 1.3); window updates during a response take 31, and two in one record would take 43."""
CREDIT_BYTES = 512 << 20
"""Most bytes that accumulate for concurrent requests, and for one driver action, so that a page that sends requests endlessly to
extend an endless response is detected too."""
_RECORD_HEAD = 5
_RECORD_TYPES = range(20, 25)
_DATA = 23


class TunnelMeter:
    """A token bucket: each request adds bytes, which responses consume. Responses that share a connection cannot be distinguished, but
    an endless one is detected, however long the connection lives. Pure."""

    def __init__(self, most_bytes: int) -> None:
        """`most_bytes` is the limit per request; 0 for none."""
        self._most = most_bytes
        self._credit = most_bytes
        self._earnable = self._cap = max(most_bytes, CREDIT_BYTES)
        """Initially for the handshake, whose records are not requests: under TLS 1.3 the last of them looks like one."""
        self._is_shaking_hands = True
        self._head = bytearray()
        self._left = 0
        """Remaining bytes of the record that is being sent."""

    def renew(self) -> None:
        """Reset the limit at a new driver action, such as opening a page or clicking."""
        self._earnable = self._cap

    def sent(self, data: bytes) -> None:
        """Process bytes sent to the server, in order."""
        place = 0
        while place < len(data):
            if self._left:
                step = min(self._left, len(data) - place)
                self._left -= step
                place += step
                continue
            step = min(_RECORD_HEAD - len(self._head), len(data) - place)
            self._head += data[place : place + step]
            place += step
            if self._head[0] not in _RECORD_TYPES:
                # Not TLS: a WebSocket of a plain page.
                self._head.clear()
                self._note_record(len(data))
                return
            if len(self._head) == _RECORD_HEAD:
                self._left = int.from_bytes(self._head[3:])
                if self._head[0] == _DATA:
                    if not self._is_shaking_hands:
                        self._note_record(self._left)
                    self._is_shaking_hands = False
                self._head.clear()

    def is_overfull(self, size: int) -> bool:
        """Whether `size` more bytes received exceed the limit."""
        self._credit -= size
        return self._most > 0 and self._credit < 0

    def _note_record(self, size: int) -> None:
        if size >= REQUEST_BYTES:
            earned = max(0, min(self._most, self._cap - self._credit, self._earnable))
            self._credit += earned
            self._earnable -= earned
