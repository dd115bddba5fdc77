"""A question answered out of a library is a walk like any other: cited, recorded, replayed without the library."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

from memory.url_key import origin_of
from tests.sites.pdf_site import serve_pdfs
from tests.walker.cli.program import Ended, walker_here
from traces.events import NetworkExchanged, PageObserved
from traces.reading.reader import read_run
from traces.viewer.summary import summarise
from walker.demo.server import serve_institute
from walker.library.library_file import LibraryFile

SENTENCES = {
    "https://one.example/backup.html": ("Backups", "The backup of the archive is kept for 90 days."),
    "https://two.example/restore.html": ("Restoring", "Restore the archive with the tool unpackarchive."),
    "https://two.example/staff.html": ("Staff", "Ilse Brandt looks after the archive."),
}
QUESTION = "How long is the backup of the archive kept?"


def run(folder: Path, *arguments: str) -> Ended:
    return walker_here(*arguments, folder=folder)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        {"url": url, "status": 200, "html": f"<title>{title}</title><h1>{title}</h1><p>{text}</p>"}
        for url, (title, text) in SENTENCES.items()
    ]
    (tmp_path / "pages.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    assert run(tmp_path, "library", "add", "docs.library", "pages.jsonl").code == 0
    return tmp_path


def test_an_answer_is_cited_from_its_page_and_recorded(folder: Path) -> None:
    ended = run(folder, "ask", "--library", "docs.library", QUESTION, "--json")
    answer = json.loads(ended.out)
    assert "90 days" in answer["answer"]
    assert {citation["url"] for citation in answer["citations"]} == {"https://one.example/backup.html"}
    (path,) = (folder / "runs").iterdir()
    recorded = read_run(path)
    observed = [event for event in recorded.events if isinstance(event, PageObserved)]
    assert len(observed) >= 2
    assert not any(isinstance(event, NetworkExchanged) for event in recorded.events)
    assert str(folder) not in (path / "run.json").read_text()
    assert summarise(path).pages == answer["pages"], "a page of hits is none in the list of runs either"


def test_an_answer_of_a_pdf_that_was_crawled_names_its_page(tmp_path: Path) -> None:
    with serve_pdfs() as site:
        address = f"{site.home}files/report.pdf"
        assert run(tmp_path, "crawl", address, "--keep", "pdf", "--library", "docs.library", "-q").code == 0
    asked = run(tmp_path, "ask", "--library", "docs.library", "How much did the office spend on moorings?", "--json")
    answer = json.loads(asked.out)
    assert "91,300" in answer["answer"]
    assert [citation["url"] for citation in answer["citations"]] == [f"{address}#page=3"]


def test_it_is_replayed_verified_and_shown_without_the_library(folder: Path) -> None:
    asked = json.loads(run(folder, "ask", "--library", "docs.library", QUESTION, "--json").out)
    (path,) = (folder / "runs").iterdir()
    (folder / "docs.library").unlink()
    replayed = run(folder, "replay", str(path), "--json")
    assert replayed.code == 0
    assert json.loads(replayed.out)["outcome"]["answer"] == asked["answer"]
    assert run(folder, "replay", str(path), "--deep").code == 0
    assert run(folder, "verify", "runs").code == 0
    assert run(folder, "view", str(path), "--export", "report.html").code == 0
    assert run(folder, "diff", str(path), str(path)).code == 0


def test_pages_of_several_sites_are_read_in_the_order_of_the_hits(folder: Path) -> None:
    ended = run(folder, "ask", "--library", "docs.library", "Who looks after the archive?", "--json")
    assert "Ilse Brandt" in json.loads(ended.out)["answer"]


def test_a_question_about_what_is_not_there_is_not_answered(folder: Path) -> None:
    ended = run(folder, "ask", "--library", "docs.library", "zeppelin?", "--json")
    assert ended.code == 3
    assert json.loads(ended.out)["answer"] == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--library", "none.library", "When?"), "there is no such file"),
        (("--library", "pages.jsonl", "When?"), "is not a library"),
        (("--library", "docs.library", " "), "the question is empty"),
    ],
)
def test_bad_input_is_one_line_and_records_nothing(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    ended = run(folder, "ask", *arguments)
    assert ended.code in (1, 2)
    assert said in ended.line
    assert not (folder / "runs").exists()


def test_going_on_with_such_a_walk_needs_the_library(folder: Path) -> None:
    run(folder, "ask", "--library", "docs.library", QUESTION)
    (path,) = (folder / "runs").iterdir()
    log = next(path.glob("*.jsonl"))
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]))
    for seal in path.glob("seal*"):
        seal.unlink()
    without = run(folder, "ask", "--resume", str(path), "-q")
    assert (without.code, "--library FILE" in without.line) == (2, True)
    ended = run(folder, "ask", "--resume", str(path), "--library", "docs.library", "--json")
    assert "90 days" in json.loads(ended.out)["answer"]


def test_a_secret_of_the_question_is_in_no_address(folder: Path) -> None:
    secret = "hunter2-zebra-77"
    walker_here("ask", "--library", "docs.library", f"When does backup {secret} start?", "--secret", "WORD",
                folder=folder, WORD=secret)  # fmt: skip
    (path,) = (one for one in (folder / "runs").iterdir() if one.is_dir())
    held = b"".join(file.read_bytes() for file in path.rglob("*") if file.is_file())
    assert b"zebra" not in held


def test_a_walk_from_a_root_adds_what_it_opens(folder: Path) -> None:
    with serve_institute() as home:
        ended = run(
            folder, "ask", home, "Who directs the institute?", "--library", "new.library", "-q", "--max-pages", "4"
        )
        assert ended.code in (0, 3)
    with contextlib.closing(LibraryFile.read(folder / "new.library")) as library:
        urls = [page.url for page in library.pages()]
    assert len(urls) >= 2
    assert all(url.startswith(origin_of(home)) and "walker-probe" not in url for url in urls)
