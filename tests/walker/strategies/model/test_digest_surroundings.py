"""What stands around the text of a page, as a digest shows it."""

from __future__ import annotations

import itertools
import re

from tests.fixtures.paper import page
from tests.walker.strategies.model.shown_page import MANTIS, chapters, digest
from walker.models.token_count import count_tokens
from walker.prompts import render_prompt
from walker.seams.chat import ChatMessage


def rendered(prompt: str, language: str) -> tuple[ChatMessage, ...]:
    values = dict.fromkeys(("question", "task", "missing", "known", "page", "fence", "parts"), "")
    return render_prompt(prompt, language, {**values, "most": 8})


def test_side_links_are_parted_and_the_page_itself_is_marked_in_its_row() -> None:
    html = page("Boats", "<p>Two boats.</p>").replace(
        "<main>",
        '<nav><a href="/">Home</a> <a href="/boats.html">Boats</a> <a href="/crew.html">Crew</a> '
        '| <a href="/sea.html">Sea</a></nav><main>',
    )
    assert re.search(
        r"^Navigation: Home \[\d+ seen\] · Boats \[this page\] · Crew \[\d+\] \| Sea \[\d+\]$",
        digest(html).text,
        re.MULTILINE,
    )


def test_labels_that_touch_are_parted_beside_the_text_and_words_of_the_text_are_not() -> None:
    html = page("Boats", '<p>Two <a href="/boat.html">boat</a>s.</p>').replace(
        "<main>", '<nav><a href="/boats.html">Boats</a><a href="/crew.html">Crew</a>now</nav><main>'
    )
    text = digest(html).text
    assert re.search(r"^Navigation: Boats \[this page\] · Crew \[\d+\] · now$", text, re.MULTILINE)
    assert re.search(r"^Two boat \[\d+\]s\.$", text, re.MULTILINE)


def test_what_stands_around_the_text_is_one_line_each() -> None:
    html = page("Boats", f"<p>{MANTIS}</p>").replace(
        "<main>",
        "<header><p>Reef</p><p>Station</p></header><nav><a href='/a.html'>A</a> <a href='/b.html'>B</a></nav><main>",
    )
    html = html.replace("</main>", "</main><aside><p>Beside</p><p>it</p></aside><footer><p>Old Quay</p></footer>")
    lines = digest(html).text.splitlines()
    assert "Beside the text: Beside · it" in lines
    assert "Header: Reef · Station" in lines
    assert "Footer: Old Quay" in lines
    assert sum(line.startswith("Navigation: ") for line in lines) == 1


def test_a_header_does_not_repeat_its_own_navigation() -> None:
    links = "<a href='/a.html'>Tickets</a> <a href='/b.html'>Shop</a>"
    html = page("Boats", f"<p>{MANTIS}</p>").replace(
        "<main>",
        f"<nav>{links}</nav><header><div>{links}</div><p>Open daily. <a href='/a.html'>Tickets</a></p></header><main>",
    )
    text = digest(html).text
    number = {label: re.search(rf"{label} \[(\d+)\]", text)[1] for label in ("Tickets", "Shop")}  # type: ignore[index]
    assert f"Navigation: Tickets [{number['Tickets']}] · Shop [{number['Shop']}]" in text
    assert f"Header: Open daily. Tickets [{number['Tickets']}]" in text, "what it says besides stays"


def test_what_is_shown_is_named_in_the_language_of_the_prompt() -> None:
    cards = "".join(f"<li>Boat {n}, a vessel of {n} metres</li>" for n in range(6))
    html = page("Boats", f"<h2>Fleet</h2><ul>{cards}</ul>").replace(
        "<main>", "<nav><a href='/a.html'>A</a></nav><main>"
    )
    chinese, english = (digest(html, with_lists=True, language=language).text for language in ("zh", "en"))
    assert "本页的列表：" in chinese
    assert re.search(r"^导航: A \[\d+\]$", chinese, re.MULTILINE)
    assert not re.search("Lists of this page|Navigation|Header|Footer", chinese)
    assert "Lists of this page:" in english
    assert "“本页的列表”" in "".join(one.content for one in rendered("critic_find", "zh")), (
        "by the name that the prompt gives it"
    )


def test_a_menu_takes_no_room_from_a_long_text() -> None:
    menu = "".join(f'<li><a href="/menu/{n}.html">Entry {n} of the menu</a></li>' for n in range(900))
    body = chapters(60, {30: MANTIS}).replace("<main>", f"<nav><ul>{menu}</ul></nav><main>")
    shown = digest(body, 2000)
    assert MANTIS in shown.text
    navigation = next(line for line in shown.text.splitlines() if line.startswith("Navigation: "))
    assert count_tokens(navigation) <= 0.35 * 2000
    assert re.search(r"… \d+ more left out", navigation)


def test_a_few_links_within_a_section_stand_where_they_belong_and_menus_beside_the_text() -> None:
    files = '<nav class="downloads"><a href="/boats.pdf">Plan of the boats</a></nav>'
    menu = "<nav>" + "".join(f'<a href="/m{n}.html">Menu {n}</a> ' for n in range(30)) + "</nav>"
    html = page(
        "Harbour", f"<h2>Boats</h2><p>Two boats lie here.</p>{files}<h2>Crew</h2><p>Six people.</p>{menu}<p>End.</p>"
    )
    text = digest(html, 1500).text
    assert re.search(r"Two boats lie here\.\n- Plan of the boats \[\d+\]\n## Crew", text)
    assert "Menu 7" in text.partition("Navigation:")[2]
    assert "Menu 7" not in text.partition("Navigation:")[0]


def test_any_order_of_regions_is_shown() -> None:
    regions = [
        f"<{tag}><p>Text of {tag}. <a href='/{tag}.html'>{tag}</a></p></{tag}>"
        for tag in ("header", "nav", "aside", "footer")
    ]
    for order in itertools.permutations(["<main><h1>Boats</h1></main>", *regions]):
        text = digest(f"<html><body>{''.join(order)}</body></html>", 1500).text
        assert "# Boats" in text
        assert all(f"{tag} [" in text for tag in ("header", "nav", "aside", "footer"))
