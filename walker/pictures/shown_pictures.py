"""The pictures that a page shows: their addresses, and what the page says of each."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping

import msgspec

from memory.library.pictures import PagePicture, PictureMarks
from perception.document.reading import observe
from perception.errors import PictureUnreadable
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.pictures.picture_marks import marks_of

PICTURES_AT_MOST = 64
"""Of one page, from its top: beyond are galleries of thumbnails, whose pictures have pages of their own."""
NO_PICTURE = (".svg", ".ico", ".bmp")
"""Endings of files that are not read, so that they are not fetched either."""
WEB = ("http://", "https://")


class ShownPicture(msgspec.Struct, frozen=True, kw_only=True):
    """A picture on a page."""

    url: str
    alt: str = ""
    caption: str = ""
    heading: str = ""


def shown_on(snapshot: Snapshot) -> tuple[ShownPicture, ...]:
    """Those of the elements `img` with an address of their own, each address once. Pure."""
    return shown_in(observe(snapshot))


def shown_in(observation: Observation) -> tuple[ShownPicture, ...]:
    """The same of a page that was observed already."""
    found: dict[str, ShownPicture] = {}
    for figure in observation.figures:
        url = figure.url.partition("#")[0]
        if figure.kind != "img" or not url.startswith(WEB) or _path(url).endswith(NO_PICTURE):
            continue
        known = found.get(url)
        if known is None or not known.alt:
            found[url] = ShownPicture(
                url=url, alt=figure.alt or figure.label, caption=figure.caption, heading=figure.heading
            )
    return tuple(found.values())[:PICTURES_AT_MOST]


def _path(url: str) -> str:
    return url.partition("?")[0].lower()


def found_among(snapshot: Snapshot, marks: Mapping[str, PictureMarks]) -> tuple[PagePicture, ...] | None:
    """The pictures of a page whose files are at hand, None where none is."""
    if not marks:
        return None
    return tuple(placed(shown, marks[shown.url]) for shown in shown_on(snapshot) if shown.url in marks) or None


def read_among(snapshot: Snapshot, files: Mapping[str, bytes]) -> tuple[PagePicture, ...] | None:
    """The same from the files themselves, by their addresses; what is no picture that can be read is left out. About 25 ms each."""
    found: list[PagePicture] = []
    for shown in shown_on(snapshot):
        if shown.url in files:
            with contextlib.suppress(PictureUnreadable):
                found.append(placed(shown, marks_of(files[shown.url])))
    return tuple(found) or None


def placed(shown: ShownPicture, marks: PictureMarks) -> PagePicture:
    """A picture of a page with what it is found by."""
    return PagePicture(marks=marks, url=shown.url, alt=shown.alt, caption=shown.caption, heading=shown.heading)
