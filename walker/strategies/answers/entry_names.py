"""The name of a list's entry as a reader would write it."""

from __future__ import annotations

import re

from perception.document.names import item_name, term_name
from perception.observation import Record

_NUMBERING = re.compile(r"^(?:\d{1,2}(?:\.\d+)*\.?|[A-Z]\.(?:\d+(?:\.\d+)*\.?)?|\([a-z0-9]\)|第.{1,3}[章节条])\s+")


def entry_name(record: Record, kind: str) -> str:
    """The name of an entry without numbering, arguments or explanation; `kind` is that of its record set."""
    name = _NUMBERING.sub("", record.name).strip(" ¶:：")
    if kind == "definitions" or re.match(r"^[\w.]+\s*\(", name):
        name = term_name(name)
    if " — " in name or " – " in name or " - " in name:
        name = item_name(name)
    return name
