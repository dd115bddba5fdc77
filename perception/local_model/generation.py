"""Greedy decoding with a key-value cache that stays on the device, one token a step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from perception.errors import ModelUnusable
from perception.local_model.layouts import unknown_layout
from perception.local_model.model_folder import ModelFolder, section
from perception.ocr.onnx_models import ELEMENT_TYPES, OnnxModel, runtime

PAST, PRESENT = "past_key_values.", "present."
_OWN = ("inputs_embeds", "attention_mask", "position_ids", "num_logits_to_keep", "use_cache_branch")
"""Supported inputs besides the cache."""


Choose = Callable[[list[int], NDArray[Any]], int | None]
"""Chooses the next token id from the ids so far and the logits; None for the end."""


class Decoder:
    """The merged decoder of an export. Its layout is detected from its inputs."""

    def __init__(self, model: OnnxModel, folder: ModelFolder) -> None:
        """Raises `ModelUnusable` for a file that is not a merged decoder."""
        self._model = model
        inputs = model.inputs
        self._past = [name for name in inputs if name.startswith(PAST)]
        if "inputs_embeds" not in inputs or not self._past or "logits" not in model.outputs:
            raise ModelUnusable(
                "it is not a merged decoder with inputs_embeds, past_key_values and logits", where=str(model.path)
            )
        if strange := [name for name in inputs if name not in (*_OWN, *self._past)]:
            raise unknown_layout(f"its decoder has the inputs {', '.join(strange[:4])}", model, folder)
        kind, shape = inputs[self._past[0]]
        self._type = ELEMENT_TYPES.get(kind, np.float32)
        self._heads, self._size = _heads(shape, model, folder)
        self._embed_type = ELEMENT_TYPES.get(inputs["inputs_embeds"][0], np.float32)
        position = inputs.get("position_ids")
        self._three_axes = position is not None and len(position[1]) == 3
        if position is not None and self._three_axes and isinstance(position[1][0], int) and position[1][0] != 3:
            raise unknown_layout(f"its decoder takes {position[1][0]} positions per token", model, folder)
        self._has_positions, self._has_mask = position is not None, "attention_mask" in inputs
        keep = inputs.get("num_logits_to_keep")
        self._keep = np.ones([1] * len(keep[1]), np.int64) if keep is not None else None
        self._branches = "use_cache_branch" in inputs
        self._present = [PRESENT + name.removeprefix(PAST) for name in self._past]
        self.steps = 0
        """Number of runs of the decoder."""

    def generate(
        self,
        embeds: NDArray[Any],
        positions: NDArray[np.int64],
        embed_next: Callable[[int], NDArray[Any]],
        *,
        choose: Choose,
        most: int,
    ) -> list[int]:
        """Generate at most `most` token ids after a prompt. `embeds` is 1 x tokens x width, `positions` 3 x tokens."""
        said: list[int] = []
        past, length = self._empty(), embeds.shape[1]
        place = int(positions.max()) + 1 if positions.size else 0
        if self._keep is None and length > 1:
            # The logits of a whole prompt have its length times the vocabulary: nearly a gigabyte for a screenshot.
            _, past = self._step(embeds[:, :-1], positions[:, :-1], past, length - 1, wants_logits=False)
            embeds, positions = embeds[:, -1:], positions[:, -1:]
        while len(said) < most:
            logits, past = self._step(embeds, positions, past, length)
            token = choose(said, logits)
            if token is None:
                break
            said.append(token)
            embeds, positions = embed_next(token), np.full((3, 1), place, np.int64)
            length, place = length + 1, place + 1
        return said

    def _empty(self) -> dict[str, Any]:
        empty = np.zeros((1, self._heads, 0, self._size), self._type)
        return {name: runtime().OrtValue.ortvalue_from_numpy(empty, "cpu", 0) for name in self._past}

    def _step(
        self,
        embeds: NDArray[Any],
        positions: NDArray[np.int64],
        past: dict[str, Any],
        length: int,
        *,
        wants_logits: bool = True,
    ) -> tuple[NDArray[np.float32], dict[str, Any]]:
        """Logits of the last token, empty if none are requested, and the updated cache, which stays on the device."""
        self.steps += 1
        binding = self._model.session.io_binding()
        binding.bind_cpu_input("inputs_embeds", np.ascontiguousarray(embeds, dtype=self._embed_type))
        if self._has_mask:
            binding.bind_cpu_input("attention_mask", np.ones((1, length), np.int64))
        if self._has_positions:
            ids = positions[:, None, :] if self._three_axes else positions[:1]
            binding.bind_cpu_input("position_ids", np.ascontiguousarray(ids, dtype=np.int64))
        if self._keep is not None:
            binding.bind_cpu_input("num_logits_to_keep", self._keep)
        if self._branches:
            binding.bind_cpu_input("use_cache_branch", np.array([length > embeds.shape[1]]))
        for name, value in past.items():
            binding.bind_ortvalue_input(name, value)
        if wants_logits:
            binding.bind_output("logits", "cpu")
        for name in self._present:
            binding.bind_output(name, self._model.device)
        self._model.session.run_with_iobinding(binding)
        made = binding.get_outputs()
        logits = np.asarray(made[0].numpy()[0, -1], np.float32) if wants_logits else np.zeros(0, np.float32)
        return logits, dict(zip(self._past, made[-len(self._past) :], strict=True))


def _heads(shape: Sequence[Any], model: OnnxModel, folder: ModelFolder) -> tuple[int, int]:
    """Number and size of the cache's attention heads: from the file, else from config.json."""
    text = section(folder.config, "text_config") or folder.config
    heads, size = shape[1], shape[3]
    if not isinstance(heads, int):
        heads = text.get("num_key_value_heads") or text.get("num_attention_heads")
    if not isinstance(size, int):
        size, whole, parts = text.get("head_dim"), text.get("hidden_size"), text.get("num_attention_heads")
        if not size and isinstance(whole, int) and isinstance(parts, int) and parts > 0:
            size = whole // parts
    if not isinstance(heads, int) or not isinstance(size, int) or heads < 1 or size < 1:
        raise ModelUnusable(
            "neither it nor config.json gives the number and size of its cache's heads", where=str(model.path)
        )
    return heads, size


def positions_of(ids: Sequence[int], image_token: int, grids: Sequence[tuple[int, int]]) -> NDArray[np.int64]:
    """Time, row and column of each token, 3 x tokens (Qwen2-VL's multimodal rotary positions): text increments all three; the tokens
    of a picture share one time and have its rows and columns; text continues after the largest."""
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


def likeliest(ends: Sequence[int]) -> Choose:
    """Greedy choice: the likeliest id, until it is an end token."""

    def choose(_: list[int], logits: NDArray[Any]) -> int | None:
        token = int(np.argmax(logits))
        return None if token in ends else token

    return choose


def one_of(choices: Sequence[Sequence[int]], ends: Sequence[int]) -> Choose:
    """The likeliest id that continues one of the choices."""
    allowed = allowed_by(choices, ends)

    def choose(said: list[int], logits: NDArray[Any]) -> int | None:
        may = list(allowed(said))
        token = may[int(np.argmax(logits[may]))] if may else None
        return None if token in ends else token

    return choose


def allowed_by(choices: Sequence[Sequence[int]], ends: Sequence[int]) -> Callable[[list[int]], Sequence[int]]:
    """The ids that continue one of the choices; the end tokens too if one is complete, () if there are none."""

    def allowed(said: list[int]) -> Sequence[int]:
        going = [choice for choice in choices if list(choice[: len(said)]) == said]
        following = {choice[len(said)] for choice in going if len(choice) > len(said)}
        if any(len(choice) == len(said) for choice in going):
            following |= set(ends)
            if following <= set(ends):
                return ()
        return sorted(following)

    return allowed
