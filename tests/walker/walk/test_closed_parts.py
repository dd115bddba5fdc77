"""Answers that a page shows only once something on it is opened or looked up, in a real browser."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.sites.serving import HTML, Answer, Asked, LoopbackSite, serving
from walker.asking import ask
from walker.settings import Settings

HOME = """<html lang=en><title>Isle of Sark</title><h1>Isle of Sark</h1><p>Welcome to the isle.</p>
<a href=/lighthouse>The lighthouse</a> <a href=/coach>Questions about the coach</a> <a href=/boats>Register of boats</a>
<a href=/hours>Hours</a>"""
TABS = """<html lang=en><title>The lighthouse</title><h1>The lighthouse</h1><div role=tablist>
<button role=tab aria-selected=true>About</button><button role=tab aria-selected=false>Visits</button></div>
<div id=panel>A tower by the sea that many people know.</div><script>
const texts = {About: "A tower by the sea.", Visits: "The lighthouse closes at 17:25 on weekdays."};
for (const tab of document.querySelectorAll("[role=tab]"))
  tab.onclick = () => { document.querySelector("#panel").textContent = texts[tab.textContent]; };</script>"""
FOLDED = """<html lang=en><title>Questions about the coach</title><h1>Questions about the coach</h1>
<button aria-expanded=false>How much is a day ticket for the coach?</button><div id=said></div><script>
document.querySelector("button").onclick = (event) => {
  document.querySelector("#said").textContent = "A day ticket for the coach costs 3.70 euros.";
  event.target.setAttribute("aria-expanded", "true"); };</script>"""
FORM = """<html lang=en><title>Register of boats</title><h1>Register of boats</h1><form action=/found>
<label>Name of the boat <input name=boat></label><button>Go</button></form>"""
ELSEWHERE = """<html lang=en><title>Hours</title><h1>Hours of all houses</h1><div role=tablist>
<button role=tab aria-selected=true>School</button><button role=tab aria-selected=false>Mill</button></div>
<div id=panel>Lessons begin at 8:10.</div><script>
document.querySelectorAll("[role=tab]")[1].onclick = () => {
  document.querySelector("#panel").textContent = "The mill closes at 16:40 in winter."; };</script>"""
PAGES = {"/": HOME, "/hours": ELSEWHERE, "/lighthouse": TABS, "/coach": FOLDED, "/boats": FORM}
PAGES["/boat/petrel"] = "<html lang=en><title>Petrel</title><h1>Petrel</h1><p>The boat Petrel was launched in 1911.</p>"


def site(asked: Asked) -> Answer | None:
    place = urlsplit(asked.target)
    if place.path == "/found":
        name = parse_qs(place.query).get("boat", [""])[0].lower()
        hit = "<a href=/boat/petrel>Petrel</a>" if name == "petrel" else "Nothing has this name."
        return Answer(f"<html lang=en><title>Boats found</title><h1>Boats found</h1><p>{hit}</p>", kind=HTML)
    return Answer(PAGES[place.path], kind=HTML) if place.path in PAGES else None


@pytest.mark.usefixtures("kept_chromium")
@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("When does the lighthouse close on weekdays?", "17:25"),
        ("How much is a day ticket for the coach?", "3.70 euros"),
        ("In which year was the boat Petrel launched?", "1911"),
    ],
)
@pytest.mark.parametrize("scouts", [0, 60])
async def test_what_is_behind_a_tab_an_accordion_or_a_form_is_found(
    question: str, answer: str, scouts: int, tmp_path: Path
) -> None:
    with serving(LoopbackSite(site)) as served:
        outcome = await ask(served.home, question, settings=Settings(runs_folder=tmp_path, scout_pages=scouts))
    assert outcome.answer == answer, outcome.nearest
    assert outcome.pages <= 5


@pytest.mark.usefixtures("kept_chromium")
async def test_a_tab_that_the_question_names_is_opened_on_a_page_that_says_nothing_of_it(tmp_path: Path) -> None:
    with serving(LoopbackSite(site)) as served:
        settings = Settings(runs_folder=tmp_path, scout_pages=0)
        outcome = await ask(served.home, "When does the mill close in winter?", settings=settings)
    assert outcome.answer == "16:40", outcome.nearest
