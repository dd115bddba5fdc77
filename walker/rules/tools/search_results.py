"""What a page says that a search gave."""

from __future__ import annotations

import re

from memory.words import lazy_re
from perception.observation import Observation

SAID_CHARS = 200
"""Most characters of a passage that says so; in a longer one the words speak of something else."""
_NOTHING = lazy_re.compile(
    r"\b(?:no|0|zero) (?:\w+ )?(?:results?|matches|hits|entries|documents|pages?)\b"
    r"|\bnothing (?:was )?found\b|\b(?:did not|didn't|does not) match any\b|\bnot match any\b|\bno \w+ found\b"
    r"|\b(?:keine?|0) (?:ergebnisse|treffer|resultate)\b|\bnichts gefunden\b|\baucun résultat\b|\b0 résultat"
    r"|\b(?:ningún|sin|no hay) resultados?\b|\bno se (?:ha |han )?encontr|\b(?:nenhum|sem) resultados?\b|\bnada encontrado\b"
    r"|\bnessun risultato\b|没有(?:找到|搜索到|相关)|未找到|无(?:结果|匹配)|0 ?(?:个|条)结果|沒有找到|見つかりません|ありませんでした",
    re.IGNORECASE,
)
"""How sites say that a search found nothing."""


def says_nothing_found(observation: Observation) -> bool:
    """Whether a passage of the page says that a search found nothing."""
    return any(_says_nothing(block.text) for block in observation.blocks if not block.hidden and not block.pictured)


def results_told(observation: Observation) -> str:
    """What the page that a search led to says of it ("no hits", "57 hits"), for whoever reads the steps; "" where it does not say."""
    if says_nothing_found(observation):
        return "no hits"
    return f"{observation.pagination.total} hits" if observation.pagination.total else ""


def _says_nothing(text: str) -> bool:
    return len(text) <= SAID_CHARS and _NOTHING.search(text) is not None
