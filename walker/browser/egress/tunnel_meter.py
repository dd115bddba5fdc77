"""How much a tunnel brings in answer to what was asked through it, told from the sizes of TLS records alone."""

from __future__ import annotations

REQUEST_BYTES = 45
"""Of a TLS record with a request, at least. Chromium's shortest over HTTP/2 were seen to take 50 (images `/1` to `/60` of one page,
TLS 1.3); the window updates that keep an answer coming take 31, and two in one record would take 43."""
CREDIT_BYTES = 512 << 20
"""What may come in answer to many requests at once, and of what a driver does at one time: a page that asks without end, so that an
answer without end is paid for, is found too."""
_RECORD_HEAD = 5
_RECORD_TYPES = range(20, 25)
_DATA = 23


class TunnelMeter:
    """Each request is good for so many bytes, and what comes is taken from that: answers that share a connection cannot be told
    apart, but one without end is found, however long the connection lives. Pure."""

    def __init__(self, most_bytes: int) -> None:
        """`most_bytes` may come for each request; 0 for no bound."""
        self._most = most_bytes
        self._credit = most_bytes
        self._earnable = self._cap = max(most_bytes, CREDIT_BYTES)
        """At first for the handshake, whose own records are no requests: under TLS 1.3 the last of them looks like one."""
        self._is_shaking_hands = True
        self._head = bytearray()
        self._left = 0
        """Of the record that is being sent."""

    def renew(self) -> None:
        """The driver does something new: opens a page, presses a button."""
        self._earnable = self._cap

    def sent(self, data: bytes) -> None:
        """Bytes on their way to the server, in their order."""
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
        """Whether it is too much, with so many bytes more that come back."""
        self._credit -= size
        return self._most > 0 and self._credit < 0

    def _note_record(self, size: int) -> None:
        if size >= REQUEST_BYTES:
            earned = max(0, min(self._most, self._cap - self._credit, self._earnable))
            self._credit += earned
            self._earnable -= earned
