"""A service that finds pictures: what it is sent, what its answers may be, and that nothing is sent without it."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from tests.sites.picture_service import PictureSite
from tests.sites.serving import Answer, LoopbackSite, moved, serving
from tests.walker.cli.program import closed_address
from tests.walker.pictures.drawn import encoded, scene
from walker.errors import UsageError
from walker.pictures.picture_service import PictureServiceSearch
from walker.pictures.service_file import picture_service
from walker.seams.search_protocols import PictureHit, SearchFailure
from walker.settings import PictureService

PICTURE = encoded(scene(1))


async def asked(service: PictureService, words: str = "") -> tuple[PictureHit, ...] | SearchFailure:
    search = PictureServiceSearch(service, seconds=5)
    try:
        return await search.find(PICTURE, words, 5)
    finally:
        await search.close()


async def test_the_picture_and_the_words_are_sent_with_the_key_to_the_service_only() -> None:
    site = PictureSite({"https://museum.example/vase": PICTURE})
    with serving(LoopbackSite(site)) as served:
        service = PictureService(url=f"{served.home}find", header="Authorization: Bearer {key}", key="s3cret")
        found = await asked(service, "a vase")
    assert not isinstance(found, SearchFailure)
    assert [(hit.url, hit.score, hit.found_by) for hit in found] == [("https://museum.example/vase", 0.97, "service")]
    assert site.fields == {"picture": PICTURE, "words": b"a vase", "most": b"5"}
    assert ("Authorization", "Bearer s3cret") in [(name.title(), value) for name, value in site.headers]


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        (Answer(b"<html>", kind="text/html"), "unreadable", "not JSON"),
        (Answer(b'{"hits": []}', kind="application/json"), "unreadable", 'no list at "results"'),
        (Answer(b"", 429), "limited", "too many requests"),
        (Answer(b"", 403), "refused", "status 403"),
        (moved("http://127.0.0.1:9/elsewhere", 307), "refused", "status 307"),
        (Answer(b"[" * 200_000, kind="application/json"), "unreadable", "not JSON"),
    ],
)
async def test_an_answer_that_is_none_is_told_in_one_line(answer: Answer, kind: str, said: str) -> None:
    await is_told(answer, kind, said)


async def test_an_answer_without_end_is_told_in_one_line() -> None:
    await is_told(Answer(b" " * (5 << 20), kind="application/json"), "unreadable", "larger than")


async def is_told(answer: Answer, kind: str, said: str) -> None:
    with serving(LoopbackSite(lambda _: answer)) as served:
        found = await asked(PictureService(url=f"{served.home}find"))
    assert isinstance(found, SearchFailure)
    assert found.kind == kind
    assert said in found.message
    assert "\n" not in found.message


async def test_a_service_that_is_not_there_is_told() -> None:
    found = await asked(PictureService(url=closed_address()))
    assert isinstance(found, SearchFailure)
    assert found.kind == "unreachable"


async def test_hits_without_scores_are_never_sure_and_odd_addresses_are_left_out() -> None:
    rows = [
        {"page": {"at": "https://a.example/1"}, "name": "One"},
        {"page": {"at": "javascript:alert(1)"}},
        {"page": {"at": "file:///etc/passwd"}},
        {"page": {}},
        "odd",
        {"page": {"at": "https://a.example/2"}, "name": "Two\n\nlines", "sure": 7},
    ]
    body = msgspec.json.encode({"found": {"list": rows}})
    with serving(LoopbackSite(lambda _: Answer(body, kind="application/json"))) as served:
        service = PictureService(
            url=f"{served.home}find", results="found.list", link="page.at", title="name", score="sure"
        )
        found = await asked(service)
    assert not isinstance(found, SearchFailure)
    assert [(hit.url, hit.title) for hit in found] == [
        ("https://a.example/1", "One"),
        ("https://a.example/2", "Two lines"),
    ]
    assert all(hit.score < 0.5 for hit in found)


def test_a_file_describes_a_service(tmp_path: Path) -> None:
    path = tmp_path / "finder.toml"
    path.write_text('url = "https://find.example/v1"\nupload = "image"\nheader = "X-Key: {key}"\nkey = "FINDER_KEY"\n')
    service = picture_service(str(path), {"FINDER_KEY": "abc"}.get)  # type: ignore[arg-type]
    assert (service.url, service.upload, service.key) == ("https://find.example/v1", "image", "abc")
    assert picture_service("http://127.0.0.1:9/find", lambda _: "").upload == "picture"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('url = "ftp://find.example/"', "no http or https address"),
        ('url = "https://me:secret@find.example/"', "without a user"),
        ('url = "https://find.example/"\nkey = "A"', "belong together"),
        ('url = "https://find.example/"\nheader = "X: {key}"\nkey = "A"', "A is not in the environment"),
        ('link = "page"', "does not describe"),
        ('url = "https://find.example/"\nodd = "1"', "does not describe"),
        ("url", "does not describe"),
    ],
)
def test_what_describes_no_service_is_told_in_one_line(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "finder.toml"
    path.write_text(text)
    with pytest.raises(UsageError, match=said) as caught:
        picture_service(str(path), lambda _: "")
    assert "\n" not in str(caught.value)


def test_an_address_that_is_none_is_told() -> None:
    with pytest.raises(UsageError, match="no http or https"):
        picture_service("ftp://find.example/", lambda _: "")
    with pytest.raises(UsageError, match="cannot be read"):
        picture_service("missing.toml", lambda _: "")
