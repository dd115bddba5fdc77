"""From a question to tokens: the folder's own chat template, its tokenizer, and a place for each picture."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import jinja2
import msgspec
from jinja2.sandbox import ImmutableSandboxedEnvironment

from perception.errors import MissingPackage, ModelUnusable
from perception.local_model.model_folder import ModelFolder

PLAIN_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message.role }}\n{% for part in message.content %}"
    "{% if part.type == 'image' %}<|image|>{% else %}{{ part.text }}{% endif %}{% endfor %}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
"""ChatML, for a folder without a template of its own."""
_TEMPLATE_ERRORS = (jinja2.TemplateError, TypeError, ValueError, ZeroDivisionError, OverflowError)
"""What a template's own mistakes come out as."""


class PromptText:
    """Makes and reads tokens of one model."""

    def __init__(self, folder: ModelFolder) -> None:
        """Raises `MissingPackage` without `tokenizers`, `ModelUnusable` for files that cannot be read."""
        file = folder.path / "tokenizer.json"
        self._tokenizer, self._image_token, self._where = read_tokenizer(file), folder.image_token, str(folder.path)
        word = self._tokenizer.id_to_token(folder.image_token)
        if word is None:
            raise ModelUnusable(f"there is no token {folder.image_token}, which stands for pictures", where=str(file))
        self._image_word = str(word)
        self._marks = sorted(
            {
                self._image_word,
                *(one.content for one in self._tokenizer.get_added_tokens_decoder().values() if one.special),
            },
            key=len,
            reverse=True,
        )
        self._chat = ChatTemplate(
            folder.template or PLAIN_TEMPLATE.replace("<|image|>", self._image_word), folder.words, self._where
        )

    def tokens(self, question: str, system: str, pictures: Sequence[Sequence[str | int]]) -> list[int]:
        """Ids of the whole prompt; of each picture its pieces: words as they are, and numbers of image tokens."""
        question, system = self.plain(question), self.plain(system)
        parts = self._chat.render(question, system, pictures=len(pictures), image_word=self._image_word).split(
            self._image_word
        )
        if len(parts) != len(pictures) + 1:
            raise ModelUnusable(
                f"the chat template has a place for {len(parts) - 1} pictures, not for {len(pictures)}",
                where=self._where,
            )
        text = parts[0]
        for pieces, part in zip(pictures, parts[1:], strict=True):
            text += "".join(self._image_word * piece if isinstance(piece, int) else piece for piece in pieces) + part
        ids = self.encode(text)
        wanted = sum(piece for pieces in pictures for piece in pieces if isinstance(piece, int))
        if ids.count(self._image_token) != wanted:
            raise ModelUnusable(
                f"it makes {ids.count(self._image_token)} image tokens where {wanted} were written",
                where=f"{self._where}/tokenizer.json",
                advice=f"{self._image_word} must be one of its added_tokens",
            )
        return ids

    def plain(self, text: str) -> str:
        """Text in which no mark of the model is left: what a page says could otherwise end the question, or be a picture."""
        for mark in self._marks:
            text = text.replace(mark, " ")
        return text

    def encode(self, text: str) -> list[int]:
        """Ids of a text as it is."""
        return [int(number) for number in self._tokenizer.encode(text, add_special_tokens=False).ids]

    def decode(self, ids: list[int]) -> str:
        """Text of ids, without marks."""
        return str(self._tokenizer.decode(ids, skip_special_tokens=True))


class ChatTemplate:
    """A folder's template, in a sandbox: it comes with the model, and may compute nothing but text."""

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

    def render(self, question: str, system: str, *, pictures: int, image_word: str) -> str:
        """The prompt's text, with the image word where each picture goes."""
        asked: Any = [*({"type": "image"} for _ in range(pictures)), {"type": "text", "text": question}]
        told: Any = [{"type": "text", "text": system}]
        if not self._takes_parts:
            asked, told = image_word * pictures + ("\n" if pictures else "") + question, system
        messages = [{"role": "system", "content": told}] if system else []
        try:
            return self._rendered([*messages, {"role": "user", "content": asked}])
        except _TEMPLATE_ERRORS as error:
            if system:
                # Some templates know no system: what it says then goes before the question.
                return self.render(f"{system}\n\n{question}", "", pictures=pictures, image_word=image_word)
            raise ModelUnusable(f"the chat template fails ({error})", where=self._where) from None

    def _finds_parts(self) -> bool:
        """Whether a message may be a list of parts; templates of older models print such a list as it is, or fail."""
        try:
            shown = self._rendered([{"role": "user", "content": [{"type": "text", "text": "probe"}]}])
        except _TEMPLATE_ERRORS:
            return False
        return "probe" in shown and "'type'" not in shown and '"type"' not in shown

    def _rendered(self, messages: list[dict[str, Any]]) -> str:
        return self._template.render(messages=messages, add_generation_prompt=True, **self._words)


def read_tokenizer(file: Path) -> Any:
    """A `tokenizers.Tokenizer`. Raises `MissingPackage`, and `ModelUnusable` for a file that describes none."""
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingPackage(
            "the package tokenizers is not installed", advice="pip install 'gemwalker[local]'"
        ) from None
    # The package raises plain exceptions only, so what is no tokenizer is told before it is asked.
    try:
        content = msgspec.json.decode(file.read_bytes())
    except (OSError, msgspec.DecodeError) as error:
        raise ModelUnusable(f"it cannot be read ({str(error)[:120]})", where=str(file)) from None
    if not isinstance(content, dict) or not isinstance(content.get("model"), dict) or "vocab" not in content["model"]:
        raise ModelUnusable("it describes no tokenizer", where=str(file))
    return Tokenizer.from_file(str(file))


def _refuse(message: str) -> None:
    raise jinja2.TemplateError(message)
