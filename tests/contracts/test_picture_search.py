"""One body for every implementation of the PictureSearch seam."""

from __future__ import annotations

import hashlib

import cv2
import numpy as np
import pytest

from tests.contracts.plain_picture_search import PlainPictureSearch, Shown
from walker.seams.search_protocols import PictureHit, PictureSearch, SearchFailure
from walker.testing.scripted_searches import ScriptedPictureSearch


def picture(seed: int) -> bytes:
    """A PNG of coarse noise, 240 x 180."""
    coarse = np.random.default_rng(seed).integers(0, 255, (18, 24, 3), dtype=np.uint8)
    done, data = cv2.imencode(".png", cv2.resize(coarse, (240, 180), interpolation=cv2.INTER_CUBIC))
    assert done
    return data.tobytes()


KEPT = {f"https://museum.example/{name}": picture(seed) for seed, name in enumerate(("vase", "mask", "coin"))}


@pytest.fixture(params=["scripted", "plain"])
def search(request: pytest.FixtureRequest) -> PictureSearch:
    if request.param == "plain":
        return PlainPictureSearch({url: Shown(data=data, title=url) for url, data in KEPT.items()})
    hits = {
        hashlib.sha256(data).hexdigest(): (
            PictureHit(url=url, title=url.rsplit("/", 1)[1], score=0.99),
            *(PictureHit(url=other, title=other, score=0.1) for other in KEPT if other != url),
        )
        for url, data in KEPT.items()
    }
    return ScriptedPictureSearch(hits)


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
