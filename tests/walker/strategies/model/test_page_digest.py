"""What of a page a prompt shows: whole, or its best parts, and the names of the others."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import msgspec
import pytest

from memory.state import WalkMemory
from perception.observation import Block, Observation
from tests.fixtures.paper import page
from tests.walker.strategies.model.shown_page import HERE, MANTIS, chapters, digest, seen, standing
from walker.models.token_count import count_tokens
from walker.strategies.model.digest.link_marks import mark_links
from walker.strategies.model.digest.page_parts import divide_page


def test_a_page_that_fits_is_shown_whole() -> None:
    said = [f"Boat number {n} is {n} metres long." for n in range(1, 60)]
    shown = digest(page("Boats", "".join(f"<p>{text}</p>" for text in said)))
    assert shown.left_out == frozenset()
    assert "left out" not in shown.text
    assert shown.text.splitlines() == ["Boats", HERE, "# Boats", *said]


def test_of_a_long_page_the_best_part_and_its_neighbours_are_shown_and_the_rest_is_named() -> None:
    shown = digest(chapters(60, {30: MANTIS}), 1500)
    assert MANTIS in shown.text
    for year in (29, 31):
        assert f"## Year {year}\n" in shown.text
    parts = divide_page(seen(chapters(60)), mark_links(seen(chapters(60)), WalkMemory())).parts
    hidden = [part for part in parts if part.number in shown.left_out]
    words, number = re.search(r"Left out of this page: (\d+) words in (\d+) parts", shown.text).groups()  # type: ignore[union-attr]
    assert int(number) == len(hidden)
    assert int(words) == sum(part.words for part in hidden)
    named = re.findall(r"^parts? (\d+)(?:-(\d+))?: .*Year \d+ “.*…” \(\d+ words\)$", shown.text, re.MULTILINE)
    assert {n for first, last in named for n in range(int(first), int(last or first) + 1)} >= shown.left_out
    assert len(named) > 2
    for first, last in re.findall(r"\[… parts (\d+)-(\d+) left out\]", shown.text):
        assert set(range(int(first), int(last) + 1)) <= shown.left_out


def test_of_a_long_run_of_code_the_setting_that_is_asked_for_is_shown() -> None:
    code = "\n\n".join(f"ADD_LIST_{number}=Yes" for number in range(400)).replace("ADD_LIST_333=Yes", "MACLIST_TTL=60")
    words = "The author used these settings for his own network in 2015, and the value of each is set here"
    prose = "".join(f"<p>{words}, in part {number}.</p>" for number in range(60))
    query = "To what value is MACLIST_TTL set in the settings that the author used for his own network in 2015?"
    assert "MACLIST_TTL=60" in digest(f"<h1>T</h1>{prose}<h2>Settings</h2><pre>{code}</pre>", 600, query=query).main


def test_a_part_that_was_asked_for_is_shown_with_what_follows() -> None:
    dull = "Nothing of note was written down, and the station was shut for the winter."
    html = chapters(60, {30: MANTIS, 50: f"{dull} In this year the crane fell.", 51: "It was mended."})
    observation = seen(html)
    parts = divide_page(observation, mark_links(observation, WalkMemory())).parts
    crane = next(part.number for part in parts if "crane fell" in part.text)
    assert "crane fell" not in digest(html, 1500).text
    shown = digest(html, 1500, unfolded=(crane,))
    assert "crane fell" in shown.text
    assert "It was mended." in shown.text
    assert crane not in shown.left_out


@pytest.mark.parametrize("tokens", [60, 150, 300, 800, 2000, 5000])
@pytest.mark.parametrize("with_lists", [False, True])
def test_a_digest_is_never_longer_than_asked(tokens: int, with_lists: bool) -> None:
    menu = "".join(f'<li><a href="/menu/{n}.html">Entry {n} of the menu</a></li>' for n in range(300))
    body = chapters(80, {30: MANTIS}).replace("<main>", f"<nav><ul>{menu}</ul></nav><main>")
    shown = digest(body, tokens, with_lists=with_lists)
    assert count_tokens(shown.text) <= 1.05 * tokens + 20
    assert "Year" in shown.text


def test_code_keeps_its_lines_and_tables_are_rows() -> None:
    code = "def boats():\n    for boat in fleet:\n        yield boat"
    html = page(
        "Code",
        f"<p>So:</p><pre><code>{code}</code></pre>"
        "<table><tr><th>Boat</th><th>Length</th></tr><tr><td>Mantis</td><td>18.4 m</td></tr></table>"
        "<ul><li>an entry</li></ul><blockquote>said so</blockquote>",
    )
    text = digest(html).text
    assert f"```\n{code}\n```" in text
    assert "| Boat | Length |\n| Mantis | 18.4 m |" in text
    assert "\n- an entry" in text
    assert "\n> said so" in text


def test_what_was_read_in_pictures_is_shown_as_such() -> None:
    observation = msgspec.structs.replace(seen(page("Boats", "<p>See the board.</p>")), seen_text=("Mantis 18.4 m",))
    assert "[picture] Mantis 18.4 m" in digest(observation).text


def test_what_was_read_in_a_picture_stands_once_below_what_the_page_says_of_it() -> None:
    prices, map_ = ("Prices", "Price list [2026]"), ("The bay", "Map of the bay")
    blocks = tuple(
        Block(id=90 + number, kind="paragraph", text=text, headings=headings, pictured=True)
        for number, (text, headings) in enumerate(
            [("Adults 12 EUR", prices), ("Mole 4", map_), ("Children 6 EUR", prices), ("Adults 12 EUR", prices)]
        )
    )
    plain = seen(page("Boats", "<p>See the board.</p>"))
    texts = ("Map of the bay", "Adults 12 EUR", "Mole 4", "Children 6 EUR", "a red flag")
    observation = msgspec.structs.replace(plain, blocks=(*plain.blocks, *blocks), seen_text=texts)
    shown = digest(observation).text.splitlines()
    start = shown.index("[picture: Prices > Price list (2026)]")
    assert shown[start : start + 6] == [
        "[picture: Prices > Price list (2026)]",
        "[picture] Adults 12 EUR",
        "[picture] Children 6 EUR",
        "[picture: The bay > Map of the bay]",
        "[picture] Mole 4",
        "[picture] a red flag",
    ]


def _seconds(work: Callable[[], object]) -> float:
    """Processor time, the better of two runs."""
    took = []
    for _ in range(2):
        began = time.process_time()
        work()
        took.append(time.process_time() - began)
    return min(took)


@pytest.mark.parametrize("kind", ["text", "links"])
def test_a_page_ten_times_as_long_takes_no_more_than_its_share(kind: str) -> None:
    """Five megabytes of text, or 20,000 links, against a tenth of them."""

    def long(share: int) -> Observation:
        if kind == "text":
            return seen(chapters(6300 // share))
        return seen(
            page("Links", "".join(f'<p><a href="/boat/{n}.html">Boat {n}</a></p>' for n in range(20_000 // share)))
        )

    whole, tenth = long(1), long(10)
    digest(tenth)  # the ranker loads at its first use
    assert _seconds(lambda: digest(whole)) < 30 * max(0.01, _seconds(lambda: digest(tenth)))


def test_definitions_and_rows_of_a_layout_are_one_line_each() -> None:
    dl = "<dl><dt>Length</dt><dd>18.4 m</dd><dt>Home port</dt><dd><p>Old Quay</p></dd></dl>"
    rows_ = "".join(f"<tr><td><h4>{n} o'clock</h4></td><td><p>Talk {n}</p></td></tr>" for n in range(1, 4))
    lines = digest(page("Boats", f"<p>{MANTIS}</p>{dl}<table>{rows_}</table>")).text.splitlines()
    assert "- Length | 18.4 m" in lines
    assert "- Home port | Old Quay" in lines
    assert "- 2 o'clock | Talk 2" in lines


def test_left_out_cards_of_one_section_share_a_line_that_counts_them() -> None:
    def cards(what: str) -> str:
        return "".join(
            f'<div class="card"><h3>{what} {n}</h3><p>{n} May</p><p>{"Something to be said. " * 4}</p></div>'
            for n in range(100, 180)
        )

    html = page("Talks", f"<h2>Morning</h2><div>{cards('Lecture')}</div><h2>Evening</h2><div>{cards('Concert')}</div>")
    lines = [line for line in digest(html, 1500).text.splitlines() if re.match(r"parts? \d", line)]
    assert all(("Morning" in line) != ("Evening" in line) for line in lines)
    assert (
        sum(int(count) for count in re.findall(r"\((\d+) entries, \d+ words\)$", "\n".join(lines), re.MULTILINE)) > 120
    )


def test_cards_are_not_cut_and_those_left_out_are_named_by_the_first_and_the_last() -> None:
    duty = 3 * "Has looked after the boats and the sheds of the station for many years, in all weathers and seasons. "
    duty = duty.strip()
    cards = "".join(
        f'<div class="card"><p>Person {n}</p><p>Engineer of shed {n}</p><p>{duty}</p></div>' for n in range(100, 200)
    )
    observation = seen(page("People", f"<div>{cards}</div>"))
    parts = divide_page(observation, mark_links(observation, WalkMemory())).parts
    assert len(parts) > 10
    for part in parts:
        assert re.search(r"^(# People\n)?Person \d+\n", part.text)
        assert part.text.endswith(duty)
    text = digest(observation, 900).text
    assert re.search(r"^parts \d+-\d+: People “Person \d+…” to “Person 199…” \(\d+ words\)$", text, re.MULTILINE)


def test_a_small_prompt_names_all_entries_before_the_code_of_one() -> None:
    code = "<pre>" + "\n".join(f"docker run boat:{n} --shed {n} --volume /harbour/{n}" for n in range(40)) + "</pre>"
    posts = "".join(f"<h2><a href='/n/{n}.html'>News of shed {n}</a></h2><p>Told in May.</p>{code}" for n in range(10))
    text = digest(page("News", posts), 900, query="docker volume of the harbour").main
    assert all(f"News of shed {n}" in text.splitlines()[0] for n in range(10))
    assert "docker run" in text


def test_a_card_with_its_heading_at_the_end_is_one_part_under_that_heading() -> None:
    told = "and so on it goes with the wind and the sea, the quay and the tower, " * 8
    cards = "".join(f"<div class=card><p>Job {n}: {told}</p><h3>Person {n}</h3></div>" for n in (1, 2, 3))
    observation = seen(page("Crew", f"<div>{cards}</div>"))
    parts = divide_page(observation, mark_links(observation, standing(observation))).parts
    found = {part.path[-1]: part.text.splitlines() for part in parts if "Job" in part.text}
    assert [(name, lines[0][:5], lines[-1]) for name, lines in found.items()] == [
        (f"Person {n}", f"Job {n}", f"### Person {n}") for n in (1, 2, 3)
    ]


def test_a_part_that_goes_on_with_an_entry_whose_beginning_is_left_out_says_its_name() -> None:
    rows = "".join(
        f"<p>Reading {n} of the day, taken at the quay by the crew on duty, was {n} metres.</p>" for n in range(30)
    )
    cards = "".join(f"<div class=card><p><b>{boat}</b></p>{rows}</div>" for boat in ("Heron", "Mantis", "Orca"))
    found = digest(
        page("Boats", f"<div>{cards}</div>").replace("25 metres", "oddity", 2).replace("oddity", "25 metres", 1),
        tokens=700,
        query="oddity",
    ).text.splitlines()
    place = next(at for at, line in enumerate(found) if "oddity" in line)
    gap = max(at for at, line in enumerate(found[:place]) if "left out]" in line)
    assert "(Mantis …)" in found[gap:place]
