"""What a digest does not show again: what an earlier page had too."""

from __future__ import annotations

import re

import msgspec

from memory.state import PageNote, WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UntriedLink, UrlStack
from perception.document.regions.surroundings import marks_around
from perception.observation import Observation
from tests.fixtures.paper import HOME, page, ranker, task_for
from tests.walker.strategies.model.shown_page import HERE, MANTIS, QUERY, digest, seen
from walker.models.token_count import count_tokens
from walker.strategies.model.digest.page_digest import TITLES_AGAIN
from walker.strategies.model.digest.page_sides import NAMED_TOKENS
from walker.strategies.model.prompt_values import PromptValues


def test_what_stood_around_a_page_before_is_named_and_not_shown_again() -> None:
    menu = "".join(f'<li><a href="/menu/{n}.html">Entry {n} of the menu</a></li>' for n in range(100))
    html = page("Boats", f"<p>{MANTIS}</p>").replace(
        "<main>", f'<nav><ul>{menu}<li><a href="/new.html">Only here</a></li></ul></nav><main>'
    )
    before = seen(html.replace("Only here", "Only there"))
    known = dict.fromkeys(marks_around(before), 3)
    again = digest(html, seen_around=known)
    assert re.search(r"^Navigation: Only here \[101\]$", again.text, re.MULTILINE)
    told = re.search(
        r'^Around the text as on step 3, 100 links \("read" (\d+) shows all\), .*$', again.text, re.MULTILINE
    )
    assert told is not None
    assert "Entry 0 of the menu [1] · " in told[0]
    assert count_tokens(told[0]) < 400
    number = int(told[1])
    assert number in again.left_out
    whole = digest(html, seen_around=known, unfolded=(number,))
    assert whole.text == digest(html).text
    assert whole.left_out == frozenset()


def test_a_short_menu_is_shown_on_each_page() -> None:
    html = page("Boats", f"<p>{MANTIS}</p>").replace("<main>", '<nav><a href="/a">A</a> <a href="/b">B</a></nav><main>')
    known = dict.fromkeys(marks_around(seen(html)), 1)
    assert digest(html, seen_around=known).text == digest(html).text


def manual(here: str, *, extra: str = "") -> Observation:
    """A page of a manual whose main part begins with the whole contents."""
    names = [f"Chapter {n} of the harbour manual" for n in range(1, 121)]
    entries = [f'<li><a href="/{n}.html">{name}</a></li>' for n, name in enumerate(names, start=1)]
    entries.insert(60, f'<li><a href="/boats.html">Boats</a><ul>{extra}</ul></li>')
    return seen(page(here, f"<ul>{''.join(entries)}</ul><h2>{here}</h2><p>{MANTIS}</p>"))


def test_contents_that_an_earlier_page_had_are_shown_by_reference_with_what_is_near() -> None:
    before = manual("Ropes")
    now = manual("Boats", extra='<li><a href="/mantis.html">The Mantis in detail</a></li>')
    known = dict.fromkeys(marks_around(before), 2)
    again = digest(now, seen_around=known)
    assert count_tokens(again.text) < 0.3 * count_tokens(digest(now).text)
    assert MANTIS in again.text
    assert "- The Mantis in detail [" in again.text
    assert "- Boats" in again.text
    assert "- Chapter 60 of the harbour manual [" in again.text
    assert "- Chapter 61 of the harbour manual [" in again.text
    assert "Chapter 30 of" not in again.text
    above, below = re.findall(r'^\[(\d+) links as on step 2 \("read" (\d+) shows all\)\]$', again.text, re.MULTILINE)
    assert int(above[0]) + int(below[0]) > 100
    assert {int(above[1]), int(below[1])} <= again.left_out
    whole = digest(now, seen_around=known, unfolded=(int(above[1]),))
    assert whole.text == digest(now).text
    assert whole.left_out == frozenset()


def rows(number: int, changed: str = "") -> str:
    """A page with a long table, and a link that the walk follows from it."""
    body = "".join(f"<tr><td>Boat {n}</td><td>{n} metres, built in {1900 + n}</td></tr>" for n in range(number))
    head = "<tr><th>Name</th><th>Length and year</th></tr>"
    return page("Boats", f"<h2>Fleet {changed}</h2><table>{head}{body}</table><p>The end of {changed or 'it'}.</p>")


def test_a_table_that_an_earlier_page_had_is_shown_by_reference() -> None:
    known = dict.fromkeys(marks_around(seen(rows(60))), 2)
    again = digest(rows(60, "again"), seen_around=known)
    assert "Boat 30" not in again.text
    assert "The end of again." in again.text
    (told,) = re.findall(r'^\[(\d+) entries as on step 2 \("read" (\d+) shows all\)\]$', again.text, re.MULTILINE)
    assert int(told[0]) >= 60
    whole = digest(rows(60, "again"), seen_around=known, unfolded=(int(told[1]),))
    assert "Boat 30 | 30 metres" in whole.text


def test_a_reference_names_the_page_that_had_most_of_it() -> None:
    marks = list(marks_around(seen(rows(60))))
    again = digest(rows(60, "again"), seen_around=dict.fromkeys(marks, 3) | dict.fromkeys(marks[:6], 2))
    assert re.findall(r"^\[\d+ entries as on step (\d+) ", again.text, re.MULTILINE) == ["3"]


def test_a_long_list_is_not_shown_again_when_the_walk_returns_to_its_page() -> None:
    observation = seen(page("Boats", f"<p>{MANTIS}</p><ul>{''.join(_entries(90))}</ul>"))
    frame = Frame(url=HERE, key=key_of(HERE), title="Boats")
    left = PageNote(step=1, url=HERE, key=key_of(HERE), outcome="read", around=marks_around(observation))
    other = PageNote(step=2, url=HOME, key=key_of(HOME), outcome="read")
    back = msgspec.structs.replace(left, step=3)
    values, task = PromptValues(ranker()), task_for(QUERY)

    def shown(
        *notes: PageNote, tokens: int = 6000, unfolded: tuple[int, ...] = (), missing: str = "", been: str = ""
    ) -> str:
        stack = UrlStack().push(Frame(url=HOME, key=key_of(HOME))).push(frame)
        links = [UntriedLink(url=link.url, key=key_of(link.url), label=link.label) for link in observation.links]
        stack = stack.offer(tuple(links)).enter(key_of(f"{HOME}{been}"))
        memory = WalkMemory(
            step=3, stack=stack, pages=notes, unfolded=unfolded, missing=tuple(filter(None, (missing,)))
        )
        return values.digest(task, observation, memory, values.offer(task, observation, memory), tokens).text

    first, again = shown(left), shown(left, other, back)
    assert "Boat number 50" in first
    assert MANTIS in again
    assert count_tokens(again) < 0.5 * count_tokens(first)
    ((told, named),) = re.findall(r'^\[90 links as on step 1 \("read" (\d+) shows all\): (.*)\]$', again, re.MULTILINE)
    titles = named.split(" · ")
    assert len(titles) == TITLES_AGAIN, "nothing but its title tells which entry to follow"
    assert set(titles) <= {f"Boat number {n} of the harbour fleet [{n + 1}]" for n in range(90)}
    assert shown(left, other, back, unfolded=(int(told),)) == first
    assert "as on step" not in shown(left, other, back, tokens=500), "what was never shown whole"
    wanted = shown(left, other, back, missing="the length of the boats 53 and 71", been="71.html")
    assert re.findall(r"^- Boat number (\d+) ", wanted, re.MULTILINE) == ["53"], "71 was read, and all are boats"
    assert "Boat number 71 of" not in wanted


def _entries(number: int) -> list[str]:
    return [f'<li><a href="/{n}.html">Boat number {n} of the harbour fleet</a></li>' for n in range(number)]


def test_short_contents_are_shown_on_each_page() -> None:
    before = seen(page("Boats", '<ul><li><a href="/a.html">Ropes</a></li><li><a href="/b.html">Sails</a></li></ul>'))
    assert digest(before, seen_around=dict.fromkeys(marks_around(before), 2)).text == digest(before).text


def test_links_of_closed_menus_keep_the_name_of_their_chapter_where_they_are_shown_by_reference() -> None:
    chapters = {"Fleet": "boat", "Crew": "person", "Harbour": "pier"}
    menus = "".join(
        f"<button aria-expanded=false aria-controls=m{name}>{name}</button><ul id=m{name} data-walker-hidden=''>"
        + "".join(f"<li><a href='/{one}{n}.html'>The {one} number {n} of the station</a></li>" for n in range(25))
        + "</ul>"
        for name, one in chapters.items()
    )
    html = page("Boats", f"<nav>{menus}<a href='/start.html'>Start</a></nav><p>{MANTIS}</p>")
    first = digest(html).text
    assert "Closed menu “Crew”: The person number 0" in first
    again = digest(html, seen_around=dict.fromkeys(marks_around(seen(html)), 1)).text
    told = next(line for line in again.splitlines() if line.startswith("Around the text as on step 1"))
    assert "“Fleet”: The boat number 0 of the station [" in told
    assert told.count("“") == len({name for name in chapters if f"“{name}”" in told}), "each chapter once"
    assert count_tokens(told) < NAMED_TOKENS + 40
