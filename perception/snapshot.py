"""What a browser hands over of one page at one moment: facts only, nothing interpreted."""

from __future__ import annotations

from typing import Literal

import msgspec

from perception.geometry import Box

MediaKind = Literal["img", "canvas", "svg", "video", "iframe", "background"]
NoticeKind = Literal["dialog", "download", "cookie_banner", "popup", "blocked_request", "console_error"]


class Media(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rendered picture-like element of at least 32 x 32 CSS pixels, with its accessible name ("" where it has none)."""

    kind: MediaKind
    box: Box
    name: str = ""


class Layout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Rendered geometry, measured in the page: viewport and page height in CSS pixels, and the large media."""

    viewport_width: int = 0
    viewport_height: int = 0
    page_height: int = 0
    media: tuple[Media, ...] = ()


FLAT = Layout()
"""Of a page that was not rendered; one value, so that it is left out of what is written."""


class Redirect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One hop of a redirect chain: the URL that answered, and its HTTP status."""

    url: str
    status: int


class Notice(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something the page tried, and what became of it ("download", "report.zip: refused")."""

    kind: NoticeKind
    text: str


class Snapshot(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One page as the browser rendered it.

    `html` is the serialised DOM with same-origin frames and open shadow roots folded in where they stand: a frame as
    `<div data-walker-frame="URL">`, a shadow root as `<div data-walker-shadow="">`. An element that is not rendered
    carries `data-walker-hidden=""` (topmost one only). `url` is what was asked for, byte-exact; `final_url` where it led.
    """

    url: str
    final_url: str
    status: int
    html: str
    redirects: tuple[Redirect, ...] = ()
    content_type: str = "text/html"
    layout: Layout = FLAT
    notices: tuple[Notice, ...] = ()
    title: str = ""
    fetched_at: float = 0.0
    """Seconds since the epoch, UTC."""
    load_seconds: float = 0.0
