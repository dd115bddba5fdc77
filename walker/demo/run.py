"""The demo: serve the bundled site, ask the five questions, show what came back."""

from __future__ import annotations

from pathlib import Path

import msgspec
from rich.console import Console
from rich.text import Text

from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.demo.questions import DemoQuestion, bundled_questions, is_right
from walker.demo.server import serve_institute
from walker.progress import ProgressLines
from walker.seams.outcome import Outcome
from walker.settings import Limits, Settings

DEMO_LIMITS = Limits(pages=30, seconds=120.0)
QUOTE_CHARS = 160


class Answered(msgspec.Struct, frozen=True, kw_only=True):
    """A question of the demo and what the walk made of it."""

    question: DemoQuestion
    outcome: Outcome
    right: bool


async def run_demo(console: Console, *, settings: Settings | None = None) -> bool:
    """Ask the bundled site five questions, showing each walk live; returns whether all answers were right."""
    chosen = msgspec.structs.replace(settings or Settings(), limits=DEMO_LIMITS, pictures=True)
    questions = bundled_questions()
    with serve_institute() as root:
        console.print(Text(f"The Sandmere Institute of Tidal Science, an invented one, is at {root}", style="bold"))
        results = []
        async with WalkResources(chosen) as resources:
            for number, question in enumerate(questions, start=1):
                console.print()
                console.rule(Text(f"question {number} of {len(questions)}", style="dim"), align="left")
                outcome = await ask_in(resources, root, question.question, progress=ProgressLines(console))
                answered = Answered(question=question, outcome=outcome, right=is_right(question, outcome))
                show_answer(console, answered)
                results.append(answered)
    show_summary(console, tuple(results), Path(chosen.runs_folder))
    return all(answered.right for answered in results)


def show_answer(console: Console, answered: Answered) -> None:
    """Print the answer of one walk, its citations, and its run folder."""
    outcome = answered.outcome
    console.print()
    console.print(Text(outcome.answer or "no answer", style="bold green" if answered.right else "bold yellow"))
    if not answered.right:
        expected = answered.question.answer or f"any {answered.question.count} of: " + "; ".join(
            answered.question.items
        )
        console.print(Text(f"  the site says: {expected}", style="yellow"))
    for number, citation in enumerate(outcome.citations, start=1):
        quote = " ".join(citation.quote.split())
        console.print(Text(f"  [{number}] {citation.url}", style="cyan"), soft_wrap=True)
        console.print(Text(f"      “{quote[:QUOTE_CHARS]}{'…' if len(quote) > QUOTE_CHARS else ''}”", style="dim"))
    if outcome.trace:
        console.print(Text(f"  trace: {outcome.trace}"), soft_wrap=True)


def show_summary(console: Console, results: tuple[Answered, ...], runs_folder: Path) -> None:
    """Print how many answers were right, what they took, and what to try next."""
    right = sum(answered.right for answered in results)
    pages = sum(answered.outcome.pages for answered in results)
    seconds = sum(answered.outcome.usage.seconds for answered in results)
    console.print()
    console.rule(Text("the demo", style="dim"), align="left")
    style = "bold green" if right == len(results) else "bold yellow"
    took = f" in {seconds:.0f} s" if seconds else ""
    console.print(
        Text(f"{right} of {len(results)} questions answered correctly, from {pages} pages{took}", style=style)
    )
    traces = [answered.outcome.trace for answered in results if answered.outcome.trace]
    if traces:
        console.print(
            Text(f"Traces are in {runs_folder}; look at them, or replay one without browser or network:"),
            soft_wrap=True,
        )
        console.print(Text(f"  .venv/bin/walker view {runs_folder}"), soft_wrap=True)
        console.print(Text(f"  .venv/bin/walker replay {traces[-1]}"), soft_wrap=True)
