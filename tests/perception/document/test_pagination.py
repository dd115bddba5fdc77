"""A page's place in a run of pages, from relations, labels, numbers and sentences."""

from __future__ import annotations

import pytest

from perception.observation import Pagination
from tests.perception.pages import read

LIST = "https://example.org/list?page=2"


def place(body: str, url: str = LIST, head: str = "") -> Pagination:
    return read(body, url, head=head).pagination


def test_a_link_that_says_next() -> None:
    assert place("<a rel='next' href='?page=3'>weiter geht es</a>").next_url == "https://example.org/list?page=3"


def test_a_head_that_says_next() -> None:
    assert place("", head="<link rel='next' href='?page=3'>").next_url == "https://example.org/list?page=3"


@pytest.mark.parametrize(
    "label",
    [
        "Next", "next page", "Next »", "Older posts", "下一页", "下一頁", "下页", "后一页", "次へ", "次のページ", "다음",
        "Suivant", "Page suivante", "Weiter", "Nächste Seite", "Siguiente", "Próxima", "Volgende", "Nästa", "Следующая",
        "التالي", "›", "»", "→", ">",
    ],
)  # fmt: skip
def test_labels_that_lead_on(label: str) -> None:
    assert place(f"<a href='?page=3'>{label}</a>").next_url == "https://example.org/list?page=3"


@pytest.mark.parametrize(
    "label",
    ["Previous", "prev", "« Previous page", "Newer posts", "上一页", "前へ", "이전", "Précédent", "Zurück", "Anterior"],
)
def test_labels_that_lead_back(label: str) -> None:
    made = place(f"<a href='?page=1'>{label}</a>")
    assert (made.previous_url, made.next_url) == ("https://example.org/list?page=1", "")


@pytest.mark.parametrize(
    ("back", "on"),
    [
        ("«", "»"), ("‹", "›"), ("<", ">"), ("←", "→"), ("❮", "❯"), ("◀", "▶"), ("&lt;&lt;", "&gt;&gt;"), ("", ""),
        ("<i class='fa-chevron-left'></i>", "<i class='fa-chevron-right'></i>"),
        ("<i class='material-icons'>navigate_before</i>", "<i class='material-icons'>navigate_next</i>"),
        ("<i class='material-icons'>arrow_back_ios</i>", "<i class='material-icons'>arrow_forward_ios</i>"),
        ("<svg><use href='#arrow-left'/></svg>", "<svg><use href='#arrow-right'/></svg>"),
        ("<img src='/i/prev.png'>", "<img src='/i/next.png'>"), ("<svg><path/></svg>", "<svg><path/></svg>"),
    ],
)  # fmt: skip
def test_a_pager_of_arrows_alone(back: str, on: str) -> None:
    made = place(f"<p>Boats.</p><a href='?page=1'>{back}</a> <a href='?page=3'>{on}</a>")
    assert (made.previous_url, made.next_url) == ("https://example.org/list?page=1", "https://example.org/list?page=3")


def test_of_several_arrows_those_beside_this_page_lead_to_its_neighbours() -> None:
    arrows = (("«", 1), ("‹", 4), ("›", 6), ("»", 9))
    made = place("".join(f"<a href='?page={n}'>{sign}</a> " for sign, n in arrows), "https://example.org/list?page=5")
    assert (made.previous_url, made.next_url) == ("https://example.org/list?page=4", "https://example.org/list?page=6")


def test_pictures_of_a_gallery_without_a_name_are_no_pager() -> None:
    pictures = "".join(f"<a href='/photo/{n}'><img src='/{n}.jpg' alt=''></a>" for n in (1, 3, 4, 5))
    assert place(pictures, "https://example.org/photo/2") == Pagination()


@pytest.mark.parametrize("label", ["Next steps for readers", "What comes next", "下一页的内容说明", "Nextcloud"])
def test_words_that_only_hold_such_a_label(label: str) -> None:
    assert place(f"<a href='?page=3'>{label}</a>").next_url == ""


def test_numbers_in_a_row_are_a_run() -> None:
    made = place("<b>1</b> <a href='?page=2'>2</a> <a href='?page=3'>3</a>", "https://example.org/list")
    assert made.page_urls == ("https://example.org/list?page=2", "https://example.org/list?page=3")
    assert (made.current, made.last) == (1, 3)
    assert made.next_url == "https://example.org/list?page=2"


def test_the_gap_in_a_run_is_this_page() -> None:
    made = place("<a href='?page=1'>1</a> <span>2</span> <a href='?page=3'>3</a> <a href='?page=9'>9</a>")
    assert (made.current, made.last) == (2, 9)
    assert made.next_url == "https://example.org/list?page=3"


def test_the_place_is_known_beside_a_link_that_says_next() -> None:
    far = "<a href='?page=1'>1</a> … <a href='?page=11'>11</a> <b>12</b> <a href='?page=13'>13</a> … <a href='?page=24'>24</a>"
    made = place(f"{far} <a href='?page=13'>Next</a>", "https://example.org/list?page=12")
    assert (made.current, made.last) == (12, 24)
    first = "<b>1</b> <a href='/news/2/'>2</a> <a href='/news/3/'>3</a> <a href='/news/9/'>9</a> <a href='/news/2/'>Next</a>"
    made = place(first, "https://example.org/news/")
    assert (made.current, made.last) == (1, 9)


def test_pages_may_be_called_by_a_word_and_a_number() -> None:
    made = place("<a href='?page=1'>Page 1</a> <a href='?page=3'>第 3 页</a> <a href='?page=4'>Go to page 4</a>")
    assert (made.current, made.last, len(made.page_urls)) == (2, 4, 3)


def test_the_last_page_leads_nowhere() -> None:
    made = place("<a href='?page=1'>1</a> <a href='?page=2'>2</a> <b>3</b>", "https://example.org/list?page=3")
    assert made.next_url == ""


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("1-20 of 57", (1, 20, 57)),
        ("Showing 21 to 40 of 1,057 entries", (21, 40, 1057)),
        ("21–40 / 57", (21, 40, 57)),
        ("Ergebnisse 1 bis 20 von 57", (1, 20, 57)),
        ("Résultats 1 à 20 sur 57", (1, 20, 57)),
        ("显示 1 至 20，共 57 条", (1, 20, 57)),
        ("30-20 of 57", (0, 0, 0)),
        ("1-80 of 57", (0, 0, 0)),
    ],
)
def test_what_is_shown_of_how_many(words: str, shown: tuple[int, int, int]) -> None:
    made = place(f"<p>{words}</p>")
    assert (made.shown_from, made.shown_to, made.total) == shown


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("Page 2 of 3", (2, 3)),
        ("第 2 页 / 共 3 页", (2, 3)),
        ("第2页，共3页", (2, 3)),
        ("Seite 2 von 3", (2, 3)),
        ("Página 2 de 3", (2, 3)),
        ("Page 4 of 3", (0, 0)),
    ],
)
def test_page_of_pages(words: str, expected: tuple[int, int]) -> None:
    made = place(f"<p>{words}</p>")
    assert (made.current, made.last) == expected


@pytest.mark.parametrize(("words", "total"), [("共 57 条", 57), ("57 results found", 57), ("共有1,200人", 1200)])
def test_totals(words: str, total: int) -> None:
    assert place(f"<p>{words}</p>").total == total


def test_a_long_paragraph_states_no_place() -> None:
    assert place(f"<p>{'Of the years we speak. ' * 10} 1-20 of 57</p>") == Pagination()


def test_chapter_navigation_is_no_pagination() -> None:
    made = place(
        "<h1>Tutorial</h1><p>Words.</p><a rel='next' href='install.html'>next</a> <a rel='prev' href='intro.html'>previous</a>",
        "https://docs.example.org/tutorial.html",
        "<link rel='next' title='Installation' href='install.html'>",
    )
    assert made == Pagination()


@pytest.mark.parametrize(
    "label", ["Load more", "Show more results", "加载更多", "查看更多", "Mehr laden", "Voir plus", "もっと見る"]
)
def test_a_control_that_leads_on(label: str) -> None:
    assert place(f"<button>Menu</button><button>{label}</button>").next_control == 2


def test_a_hidden_control_leads_nowhere() -> None:
    assert place("<div data-walker-hidden=''><button>Load more</button></div>").next_control == 0


def test_years_in_a_row_are_no_run_of_pages() -> None:
    made = place("<a href='/1999/'>1999</a> <a href='/2001/'>2001</a>", "https://example.org/archive.html")
    assert made.page_urls == ()
