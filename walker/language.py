"""Which language a question is in."""

from __future__ import annotations

import re

from py3langid.langid import classify

HAN = re.compile(r"[\u3400-\u9fff]")
KANA = re.compile(r"[\u3040-\u30ff]")


def language_of(text: str) -> str:
    """BCP 47 primary tag. Chinese and Japanese are told by their script, since a question is too short for statistics."""
    if KANA.search(text):
        return "ja"
    if len(HAN.findall(text)) * 3 >= len(re.findall(r"\w", text)):
        return "zh"
    return str(classify(text)[0])
