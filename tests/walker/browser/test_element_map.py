"""Which elements are in the map of a window, by what path they are found again, and what a hostile page can do to it."""

# ruff: noqa: E501 (a page stands on one line)
from __future__ import annotations

from collections.abc import Iterator

import msgspec
import pytest

from perception.element_map import ElementMap, PageElement
from tests.sites.pages_on_loopback import serve
from tests.walker.browser.opening import view_of
from walker.browser.page.measured_elements import read_map
from walker.browser.playwright.playwright_browser import PlaywrightBrowser

pytestmark = pytest.mark.asyncio(loop_scope="module")

FRAMED = "<p>Words of the other site</p><button>Other button</button>"
PAGES = {
    "/hanging": (
        "<p>Here</p><div style='height:2000px;padding-top:2000px'>Words at the end of a tall box</div><div style='margin-top:900px'>"
        "<section><p>Just words</p><div><a href=/x>Far link</a></div></section>"
        "<section><div><p>Far below</p><p><span style='position:absolute;top:200px'>Hangs up</span></p></div></section>"
        "<section><p>Far</p><div><i style='position:fixed;top:300px;left:9px;width:40px;height:40px;background:url(/d.svg)'></i></div></section>"
        "<section><p>Far</p><div><input style='position:fixed;top:350px' placeholder='Ask here'></div></section>"
        "<section><p>Far</p><div id=host></div></section></div>"
        "<script>host.attachShadow({mode: 'open'}).innerHTML = '<p style=\"position:fixed;top:400px\">In the shadow</p><section><p>Far</p><div><span>Far</span></div></section>';"
        "host.shadowRoot.querySelector('span').attachShadow({mode: 'open'}).innerHTML = '<b style=\"position:fixed;top:450px\">In its shadow</b>'</script>"
    ),
    "/pushed": "<div style='margin-left:-5000px'>Pushed words</div><p style='text-indent:-9999px;overflow:hidden'>Moved words</p><p style='text-indent:2em'>Set in</p>"
    "<p style='color:#fff;-webkit-text-fill-color:#111'>Filled words</p>",
    "/paths": (
        "<ul id=list><li><a href=/1>One</a></li><li><a href=/2>Two</a><a href=/3>Three</a></li></ul><div id='9 odd'><button>Press</button></div>"
        "<p id=twice></p><p id=twice><button>Again</button></p><x-y.z><button>In an odd tag</button></x-y.z><input name=q>"
    ),
}


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serve(PAGES) as base:
        yield base


async def map_of(browser: PlaywrightBrowser, address: str, *, whole: bool = False) -> ElementMap:
    return (await view_of(browser, address, whole=whole)).map


def labels(found: ElementMap) -> list[str]:
    return [element.label or element.figure for element in found.elements]


async def test_a_windows_map_has_what_hangs_into_it_and_no_words_that_stand_elsewhere(
    browser: PlaywrightBrowser, home: str
) -> None:
    window = await map_of(browser, home + "/hanging")
    assert labels(window) == ["Here", "Hangs up", "background", "Ask here", "In the shadow", "In its shadow"]
    whole = await map_of(browser, home + "/hanging", whole=True)
    beyond = {"Words at the end of a tall box", "Just words", "Far link", "Far below", "Far"}
    assert set(labels(whole)) == {*labels(window), *beyond}
    same = {element.label: element.box for element in whole.elements}
    assert all(element.box == same[element.label] for element in window.elements)


async def test_words_are_judged_by_where_their_letters_stand(browser: PlaywrightBrowser, home: str) -> None:
    found = await map_of(browser, home + "/pushed", whole=True)
    assert {element.text: element.unseen for element in found.elements} == {
        "Pushed words": "off-screen",
        "Moved words": "off-screen",
        "Set in": "",
        "Filled words": "",
    }
    assert next(element.contrast for element in found.elements if element.text == "Filled words") > 15


async def test_a_path_leads_to_its_element_and_to_no_other(browser: PlaywrightBrowser, home: str) -> None:
    found = await map_of(browser, home + "/paths", whole=True)
    pressed = [element for element in found.elements if element.is_interactive]
    assert [element.label for element in pressed] == ["One", "Two", "Three", "Press", "Again", "In an odd tag", ""]
    assert pressed[0].selector == "#list > li:nth-of-type(1) > a:nth-of-type(1)"
    assert browser._tab is not None
    page = browser._tab.page
    for element in pressed:
        places = page.locator(element.selector)
        assert await places.count() == 1, element.selector
        box = await places.bounding_box()
        assert box is not None
        assert (box["x"], box["y"]) == pytest.approx((element.x, element.y), abs=0.1)
    assert all(element.selector == "" for element in found.elements if not element.is_interactive)


async def test_an_element_named_like_a_property_of_every_object_is_no_figure_and_has_no_role(
    browser: PlaywrightBrowser,
) -> None:
    with serve({"/": "<constructor>Built</constructor><valueof>Worth</valueof><input type=constructor>"}) as base:
        found = await map_of(browser, base + "/")
    assert [(element.kind, element.role) for element in found.elements] == [
        ("text", "text"),
        ("text", "text"),
        ("control", "textbox"),
    ]


@pytest.mark.parametrize(
    ("meddling", "reads"),
    [
        ("", True),
        ("<script>JSON.stringify = () => 'no map'</script>", False),
        ("<script>JSON.stringify = () => '{\"paths\": [[7, 7]]}'</script>", False),
        ("<script>Array.prototype.push = () => { throw 1 }</script>", False),
    ],
)
async def test_a_frame_of_another_site_adds_what_it_shows_and_cannot_end_the_walk(
    browser: PlaywrightBrowser, meddling: str, reads: bool
) -> None:
    with serve({"/": meddling + FRAMED}) as other:
        page = f"<h1>Ours</h1><iframe src='{other}/' style='margin-left:60px' width=400 height=200></iframe>"
        with serve({"/": page}) as ours:
            found = await map_of(browser, ours + "/")
    inner = [element for element in found.elements if element.frame]
    assert "Ours" in labels(found)
    assert [element.label for element in inner] == (["Words of the other site", "Other button"] if reads else [])
    assert all(element.x > 60 for element in inner)


async def test_an_answer_that_was_meddled_with_is_refused() -> None:
    element = PageElement(id=1, kind="link", role="link", name="a", text="a", x=0, y=0, width=9, height=9)
    answer = {"elements": [element], "steps": [[-1, "top", 0], [0, "a", 3]], "paths": [[1, 1]]}
    assert read_map(msgspec.json.encode(answer).decode()).elements[0].selector == "#top > a:nth-of-type(3)"
    for paths in ([[0, 1]], [[2, 1]], [[1, 2]], [[1, -1]], [["x", 1]]):
        with pytest.raises(msgspec.ValidationError):
            read_map(msgspec.json.encode({**answer, "paths": paths}).decode())
