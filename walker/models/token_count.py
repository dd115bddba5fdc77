"""How many tokens a text has: by `tiktoken` where its encoding lies on this machine, else by the tokenizer inside wordllama."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path

from tokenizers import Tokenizer

ENCODING = "o200k_base"
_ENCODING_FILE = "fb374d419588a4632f3f557e76b4b70aebbca790"
"""What tiktoken calls the encoding in its folder, data-gym-cache among the temporary files: the SHA-1 of the address it comes from."""
_TOKENIZER = Path("tokenizers") / "l2_supercat_tokenizer_config.json"
"""Where wordllama's tokenizer lies in its package."""
LONG_TEXT = 2000
"""Characters from which a text is counted in pieces: a tokenizer is slow on very long runs."""


def count_tokens(text: str) -> int:
    """Tokens of a text. The second tokenizer knows 32,000 words and counts more than a newer model does, for Chinese about
    twice as many: a limit that holds by it holds."""
    count = _counter()
    if len(text) <= LONG_TEXT:
        return _short(text)
    return sum(count(text[start : start + LONG_TEXT]) for start in range(0, len(text), LONG_TEXT))


@lru_cache(maxsize=1 << 13)
def _short(text: str) -> int:
    return _counter()(text)


def counted_by() -> str:
    """Name of what counts here."""
    return f"tiktoken {ENCODING}" if _has_encoding() else "the tokenizer of wordllama"


@lru_cache(maxsize=1)
def _counter() -> Callable[[str], int]:
    if _has_encoding():
        import tiktoken  # noqa: PLC0415 - where its encoding is not there, neither is a use for it

        encoding = tiktoken.get_encoding(ENCODING)
        return lambda text: len(encoding.encode(text, disallowed_special=()))
    package = find_spec("wordllama")
    assert package is not None, "wordllama is one of the project's dependencies"
    tokenizer = Tokenizer.from_file(str(Path(package.origin or "").parent / _TOKENIZER))
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def _has_encoding() -> bool:
    return (Path(tempfile.gettempdir()) / "data-gym-cache" / _ENCODING_FILE).is_file()
