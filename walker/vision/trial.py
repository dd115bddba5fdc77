"""Tries a vision model once: does it see, does it read, how does it say where, and what does a picture cost."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np

from perception.geometry import Box, CoordinateFrame
from perception.image import Picture, encode_picture, opencv
from walker.chat import ChatFailure, ChatImage, ChatMessage, ChatReply, ChatRequest
from walker.doctor import Check
from walker.errors import EndpointUnusable
from walker.models.local_chat import LocalChat
from walker.models.openai_compatible import OpenAICompatible
from walker.replies import BadReply, read_reply, schema_of
from walker.seams import ChatModel
from walker.settings import VisionSettings
from walker.vision.families import UNKNOWN, family_of, image_tokens, said_by
from walker.vision.four_crosses import (
    COLOURS,
    CROSSES,
    SIDE_X,
    SIDE_Y,
    WORST_PIXELS,
    Calibration,
    draw_crosses,
    fit_crosses,
)

WORDS = "HARBOUR 4711"
WIDTH, HEIGHT = 896, 672


class ReadWords(msgspec.Struct, frozen=True, kw_only=True):
    """What stands in the trial's picture."""

    words: str


class SaidCrosses(msgspec.Struct, frozen=True, kw_only=True):
    """Where the four crosses are, two numbers each."""

    red: tuple[float, ...]
    blue: tuple[float, ...]
    green: tuple[float, ...]
    black: tuple[float, ...]


async def examine_vision(settings: VisionSettings) -> tuple[Check, ...]:
    """All checks; where the first fails, it stands alone."""
    if settings.folder:
        local = LocalChat(Path(settings.folder))
        checks = await _examine(local, settings)
        detail = local.device or "not opened"
        device = Check(name="vision device", ok=True, detail=detail, advice="; ".join(local.notes))
        return (*checks, device)
    endpoint = OpenAICompatible(settings.base_url, settings.key, seconds=settings.seconds)
    try:
        return await _examine(endpoint, settings)
    finally:
        await endpoint.close()


async def _examine(chat: ChatModel, settings: VisionSettings) -> tuple[Check, ...]:
    first = await _check_reading(chat, settings)
    return first if not first[0].ok else (*first, await _check_pointing(chat, settings))


async def find_calibration(chat: ChatModel, model: str) -> Calibration | str:
    """How a model says where things are, found out with four crosses; or why it could not be."""
    answer = await chat.complete(
        _request(
            model,
            "The picture shows four crosses: red, blue, green and black. Where is the middle of each? Reply with one JSON object:"
            ' {"red": [x, y], "blue": [x, y], "green": [x, y], "black": [x, y]}',
            draw_crosses(),
            SaidCrosses,
            "crosses",
        )
    )
    if isinstance(answer, ChatFailure):
        return answer.message
    try:
        reply = read_reply(answer, SaidCrosses)
        said = [getattr(reply, name)[:2] for name in COLOURS]
        return fit_crosses(model, [(point[0], point[1]) for point in said])
    except (BadReply, IndexError, ValueError) as error:
        return f"it did not say where the crosses are ({error})"


async def _check_reading(endpoint: ChatModel, settings: VisionSettings) -> tuple[Check, ...]:
    asked = 'What words stand in the picture? Reply with one JSON object: {"words": "..."}'
    try:
        answer = await endpoint.complete(_request(settings.name, asked, _written(), ReadWords, "words"))
    except EndpointUnusable as error:
        return (Check(name="vision", ok=False, detail=f"{error.where}: {error.what}", advice=error.advice),)
    if isinstance(answer, ChatFailure):
        advice = "Name a model that takes pictures with --vision-model, or leave it out: the built-in eye works without"
        return (Check(name="vision", ok=False, detail=answer.message, advice=advice),)
    try:
        words = read_reply(answer, ReadWords).words
    except BadReply as error:
        words = f"no use: {error}"
    right = WORDS.casefold() in words.casefold()
    detail = f"{settings.name} reads a picture" if right else f"it was shown “{WORDS}” and read “{words[:60]}”"
    advice = "" if right else "Its answers about pictures will be of little use; take another model"
    return Check(name="vision", ok=right, detail=detail, advice=advice), _check_tokens(answer, settings.name)


def _check_tokens(answer: ChatReply, model: str) -> Check:
    family = family_of(model)
    ours = image_tokens(WIDTH, HEIGHT, family)
    if answer.estimated:
        return Check(
            name="picture tokens", ok=True, detail=f"not told; about {ours} for {WIDTH} x {HEIGHT} ({family.name})"
        )
    detail = f"{answer.prompt_tokens} for the whole prompt; {ours} were expected for its picture ({family.name})"
    return Check(name="picture tokens", ok=True, detail=detail)


async def _check_pointing(endpoint: ChatModel, settings: VisionSettings) -> Check:
    family = family_of(settings.name)
    found = await find_calibration(endpoint, settings.name)
    if isinstance(found, str):
        return Check(name="pointing", ok=True, detail=found, advice="Places are taken from marks only")
    told = f"four crosses, off by {found.residual:g} of {SIDE_X} x {SIDE_Y} pixels after the fit"
    if not found.is_usable:
        return Check(name="pointing", ok=True, detail=told, advice="Places are taken from marks only")
    if family is UNKNOWN:
        return Check(name="pointing", ok=True, detail=f"a family of its own, which is fitted; {told}")
    frame = CoordinateFrame(shown=Box(x=0, y=0, width=SIDE_X, height=SIDE_Y), width=SIDE_X, height=SIDE_Y)
    off = found.off_from([said_by(family, x, y, frame) for x, y in CROSSES])
    if off <= WORST_PIXELS:
        return Check(name="pointing", ok=True, detail=f"as family {family.name} does; {told}")
    return Check(
        name="pointing",
        ok=True,
        detail=f"not as family {family.name} does: read in its way, the crosses are off by {off:g} pixels; {told}",
        advice="Serve it under a name that no family has, so that its way is fitted; a server that resizes pictures does this too",
    )


def _request(model: str, asked: str, picture: Picture, kind: type[msgspec.Struct], name: str) -> ChatRequest:
    height, width = picture.shape[:2]
    image = ChatImage(
        data=encode_picture(picture),
        media_type="image/png",
        width=width,
        height=height,
        tokens=image_tokens(width, height, family_of(model)),
    )
    message = ChatMessage(role="user", content=asked, images=(image,))
    return ChatRequest(model=model, messages=(message,), schema_name=name, schema=schema_of(kind))


def _written() -> Picture:
    picture = np.full((HEIGHT, WIDTH, 3), 245, np.uint8)
    cv2 = opencv()
    cv2.putText(picture, WORDS, (120, HEIGHT // 2), cv2.FONT_HERSHEY_SIMPLEX, 2.6, (60, 30, 10), 6, cv2.LINE_AA)
    return picture
