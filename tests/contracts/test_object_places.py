"""One body for every implementation of the ObjectPlace seam: a folder, and a bucket of a real server."""

from __future__ import annotations

import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.fixtures.s3_server import SHOWN_AT_ONCE, S3Server
from traces.errors import StoreError
from traces.objects.bucket import BucketPlace, bucket_and_prefix
from traces.objects.places import FolderPlace, ObjectPlace


@pytest.fixture(params=["folder", "bucket", "bucket without a prefix"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectPlace:
    if request.param == "folder":
        return FolderPlace(tmp_path / "far")
    server: S3Server = request.getfixturevalue("s3")
    bucket = server.make_bucket(f"b{uuid.uuid4().hex[:8]}")
    return BucketPlace(f"s3://{bucket}" if "without" in request.param else f"s3://{bucket}/some/prefix")


def test_what_is_put_is_read_back_and_replaced(place: ObjectPlace) -> None:
    assert place.get("run/a.json") is None
    assert place.put("run/a.json", b"one")
    assert place.get("run/a.json") == b"one"
    assert place.put("run/a.json", b"another")
    assert place.get("run/a.json") == b"another"
    assert place.put("run/empty", b"")
    assert place.get("run/empty") == b""


def test_what_is_made_new_stays_as_it_was(place: ObjectPlace) -> None:
    assert place.put("run/events/0", b"first", new=True)
    assert not place.put("run/events/0", b"second", new=True)
    assert place.get("run/events/0") == b"first"


def test_of_many_who_make_it_new_one_does(place: ObjectPlace) -> None:
    with ThreadPoolExecutor(8) as crew:
        made = list(crew.map(lambda number: place.put("run/x", str(number).encode(), new=True), range(8)))
    assert made.count(True) == 1
    assert place.get("run/x") == str(made.index(True)).encode()


def test_names_and_sizes_are_those_below_a_folder(place: ObjectPlace) -> None:
    assert place.sizes("run") == {}
    assert place.folders() == ()
    for name, data in {"run/run.json": b"1", "run/blobs/ab/abc": b"22", "run2/run.json": b"333", "top": b"4"}.items():
        place.put(name, data)
    assert place.sizes("run") == {"run/run.json": 1, "run/blobs/ab/abc": 2}
    assert place.sizes("run/blobs") == {"run/blobs/ab/abc": 2}
    assert place.folders() == ("run", "run2")


def test_what_is_removed_is_gone_and_may_be_removed_again(place: ObjectPlace) -> None:
    place.put("run/blobs/ab/abc", b"1")
    place.put("run/run.json", b"1")
    place.remove("run/blobs/ab/abc")
    place.remove("run/blobs/ab/abc")
    assert place.sizes("run") == {"run/run.json": 1}
    place.remove("run/run.json")
    assert place.folders() == ()


def test_more_objects_than_one_listing_shows_are_all_listed(s3: S3Server) -> None:
    bucket = s3.make_bucket(f"b{uuid.uuid4().hex[:8]}")
    place = BucketPlace(f"s3://{bucket}/p")
    with ThreadPoolExecutor(16) as crew:
        list(crew.map(lambda number: place.put(f"run/{number:04}", b"x"), range(2 * SHOWN_AT_ONCE + 50)))
    assert len(place.sizes("run")) == 2 * SHOWN_AT_ONCE + 50
    assert s3.shown(bucket) == SHOWN_AT_ONCE, "one listing does not show them all"


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    (tmp_path / "far").write_text("a file where the folder should be")
    with pytest.raises(StoreError, match="far: it cannot be used"):
        FolderPlace(tmp_path / "far").put("run/a", b"1")


def test_a_bucket_that_is_not_there_is_told(s3: S3Server) -> None:
    place = BucketPlace("s3://no-such-bucket/p")
    for asking in (lambda: place.put("a", b""), lambda: place.get("a"), lambda: place.sizes("r"), place.folders):
        with pytest.raises(StoreError, match=r"^s3://no-such-bucket/p: there is no bucket no-such-bucket$"):
            asking()


def test_keys_that_are_not_known_are_told_without_being_shown(s3: S3Server) -> None:
    place = BucketPlace(f"s3://{s3.make_bucket(f'b{uuid.uuid4().hex[:8]}')}/p")
    with s3.knowing_no_key(), pytest.raises(StoreError, match="InvalidAccessKeyId") as caught:
        place.put("a", b"")
    assert "open-sesame" not in f"{caught.value} {caught.value.advice}"
    assert "AWS_ACCESS_KEY_ID" in caught.value.advice


@pytest.mark.parametrize(
    "address",
    ["s3://key:secret@bucket/p", "s3://", "s3://a/b", "s3://BUCKET/x", "s3://bucket/a/../b", "s3://bucket/a//b"],
)
def test_an_address_that_is_none_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(StoreError) as caught:
        bucket_and_prefix(address)
    assert "secret" not in f"{caught.value} {caught.value.advice}"


@pytest.mark.parametrize("address", ["s3://bucket/some/prefix", "s3://bucket/some/prefix/", "s3:/bucket/some/prefix"])
def test_an_address_has_a_bucket_and_a_prefix(address: str) -> None:
    assert bucket_and_prefix(address) == ("bucket", "some/prefix")
    assert bucket_and_prefix("s3://bucket") == bucket_and_prefix("s3://bucket/") == ("bucket", "")
