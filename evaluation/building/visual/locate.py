"""Stage 1: the pictures of a site that a question may be about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from evaluation.building.checks import Rejected
from evaluation.building.visual.site_pages import SitePage

LEAST_SIDE = 64
"""Pixels of the shorter side; smaller ones are icons."""
DECORATION_PAGES = 4
"""A picture on so many pages is the site's, not a page's: a logo, a button, an icon of a warning."""
WINDOW = 1280 * 720
"""Pixels of the window that a picture's share is of."""


class LibraryPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A file that the library has read."""

    digest: str
    width: int
    height: int
    preview: bytes = b""
    """JPEG of at most 336 pixels a side: what it is searched by."""
    text: str = ""
    """What OCR read in it, a line for each line."""


class Located(msgspec.Struct, frozen=True, kw_only=True):
    """A picture where a page shows it, with what the page says of it."""

    page: str
    url: str
    digest: str
    alt: str = ""
    caption: str = ""
    heading: str = ""
    text: str = ""
    share: float = 0.0
    """Of a window of 1280 x 720 that it covers at its own size; above 1 for a larger one."""

    @property
    def words(self) -> tuple[str, ...]:
        """Caption, alternative text and heading, those that are there."""
        return tuple(text for text in (self.caption, self.alt, self.heading) if text.strip())


def located_pictures(
    pages: Sequence[SitePage], files: Mapping[str, LibraryPicture]
) -> tuple[tuple[Located, ...], tuple[Rejected, ...]]:
    """The pictures on pages, and those that are left out. `files` are the pictures that could be read, by address."""
    shown_on = Counter(picture.url for page in pages for picture in page.pictures)
    found: list[Located] = []
    rejected: list[Rejected] = []
    for page in pages:
        for picture in page.pictures:
            file = files.get(picture.url)
            if why := _why_not(file, shown_on[picture.url]):
                rejected.append(Rejected(question=picture.url, reason=why))
            elif file is not None:
                found.append(
                    Located(
                        page=page.page.key,
                        url=picture.url,
                        digest=file.digest,
                        alt=picture.alt,
                        caption=picture.caption,
                        heading=picture.heading,
                        text=file.text,
                        share=round(file.width * file.height / WINDOW, 3),
                    )
                )
    return tuple(found), tuple(rejected)


def _why_not(file: LibraryPicture | None, pages: int) -> str:
    if file is None:
        return "its file cannot be read as a picture"
    if min(file.width, file.height) < LEAST_SIDE:
        return "it is as small as an icon"
    if pages >= DECORATION_PAGES:
        return "it belongs to the site's design: many pages show it"
    return ""
