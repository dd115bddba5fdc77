"""Lists that grow by scrolling, counted in a real browser: to their end, or told as a lower bound."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.sites.serving import HTML, Answer, Asked, LoopbackSite, serving
from walker.asking import ask
from walker.seams.outcome import Outcome
from walker.settings import Settings

FIRST, SHOWN = 12, 75
QUESTION = "How many harbours are listed?"
HEARS = """
let next = %d, busy = false;
addEventListener("scroll", async () => {
  if (busy || innerHeight + scrollY < document.body.offsetHeight - 200) return;
  busy = true;
  const answer = await fetch("/more?from=" + next);
  const rows = await answer.text();
  document.querySelector("ul").insertAdjacentHTML("beforeend", rows);
  next += 12;
  busy = rows === "";
});
"""


def row(number: int) -> str:
    letters = "".join(chr(97 + number // 26**place % 26) for place in range(3))
    return f"<li style='height: 90px'><h3>Port {letters.title()}{number}</h3><p>A harbour with {number + 4} berths.</p>"


def site(total: int) -> LoopbackSite:
    def answer(asked: Asked) -> Answer | None:
        path = urlsplit(asked.target)
        if path.path == "/":
            rows = "".join(row(number) for number in range(FIRST))
            return Answer(
                f"<html lang=en><title>Harbours</title><h1>Harbours</h1><p>All harbours are listed here.</p>"
                f"<ul>{rows}</ul><script>{HEARS % FIRST}</script>",
                kind=HTML,
            )
        if path.path == "/more":
            start = int(parse_qs(path.query)["from"][0])
            return Answer("".join(row(number) for number in range(start, min(start + 12, total))), kind=HTML)
        return None

    return LoopbackSite(answer)


async def counted(total: int, runs: Path, **settings: float) -> Outcome:
    with serving(site(total)) as served:
        return await ask(served.home, QUESTION, settings=Settings(runs_folder=runs, scout_pages=0, **settings))  # type: ignore[arg-type]


@pytest.mark.usefixtures("kept_chromium")
async def test_a_list_that_grows_by_scrolling_is_counted_to_its_end(tmp_path: Path) -> None:
    outcome = await counted(SHOWN, tmp_path)
    assert (outcome.count["found"], outcome.count["complete"]) == (SHOWN, True)
    assert outcome.answer.startswith(f"{SHOWN} (")


@pytest.mark.usefixtures("kept_chromium")
async def test_a_list_whose_end_nobody_has_seen_is_a_lower_bound(tmp_path: Path) -> None:
    outcome = await counted(100_000, tmp_path, page_seconds=1.5)
    assert outcome.count["complete"] is False
    assert outcome.count["found"] > FIRST
    assert (outcome.answer or outcome.nearest).startswith("at least ")
