"""Two answers that are about as likely are a tie: both are told with their pages, and neither is the answer."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.serving import HTML, Answer, Asked, LoopbackSite, serving
from tests.walker.cli.program import walker_here

QUOTES = ("The director of the reef station is Ana Ruiz.", "The director of the reef station is Ben Okoro.")
QUESTION = "Who is the director of the reef station?"
TOLD = "<p>" + "The station works on reefs and the fish that live there, all year round. " * 4 + "</p>"


def page(title: str, text: str) -> str:
    return f"<html lang=en><title>{title}</title><h1>{title}</h1><p>{text}</p>{TOLD}"


PAGES = {
    "/": page("Reef station", "Read about <a href=/people>our people</a>."),
    "/people": page(
        "People", "The director of the reef station is Ana Ruiz.</p><p>The director of the reef station is Ben Okoro."
    ),
}


def site(asked: Asked) -> Answer | None:
    return Answer(PAGES[asked.target], kind=HTML) if asked.target in PAGES else None


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serving(LoopbackSite(site)) as served:
        yield served.home


def test_both_are_told_with_their_pages(home: str, tmp_path: Path) -> None:
    said = walker_here("ask", home, QUESTION, "-q", folder=tmp_path)
    assert said.code == 3
    lines = [line.strip() for line in said.out.splitlines()]
    assert lines[0] in ("Not found. Nearest: Ana Ruiz, or Ben Okoro", "Not found. Nearest: Ben Okoro, or Ana Ruiz")
    assert [line for line in lines if line.startswith("[")] == [f"[1] {home}people", f"[2] {home}people"]
    assert {line.strip("“”") for line in lines if line.startswith("“")} == set(QUOTES)

    (run,) = (tmp_path / "runs").iterdir()
    why = walker_here("why", str(run), folder=tmp_path)
    assert all(name in why.out for name in ("Ana Ruiz", "Ben Okoro", f"{home}people"))
    assert "tied with: " in why.out
    assert walker_here("replay", str(run), folder=tmp_path).code == 0


def test_programs_get_both(home: str, tmp_path: Path) -> None:
    told = json.loads(walker_here("ask", home, QUESTION, "--json", "-q", "--no-record", folder=tmp_path).out)
    assert (told["answered"], told["answer"]) == (False, "")
    (other,) = told["tied"]
    assert {told["nearest"], other["answer"]} == {"Ana Ruiz", "Ben Okoro"}
    assert {told["citations"][0]["quote"], other["citations"][0]["quote"]} == set(QUOTES)
