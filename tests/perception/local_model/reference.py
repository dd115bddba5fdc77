"""The answer of a tiny model as NumPy computes it: no cache, no batch, no runtime, the picture cut up by loops."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from perception.images.image import Picture
from tests.perception.local_model.tiny import MERGE, PATCH, TIMES, Weights, make_tokenizer, reference_logits

QUESTION = "What is it?"


def drawn(width: int = 24, height: int = 16, seed: int = 1) -> Picture:
    return np.random.default_rng(seed).integers(0, 255, (height, width, 3)).astype(np.uint8)


def reference_answer(weights: Weights, picture: Picture, most: int, *, axes: int) -> list[int]:
    """Greedy, everything computed again for every token."""
    tokenizer = make_tokenizer()
    pad, end = tokenizer.token_to_id("<|image_pad|>"), tokenizer.token_to_id("<|im_end|>")
    rows = reference_patches(picture) if axes == 3 else reference_square(picture)
    features = rows.reshape(-1, weights.vision.shape[0]) @ weights.vision
    text = f"<|im_start|>user\n<|vision_start|>{'<|image_pad|>' * len(features)}<|vision_end|>{QUESTION}<|im_end|>\n<|im_start|>assistant\n"
    ids = tokenizer.encode(text, add_special_tokens=False).ids
    grid = (picture.shape[0] // PATCH // MERGE, picture.shape[1] // PATCH // MERGE) if axes == 3 else (0, 0)
    places = reference_positions(ids, pad, grid) if axes == 3 else np.arange(len(ids))[None]
    said: list[int] = []
    while len(said) < most:
        embeds = weights.embed[np.array([*ids, *said])]
        embeds[[at for at, one in enumerate(ids) if one == pad]] = features
        more = places.max() + 1 + np.arange(len(said))
        positions = np.concatenate([places, np.tile(more, (len(places), 1))], axis=1)
        token = int(reference_logits(weights, embeds, positions)[-1].argmax())
        if token == end:
            break
        said.append(token)
    return said


def reference_positions(ids: list[int], pad: int, grid: tuple[int, int]) -> NDArray[Any]:
    first = ids.index(pad)
    count = grid[0] * grid[1]
    columns = [[at] * 3 for at in range(first)]
    columns += [[first, first + row, first + column] for row in range(grid[0]) for column in range(grid[1])]
    after = first + max(grid)
    columns += [[after + at] * 3 for at in range(len(ids) - first - count)]
    return np.array(columns).T


def reference_patches(picture: Picture) -> NDArray[Any]:
    mean, spread = np.array((0.48145466, 0.4578275, 0.40821073)), np.array((0.26862954, 0.26130258, 0.27577711))
    height, width = picture.shape[:2]
    rows = []
    for group_y in range(0, height, PATCH * MERGE):
        for group_x in range(0, width, PATCH * MERGE):
            for y in range(group_y, group_y + PATCH * MERGE, PATCH):
                for x in range(group_x, group_x + PATCH * MERGE, PATCH):
                    row = []
                    for channel in range(3):
                        for _ in range(TIMES):
                            for down in range(PATCH):
                                for across in range(PATCH):
                                    value = picture[y + down, x + across, 2 - channel] / 255
                                    row.append((value - mean[channel]) / spread[channel])
                    rows.append(row)
    return np.array(rows)


def reference_square(picture: Picture) -> NDArray[Any]:
    return np.array([(picture[:, :, 2 - channel] / 255 - 0.5) / 0.5 for channel in range(3)])
