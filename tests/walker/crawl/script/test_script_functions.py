from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from walker.crawl.job_records import FoundLink, PageContent
from walker.crawl.script.script_functions import ScriptFailed
from walker.crawl.script.spec_loader import CrawlScript, read_script
from walker.crawl.script.spec_problems import BadScript

PAGE = PageContent(url="https://example.org/a", title="A")
HEAD = "from walker.crawl.script.spec import CrawlSpec\ncrawl = CrawlSpec(start='https://example.org/')\n"


def script(folder: Path, text: str) -> CrawlScript:
    path = folder / "site.py"
    path.write_text(text, encoding="utf-8")
    return read_script(path, {})


def refused(folder: Path, text: str) -> list[str]:
    with pytest.raises(BadScript) as error:
        script(folder, text)
    return [line.removeprefix(f"{folder / 'site.py'}:") for line in error.value.lines]


def test_functions_are_called_with_what_they_ask_for(tmp_path: Path) -> None:
    functions = script(
        tmp_path,
        HEAD
        + dedent("""
        from collections.abc import Iterator
        from walker.crawl.job_records import FoundLink, PageContent

        def items(page: PageContent, html: str) -> Iterator[dict]:
            yield {"title": page.title, "size": len(html), "pair": (1, 2)}

        def follow(link: FoundLink) -> bool:
            return "skip" not in link.url
        """),
    ).functions
    assert functions.items_of(PAGE, "<p>") == ({"title": "A", "size": 3, "pair": [1, 2]},)
    assert functions.follows(FoundLink(url="https://example.org/b"), PAGE)
    assert not functions.follows(FoundLink(url="https://example.org/skip"), PAGE)


def test_without_functions_nothing_is_found_and_all_is_followed(tmp_path: Path) -> None:
    functions = script(tmp_path, HEAD).functions
    assert functions.items_of(PAGE, "") == ()
    assert functions.follows(FoundLink(url="https://example.org/b"), PAGE)


def test_an_items_function_is_enough_for_a_quota(tmp_path: Path) -> None:
    text = HEAD.replace("')\n", "', counter={'mode': 'quota', 'target': 2})\n") + "def items(page): return []\n"
    assert script(tmp_path, text).spec.counter.target == 2


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("x = (", ["1:5: not Python ('(' was never closed)"]),
        (
            "\nimport nothing_of_this_name",
            ["2:1: the script raised ModuleNotFoundError: No module named 'nothing_of_this_name'"],
        ),
        ("x = 1", ["1:1: there is no crawl; expected crawl = CrawlSpec(...) from walker.crawl.script.spec"]),
        ("\ncrawl = {}", ["2:1: crawl is a dict; expected crawl = CrawlSpec(...) from walker.crawl.script.spec"]),
        (
            "from walker.crawl.script.spec import CrawlSpec\n\ncrawl = CrawlSpec(start='https://a.org/', scop={}, order='x')",
            [
                "3:1: order: 'x' is not known; expected one of depth-first, breadth-first, best-first, level-by-level",
                "3:1: scop: is not known; did you mean scope?",
            ],
        ),
        (
            HEAD.replace("https://", ""),
            ["2:1: start[0]: 'example.org/': the scheme is missing; Did you mean https://example.org/ ?"],
        ),
        (
            HEAD + "def item(page): return []",
            ["3:1: item: is never called; did you mean items? A _ in front silences this"],
        ),
        (HEAD + "def items(url): return []", ["3:1: items: takes (url); expected items(page) or items(page, html)"]),
        (HEAD + "async def follow(link): return True", ["3:1: follow: is async; expected a plain function"]),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str, lines: list[str]) -> None:
    assert refused(tmp_path, text) == lines


def test_a_function_that_fails_names_its_line_and_the_page(tmp_path: Path) -> None:
    functions = script(tmp_path, HEAD + "def items(page):\n    return [1 / 0]\n").functions
    with pytest.raises(
        ScriptFailed, match=r"site.py:4: items\(\) raised ZeroDivisionError: .* It was at https://example.org/a"
    ):
        functions.items_of(PAGE, "")
    functions = script(tmp_path, HEAD + "def items(page):\n    return [{'x': object()}]\n").functions
    with pytest.raises(ScriptFailed, match=r"items\(\) raised TypeError"):
        functions.items_of(PAGE, "")


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        ("Mine('own')", "Mine: own"),
        ("SystemExit(4)", "SystemExit: 4"),
        ("KeyboardInterrupt", "KeyboardInterrupt"),
        ("KeyboardInterrupt('enough')", "KeyboardInterrupt: enough"),
        ("GeneratorExit", "GeneratorExit"),
        ("BaseException('x')", "BaseException: x"),
    ],
)
def test_a_function_may_fail_in_any_way(tmp_path: Path, raised: str, told: str) -> None:
    code = f"class Mine(Exception):\n    pass\ndef items(page):\n    raise {raised}\n"
    functions = script(tmp_path, HEAD + code + f"def follow(link):\n    raise {raised}\n").functions
    with pytest.raises(ScriptFailed, match=f"raised {told}"):
        functions.items_of(PAGE, "")
    with pytest.raises(ScriptFailed, match=f"raised {told}"):
        functions.follows(FoundLink(url=PAGE.url), PAGE)
    with pytest.raises(BadScript, match=f"the script raised {told}"):
        script(tmp_path, HEAD + f"class Mine(Exception):\n    pass\nraise {raised}\n")
