"""Parts of a dataset that stay what they are when questions are added."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Literal

from evaluation.dataset.question import Dataset, Question

_STEPS = 2**32


def split(
    dataset: Dataset, shares: Mapping[str, float], *, together: Literal["question", "site"] = "question"
) -> dict[str, Dataset]:
    """The dataset in parts of about these shares. A question falls where its hash falls, so it never changes its part;
    `together="site"` puts all questions of one root into one part. Raises `ValueError` unless the shares add up to 1."""
    if not shares or min(shares.values()) < 0 or abs(sum(shares.values()) - 1) > 1e-9:
        raise ValueError(f"shares of a split add up to 1, not {sum(shares.values()):g}")
    parts: dict[str, list[Question]] = {name: [] for name in shares}
    for question in dataset.questions:
        key = f"{question.site} {question.root}" if together == "site" else question.id
        parts[_part_of(key, shares)].append(question)
    return {
        name: Dataset(name=f"{dataset.name}-{name}", questions=tuple(questions)) for name, questions in parts.items()
    }


def _part_of(key: str, shares: Mapping[str, float]) -> str:
    place = int.from_bytes(hashlib.sha256(key.encode()).digest()[:4]) / _STEPS
    for name, share in shares.items():
        place -= share
        if place < 0:
            return name
    return list(shares)[-1]
