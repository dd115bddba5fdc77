"""What a prompt tells of pictures that nobody looked at, and of those in which text was read."""

from __future__ import annotations

import msgspec
import pytest

from perception.geometry import Box
from perception.observation import Block, Observation
from perception.page_pictures import PagePicture
from perception.snapshot import BlindRegion
from tests.fixtures.paper import page
from tests.walker.strategies.model.shown_page import QUERY, digest, seen
from walker.seams.protocols import Look, Seen
from walker.strategies.model.digest.page_parts import Looks
from walker.strategies.model.digest.picture_marks import picture_lines
from walker.strategies.model.digest.picture_texts import each_cell_once
from walker.strategies.model.quotes import PageText
from walker.vision.merge_look import with_look

BAY = page(
    "Boats",
    "<p>The boats lie here.</p><p><img src='/a/harbour-map.png'></p><p>Opened in 1997.</p>"
    "<figure><img src='/b/x.jpg' alt='The Mantis at sea'><figcaption>Our vessel</figcaption></figure>",
)


def lines(html: str) -> list[str]:
    return digest(html).text.splitlines()[3:]


def test_a_picture_is_told_where_it_stands_by_its_name() -> None:
    assert lines(BAY)[:6] == [
        "The boats lie here.",
        "[picture: harbour-map]",
        "Opened in 1997.",
        "[picture: The Mantis at sea]",
        "Our vessel",
        "(of [picture: ...] nothing is known but its name, and text that was read in it, if there is any)",
    ]
    assert "nothing is known" not in digest(BAY, may_look=True).text
    assert "[picture" not in digest(page("Boats", "<p>Two boats.</p>")).text


def test_what_is_no_picture_of_something_is_not_told() -> None:
    icons = "<p>Walks<img src='/icon.png'></p>" * 3
    linked = "<p><a href='/map.html'><img src='/m.png' alt='Map'></a></p>"
    hidden = "<p hidden><img src='/h.png' alt='Harbour'></p><p><img src='/d.gif' width=1 height=1></p>"
    assert not any("[picture" in line for line in lines(page("Boats", icons + linked + hidden)))


def test_a_row_of_pictures_is_one_line_and_those_of_entries_are_counted() -> None:
    row = "".join(f"<img src='/row/quay{n}.jpg' alt='Quay {n}'>" for n in range(1, 9))
    people = "".join(f"<li><img src='/p/{n}.jpg'> Crew member {n}</li>" for n in range(1, 5))
    shown = lines(page("Boats", f"{row}<p>So it looks.</p><ul>{people}</ul>"))
    assert shown[0] == "[8 pictures: Quay 1; Quay 2; Quay 3; Quay 4; Quay 5; Quay 6; …]"
    assert "- Crew member 4" in shown
    assert "[4 more pictures]" in shown


def test_a_quote_may_have_the_words_of_a_picture_or_leave_out_its_mark() -> None:
    said = PageText(seen(BAY))
    assert said.holds("The Mantis at sea")
    assert said.holds("The boats lie here. [picture: harbour-map] Opened in 1997.")


@pytest.mark.parametrize(
    ("texts", "kept"),
    [
        (["Day | Price", "Monday | 4 EUR", "Day: Monday", "Price: 4 EUR"], ["Day | Price", "Monday | 4 EUR"]),
        (["Adults | 12 EUR", "Adults: 12 EUR", "12 EUR"], ["Adults | 12 EUR"]),
        # Of a chart only the pairs tell which number belongs to which label.
        (["30", "12", "North | South", "North: 30", "South: 12"], ["North: 30", "South: 12"]),
        (
            ["Monday | Tuesday", "9:00 | Maths | 8:00 | Art", "Monday: 9:00 Maths", "Tuesday: 8:00 Art"],
            ["Monday: 9:00 Maths", "Tuesday: 8:00 Art"],
        ),
        (["Opening hours: 9 to 5", "Closed on Sunday"], ["Opening hours: 9 to 5", "Closed on Sunday"]),
    ],
)
def test_each_cell_that_was_read_is_given_once(texts: list[str], kept: list[str]) -> None:
    assert each_cell_once(texts) == kept


def test_a_table_in_a_picture_stands_in_the_prompt_once() -> None:
    def read(observation: Observation, *texts: str) -> Observation:
        blocks = tuple(Block(id=90 + n, kind="row", text=text, pictured=True) for n, text in enumerate(texts))
        return msgspec.structs.replace(observation, blocks=(*observation.blocks, *blocks), seen_text=texts)

    observation = read(seen(page("Boats", "<p>See the board.</p>")), "Adults | 12 EUR", "Adults: 12 EUR", "12 EUR")
    assert digest(observation).text.count("12 EUR") == 1


def read_in(html: str, **texts: tuple[str, ...]) -> Observation:
    """The page once these texts were read in its pictures, by the names of their files."""
    observation = seen(html)
    box = Box(x=0, y=0, width=300, height=200)
    blind = tuple(
        BlindRegion(kind="media", box=box, source=f"http://reef.example/{name}.png", heading="Boats") for name in texts
    )
    look = Look(
        seen=tuple(
            Seen(text=text, source="ocr", heading="Boats", picture=region.called)
            for region in blind
            for text in texts[region.called.removesuffix(".png")]
        )
    )
    return with_look(msgspec.structs.replace(observation, blind=blind), look)


def test_text_of_a_picture_stands_where_the_picture_stands() -> None:
    html = page(
        "Boats",
        "<p>The boats lie here.</p><p><img src='/map.png'></p><p>Opened in 1997.</p>"
        "<ul><li>Orca <img src='/orca.png'></li><li>Heron</li></ul><p>So much for boats.</p>",
    )
    shown = digest(read_in(html, orca=("Built in Kiel",), map=("North quay", "South quay"))).text.splitlines()[3:]
    assert shown[:9] == [
        "The boats lie here.",
        "[picture: map]",
        "[picture] North quay",
        "[picture] South quay",
        "Opened in 1997.",
        "- Orca",
        "[picture] Built in Kiel",
        "- Heron",
        "So much for boats.",
    ]


HARBOUR = page(
    "Boats",
    "<p>The boats lie here.</p><p><img src='/map.png'></p><p>Opened in 1997.</p>"
    "<ul><li>Orca <img src='/orca.png'></li><li>Heron</li></ul><p><img src='/b/9.jpg' alt='The Mantis at sea'></p>",
)


def test_a_picture_that_can_be_looked_at_has_its_number_where_it_stands() -> None:
    observation = seen(HARBOUR)
    box = Box(x=0, y=0, width=300, height=200)
    pictures = (
        PagePicture(box=box),
        PagePicture(box=box, words="Boats", source="http://reef.example/orca.png"),
        PagePicture(box=box, words="The Mantis at sea"),
        PagePicture(box=box, words="Boats", source="http://reef.example/map.png"),
        PagePicture(box=box, of=3, words="Boats"),
    )
    shown = digest(observation, looks=Looks(pictures=pictures), may_look=True).text.splitlines()[3:]
    assert shown[:6] == [
        "The boats lie here.",
        "[picture 3: map]",
        "Opened in 1997.",
        "- Orca [picture 1]",
        "- Heron",
        "[picture 2: The Mantis at sea]",
    ]


def test_a_number_that_may_be_of_another_picture_is_not_told() -> None:
    box = Box(x=0, y=0, width=300, height=200)
    twice = (PagePicture(box=box), *(PagePicture(box=box, words="The Mantis at sea") for _ in range(2)))
    shown = digest(seen(HARBOUR), looks=Looks(pictures=twice), may_look=True).text
    assert "[picture: The Mantis at sea]" in shown
    assert "[picture: map]" in shown


def test_a_description_of_signs_alone_is_none() -> None:
    assert "[picture: jetty]" in digest(page("Boats", "<p>Here.</p><p><img src='/jetty.png' alt='...'></p>")).text


def test_what_a_model_saw_stands_at_its_picture_not_under_the_question() -> None:
    observation = seen(HARBOUR)
    box = Box(x=0, y=0, width=300, height=200)
    source = "http://reef.example/map.png"
    observation = msgspec.structs.replace(observation, blind=(BlindRegion(kind="media", box=box, source=source),))
    saw = Seen(text="North quay", source="model", box=box, near=QUERY)
    told = with_look(observation, Look(seen=(saw,), answer="North quay"))
    shown = digest(told, looks=Looks(question=QUERY)).text
    assert shown.splitlines()[3:7] == [
        "The boats lie here.",
        "[picture: map]",
        "[picture] North quay",
        "Opened in 1997.",
    ]
    assert QUERY not in shown


def test_text_of_a_picture_that_nobody_can_place_stands_at_the_end() -> None:
    observation = seen(page("Boats", "<p>The boats lie here.</p><p>So much for boats.</p>"))
    look = Look(seen=(Seen(text="North quay", source="ocr", heading="Boats", picture="drawn"),))
    assert digest(with_look(observation, look)).text.splitlines()[-3:] == [
        "So much for boats.",
        "[picture: Boats > drawn]",
        "[picture] North quay",
    ]


def test_a_picture_without_a_name_parts_no_title_from_what_belongs_to_it() -> None:
    talk = "<h4>Future of sails</h4><p><img class=lazy></p><p>Ada Reef (Harbour office)</p>"
    assert lines(page("Talks", talk))[:2] == ["#### Future of sails", "Ada Reef (Harbour office) [picture]"]


def test_a_picture_whose_number_stands_in_the_text_is_not_listed_again() -> None:
    box = Box(x=0, y=0, width=300, height=200)
    crop = PagePicture(box=box, of=1, words="map", texts=("North quay",))
    pictures = (PagePicture(box=box), *(PagePicture(box=box, words=words) for words in ("map", "Logo")), crop)
    assert picture_lines(pictures, frozenset(), "en", "Here.\n[picture 1: map]\n[picture 3: no crop]").splitlines() == [
        "0 300x200 page",
        "2 300x200 Logo",
        "3 300x200 of 1 map: North quay",
    ]
    assert len(picture_lines(pictures, frozenset(), "en", "Here. [picture: map]").splitlines()) == 4
