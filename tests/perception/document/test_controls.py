"""What can be pressed or typed into."""

from __future__ import annotations

import pytest
from lxml import etree

from perception.document.controls.control_reading import CONTROLS_AT_MOST, selector_of
from perception.document.dom import parse_page
from tests.perception.pages import HERE, read


@pytest.mark.parametrize(
    ("markup", "kind"),
    [
        ("<input>", "text"),
        ("<input type='email'>", "text"),
        ("<input type='search'>", "search"),
        ("<input placeholder='搜索'>", "search"),
        ("<form role='search'><input name='q'></form>", "search"),
        ("<input type='password'>", "password"),
        ("<input type='checkbox'>", "checkbox"),
        ("<input type='RADIO'>", "checkbox"),
        ("<input type='submit'>", "submit"),
        ("<input type='button'>", "button"),
        ("<textarea></textarea>", "text"),
        ("<select><option>a</option></select>", "select"),
        ("<button>Go</button>", "button"),
        ("<form><button>Go</button></form>", "submit"),
        ("<form><button type='button'>Go</button></form>", "button"),
        ("<div role='button'>Open</div>", "button"),
        ("<a onclick='go()'>More</a>", "link"),
    ],
)
def test_kinds(markup: str, kind: str) -> None:
    assert [control.kind for control in read(markup).controls] == [kind]


@pytest.mark.parametrize("kind", ["hidden", "image", "file", "range", "color"])
def test_what_cannot_be_read_is_left_out(kind: str) -> None:
    assert read(f"<input type='{kind}'>").controls == ()


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ("<button>加载 <b>更多</b></button>", "加载 更多"),
        ("<button aria-label='Close'><svg></svg></button>", "Close"),
        ("<input aria-label='Year' name='y'>", "Year"),
        ("<input placeholder='Your name' name='n'>", "Your name"),
        ("<input type='submit' value='Send'>", "Send"),
        ("<input name='q'>", "q"),
        ("<label>City <input></label>", "City"),
        ("<button></button>", ""),
    ],
)
def test_names(markup: str, name: str) -> None:
    assert [control.name for control in read(markup).controls] == [name]


def test_a_control_knows_its_form() -> None:
    page = read("<form method='POST' action='/send'><input></form><form><input></form><input>")
    assert [(control.form_method, control.form_action) for control in page.controls] == [
        ("post", "https://example.org/send"),
        ("get", HERE),
        ("", ""),
    ]


def test_what_is_not_rendered_is_hidden() -> None:
    page = read("<div data-walker-hidden=''><button>a</button></div><button>b</button>")
    assert [control.hidden for control in page.controls] == [True, False]


def test_controls_are_numbered_and_limited() -> None:
    page = read("<input type='hidden'><button>x</button>" * (CONTROLS_AT_MOST + 5))
    assert [control.id for control in page.controls] == list(range(1, CONTROLS_AT_MOST + 1))


def test_a_selector_starts_at_the_nearest_plain_id() -> None:
    page = read("<div id='box'><p></p><p><button>a</button><button>b</button></p></div><button id='c'>c</button>")
    assert [control.selector for control in page.controls] == [
        "#box > p:nth-of-type(2) > button:nth-of-type(1)",
        "#box > p:nth-of-type(2) > button:nth-of-type(2)",
        "#c",
    ]


def test_a_selector_without_ids_finds_its_element_again() -> None:
    root = parse_page("<div></div><div id='1 odd'><span></span><form><button>a</button><button>b</button></form></div>")
    for button in root.iter("button"):
        selector = selector_of(button)
        path = "/" + "/".join(step.replace(":nth-of-type(", "[").replace(")", "]") for step in selector.split(" > "))
        assert etree.ElementTree(root).xpath(path) == [button]


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ("<label for=c>Colour</label><select id=c><option>red</select>", "Colour"),
        ("<label>Size <select><option>s</select></label>", "Size"),
        ("<p>Name: <input name=nm></p>", "Name:"),
        ("<button aria-labelledby=h></button><h2 id=h>Pumps</h2>", "Pumps"),
        ("<button><img alt='Search'></button>", "Search"),
        ("<button><i class='fa fa-bars'></i></button>", "bars"),
        ("<button><svg><use href='#icon-arrow-down'/></svg></button>", "arrow down"),
        ("<button><svg><title>Close</title></svg></button>", "Close"),
        ("<ul><li><a href='/h'>Halls</a><button></button></li></ul>", "Halls"),
        ("<button aria-controls=p></button><div id=p aria-label='Opening hours'></div>", "Opening hours"),
    ],
)
def test_a_control_without_words_is_called_by_what_is_around_it(markup: str, name: str) -> None:
    assert read(markup).controls[0].name == name


def test_five_buttons_of_one_name_get_five() -> None:
    rows = "".join(
        f"<li><a href='/{name}'>{name}</a><button>collapse</button><ul data-walker-hidden=''><li>secret</li></ul></li>"
        for name in ("Halls", "Pumps", "Tides", "Staff", "News")
    )
    names = [control.name for control in read(f"<nav><ul>{rows}</ul></nav>").controls]
    assert names == ["collapse: Halls", "collapse: Pumps", "collapse: Tides", "collapse: Staff", "collapse: News"]


def test_equal_buttons_with_nothing_around_them_are_numbered() -> None:
    assert [control.name for control in read("<div><button>x</button></div>" * 3).controls] == [
        "x (1)",
        "x (2)",
        "x (3)",
    ]


@pytest.mark.parametrize(
    ("markup", "state"),
    [
        ("<button aria-expanded=true>a</button>", ("expanded",)),
        ("<button aria-expanded=false>a</button>", ("collapsed",)),
        ("<details><summary>a</summary></details>", ("collapsed",)),
        ("<details open><summary>a</summary></details>", ("expanded",)),
        ("<input type=checkbox checked>", ("checked",)),
        ("<div role=switch aria-checked=true>a</div>", ("checked",)),
        ("<button role=tab aria-selected=true>a</button>", ("selected",)),
        ("<button aria-pressed=true disabled>a</button>", ("pressed", "disabled")),
        (
            "<button data-bs-toggle=collapse data-bs-target='#c'>a</button><p id=c data-walker-hidden=''>x</p>",
            ("collapsed",),
        ),
        ("<button>a</button>", ()),
    ],
)
def test_states(markup: str, state: tuple[str, ...]) -> None:
    assert read(markup).controls[0].state == state


@pytest.mark.parametrize(
    ("markup", "group"),
    [
        ("<fieldset><legend>Size</legend><label><input type=radio>Small</label></fieldset>", "Size"),
        ("<div role=group aria-label='Zoom'><button>in</button></div>", "Zoom"),
        ("<h2>Pumps</h2><button>more</button>", "Pumps"),
        ("<button>more</button>", ""),
    ],
)
def test_groups(markup: str, group: str) -> None:
    assert read(markup).controls[0].group == group


def test_a_control_in_a_closed_part_says_what_opens_it() -> None:
    page = read("<button aria-controls=d>Menu</button><div id=d data-walker-hidden=''><button>Sign out</button></div>")
    assert [(control.name, control.hidden, control.opener) for control in page.controls] == [
        ("Menu", False, ""),
        ("Sign out", True, "Menu"),
    ]
