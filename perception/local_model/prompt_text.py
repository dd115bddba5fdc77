"""Turns a question into tokens with the folder's chat template and tokenizer, and a place for each picture."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from perception.errors import MissingPackage, ModelUnusable
from perception.local_model.chat_template import PLAIN_TEMPLATE, ChatTemplate, without
from perception.local_model.model_folder import KNOWN, ModelFolder
from perception.ocr.onnx_models import brief


class PromptText:
    """Encodes and decodes the tokens of one model."""

    def __init__(self, folder: ModelFolder) -> None:
        """Raises `MissingPackage` without `tokenizers`, `ModelUnusable` for files that cannot be read."""
        file = folder.path / "tokenizer.json"
        self._tokenizer, self._image_token, self._where = read_tokenizer(file), folder.image_token, str(folder.path)
        word = self._tokenizer.id_to_token(folder.image_token)
        if word is None:
            raise ModelUnusable(f"there is no token {folder.image_token}, which stands for pictures", where=str(file))
        self._image_word = str(word)
        added = {
            number: one.content for number, one in self._tokenizer.get_added_tokens_decoder().items() if one.special
        }
        self._marks = sorted({self._image_word, *added.values()}, key=len, reverse=True)
        self.mark_ids = frozenset({folder.image_token, *added})
        """Ids of special tokens, which are not text."""
        self._chat = ChatTemplate(
            folder.template or PLAIN_TEMPLATE.replace("<|image|>", self._image_word), folder.words, self._where
        )
        self._parts("", "", 1)

    def tokens(self, question: str, system: str, pictures: Sequence[Sequence[str | int]]) -> list[int]:
        """Token ids of the whole prompt. `pictures` are the pieces of each picture: literal texts, and numbers of image tokens."""
        question, system = self.plain(question), self.plain(system)
        parts = self._parts(question, system, len(pictures))
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

    def _parts(self, question: str, system: str, pictures: int) -> list[str]:
        """The prompt's text between its pictures. Raises `ModelUnusable` for a template that marks them with other tokens."""
        text = self._chat.render(question, system, image_words=[f"{self._image_word}\n"] * pictures)
        parts = text.split(self._image_word)
        if len(parts) != pictures + 1:
            raise ModelUnusable(
                f"the chat template writes {self._image_word} {len(parts) - 1} times for {pictures} pictures",
                where=self._where,
                advice=KNOWN,
            )
        return parts

    def plain(self, text: str) -> str:
        """Text without the model's special tokens."""
        return without(self._marks, text)

    @cached_property
    def letter_ids(self) -> tuple[int, ...]:
        """Ids of tokens that are a single character; any JSON can be written with them."""
        ids = [self.encode(chr(letter)) for letter in range(32, 127)]
        return tuple(sorted({one[0] for one in ids if len(one) == 1}))

    def encode(self, text: str) -> list[int]:
        """Token ids of a text, nothing added."""
        return [int(number) for number in self._tokenizer.encode(text, add_special_tokens=False).ids]

    def decode(self, ids: list[int]) -> str:
        """The text of token ids, without special tokens."""
        return str(self._tokenizer.decode(ids, skip_special_tokens=True))


def read_tokenizer(file: Path) -> Any:
    """Load a `tokenizers.Tokenizer`. Raises `MissingPackage`, and `ModelUnusable` for an invalid file."""
    try:
        from tokenizers import Tokenizer  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingPackage(
            "the package tokenizers is not installed", advice="pip install 'gemwalker[local]'"
        ) from None
    try:
        # The only constructor that raises an exception class of its own.
        return Tokenizer.from_buffer(file.read_bytes())
    except OSError as error:
        raise ModelUnusable(f"it cannot be read ({error.strerror or error})", where=str(file)) from None
    except ValueError as error:
        raise ModelUnusable(f"it is not a valid tokenizer ({brief(error)})", where=str(file)) from None
