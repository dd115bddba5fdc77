"""`walker crawl` as a person uses it."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from click.testing import CliRunner, Result

from tests.sites.crawl_site import COPIES, PAGES, CrawlSite, serve_crawl_site
from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from tests.sites.versioned import serve_versions
from tests.walker.cli.program import closed_address
from walker.cli.walks.crawl import crawl_command


@pytest.fixture(scope="module")
def site() -> Iterator[CrawlSite]:
    with serve_crawl_site() as server:
        yield server


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def walker(*arguments: str) -> Result:
    return CliRunner().invoke(crawl_command, list(arguments))


def test_a_root_is_crawled_and_the_report_says_what_came_of_it(site: CrawlSite, tmp_path: Path) -> None:
    shown = walker(site.home, "--driver", "http")
    assert shown.exit_code == 0, shown.output
    assert re.search(rf"pages +{PAGES + COPIES} ", shown.stderr)
    assert "1 × HTTP 404" in shown.stderr
    assert shown.stdout == ""
    (job,) = (tmp_path / "crawls").iterdir()
    assert len((job / "pages.jsonl").read_text().splitlines()) == PAGES + COPIES + 1


def test_where_no_records_are_found_the_report_says_what_to_do(site: CrawlSite) -> None:
    shown = walker(f"{site.home}item/3", "--driver", "http", "--pages", "1", "-q", "-o", "rows.csv")
    assert shown.exit_code == 0
    assert "0 (no lists of records were found; --out-pages FILE writes" in " ".join(shown.stderr.split())
    shown = walker(f"{site.home}item/3", "--driver", "http", "--pages", "1", "-q", "--job", "unasked")
    assert "0 (none were asked for: --find-items finds lists of records" in " ".join(shown.stderr.split())
    Path("fields.yaml").write_text(
        f"start: {site.home}item/3\npages: [{{items: {{fields: {{no: .such}}}}}}]\n", encoding="utf-8"
    )
    shown = walker("fields.yaml", "--driver", "http", "--pages", "1", "-q", "--job", "fields")
    assert "0 (nothing on the pages fits the items of the script" in " ".join(shown.stderr.split())


def test_a_file_for_items_asks_for_items(site: CrawlSite) -> None:
    shown = walker(site.home, "--driver", "http", "--pages", "5", "-q", "-o", "rows.jsonl")
    assert shown.exit_code == 0, shown.stderr
    assert len(Path("rows.jsonl").read_text(encoding="utf-8").splitlines()) > 3


def test_json_prints_one_object(site: CrawlSite) -> None:
    shown = walker(site.home, "--driver", "http", "--pages", "7", "--json")
    report = json.loads(shown.stdout)
    assert (report["pages"], report["stop_reason"]) == (7, "page limit")
    assert shown.stderr == ""


def test_the_same_command_goes_on_and_another_is_refused(site: CrawlSite) -> None:
    walker(site.home, "--driver", "http", "--job", "job", "--pages", "5")
    again = walker(site.home, "--driver", "http", "--job", "job", "--pages", "5", "-v")
    assert "resuming: 5 pages done" in again.stderr
    other = walker(site.home, "--driver", "http", "--job", "job", "--path", "/list")
    assert other.exit_code == 2
    assert other.stderr.count("\n") == 1
    assert "another script, or other options. Give those of then" in other.stderr
    assert "--fresh" in other.stderr
    fresh = walker(site.home, "--driver", "http", "--job", "job", "--path", "/list", "--fresh")
    assert fresh.exit_code == 0


def test_a_script_with_options_over_it(site: CrawlSite) -> None:
    Path("site.yaml").write_text(
        f"start: {site.home}\ndriver: http\nscope:\n  exclude: /category/**\n  pages: 50\n"
        "pages:\n  - match: /item/*\n    items:\n      - fields: {name: h1, price: {select: .price, type: number}}\n"
    )
    assert walker("site.yaml", "--check").exit_code == 0
    shown = walker("site.yaml", "--pages", "9", "-o", "items.sqlite", "-o", "items.csv", "-q")
    assert shown.exit_code == 0, shown.output
    rows = sqlite3.connect("items.sqlite").execute("SELECT name, price FROM records").fetchall()
    assert 0 < len(rows) < 9, "the front page holds none"
    assert all(price == int(name.split()[1]) * 3 + 1 for name, price in rows)
    assert Path("items.csv").read_text().count("\n") == len(rows) + 1


def test_a_flag_over_a_script_is_told_by_its_name_and_a_key_of_the_script_by_its_place() -> None:
    Path("two.yaml").write_text("start: http://127.0.0.1:9/\noutput: {items: a.csv}\n")
    assert "walker: --out: 'data' has no known file extension" in walker("two.yaml", "-o", "data").stderr
    Path("two.yaml").write_text("start: http://127.0.0.1:9/\noutput: {items: data}\n")
    assert "two.yaml:2:17: output.items[0]: 'data'" in walker("two.yaml", "--warc", "a.warc").stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "no address and no script was given"),
        (("example.org",), "scheme is missing"),
        (("no-such.yaml",), "no-such.yaml"),
        (("http://127.0.0.1:9/", "--order", "best-first"), "best"),
        (("http://127.0.0.1:9/", "-o", "items.txt"), "walker: --out: 'items.txt' has no known file extension"),
        (("http://127.0.0.1:9/", "--out-pages", "pages"), "walker: --out-pages: 'pages' has no known file extension"),
        (("http://127.0.0.1:9/", "--path", "docs"), "walker: --path: 'docs' is not the beginning of a path"),
    ],
)
def test_what_cannot_be_is_told_before_anything_is_fetched(arguments: tuple[str, ...], words: str) -> None:
    shown = walker(*arguments)
    assert shown.exit_code == 2, shown.output
    assert words in shown.stderr
    assert "Traceback" not in shown.output
    assert not Path("crawls").exists()


def test_a_script_is_refused_line_by_line() -> None:
    Path("bad.yaml").write_text("start: http://127.0.0.1:9/\nscope:\n  pges: 3\norder: sideways\n")
    shown = walker("bad.yaml", "--check")
    assert shown.exit_code == 2
    assert "bad.yaml:3" in shown.stderr
    assert "bad.yaml:4" in shown.stderr
    assert "pages" in shown.stderr


def test_a_site_that_is_not_there_is_told(tmp_path: Path) -> None:
    shown = walker("http://127.0.0.1:9/", "--driver", "http", "--job", "job", "--json")
    assert shown.exit_code == 3
    report = json.loads(shown.stdout)
    assert report["pages"] == 0
    (why,) = report["failures"]
    assert re.fullmatch(r"robots\.txt cannot be fetched: the connection was refused", why), why


def test_the_schema_is_json() -> None:
    schema = json.loads(walker("--schema").stdout)
    assert schema["properties"]["start"]


def test_a_value_too_short_to_be_searched_for_is_told_once(site: CrawlSite, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = "steps: [{type: '#q', text: '${WORD}'}]"
    script = f"start: {site.home}\ndriver: auto\npages:\n- match: /nowhere\n  {steps}\n"
    Path("script.yaml").write_text(script, encoding="utf-8")
    for word, told in (("x", 1), ("hunter2-zebra", 0)):
        monkeypatch.setenv("WORD", word)
        shown = walker("script.yaml", "--fresh", "--pages", "2")
        assert shown.exit_code == 0, shown.output
        assert shown.stderr.count("shorter than 8 characters") == told
        assert "a value that the script types: " in shown.stderr or not told


def test_a_site_that_cannot_be_reached_is_no_complete_crawl_and_is_tried_again(tmp_path: Path) -> None:
    home, arguments = closed_address(), ("--driver", "http", "--json")
    for _ in range(2):
        shown = walker(home, *arguments)
        assert (shown.exit_code, json.loads(shown.stdout)["stop_reason"]) == (3, "nothing fetched")
    page = Answer("<title>Here again</title><p>A page of the site, with a few words on it.</p>")
    with serving(LoopbackSite(lambda asked: page if asked.target == "/" else None, port=urlsplit(home).port or 0)):
        shown = walker(home, *arguments)
    assert (shown.exit_code, json.loads(shown.stdout)["stop_reason"]) == (0, "complete"), shown.output


@pytest.mark.parametrize("file", ["b.csv", "b.jsonl", "b.sqlite", "b.parquet", "b.duckdb#books"])
def test_a_crawl_of_a_site_that_is_down_leaves_the_file_of_an_earlier_one(site: CrawlSite, file: str) -> None:
    path, arguments = Path(file.partition("#")[0]), ("--driver", "http", "--job")
    assert walker(site.home, *arguments, "up", "--pages", "6", "--out-pages", file).exit_code == 0
    before = path.read_bytes()
    shown = walker(closed_address(), *arguments, "down", "--out-pages", file)
    assert shown.exit_code == 3
    assert path.read_bytes() == before
    assert f"{file} is unchanged: nothing was fetched" in " ".join(shown.stderr.split())
    shown = walker(closed_address(), *arguments, "down", "--out-pages", file, "--out-pages", "new.csv", "--json")
    assert json.loads(shown.stdout)["unchanged"] == [file]
    assert len(Path("new.csv").read_text().splitlines()) == 2, "a line for the page that failed, where nothing was"


def test_a_folder_of_markdown_and_passages_of_a_site_that_is_down_stay(site: CrawlSite) -> None:
    outputs = ("--driver", "http", "--markdown", "pages", "--chunks", "chunks.jsonl", "--job")
    assert walker(site.home, *outputs, "up", "--pages", "6").exit_code == 0
    before = {path: path.read_bytes() for path in [*Path("pages").rglob("*.md"), Path("chunks.jsonl")]}
    assert len(before) > 2
    report = json.loads(walker(closed_address(), *outputs, "down", "--json").stdout)
    assert {path: path.read_bytes() for path in [*Path("pages").rglob("*.md"), Path("chunks.jsonl")]} == before
    assert report["unchanged"] == ["pages", "chunks.jsonl"]


def test_a_repetition_leaves_the_records_of_the_crawl_before_where_the_site_is_down() -> None:
    page = Answer("<title>Of yesterday</title><p>A page of the site, with a few words on it.</p>")
    there = LoopbackSite(lambda asked: page if asked.target == "/" else None)
    with serving(there):
        home = there.home
        assert walker(home, "--driver", "http", "--job", "job", "--out-pages", "b.csv").exit_code == 0
    before = [Path(name).read_bytes() for name in ("b.csv", "job/pages.jsonl")]
    shown = walker(home, "--driver", "http", "--job", "job", "--out-pages", "b.csv", "--again", "--json")
    assert (shown.exit_code, json.loads(shown.stdout)["repetition"]) == (3, 2)
    assert [Path(name).read_bytes() for name in ("b.csv", "job/pages.jsonl")] == before
    gone = LoopbackSite(lambda asked: None, port=urlsplit(home).port or 0)
    with serving(gone):
        shown = walker(home, "--driver", "http", "--job", "job", "--out-pages", "b.csv", "--again", "--json")
    assert json.loads(shown.stdout)["changes"]["gone"] == 1
    assert "gone" in Path("b.csv").read_text(), "that the site says so is news"


def test_a_check_needs_no_passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SITE_PASSWORD", raising=False)
    Path("site.yaml").write_text(
        "start: https://example.org/\nlogin:\n  url: https://example.org/sign-in\n  steps:\n"
        '    - {type: "#password", text: "${SITE_PASSWORD}"}\n    - {click: button}\n'
    )
    shown = walker("site.yaml", "--check")
    assert shown.exit_code == 0, shown.output
    assert shown.stderr.splitlines() == [
        "site.yaml: the script is fine",
        "to run it, set in the environment: SITE_PASSWORD",
    ]
    assert walker("site.yaml").exit_code == 2


def test_addresses_are_listed_with_the_word_of_robots_and_nothing_is_fetched(tmp_path: Path) -> None:
    locations = "".join(f"<url><loc>{{home}}{path}</loc></url>" for path in ("", "open", "shut/a"))

    def answer(asked: Asked) -> Answer | None:
        home = mapped.home
        if asked.target == "/robots.txt":
            return Answer(f"User-agent: *\nDisallow: /shut\nSitemap: {home}map.xml\n", kind="text/plain")
        if asked.target == "/map.xml":
            return Answer(f"<urlset>{locations.format(home=home)}</urlset>", kind="text/xml")
        return None

    mapped = LoopbackSite(answer)
    with serving(mapped):
        shown = walker(mapped.home, "--list")
        assert shown.exit_code == 0, shown.output
        home = mapped.home
        assert shown.stdout.splitlines() == [
            f"fetch  {home}",
            f"fetch  {home}open",
            f"skip   {home}shut/a  (robots.txt forbids it)",
        ]
        told = [json.loads(line) for line in walker(home, "--list", "--json").stdout.splitlines()]
        assert [one["allowed"] for one in told] == [True, True, False]
        assert set(mapped.asked) == {"/robots.txt", "/map.xml"}
    assert not (tmp_path / "crawls").exists()


def test_columns_stand_in_the_order_of_the_script(site: CrawlSite) -> None:
    Path("site.yaml").write_text(
        f"start: {site.home}\ndriver: http\npages:\n  - match: /item/*\n    items:\n"
        "      - fields: {stock: .none, price: {select: .price, type: number}, name: h1}\n"
    )
    assert walker("site.yaml", "--max-pages", "9", "-o", "items.csv", "-q").exit_code == 0
    assert Path("items.csv").read_text().splitlines()[0] == "stock,price,name,page_url"


def test_a_field_that_no_item_has_is_told(site: CrawlSite) -> None:
    Path("site.yaml").write_text(
        f"start: {site.home}\ndriver: http\npages:\n  - match: /item/*\n    items:\n"
        "      - fields: {stock: .none, name: h1, author: .nobody}\n"
    )
    shown = walker("site.yaml", "--max-pages", "9")
    assert re.search(r"^items +\d+ \(none has stock, author\)$", shown.output, re.MULTILINE), shown.output
    told = json.loads(walker("site.yaml", "--max-pages", "9", "--json").stdout)
    assert told["empty_fields"] == ["stock", "author"]


def test_pages_are_written_as_markdown_files_and_passages(site: CrawlSite) -> None:
    shown = walker(
        site.home, "--driver", "http", "--max-pages", "4", "--markdown", "out", "--chunks", "chunks.jsonl", "-q"
    )
    assert shown.exit_code == 0, shown.output
    files = list(Path("out").rglob("*.md"))
    assert len(files) == 4
    assert all(path.read_text().startswith(f'---\nurl: "{site.home}') for path in files)
    assert {"url", "title", "headings", "number", "text"} == set(
        json.loads(Path("chunks.jsonl").read_text().splitlines()[0])
    )


def test_a_crawl_again_says_what_has_changed_and_writes_nothing_else(tmp_path: Path) -> None:
    with serve_versions("etag", 9) as site:
        command = (site.home, "--driver", "http", "--keep", "text", "--job", "job", "--out-pages", "pages.jsonl")
        assert walker(*command).exit_code == 0
        site.change(3)
        site.gone.add(5)
        shown = walker(*command, "--again", "--changed-only")
        assert shown.exit_code == 0, shown.output
        assert "crawl 2 of this job" in shown.stderr
        assert re.search(
            r"changes +0 new, 1 changed, 8 unchanged \(8 not fetched\), 1 gone\n +1 × HTTP 404", shown.stderr
        )
        rows = [json.loads(line) for line in Path("pages.jsonl").read_text().splitlines()]
        assert {urlsplit(row["url"]).path: row["change"] for row in rows} == {"/page/3": "changed", "/page/5": "gone"}
        report = json.loads(walker(*command, "--again", "--json").stdout)
        assert report["changes"] == {"new": 0, "changed": 0, "unchanged": 9, "not modified": 9, "gone": 0}
        assert report["repetition"] == 3


def test_a_header_is_taken_from_the_environment_and_never_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(asked: Asked) -> Answer:
        keys.append(asked.headers.get("X-Key", ""))
        return Answer("<h1>Front</h1>") if asked.path == "/" else Answer(status=404)

    keys: list[str] = []
    monkeypatch.setenv("SITE_KEY", "plum-5772-pear")
    with serving(LoopbackSite(answer)) as site:
        command = (site.home, "--driver", "http", "--job", "job", "--json")
        assert walker(*command, "--header", "X-Key: ${SITE_KEY}").exit_code == 0
    assert set(keys) == {"plum-5772-pear"}
    written = [path for path in tmp_path.rglob("*") if path.is_file() and b"plum-5772" in path.read_bytes()]
    assert not written
    wrong = walker("https://a.example/", "--header", "plum-5772-pear")
    assert (wrong.exit_code, "plum" in wrong.output) == (2, False)
