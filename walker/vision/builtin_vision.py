"""Built-in vision, without a vision model: OCR, names for icons, colours and bars, and the page's own descriptions of pictures."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from perception.element_map import ElementMap, View
from perception.errors import PerceptionError, PictureUnreadable
from perception.geometry import Box, CoordinateFrame
from perception.grounding.discrepancy import Discrepancies, find_discrepancies
from perception.grounding.grounding import Evidence, Grounding, ground
from perception.icons.icon_place import icon_boxes
from perception.icons.icon_reader import NOT_AN_ICON
from perception.images.colours import main_colour
from perception.images.freed_memory import give_back_memory, keep_few_arenas
from perception.images.image import Picture, cut_out, decode_picture, opencv
from perception.observation import Observation
from perception.ocr.ocr import Line, TextReader
from perception.ocr.picture_text import PictureBlock, read_blocks
from perception.ocr.zoom import find_small_text
from perception.page_pictures import LETTER_KINDS
from perception.picture_lines import PictureLines, PlacedText
from perception.snapshot import BlindRegion
from walker.seams.protocols import Look, LookRequest, Seen
from walker.vision.seen_once import without_repeats

MARGIN = 4.0
"""CSS pixels around a region that OCR includes; without them text at the edge is lost."""
STARS = 5
LONE_SURE, NUMBER_SURE, LINE_SURE = 0.9, 0.8, 0.6
"""Confidence of OCR from which a line of one or two letters is one: below, it is most often a circle, a stroke or an icon; the same
for a number of as many digits, and for a longer line. Of 901 lines in 98 pictures of the building sites 42 have less: icons,
patterns, blurred print."""
SHORT_LINE = 2
"""Letters and digits of a line that is little to go by."""
LINES_A_LOOK = 300
"""Lines of a view from which no further picture in it is read: about 12 s of CPU time."""
ENLARGED_FROM, FINER = 1.5, 1.2
"""Picture pixels per CSS pixel from which a view counts as enlarged; how many times that resolution a picture must have for its
tiles to be read one by one."""


class IconName(Protocol):
    """A possible name of an icon."""

    @property
    def name(self) -> str:
        """Its meaning in words ("search", "shopping cart")."""
        ...

    @property
    def confidence(self) -> float:
        """Probability of the name, 0..1."""
        ...


class IconNamer(Protocol):
    """Names icons, best guess first."""

    @property
    def threshold(self) -> float:
        """Least confidence of a name that is used, 0..1."""

    def read(self, crops: Sequence[Picture]) -> Sequence[Sequence[IconName]]:
        """Guesses for each crop, in the order of the crops, best first. Raises `ModelUnusable` if the model fails."""
        ...

    def match(self, crops: Sequence[Picture], query: str) -> Sequence[float]:
        """How well each crop fits the words, 0..1, in the order of the crops. Raises as `read` does."""
        ...


class BuiltinVision:
    """Implements `seams.VisionModel`. Each reader is loaded when it is needed first (that of icons is not, in most walks); one that
    fails to load is left out, with a note."""

    def __init__(
        self,
        make_reader: Callable[[], TextReader],
        make_namer: Callable[[], IconNamer] | None = None,
        *,
        most_lines: int = LINES_A_LOOK,
    ) -> None:
        """`most_lines`: after so many of a view no further picture in it is read."""
        self._most_lines = most_lines
        self._make_reader, self._make_namer = make_reader, make_namer
        self._reader: TextReader | None = None
        self._namer: IconNamer | None = None
        self._notes: tuple[str, ...] = ()
        self._is_open = False
        self._is_namer_open = False
        self._opening = threading.Lock()  # looks go on in threads: who comes second waits for what the first one loads

    async def look(self, request: LookRequest) -> Look:
        """What the request's blind regions show, or all undescribed figures and controls if it names none; and the page's own
        descriptions of its pictures."""
        words = tuple(Seen(text=text, source="page") for text in page_words(request.observation))
        if not request.view.picture or not request.view.shown.area:
            return Look(seen=words, model="built-in: page words only")
        try:
            return await asyncio.to_thread(self._look, request, words)
        except PictureUnreadable as error:
            return Look(seen=words, model="built-in: page words only", notes=(str(error),))

    def _look(self, request: LookRequest, words: tuple[Seen, ...]) -> Look:
        # What the pages before have left would lie beside what the models need.
        give_back_memory()
        try:
            return self._look_at(request, words)
        finally:
            give_back_memory()

    def _look_at(self, request: LookRequest, words: tuple[Seen, ...]) -> Look:
        self._open()
        view = request.view
        picture, frame = decode_picture(view.picture), view.frame
        regions = request.blind or request.observation.blind or tuple(_undescribed(view.map))
        letters = _Letters(self._reader, picture, frame, self._most_lines)
        for region in sorted(regions, key=lambda region: -region.box.area):
            if region.kind in LETTER_KINDS:
                letters.read(region)
        seen = letters.seen
        for region in regions:
            if region.kind == "width":
                seen.append(_bar(region))
            elif region.kind == "colour":
                seen += _colour(picture, frame, region)
        if controls := [region for region in regions if region.kind == "control"]:
            seen += self._controls(picture, view, controls)
        seen.sort(key=lambda one: (one.box.y, one.box.x) if one.box else (0.0, 0.0))
        model = f"built-in: {self._reader.name if self._reader else 'no letters'}"
        model += ", icon reader" if controls and self._namer else ""
        return Look(
            seen=(*words, *without_repeats(tuple(dict.fromkeys(seen)))),
            lines=tuple(letters.lines),
            model=model,
            regions=len(regions),
            notes=(*self._notes, *letters.notes),
        )

    async def find(
        self, query: str, view: View, *, closer: View | None = None, picked: Evidence | None = None
    ) -> tuple[Grounding, Discrepancies]:
        """The element that a phrase means, by the page's names, OCR, icons and the element that a vision model picked; and the
        discrepancies between OCR and the page's text. What `closer` shows enlarged is read from there. Raises
        `PictureUnreadable`."""
        return await asyncio.to_thread(self._find, query, view, closer, picked)

    def _find(
        self, query: str, view: View, closer: View | None, picked: Evidence | None
    ) -> tuple[Grounding, Discrepancies]:
        self._open()
        pictures = [(decode_picture(one.picture), one.frame) for one in (closer, view) if one is not None]
        lines = self._read_all(pictures)
        nameless = [element for element in view.map.elements if element.is_interactive and not element.name]
        parts = [
            (element.id, _largest(pictures, box)) for element in nameless for box in icon_boxes(element.box, view.map)
        ]
        shown = [(number, part[0]) for number, part in parts if part is not None]
        fits: dict[int, float] = {}
        if shown and (namer := self._open_namer()) is not None:
            scores = namer.match([crop for _, crop in shown], query)
            for (number, _), score in zip(shown, scores, strict=True):
                fits[number] = max(score, fits.get(number, 0.0))
        found = ground(query, view.map, lines=lines, icons=fits, picked=picked)
        return found, find_discrepancies(view.map, lines)

    def _read_all(self, pictures: Sequence[tuple[Picture, CoordinateFrame]]) -> tuple[Line, ...]:
        """OCR lines of several pictures of one page, without those in a part that an earlier picture shows."""
        lines: list[Line] = []
        before: list[Box] = []
        for picture, frame in pictures:
            read = self._reader.read(picture, frame) if self._reader is not None else ()
            lines += [line for line in read if not any(line.box.share_in(box) > 0.5 for box in before)]
            before.append(frame.shown)
        return tuple(lines)

    def _open(self) -> None:
        with self._opening:
            if self._is_open:
                return
            keep_few_arenas()
            try:
                self._reader = self._make_reader()
            except PerceptionError as error:
                self._notes = (*self._notes, str(error))
            self._is_open = True
            give_back_memory()

    def _open_namer(self) -> IconNamer | None:
        with self._opening:
            if self._make_namer is not None and not self._is_namer_open:
                try:
                    self._namer = self._make_namer()
                except PerceptionError as error:
                    self._notes = (*self._notes, str(error))
                self._is_namer_open = True
            return self._namer

    def _controls(self, picture: Picture, view: View, regions: Sequence[BlindRegion]) -> Iterable[Seen]:
        """Names for controls without one: the text that OCR reads in them, else the name of their icon."""
        parts = [(region, cut_out(picture, view.frame, region.box)) for region in regions]
        shown = [(region, part) for region, part in parts if part is not None]
        unread: list[tuple[BlindRegion, Picture]] = []
        for region, (crop, crop_frame) in shown:
            lines = self._reader.read(crop, crop_frame) if self._reader and region.box.width > 24 else ()
            said = " ".join(line.text for line in lines if len(line.text) > 1)
            if said:
                element = _element_at(view.map, region.box)
                confidence = min(line.confidence for line in lines)
                yield Seen(
                    text=said,
                    source="ocr",
                    box=region.box,
                    confidence=confidence,
                    element=element,
                    heading=region.heading,
                )
            else:
                icons = [cut_out(picture, view.frame, box) for box in icon_boxes(region.box, view.map)]
                unread += [(region, icon[0]) for icon in icons if icon is not None]
        if not unread or (namer := self._open_namer()) is None:
            return
        surest: dict[Box, Seen] = {}
        for (region, _), guesses in zip(unread, namer.read([crop for _, crop in unread]), strict=True):
            if not guesses or guesses[0].confidence < namer.threshold or guesses[0].name == NOT_AN_ICON:
                continue
            before = surest.get(region.box)
            if before is None or before.confidence < guesses[0].confidence:
                surest[region.box] = Seen(
                    text=guesses[0].name,
                    source="icon",
                    box=region.box,
                    confidence=round(guesses[0].confidence, 3),
                    element=_element_at(view.map, region.box),
                    heading=region.heading,
                )
        yield from surest.values()


class _Letters:
    """Reads the text in the regions of one view, up to so many lines."""

    def __init__(self, reader: TextReader | None, picture: Picture, frame: CoordinateFrame, most: int) -> None:
        self._reader, self._picture, self._frame, self._most = reader, picture, frame, most
        self._done: list[Box] = []
        self._lines = 0
        self._unread, self._tiles = 0, 0
        self.seen: list[Seen] = []
        self.lines: list[PictureLines] = []

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left unread, so that nothing is lost in silence."""
        left = [f"{self._unread} more of its pictures"] if self._unread else []
        left += [f"{self._tiles} parts of a large picture"] if self._tiles else []
        return (f"{self._lines} lines were read; {' and '.join(left)} were left unread",) if left else ()

    def read(self, region: BlindRegion) -> None:
        """Read a region, unless it is a part of one that was."""
        if any(region.box.share_in(box) > 0.9 for box in self._done):
            return
        part = cut_out(self._picture, self._frame, region.box, MARGIN)
        if part is None:
            return
        self._done.append(region.box)
        crop, crop_frame = part
        if region.kind == "media" and (code := _read_code(crop)):
            self.seen.append(Seen(text=code, source="code", box=region.box, heading=region.heading, near=region.near))
        if self._reader is None:
            return
        if self._lines >= self._most:
            self._unread += 1
            return
        lines = self._lines_of(self._reader, crop, crop_frame, region)
        self._lines += len(lines)
        lines = tuple(line for line in lines if _may_be_text(line))
        blocks = read_blocks(lines)
        self.lines += _lines_in(lines, region, crop_frame.scale)
        self.seen += [_seen(block, region) for block in blocks if _says_something(block.text)]

    def _lines_of(
        self, reader: TextReader, crop: Picture, frame: CoordinateFrame, region: BlindRegion
    ) -> tuple[Line, ...]:
        # A picture whose resolution is higher than even that of the enlarged view is read tile by tile.
        if frame.scale <= ENLARGED_FROM or region.detail <= FINER * frame.scale:
            return reader.read(crop, frame)
        small = find_small_text(crop, frame, reader, most_lines=self._most - self._lines)
        self._tiles += small.left
        return small.lines


def _largest(pictures: Sequence[tuple[Picture, CoordinateFrame]], box: Box) -> tuple[Picture, CoordinateFrame] | None:
    """A box cropped from the first picture that shows all of it, else from the last."""
    showing = (one for one in pictures if box.share_in(one[1].shown) > 0.95)
    picture, frame = next(showing, pictures[-1])
    return cut_out(picture, frame, box)


def page_words(observation: Observation) -> tuple[str, ...]:
    """The page's descriptions of its pictures: labels, alternative texts and captions with their headings, each once; none that
    stands whole in its text (a caption does)."""
    texts: dict[str, None] = {}
    written = {block.text for block in observation.blocks if not block.hidden and not block.pictured}
    for figure in observation.figures:
        words = tuple(dict.fromkeys(word for word in (figure.label, figure.alt, figure.caption) if word))
        said = " ".join(words)
        if said and not written.issuperset(words):
            texts.setdefault(f"{figure.heading}: {said}" if figure.heading else said)
    return tuple(texts)


def _undescribed(elements: ElementMap) -> Iterable[BlindRegion]:
    for element in elements.elements:
        if element.kind == "figure" and not element.described and not element.unseen and element.box.area >= 1500:
            yield BlindRegion(kind="media", box=element.box)
        elif element.is_interactive and not element.name and not element.unseen:
            yield BlindRegion(kind="control", box=element.box)


def _lines_in(lines: Sequence[Line], region: BlindRegion, scale: float) -> Iterable[PictureLines]:
    """The lines of a picture, where they stand; nothing of one without any. `scale`: pixels that were read per CSS pixel."""
    if lines:
        yield PictureLines(
            box=region.box,
            lines=tuple(_placed(line, scale) for line in lines),
            name=region.called,
            heading=region.heading,
            near=region.near,
        )


def _placed(line: Line, scale: float) -> PlacedText:
    return PlacedText(
        text=line.text,
        box=line.box,
        confidence=round(line.confidence, 3),
        pixels=round(scale * line.box.height, 1),
    )


def _seen(block: PictureBlock, region: BlindRegion) -> Seen:
    return Seen(
        text=block.text,
        source="ocr",
        kind={"heading": "heading", "row": "row"}.get(block.kind, "words"),  # type: ignore[arg-type]
        cells=block.cells,
        box=block.box,
        confidence=round(block.confidence, 3),
        heading=block.heading or region.heading,
        near=region.near,
        picture=region.called,
    )


def _says_something(text: str) -> bool:
    """Whether an OCR result may be text: a lone letter is often a misread circle or stroke; a lone digit or Chinese character may
    be a word."""
    letters = [sign for sign in text if sign.isalnum()]
    return len(letters) > 1 or any(sign.isdigit() or not sign.isascii() for sign in letters)


def _may_be_text(line: Line) -> bool:
    """Whether a line belongs to a text at all: what is read in photographs, icons and patterns is short, or was read unsurely. In a
    row a lone letter may be the name of a column."""
    signs = [sign for sign in line.text if sign.isalnum()]
    if len(signs) > SHORT_LINE:
        return line.confidence >= LINE_SURE
    return bool(signs) and line.confidence >= (NUMBER_SURE if all(map(str.isdigit, signs)) else LONE_SURE)


def _bar(region: BlindRegion) -> Seen:
    """The filled share of a bar, and the number of stars if it has the shape of five stars in a row."""
    is_stars = 3.5 <= region.box.width / max(1.0, region.box.height) <= 7.5 and region.box.height <= 48
    share = f"{region.value:.0%}"
    said = f"{round(region.value * STARS, 1):g} stars ({share})" if is_stars else share
    near = region.near or region.heading
    return Seen(text=f"{near}: {said}" if near else said, source="width", box=region.box, heading=region.heading)


def _colour(picture: Picture, frame: CoordinateFrame, region: BlindRegion) -> Iterable[Seen]:
    part = cut_out(picture, frame, region.box)
    if part is not None and region.box.area <= 40 * 40:
        name = main_colour(part[0])
        near = region.near or region.heading
        yield Seen(text=f"{near}: {name}" if near else name, source="colour", box=region.box, heading=region.heading)


def _read_code(crop: Picture) -> str:
    """The content of a QR code in the picture, "" if there is none."""
    try:
        said, *_ = opencv().QRCodeDetector().detectAndDecode(crop)
    except opencv().error:
        return ""
    return " ".join(str(said).split())


def _element_at(elements: ElementMap, box: Box) -> int:
    best = max(elements.elements, key=lambda element: element.box.iou(box) * element.is_interactive, default=None)
    return best.id if best is not None and best.is_interactive and best.box.iou(box) > 0.5 else 0
