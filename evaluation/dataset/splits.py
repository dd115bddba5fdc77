"""Stable splits of a dataset: no question changes its part when others are added."""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Literal
from urllib.parse import urlsplit

import msgspec

from evaluation.dataset.question import Dataset, Question
from walker.errors import UsageError

Together = Literal["question", "site"]
Stratum = tuple[str, str]
"""Kind and difficulty."""
_STEPS = 2**32
SEEDS_TRIED = 500


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """The parts by name, in the order of the shares, and the seed that reproduces them."""

    parts: dict[str, Dataset]
    seed: str

    def strata(self) -> dict[Stratum, dict[str, int]]:
        """Number of questions of each kind and difficulty by part."""
        counts: dict[Stratum, Counter[str]] = defaultdict(Counter)
        for name, part in self.parts.items():
            for question in part.questions:
                counts[question.kind, question.difficulty][name] += 1
        return {stratum: {name: counts[stratum][name] for name in self.parts} for stratum in sorted(counts)}


def split(dataset: Dataset, shares: Mapping[str, float], *, together: Together = "question", seed: str = "") -> Split:
    """Split into parts of about these shares, within each kind and difficulty too. A question's part is decided by the hash of its
    text and site, so it never changes when others are added or corrected; `together="site"` puts all questions of one site into
    one part. Raises `ValueError` unless the shares add up to 1."""
    if not shares or min(shares.values()) < 0 or abs(sum(shares.values()) - 1) > 1e-9:
        raise ValueError(f"shares of a split add up to 1, not {sum(shares.values()):g}")
    parts: dict[str, list[Question]] = {name: [] for name in shares}
    for question in dataset.questions:
        parts[_part_of(_said(question, together), shares, seed)].append(question)
    made = {name: Dataset(name=f"{dataset.name}-{name}", questions=tuple(held)) for name, held in parts.items()}
    return Split(parts=made, seed=seed)


def balanced_split(dataset: Dataset, shares: Mapping[str, float], *, together: Together = "question") -> Split:
    """The split whose kinds and difficulties are closest to the shares, among those of the first seeds; reusing its seed keeps
    every question in its part when others are added. Raises what `split` raises."""
    tried = (split(dataset, shares, together=together, seed=str(number)) for number in range(SEEDS_TRIED))
    return min(tried, key=lambda made: _unevenness(made, shares))


def read_shares(text: str) -> dict[str, float]:
    """The shares of "train=0.7,dev=0.1,test=0.2". Raises `UsageError`."""
    shares: dict[str, float] = {}
    for part in text.split(","):
        name, _, number = part.strip().partition("=")
        try:
            share = float(number)
        except ValueError:
            share = math.nan
        if not name.isidentifier() or name in shares or not 0 <= share <= 1:
            raise UsageError(f"“{part}” is not a share", where="--shares", advice='Write "train=0.7,dev=0.1,test=0.2"')
        shares[name] = share
    if abs(sum(shares.values()) - 1) > 1e-9:
        what = f"they add up to {sum(shares.values()):g}, not to 1"
        raise UsageError(what, where="--shares", advice='Write "train=0.7,dev=0.1,test=0.2"')
    return shares


def _said(question: Question, together: Together) -> str:
    """The text that decides a question's part: not its id, answers or sources, which may be corrected."""
    site = question.site or urlsplit(question.root).netloc.lower()
    return site if together == "site" else f"{site}\n{' '.join(question.question.split())}"


def _part_of(said: str, shares: Mapping[str, float], seed: str) -> str:
    place = int.from_bytes(hashlib.sha256(f"{seed}\n{said}".encode("utf-8", "surrogatepass")).digest()[:4]) / _STEPS
    for name, share in shares.items():
        place -= share
        if place < 0:
            return name
    return [name for name, share in shares.items() if share][-1]


def _unevenness(made: Split, shares: Mapping[str, float]) -> float:
    """Deviation of the parts from their shares in each stratum and in total, in questions."""
    strata: Iterable[Mapping[str, int]] = made.strata().values()
    whole = {name: len(part.questions) for name, part in made.parts.items()}
    return sum(
        (counts[name] - share * sum(counts.values())) ** 2
        for counts in (*strata, whole)
        for name, share in shares.items()
    )
