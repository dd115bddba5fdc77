"""Made-up prose that is the same for the same seed: common words as often as in a language, rare ones made of syllables."""

from __future__ import annotations

import random

_SYLLABLES = "ba cor del fen gar hil jun kel lam mor nes ost pra quil ras sol tam urn vel wex yar zin bre cla dro fle gri".split()
_COMMON = (
    "the of and to in is that it was for on are with as by at from this which have one had not but what all were when"
).split()


class Words:
    """A source of words."""

    def __init__(self, *seed: object) -> None:
        self._random = random.Random("/".join(map(str, seed)))

    def rare(self) -> str:
        """A word of two or three syllables."""
        return "".join(self._random.choices(_SYLLABLES, k=self._random.choice((2, 2, 3))))

    def name(self, length: int = 2) -> str:
        """A name of so many words."""
        return " ".join(self.rare().capitalize() for _ in range(length))

    def sentence(self) -> str:
        """Eight to sixteen words, half of them common."""
        words = [
            self._random.choice(_COMMON) if self._random.random() < 0.5 else self.rare()
            for _ in range(self._random.randint(8, 16))
        ]
        return " ".join(words).capitalize() + "."

    def prose(self, sentences: int) -> str:
        """A paragraph."""
        return " ".join(self.sentence() for _ in range(sentences))

    def token(self) -> str:
        """Sixteen hexadecimal digits."""
        return f"{self._random.getrandbits(64):016x}"

    def pick(self, most: int) -> int:
        """A number from 0 up to, but not with, `most`."""
        return self._random.randrange(most)

    def order(self, length: int) -> list[int]:
        """The numbers from 0 in some order."""
        numbers = list(range(length))
        self._random.shuffle(numbers)
        return numbers
