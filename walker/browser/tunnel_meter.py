"""How much a tunnel brings in answer to what was asked through it, told from the sizes of TLS records alone."""

from __future__ import annotations

REQUEST_BYTES = 52
"""Of a TLS record with a request, at least: 59 is what Chromium's shortest over HTTP/2 takes (14 of framing, 28 of packed headers,
17 of TLS 1.3). Two window updates in one record, which keep an answer coming, take 43, under TLS 1.2 50."""
_RECORD_HEAD = 5
_RECORD_TYPES = range(20, 25)


class TunnelMeter:
    """Counts bytes since the last request. Answers that share a connection are counted as one, anew with each request: an
    answer without end is found, however long the connection lives. Pure."""

    def __init__(self, most_bytes: int) -> None:
        """`most_bytes` may come between two requests; 0 for no bound."""
        self._most = most_bytes
        self._brought = 0
        self._head = bytearray()
        self._left = 0
        """Of the record that is being sent."""

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
                self._note_record(self._left)
                self._head.clear()

    def is_overfull(self, size: int) -> bool:
        """Whether it is too much, with so many bytes more on their way back."""
        self._brought += size
        return 0 < self._most < self._brought

    def _note_record(self, size: int) -> None:
        if size >= REQUEST_BYTES:
            self._brought = 0
