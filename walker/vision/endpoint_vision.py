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
from walker.models.replies import BadReply, LookReply, read_reply, schema_of
from walker.prompts import prompt_id, render_prompt
from walker.seams.chat import ChatFailure, ChatImage, ChatMessage, ChatReply, ChatRequest
from walker.seams.protocols import ChatModel, Look, LookRequest, Seen
from walker.settings import VisionSettings
from walker.vision.calibrations import Calibrations
from walker.vision.families import UNKNOWN, Family, box_on_page, family_of, image_tokens, sent_size
from walker.vision.four_crosses import Calibration

PROMPT = "look"
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
        await self._calibrate()
        for part, frame in parts:
            asked = await self._ask(request, part, frame)
            if isinstance(asked, Look):
                return msgspec.structs.replace(asked, regions=len(request.regions), notes=tuple(notes))
            notes.append(asked)
            if self._blind:
                break
        return self._nothing(*notes)

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
                return f"no look: {error.what}"
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
        digest = hashlib.sha256(f"{self._seed} {PROMPT} {request.question} {marks}".encode(errors="replace"))
        values: dict[str, object] = {
            "question": request.question,
            "marks": marks,
            "fence": f"==={digest.hexdigest()[:12]}===",
            "convention": _convention(self._family, image, request.language),
        }
        system, user = render_prompt(PROMPT, request.language, values)
        user = ChatMessage(role="user", content=user.content, images=(image,))
        return ChatRequest(
            model=self._settings.name,
            messages=(system, user),
            schema_name=PROMPT,
            schema=schema_of(LookReply),
            max_tokens=self._settings.reply_tokens,
            prompt=prompt_id(PROMPT, request.language),
        )

    def _read(
        self, request: LookRequest, answer: ChatReply, marked: Marked, sent: CoordinateFrame, frame: CoordinateFrame
    ) -> Look | str:
        try:
            reply = read_reply(answer, LookReply)
        except BadReply as error:
            return f"a reply of no use: {error}"
        said = visible_text(reply.answer)[:300]
        if not reply.found or not said:
            return "not found in the picture"
        element = marked.table.get(reply.target)
        place = element.box if element is not None else self._place(reply, request, sent)
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
            model=self._settings.name,
        )

    def _place(self, reply: LookReply, request: LookRequest, sent: CoordinateFrame) -> Box | None:
        """The box that the model points at, snapped to the element there."""
        values = tuple(reply.place)
        if self._family is UNKNOWN:
            if self._calibration is None or not self._calibration.is_usable or len(values) < 2:
                return None
            share = self._calibration.share(values[0], values[1])
            box = Box(
                x=sent.shown.x + share.x * sent.shown.width,
                y=sent.shown.y + share.y * sent.shown.height,
                width=0,
                height=0,
            )
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


def _convention(family: Family, image: ChatImage, language: str) -> str:
    """The coordinate convention, in words, that the prompt asks this model to use: the one that it was trained on."""
    order = "[x, y]" if family.order == "xy" else "[y, x]"
    scale = f"0-{image.width}, 0-{image.height}" if family.unit == "pixels" else f"0-{family.full:g}"
    if language == "zh":
        return f"写作 {order}，数值 {scale}"
    return f"as {order}, numbers {scale}"
