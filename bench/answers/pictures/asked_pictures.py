"""Makes the picture of a question from the site's own file: it is never kept with the project."""

from __future__ import annotations

from answers.pictures.picture_questions import AskedRecipe
from perception.images.image import Picture, decode_picture, opencv, resize, size_of


def asked_picture(data: bytes, recipe: AskedRecipe) -> bytes:
    """The JPEG that the question is asked with. Raises `PictureUnreadable` where the site's file is no picture."""
    whole = decode_picture(data)
    part = part_of(whole, recipe)
    width, height = size_of(part)
    small = resize(part, max(1, round(width * recipe.scale)), max(1, round(height * recipe.scale)))
    cv2 = opencv()
    done, made = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, recipe.quality])
    assert done, "an array of this kind can be encoded"
    return bytes(made.tobytes())


def part_of(picture: Picture, recipe: AskedRecipe) -> Picture:
    """What the box cuts out, at least a pixel."""
    if recipe.box is None:
        return picture
    width, height = size_of(picture)
    left, right = (round(share * width) for share in (recipe.box[0], recipe.box[2]))
    top, bottom = (round(share * height) for share in (recipe.box[1], recipe.box[3]))
    return picture[top : max(bottom, top + 1), left : max(right, left + 1)]
