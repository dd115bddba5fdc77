"""Counts the tokens of a text with `tiktoken` if its encoding file is on this machine, else with wordllama's tokenizer."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

ENCODING = "o200k_base"
_ENCODING_FILE = "fb374d419588a4632f3f557e76b4b70aebbca790"
"""File name of the encoding in tiktoken's cache, the temporary folder data-gym-cache: the SHA-1 of its URL."""
_TOKENIZER = Path("tokenizers") / "l2_supercat_tokenizer_config.json"
"""Path of the tokenizer in wordllama's package."""
LONG_TEXT = 2000
"""Characters from which a text is counted in pieces: tokenizers are slow on very long words."""


def count_tokens(text: str) -> int:
    """Tokens of a text. wordllama's tokenizer has a vocabulary of 32,000 and counts more tokens than newer models do, about twice
    as many for Chinese: a limit that holds by its count holds."""
    count = _counter()
    if len(text) <= LONG_TEXT:
        return _short(text)
    return sum(count(text[start : start + LONG_TEXT]) for start in range(0, len(text), LONG_TEXT))


@lru_cache(maxsize=1 << 13)
def _short(text: str) -> int:
    return _counter()(text)


def counted_by() -> str:
    """Name of the tokenizer in use."""
    return f"tiktoken {ENCODING}" if _has_encoding() else "the tokenizer of wordllama"


@lru_cache(maxsize=1)
def _counter() -> Callable[[str], int]:
    if _has_encoding():
        import tiktoken  # noqa: PLC0415 - of no use without its encoding file

        encoding = tiktoken.get_encoding(ENCODING)
        return lambda text: len(encoding.encode(text, disallowed_special=()))
    from tokenizers import Tokenizer  # noqa: PLC0415 - most walks count no tokens

    package = find_spec("wordllama")
    assert package is not None, "wordllama is one of the project's dependencies"
    tokenizer = Tokenizer.from_file(str(Path(package.origin or "").parent / _TOKENIZER))
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def _has_encoding() -> bool:
    return (Path(tempfile.gettempdir()) / "data-gym-cache" / _ENCODING_FILE).is_file()
