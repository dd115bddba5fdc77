"""The score adds up, keeps its bounds, and judges structure rather than words or scripts."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from perception.geometry import Box
from perception.observation import Figure, Observation, Signals
from perception.snapshot import Layout, Media
from perception.understanding import SPECIAL_POINTS, understand
from tests.perception.pages import read

COUNTS = st.integers(0, 200_000)
SHARES = st.floats(0, 1)
OBSERVATIONS = st.builds(
    lambda status, pictures, signals: Observation(
        url="https://example.org/",
        status=status,
        figures=tuple(Figure(id=number + 1, kind="img") for number in range(pictures)),
        signals=signals,
    ),
    st.integers(100, 599),
    st.integers(0, 20),
    st.tuples(COUNTS, SHARES).flatmap(
        lambda known: st.builds(
            Signals,
            text_chars=st.just(known[0]),
            content_chars=st.just(int(known[0] * known[1])),
            meaningful_share=SHARES,
            paragraphs=COUNTS,
            headings=COUNTS,
            list_items=COUNTS,
            tables=COUNTS,
            interactive=COUNTS,
            unnamed_media_area=SHARES,
            video=st.booleans(),
            challenge=st.booleans(),
            empty_shell=st.booleans(),
        )
    ),
)
ENGLISH = "<p>The library keeps maps, letters and journals from four centuries for every reader.</p>" * 5
CHINESE = "<p>图书馆收藏了四个世纪以来的地图、书信和期刊，向所有读者开放，读者可以在阅览室里免费查阅馆藏。</p>" * 5
CYRILLIC = "<p>Библиотека хранит карты, письма и журналы четырёх столетий для каждого читателя города.</p>" * 5
ARABIC = "<p>تحتفظ المكتبة بالخرائط والرسائل والمجلات من أربعة قرون لكل قارئ يزور المدينة القديمة.</p>" * 5
HINDI = "<p>पुस्तकालय चार शताब्दियों के नक्शे, पत्र और पत्रिकाएँ हर पाठक के लिए सुरक्षित रखता है।</p>" * 5


@settings(deadline=None)
@given(OBSERVATIONS, st.floats(-1, 2))
def test_terms_add_up_to_a_score_within_bounds(observation: Observation, relevance: float) -> None:
    made = understand(observation, relevance)
    assert made.score == pytest.approx(sum(made.terms.values()), abs=1e-6)
    assert made.score == pytest.approx(made.text_quality + made.relevance + made.clarity + made.special, abs=0.01)
    assert 0 <= made.score <= 100
    assert 0 <= made.text_quality <= 25
    assert 0 <= made.relevance <= 40
    assert 0 <= made.clarity <= 20
    assert 0 <= made.special <= SPECIAL_POINTS


def test_relevance_only_adds() -> None:
    page = read(ENGLISH)
    scores = [understand(page, share / 10).score for share in range(11)]
    assert scores == sorted(scores)
    assert scores[-1] - scores[0] == pytest.approx(40)


def test_a_perfect_page_has_all_points() -> None:
    links = "".join(f"<p>Read about it: <a href='/{number}'>part {number}</a></p>" for number in range(6))
    assert understand(read("<h1>Library</h1>" + ENGLISH + links), 1.0).score == 100


@pytest.mark.parametrize("body", [CHINESE, CYRILLIC, ARABIC, HINDI], ids=["zh", "ru", "ar", "hi"])
def test_letters_of_every_script_count(body: str) -> None:
    assert read(body).signals.meaningful_share == 1.0
    assert understand(read(body), 0.5).terms == understand(read(ENGLISH), 0.5).terms


def test_broken_characters_lower_the_score() -> None:
    broken = ENGLISH.replace("a", "\ufffd").replace("e", "\ue000")
    assert understand(read(broken), 0.5).terms["characters"] < understand(read(ENGLISH), 0.5).terms["characters"]


@pytest.mark.parametrize(
    "words",
    ["404 not found", "Please solve the CAPTCHA", "Watch the video", "Access denied", "页面不存在", "请输入验证码"],
)
def test_words_cost_nothing(words: str) -> None:
    assert understand(read(ENGLISH + f"<p>{words}</p>"), 0.5).special == SPECIAL_POINTS


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ("<div class='g-recaptcha'></div>", "challenge"),
        ("<iframe src='https://challenges.cloudflare.com/x'></iframe>", "challenge"),
        ("<video src='a.mp4'></video>", "video"),
    ],
)
def test_structure_costs(markup: str, name: str) -> None:
    made = understand(read(ENGLISH + markup), 0.5)
    assert [term for term in made.terms if term.startswith("-")] == [f"- {name}"]


def test_an_error_status_costs() -> None:
    assert "- error page" in understand(read(ENGLISH, status=404), 0.5).terms
    assert "- error page" not in understand(read(ENGLISH, status=204), 0.5).terms


def test_an_empty_shell_costs() -> None:
    assert "- empty shell" in understand(read("<div id='root'></div><script src='app.js'></script>"), 0.0).terms
    assert "- empty shell" not in understand(read(f"<div id='root'>{ENGLISH}</div><script></script>"), 0.0).terms


@pytest.mark.parametrize(("name", "penalised"), [("", True), ("Map of the city", False)])
def test_media_cost_where_nothing_names_them(name: str, penalised: bool) -> None:
    media = Media(kind="canvas", box=Box(x=0, y=0, width=1000, height=600), name=name)
    layout = Layout(viewport_width=1000, viewport_height=800, page_height=800, media=(media,))
    page = read(ENGLISH, layout=layout)
    assert page.signals.media_area == 0.75
    assert ("- unnamed media" in understand(page, 0.5).terms) == penalised


@pytest.mark.parametrize(("alt", "penalised"), [("", True), ("A red boat", False)])
def test_a_gallery_costs_where_nobody_describes_it(alt: str, penalised: bool) -> None:
    page = read("<p>Pictures</p>" + "".join(f"<img src='{number}.jpg' alt='{alt}'>" for number in range(12)))
    assert ("- image gallery" in understand(page, 0.5).terms) == penalised


def test_penalties_never_take_more_than_there_is() -> None:
    observation = Observation(
        url="https://example.org/",
        status=500,
        signals=Signals(unnamed_media_area=1.0, challenge=True, video=True, empty_shell=True),
    )
    assert understand(observation, 0.0).special == 0
