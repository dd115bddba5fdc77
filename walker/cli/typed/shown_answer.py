"""The answer of a question in the terminal and as JSON."""

from __future__ import annotations

import click
import msgspec

from memory.findings import Citation
from walker.cli.interruption import INTERRUPTED
from walker.cli.tables import print_folded
from walker.cli.typed.typed_answer import show_typed, told_pages
from walker.extraction.schemas.typed_answers import TypedOutcome
from walker.seams.outcome import Outcome
from walker.seams.picture_pages import told_address


def show_outcome(outcome: Outcome, *, as_json: bool) -> None:
    """Print the answer: as JSON for programs, as text with citations for people."""
    if isinstance(outcome, TypedOutcome):
        show_typed(outcome, as_json=as_json)
        return
    if as_json:
        click.echo(msgspec.json.encode(outcome).decode())
        return
    _show_answer(outcome)
    for line in filter(None, (outcome.advice, outcome.error)):
        click.echo(f"walker: {line}", err=True)
    _show_sources(outcome.citations)
    cited = len(outcome.citations)
    for one in outcome.tied:
        print_folded(f"or, about as likely: {one.answer}")
        _show_sources(one.citations, cited)
        cited += len(one.citations)
    if outcome.usage.model_calls:
        usage = outcome.usage
        sent = f"{usage.prompt_tokens:,} sent + {usage.completion_tokens:,} received"
        click.echo(f"  model: {usage.model_calls} calls, {sent} tokens")
    if outcome.trace:
        click.echo(f"  trace: {outcome.trace}")
    if outcome.doubts:
        print_folded(f"  {outcome.doubts}; walker replay says why")


def show_stopped(outcome: Outcome | None, *, as_json: bool) -> None:
    """Show what was found before an interruption, and end the command; nothing where there is none."""
    if outcome is not None:
        show_outcome(outcome, as_json=as_json)
        if as_json:
            click.echo(f"walker: {outcome.error}", err=True)
        raise SystemExit(INTERRUPTED)


def _show_sources(citations: tuple[Citation, ...], before: int = 0) -> None:
    for number, citation in enumerate(citations, start=before + 1):
        place = f" ({citation.place})" if citation.place else ""
        print_folded(f"  [{number}] {told_address(citation.url)}{place}", hang=4)
        print_folded(f"      “{citation.quote}”", hang=1)


def _show_answer(outcome: Outcome) -> None:
    """What was found, the answer alone in the first line where there is one; of a tie all that it is between."""
    ended = f"{outcome.stop_reason} after {told_pages(outcome.pages)}"
    near = ", or ".join((outcome.nearest, *(one.answer for one in outcome.tied)))
    found = f"Stopped. So far: {near}" if outcome.partial else f"Not found. Nearest: {near}"
    if outcome.answered:
        click.echo(outcome.answer)
    elif outcome.nearest:
        print_folded(found)
        click.echo(f"({ended}, confidence {outcome.confidence:.2f})")
    else:
        click.echo(f"Stopped. So far: nothing ({ended})." if outcome.partial else f"Not found ({ended}).")
    if outcome.answered and outcome.partial:
        click.echo(f"(found before the walk was over: {ended}, confidence {outcome.confidence:.2f})")
