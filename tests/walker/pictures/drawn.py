"""Pictures that tests make: noise with edges, of which no two are alike."""

from __future__ import annotations

import cv2
import numpy as np

from perception.images.image import Picture


def scene(seed: int, width: int = 480, height: int = 360) -> Picture:
    """Rectangles, circles and letters, at places that the seed says."""
    chance = np.random.default_rng(seed)
    picture = np.full((height, width, 3), 235, np.uint8)
    for _ in range(60):
        x, y = int(chance.integers(0, width)), int(chance.integers(0, height))
        colour = tuple(int(value) for value in chance.integers(0, 220, 3))
        side = int(chance.integers(8, 60))
        match int(chance.integers(0, 3)):
            case 0:
                cv2.rectangle(picture, (x, y), (x + side, y + side // 2), colour, -1)
            case 1:
                cv2.circle(picture, (x, y), side // 2, colour, 2)
            case _:
                letters = "".join(chr(int(code)) for code in chance.integers(65, 91, 4))
                cv2.putText(picture, letters, (x, y), cv2.FONT_HERSHEY_SIMPLEX, 0.7, colour, 2)
    return picture


def encoded(picture: Picture, ending: str = ".png", quality: int = 90) -> bytes:
    """As a file."""
    options = [cv2.IMWRITE_JPEG_QUALITY, quality] if ending == ".jpg" else []
    done, data = cv2.imencode(ending, picture, options)
    assert done
    return bytes(data.tobytes())


def shrunk(picture: Picture) -> bytes:
    """Half as large, as a JPEG of quality 60."""
    height, width = picture.shape[:2]
    return encoded(
        np.asarray(cv2.resize(picture, (width // 2, height // 2), interpolation=cv2.INTER_AREA), np.uint8), ".jpg", 60
    )


def cropped(picture: Picture) -> bytes:
    """36 % of its area, as a JPEG of quality 60."""
    height, width = picture.shape[:2]
    return encoded(picture[height // 5 : height * 4 // 5, width // 5 : width * 4 // 5], ".jpg", 60)
