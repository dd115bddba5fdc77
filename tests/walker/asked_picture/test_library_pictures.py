"""A question about a picture is answered from a library that holds it, and through its site."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from memory.library.pictures import PagePicture
from memory.library.protocol import NewPage, PageLine
from tests.sites.museum import pictures
from tests.walker.asked_picture.test_picture_walk import as_photo
from tests.walker.cli.program import walker_here
from traces.events import PictureNamed
from traces.reading.reader import read_run
from walker.library.library_file import LibraryFile
from walker.pictures.picture_marks import marks_of

TOLD = {
    "/mill.png": ("Gull Mill", "Gull Mill was built by the carpenter Tomas Brek in 1764."),
    "/span.png": ("The Old Span", "The Old Span was built by the engineer Maren Holt in 1891."),
    "/light.png": ("Norrey Light", "Norrey Light was built by the mason Edda Tarn in 1833."),
}


@pytest.mark.parametrize(("path", "builder"), [("/mill.png", "Tomas Brek"), ("/light.png", "Edda Tarn")])
def test_a_library_with_pictures_answers_without_a_root(path: str, builder: str, tmp_path: Path) -> None:
    with closing(LibraryFile.write(tmp_path / "museum.library")) as library:
        for file, (title, text) in TOLD.items():
            shown = PagePicture(marks=marks_of(pictures()[file]), url=f"https://museum.example{file}", alt=title)
            url = f"https://museum.example/{file[1:-4]}.html"
            lines = (PageLine(text=title), PageLine(text=text))
            markup = f"<title>{title} - Museum</title><h1>{title}</h1><p>{text}</p>"
            library.add(NewPage(url=url, title=f"{title} - Museum", lines=lines, markup=markup, pictures=(shown,)))
    (tmp_path / "photo.jpg").write_bytes(as_photo(path))
    flags = ("--library", "museum.library", "--picture", "photo.jpg", "--json")
    ended = walker_here("ask", "Who built this?", *flags, folder=tmp_path)
    assert ended.code == 0, ended.err + ended.out
    assert builder in json.loads(ended.out)["answer"]
    (run,) = (tmp_path / "runs").iterdir()
    assert [event.name for event in read_run(run).events if isinstance(event, PictureNamed)] == [TOLD[path][0]]
    (tmp_path / "museum.library").unlink()
    assert walker_here("replay", str(run), folder=tmp_path).code == 0
