"""What a command prints fits the terminal it prints on, and loses nothing that matters; a pipe gets all."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.recordings.make import FOLDER
from tests.sites.crawl_site import CrawlSite, serve_crawl_site
from tests.sites.serving import NOT_FOUND, Answer, Asked, LoopbackSite, serving
from tests.traces.forging import forge
from tests.walker.cli.program import on_terminal, walker_here
from walker.cli.tables import Column, folded, shortened, table_lines

LONG = "20261123-044000-what-is-the-maximum-length-of-an-sql-sta-3f0c10"
NAMES = {"count": LONG, "single": "20261123-050000-古今天文台什么时候开放以及门票价格是多少-a1b2c3", "model": "short"}
TITLES = (
    "备份与恢复数据库的完整指南以及常见问题的解答和说明文档",
    "Backups",
    "How to restore what a backup holds, step by step",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("shown")
    for kind, name in NAMES.items():
        shutil.copytree(FOLDER / kind, folder / "runs" / name)
    shutil.copytree(FOLDER / "count", folder / "altered")
    forge(folder / "altered", lambda line: line | {"d": line["d"] | {"found": 9}} if line["k"] == "counter" else line)
    pages = [
        {
            "url": f"https://docs.example/{'manual/' * number * 5}page-{number}.html",
            "status": 200,
            "html": f"<title>{title}</title><body><h2>{title}</h2><p>{title}. The backup of the database runs at two.</p>",
        }
        for number, title in enumerate(TITLES)
    ]
    (folder / "pages.jsonl").write_text("\n".join(map(json.dumps, pages)))
    assert walker_here("library", "add", "docs.library", "pages.jsonl", folder=folder).code == 0
    known = [{"id": str(number), "answer": "six" if number else "", "site": "reef"} for number in range(3)]
    said = [{"id": str(number), "nearest": "six", "confidence": 0.3, "stop_reason": "exhausted"} for number in range(3)]
    (folder / "qa.jsonl").write_text("\n".join(map(json.dumps, known)))
    (folder / "said.jsonl").write_text("\n".join(map(json.dumps, said)))
    sites = ("reef", "一个名称很长而且用中文书写的网站的名称" * 2, "bay")
    asked = [
        {
            "id": f"q{n}",
            "question": f"How high is {n}?",
            "answers": ["6"],
            "root": "a.html",
            "site": sites[n % 3],
        }
        for n in range(30)
    ]
    (folder / "questions.jsonl").write_text("\n".join(map(json.dumps, asked)))
    return folder


def lines_of(folder: Path, columns: int, *arguments: str) -> list[str]:
    return on_terminal(*arguments, folder=folder, columns=columns).out.splitlines()


def too_wide(lines: list[str], columns: int) -> list[str]:
    return [line for line in lines if cell_len(line) > columns]


TABLES = {
    ("runs", "list"): (r"^runs/20261123-\S*…\S*-3f0c10 ", r"^runs/20261123-\S*…\S*-a1b2c3 ", r"^3 runs, "),
    ("runs", "remove", "--older-than", "1d"): (r"^runs/20261123-\S*…\S*-3f0c10 ", r"add --yes to remove them"),
    ("verify", "runs"): (r"^equal +runs/2026\S*…\S*-3f0c10$", r"^3 runs, 0 not equal"),
    ("library", "list", "docs.library"): (
        r" zh +https://\S+/page-0.html +备份",
        r"https://docs.\S*…\S*page-2.html +How",
    ),
    ("calibrate", "qa.jsonl", "--answers", "said.jsonl"): (r"of these declined at 0.5: 1",),
    ("eval", "describe", "questions.jsonl"): (r"^  reef +10 +33\.3 %$", r"^  一个名称.*… +10 +33\.3 %$"),
    ("eval", "split", "questions.jsonl", "--out", "parts"): (r"^all +\d+ +\d+",),
}
PROSE = {
    ("verify", "altered"): r"DIFFERS",
    ("diff", f"runs/{LONG}", "altered"): r"^first difference|^equal",
    ("why", f"runs/{LONG}"): r"Ana Ruiz",
    ("why", f"runs/{NAMES['single']}"): r"^answer: ",
    ("whatif", "runs", "--tau", "40..80:20"): r"pages flip",
    ("scan", "runs"): r"nothing found in",
    ("replay", f"runs/{LONG}", "-q"): r"^equal: ",
    ("library", "info", "docs.library"): r"3 pages under",
    ("search", "docs.library", "backup"): r"backup",
    ("doctor",): r"^ok   python",
}


@pytest.mark.parametrize("arguments", TABLES, ids=" ".join)
def test_a_table_fits_a_narrow_terminal(folder: Path, arguments: tuple[str, ...]) -> None:
    shown = lines_of(folder, 60, *arguments)
    assert too_wide(shown, 60) == []
    for essential in TABLES[arguments]:
        assert re.search(essential, "\n".join(shown), re.MULTILINE), (essential, shown)


@pytest.mark.parametrize("arguments", TABLES, ids=" ".join)
def test_a_table_is_whole_on_a_wide_terminal_and_in_a_pipe(folder: Path, arguments: tuple[str, ...]) -> None:
    def words_of(lines: list[str]) -> list[str]:
        # How long it took is not the same twice.
        return [re.sub(r"\d+ ms", "", " ".join(line.split())) for line in lines]

    piped = words_of(walker_here(*arguments, folder=folder).out.splitlines())
    shown = lines_of(folder, 200, *arguments)
    assert too_wide(shown, 200) == []
    assert words_of(shown) == piped
    assert words_of(walker_here(*arguments, folder=folder, COLUMNS="60").out.splitlines()) == piped


@pytest.mark.parametrize("arguments", PROSE, ids=" ".join)
def test_other_lines_are_folded_between_words(folder: Path, arguments: tuple[str, ...]) -> None:
    piped, shown = walker_here(*arguments, folder=folder).out, lines_of(folder, 60, *arguments)
    assert re.search(PROSE[arguments], "\n".join(shown), re.MULTILINE), shown
    for line in too_wide(shown, 60):
        longest = max(map(cell_len, line.split()))
        assert longest > 40, f"not folded: {line}"
        assert len(line.split()) <= 2, f"an address stands alone, or behind its indentation: {line}"
    if arguments[0] not in ("verify", "doctor", "replay", "search"):  # with times, or with marks in place of colours
        assert "".join("".join(shown).split()) == "".join(piped.split()), "no word is lost"


@pytest.fixture(scope="module")
def site() -> Iterator[CrawlSite]:
    with serve_crawl_site() as server:
        yield server


def test_the_report_of_a_crawl_fits_and_is_whole_in_a_pipe(site: CrawlSite, tmp_path: Path) -> None:
    command = ("crawl", site.home, "--driver", "http", "--job", "a-job", "-o", f"{'a-long-name-' * 6}.csv")
    piped = walker_here(*command, folder=tmp_path)
    assert f"  {'a-long-name-' * 6}.csv\n" in piped.err
    assert re.search(r"^failed +1\n +1 × HTTP 404$", piped.err, re.MULTILINE)
    shown = lines_of(tmp_path, 60, *command)
    assert [line.strip() for line in too_wide(shown, 60)] == [f"{'a-long-name-' * 6}.csv"], "a name can be copied"
    assert [line.split()[0] for line in shown if line[:1].strip()][-3:] == ["fetched", "failed", "files"]


def test_what_a_crawl_would_begin_with_fits(tmp_path: Path) -> None:
    long = "/shop/" + "a-very-long-path/" * 8 + "商品.html"

    def answer(asked: Asked) -> Answer:
        if asked.path == "/robots.txt":
            return Answer("User-agent: *\nDisallow: /shop/\nSitemap: /sitemap.xml\n", kind="text/plain")
        if asked.path == "/sitemap.xml":
            home = f"http://{asked.headers['Host']}"
            urls = "".join(f"<url><loc>{home}{path}</loc></url>" for path in (long, "/b"))
            return Answer(
                f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{urls}</urlset>', kind="text/xml"
            )
        return NOT_FOUND

    with serving(LoopbackSite(answer)) as site:
        shown = lines_of(tmp_path, 60, "crawl", site.home, "--list")
        piped = walker_here("crawl", site.home, "--list", folder=tmp_path).out.splitlines()
    assert too_wide(shown, 60) == []
    assert shown[0].startswith("fetch  http://127.0.0.1:")
    (refused,) = [line for line in shown if line.startswith("skip ")]
    assert "…" in refused
    assert re.search(r"\.html  \(.*robots", refused)
    assert any(long in line for line in piped)


COLUMNS = (Column(gap=0, shortest=6, cut="middle"), Column(side="right", rank=2), Column(shortest=4, rank=1))
CELLS = st.text(st.sampled_from("ab 备份…é\t"), max_size=30)


@given(st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=4), st.integers(6, 90))
def test_no_row_is_wider_than_the_terminal_and_columns_stand_below_each_other(
    rows: list[tuple[str, str, str]], width: int
) -> None:
    lines = table_lines(COLUMNS, rows, width)
    assert len(lines) == len(rows)
    assert all(cell_len(line) <= width for line in lines)
    whole = table_lines(COLUMNS, rows, None)
    if max(map(cell_len, table_lines(COLUMNS, rows, 1_000))) <= width:
        assert [line.split() for line in lines] == [line.split() for line in whole]


@given(CELLS, st.integers(1, 40), st.sampled_from(["end", "middle"]))
def test_a_shortened_text_says_so(text: str, room: int, cut: str) -> None:
    short = shortened(text, room, cut)  # type: ignore[arg-type]
    assert cell_len(short) <= room
    assert short == text or "…" in short


def test_the_middle_of_an_address_is_what_is_left_out() -> None:
    assert shortened("https://docs.example/manual/page.html", 20, "middle") == "https://do…page.html"
    assert shortened("备份与恢复数据库", 8, "middle") == "备份…库"
    assert shortened("备份与恢复数据库", 8) == "备份与…"


@given(st.text(st.sampled_from("abc 备份。"), max_size=120), st.integers(20, 60))
def test_folding_loses_no_character(text: str, width: int) -> None:
    lines = list(folded(text, width, 2))
    assert "".join("".join(lines).split()) == "".join(text.split())
    assert all(cell_len(line) <= width or len(line.split()) == 1 for line in lines)
