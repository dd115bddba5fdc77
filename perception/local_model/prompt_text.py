"""From a question to tokens: the folder's own chat template, its tokenizer, and a place for each picture."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jinja2
import msgspec
from jinja2.sandbox import ImmutableSandboxedEnvironment

from perception.errors import MissingPackage, ModelUnusable

PLAIN_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{% for part in message.content %}"
    "{% if part.type == 'image' %}<|image|>{% else %}{{ part.text }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""ChatML, for a folder without a template of its own."""


class PromptText:
    """Makes and reads tokens of one model."""

    def __init__(self, folder: Path, template: str, image_token: int) -> None:
        """Raises `MissingPackage` without `tokenizers`, `ModelUnusable` for files that cannot be read."""
        try:
            from tokenizers import Tokenizer  # noqa: PLC0415 - an extra
        except ImportError:
            raise MissingPackage(
                "the package tokenizers is not installed", advice="pip install 'gemwalker[local]'"
            ) from None
        file = folder / "tokenizer.json"
        # The package raises plain exceptions only, so what is no tokenizer is told before it is asked.
        try:
            content = msgspec.json.decode(file.read_bytes())
        except (OSError, msgspec.DecodeError) as error:
            raise ModelUnusable(f"it cannot be read ({str(error)[:120]})", where=str(file)) from None
        if not isinstance(content, dict) or "model" not in content:
            raise ModelUnusable("it describes no tokenizer", where=str(file))
        self._tokenizer: Any = Tokenizer.from_file(str(file))
        self._image_token = image_token
        word = self._tokenizer.id_to_token(image_token)
        if word is None:
            raise ModelUnusable(f"there is no token {image_token}, which stands for pictures", where=str(file))
        self._image_word = str(word)
        # The template comes with the model: it may compute nothing but text.
        environment = ImmutableSandboxedEnvironment(
            trim_blocks=True, lstrip_blocks=True, undefined=jinja2.ChainableUndefined
        )
        environment.globals["raise_exception"] = _refuse
        try:
            self._template = environment.from_string(template or PLAIN_TEMPLATE.replace("<|image|>", self._image_word))
        except jinja2.TemplateError as error:
            raise ModelUnusable(f"the chat template cannot be read ({error})", where=str(folder)) from None

    def tokens(self, question: str, system: str, pieces: list[int]) -> list[int]:
        """Ids of the whole prompt; `pieces` are how many tokens each picture takes."""
        content: list[dict[str, str]] = [{"type": "image"} for _ in pieces]
        # What is asked may hold the model's own marks: they are text there.
        content.append({"type": "text", "text": question.replace(self._image_word, " ")})
        messages: list[dict[str, Any]] = [{"role": "user", "content": content}]
        if system:
            messages.insert(0, {"role": "system", "content": [{"type": "text", "text": system}]})
        try:
            text = self._template.render(messages=messages, add_generation_prompt=True, bos_token="", eos_token="")
        except jinja2.TemplateError as error:
            raise ModelUnusable(f"the chat template fails ({error})") from None
        parts = text.split(self._image_word)
        if len(parts) != len(pieces) + 1:
            raise ModelUnusable(f"the chat template has a place for {len(parts) - 1} pictures, not for {len(pieces)}")
        ids: list[int] = []
        for part, count in zip(parts, [*pieces, 0], strict=True):
            ids += [int(number) for number in self._tokenizer.encode(part, add_special_tokens=False).ids]
            ids += [self._image_token] * count
        return ids

    def encode(self, text: str) -> list[int]:
        """Ids of a text as it is."""
        return [int(number) for number in self._tokenizer.encode(text, add_special_tokens=False).ids]

    def decode(self, ids: list[int]) -> str:
        """Text of ids, without marks."""
        return str(self._tokenizer.decode(ids, skip_special_tokens=True))


def _refuse(message: str) -> None:
    raise jinja2.TemplateError(message)
