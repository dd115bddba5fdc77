"""How links stand in the digest of a page, and the ways on from a list of many pages."""

from __future__ import annotations

import re

import msgspec
import pytest

from memory.state import MoveNote, PageNote, WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, NoStack, UntriedLink, UrlStack
from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.fixtures.paper import HOME, page
from tests.walker.strategies.model.shown_page import HERE, HERE_FRAME, MANTIS, digest, seen, standing
from walker.rules.scope import WalkScope
from walker.strategies.model.digest.link_marks import mark_links
from walker.strategies.model.quotes import stands_on


def test_an_address_that_led_to_this_page_is_marked_as_this_page() -> None:
    here = seen(page("Boats", '<p><a href="/boats">Boats</a> <a href="/sheds">Sheds</a></p>'))
    memory = standing(here, HOME + "boats", HOME + "sheds")
    led = msgspec.structs.replace(memory.stack.frames[-1], asked=key_of(HOME + "boats"))
    stack = msgspec.structs.replace(memory.stack, frames=(*memory.stack.frames[:-1], led))
    marks = mark_links(here, msgspec.structs.replace(memory, stack=stack))
    assert [marks.label_of(link) for link in here.links] == ["Boats [this page]", "Sheds [2 seen]"]


def test_pages_that_were_read_are_marked_in_a_walk_without_a_stack_too() -> None:
    observation = seen(
        page("Boats", '<p>The <a href="/mantis.html">Mantis</a> and the <a href="/tern.html">Tern</a>.</p>')
    )
    links = tuple(UntriedLink(url=link.url, key=key_of(link.url), label=link.label) for link in observation.links)
    been = PageNote(step=1, url=HOME + "tern.html", key=key_of(HOME + "tern.html"), outcome="read")
    memory = WalkMemory(step=2, stack=NoStack().push(HERE_FRAME).offer(links), pages=(been,))
    marks = mark_links(observation, memory)
    assert "The Mantis [1] and the Tern [2 seen]." in (marks.text_of(block) for block in observation.blocks)
    assert marks.states == {1: "", 2: ""}, "it may be entered again"


def test_links_stand_where_they_are_with_what_became_of_them() -> None:
    html = page(
        "Boats",
        '<p>The <a href="/mantis.html">Mantis</a> sails with the <a href="/wreck.html">Wreck</a>, the '
        '<a href="/been.html">Tern</a> and <a href="http://else.example/">others</a>.</p>'
        '<p>Again: <a href="/mantis.html">Mantis</a>. <a href="#top">To the top</a></p>',
    )
    observation = seen(html)
    memory = standing(observation, HOME + "been.html", failed=(HOME + "wreck.html",))
    marks = mark_links(observation, memory)
    first, second = (marks.text_of(block) for block in observation.blocks if block.kind == "paragraph")
    number = {link.label: link.id for link in observation.links}
    assert first == (
        f"The Mantis [{number['Mantis']}] sails with the Wreck [{number['Wreck']} failed], the "
        f"Tern [{number['Tern']} seen] and others [{number['others']} off-site]."
    )
    assert second == f"Again: Mantis [{number['Mantis']}]. To the top"


def test_a_link_that_a_rule_refuses_is_marked_so_though_its_page_did_not_come_before() -> None:
    labels = ("Late", "Closed", "Deep", "Home again", "Elsewhere", "Zip", "Mantis")
    links = " ".join(f'<a href="/{label.lower().replace(" ", "-")}.html">{label}</a>' for label in labels)
    shapes = " ".join(f'<a href="/day/{n}.html">Day {n}</a>' for n in (1, 2, 40))
    observation = seen(page("Boats", f"<p>{links} {shapes}</p>"))
    memory, number = standing(observation), {link.label: link.id for link in observation.links}

    def note(place: str, outcome: str) -> PageNote:
        return PageNote(step=1, url=HOME + place, key=key_of(HOME + place), outcome=outcome)

    def follow(label: str, why: str) -> MoveNote:
        return MoveNote(step=2, page=key_of(HERE), what=f"follow [{number[label]}] “{label}”", outcome=why)

    outcomes = {
        "late.html": "timeout", "closed.html": "refused", "home-again.html": "already visited",
        "elsewhere.html": "off site", "zip.html": "download", "day/1.html": "timeout",
    }  # fmt: skip
    stack = memory.stack
    for place in (*outcomes, *(f"day/{n}.html" for n in range(2, 12))):
        stack = stack.enter(key_of(HOME + place))
    days = [note(f"day/{n}.html", "read") for n in range(2, 12)]
    memory = msgspec.structs.replace(
        memory,
        stack=stack,
        pages=(*(note(place, outcome) for place, outcome in outcomes.items()), *days),
        moves=(
            follow("Deep", "the walk is 12 pages deep already"),
            follow("Closed", "the walk is 12 pages deep already"),
        ),
    )
    (text,) = [
        mark_links(observation, memory).text_of(block) for block in observation.blocks if block.kind == "paragraph"
    ]
    states = dict(re.findall(r"(\w[\w ]*?) \[\d+ ?([a-z-]*)\]", text))
    assert states == {
        "Late": "unanswered", "Closed": "refused", "Deep": "refused", "Home again": "seen", "Elsewhere": "outside",
        "Zip": "file", "Mantis": "", "Day 1": "refused", "Day 2": "seen", "Day 40": "refused",
    }  # fmt: skip


CARDS = {
    "picture and title": '<div class="card"><a href="/{n}.html"><img src="/{n}.png"></a><div>{n} May</div>'
    '<h3><a href="/{n}.html">Talk {n}</a></h3><p>What was said on day {n}.</p></div>',
    "one link": '<a class="card" href="/{n}.html"><div>{n} May</div><h3>Talk {n}</h3><p>What was said on day {n}.</p></a>',
    "link over the card": '<div class="card"><a href="/{n}.html" aria-label="Talk {n}"></a><h3>Talk {n}</h3><div>{n} May</div>'
    "<p>What was said on day {n}.</p></div>",
    "title without heading": '<div class="card"><a href="/{n}.html">Talk {n}</a><div>{n} May</div>'
    "<p>What was said on day {n}.</p></div>",
}


@pytest.mark.parametrize("kind", CARDS)
def test_each_entry_of_a_list_of_cards_holds_its_number_and_none_is_navigation(kind: str) -> None:
    cards = "".join(CARDS[kind].format(n=n) for n in range(1, 6))
    url = HOME + "talks.html"
    markup = f"<html><title>Talks</title><body><div>{cards}</div></body></html>"
    text = digest(observe(Snapshot(url=url, final_url=url, status=200, html=markup))).text
    assert "Navigation" not in text
    entries = [line for line in text.splitlines() if "Talk " in line]
    assert len(entries) == 5
    for number, line in enumerate(entries, start=1):
        assert sorted(re.sub(r" \[\d+\]", "", line.removeprefix("- ")).split(" | ")) == [
            f"{number} May",
            f"Talk {number}",
            f"What was said on day {number}.",
        ]
        assert re.search(rf"Talk {number} \[\d+\](?: \||$)", line), "the number stands behind the title"
        assert line.count("[") == 1


def test_a_link_to_a_picture_may_be_followed_and_one_to_a_file_that_is_not_read_says_so() -> None:
    html = page(
        "Maps", '<p><a href="/chart.svg?v=2">Chart</a> <a href="/chart.zip">Plan</a> <a href="/next.html">Next</a></p>'
    )
    observation = seen(html)
    links = tuple(
        UntriedLink(url=link.url, key=key_of(link.url), label=link.label)
        for link in observation.links
        if not WalkScope(root_url=HOME).why_outside(link.url)
    )
    marks = mark_links(
        observation, msgspec.structs.replace(standing(observation), stack=UrlStack().push(HERE_FRAME).offer(links))
    )
    number = {link.label: link.id for link in observation.links}
    (text,) = (marks.text_of(block) for block in observation.blocks if block.text.startswith("Chart"))
    assert text == f"Chart [{number['Chart']} picture] Plan [{number['Plan']} file] Next [{number['Next']}]"
    assert marks.states[number["Chart"]] == ""


def test_a_page_written_in_another_way_and_a_route_are_links_like_others() -> None:
    html = page(
        "Boats",
        '<p><a href="/tern/">Tern</a>, <a href="/tern/index.html?utm_source=x">Tern again</a>, <a href="#/crew">Crew</a>, '
        '<a href="#top">Top</a> and <a href="/plan.zip">Plan</a>.</p>',
    )
    observation = seen(html)
    states = mark_links(observation, standing(observation)).states
    by_label = {link.label: states.get(link.id) for link in observation.links}
    assert (by_label["Tern"], by_label["Tern again"], by_label["Crew"], by_label.get("Top")) == ("", "", "", None)
    offered = standing(observation)
    left = tuple(link for link in offered.stack.frames[-1].untried if "zip" not in link.url)
    without = msgspec.structs.replace(offered, stack=offered.stack.offer(left))
    assert "file" in mark_links(observation, without).states.values()


def test_a_picture_that_leads_somewhere_has_a_name() -> None:
    html = page(
        "Boats",
        '<p>Ask <a href="/harbour-master"><img src="/8f3a9c.png"></a>or <a href="/crew"><i class="fa fa-users"></i></a>.</p>'
        '<p><a href="/home"><img src="/1.png"></a> <a href="/home" title="Start">Start</a></p>',
    )
    text = digest(html).text
    assert re.search(r"^Ask ‹harbour-master› \[1\] or ‹users› \[2\] \.\nStart \[4\]$", text, re.MULTILINE)


def blog(pages: tuple[int, ...], *, words: int = 0, last: int = 90, said: str = "") -> Observation:
    pager = "".join(f'<a href="/boats.html?page={number}">{number}</a> ' for number in pages)
    months = "".join(f'<li><a href="/news/2019/{n:02}/">Month {n}</a></li>' for n in range(1, 13))
    filler = f"<p>{'Nothing of note was written down in this year. ' * words}</p>"
    end = f"<a href='/boats.html?page={last}'>Last »</a>"
    main = f"<h2>Open day</h2><p>The harbour was open.</p>{filler}<p>{said}</p><div>{pager}{end}</div>"
    aside = f"<aside><p>{'So many words. ' * words}</p><ul>{months}</ul></aside>"
    return seen(page("News", main).replace("</main>", f"</main>{aside}"))


def test_pages_of_a_long_list_are_offered_with_their_numbers_where_its_pager_is_left_out() -> None:
    observation = blog(tuple(range(2, 42)), words=900)
    shown = digest(observation, 900).text
    (line,) = (line for line in shown.splitlines() if line.startswith("Pages of this list: "))
    number = {link.label: link.id for link in observation.links}
    assert line.startswith("Pages of this list: this is 1 of 90 · next [1] · "), (
        "its place, how far the list goes by the address of the last page, and the neighbours stand together"
    )
    assert line.endswith(f" · 2-41 [{number['2']}]-[{number['41']}] · Last » [{number['Last »']}]")
    assert number["41"] - number["2"] == 39, "page 22 is link 22 - 2 after the first"
    apart = digest(blog((2, 3, 4, 5, *range(20, 100, 2)), words=900), 900).text
    (line,) = (line for line in apart.splitlines() if line.startswith("Pages of this list: "))
    assert re.match(
        r"Pages of this list: this is 1 of 98 · next \[1\] · 2-5 \[1\]-\[4\] · .* · 98 \[44\] · Last » \[45\]$", line
    )
    assert line.count(" · ") <= 24
    (by_date,) = (line for line in shown.splitlines() if line.startswith("By subject or date: "))
    assert f"Month 3 [{number['Month 3']}]" in by_date


def test_how_far_a_list_goes_is_told_though_its_pager_stands_in_the_text() -> None:
    text = digest(blog((2, 3, 4), said="Posts 1-20 of 1,790")).text
    (line,) = (line for line in text.splitlines() if line.startswith("Pages of this list: "))
    assert line.startswith("Pages of this list: this is 1 of 90 · entries 1-20 of 1790 · next [1] · 2-4 [1]-[3] · ")


def test_every_number_that_a_pager_shows_can_be_gone_to() -> None:
    numbers = (2, 3, 5, 8, 13, 21, 34, 55, 60, 65, 70, 75)
    observation = blog(numbers, words=900)
    (line,) = (line for line in digest(observation, 900).text.splitlines() if line.startswith("Pages of this list: "))
    number = {link.label: link.id for link in observation.links}
    assert all(f" {one} [{number[str(one)]}]" in line for one in numbers)


def test_archives_are_offered_on_any_page_where_the_question_asks_for_a_time() -> None:
    months = "".join(
        f'<option value="/news/{year}/{n:02}/">Month {n} {year}</option>'
        for year in range(2000, 2020)
        for n in range(1, 13)
    )
    menu = "".join(f'<li><a href="/menu/{n}.html">Entry {n} of the menu</a></li>' for n in range(300))
    aside = f"<aside><ul>{menu}</ul><select><option value=''>Choose</option>{months}</select><a href='/archive/'>Archive</a></aside>"
    html = page("Open day", f"<p>{MANTIS}</p>").replace("</main>", f"</main>{aside}")
    number = {link.label: link.id for link in seen(html).links}

    def ways(question: str) -> list[str]:
        text = digest(html, 700, query=question).text
        return [line for line in text.splitlines() if line.startswith("By subject or date: ")]

    (line,) = ways("Who won the race in March 2019?")
    assert line.startswith(
        f"By subject or date: Month 3 2019 [{number['Month 3 2019']}] · Archive [{number['Archive']}] · Month 1 2019 ["
    )
    assert ways("Which was the first race?")
    assert not ways("Who looks after the boats?")


def news(entries: list[str], *, last: int = 34) -> str:
    listed = "".join(f"<li><a href='/n/{n}.html'>Race {n}</a> {told}</li>" for n, told in enumerate(entries))
    pager = " ".join(f'<a href="/boats.html?page={number}">{number}</a>' for number in (2, 3, 20, last))
    return page("News", f"<h2>News</h2><ul>{listed}</ul><div>1 {pager}</div>")


@pytest.mark.parametrize(
    ("entries", "question", "told"),
    [
        (
            ["2 November 2024", "20 October 2024", "3 October 2024", "10 September 2024"],
            "Who won the race in March 2024?",
            "In order, this page: 2024-11-02 to 2024-09-10; March 2024 would stand about page 5 (nearest: 3 [{3}])",
        ),
        (
            ["2024-11-02", "2024-10-20", "2024-10-03", "2024-09-10"],
            "Who won the race in 2003?",
            "In order, this page: 2024-11-02 to 2024-09-10; 2003 would stand about page 34 (nearest: 34 [{34}])",
        ),
        (
            ["issue 340", "issue 339", "issue 338", "issue 330"],
            "What is issue 150 about?",
            "In order, this page: 340 to 330; issue 150 would stand about page 19 (nearest: 20 [{20}])",
        ),
        (
            ["2024-11-02", "2024-10-20", "2024-10-03", "2024-09-10"],
            "Who won in October 2024?",
            "In order, this page: 2024-11-02 to 2024-09-10",
        ),
        (["2024-11-02", "2021-10-20", "2024-10-03", "2012-09-10", "2024-08-01"], "Who won in 2003?", ""),
        (
            ["2024-11-02", "2024-10-20", "2024-10-03", "2024-09-10"],
            "Name 5 races.",
            "In order, this page: 2024-11-02 to 2024-09-10",
        ),
        (["issue 340", "issue 339", "issue 338", "issue 330"], "Name 5 races.", ""),
    ],
)
def test_the_page_of_a_list_in_order_that_has_what_the_question_names_is_told(
    entries: list[str], question: str, told: str
) -> None:
    number = {link.label: link.id for link in seen(news(entries)).links}
    shown = digest(news(entries), query=question).text.splitlines()
    wanted = re.sub(r"\{(\d+)\}", lambda found: str(number[found[1]]), told)
    assert [line for line in shown if line.startswith("In order")] == ([wanted] if told else [])


def test_what_the_page_shows_of_its_pager_is_not_said_again() -> None:
    shown = digest(blog((2,), last=2)).text
    assert "Pages of this list" not in shown
    assert "By subject or date" not in shown
    assert "Pages of this list" not in digest(page("Boats", "<p>Two boats.</p>")).text


@pytest.mark.parametrize(
    ("read", "link", "is_seen"),
    [
        ("", "index.html", True),
        ("ships/", "ships/index.html", True),
        ("ships/", "ships#sails", True),
        ("ships", "ships/", True),
        ("ships/index.html#top", "ships/", True),
        ("ships/", "ships/sails.html", False),
        ("ships/", "ships/?page=2", False),
    ],
)
def test_a_page_that_was_read_is_marked_however_its_address_is_written(read: str, link: str, *, is_seen: bool) -> None:
    observation = seen(page("Boats", f'<p>See <a href="{HOME}{link}">these</a>.</p>'))
    marks = mark_links(observation, standing(observation, HOME + read))
    assert (marks.label_of(observation.links[0]) == "these [1 seen]") is is_seen


def test_a_link_to_the_open_page_in_another_spelling_is_marked_as_this_page() -> None:
    url = HOME + "ships"
    html = page("Ships", '<p>See <a href="/ships/">the ships</a> and <a href="/terns">terns</a>.</p>')
    observation = observe(Snapshot(url=url, final_url=url, status=200, html=html))
    memory = standing(observation)
    memory = msgspec.structs.replace(memory, stack=memory.stack.push(Frame(url=url, key=key_of(url), title="Ships")))
    links = [UntriedLink(url=link.url, key=key_of(link.url), label=link.label) for link in observation.links]
    marks = mark_links(observation, msgspec.structs.replace(memory, stack=memory.stack.offer(tuple(links))))
    assert "See the ships [this page] and terns [2]." in [marks.text_of(block) for block in observation.blocks]
    assert stands_on(observation, "See the ships [this page] and terns [2].")


def test_the_order_of_a_list_is_that_of_the_dates_of_its_entries_alone() -> None:
    def entry(n: int, day: str, text: str) -> str:
        return f"<h2><a href='/n/{n}.html'>Race {n}</a></h2><p>{day} 09:01</p><p>{text}</p>"

    told = "A long race, in which the boats of 3 March 1999 and those of the harbour of the town took part again."
    tags = "<ul><li>registry: boats.example/race:2022-01-21_v2</li><li>hub: race/race:2021-01-21_v2</li></ul>"
    days = ("2022-09-01", "2022-08-04", "2022-07-22", "2022-01-25")
    pager = '1 <a href="/boats.html?page=2">2</a> <a href="/boats.html?page=3">3</a>'
    body = "".join(entry(n, day, told) for n, day in enumerate(days))
    shown = digest(page("News", f"{body}{tags}<p>{told}</p><div>{pager}</div>"), query="Name 5 races.").text
    assert "In order, this page: 2022-09-01 to 2022-01-25" in shown.splitlines()


def test_links_of_the_parts_left_out_are_named_by_their_title_and_once() -> None:
    filler = "Nothing of note was written down, and the station was shut. " * 48
    posts = "".join(
        f"<h2><a href='/n/{n}.html'>Race of the harbour {n}</a></h2><p><a href='/n/{n}.html'>2024-05-{n}</a></p><p>{filler}</p>"
        for n in range(10, 25)
    )
    observation = seen(page("News", posts))
    dates_first = tuple(sorted(observation.links, key=lambda link: (not link.label[0].isdigit(), link.id)))
    shown = digest(observation, 2400, query="2024-05", promising=dates_first).text
    (line,) = [line for line in shown.splitlines() if line.startswith("Links of the parts left out")]
    assert "Race of the harbour" in line
    assert "2024-05" not in line
