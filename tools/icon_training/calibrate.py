"""How sure the reader says it is: a temperature and a threshold, from the set kept for validation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from perception.icons.icon_reader import IconReader
from tools.icon_training.evaluate import UnseenIcon, is_right

WANTED = 0.9
"""Share of given names that must be right in a whole set of icons."""
COMMON_SHARE = 0.15
"""Share of a set's icons that are on the list of common ones; the validation set has more, which would flatter the names."""
FEWEST = 40
"""Names below which a share says nothing."""


def best_temperature(logits: np.ndarray, wanted: np.ndarray) -> float:
    """The divisor of the logits (count x classes) that makes the wanted classes (count) likeliest."""
    temperatures = np.exp(np.linspace(np.log(0.4), np.log(3.0), 60))
    return float(min(temperatures, key=lambda temperature: _surprise(logits / temperature, wanted)))


def best_threshold(reader: IconReader, icons: Sequence[UnseenIcon], common: Sequence[str]) -> float:
    """The lowest confidence from which `WANTED` of the common names that are given are right, in hundredths."""
    given = [(icon, found[0]) for icon, found in zip(icons, reader.read([icon.crop for icon in icons]), strict=True)]
    share = float(np.mean([bool(icon.common) for icon in icons]))
    weight_of = {True: COMMON_SHARE / share, False: (1 - COMMON_SHARE) / (1 - share)}
    kept = [(icon, guess) for icon, guess in given if guess.name in common]
    sure = np.array([guess.confidence for _, guess in kept])
    weights = np.array([weight_of[bool(icon.common)] for icon, _ in kept])
    right = np.array([is_right(reader, icon, guess) for icon, guess in kept]) * weights
    fitting = [
        number / 100
        for number in range(20, 100)
        if (sure >= number / 100).sum() >= FEWEST
        and right[sure >= number / 100].sum() >= WANTED * weights[sure >= number / 100].sum()
    ]
    return min(fitting, default=0.99)


def _surprise(logits: np.ndarray, wanted: np.ndarray) -> float:
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_chances = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return float(-log_chances[np.arange(len(wanted)), wanted].mean())
