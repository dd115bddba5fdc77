"""What a browser hands over of one page at one moment: facts only, nothing interpreted."""

from __future__ import annotations

from typing import Literal

import msgspec

from perception.geometry import Box

MediaKind = Literal["img", "canvas", "svg", "video", "iframe", "background", "object"]
NoticeKind = Literal["dialog", "download", "cookie_banner", "popup", "blocked_request", "console_error"]


class Media(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A rendered picture-like element of at least 32 x 32 CSS pixels, with its accessible name ("" where it has none)."""

    kind: MediaKind
    box: Box
    name: str = ""


BlindKind = Literal[
    "media",  # a picture-like element without words for it
    "control",  # something to press that has no name
    "width",  # a bar, or stars, whose width is the message
    "colour",  # marks or cells that differ in nothing but their colour
    "generated",  # letters or digits that only the style sheet holds
    "scrambled",  # letters whose order on the page is not that of the document
    "overlay",  # something without words that lies over the text
    "glyphs",  # characters of a private plane, drawn by a font of the page's own
]


class BlindRegion(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A rectangle that carries meaning which the page's text does not."""

    kind: BlindKind
    box: Box
    near: str = ""
    """Words beside it: of the block that it stands in, at most 160 characters."""
    heading: str = ""
    """The heading above it."""
    value: float = 0.0
    """Of a bar, the share 0..1 that is filled."""
    detail: float = 0.0
    """Of a picture that is shown smaller than it is, its own pixels for one CSS pixel; 0 for others."""
    declared: bool = False
    """The page itself calls it decoration (empty alternative text, hidden from the accessibility tree)."""


class Layout(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Rendered geometry, measured in the page: viewport and page height in CSS pixels, and the large media."""

    viewport_width: int = 0
    viewport_height: int = 0
    page_height: int = 0
    media: tuple[Media, ...] = ()
    blind: tuple[BlindRegion, ...] = ()
    """From the top down, at most 80."""


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
    carries `data-walker-hidden=""` (topmost one only), and one that is, where nobody sees it, the same with the reason. `url` is what
    was asked for, byte-exact; `final_url` where it led.
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
    answer_seconds: float = 0.0
    """Until the server's answer had come, of a page that was rendered for a crawl; 0 where nobody measured it."""
    scrolls: bool = False
    """Whether a program of a page that was rendered for a crawl hears of scrolling, and may show more when it does."""
    retry_after: str = ""
    """The header of this name (RFC 9110, section 10.2.3), where the server asks to come back later."""
    robots_tag: str = ""
    """The header `X-Robots-Tag`, several of them joined by commas."""
