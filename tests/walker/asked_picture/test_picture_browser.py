"""The page of a question's picture is drawn from its bytes, and searches by picture are pages."""

from __future__ import annotations

import numpy as np
import pytest

from perception.document.reading import observe
from perception.element_map import View
from perception.geometry import Box
from perception.images.image import Picture, decode_picture, encode_picture
from perception.page_pictures import part_of
from perception.snapshot import Snapshot
from tests.contracts.plain_picture_search import PlainPictureSearch, Shown
from tests.sites.museum import pictures
from walker.asked_picture.drawn_picture import HEAD, MARGIN, DrawnPicture, evenness_of
from walker.asked_picture.picture_browser import Asked, PictureBrowser
from walker.asked_picture.picture_file import AskedPicture, read_picture
from walker.asked_picture.picture_hits import fuse
from walker.rules.question_picture.pictured_name import name_of_picture
from walker.rules.scope import WalkScope
from walker.seams.actions import Operate, Scroll
from walker.seams.picture_pages import GOOD_HITS, OTHER_HITS, ROOTS
from walker.seams.protocols import PageFailure
from walker.seams.search_protocols import PictureHit, SearchFailure
from walker.seams.searches import pictures_address, start_address
from walker.testing.fakes import Paper, PaperSite
from walker.testing.scripted_searches import ScriptedPictureSearch

HOME = "http://museum.example/"


def marked(width: int = 2400, height: int = 1200) -> Picture:
    """White with a black square of 200 pixels whose corner is at 1200, 600."""
    picture = np.full((height, width, 3), 255, np.uint8)
    picture[600:800, 1200:1400] = 0
    return picture


def asked(data: bytes, box: tuple[float, ...] | None = None, subject: str = "", question: str = "Who?") -> Asked:
    return Asked(question=question, subject=subject, picture=read_picture(data, box))


def searching() -> PlainPictureSearch:
    return PlainPictureSearch(
        {
            HOME + path[1:].replace("png", "html"): Shown(data=data, title=path[1:-4], words=f"the {path[1:-4]}")
            for path, data in pictures().items()
        }
    )


def browser_of(
    one: Asked, search: PlainPictureSearch | ScriptedPictureSearch | None = None, locate: object = None
) -> tuple[PictureBrowser, str]:
    picture = one.picture
    assert picture is not None
    address = start_address((HOME,), picture.about.digest)
    live = PaperSite({HOME: Paper(html="<h1>Home</h1>")})
    return PictureBrowser(live, one, WalkScope(root_url=address), search, locate), address  # type: ignore[arg-type]


async def shown(browser: PictureBrowser, url: str) -> Snapshot:
    opened = await browser.open(url)
    assert isinstance(opened, Snapshot), opened
    return opened


def test_a_part_is_drawn_from_the_original_at_any_scale() -> None:
    drawn = DrawnPicture(read_picture(encode_picture(marked())), "https://library.invalid/start?picture=a", "")
    natural = drawn.detail
    assert 1.9 < natural < 2.0
    square = drawn.place_of((0.5, 0.5, 0.5 + 200 / 2400, 0.5 + 200 / 1200))
    view = drawn.view(box=square, scale=natural)
    assert abs(view.width - 200) <= 2
    assert decode_picture(view.picture)[5:-5, 5:-5].max() < 30, "the square, and nothing else"
    assert view.shown == square
    around = drawn.view(box=square.grown(10), scale=1.0)
    assert decode_picture(around.picture)[0, 0].min() > 200
    cut = decode_picture(drawn.cut((0.5, 0.5, 0.5 + 200 / 2400, 0.5 + 200 / 1200)))
    assert cut.shape == (200, 200, 3)
    assert cut.max() == 0


def test_the_page_around_it_is_white_and_beyond_it_nothing_is_drawn() -> None:
    drawn = DrawnPicture(read_picture(encode_picture(marked(300, 1000) * 0)), "u", "")
    whole = decode_picture(drawn.view(whole=True).picture)
    assert whole[: int(HEAD) - 1].min() == 255
    assert whole[:, : int(MARGIN) - 1].min() == 255
    assert whole[int(HEAD) + 50, int(MARGIN) + 50].max() == 0
    assert drawn.view(box=Box(x=0, y=50_000, width=10, height=10)).picture == b""


def test_a_small_picture_is_shown_large_enough_to_be_looked_at() -> None:
    drawn = DrawnPicture(read_picture(encode_picture(marked(64, 64))), "u", "")
    assert drawn.box.area >= 39_000
    assert drawn.detail < 1
    assert all(region.detail == 0 for region in drawn.layout.blind)


def test_what_is_drawn_is_more_even_than_a_photograph() -> None:
    plain = np.full((300, 400, 3), 250, np.uint8)
    grain = np.random.default_rng(1).integers(0, 255, (300, 400, 3), dtype=np.uint8)
    assert evenness_of(plain) == 1.0
    assert evenness_of(grain) < 0.05
    assert evenness_of(plain[:20, :20]) == 0.0


async def test_the_page_shows_picture_and_roots_and_its_pictures_can_be_cropped() -> None:
    one = asked(pictures()["/mill.png"], (0.5, 0.0, 1.0, 0.5))
    browser, address = browser_of(one)
    observation = observe(await shown(browser, address))
    assert [block.text for block in observation.blocks if block.kind == "heading"] == ["Who?", ROOTS]
    assert [(link.url, link.heading) for link in observation.links] == [(HOME, ROOTS)]
    assert len(observation.pictures) == 3, "the page, the picture, and the part that is meant"
    assert [
        one.box.area > two.box.area for one, two in zip(observation.pictures, observation.pictures[1:], strict=False)
    ] == [True, True]
    view = await browser.see(box=part_of(observation.pictures, (0.5, 0.0, 1.0, 0.5), 1))
    assert isinstance(view, View)
    assert view.shown == observation.pictures[2].box
    assert isinstance(await browser.act(Operate(action=Scroll())), PageFailure)
    assert await shown(browser, address) == await shown(browser, address), "made once"


async def test_a_picture_that_is_not_at_hand_fails_and_other_pages_are_those_of_the_site() -> None:
    browser, _ = browser_of(asked(pictures()["/mill.png"]))
    assert isinstance(await browser.open(start_address((HOME,), "00" * 32)), PageFailure)
    assert (await shown(browser, HOME)).html == "<h1>Home</h1>"


async def test_pages_that_show_it_come_first_then_roots_then_the_others() -> None:
    browser, address = browser_of(asked(pictures()["/light.png"]), searching())
    observation = observe(await shown(browser, address))
    assert observation.links[0].url == HOME + "light.html"
    assert observation.links[0].heading == GOOD_HITS
    assert "the light" in observation.links[0].context
    headings = [link.heading for link in observation.links]
    assert headings == sorted(headings, key=[GOOD_HITS, ROOTS, OTHER_HITS].index)
    assert not any(HOME not in link.url for link in observation.links)


async def test_hits_that_the_walk_may_not_open_are_counted_and_no_links() -> None:
    one = asked(pictures()["/light.png"])
    assert one.picture is not None
    foreign = PictureHit(url="http://other.example/a", title="Elsewhere", score=0.99)
    hostile = PictureHit(url="javascript:alert(1)", title="Elsewhere", score=0.99)
    search = ScriptedPictureSearch({one.picture.about.digest: (foreign, hostile)})
    browser, address = browser_of(one, search)
    page = await shown(browser, address)
    assert [link.url for link in observe(page).links] == [HOME]
    assert "2 pages were found that this walk may not open" in page.html
    assert "javascript" not in page.html


async def test_a_search_that_fails_is_told_on_the_page() -> None:
    one = asked(pictures()["/light.png"])
    assert one.picture is not None
    failed = SearchFailure(kind="unreachable", message="nobody answers <there>")
    browser, address = browser_of(one, ScriptedPictureSearch({one.picture.about.digest: failed}))
    page = await shown(browser, address)
    assert "nobody answers &lt;there&gt;" in page.html
    assert [(notice.kind, "nobody answers <there>" in notice.text) for notice in page.notices] == [("search", True)]


async def test_the_part_that_shows_the_subject_is_searched_by_beside_the_whole() -> None:
    both = np.hstack([decode_picture(pictures()[path]) for path in ("/span.png", "/mill.png")])
    one = asked(encode_picture(np.ascontiguousarray(both)), subject="mill")
    seen: list[str] = []

    async def locate(phrase: str, view: View) -> Box | None:
        seen.append(phrase)
        middle = view.shown.width / 2
        return Box(x=middle, y=HEAD, width=middle - MARGIN, height=view.shown.height - HEAD - MARGIN)

    browser, address = browser_of(one, searching(), locate)
    page = await shown(browser, address)
    assert seen == ["mill"]
    assert "searched by its part “mill”" in page.html
    assert observe(page).links[0].url == HOME + "mill.html"


@pytest.mark.parametrize(
    ("subject", "told"),
    [("", "the question names no part of it"), ("mill", "nobody can tell where “mill” is in it")],
)
async def test_without_a_part_the_page_says_that_the_whole_was_searched_by_alone(subject: str, told: str) -> None:
    browser, address = browser_of(asked(pictures()["/mill.png"], subject=subject), searching())
    page = await shown(browser, address)
    assert told in page.html
    assert "searched by the whole picture alone" in page.html
    read = " ".join(block.text for block in observe(page).blocks)
    assert told not in read, "people are told, a model has no use for it"
    assert "searched by" not in read


async def test_long_words_of_a_page_leave_it_sure() -> None:
    one = asked(pictures()["/light.png"])
    assert one.picture is not None
    words = (
        "The light of the harbour in a summer of long evenings, as the keepers saw it from their boat - Norrey Light"
    )
    hit = PictureHit(url=HOME + "light.html", title="Norrey Light", words=words, score=0.97)
    browser, address = browser_of(one, ScriptedPictureSearch({one.picture.about.digest: (hit,)}))
    named = name_of_picture(observe(await shown(browser, address)), ())
    assert named is not None
    assert named.is_sure
    assert words.startswith(named.said)


async def test_pages_that_bear_nothing_are_left_out_and_one_page_is_one_hit() -> None:
    one = asked(pictures()["/light.png"])
    assert one.picture is not None
    hits = (
        *(PictureHit(url=f"{HOME}?{query}", title="Home", words="the light", score=0.97) for query in ("a=1", "b")),
        PictureHit(url=f"{HOME}index.html", title="Home", words="the light", score=0.97),
        PictureHit(url=HOME, title="Home", words="the light", score=0.97),
        PictureHit(url=f"{HOME}list?page=2", title="Lights, page 2", score=0.4),
        PictureHit(url=f"{HOME}list?page=3", title="Lights, page 3", score=0.3),
        *(PictureHit(url=f"{HOME}{number}", title="Other", score=0.05 / number) for number in (1, 2, 3)),
    )
    browser, address = browser_of(one, ScriptedPictureSearch({one.picture.about.digest: hits}))
    observation = observe(await shown(browser, address))
    links = [(link.url.removeprefix(HOME), link.heading) for link in observation.links]
    assert links == [("", GOOD_HITS), ("", ROOTS), ("list?page=2", OTHER_HITS), ("list?page=3", OTHER_HITS)]
    assert observation.blocks[-1].text == "3 more pages, whose pictures are hardly like it, are left out"


async def test_a_part_of_a_page_is_searched_by_on_a_page_of_hits() -> None:
    one = asked(pictures()["/mill.png"])
    search = searching()
    browser, address = browser_of(one, search)
    observation = observe(await shown(browser, address))
    part = part_of(observation.pictures, (0.15, 0.1, 0.85, 0.95), 1)
    await shown(browser, HOME)
    hits = observe(await shown(browser, pictures_address(address, part)))
    assert hits.links[0].url == HOME + "mill.html"
    assert hits.links[0].heading == GOOD_HITS
    assert isinstance(await browser.see(), PageFailure), "a page of hits is not drawn"
    assert isinstance(await browser.open("https://library.invalid/pictures?page=a&box=1,2"), PageFailure)
    without, there = browser_of(one)
    assert isinstance(await without.open(pictures_address(there, part)), PageFailure)


def test_lists_are_fused_by_rank_and_equal_ranks_by_score() -> None:
    def found(name: str, score: float) -> PictureHit:
        return PictureHit(url=HOME + name, title=name, score=score)

    coarse = (found("a", 0.6), found("b", 0.5), found("c", 0.2))
    fine = (found("b", 0.9), found("d", 0.4), found("b", 0.3))
    assert [(hit.title, hit.score) for hit in fuse((coarse, fine))] == [("b", 0.9), ("a", 0.6), ("d", 0.4), ("c", 0.2)]
    assert fuse(()) == ()


async def test_a_picture_whose_bytes_are_broken_fails_as_a_page() -> None:
    picture = read_picture(pictures()["/mill.png"])
    broken = AskedPicture(about=picture.about, data=picture.data[:200])
    browser, address = browser_of(Asked(question="Who?", picture=broken))
    opened = await browser.open(address)
    assert isinstance(opened, PageFailure)
    assert opened.kind == "unreadable"
