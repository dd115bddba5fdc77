"""Words: how a text is divided into them, and the expressions that find them."""

from memory.words.tokenisation import STOP_WORDS, token_places, tokens

__all__ = ["STOP_WORDS", "token_places", "tokens"]
