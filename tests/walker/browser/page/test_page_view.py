"""What a look at a real page hands over: the picture, and every element in it."""

# ruff: noqa: E501 (a page stands on one line)
from __future__ import annotations

import time
from collections.abc import Iterator

import numpy as np
import pytest

from perception.element_map import PageElement, View
from perception.geometry import Box, Point
from perception.images.image import decode_picture, encode_picture, is_blank, size_of
from perception.images.marks import choose_marked
from perception.images.rendering import is_half_rendered
from perception.snapshot import BlindRegion, Snapshot
from tests.sites.pages_on_loopback import serve
from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from tests.walker.browser.opening import view_of
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.seams.protocols import PageFailure

pytestmark = pytest.mark.asyncio(loop_scope="session")

ICON = "<svg width=20 height=20><path d='M2 4h16M2 10h16M2 16h16' stroke=black stroke-width=2 /></svg>"
PAGES: dict[str, str | bytes] = {
    "/named": (
        f"<button aria-label='Menu'>{ICON}</button><button id=bare>{ICON}</button><a href=/x>A <b>bold</b> link</a>"
        "<span id=words style='display:none'>From elsewhere</span><button aria-labelledby=words><i></i></button>"
        "<label>Mail <input type=email></label><input placeholder='Search here'><input type=submit value=Go>"
        "<img src=/d.svg alt='A drawing' width=60 height=40><button><img src=/d.svg alt=Print width=20 height=20></button>"
        "<div onclick='1' style='width:90px'>Press me</div><div style='cursor:pointer;width:90px'>Point at me</div>"
        "<style>.home::before{content:'Home'}</style><a href=/h class=home></a><input type=password value=hunter2>"
    ),
    "/unseen": (
        "<p>Seen words</p><p style='color:#fff'>White on white</p><p style='opacity:0'>Transparent words</p><p style='position:absolute;left:-999px'>Off words</p>"
        "<p style='font-size:1px'>Tiny words</p><div style='position:absolute;left:300px;top:300px'>Covered words</div>"
        "<div style='position:absolute;left:280px;top:280px;width:300px;height:90px;background:#c33;z-index:3'></div>"
        "<div style='position:absolute;left:280px;top:1280px'>Covered below</div><div style='position:absolute;left:270px;top:1270px;width:300px;height:90px;background:#c33;z-index:3'></div>"
        "<div style='position:relative;height:60px'><img src=/d.svg width=300 height=60 style='position:absolute;left:0;top:0'><p style='position:absolute;color:#fff;left:9px'>White on a picture</p></div>"
        "<p style='clip:rect(0px, 0px, 0px, 0px);position:absolute'>Clipped words</p><a href=/s style='position:relative;display:block'>Card<i style='position:absolute;inset:0'></i></a>"
    ),
    "/parts": (
        "<div id=host></div><iframe srcdoc='<p>In the frame</p><button>Frame button</button>' width=300 height=100 style='margin-left:40px'></iframe>"
        "<canvas width=200 height=50></canvas><svg width=120 height=40><text x=5 y=20>Drawn words</text></svg>"
        "<div style='width:90px;height:50px;background:url(/d.svg)'></div><ul><li>One<ul><li>Inner</li></ul></li></ul>"
        "<script>host.attachShadow({mode: 'open'}).innerHTML = '<button>Shadow button</button>'</script>"
    ),
    "/tampered": "<h1>Honest heading</h1><script>JSON.stringify = () => '{}'; Array.prototype.push = () => 0; Map.prototype.get = () => 1</script>",
    "/tall": "<div style='position:fixed;top:0;left:0;right:0;height:30px;background:#f00'></div>"
    + "".join(
        f"<div style='height:1000px;background:rgb({10 * row},{255 - 10 * row},99)'>Row {row}</div>"
        for row in range(20)
    ),
    "/linked": (
        "<p>Words, then <a href=/a id=inline><img src=/d.svg width=300 height=200></a> and <a href=/b><img src=/d.svg width=240 height=180 style='float:right'></a></p>"
        "<a href=/c style='display:block;height:20px'><img src=/d.svg alt=Plan width=320 height=160></a><p style='margin-top:200px'><a href=/d>Words only</a></p>"
    ),
    "/lazy": "<div style='height:2500px'>far</div><img id=late loading=lazy src=/d.svg width=80 height=60>",
    "/observed": "<div style='height:2500px'>far</div><img id=late data-original=/d.svg width=80 height=60>"
    "<script>new IntersectionObserver(seen => seen.forEach(one => { if (one.isIntersecting) one.target.src = one.target.dataset.original; }))"
    ".observe(document.getElementById('late'));</script>",
    "/moving": "<style>@keyframes turn{to{margin-left:500px}}div{width:60px;height:60px;background:#00f;animation:turn 1s infinite}</style><div></div><p>Still words here</p><input autofocus>",
    "/d.svg": "<svg xmlns='http://www.w3.org/2000/svg' width='80' height='60'><rect width='80' height='60' fill='teal'/></svg>",
    "/figures": (
        "<main><p>Notes that begin far above the pictures, and that go on for longer than the words that are kept beside a picture: many of them, and more.</p>"
        "<p>The harbour is drawn here:</p><p><img src=/even.png width=300 height=200></p><p>Boats lie at the quay.</p><p>Words between the two.</p>"
        "<p><img src=/noise.png width=300 height=200></p><p>Seen from the tower.</p><p><img src=/even.png width=60 height=60></p></main>"
    ),
    "/people": "<style>li{float:left;width:240px;list-style:none}</style><h1>Who we are</h1><ul style='width:560px'>"
    + "".join(
        f"<li><a href=/{name}><img src=/even.png width=200 height=150></a><{tag}>{name}</{tag}><p>Works at the harbour since 1990.</p></li>"
        for name, tag in (("Ann", "h3"), ("Bo", "h3"), ("Cleo", "div"), ("Dan", "h3"))
    )
    + "</ul>",
    "/sliding": (
        "<style>main{margin-left:600px;transition:margin-left 9s}.ready main{margin-left:40px}</style>"
        "<main><p>The harbour</p><img src=/even.png width=300 height=200></main>"
        "<script>document.body.offsetWidth; document.body.className = 'ready'</script>"
    ),
    "/even.png": encode_picture(
        np.tile(np.repeat(np.array([[[0, 90, 200]], [[250, 250, 250]]], np.uint8), 100, 0), (1, 300, 1))
    ),
    "/noise.png": encode_picture(np.random.default_rng(1).integers(0, 255, (200, 300, 3), np.uint8)),
    "/pane": (
        "<style>html,body{height:100%;margin:0;overflow:hidden}main{position:absolute;inset:0 0 0 300px;overflow-y:auto}</style>"
        "<nav>Chapters</nav><main><h1>Boats</h1><div style='height:2000px'>far</div><p>The harbour:</p><img src=/d.svg width=400 height=900></main>"
    ),
    "/barred": (
        "<style>body{margin:0}header,aside{position:fixed;left:0;right:0;height:200px;background:#f00}header{top:0}aside{bottom:0}</style>"
        "<header>Menu</header><h1>Boats</h1><img src=/d.svg width=400 height=700><aside>We use cookies</aside>"
    ),
    "/broken": "<h1>Boats</h1><img src=/gone.png width=200 height=100><img src=/plain width=200 height=100>"
    "<img src=/sizeless.svg width=200 height=100>",
    "/sizeless.svg": "<svg xmlns='http://www.w3.org/2000/svg'><rect width='80' height='60' fill='teal'/></svg>",
    "/small": "<p style='font-size:8px'>Small print to be drawn larger</p>",
    "/blind": (
        "<h1>Prices</h1><p>Some ordinary text about prices that goes on for a while.</p><h2>Chart</h2><canvas width=400 height=200></canvas>"
        "<img src=/d.svg width=200 height=100><img src=/d.svg alt='' width=200 height=100><img src=/d.svg alt=named width=200 height=100>"
        f"<figure><img src=/d.svg width=200 height=100><figcaption>Told</figcaption></figure><button>{ICON}</button>"
        "<h2>Rating</h2><table><tr><td>Lamp</td><td><span style='display:inline-block;width:100px;height:20px;background:#ddd'><i style='display:block;height:20px;width:70%;background:gold'></i></span></td></tr></table>"
        "<ul><li>Mail <span class=dot style='background:green'></span></li><li>Web <span class=dot style='background:red'></span></li></ul>"
        "<style>.dot{display:inline-block;width:12px;height:12px}.d1::before{content:'4'}.note::before{content:'Note'}</style><p>Price: <b class=d1></b> euro</p>"
        + "<p class=note>well</p>" * 20
        + "<p class=sc><span style='position:relative;left:20px'>1</span><span style='position:relative;left:-10px'>9</span><span style='position:relative;left:-30px'>5</span></p><p>\ue001\ue002 euros</p>"
    ),
    "/plain": "<h1>Plain</h1><p>Nothing but words, <a href=/a>links</a> and <b>more</b> words.</p><table><tr style='background:#eee'><td>1</td></tr><tr><td>2</td></tr></table>"
    + "<p>1 2 3</p>" * 9,
    "/over": "<p>"
    + "Words under the notice. " * 30
    + "</p><div style='position:fixed;left:100px;top:60px'><img src=/d.svg width=1000 height=650></div>",
}


@pytest.fixture(scope="module")
def home() -> Iterator[str]:
    with serve(PAGES) as base:
        yield base


def named(view: View) -> dict[str, PageElement]:
    return {element.label: element for element in view.map.elements}


async def test_what_can_be_pressed_has_the_name_that_a_person_hears(browser: PlaywrightBrowser, home: str) -> None:
    view = await view_of(browser, home + "/named")
    pressed = [(element.role, element.name) for element in view.map.elements if element.is_interactive]
    assert pressed == [
        ("button", "Menu"),
        ("button", ""),
        ("link", "A bold link"),
        ("button", "From elsewhere"),
        ("textbox", "Mail"),
        ("textbox", "Search here"),
        ("button", "Go"),
        ("button", "Print"),
        ("button", "Press me"),
        ("button", "Point at me"),
        ("link", "Home"),
        ("textbox", ""),
    ]
    assert named(view)["A drawing"].figure == "img"
    assert named(view)["A drawing"].described
    assert "hunter2" not in str(view.map), "what is typed into a password field is nobody's business"
    bare = next(element for element in view.map.elements if element.is_interactive and not element.name)
    assert bare.selector == "#bare"


async def test_a_link_is_as_large_as_the_picture_in_it_and_gets_one_mark(browser: PlaywrightBrowser, home: str) -> None:
    view = await view_of(browser, home + "/linked")
    marked = choose_marked(view.map.elements, view.frame, 60)
    assert [element.kind for element in marked] == ["link"] * 4
    assert [(round(element.width), round(element.height)) for element in marked[1:3]] == [(240, 180), (1264, 160)]
    assert marked[0].width == 300
    assert 200 <= marked[0].height <= 208
    assert marked[3].height < 30


async def test_text_that_nobody_sees_is_known_with_its_reason(browser: PlaywrightBrowser, home: str) -> None:
    view = await view_of(browser, home + "/unseen", whole=True)
    reasons = {element.text: element.unseen for element in view.map.elements if element.text}
    assert reasons == {
        "Seen words": "",
        "White on white": "same colour",
        "Transparent words": "transparent",
        "Off words": "off-screen",
        "Tiny words": "tiny",
        "Covered words": "covered",
        "Covered below": "covered",
        "White on a picture": "",
        "Clipped words": "clipped",
        "Card": "",
    }
    covered = named(view)["Covered words"]
    assert covered.covered == 1


async def test_shadow_roots_frames_and_figures_are_in_the_map(browser: PlaywrightBrowser, home: str) -> None:
    view = await view_of(browser, home + "/parts")
    found = named(view)
    assert found["Shadow button"].role == "button"
    inner = found["Frame button"]
    assert inner.frame == "about:srcdoc"
    assert inner.x >= 40, "a frame's elements stand where the frame stands"
    assert view.map.hit(inner.box.center) == inner
    assert found["Drawn words"].kind == "text"
    assert found["One"].text == "One", "an inner list is no part of its item's text"
    figures = {element.figure: element for element in view.map.elements if element.kind == "figure"}
    assert set(figures) == {"canvas", "svg", "background"}
    assert not figures["canvas"].described


async def test_the_picture_and_the_boxes_agree(browser: PlaywrightBrowser, home: str) -> None:
    view = await view_of(browser, home + "/unseen")
    picture, frame = decode_picture(view.picture), view.frame
    assert (view.width, view.height) == size_of(picture) == (1280, 800)
    left, top, right, bottom = frame.to_pixels(named(view)["Seen words"].box)
    assert not is_blank(picture[top:bottom, left:right])
    red = picture[300:360, 300:560].reshape(-1, 3)
    assert (red == (0x33, 0x33, 0xCC)).all(), "the cover lies where its box says"
    assert not is_half_rendered(view)


async def test_a_page_that_changed_the_languages_own_objects_is_read_all_the_same(
    browser: PlaywrightBrowser, home: str
) -> None:
    opened = await browser.open(home + "/tampered")
    assert isinstance(opened, Snapshot)
    assert "Honest heading" in opened.html
    assert "Honest heading" in named(await view_of(browser, home + "/tampered"))


async def test_a_page_of_twenty_thousand_pixels_is_drawn_whole_its_fixed_head_once(
    browser: PlaywrightBrowser, home: str
) -> None:
    view = await view_of(browser, home + "/tall", whole=True)
    picture = decode_picture(view.picture)
    assert view.shown.height == view.height >= 20_000
    for row in range(20):
        blue, green, red = picture[1000 * row + 700, 640]
        assert (int(red), int(green), int(blue)) == (10 * row, 255 - 10 * row, 99), row
    heads = np.flatnonzero((picture[:, 640] == (0, 0, 255)).all(axis=1))
    assert 20 <= len(heads) <= 40
    assert heads[-1] < 60
    assert len(view.prints) == -(-view.height // 400)


@pytest.mark.parametrize("name", ["/lazy", "/observed"])
async def test_a_picture_that_loads_when_seen_is_there(browser: PlaywrightBrowser, home: str, name: str) -> None:
    view = await view_of(browser, home + name, whole=True)
    late = next(element for element in view.map.elements if element.kind == "figure")
    left, top, *_ = view.frame.to_pixels(late.box)
    assert decode_picture(view.picture)[top + 30, left + 30].tolist() == [128, 128, 0], "teal"
    assert late.source.endswith("/d.svg")


async def test_a_background_that_comes_late_is_in_the_picture(browser: PlaywrightBrowser) -> None:
    def answer(asked: Asked) -> Answer | str:
        if asked.path == "/late.svg":
            time.sleep(0.4)  # longer than it takes to read the page, which does not wait for pictures
            return Answer(PAGES["/d.svg"], kind="image/svg+xml")
        return "<p>Words</p><div style='width:80px;height:60px;background:url(/late.svg)'></div>"

    with serving(LoopbackSite(answer)) as site:
        view = await view_of(browser, site.home, whole=True)
    (box,) = [element.box for element in view.map.elements if element.box.width == 80]
    left, top, *_ = view.frame.to_pixels(box)
    assert decode_picture(view.picture)[top + 30, left + 30].tolist() == [128, 128, 0], "teal"


async def test_what_moves_stands_still_and_goes_on_after(browser: PlaywrightBrowser, home: str) -> None:
    one = await view_of(browser, home + "/moving")
    other = await browser.see()
    assert isinstance(other, View)
    assert one.picture == other.picture
    opened = await browser.open(home + "/moving")
    assert isinstance(opened, Snapshot)
    assert "caret-color" not in opened.html, "nothing of ours stays in the page"


async def test_a_box_is_drawn_anew_at_a_scale(browser: PlaywrightBrowser, home: str) -> None:
    await view_of(browser, home + "/small")
    view = await browser.see(box=Box(x=0, y=0, width=200, height=30), scale=3)
    assert isinstance(view, View)
    assert (view.width, view.height) == (600, 90)
    assert view.frame.to_page(300, 45) == Point(x=100, y=15)


@pytest.mark.parametrize("path", ["/pane", "/barred"])
async def test_a_picture_is_drawn_whole_wherever_it_stands(browser: PlaywrightBrowser, home: str, path: str) -> None:
    (region,) = [one for one in await blind_of(browser, home + path) if one.kind == "media"]
    view = await browser.see(box=region.box)
    assert isinstance(view, View)
    assert view.shown == region.box
    picture = decode_picture(view.picture)
    assert size_of(picture) == (region.box.width, region.box.height)
    inside = picture[100:-100, 100:-100].reshape(-1, 3)
    assert (inside == (0x80, 0x80, 0)).all(), "no pane cuts it off, and no bar lies over it"
    again = await browser.see()
    assert isinstance(again, View)
    around = decode_picture(again.picture)
    if path == "/barred":
        assert (around[20:180, 600] == (0, 0, 255)).all(), "the bar is there again"
    else:
        assert again.map.page_height == 800, "the pane cuts off what it cut off before"


async def test_what_stays_in_its_place_is_drawn_where_it_is_asked_for(browser: PlaywrightBrowser, home: str) -> None:
    await view_of(browser, home + "/barred")
    view = await browser.see(box=Box(x=0, y=0, width=1280, height=200))
    assert isinstance(view, View)
    assert (decode_picture(view.picture)[20:180, 600] == (0, 0, 255)).all()


async def test_without_a_page_there_is_nothing_to_see(chromium: Chromium) -> None:
    made = PlaywrightBrowser(chromium, ContextOptions())
    seen = await made.see()
    assert isinstance(seen, PageFailure)
    assert seen.kind == "gone"
    await made.close()


async def test_a_device_with_two_pixels_to_one_gives_the_same_boxes(chromium: Chromium, home: str) -> None:
    made = PlaywrightBrowser(chromium, ContextOptions(pixel_ratio=2))
    view = await view_of(made, home + "/unseen")
    assert (view.width, view.height) == (1280, 800), "pictures are in CSS pixels unless a scale is asked for"
    left, top, right, bottom = view.frame.to_pixels(named(view)["Seen words"].box)
    assert not is_blank(decode_picture(view.picture)[top:bottom, left:right])
    await made.close()


async def blind_of(browser: PlaywrightBrowser, address: str) -> tuple[BlindRegion, ...]:
    opened = await browser.open(address)
    assert isinstance(opened, Snapshot)
    return opened.layout.blind


async def test_a_picture_is_known_by_the_words_beside_it_and_by_how_even_it_is(
    browser: PlaywrightBrowser, home: str
) -> None:
    drawn, taken, small = await blind_of(browser, home + "/figures")
    assert drawn.near == "The harbour is drawn here: Boats lie at the quay."
    assert taken.near == "Words between the two. Seen from the tower."
    assert drawn.even > 0.95
    assert 0 < taken.even < 0.1
    assert small.even == 0, "too small to be measured"


async def test_the_photo_of_a_card_has_the_name_below_it_and_none_of_another_card(
    browser: PlaywrightBrowser, home: str
) -> None:
    photos = [region for region in await blind_of(browser, home + "/people") if region.kind == "media"]
    assert [photo.heading for photo in photos] == ["Ann", "Bo", "Cleo", "Dan"]


async def test_what_slides_to_its_place_is_read_there(browser: PlaywrightBrowser, home: str) -> None:
    (picture,) = await blind_of(browser, home + "/sliding")
    assert picture.box.x == 48, "the body's margin of 8 and its own of 40"


async def test_what_the_text_does_not_carry_is_found_by_its_kind(browser: PlaywrightBrowser, home: str) -> None:
    regions = await blind_of(browser, home + "/blind")
    kinds = [(region.kind, region.declared) for region in regions]
    assert kinds == [
        ("media", False),
        ("media", False),
        ("media", True),
        ("control", False),
        ("width", False),
        ("colour", False),
        ("colour", False),
        ("generated", False),
        ("scrambled", False),
        ("glyphs", False),
    ]
    (bar,) = [region for region in regions if region.kind == "width"]
    assert (bar.value, bar.near) == (0.7, "Lamp")
    assert bar.heading == "Rating"
    assert [region.near for region in regions if region.kind == "colour"] == ["Mail", "Web"]
    assert next(region for region in regions if region.kind == "generated").near == "Price: euro"


async def test_a_picture_that_did_not_come_is_nothing_to_look_at(browser: PlaywrightBrowser, home: str) -> None:
    (drawn,) = await blind_of(browser, home + "/broken")
    assert drawn.source == home + "/sizeless.svg"


async def test_a_page_of_words_has_no_blind_rectangle(browser: PlaywrightBrowser, home: str) -> None:
    assert await blind_of(browser, home + "/plain") == ()


async def test_a_picture_over_the_text_is_told(browser: PlaywrightBrowser, home: str) -> None:
    assert "overlay" in [region.kind for region in await blind_of(browser, home + "/over")]
