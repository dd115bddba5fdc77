"""The families as a table for people, in the order in which they are looked for: docs/design/model-strategy.md holds it."""

from __future__ import annotations

from walker.models.discovery.model_families import FAMILIES
from walker.models.discovery.model_family import ModelFamily

_HEAD = ("family", "context", "pictures", "reasons first", "switched by", "first request", "source")


def all_families() -> str:
    """Markdown, a row a family."""
    rows = [_HEAD, tuple("---" for _ in _HEAD), *map(_row, FAMILIES)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _row(family: ModelFamily) -> tuple[str, ...]:
    asked = [] if family.format == "json_schema" else [f"`{family.format}`"]
    if family.limit_name != "max_tokens":
        asked.append(f"`{family.limit_name}`")
    if not family.temperature:
        asked.append("no temperature")
    if not family.logprobs:
        asked.append("no logprobs")
    return (
        family.name,
        f"{family.context:,}" if family.context else "differs",
        "yes" if family.sees else "no",
        {"none": "no", "always": "yes", "switch": "unless switched off", "asked": "where asked"}[family.reasons],
        f"`{family.switch}`{': ' if family.efforts else ''}{', '.join(family.efforts)}" if family.switch else "-",
        ", ".join(asked) or "as always",
        family.source,
    )
