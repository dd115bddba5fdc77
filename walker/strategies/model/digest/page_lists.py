"""The lists of a page that a question may count, by number."""

from __future__ import annotations

import re

from perception.document.visible import visible_text
from perception.observation import Observation, RecordSet
from walker.models.token_count import count_tokens

LISTS_AT_MOST = 12
LIST_TOKENS = 300
NAMES_SHOWN = 4
FEW_TAGS = 6
FEW_WORDS = 3
LONGEST_PATH = 5
"""Most entries of a list that leads from the root to the page."""
_TAG_FOLDER = re.compile(r"/(?:tags?|categor(?:y|ies)|topics?|labels?|keywords?)/", re.IGNORECASE)
_FIGURE = re.compile(r"^\W*\d[\d.,:\s]*\W*|\W*\d[\d.,:\s]*\W*$")


def list_sets(observation: Observation) -> str:
    """The page's lists by number, with the number of their entries and the first of them."""
    lines: list[str] = []
    spent = 0
    for records in shown_sets(observation):
        names = "; ".join(visible_text(record.name)[:40] for record in records.records[:NAMES_SHOWN])
        over = visible_text(records.caption or (records.headings[-1] if records.headings else ""))[:60]
        line = f"list {records.id}: {over} ({len(records.records)}): {names}"
        spent += count_tokens(line)
        if spent > LIST_TOKENS and lines:
            break
        lines.append(line)
    return "\n".join(lines)


def shown_sets(observation: Observation) -> tuple[RecordSet, ...]:
    """The lists that are shown to a model: those of the main part, longest first."""
    main = [records for records in observation.record_sets if records.region == "main"]
    longest = sorted(main, key=lambda records: (-len(records.records), records.id))[:LISTS_AT_MOST]
    return tuple(sorted(longest, key=lambda records: records.id))
