"""Locates a counted item: its element on the recorded page, its box, and the crop of a recorded screenshot that shows it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from lxml import etree

from memory.findings import Item
from perception.document.addresses import absolute_url
from perception.document.controls.control_reading import selector_of
from perception.document.dom import Element, base_address, parse_page
from perception.element_map import PageElement, View
from perception.errors import PictureUnreadable
from perception.geometry import Box
from perception.images.image import Picture, cut_out, decode_picture, encode_picture
from perception.snapshot import Snapshot
from traces.errors import TraceReadError
from traces.events import EdgeCall
from traces.reading.reader import Run
from traces.store.blobs import ref_of
from walker.recording.recorded_pages import load_page, load_view

MARGIN = 8.0
"""CSS pixels around a unit in its crop."""
_SILENT = ("script", "style", "noscript", "template")


class UnitPlace(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The place of a unit on its page."""

    selector: str = ""
    """CSS selector of its element, "" if the page's text does not contain it."""
    element: int = 0
    """Its number in the element map of the screenshot, 0 if no recorded screenshot shows it."""
    box: Box | None = None
    """In CSS pixels of the page, if known."""
    picture: str = ""
    """Digest of that screenshot."""
    region: tuple[int, ...] = ()
    """Left, top, right and bottom of the crop, in pixels of the screenshot."""


class PagesOfSteps:
    """Pages and screenshots of a run, each decoded once."""

    def __init__(self, run: Run) -> None:
        self._get = run.blobs.get
        self._calls: dict[int, list[EdgeCall]] = {}
        for event in run.events:
            if isinstance(event, EdgeCall) and event.seam in ("browser", "picture") and not event.error:
                self._calls.setdefault(event.step, []).append(event)
        self._pages: dict[tuple[int, str], tuple[Element, str] | None] = {}
        self._views: dict[int, tuple[tuple[str, View], ...]] = {}
        """By step, with the digests of their screenshots."""
        self._decoded: tuple[str, Picture] | None = None
        """The screenshot that was cropped last: the next unit is often on the same one."""

    def place_of(self, item: Item) -> UnitPlace:
        """The place of an item, as far as the recording has it."""
        page = self._page(item.step, item.page_url)
        found = find_element(*page, item) if page is not None else None
        place = UnitPlace(selector=selector_of(found)) if found is not None else UnitPlace()
        for digest, view in self._views_of(item.step):
            if _bare(view.url) != _bare(item.page_url):
                continue
            element = _shown(view, place.selector, item.name)
            if element is not None:
                return msgspec.structs.replace(
                    place,
                    selector=place.selector or element.selector,
                    element=element.id,
                    box=element.box,
                    picture=digest,
                    region=view.frame.to_pixels(element.box.grown(MARGIN)),
                )
        return place

    def crop_of(self, step: int, place: UnitPlace) -> bytes:
        """The crop that shows a place, as PNG; b"" if no screenshot does, or it cannot be read."""
        view = next((view for digest, view in self._views_of(step) if digest == place.picture), None)
        if view is None or place.box is None:
            return b""
        try:
            part = cut_out(self._picture(place.picture, view), view.frame, place.box, MARGIN)
        except PictureUnreadable:
            return b""
        return encode_picture(part[0]) if part is not None else b""

    def _picture(self, digest: str, view: View) -> Picture:
        if self._decoded is None or self._decoded[0] != digest:
            self._decoded = digest, decode_picture(view.picture)
        return self._decoded[1]

    def _page(self, step: int, url: str) -> tuple[Element, str] | None:
        """Root and base of the last page of a step at an address; the walk may have looked elsewhere in the same step."""
        if (step, url) not in self._pages:
            calls = [call for call in self._calls.get(step, ()) if call.method in ("open", "act")]
            pages = (page for call in reversed(calls) if isinstance(page := self._loaded(call), Snapshot))
            page = next((page for page in pages if _bare(page.final_url) == _bare(url)), None)
            self._pages[step, url] = _parsed(page) if page is not None else None
        return self._pages[step, url]

    def _loaded(self, call: EdgeCall) -> object:
        try:
            return load_page(call.outcome, self._get)
        except (TraceReadError, msgspec.MsgspecError, KeyError, TypeError):
            return None

    def _views_of(self, step: int) -> tuple[tuple[str, View], ...]:
        if step not in self._views:
            kept: list[tuple[str, View]] = []
            for call in self._calls.get(step, ()):
                if call.method != "see":
                    continue
                try:
                    view = load_view(call.outcome, self._get)
                except (TraceReadError, msgspec.MsgspecError, KeyError, TypeError):
                    continue
                if isinstance(view, View):
                    kept.append((ref_of(view.picture, "image/png").digest, view))
            self._views[step] = tuple(kept)
        return self._views[step]


def find_element(root: Element, base: str, item: Item) -> Element | None:
    """The element that an item was read from, or None: the smallest with its quote, else with its name, else the link to it."""
    name, quote = _squeezed(item.name), _squeezed(item.quote)
    around = _smallest(root, quote) if quote else None
    if around is not None:
        inner = _smallest(around, name) if name else None
        return around if inner is None else inner
    links = [link for link in root.iter("a") if item.key and absolute_url(base, link.get("href") or "") == item.key]
    named = [link for link in links if name and name in _squeezed(_text(link))]
    if named or links:
        return (named or links)[0]
    return _smallest(root, name) if name else None


def _parsed(page: Snapshot) -> tuple[Element, str]:
    root = parse_page(page.html)
    etree.strip_elements(root, *_SILENT, with_tail=False)
    return root, base_address(root, page.final_url)


def _smallest(element: Element, words: str) -> Element | None:
    """The innermost element that contains all of the words; the first of several."""
    if words not in _squeezed(_text(element)):
        return None
    while True:
        inner = next((child for child in element if words in _squeezed(_text(child))), None)
        if inner is None:
            return element
        element = inner


def _shown(view: View, selector: str, name: str) -> PageElement | None:
    """The element of a map that has this selector, else the one with this name: links and controls first."""
    elements: Iterable[PageElement] = [one for one in view.map.elements if one.width > 0 and one.height > 0]
    for element in elements:
        if selector and element.selector.replace("html:nth-of-type(1)", "html") == selector:
            return element
    wanted = _squeezed(name)
    named = [one for one in elements if wanted and _squeezed(one.label) == wanted]
    return min(named, key=lambda one: not one.is_interactive, default=None)


def _bare(url: str) -> str:
    """An address without its fragment."""
    return url.partition("#")[0]


def _text(element: Element) -> str:
    return "".join(element.itertext())


def _squeezed(text: str) -> str:
    """Letters and digits only, because separators between cells and lines vary."""
    return "".join(letter for letter in text if letter.isalnum()).casefold()
