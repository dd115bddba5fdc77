"""`walker extract --batch FILE`: many addresses, side by side, each kept when it ends."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sites.held import HeldSite, serve_held
from tests.walker.cli.program import kill_when, walker_here

SCHEMA = {
    "type": "object",
    "title": "Lighthouse",
    "properties": {"height": {"type": "string"}, "keeper": {"type": "string"}},
    "required": ["height", "keeper"],
}
NAMES = {"Skerry": 31, "Holm": 42, "Sands": 53}


def page_about(name: str, metres: int, more: str = "") -> str:
    facts = f"<tr><th>Height</th><td>{metres} m</td></tr>{more}"
    text = f"<p>The {name} lighthouse stands on a rock in the bay.</p>"
    return f"<html lang=en><title>{name} lighthouse</title><h1>{name} lighthouse</h1>{text}<table>{facts}</table>"


KEPT = "<tr><th>Keeper</th><td>nobody</td></tr>"
PAGES = {f"/{name}.html": page_about(name, metres, KEPT) for name, metres in NAMES.items()}


@pytest.fixture
def site() -> Iterator[HeldSite]:
    with serve_held(PAGES | {"/Point.html": page_about("Point", 64)}, "/Holm.html") as held:
        yield held


def batch(site: HeldSite, folder: Path, *names: str) -> tuple[str, ...]:
    (folder / "lights.txt").write_text(
        "# of the bay\n\n" + "".join(f"{site.home}{name}.html\n" for name in names), encoding="utf-8"
    )
    (folder / "light.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    return ("extract", "--batch", "lights.txt", "--schema", "light.json", "-o", "out.jsonl", "--jobs", "2")


def heights(folder: Path) -> list[str]:
    lines = (folder / "out.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["data"]["height"] for line in lines]


def test_records_are_in_the_order_of_the_file_whatever_ended_first(site: HeldSite, tmp_path: Path) -> None:
    site.let_go()
    ended = walker_here(*batch(site, tmp_path, "Holm", "Skerry", "Holm", "Point"), "--json", folder=tmp_path)
    report = json.loads(ended.out)
    assert (report["roots"], report["complete"], report["incomplete"], report["failed"]) == (3, 2, 1, 0)
    assert ended.code == 3, "a required field of one has no value"
    assert heights(tmp_path) == ["42 m", "31 m", "64 m"]
    assert "incomplete   1 pages" in ended.err
    assert "without keeper" in ended.err


def test_a_batch_that_is_killed_goes_on_and_reads_nothing_again(site: HeldSite, tmp_path: Path) -> None:
    command = batch(site, tmp_path, "Skerry", "Holm", "Sands")
    kill_when(site.holds, *command, folder=tmp_path)
    site.let_go()
    done = len((tmp_path / "out.jsonl.roots").read_text(encoding="utf-8").splitlines())
    ended = walker_here(*command, folder=tmp_path)
    assert ended.code == 0, ended.err
    assert heights(tmp_path) == ["31 m", "42 m", "53 m"]
    again = walker_here(*command, folder=tmp_path)
    assert "3 of 3 are done in out.jsonl.roots already" in again.err
    assert heights(tmp_path) == ["31 m", "42 m", "53 m"]
    assert 1 <= site.asked.count("/Skerry.html") <= (1 if done else 2)


def test_an_address_that_failed_is_tried_again_by_the_next_run(site: HeldSite, tmp_path: Path) -> None:
    command = batch(site, tmp_path, "Away", "Skerry")
    first = walker_here(*command, folder=tmp_path)
    assert first.code == 1
    assert "1 of 2 addresses failed; out.jsonl.roots says why" in first.err
    assert heights(tmp_path) == ["31 m"]
    site.pages = PAGES | {"/Away.html": page_about("Away", 7, KEPT)}
    second = walker_here(*command, folder=tmp_path)
    assert second.code == 0, second.err
    assert heights(tmp_path) == ["7 m", "31 m"]
    assert site.asked.count("/Skerry.html") == 1


def test_another_schema_is_not_mixed_with_what_was_read(site: HeldSite, tmp_path: Path) -> None:
    command = batch(site, tmp_path, "Skerry")
    walker_here(*command, folder=tmp_path)
    before = (tmp_path / "out.jsonl").read_bytes()
    ended = walker_here(*command, "--plain", folder=tmp_path)
    assert (ended.code, "read with another schema, --about or --plain" in ended.line) == (2, True)
    assert (tmp_path / "out.jsonl").read_bytes() == before


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--batch", "lights.txt"), "--batch needs -o FILE too"),
        (("--batch", "lights.txt", "-o", "out.jsonl", "http://a.example/"), "give no ROOT"),
        ((), "give a ROOT address, or --batch FILE"),
        (("http://a.example/", "--on", "ray"), "--on needs --batch FILE too"),
        (("--batch", "wrong.txt", "-o", "out.jsonl"), "wrong.txt:2: not an address"),
        (("--batch", "empty.txt", "-o", "out.jsonl"), "the file holds no address"),
    ],
)
def test_what_cannot_be_is_said_before_anything_is_opened(tmp_path: Path, options: tuple[str, ...], told: str) -> None:
    (tmp_path / "light.json").write_text(json.dumps(SCHEMA), encoding="utf-8")
    (tmp_path / "wrong.txt").write_text("http://a.example/\nnot an address\n", encoding="utf-8")
    (tmp_path / "empty.txt").write_text("# nothing\n", encoding="utf-8")
    ended = walker_here("extract", "--schema", "light.json", *options, folder=tmp_path)
    assert (ended.code, told in ended.err) == (2, True), ended.err
