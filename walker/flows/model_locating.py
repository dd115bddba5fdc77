"""One call of a language model for a step that no locator finds: it names the number of a link or control of the page, or none."""

from __future__ import annotations

from perception.document.visible import visible_text
from walker.flows.script import FlowStep
from walker.flows.shown_page import ShownPage, Target
from walker.models.replies import BadReply, TargetReply
from walker.rules.language import language_of
from walker.strategies.model.model_talk import ModelTalk, NoUsableReply

ENTRIES_SHOWN, ENTRY_CHARS = 150, 120
CHARS_OF_A_TOKEN = 3
"""For cutting the entries to the tokens that a page may have; the exact fit is made by `ModelTalk`."""


class ModelLocating:
    """Its `choose` is a `walker.flows.playing.Choose`. What it names is verified by the effect like any locator's find."""

    def __init__(self, talk: ModelTalk, question: str) -> None:
        self._talk, self._question = talk, question

    async def choose(self, step: FlowStep, targets: tuple[Target, ...], page: ShownPage) -> Target | str:
        """The target that the model says the step means."""
        shown = [one for one in targets if one.name][:ENTRIES_SHOWN]
        if not shown:
            return "the page has nothing to choose from"

        def build(tokens: int) -> dict[str, object]:
            lines = [f"{number}. {one.role} {_plain(one.around)}" for number, one in enumerate(shown, start=1)]
            return {
                "question": _plain(self._question),
                "action": step.action,
                "target": _plain(step.target),
                "found_by": _plain("; ".join(one.name or one.text for one in step.find if one.name or one.text)),
                "led_to": _plain(f"{step.expect.heading} {step.expect.url}"),
                "title": _plain(page.observation.title),
                "entries": "\n".join(lines)[: tokens * CHARS_OF_A_TOKEN],
            }

        def use(said: TargetReply) -> Target | str:
            if not 0 <= said.number <= len(shown):
                raise BadReply(f"number has to be 0, or one of 1 to {len(shown)}")
            return shown[said.number - 1] if said.number else f"none of the page's entries ({_plain(said.reason)})"

        try:
            return await self._talk.ask("flow_target", language_of(self._question), 1, build, TargetReply, use)
        except NoUsableReply as failure:
            return f"no usable reply: {failure}"


def _plain(text: str) -> str:
    return visible_text(text)[:ENTRY_CHARS]
