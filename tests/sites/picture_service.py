"""A service on loopback that is sent a picture and names pages: the pages whose picture has the same pixels."""

from __future__ import annotations

import email
from collections.abc import Mapping

import cv2
import msgspec
import numpy as np

from tests.sites.serving import Answer, Asked


class PictureSite:
    """A site for `LoopbackSite`; `fields` are the names and contents of what the last request held, `titles` those of pages that have
    another than their address."""

    def __init__(self, kept: Mapping[str, bytes], titles: Mapping[str, str] | None = None) -> None:
        self._titles = titles or {}
        self._kept = {url: _pixels(data) for url, data in kept.items()}
        self.fields: dict[str, bytes] = {}
        self.headers: list[tuple[str, str]] = []

    def __call__(self, asked: Asked) -> Answer | None:
        if asked.method != "POST":
            return None
        kind = asked.headers["Content-Type"]
        whole = email.message_from_bytes(b"Content-Type: " + kind.encode() + b"\r\n\r\n" + asked.body)
        assert whole.is_multipart()
        self.headers = list(asked.headers.items())
        self.fields = {
            str(part.get_param("name", header="content-disposition")): bytes(part.get_payload(decode=True))  # type: ignore[union-attr]
            for part in whole.get_payload()
        }
        searched = _pixels(self.fields["picture"])
        results = [
            {
                "url": url,
                "title": self._titles.get(url, url),
                "words": self._titles.get(url, ""),
                "score": 0.97 if np.array_equal(searched, pixels) else 0.03,
            }
            for url, pixels in self._kept.items()
        ]
        return Answer(msgspec.json.encode({"results": results}), kind="application/json")


def _pixels(data: bytes) -> np.ndarray:
    return np.asarray(cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR))
