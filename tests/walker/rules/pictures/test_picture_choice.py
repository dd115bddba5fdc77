"""Which pictures of a page are looked at for a question, and how they are drawn."""

# ruff: noqa: E501 (a case stands on one line)
from __future__ import annotations

import msgspec
import pytest

from perception.geometry import Box
from perception.observation import Block, Observation
from perception.snapshot import BlindRegion
from walker.rules.gate import GateInputs, decide_glance
from walker.rules.pictures.blindness import find_blindness
from walker.rules.pictures.picture_fit import is_decoration, is_photograph
from walker.rules.pictures.picture_shots import chosen_regions, shots_of
from walker.settings import GLANCE_THRESHOLD, GateWeights

SITE = "http://a.example/"
ALLOCATION = BlindRegion(
    kind="media", box=Box(x=0, y=300, width=500, height=300), source=SITE + "allocation_pies.gif", heading="Shares"
)
CREW = BlindRegion(
    kind="media", box=Box(x=0, y=900, width=500, height=300), source=SITE + "crew.png", name="The crew at sea"
)
QUESTION = "In the diagram of the allocation, what share has account A2?"


def page(*blind: BlindRegion, described: tuple[BlindRegion, ...] = (), text: str = "All about shares.") -> Observation:
    block = Block(id=1, kind="paragraph", text=text, headings=("Shares",))
    return Observation(url=SITE, status=200, title="Shares", blind=blind, described=described, blocks=(block,))


def test_only_the_picture_that_the_question_means_is_looked_at() -> None:
    found = find_blindness(page(ALLOCATION, described=(CREW,)), QUESTION)
    assert found.pointed > 0.5
    assert chosen_regions(found) == (ALLOCATION,)


def test_of_a_page_full_of_drawings_that_nothing_points_to_three_are_looked_at() -> None:
    drawings = tuple(
        BlindRegion(
            kind="media", box=Box(x=0, y=400 * n, width=500, height=300), source=f"{SITE}{n}.gif", heading="Shares"
        )
        for n in range(6)
    )
    dot = BlindRegion(kind="colour", box=Box(x=0, y=0, width=9, height=9), heading="Shares")
    found = find_blindness(page(*drawings, dot), "How many shares has account A2?")
    assert found.pointed == 0
    assert set(chosen_regions(found)) == {dot, *drawings[:3]}


def test_a_picture_that_has_a_name_is_meant_as_well() -> None:
    found = find_blindness(page(ALLOCATION, described=(CREW,)), "What is the crew doing in the photo at sea?")
    assert chosen_regions(found)[0] == CREW


def test_a_passage_may_point_to_the_picture() -> None:
    text = "The share of each account is shown in the figure below."
    sent = find_blindness(page(ALLOCATION, text=text), "Which share has account A2?")
    assert (sent.pointed > 0, chosen_regions(sent)) == (True, (ALLOCATION,))
    assert find_blindness(page(ALLOCATION), "Which share has account A2?").pointed == 0


@pytest.mark.parametrize(
    "changed",
    [
        {"place": "footer"},
        {"place": "nav"},
        {"source": SITE + "img/site-logo.png"},
        {"marks": "team-portrait rounded"},
        {"box": Box(x=0, y=0, width=20, height=20)},
        {"box": Box(x=0, y=0, width=1200, height=120)},
    ],
)
def test_logos_portraits_icons_and_banners_are_decoration(changed: dict[str, object]) -> None:
    assert is_decoration(msgspec.structs.replace(ALLOCATION, **changed))
    decoration = page(msgspec.structs.replace(ALLOCATION, **changed))
    assert find_blindness(decoration, "Which share has account A2?").blind < 0.1


def test_a_logo_is_looked_at_where_it_is_asked_for() -> None:
    logo = msgspec.structs.replace(ALLOCATION, source=SITE + "img/shares-logo.png")
    assert find_blindness(page(logo), "What animal is on the logo of Shares?").pointed > 0


def test_pictures_that_stand_on_many_pages_are_left_out() -> None:
    assert find_blindness(page(ALLOCATION), QUESTION, frozenset((ALLOCATION.source,))).regions == ()


def test_a_picture_that_is_meant_is_drawn_by_itself_at_its_own_size() -> None:
    fine = msgspec.structs.replace(ALLOCATION, detail=3.0)
    beside = msgspec.structs.replace(fine, box=Box(x=510, y=300, width=500, height=300))
    first, second = shots_of((fine, beside), natural=True)
    assert (first.scale, first.regions, second.regions) == (3.0, (fine,), (beside,))
    (both,) = shots_of((fine, beside), natural=False)
    assert (both.scale, both.regions, both.box.width) == (1.0, (fine, beside), 1034)


def test_pictures_far_from_each_other_are_no_shot_of_the_whole_page() -> None:
    below = msgspec.structs.replace(ALLOCATION, box=Box(x=0, y=9000, width=500, height=300))
    shots = shots_of((ALLOCATION, below), natural=False)
    assert [shot.box.height for shot in shots] == [348, 348]


def test_a_picture_that_only_the_analysis_names_opens_the_gate_and_an_empty_one_closes_nothing() -> None:
    plain = "What share does account A2 have?"
    assert find_blindness(page(ALLOCATION), plain).pointed == 0
    meant = find_blindness(page(ALLOCATION), plain, meant="the screenshot of shares by account")
    assert chosen_regions(meant) == (ALLOCATION,)
    assert meant.pointed > 0
    assert find_blindness(page(ALLOCATION), QUESTION, meant="") == find_blindness(page(ALLOCATION), QUESTION)


def test_a_passage_is_about_the_question_with_the_words_of_its_picture() -> None:
    network = BlindRegion(kind="media", box=ALLOCATION.box, source=SITE + "network2015.png", heading="Shares")
    text = "Our network is diagrammed in the following graphic."
    found = find_blindness(page(network, text=text), "Which printer stood in the network in 2015?")
    assert (found.pointed > 0, chosen_regions(found)) == (True, (network,))


def test_the_name_of_its_file_says_what_a_picture_is_about() -> None:
    network = msgspec.structs.replace(ALLOCATION, source=SITE + "network2015.png", heading="")
    other = msgspec.structs.replace(network, source=SITE + "harbour.png")
    question = "Which printer stood in the network in 2015?"
    assert find_blindness(page(network), question).blind > find_blindness(page(other), question).blind


def test_where_a_question_points_to_a_picture_of_other_words_any_of_a_page_about_it_may_be_meant() -> None:
    crew = msgspec.structs.replace(CREW, heading="", source=SITE + "a.png")
    text = "The lighthouse keeper paints boats in spring. " + "Much else is said here of the town. " * 300
    long = msgspec.structs.replace(page(described=(crew,), text=text), title="", url=SITE)
    long = msgspec.structs.replace(long, signals=msgspec.structs.replace(long.signals, content_chars=len(text)))
    points = find_blindness(long, "In the drawing, which boats does the lighthouse keeper paint in spring?")
    other = find_blindness(long, "Which boats does the lighthouse keeper paint in spring?")
    assert points.blind > 0.5 > other.blind


def test_a_document_in_a_frame_is_no_picture() -> None:
    paper = msgspec.structs.replace(ALLOCATION, source=SITE + "allocation.pdf?download")
    assert is_decoration(paper)
    assert find_blindness(page(paper), "Which share has account A2?").blind < 0.1


def test_three_pictures_hold_an_answer_no_likelier_than_the_best_of_them() -> None:
    question = "Which share has account A2?"
    several = (
        ALLOCATION,
        *(msgspec.structs.replace(ALLOCATION, source=f"{SITE}{n}.png", heading="") for n in range(5)),
    )
    assert find_blindness(page(*several), question).blind == find_blindness(page(ALLOCATION), question).blind


def test_a_button_without_a_name_matters_where_one_is_asked_for() -> None:
    button = BlindRegion(kind="control", box=Box(x=0, y=0, width=50, height=42), near="account A2 has a share")
    assert find_blindness(page(button), "Which share has account A2?").blind < 0.1
    assert find_blindness(page(button), "What does the button for the share of account A2 show?").blind > 0.4
    sprite = msgspec.structs.replace(ALLOCATION, linked=True)
    shown = find_blindness(page(sprite), "What does the button of account A2 say?")
    assert shown.blind > 2 * find_blindness(page(sprite), "What does account A2 say?").blind
    small = msgspec.structs.replace(ALLOCATION, box=Box(x=0, y=300, width=110, height=60))
    shown = find_blindness(page(small), "What does the button of account A2 say?")
    assert shown.blind > 1.5 * find_blindness(page(small), "What does account A2 say?").blind


def test_a_picture_that_is_a_third_as_likely_as_the_best_is_left_out() -> None:
    logo = msgspec.structs.replace(ALLOCATION, source=SITE + "member.png", linked=True)
    found = find_blindness(page(ALLOCATION, logo), "How many shares has account A2?")
    assert {one for _, one in found.regions} == {ALLOCATION, logo}
    assert chosen_regions(found) == (ALLOCATION,)


def picture(file: str, width: int = 500, height: int = 350, **more: object) -> BlindRegion:
    made = BlindRegion(kind="media", box=Box(x=0, y=900, width=width, height=height), source=SITE + file)
    return msgspec.structs.replace(made, **more)


@pytest.mark.parametrize(
    ("question", "title", "text", "shown"),
    [
        ("Which bus stops at the stadium on the city map?", "How to get here", "To the stadium, the city is near.", picture("img/plan.png")),
        ("In the bar chart of visitors, how many came in 2012?", "Report", "Visitors came in great numbers.", picture("a1.svg", heading="Visitors")),
        ("What does the arrow from the broker to the client say in the architecture diagram?", "Architecture", "The broker and the client talk.", picture("o.png")),
        ("Which port is entered in the screenshot of the connection dialog?", "Setup", "Enter the port.", picture("9.png", name="Connection dialog")),
        ("Which animal is on the logo of the rowing club?", "Rowing club", "Founded by friends.", picture("logo-club.png", 160, 160, place="header")),
        ("What is written on the sign in the photo of the harbour entrance?", "Harbour", "The harbour entrance.", picture("DSC_0123.JPG", linked=True)),
        ("In the diagram of the family tree, who stands under Anna?", "The family", "Anna and her children.", picture("tree.gif", 900, 150)),
        ("What colour is the jersey in the team picture of 2014?", "Season 2014", "The team of 2014.", picture("img/hero-2014.jpg", 1100, 400)),
        ("What does the banner of the conference say?", "Conference", "Held every year.", picture("img/banner.jpg", 1200, 200, place="header")),
        ("Who is the author on the book cover on the publications page?", "Publications", "Our book covers.", picture("covers/b3.jpg", 180, 260, linked=True)),
        ("Welche Nummer steht auf dem Plakat zum Sommerfest?", "Sommerfest", "Im Hof.", picture("plakat_2018.jpg", 400, 566)),
        ("Quelle heure est indiquée sur l'affiche du concert ?", "Concert de Noël", "À l'église.", picture("a12.jpg", 400, 566, linked=True)),
        ("¿Qué hora marca el reloj en la foto de la estación?", "La estación", "El reloj es de hierro.", picture("12.jpg", 640, 427)),
        ("Que cidade aparece no mapa da região?", "A região", "Cidades e vales.", picture("m.png", 640, 427)),
        ("Quale numero si legge sulla locandina della mostra?", "Mostra", "Aperta in estate.", picture("loc.jpg", 400, 566)),
        ("架构图中客户端与服务器之间的协议是什么？", "系统架构", "客户端与服务器通过网关通信。", picture("1.png", 700, 400)),
        ("集合写真には何人写っていますか", "活動報告", "研究室の集合写真を撮影しました。", picture("a.jpg", 640, 480)),
    ],
)  # fmt: skip
def test_a_picture_of_any_kind_is_meant_where_a_question_plainly_points_to_it(
    question: str, title: str, text: str, shown: BlindRegion
) -> None:
    block = Block(id=1, kind="paragraph", text=text, headings=(title,))
    blind, described = ((), (shown,)) if shown.name else ((shown,), ())
    long = Observation(url=SITE + "a", status=200, title=title, blocks=(block,), blind=blind, described=described)
    long = msgspec.structs.replace(long, signals=msgspec.structs.replace(long.signals, content_chars=9000))
    found = find_blindness(long, question)
    assert chosen_regions(found) == (shown,)
    inputs = GateInputs(
        understanding=90, answered=0.9, blind=found.blind, gap=found.gap, pointed=found.pointed, has_pictures=True
    )
    assert decide_glance(inputs, GateWeights(), GLANCE_THRESHOLD, may_look=True).choice == "glance"


def test_words_that_mean_other_things_too_leave_it_to_the_text() -> None:
    text = "The connection dialog asks for the port and the host. " * 60
    block = Block(id=1, kind="paragraph", text=text, headings=("Setup",))
    shown = picture("connection.png")
    long = Observation(url=SITE + "a", status=200, title="Setup", blocks=(block,), blind=(shown,))
    long = msgspec.structs.replace(long, signals=msgspec.structs.replace(long.signals, content_chars=len(text)))

    def choice(question: str, answered: float) -> str:
        found = find_blindness(long, question)
        inputs = GateInputs(
            understanding=80,
            answered=answered,
            blind=found.blind,
            gap=found.gap,
            pointed=found.pointed,
            has_pictures=True,
        )
        return decide_glance(inputs, GateWeights(), GLANCE_THRESHOLD, may_look=True).choice

    assert [choice("Which port does the connection dialog ask for?", sure) for sure in (0.95, 0.0)] == [
        "read",
        "glance",
    ]
    assert choice("Which port does the screenshot of the connection dialog show?", 0.95) == "glance"


@pytest.mark.parametrize(("name", "choice"), [("Topology of the office network", "glance"), ("Our office", "read")])
def test_what_is_drawn_to_be_read_is_looked_at_where_the_text_has_no_answer(name: str, choice: str) -> None:
    text = "The printer of the office network is shared by all. " + "Much else is said here. " * 300
    block = Block(id=1, kind="paragraph", text=text, headings=("Network",))
    shown = msgspec.structs.replace(picture("a.jpg"), name=name, heading="Office network")
    long = Observation(url=SITE + "a", status=200, title="Network", blocks=(block,), described=(shown,))
    long = msgspec.structs.replace(long, signals=msgspec.structs.replace(long.signals, content_chars=len(text)))
    found = find_blindness(long, "Which model has the printer of the office network?")
    inputs = GateInputs(understanding=80, answered=0.1, blind=found.blind, gap=found.gap, has_pictures=True)
    assert decide_glance(inputs, GateWeights(), GLANCE_THRESHOLD, may_look=True).choice == choice


@pytest.mark.parametrize(
    ("text", "is_meant"),
    [
        ("二〇一九年开源社区 Mozilla 的活动在图书馆举行，欢迎大家参加。", True),
        ("图书馆每天开放，欢迎大家参观。", False),
        (
            "Mozilla is named here, and the rest of the long text is about something else, the weather and the sea.",
            False,
        ),
    ],
)
def test_a_question_in_another_language_than_the_page_shares_names_with_it_only(text: str, is_meant: bool) -> None:
    shown = picture("a1.png")
    block = Block(id=1, kind="paragraph", text=text, headings=("活动",))
    long = Observation(url=SITE + "a", status=200, title="活动", blocks=(block,), blind=(shown,))
    long = msgspec.structs.replace(long, signals=msgspec.structs.replace(long.signals, content_chars=9000))
    found = find_blindness(long, "According to the poster of the Mozilla meeting, at what time does the talk start?")
    assert (found.pointed > 0) == is_meant


@pytest.mark.parametrize(("name", "least"), [("installer", 0.5), ("step {} of the installer", 0.0)])
def test_a_name_that_many_pictures_bear_describes_none_of_them(name: str, least: float) -> None:
    pictures = tuple(
        msgspec.structs.replace(
            CREW,
            name=name.format(number),
            source=f"{SITE}{number}.png",
            heading="Wallet",
            near="The balance of the wallet",
        )
        for number in range(3)
    )
    blind = find_blindness(page(described=pictures), "What balance has the wallet?").blind
    assert blind > least if least else blind == 0


@pytest.mark.parametrize(
    ("file", "even", "is_photo"),
    [("a.jpg", 0.0, True), ("a.png", 0.0, False), ("a.jpg", 0.95, False), ("a.webp", 0.6, True)],
)
def test_pixels_tell_a_photograph_where_they_are_known_and_the_file_else(
    file: str, even: float, is_photo: bool
) -> None:
    assert is_photograph(BlindRegion(kind="media", box=CREW.box, source=SITE + file, even=even)) is is_photo
