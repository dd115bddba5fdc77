"""How sure the reader says it is: a temperature and a threshold, from the set kept for validation."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from perception.icons.icon_reader import IconReader
from perception.icons.training.evaluate import UnseenIcon, is_right

WANTED = 0.95
"""Share of given names that must be right on the validation set: 0.9 is promised for any set, and one set differs from the
next by some hundredths (0.93 here was 0.89 on the test set)."""
FEWEST = 40
"""Names below which a share says nothing."""


def best_temperature(logits: np.ndarray, wanted: np.ndarray) -> float:
    """The divisor of the logits (count x classes) that makes the wanted classes (count) likeliest."""
    temperatures = np.exp(np.linspace(np.log(0.4), np.log(3.0), 60))
    return float(min(temperatures, key=lambda temperature: _surprise(logits / temperature, wanted)))


def best_threshold(reader: IconReader, icons: Sequence[UnseenIcon]) -> float:
    """The lowest confidence from which `WANTED` of the names are right, in hundredths."""
    guesses = [found[0] for found in reader.read([icon.crop for icon in icons])]
    right = np.array([is_right(reader, icon, guess) for icon, guess in zip(icons, guesses, strict=True)])
    sure = np.array([guess.confidence for guess in guesses])
    fitting = [
        number / 100
        for number in range(20, 100)
        if (sure >= number / 100).sum() >= FEWEST and right[sure >= number / 100].mean() >= WANTED
    ]
    return min(fitting, default=0.99)


def _surprise(logits: np.ndarray, wanted: np.ndarray) -> float:
    shifted = logits - logits.max(axis=1, keepdims=True)
    log_chances = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return float(-log_chances[np.arange(len(wanted)), wanted].mean())
