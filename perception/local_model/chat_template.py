"""Renders the chat template of a model's folder in a sandbox."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from perception.errors import ModelUnusable

PLAIN_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{% for part in message.content %}"
    "{% if part.type == 'image' %}<|image|>{% else %}{{ part.text }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""ChatML, for a folder without a template of its own."""
_TEMPLATE_ERRORS = (jinja2.TemplateError, TypeError, ValueError, ZeroDivisionError, OverflowError)
"""Exceptions that a faulty template raises."""


class ChatTemplate:
    """A folder's template, in a sandbox: it comes with the model and is not trusted."""

    def __init__(self, template: str, words: dict[str, str], where: str) -> None:
        """Raises `ModelUnusable` for a template that cannot be read."""
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.ChainableUndefined,
            extensions=["jinja2.ext.loopcontrols"],
        )
        environment.globals["raise_exception"] = _refuse
        self._words, self._where = {"bos_token": "", "eos_token": "", **words}, where
        try:
            self._template = environment.from_string(template)
        except jinja2.TemplateError as error:
            raise ModelUnusable(f"the chat template cannot be read ({error})", where=where) from None
        self._takes_parts = self._finds_parts()

    def render(self, question: str, system: str, *, image_words: Sequence[str]) -> str:
        """The prompt's text. If the template takes no parts, the image tokens are put before the question."""
        asked: Any = [*({"type": "image"} for _ in image_words), {"type": "text", "text": question}]
        told: Any = [{"type": "text", "text": system}]
        if not self._takes_parts:
            asked, told = "".join(image_words) + question, system
        messages = [{"role": "system", "content": told}] if system else []
        try:
            return self._rendered([*messages, {"role": "user", "content": asked}])
        except _TEMPLATE_ERRORS as error:
            if system:
                # Some templates support no system message: its text is then put before the question.
                return self.render(f"{system}\n\n{question}", "", image_words=image_words)
            raise ModelUnusable(f"the chat template fails ({error})", where=self._where) from None

    def _finds_parts(self) -> bool:
        """Whether the content of a message may be a list of parts; older templates print such a list literally, or fail."""
        try:
            shown = self._rendered([{"role": "user", "content": [{"type": "text", "text": "probe"}]}])
        except _TEMPLATE_ERRORS:
            return False
        return "probe" in shown and "'type'" not in shown and '"type"' not in shown

    def _rendered(self, messages: list[dict[str, Any]]) -> str:
        return self._template.render(messages=messages, add_generation_prompt=True, **self._words)


def without(marks: Iterable[str], text: str) -> str:
    """Text without the model's special tokens: page content with them could end the question, or stand for a picture."""
    for mark in marks:
        text = text.replace(mark, " ")
    return text


def _refuse(message: str) -> None:
    raise jinja2.TemplateError(message)
