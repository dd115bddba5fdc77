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
