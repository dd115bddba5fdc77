"""The name of a record: what it begins with, without the explanation that follows."""

from __future__ import annotations

import re

NAME_CHARS = 120
_SIGNATURE_WORDS = re.compile(
    r"^(?:(?:abstract|async|class|classmethod|const|coroutine|def|enum|exception|func|function|interface|macro|method"
    r"|property|static|staticmethod|struct|type|var)\s+)+(?=\S)"
)
_CALL = re.compile(r"^([\w.$:<>-]*[\w>])\s*\(")
_EXPLANATION = re.compile(
    r"\s+[—–-]\s+|：|:(?:\s|$)|\s*[（(]\s*|。|；|;\s"
    r"|(?<!\b[^\W\d_])(?<!\b(?:Dr|Mr|Ms|Mx|Sr|Jr|St|Sª|Nr|No|Fr|Hr|vs))(?<!\b(?:Mrs|Mme|Sra|Dra|Hon|Rev|Gen|Col|Ing|Lic|Mag))"
    r"(?<!\b(?:Prof|Frau|Dipl|Capt))(?<!\bProfª)\.\s"
)
"""Where a name ends; the full stop of a title or an initial ("Prof. Ana B. Ruiz") is none."""


def term_name(text: str) -> str:
    """Name of a defined term: `exception asyncio.TimeoutError` is "asyncio.TimeoutError", `f(x, y)` is "f"."""
    plain = _SIGNATURE_WORDS.sub("", text.strip())
    call = _CALL.match(plain)
    return call.group(1) if call else plain[:NAME_CHARS].strip()


def item_name(text: str) -> str:
    """Name of a list item that has no marked-up name: its words up to the first explanation."""
    plain = text.strip()
    match = _EXPLANATION.search(plain)
    head = plain[: match.start()].strip() if match and match.start() > 1 else plain
    return head[:NAME_CHARS].strip()
