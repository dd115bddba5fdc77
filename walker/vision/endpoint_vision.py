"""A vision model behind an OpenAI-compatible endpoint: sends pictures with numbered marks, returns an answer with its place."""

from __future__ import annotations

import asyncio
import hashlib

import msgspec

from perception.document.visible import visible_text
from perception.errors import PictureUnreadable
from perception.geometry import Box, CoordinateFrame, box_around
from perception.images.image import Picture, cut_out, decode_picture, encode_picture, pad, resize, size_of
from perception.images.marks import Marked, mark_picture
from walker.errors import BudgetSpent
from walker.models.replies import BadReply, LocateReply, LookReply, read_reply, schema_of
from walker.prompts import prompt_id, render_prompt
from walker.seams.chat import ChatFailure, ChatImage, ChatMessage, ChatReply, ChatRequest
from walker.seams.protocols import ChatModel, Look, LookRequest, Seen
from walker.settings import VisionSettings
from walker.vision.calibrations import Calibrations
from walker.vision.empty_looks import tells_nothing
from walker.vision.families import UNKNOWN, Family, box_on_page, family_of, image_tokens, sent_size
from walker.vision.four_crosses import Calibration

PROMPT, LOCATE = "look", "locate"
NOT_FOUND = "not found in the picture"
AROUND = 24.0
"""CSS pixels around a region that are shown with it: its caption, its axis."""
WHOLE_SHARE = 0.7
"""Share 0..1 of the view from which the whole view is sent instead of a crop."""
CONFIDENT, ALONE = 0.95, 0.7
"""Confidence in an answer that OCR of the picture confirms, and in one that it does not."""
SHRINKS = 2
"""How often a picture is halved for a model whose context is too small."""


class EndpointVision:
    """Implements `seams.VisionModel`. A model that turns out to take no pictures is not asked again."""

    def __init__(
        self, chat: ChatModel, settings: VisionSettings, seed: str, calibrations: Calibrations | None = None
    ) -> None:
        """`seed` determines the markers that delimit page content; `calibrations` map the coordinates of an unknown model."""
        self._chat, self._settings, self._seed = chat, settings, seed
        self._calibrations = calibrations
        self._calibration: Calibration | None = None
        self._is_calibrated = False
        self._family = family_of(settings.name)
        self._blind = ""

    async def look(self, request: LookRequest) -> Look:
        """Ask about the smallest crop with all regions; if the answer is not in it, about the whole view."""
        if self._blind or not request.view.picture:
            return self._nothing(self._blind)
        try:
            picture = await asyncio.to_thread(decode_picture, request.view.picture)
        except PictureUnreadable as error:
            return self._nothing(str(error))
        parts = _crops(request, picture)
        notes: list[str] = []
        best = Look()
        await self._calibrate()
        for part, frame in parts:
            asked = await self._ask(request, part, frame)
            if isinstance(asked, Look) and (asked.answer or asked.answer_box is not None):
                return msgspec.structs.replace(asked, regions=len(request.regions), notes=tuple(notes))
            if isinstance(asked, Look):
                # What the closest picture shows is told best; that it does not answer is no reason to forget it.
                best = best if best.seen else asked
                notes.append(NOT_FOUND)
            else:
                notes.append(asked)
            if self._blind:
                break
        told = self._nothing(*notes)
        return msgspec.structs.replace(
            told, seen=best.seen, shows=best.shows, regions=len(request.regions) if best.seen else 0
        )

    async def _calibrate(self) -> None:
        """Calibrate an unknown model before its first question."""
        if self._calibrations is not None and not self._is_calibrated:
            self._is_calibrated = True
            try:
                address = self._settings.base_url or self._settings.folder
                self._calibration = await self._calibrations.of(self._settings.name, address, self._chat)
            except BudgetSpent:
                self._calibration = None

    async def _ask(self, request: LookRequest, part: Picture, frame: CoordinateFrame) -> Look | str:
        """What the model sees in one picture, or the reason why its reply cannot be used."""
        most = self._settings.most_pixels
        for _ in range(SHRINKS + 1):
            marked = await asyncio.to_thread(mark_picture, part, frame, request.view.map.elements)
            image, sent_frame = await asyncio.to_thread(self._image, marked.picture, frame, most)
            try:
                answer = await self._chat.complete(self._request(request, marked, image))
            except BudgetSpent as error:
                return f"no look: {error}"  # as it is said again in a replay
            if not isinstance(answer, ChatFailure):
                return self._read(request, answer, marked, sent_frame, frame)
            if answer.kind == "no_eyes":
                self._blind = answer.message
                return answer.message
            if answer.kind != "too_long":
                return f"{answer.kind}: {answer.message}"
            most = image.width * image.height // 2
        return "the model's context is too small even for a small picture"

    def _image(self, marked: Picture, frame: CoordinateFrame, most: int) -> tuple[ChatImage, CoordinateFrame]:
        """The picture resized and padded for the model, and its frame, which includes the padding."""
        width, height = size_of(marked)
        size = sent_size(width, height, self._family, most)
        sent = pad(resize(marked, size.width, size.height), size.padded_width, size.padded_height)
        across, down = frame.shown.width / size.width, frame.shown.height / size.height
        shown = Box(
            x=frame.shown.x, y=frame.shown.y, width=across * size.padded_width, height=down * size.padded_height
        )
        image = ChatImage(
            data=encode_picture(sent),
            media_type="image/png",
            width=size.padded_width,
            height=size.padded_height,
            tokens=image_tokens(size.padded_width, size.padded_height, self._family),
        )
        return image, CoordinateFrame(shown=shown, width=size.padded_width, height=size.padded_height)

    def _request(self, request: LookRequest, marked: Marked, image: ChatImage) -> ChatRequest:
        marks = "\n".join(
            f"{number}: {element.role} {visible_text(element.label)[:60]}".rstrip()
            for number, element in marked.table.items()
        )
        prompt, kind = (LOCATE, LocateReply) if request.thing else (PROMPT, LookReply)
        digest = hashlib.sha256(f"{self._seed} {prompt} {request.question} {marks}".encode(errors="replace"))
        values: dict[str, object] = {
            "question": request.question,
            "thing": visible_text(request.thing),
            "marks": marks,
            "fence": f"==={digest.hexdigest()[:12]}===",
            "convention": _convention(self._family, image, request.language, is_box=bool(request.thing)),
        }
        system, user = render_prompt(prompt, request.language, values)
        user = ChatMessage(role="user", content=user.content, images=(image,))
        return ChatRequest(
            model=self._settings.name,
            messages=(system, user),
            schema_name=prompt,
            schema=schema_of(kind),
            max_tokens=self._settings.reply_tokens,
            prompt=prompt_id(prompt, request.language),
        )

    def _read(
        self, request: LookRequest, answer: ChatReply, marked: Marked, sent: CoordinateFrame, frame: CoordinateFrame
    ) -> Look | str:
        try:
            if request.thing:
                return self._located(read_reply(answer, LocateReply), request, sent)
            reply = read_reply(answer, LookReply)
        except BadReply as error:
            return f"a reply of no use: {error}"
        said = visible_text(reply.answer)[:300]
        if not reply.found or not said:
            return self._shown(reply, frame)
        element = marked.table.get(reply.target)
        place = element.box if element is not None else self._place(reply.place, request, sent)
        known = " ".join(request.observation.seen_text).casefold()
        texts = [text for text in (visible_text(line)[:300] for line in reply.texts[:8]) if text]
        box = place or frame.shown
        confidence = CONFIDENT if said.casefold() in known else ALONE
        return Look(
            seen=tuple(
                Seen(text=text, source="model", box=box, confidence=confidence, near=request.question)
                for text in dict.fromkeys((*texts, said))
            ),
            answer=said,
            answer_box=place,
            confidence=confidence,
            shows=visible_text(reply.shows)[:300],
            model=self._settings.name,
        )

    def _shown(self, reply: LookReply, frame: CoordinateFrame) -> Look:
        """What a picture shows that does not answer the question: in a few words, and the lines of it that bear on the question.
        That it shows nothing is no text of the page."""
        shows = visible_text(reply.shows)[:300]
        texts = [text for text in (visible_text(line)[:300] for line in reply.texts[:8]) if text]
        return Look(
            seen=tuple(
                Seen(text=text, source="model", box=frame.shown, confidence=ALONE)
                for text in dict.fromkeys((*texts, *((shows,) if shows and not tells_nothing(shows) else ())))
            ),
            shows=shows,
            model=self._settings.name,
        )

    def _located(self, reply: LocateReply, request: LookRequest, sent: CoordinateFrame) -> Look | str:
        """The box of the thing that was asked for; a point tells where it is, but not all of it."""
        box = self._place(reply.box, request, sent) if reply.found and len(reply.box) == 4 else None
        if box is None or not box.area:
            return NOT_FOUND
        return Look(answer_box=box, confidence=ALONE, model=self._settings.name)

    def _place(self, values: tuple[float, ...], request: LookRequest, sent: CoordinateFrame) -> Box | None:
        """The box that the model points at, snapped to the element there."""
        if self._family is UNKNOWN:
            calibration = self._calibration
            if calibration is None or not calibration.is_usable or len(values) not in (2, 4):
                return None
            shares = [calibration.share(*values[start : start + 2]) for start in range(0, len(values), 2)]
            left, right = (sent.shown.x + end(one.x for one in shares) * sent.shown.width for end in (min, max))
            top, bottom = (sent.shown.y + end(one.y for one in shares) * sent.shown.height for end in (min, max))
            box = Box(x=left, y=top, width=right - left, height=bottom - top)
        else:
            found = box_on_page(values, self._family, sent)
            if found is None:
                return None
            box = found
        hit = request.view.map.hit(box.center)
        if box.area:
            return box
        return hit.box if hit is not None else None

    def _nothing(self, *notes: str) -> Look:
        return Look(model=self._settings.name, notes=tuple(note for note in dict.fromkeys(notes) if note))


def _crops(request: LookRequest, picture: Picture) -> list[tuple[Picture, CoordinateFrame]]:
    """The pictures to try in turn: the crop with all regions, then the whole view."""
    frame = request.view.frame
    regions = [region for region in request.regions if region.overlap(frame.shown)]
    part = cut_out(picture, frame, box_around(regions), AROUND) if regions else None
    if part is not None and part[1].shown.area < WHOLE_SHARE * frame.shown.area:
        return [part, (picture, frame)]
    return [(picture, frame)]


def _convention(family: Family, image: ChatImage, language: str, *, is_box: bool) -> str:
    """The coordinate convention, in words, that the prompt asks this model to use: the one that it was trained on. A place is a point
    or a box, and with `is_box` a box only."""
    is_xy = family.order == "xy"
    point = "[x, y]" if is_xy else "[y, x]"
    scale = f"0-{image.width}, 0-{image.height}" if family.unit == "pixels" else f"0-{family.full:g}"
    if language == "zh":
        box = "[左, 上, 右, 下]" if is_xy else "[上, 左, 下, 右]"
        return f"写作 {box}，数值 {scale}" if is_box else f"写作点 {point} 或范围 {box}，数值 {scale}"
    box = "[left, top, right, bottom]" if is_xy else "[top, left, bottom, right]"
    return f"as {box}, numbers {scale}" if is_box else f"as a point {point} or a box {box}, numbers {scale}"
