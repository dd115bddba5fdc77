from __future__ import annotations

import shutil
import subprocess
import tarfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from answers.question_set import (
    HALVES,
    PARTS,
    QuestionSetError,
    Site,
    Source,
    read_questions,
    read_set,
    write_questions,
)
from answers.unpacking import NotUnpacked, pages_of, unpack

from tests.bench.answers.conftest import made_question

TOML = """
name = "ferry"
kind = "organisation"
language = "en"
half = "building"
pages = "static"
root = "index.html"
what = "a ferry line"
licence = "none"
[source]
git = "somebody/ferry"
commit = "{commit}"
folder = "docs"
"""


def write_set(folder: Path, toml: str) -> None:
    (folder / "building").mkdir()
    (folder / "building" / "ferry.toml").write_text(toml)
    write_questions(folder / "building" / "ferry.jsonl", [made_question()])


def test_a_set_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_set(tmp_path, TOML)
    (one,) = read_set(tmp_path)
    assert (one.site.name, one.site.source.git, one.questions) == ("ferry", "somebody/ferry", (made_question(),))
    assert read_set(tmp_path, halves=("validation",)) == ()


def test_questions_that_were_added_later_are_left_out_unless_they_are_asked_for(tmp_path: Path) -> None:
    write_set(tmp_path, TOML)
    first, later = made_question(), made_question(id="ferry-002", part="more")
    write_questions(tmp_path / "building" / "ferry.jsonl", [first, later])
    assert [one.questions for one in read_set(tmp_path)] == [(first,)]
    assert [one.questions for one in read_set(tmp_path, parts=PARTS)] == [(first, later)]


@pytest.mark.parametrize(
    ("toml", "wrong"),
    [
        (TOML.replace('"building"', '"validation"'), "lies in building"),
        (TOML.replace("organisation", "organisation\ncolour = 'red"), "ferry.toml"),
        (TOML + 'debian = "ferry-doc"', "a site has one source"),
    ],
)
def test_a_wrong_file_is_named(tmp_path: Path, toml: str, wrong: str) -> None:
    write_set(tmp_path, toml)
    with pytest.raises(QuestionSetError, match=wrong):
        read_set(tmp_path)


def test_a_wrong_line_is_named(tmp_path: Path) -> None:
    (tmp_path / "q.jsonl").write_text('\n{"id": 4}\n')
    with pytest.raises(QuestionSetError, match=r"q\.jsonl:2"):
        read_questions(tmp_path / "q.jsonl")


def test_the_sets_own_files_can_be_read() -> None:
    every = read_set(parts=PARTS)
    assert {one.site.half for one in every} <= set(HALVES)
    assert all(question.site == one.site.name for one in every for question in one.questions)


def made_site(source: dict[str, Any]) -> Site:
    return msgspec.structs.replace(
        msgspec.toml.decode(TOML.encode(), type=Site), source=msgspec.convert(source, Source)
    )


@pytest.fixture
def mirrors(tmp_path: Path) -> tuple[Path, str]:
    """A folder of bare repositories, and the commit of the one in it."""
    work, bare = tmp_path / "work", tmp_path / "mirrors" / "somebody+ferry"
    (work / "docs" / "boats").mkdir(parents=True)
    (work / "docs" / "boats" / "alma.html").write_text("Alma")
    (work / "README").write_text("not served")

    def git(*arguments: str) -> str:
        identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
        command = ["git", "-C", str(work), *identity, *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    git("init", "--quiet")
    git("add", ".")
    git("commit", "--quiet", "-m", "pages")
    subprocess.run(["git", "clone", "--quiet", "--bare", str(work), str(bare)], check=True)
    return bare.parent, git("rev-parse", "HEAD")


def test_a_commit_is_unpacked_from_a_mirror(tmp_path: Path, mirrors: tuple[Path, str]) -> None:
    folder, commit = mirrors
    site, cache = made_site({"git": "somebody/ferry", "commit": commit, "folder": "docs"}), tmp_path / "cache"
    assert pages_of(site, cache) is None
    pages = unpack(site, cache, folder)
    assert [file.relative_to(pages).as_posix() for file in pages.rglob("*.*")] == ["boats/alma.html"]
    assert pages_of(site, cache) == pages
    assert pages_of(made_site({"git": "somebody/ferry", "commit": "0" * 40}), cache) is None


def test_what_cannot_be_had_is_said(tmp_path: Path, mirrors: tuple[Path, str]) -> None:
    folder, commit = mirrors
    site = made_site({"git": "somebody/ferry", "commit": commit, "folder": "site"})
    with pytest.raises(NotUnpacked, match="site"):
        unpack(site, tmp_path / "cache", folder)


@pytest.mark.parametrize(
    ("source", "program", "file"),
    [
        ({"npm": "ferry", "version": "1.0.0", "folder": "package/site"}, "npm", "ferry-1.0.0.tgz"),
        ({"debian": "ferry-doc", "folder": "/usr/share/doc/ferry"}, "apt-get", "ferry-doc.deb"),
    ],
)
def test_packages_are_unpacked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, source: dict[str, str], program: str, file: str
) -> None:
    """The programs that download are scripts here that leave a package; what unpacks it is real."""
    programs = tmp_path / "programs"
    programs.mkdir()
    packed = tmp_path / file
    (tmp_path / "tree" / source["folder"].strip("/")).mkdir(parents=True)
    (tmp_path / "tree" / source["folder"].strip("/") / "a.html").write_text("A")
    (tmp_path / "tree" / source["folder"].strip("/") / "b.html").symlink_to("a.html")
    (tmp_path / "tree" / source["folder"].strip("/") / "gone.html").symlink_to("nothing.html")
    if program == "npm":
        with tarfile.open(packed, "w:gz") as archive:
            archive.add(tmp_path / "tree" / "package", "package")
    elif shutil.which("dpkg-deb") is None:
        pytest.skip("there is no dpkg-deb")
    else:
        _pack_debian(tmp_path / "tree", packed)
    (programs / program).write_text(f"#!/bin/sh\ncp {packed} .\n")
    (programs / program).chmod(0o755)
    monkeypatch.setenv("PATH", str(programs), prepend=":")
    pages = unpack(made_site(source), tmp_path / "cache")
    assert {file.name: file.read_text() for file in pages.iterdir()} == {"a.html": "A", "b.html": "A"}


def _pack_debian(tree: Path, packed: Path) -> None:
    control = tree / "DEBIAN" / "control"
    control.parent.mkdir()
    control.write_text(
        "Package: ferry-doc\nVersion: 1\nArchitecture: all\nMaintainer: A <a@example.org>\nDescription: d\n"
    )
    subprocess.run(["dpkg-deb", "--root-owner-group", "-b", str(tree), str(packed)], check=True, capture_output=True)
