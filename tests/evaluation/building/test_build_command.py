"""Building and refreshing a dataset as a person does, from real pages over HTTP; one of them in a real browser."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from evaluation.dataset.files import load
from tests.evaluation.building.small_site import PAGES
from tests.sites.held import serve_held
from tests.sites.pages_on_loopback import serve
from tests.walker.cli.program import kill_when, walker_here

PATIENCE = 600
"""Seconds; the machines are shared."""
COUNTS = "single:easy=5,single:medium=2,single:hard=1,multi:easy=1,multi:medium=1"


def built(folder: Path, *arguments: str) -> dict[str, Any]:
    ended = walker_here("eval", "build", "--driver", "http", *arguments, "--json", folder=folder)
    assert ended.code == 0, ended.err
    told: dict[str, Any] = json.loads(ended.out)
    return told


def test_a_site_becomes_a_dataset_and_is_refreshed_when_it_has_changed(tmp_path: Path) -> None:
    pages: dict[str, str | bytes] = dict(PAGES)
    with serve(pages) as base:
        site = ("--site", f"wood={base}/")
        told = built(tmp_path, f"{base}/", "--out", "wood.jsonl", "--counts", COUNTS, "--domain", "craft", *site)
        assert (told["questions"], told["pages"], told["short"]) == (10, 5, {})
        dataset = load(tmp_path / "wood.jsonl")
        assert {question.site for question in dataset.questions} == {"wood"}
        assert all(question.created and question.evidence and question.click_paths for question in dataset.questions)
        assert {question.difficulty for question in dataset.questions} == {"easy", "medium", "hard"}
        other = ("--jobs", "1", "--driver", "playwright")
        same = built(
            tmp_path, f"{base}/", "--out", "again.jsonl", "--counts", COUNTS, "--domain", "craft", *site, *other
        )
        assert same["digest"] == told["digest"]

        foreman = [question for question in dataset.questions if question.answers == ("Ines Vale",)]
        assert len(foreman) == 1
        pages["/ash"] = PAGES["/ash"].replace("Ines Vale", "Olga Hill")
        now = built(tmp_path, "--refresh", "wood.jsonl", "--out", "now.jsonl", *site)
    fresh = load(tmp_path / "now.jsonl")
    assert (now["kept"], now["dropped"]) == (len(dataset.questions) - now["dropped"], now["dropped"])
    assert now["dropped"] >= 1
    assert now["added"] == now["dropped"]
    assert fresh.question(foreman[0].id) is None
    assert [question.answers for question in fresh.questions if "Foreman" in question.question] == [("Olga Hill",)]
    assert len(fresh.questions) == 10


def test_a_feed_that_is_sent_as_a_page_is_none(tmp_path: Path) -> None:
    item = "<item><title>The saw was mended</title><description>It cuts again as it did in its first years.</description></item>"
    pages: dict[str, str | bytes] = dict(PAGES)
    pages["/"] = PAGES["/"].replace("</main>", '<a href="/feed">News as a feed</a></main>')
    pages["/feed"] = f'<?xml version="1.0"?>\n<rss version="2.0"><channel>{item * 4}</channel></rss>'
    with serve(pages) as base:
        assert built(tmp_path, f"{base}/", "--out", "wood.jsonl", "--counts", COUNTS)["pages"] == len(PAGES)


def test_sites_of_a_list_are_built_together_and_a_bad_one_is_told(tmp_path: Path) -> None:
    oak = {path: html for path, html in PAGES.items() if not path.startswith("/ash")}
    with serve(dict(PAGES)) as one, serve(dict(oak)) as other:
        rows = [
            "root\tdomain\tlanguage\tname\tbase",
            f"{one}/\tcraft\ten\twood\t{one}/",
            f"{other}/\tgame",
            "http://127.0.0.1:9/\tgame",
        ]
        (tmp_path / "roots.tsv").write_text("\n".join(rows), encoding="utf-8")
        roots = ("--roots", "roots.tsv", "--sites-at-once", "3")
        told = built(tmp_path, *roots, "--out", "both.jsonl", "--counts", "single:easy=4,single:medium=2")
        assert list(told["failed"]) == ["http://127.0.0.1:9/"]
        assert told["questions"] == 6
        questions = load(tmp_path / "both.jsonl").questions
        assert {(question.site, question.domain) for question in questions} == {("wood", "craft"), ("", "game")}
        now = built(
            tmp_path, "--refresh", "both.jsonl", "--out", "now.jsonl", "--site", f"wood={one}/", "--sites-at-once", "2"
        )
    assert (now["kept"], now["dropped"], now["digest"]) == (6, 0, told["digest"])


def test_questions_of_a_site_that_is_down_are_kept_by_a_refresh(tmp_path: Path) -> None:
    with serve(dict(PAGES)) as one:
        with serve(dict(PAGES)) as other:
            built(tmp_path, f"{one}/", f"{other}/", "--out", "two.jsonl", "--counts", "single:easy=4")
        now = built(tmp_path, "--refresh", "two.jsonl", "--out", "now.jsonl")
    assert (now["questions"], now["kept"], list(now["failed"])) == (4, 4, [f"{other}/"])


def test_a_harvest_that_was_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    with serve_held(PAGES, "/oak/prices") as site:
        command = ("eval", "build", site.home, "--out", "wood.jsonl", "--counts", "single:easy=2", "--driver", "http")
        kill_when(site.holds, *command, folder=tmp_path, seconds=PATIENCE)
        site.let_go()
        ended = walker_here(*command, "--json", folder=tmp_path)
        asked = [path for path in site.asked if path in PAGES]
    assert json.loads(ended.out)["pages"] == 5
    assert {path: asked.count(path) for path in PAGES} == {path: 1 + (path == "/oak/prices") for path in PAGES}


def test_a_site_that_forbids_robots_is_told_and_can_be_had_by_its_owner(tmp_path: Path) -> None:
    with serve({**PAGES, "/robots.txt": "User-agent: *\nDisallow: /"}) as base:
        command = ("eval", "build", f"{base}/", "--out", "wood.jsonl", "--driver", "http", "--counts", "single:easy=1")
        refused = walker_here(*command, folder=tmp_path)
        assert refused.code == 1
        assert "robots.txt" in refused.err.splitlines()[-1]
        assert built(tmp_path, *command[2:], "--ignore-robots")["questions"] == 1


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--out", "x.jsonl"), "give ROOTS to build from"),
        (("--refresh", "y", "--counts", "paper", "--out", "x.jsonl"), "the dataset has its own"),
        (("http://a.example/", "--refresh", "y", "--out", "x.jsonl"), "give ROOTS to build from"),
        (("http://a.example/", "--out", "x.jsonl", "--counts", "many"), "is not a count"),
        (("http://a.example/", "--out", "x.jsonl", "--teacher", "t"), "--teacher needs --model"),
        (("--refresh", "none.jsonl", "--out", "x.jsonl"), "cannot be read"),
        (("--roots", "none.tsv", "--out", "x.jsonl"), "cannot be read"),
        (("--roots", "none.tsv", "--refresh", "y", "--out", "x.jsonl"), "give ROOTS to build from"),
        (("http://a.example/", "--out", "x.jsonl", "--sites-at-once", "0"), "--sites-at-once"),
    ],
)
def test_what_cannot_be_built_is_told(tmp_path: Path, arguments: tuple[str, ...], line: str) -> None:
    ended = walker_here("eval", "build", *arguments, folder=tmp_path)
    assert ended.code == 2
    assert line in ended.err


def test_a_root_that_nobody_serves_is_told_in_one_line(tmp_path: Path) -> None:
    ended = walker_here("eval", "build", "http://127.0.0.1:9/", "--out", "x.jsonl", "--driver", "http", folder=tmp_path)
    assert (ended.code, ended.out) == (1, "")
    assert "http://127.0.0.1:9/" in ended.err.splitlines()[-1]
    assert not (tmp_path / "x.jsonl").exists()
