"""A passage critic in memory: chances are given by words that stand in a passage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from walker.seams.passage_critic import OfferedPassage, Weight


class ScriptedPassageCritic:
    """Implements `walker.seams.passage_critic.PassageCritic`; `asked` are the questions so far."""

    def __init__(self, chances: Mapping[str, float]) -> None:
        """`chances` by text: a passage weighs as the first text that stands in it, any other 0."""
        self._chances = chances
        self.asked: list[str] = []

    async def weigh(
        self, question: str, passages: Sequence[OfferedPassage], language: str = "en"
    ) -> tuple[Weight, ...]:
        """The given chances; a passage without text weighs 0."""
        del language
        self.asked.append(question)
        return tuple(self._weight(passage) for passage in passages)

    def _weight(self, passage: OfferedPassage) -> Weight:
        if not passage.text.strip():
            return Weight(chance=0.0, by="nothing")
        return Weight(chance=next((chance for text, chance in self._chances.items() if text in passage.text), 0.0))
