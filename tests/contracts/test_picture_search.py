"""One body for every implementation of the PictureSearch seam."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import cv2
import numpy as np
import pytest

from memory.library.pictures import PagePicture
from memory.library.protocol import NewPage, PageLine
from tests.contracts.plain_picture_search import PlainPictureSearch, Shown
from tests.sites.picture_service import PictureSite
from tests.sites.serving import LoopbackSite, serving
from walker.library.library_file import LibraryFile
from walker.library.picture_search import LibraryPictureSearch
from walker.pictures.picture_marks import marks_of
from walker.pictures.picture_service import PictureServiceSearch
from walker.seams.search_protocols import PictureHit, PictureSearch, SearchFailure
from walker.settings import PictureService
from walker.testing.scripted_searches import ScriptedPictureSearch


def picture(seed: int) -> bytes:
    """A PNG of coarse noise, 240 x 180."""
    coarse = np.random.default_rng(seed).integers(0, 255, (18, 24, 3), dtype=np.uint8)
    done, data = cv2.imencode(".png", cv2.resize(coarse, (240, 180), interpolation=cv2.INTER_CUBIC))
    assert done
    return data.tobytes()


KEPT = {f"https://museum.example/{name}": picture(seed) for seed, name in enumerate(("vase", "mask", "coin"))}


def in_a_library(path: Path) -> PictureSearch:
    """The three pictures, each on a page of its own, in a file."""
    with closing(LibraryFile.write(path)) as library:
        for url, data in KEPT.items():
            shown = PagePicture(marks=marks_of(data), url=f"{url}.png", alt=url.rsplit("/", 1)[1])
            library.add(NewPage(url=url, title=url, lines=(PageLine(text=f"This is {url}"),), pictures=(shown,)))
    return LibraryPictureSearch.read(path)


@pytest.fixture(params=["scripted", "plain", "library", "service"])
def search(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[PictureSearch]:
    if request.param == "plain":
        yield PlainPictureSearch({url: Shown(data=data, title=url) for url, data in KEPT.items()})
        return
    if request.param == "library":
        yield in_a_library(tmp_path / "museum.library")
        return
    if request.param == "service":
        with serving(LoopbackSite(PictureSite(KEPT))) as site:
            yield PictureServiceSearch(PictureService(url=f"{site.home}find"))
        return
    hits = {
        hashlib.sha256(data).hexdigest(): (
            PictureHit(url=url, title=url.rsplit("/", 1)[1], score=0.99),
            *(PictureHit(url=other, title=other, score=0.1) for other in KEPT if other != url),
        )
        for url, data in KEPT.items()
    }
    yield ScriptedPictureSearch(hits)


async def test_the_page_of_the_same_picture_comes_first(search: PictureSearch) -> None:
    for url, data in KEPT.items():
        found = await search.find(data, "", 5)
        assert not isinstance(found, SearchFailure)
        assert found[0].url == url
        assert found[0].score >= 0.5
        assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    await search.close()


async def test_no_more_pictures_come_than_are_asked_for(search: PictureSearch) -> None:
    found = await search.find(next(iter(KEPT.values())), "", 1)
    assert not isinstance(found, SearchFailure)
    assert len(found) == 1
    await search.close()


async def test_a_picture_that_nobody_has_is_not_found(search: PictureSearch) -> None:
    found = await search.find(picture(99), "", 5)
    assert not isinstance(found, SearchFailure)
    assert [hit for hit in found if hit.score >= 0.5] == []
    await search.close()
