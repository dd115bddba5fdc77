"""Pictures of the sites of bench/answers that are unpacked here, each once, and what is made of them as a question."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import msgspec
import numpy as np
from answers.question_set import FOLDER, Half, read_set
from answers.unpacking import pages_of

from perception.errors import PictureUnreadable
from perception.images.image import Picture, resize
from perception.images.picture_file import open_picture

ENDINGS = (".png", ".jpg", ".jpeg", ".webp")
LEAST_PIXELS = 150
"""Of the shorter side: smaller ones are icons, of which a crop shows nothing."""
SAME_GREY = 5.0
"""Mean difference of grey levels, at 32 x 32, below which two pictures are one and the same question."""
JPEG_QUALITY, SHRUNK, CROPPED = 60, 0.5, 0.6


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A picture of a site."""

    site: str
    path: str
    data: bytes


def samples(half: Half, cache: Path) -> tuple[Sample, ...]:
    """All different pictures of a half, in the order of sites and paths."""
    found: list[Sample] = []
    small: list[np.ndarray] = []
    for sample in _files(half, cache):
        try:
            picture = open_picture(sample.data)
        except PictureUnreadable:
            continue
        if min(picture.shape[:2]) < LEAST_PIXELS:
            continue
        grey = cv2.resize(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (32, 32), interpolation=cv2.INTER_AREA).astype(
            float
        )
        if small and np.abs(np.stack(small) - grey).mean(axis=(1, 2)).min() < SAME_GREY:
            continue
        small.append(grey)
        found.append(sample)
    return tuple(found)


def _files(half: Half, cache: Path) -> Iterator[Sample]:
    seen: set[bytes] = set()
    for site in (one.site for one in read_set(FOLDER, halves=(half,))):
        folder = pages_of(site, cache)
        for path in sorted(folder.rglob("*")) if folder is not None else ():
            if path.suffix.lower() in ENDINGS and path.is_file() and (data := path.read_bytes()) not in seen:
                seen.add(data)
                yield Sample(site=site.name, path=str(path.relative_to(folder or path)), data=data)


def shrunk(data: bytes) -> bytes:
    """The picture at half its size, as a JPEG of quality 60."""
    picture = open_picture(data)
    height, width = picture.shape[:2]
    size = round(width * SHRUNK), round(height * SHRUNK)
    return _jpeg(resize(picture, *size))


def cropped(data: bytes, chance: random.Random) -> bytes:
    """36 % of its area, anywhere, as a JPEG of quality 60."""
    picture = open_picture(data)
    height, width = picture.shape[:2]
    left, top = int(chance.uniform(0, 1 - CROPPED) * width), int(chance.uniform(0, 1 - CROPPED) * height)
    return _jpeg(picture[top : top + round(CROPPED * height), left : left + round(CROPPED * width)])


def _jpeg(picture: Picture) -> bytes:
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    assert done, "a picture can be written as JPEG"
    return bytes(data.tobytes())


def drawn(among: Sequence[Sample], number: int, chance: random.Random) -> tuple[Sample, ...]:
    """So many of them, each once."""
    return tuple(chance.sample(list(among), min(number, len(among))))


def shows_too(searched: bytes, found: bytes, part: tuple[float, float, float, float]) -> bool:
    """Whether the found picture has the searched one's pixels at that place: another cut of one photograph, which no question can tell
    apart. Judged by pixels, which the search has not."""
    one, other = open_picture(searched), open_picture(found)
    height, width = other.shape[:2]
    left, top, right, bottom = part
    place = other[round(top * height) : round(bottom * height), round(left * width) : round(right * width)]
    if min(place.shape[:2]) < 8:
        return False
    grey = [
        cv2.resize(cv2.cvtColor(each, cv2.COLOR_BGR2GRAY), (48, 48), interpolation=cv2.INTER_AREA).astype(float)
        for each in (one, place)
    ]
    return bool(np.corrcoef(grey[0].ravel(), grey[1].ravel())[0, 1] >= SAME_PIXELS)


SAME_PIXELS = 0.7
"""Correlation of the grey levels at 48 x 48."""
