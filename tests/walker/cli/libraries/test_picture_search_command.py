"""`walker search FILE --picture` as a person uses it, and that no picture is sent anywhere unless a service is named."""

from __future__ import annotations

import json
import socket
from contextlib import closing
from pathlib import Path

import cv2
import pytest

from memory.library.pictures import PagePicture
from memory.library.protocol import NewPage, PageLine
from tests.perception.picture_search.test_encoder import write_encoder
from tests.sites.picture_service import PictureSite
from tests.sites.serving import LoopbackSite, serving
from tests.walker.cli.program import Ended, walker_here
from tests.walker.pictures.drawn import encoded, scene, shrunk
from walker.library.library_file import LibraryFile
from walker.pictures.picture_marks import marks_of


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with closing(LibraryFile.write(tmp_path / "museum.library")) as library:
        for seed in range(3):
            picture = PagePicture(
                marks=marks_of(encoded(scene(seed))), url=f"https://museum.example/{seed}.png", alt=f"Find {seed}"
            )
            lines = (PageLine(text=f"Text {seed}"),)
            library.add(
                NewPage(url=f"https://museum.example/{seed}", title=f"Hall {seed}", lines=lines, pictures=(picture,))
            )
    with closing(LibraryFile.write(tmp_path / "plain.library")) as library:
        library.add(NewPage(url="https://a.example/", title="A", lines=(PageLine(text="Text"),)))
    (tmp_path / "photo.jpg").write_bytes(shrunk(scene(1)))
    return tmp_path


def run(folder: Path, *arguments: str) -> Ended:
    return walker_here(*arguments, folder=folder)


def test_hits_are_json_lines(folder: Path) -> None:
    ended = run(folder, "search", "museum.library", "--picture", "photo.jpg", "--json", "-k", "1")
    hit = json.loads(ended.out)
    assert (hit["rank"], hit["url"], hit["title"], hit["words"]) == (1, "https://museum.example/1", "Hall 1", "Find 1")
    assert hit["score"] > 0.9
    assert hit["matched"] >= 20
    assert hit["part"] == pytest.approx([0, 0, 1, 1], abs=0.02)


def test_a_box_searches_a_part(folder: Path) -> None:
    (folder / "photo.png").write_bytes(encoded(scene(2)))
    ended = run(
        folder, "search", "museum.library", "--picture", "photo.png", "--box", "0.2,0.1,0.8,0.7", "--json", "-k", "1"
    )
    hit = json.loads(ended.out)
    assert hit["url"] == "https://museum.example/2"
    assert hit["part"] == pytest.approx([0.2, 0.1, 0.8, 0.7], abs=0.03)


def test_words_and_an_encoder_find_pictures_too(folder: Path) -> None:
    write_encoder(folder / "model")
    (folder / "other.png").write_bytes(encoded(scene(40)))
    ended = run(
        folder, "search", "museum.library", "find", "2", "--picture", "other.png", "--picture-model", "model", "--json"
    )
    assert ended.code == 0
    assert "3 pictures were encoded on the c" in ended.err
    hits = [json.loads(line) for line in ended.out.splitlines()]
    assert "https://museum.example/2" in [hit["url"] for hit in hits]
    assert all(hit["score"] < 0.5 for hit in hits)


def moving(folder: Path, name: str, first: int) -> str:
    """A file of two frames in the format of its name: the scene of this number, then another."""
    animation = cv2.Animation()
    animation.frames, animation.durations = [scene(first), scene(first + 50)], [100, 100]
    assert cv2.imwriteanimation(str(folder / name), animation)
    return name


@pytest.mark.parametrize("name", ["moving.gif", "moving.webp", "moving.png"])
def test_an_animation_is_searched_by_its_first_frame(folder: Path, name: str) -> None:
    ended = run(folder, "search", "museum.library", "--picture", moving(folder, name, 1), "--json", "-k", "1")
    hit = json.loads(ended.out)
    assert hit["url"] == "https://museum.example/1"
    assert hit["score"] > 0.9


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("museum.library", "--picture", "no.png"), 2, "cannot be read"),
        (("museum.library", "--picture", "."), 2, ".: the picture cannot be read (Is a directory)"),
        (("museum.library", "--picture", "text.png"), 2, "not a PNG, JPEG, WebP or GIF file"),
        (("museum.library", "--picture", "drawing.svg"), 2, "SVG drawing"),
        (("museum.library", "--picture", "moving.gif"), 2, "too large (60000 x 60000 pixels"),
        (("museum.library", "--picture", "bomb.png"), 2, "too large (20000 x 20000 pixels"),
        (("museum.library", "--picture", "dot.png"), 2, "too small (1 x 1 pixels"),
        (("museum.library", "--picture", "photo.jpg", "--box", "0.5,0.5,1.5,1"), 2, "not a box within the picture"),
        (("museum.library", "--picture", "photo.jpg", "--box", "a,b"), 2, "not a box within the picture"),
        (("museum.library", "--picture", "photo.jpg", "--box", "0,0,0.01,0.01"), 2, "part of the picture is too small"),
        (("museum.library", "--box", "0,0,1,1", "word"), 2, "--box needs --picture FILE too"),
        (("museum.library",), 2, "give the words to look for, or --picture FILE"),
        (("https://a.example/", "--picture", "photo.jpg"), 2, "searches a library FILE"),
        (("plain.library", "--picture", "photo.jpg"), 1, "there are no pictures in it"),
        (("missing.library", "--picture", "photo.jpg"), 1, "there is no such file"),
        (("museum.library", "--picture", "photo.jpg", "--picture-model", "missing"), 2, "no such folder"),
        (("museum.library", "--picture", "photo.jpg", "--picture-model", "text.png"), 2, "no such folder"),
        (
            ("museum.library", "--picture", "photo.jpg", "--picture-model", "m", "--picture-search", "http://a/"),
            2,
            "give one of them",
        ),
        (("museum.library", "--picture", "photo.jpg", "--picture-search", "ftp://a.example/"), 2, "no http or https"),
    ],
)
def test_bad_input_is_told_in_one_line(folder: Path, arguments: tuple[str, ...], code: int, said: str) -> None:
    header = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    (folder / "text.png").write_text("just text")
    (folder / "drawing.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'/>")
    (folder / "moving.gif").write_bytes(b"GIF89a" + (60_000).to_bytes(2, "little") * 2 + b"\0" * 50)
    (folder / "bomb.png").write_bytes(header + (20_000).to_bytes(4) * 2 + b"\x08\x02\0\0\0" + b"\0" * 30)
    (folder / "dot.png").write_bytes(header + (1).to_bytes(4) * 2 + b"\x08\x02\0\0\0" + b"\0" * 30)
    ended = run(folder, "search", *arguments)
    assert ended.code == code
    assert said in ended.err
    assert ended.out == ""
    assert len([line for line in ended.err.splitlines() if line.startswith(("walker:", "Error:"))]) == 1


def test_a_service_gets_the_picture_only_where_it_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = PictureSite({"https://far.example/vase": encoded(scene(1)), "https://far.example/mask": encoded(scene(2))})
    (folder / "vase.png").write_bytes(encoded(scene(1)))
    with serving(LoopbackSite(site)) as served:
        ended = run(
            folder,
            "search",
            "museum.library",
            "--picture",
            "vase.png",
            "--picture-search",
            f"{served.home}find",
            "--json",
        )
        assert json.loads(ended.out.splitlines()[0])["url"] == "https://far.example/vase"
        assert len(served.asked) == 1

        def no_network(*_: object, **__: object) -> None:
            raise AssertionError("a connection was opened")

        with monkeypatch.context() as closed:
            closed.setattr(socket.socket, "connect", no_network)
            closed.setattr(socket.socket, "connect_ex", no_network)
            closed.setattr(socket, "getaddrinfo", no_network)
            ended = run(folder, "search", "museum.library", "find", "--picture", "vase.png", "--json")
        assert json.loads(ended.out.splitlines()[0])["url"] == "https://museum.example/1"
        assert len(served.asked) == 1
