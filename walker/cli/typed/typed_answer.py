"""Typed answers in the terminal: each value with the words that it was taken from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click
import msgspec

from walker.cli.tables import print_folded
from walker.extraction.schemas.typed_answers import FieldValue, TypedOutcome

QUOTE_CHARS = 90
RECORDS_SHOWN = 20


def show_typed(outcome: TypedOutcome[Any], *, as_json: bool) -> None:
    """Print the fields: as JSON for programs, a line a field for people."""
    if as_json:
        click.echo(msgspec.json.encode(outcome).decode())
        return
    if outcome.records:
        _show_records(outcome)
    else:
        _show_fields(outcome.fields)
    for line in outcome.refused:
        print_folded(f"  refused: {line}", hang=11)
    if outcome.error:
        click.echo(f"walker: {outcome.error}", err=True)
    if not outcome.answered:
        lacking = ", ".join(outcome.missing) or "records"
        print_folded(f"Not complete ({outcome.stop_reason} after {told_pages(outcome.pages)}): {lacking}")
    elif not outcome.is_complete and not outcome.records:
        print_folded(f"Not complete: {', '.join(outcome.missing)}")
    if outcome.usage.model_calls:
        click.echo(f"  model: {outcome.usage.model_calls} calls, {outcome.usage.total_tokens:,} tokens")
    if outcome.trace:
        click.echo(f"  trace: {outcome.trace}")


def _show_fields(fields: Mapping[str, FieldValue]) -> None:
    width = min(28, max(map(len, fields), default=0))
    page = ""
    for path, one in fields.items():
        if one.value is None:
            print_folded(f"  {path:<{width}}  -  {one.reason}", hang=width + 7)
            continue
        quote = one.quote if len(one.quote) <= QUOTE_CHARS else f"{one.quote[:QUOTE_CHARS]}…"
        print_folded(f"  {path:<{width}}  {one.value}    “{quote}” ({one.source})", hang=width + 4)
        if one.page != page:
            page = one.page
            print_folded(f"  {'':<{width}}  {page}", hang=width + 4)


def _show_records(outcome: TypedOutcome[Any]) -> None:
    for number, record in enumerate(outcome.records[:RECORDS_SHOWN], start=1):
        told = "  ".join(f"{path}={'-' if one.value is None else one.value}" for path, one in record.fields.items())
        print_folded(f"  [{number}] {told}", hang=6)
    more = len(outcome.records) - RECORDS_SHOWN
    if more > 0:
        click.echo(f"  and {more} more")
    complete = sum(record.is_complete for record in outcome.records)
    pages = len({record.page for record in outcome.records})
    count = len(outcome.records)
    # Of entries: whether the page lists more is not known.
    click.echo(f"{count} record{'s' if count != 1 else ''} of {told_pages(pages)}, {complete} with all required fields")


def told_pages(count: int) -> str:
    """The number with its noun: "1 page", "2 pages"."""
    return f"{count} page{'s' if count != 1 else ''}"
