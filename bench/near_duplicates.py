"""Prints what it costs to mark a text and to find its neighbours among 100,000."""

from __future__ import annotations

import random
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from figures import best_seconds, print_figure

from memory.near_duplicates import SeenText, SimilarTexts, TextMark, mark_text

SIZE = 50 << 10
ENTRIES = 100_000
ROUNDS = 40
ASKED = 2000


def main() -> None:
    """Best of several rounds; processor time, since the machines are shared."""
    chance = random.Random(7)
    words = ["".join(chance.choices("etaoinshrdlucmfgpwyb", k=chance.randint(2, 9))) for _ in range(4000)]
    english = "\n".join(" ".join(chance.choices(words, k=12)) for _ in range(1000))[:SIZE]
    chinese = "".join(chr(0x4E00 + int(2500 * chance.random() ** 2)) for _ in range(SIZE // 3))
    for name, text in (("50 KB of words", english), ("50 KB of Chinese", chinese)):
        took = round(1000 * best_seconds(lambda text=text: mark_text(text), ROUNDS), 2)  # type: ignore[misc]
        print_figure(f"mark of {name}", took, "ms", "<= 3", took <= 3)
    index = SimilarTexts()
    prints = [chance.getrandbits(64) for _ in range(ENTRIES)]
    started = time.process_time()
    for number, fingerprint in enumerate(prints):
        index.add(number, fingerprint)
    took = round(1e6 * (time.process_time() - started) / ENTRIES, 1)
    print_figure("entering a fingerprint", took, "us", "<= 100", took <= 100)
    asked = [fingerprint ^ 0b10000000000100001 for fingerprint in prints[:ASKED]]
    took = round(1e6 * best_seconds(lambda: [index.neighbours(one) for one in asked], ROUNDS) / ASKED, 1)
    print_figure("neighbours among 100,000", took, "us", "<= 500", took <= 500)
    missed = sum(number not in index.neighbours(one) for number, one in enumerate(asked))
    print_figure("neighbours three bits away that were missed", missed, f"of {ASKED}", "0", missed == 0)
    seen = SeenText()
    marks = [TextMark(fingerprint=1, sketch=chance.randbytes(256), size=64) for _ in range(ASKED)]
    took = round(1e6 * best_seconds(lambda: [_take(seen, mark) for mark in marks], ROUNDS) / ASKED, 1)
    print_figure("share of a text that is new, and entering it", took, "us", "<= 500", took <= 500)


def _take(seen: SeenText, mark: TextMark) -> float:
    share = seen.novelty(mark)
    seen.add(mark)
    return share


if __name__ == "__main__":
    main()
