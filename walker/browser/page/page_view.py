"""Takes a view of a page: a screenshot with the element map of the same moment."""

from __future__ import annotations

import asyncio
import base64
from functools import lru_cache
from typing import Any

import msgspec
from playwright.async_api import Error, Frame

from perception.element_map import ElementMap, PageElement, View
from perception.geometry import Box
from perception.images.image import decode_tiles, encode_picture, perceptual_hashes, size_of
from perception.images.rendering import is_half_rendered
from walker.browser.page.isolated_world import World
from walker.browser.page.measured_elements import read_map
from walker.browser.scripts.page_functions import call_of, page_function

MOST_ELEMENTS = 20_000
MOST_HEIGHT = 32_000
"""Most CSS pixels of height that are rendered; the rest of the page is omitted. At a width of 1280, this is 123 MB as an array."""
TILE_HEIGHT = 4_000
"""CSS pixels of height rendered at a time: a renderer's surface is limited to 16,384."""
LAZY_MS, FRAME_SECONDS = 8_000, 10.0
"""Limits for the pictures of a page to load, and for a cross-origin frame to be measured. Both take a fraction of a second, except
where something hangs; on a busy machine a limit near that would change what is seen."""
NAMED_AT_MOST = 40
"""Most unnamed controls that are looked up in the accessibility tree, 2 ms each."""
WEBP_PIXELS = 3_000_000
"""Pixels above which a picture is kept as PNG: lossless WebP is half the size, but takes a second for ten million pixels."""
KEPT_VIEWS, KEPT_BYTES = 4, 1_000_000
"""Pictures in the compression cache, and their largest PNG: a page that is viewed again is not compressed again (0.1 to 0.4 s)."""
RETAKES, RETAKE_SECONDS = 2, 0.3


async def take_view(world: World, *, whole: bool = False, box: Box | None = None, scale: float = 1.0) -> View:
    """A view of the window, the whole page, or one box of the page at a scale (picture pixels per CSS pixel). Raises Playwright's
    `Error`."""
    await world.enter()
    beyond = whole or box is not None
    if beyond:
        load = page_function("screenshot/lazy_pictures.js", "loadLazyPictures")
        await world.call(load, [LAZY_MS, MOST_HEIGHT if box is None else box.bottom, MOST_ELEMENTS])
    await world.call(page_function("screenshot/standstill.js", "holdStill"), beyond)
    try:
        return await _still_view(_Camera(world), beyond=beyond, box=box, scale=scale)
    finally:
        await world.call(page_function("screenshot/standstill.js", "letGo"))


async def _still_view(camera: _Camera, *, beyond: bool, box: Box | None, scale: float) -> View:
    for left in reversed(range(RETAKES + 1)):
        elements = await camera.map_elements(whole=beyond)
        page = Box(x=0, y=0, width=elements.page_width, height=min(elements.page_height, MOST_HEIGHT))
        by = (0.0, 0.0)
        if box is not None:
            by, page = await camera.uncover(box, page)
        shown = box.cut_to(page) if box is not None else page if beyond else elements.viewport
        if not shown.area:
            # A box that lies beyond the page, as in a row of cards that has scrolled: there is nothing to draw.
            return View(url=camera.url, picture=b"", width=0, height=0, shown=shown, map=elements)
        tiles = await camera.draw(msgspec.structs.replace(shown, x=shown.x + by[0], y=shown.y + by[1]), scale)
        view = await asyncio.to_thread(_put_together, camera.url, tiles, shown, elements)
        if not left or not await asyncio.to_thread(is_half_rendered, view):
            return view
        await asyncio.sleep(RETAKE_SECONDS)
    raise AssertionError("the last attempt returns")


def _put_together(url: str, tiles: list[bytes], shown: Box, elements: ElementMap) -> View:
    pack = _remembered if sum(map(len, tiles)) <= KEPT_BYTES else _compress
    packed = pack(tuple(tiles))
    return View(
        url=url,
        picture=packed.data,
        width=packed.width,
        height=packed.height,
        shown=shown,
        map=elements,
        prints=packed.prints,
    )


class _Compressed(msgspec.Struct, frozen=True, kw_only=True):
    data: bytes
    width: int
    height: int
    prints: tuple[int, ...]


def _compress(tiles: tuple[bytes, ...]) -> _Compressed:
    """Stitch tiles to one picture, in the smaller of the lossless formats."""
    picture = decode_tiles(tiles)
    width, height = size_of(picture)
    data = encode_picture(picture, "webp") if width * height <= WEBP_PIXELS else tiles[0] if len(tiles) == 1 else b""
    prints = perceptual_hashes(picture)
    return _Compressed(data=data or encode_picture(picture), width=width, height=height, prints=prints)


_remembered = lru_cache(KEPT_VIEWS)(_compress)


class _Camera:
    """Measures and captures the page of a world."""

    def __init__(self, world: World) -> None:
        self._world = world

    @property
    def url(self) -> str:
        """URL of the page."""
        return self._world.url

    async def map_elements(self, *, whole: bool) -> ElementMap:
        """The elements of the page, including same-origin and cross-origin frames."""
        found = await self._world.call(_map_function(), [whole, MOST_ELEMENTS, NAMED_AT_MOST])
        elements = await self._named(read_map(found))
        for frame in self._world.frames:
            elements = await _with_foreign_frame(elements, frame)
        return elements

    async def uncover(self, box: Box, page: Box) -> tuple[tuple[float, float], Box]:
        """Bring the pictures of a box where they can be drawn: out of panes that scroll, and from below what stays in its place. Gives
        how far they have moved by it, and the page's box, which reaches as far as they do. The map is of before."""
        script = page_function("screenshot/uncovered.js", "uncoverPictures")
        dx, dy, width, height = await self._world.call(script, [box.x, box.y, box.width, box.height])
        reach = Box(x=0, y=0, width=max(page.width, width), height=min(max(page.height, height), MOST_HEIGHT))
        return (dx, dy), reach

    async def draw(self, shown: Box, scale: float) -> list[bytes]:
        """PNG tiles of a box of the page, from the top down. Captures beyond the window are in CSS pixels, regardless of the device
        pixel ratio."""
        tiles: list[bytes] = []
        y = shown.y
        while y < shown.bottom or not tiles:
            clip = {"x": shown.x, "y": y, "width": max(1.0, shown.width), "scale": scale}
            clip["height"] = max(1.0, min(TILE_HEIGHT, shown.bottom - y))
            drawn = await self._world.send(
                "Page.captureScreenshot",
                {"format": "png", "clip": clip, "captureBeyondViewport": True, "optimizeForSpeed": True},
            )
            tiles.append(base64.b64decode(drawn["data"]))
            y += TILE_HEIGHT
        return tiles

    async def _named(self, elements: ElementMap) -> ElementMap:
        """The map with names from the accessibility tree for controls that have none in their attributes."""
        if not any(element.is_interactive and not element.name for element in elements.elements):
            return elements
        handle = await self._world.run(
            call_of(page_function("element_map/unnamed.js", "unnamedControls")), by_value=False
        )
        listed = await self._world.send(
            "Runtime.getProperties", {"objectId": handle["objectId"], "ownProperties": True}
        )
        nameless = [element for element in elements.elements if element.is_interactive and not element.name]
        objects = [part["value"]["objectId"] for part in listed["result"] if part["name"].isdigit()]
        names: dict[int, str] = {}
        for element, part in zip(nameless, objects, strict=False):
            if name := await self._computed_name(part):
                names[element.id] = name
        if names:
            # Otherwise the tree would be updated with every change of the page from now on.
            await self._world.send("Accessibility.disable")
        return msgspec.structs.replace(
            elements,
            elements=tuple(
                msgspec.structs.replace(element, name=names[element.id]) if element.id in names else element
                for element in elements.elements
            ),
        )

    async def _computed_name(self, part: str) -> str:
        try:
            answer = await self._world.send(
                "Accessibility.getPartialAXTree", {"objectId": part, "fetchRelatives": False}
            )
        except Error:
            return ""  # it was removed meanwhile
        node: dict[str, Any] = next(iter(answer["nodes"]), {})
        words = " ".join(str(node.get("name", {}).get("value", "")).split())
        return words[:200] if any(character.isalnum() for character in words) else ""


def _map_function() -> str:
    return page_function("element_map/map_elements.js", "mapElements")


async def _with_foreign_frame(elements: ElementMap, frame: Frame) -> ElementMap:
    """The map with the elements of a cross-origin frame, which is measured in its own process and translated to its position."""
    try:
        owner = await frame.frame_element()
        if await owner.evaluate(page_function("frames.js", "isReadable")):
            return elements
        place = await owner.bounding_box()
        if place is None or place["width"] < 8 or place["height"] < 8:
            return elements
        async with asyncio.timeout(FRAME_SECONDS):
            found = read_map(await frame.evaluate(_map_function(), [True, MOST_ELEMENTS, 0]))
    except (Error, TimeoutError, msgspec.MsgspecError):
        # A cross-origin frame is measured in its main world, whose scripts may tamper with the result.
        return elements
    view = Box(
        x=place["x"] + elements.viewport.x,
        y=place["y"] + elements.viewport.y,
        width=place["width"],
        height=place["height"],
    )
    kept: list[PageElement] = []
    for element in found.elements:
        moved = msgspec.structs.replace(
            element,
            id=len(elements.elements) + len(kept) + 1,
            x=element.x + view.x,
            y=element.y + view.y,
            covered_by=0,
            frame=frame.url,
        )
        if moved.box.overlap(view):
            kept.append(moved)
    return msgspec.structs.replace(elements, elements=(*elements.elements, *kept))
