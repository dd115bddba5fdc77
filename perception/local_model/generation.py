"""Greedy decoding with a key-value cache that stays on the device, one token a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perception.errors import ModelUnusable
from perception.onnx_models import OnnxModel, runtime

PAST, PRESENT = "past_key_values.", "present."
_TYPES = {"tensor(float)": np.float32, "tensor(float16)": np.float16}


class Decoder:
    """The merged decoder of an export. What it wants is read off its own inputs."""

    def __init__(self, model: OnnxModel) -> None:
        """Raises `ModelUnusable` for a file that is no such decoder."""
        self._model = model
        inputs = model.inputs
        self._past = [name for name in inputs if name.startswith(PAST)]
        if "inputs_embeds" not in inputs or not self._past or "logits" not in model.outputs:
            raise ModelUnusable(
                "it is no merged decoder: inputs_embeds, past_key_values and logits are wanted", where=str(model.path)
            )
        kind, shape = inputs[self._past[0]]
        self._type = _TYPES.get(kind, np.float32)
        self._heads, self._size = int(shape[1]), int(shape[3])
        self._embed_type = _TYPES.get(inputs["inputs_embeds"][0], np.float32)
        position = inputs.get("position_ids")
        self._three_axes = position is not None and len(position[1]) == 3
        self._has_positions, self._has_mask = position is not None, "attention_mask" in inputs
        self._keep = "num_logits_to_keep" in inputs
        self._present = [PRESENT + name.removeprefix(PAST) for name in self._past]
        self.steps = 0
        """Runs of the decoder, for who counts them."""

    def generate(
        self,
        embeds: NDArray[Any],
        positions: NDArray[np.int64],
        embed_next: Callable[[int], NDArray[Any]],
        *,
        ends: Sequence[int],
        most: int,
        allowed: Callable[[list[int]], Sequence[int] | None] = lambda _: None,
    ) -> list[int]:
        """Ids after a prompt. `embeds` is 1 x tokens x width, `positions` 3 x tokens; `allowed` names the ids that may come
        next, None for any, () for the end."""
        said: list[int] = []
        past = self._empty()
        length, place = embeds.shape[1], int(positions.max()) + 1 if positions.size else 0
        while len(said) < most:
            logits, past = self._step(embeds, positions, past, length)
            may = allowed(said)
            if may is not None and not len(may):
                break
            token = int(np.argmax(logits)) if may is None else int(may[int(np.argmax(logits[list(may)]))])
            if token in ends:
                break
            said.append(token)
            embeds, positions = embed_next(token), np.full((3, 1), place, np.int64)
            length, place = length + 1, place + 1
        return said

    def _empty(self) -> dict[str, Any]:
        empty = np.zeros((1, self._heads, 0, self._size), self._type)
        return {name: runtime().OrtValue.ortvalue_from_numpy(empty, "cpu", 0) for name in self._past}

    def _step(
        self, embeds: NDArray[Any], positions: NDArray[np.int64], past: dict[str, Any], length: int
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Logits of the last token, and the cache with this step in it, which never leaves the device."""
        self.steps += 1
        binding = self._model.session.io_binding()
        binding.bind_cpu_input("inputs_embeds", np.ascontiguousarray(embeds, dtype=self._embed_type))
        if self._has_mask:
            binding.bind_cpu_input("attention_mask", np.ones((1, length), np.int64))
        if self._has_positions:
            ids = positions[:, None, :] if self._three_axes else positions[:1]
            binding.bind_cpu_input("position_ids", np.ascontiguousarray(ids, dtype=np.int64))
        if self._keep:
            binding.bind_cpu_input("num_logits_to_keep", np.array(1, np.int64))
        for name, value in past.items():
            binding.bind_ortvalue_input(name, value)
        binding.bind_output("logits", "cpu")
        for name in self._present:
            binding.bind_output(name, self._model.device)
        self._model.session.run_with_iobinding(binding)
        logits, *cache = binding.get_outputs()
        return np.asarray(logits.numpy()[0, -1], np.float32), dict(zip(self._past, cache, strict=True))


def positions_of(ids: Sequence[int], image_token: int, grids: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """Time, row and column of each token, 3 x tokens (Qwen2-VL's multimodal rotary positions): text counts on in all three; the
    pieces of a picture share one time, and lie in their rows and columns; text goes on behind the largest."""
    rows: list[NDArray[np.int64]] = []
    at = place = picture = 0
    while at < len(ids):
        if ids[at] == image_token and picture < len(grids) and grids[picture][0]:
            height, width = grids[picture]
            down, across = np.divmod(np.arange(height * width), width)
            rows.append(np.stack([np.zeros_like(down), down, across]) + place)
            at, place, picture = at + height * width, place + max(height, width), picture + 1
        else:
            rows.append(np.full((3, 1), place, np.int64))
            at, place = at + 1, place + 1
    return np.concatenate(rows, axis=1).astype(np.int64) if rows else np.zeros((3, 0), np.int64)


def allowed_by(choices: Sequence[Sequence[int]], ends: Sequence[int]) -> Callable[[list[int]], Sequence[int] | None]:
    """Which ids keep a reply on the way to one of the choices; an end where one is complete."""

    def allowed(said: list[int]) -> Sequence[int] | None:
        going = [choice for choice in choices if list(choice[: len(said)]) == said]
        following = {choice[len(said)] for choice in going if len(choice) > len(said)}
        if any(len(choice) == len(said) for choice in going):
            following |= set(ends)
            if following <= set(ends):
                return ()
        return sorted(following)

    return allowed
