from __future__ import annotations

import json
import os
from pathlib import Path
from textwrap import dedent

import pytest

from walker.crawl.script.secret_text import fill_in, secrets_of
from walker.crawl.script.spec import CrawlSpec, Step
from walker.crawl.script.spec_loader import read_script, spec_of_root, spec_schema
from walker.crawl.script.spec_problems import BadScript
from walker.errors import UsageError


def refused(folder: Path, text: str, environment: dict[str, str] | None = None) -> list[str]:
    """The lines that a script is refused with, without its path."""
    path = folder / "site.yaml"
    path.write_text(dedent(text), encoding="utf-8")
    with pytest.raises(BadScript) as error:
        read_script(path, environment)
    assert str(error.value) == "\n".join(error.value.lines)
    return [line.removeprefix(f"{path}:") for line in error.value.lines]


def accepted(folder: Path, text: str, environment: dict[str, str] | None = None) -> CrawlSpec:
    path = folder / "site.yaml"
    path.write_text(dedent(text), encoding="utf-8")
    return read_script(path, environment).spec


def test_one_may_stand_for_a_list_of_one(tmp_path: Path) -> None:
    spec = accepted(
        tmp_path,
        """
        start: https://example.org/
        sitemaps: https://example.org/sitemap.xml
        pages:
          match: /a/*
          steps: {click: .more, until: gone}
          items: {each: li, fields: {name: h2, size: {select: .n, type: number}}, key: name}
        output: {items: a.csv}
        """,
    )
    assert spec.start == ("https://example.org/",)
    assert spec.sitemaps == ("https://example.org/sitemap.xml",)
    assert spec.pages[0].steps == (Step(click=".more", until="gone"),)
    assert spec.pages[0].items[0].fields["name"].select == "h2"
    assert spec.pages[0].items[0].key == ("name",)
    assert spec.output.items == (Path("a.csv"),)


def test_a_text_stays_as_it_was_written(tmp_path: Path) -> None:
    spec = accepted(
        tmp_path,
        """
        start: [https://example.org/]
        scope:
        pages:
          - steps:
              - {type: input, text: 007}
              - {type: input, text: no}
              - {type: input, text: 2024-01-02}
              - {click: a, optional: yes}
        polite: {robots: off, delay: 1.5}
        """,
    )
    assert [step.text for step in spec.pages[0].steps] == ["007", "no", "2024-01-02", ""]
    assert spec.pages[0].steps[3].optional
    assert not spec.polite.robots
    assert spec.polite.delay == 1.5


def test_json_and_anchors_are_read(tmp_path: Path) -> None:
    path = tmp_path / "site.json"
    path.write_text(json.dumps({"start": ["https://example.org/"], "scope": {"pages": 5}}), encoding="utf-8")
    assert read_script(path).spec.scope.pages == 5
    spec = accepted(
        tmp_path,
        """
        start: https://example.org/
        pages:
          - &more {match: /a/*, steps: [{click: .more}]}
          - {<<: *more, match: /b/*}
        """,
    )
    assert [rule.match for rule in spec.pages] == ["/a/*", "/b/*"]
    assert spec.pages[0].steps == spec.pages[1].steps


def test_all_that_is_wrong_is_told_at_once_with_its_place(tmp_path: Path) -> None:
    lines = refused(
        tmp_path,
        """\
        start: example.org
        depth: 3
        scope:
          dept: 4
          include: ["re:(?!b)(a+)+"]
          pages: many
        order: deep-first
        counter: {mode: quota, taget: 3}
        pages:
          - match: /a/**
            stepps: []
            steps:
              - clik: .more
              - {click: ".x[", wait: 3}
              - {type: "#pw", text: "${PASSWORD}"}
            items:
              - each: //li[
                fields:
                  a: {selct: b}
                  type: {select: "b:foo", tpe: c}
                key: b
        output: {items: [a.xls], warc: x.zip}
        """,
        {},
    )
    assert lines == [
        "1:8: start[0]: 'example.org': the scheme is missing; Did you mean https://example.org ?",
        "2:1: depth: is not known; did you mean scope.depth?",
        "4:3: scope.dept: is not known; did you mean depth?",
        "5:13: scope.include[0]: a regular expression with lookaround or the like repeats what repeats, such as (a+)+",
        "6:10: scope.pages: 'many' does not fit; expected a whole number",
        "7:8: order: 'deep-first' is not known; did you mean depth-first?",
        "8:24: counter.taget: is not known; did you mean target?",
        "11:5: pages[0].stepps: is not known; did you mean steps?",
        "13:9: pages[0].steps[0].clik: is not known; did you mean click?",
        (
            "14:9: pages[0].steps[1]: does click and wait at once; expected exactly one of click, scroll, type, submit, "
            "dismiss, wait_for, wait"
        ),
        "14:17: pages[0].steps[1].click: '.x[' is not CSS (Expected ident or '*', got <EOF at 3>)",
        "15:29: pages[0].steps[2].text: PASSWORD is not in the environment; set it: export PASSWORD=...",
        "17:15: pages[0].items[0].each: '//li[' is not supported XPath (Invalid expression)",
        "19:15: pages[0].items[0].fields.a.selct: is not known; did you mean select?",
        "20:26: pages[0].items[0].fields.type.select: 'b:foo' is not supported CSS (The pseudo-class :foo is unknown)",
        "20:35: pages[0].items[0].fields.type.tpe: is not known; did you mean type?",
        "21:14: pages[0].items[0].key[0]: there is no field 'b'; expected one of a, type",
        "22:18: output.items[0]: 'a.xls' has no known file extension; expected one of .jsonl .csv .parquet .sqlite",
        "22:32: output.warc: 'x.zip' has no known file extension; expected one of .warc .warc.gz",
    ]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", "1:1: the script is empty"),
        ("scope: {}", "1:1: start: is missing; expected: Start URLs, at least one"),
        ("- a", "1:1: a list does not fit; expected a mapping of keys to values"),
        ("start: []", "1:8: start: a list does not fit; expected at least one entry"),
        ("start: ftp://a.org", "1:8: start[0]: 'ftp://a.org': ftp is not http or https; Walker opens web pages only"),
        ("start: a\nstart: b", "2:1: start is given twice, first in line 1"),
        (
            "start: !!python/name:os.system x",
            "1:8: the tag tag:yaml.org,2002:python/name:os.system is not supported",
        ),
        ("start: [a", "1:10: not YAML (expected ',' or ']', but got '<stream end>')"),
        ("a: &a [*a]", "1:4: nested deeper than 24"),
        ("a: 1\n--- \nb: 2", "2:1: not YAML (but found another document)"),
        ("a: b\nc: d\x00e", "2:5: not YAML (the character '\\x00' is not allowed)"),
        ("[a]: b", "1:1: a key is a single word"),
    ],
)
def test_what_is_no_script_says_so(tmp_path: Path, text: str, line: str) -> None:
    found = refused(tmp_path, text)
    assert [one.replace("nested too deep", "nested deeper than 24") for one in found] == [line]


def test_a_merge_bomb_is_stopped(tmp_path: Path) -> None:
    rows = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    rows += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    [line] = refused(tmp_path, "\n".join(rows))
    assert line.endswith("aliases expand to more than 20000 values")
    rows = ["m0: &m0 {k: v}"] + [f"m{n}: &m{n} {{<<: [{', '.join([f'*m{n - 1}'] * 10)}]}}" for n in range(1, 9)]
    [line] = refused(tmp_path, "\n".join(rows))
    assert line.endswith("aliases expand to more than 20000 values")


START = "start: https://example.org/\n"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("counter: {mode: quota}\nitems: auto", "2:10: counter: a quota needs a target; expected target: 1 or more"),
        ("counter: {target: 3}", "2:19: counter.target: has no meaning with mode: exhaustive; say mode: quota"),
        (
            "counter: {mode: quota, target: 3}",
            (
                "2:17: counter.mode: no rule says what an item is; say items: auto, or give items to a page rule; "
                "scope.pages limits pages"
            ),
        ),
        ("order: best-first", "2:8: order: best-first needs words; expected best: words of a relevant link"),
        ("best: words", "2:7: best: has no meaning with order: depth-first; say order: best-first"),
        (
            "driver: http\npages: [{steps: [{click: a}]}]",
            "3:17: pages[0].steps: driver http takes no steps; say driver: auto",
        ),
        ("driver: http\nkeep: screenshot", "2:9: driver: driver http makes no screenshots; say driver: auto"),
        ("driver: http\npress: true", "3:8: press: driver http presses nothing; say driver: auto"),
        (
            "pages: [{steps: [{}]}]",
            (
                "2:18: pages[0].steps[0]: does nothing; expected exactly one of click, scroll, type, submit, dismiss, "
                "wait_for, wait"
            ),
        ),
        ("pages: [{steps: [{type: a}]}]", "2:18: pages[0].steps[0]: types no text; expected text: what is typed"),
        (
            "pages: [{steps: [{click: a, text: b}]}]",
            "2:35: pages[0].steps[0].text: has no field to be typed into; expected type: selector",
        ),
        (
            "scope: {hosts: ['https://a.org/']}",
            "2:17: scope.hosts[0]: 'https://a.org/' is not a host; expected a host such as example.org or *.example.org",
        ),
        (
            "scope: {path: docs}",
            "2:15: scope.path: 'docs' is not the beginning of a path; expected /folder/; patterns go into include",
        ),
        ("scope: {pages: -1}", "2:16: scope.pages: '-1' is out of range; expected at least 0"),
        ("page_seconds: .inf", "2:15: page_seconds: '.inf' does not fit; expected a number"),
        ("page_seconds: inf", "2:15: page_seconds: 'inf' does not fit; expected a finite number"),
        ("concurrency: 2.5", "2:14: concurrency: '2.5' does not fit; expected a whole number"),
        ("polite: {robots: perhaps}", "2:18: polite.robots: 'perhaps' does not fit; expected true or false"),
        (
            "polite: {contact: 'a@b.org\n\n X: y'}",
            "2:19: polite.contact: cannot be sent in a header; expected printable ASCII on one line",
        ),
        ("login: {url: 'https://a.org/'}", "2:8: login.steps: is missing; expected: Typing and clicking steps there"),
        ("name: '${NAME}'", "2:7: name: ${...} is allowed in the text of a step, in headers and in the proxy only"),
        (
            "output: {items: [a.csv, ./a.csv]}",
            "2:25: output.items[1]: 'a.csv' is named twice; expected a file of its own",
        ),
        (
            "state_in: none.json",
            (
                "2:11: state_in: 'none.json' cannot be read (No such file or directory); "
                "expected a storage state as Playwright and state_out write it"
            ),
        ),
        ("sitemaps: robot", "2:11: sitemaps: 'robot' is not known; did you mean robots?"),
        (
            "pages: {url: /a}",
            "2:14: pages[0].url: is not known; expected one of match, steps, items, keep, follow",
        ),
        (
            "pages: {items: {select: li}}",
            (
                "2:25: pages[0].items[0].select: is not known; did you mean pages.items.fields.select?"
                " Known here: each, fields, key"
            ),
        ),
        (
            "pages: {items: {name: book}}",
            "2:23: pages[0].items[0].name: is not known; it belongs at the top of the script. Known here: each, fields, key",
        ),
        ("keep: [mardown]", "2:8: keep[0]: 'mardown' is not known; did you mean markdown?"),
        (
            "pages: [{items: [{each: 'li::before'}]}]",
            "2:25: pages[0].items[0].each: 'li::before' is not supported CSS (Pseudo-elements are not supported.)",
        ),
        (
            "pages: [{items: [{each: '//li[foo()]'}]}]",
            "2:25: pages[0].items[0].each: '//li[foo()]' is not supported XPath (foo() is not a function of XPath 1.0)",
        ),
    ],
)
def test_what_does_not_go_together_is_told(tmp_path: Path, text: str, line: str) -> None:
    assert refused(tmp_path, START + text) == [line]


def test_files_that_cannot_be_written_are_told_before_the_crawl(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.csv").mkdir()
    lines = refused(
        tmp_path, START + f"output: {{items: [{tmp_path}/file/a.csv, {tmp_path}/folder.csv, {tmp_path}/new/a.csv]}}"
    )
    assert [line.partition(": '")[2] for line in lines] == [
        f"{tmp_path}/file' is a file; expected a folder",
        f"{tmp_path}/folder.csv' is a folder; expected the path of a file",
    ]


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is forbidden to this user")
def test_a_folder_without_permission_is_told(tmp_path: Path) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    [line] = refused(tmp_path, START + f"output: {{warc: {closed}/a.warc}}")
    assert "cannot be written" in line


def test_the_file_itself_may_be_wrong(tmp_path: Path) -> None:
    with pytest.raises(BadScript, match=r"none.yaml: cannot be read \(No such file or directory\); check the path"):
        read_script(tmp_path / "none.yaml")
    with pytest.raises(BadScript, match="not a crawl script; expected a file ending"):
        read_script(tmp_path / "site.txt")
    (tmp_path / "a.yaml").write_bytes(b"start: x\nname: \xff")
    with pytest.raises(BadScript, match=r"a.yaml:2: not UTF-8"):
        read_script(tmp_path / "a.yaml")
    (tmp_path / "a.yaml").write_bytes(b"#" * 300_000)
    with pytest.raises(BadScript, match="larger than 256 KiB"):
        read_script(tmp_path / "a.yaml")


def test_what_is_typed_may_come_from_the_environment(tmp_path: Path) -> None:
    environment = {"PASSWORD": "secret"}
    spec = accepted(
        tmp_path,
        START + "login: {url: 'https://a.org/', steps: [{type: '#pw', text: 'x${PASSWORD}y'}, {submit: form}]}",
        environment,
    )
    assert spec.login
    text = spec.login.steps[0].text
    assert text == "x${PASSWORD}y"
    assert fill_in(text, environment) == "xsecrety"
    assert secrets_of(spec, environment) == ("secret",)
    with pytest.raises(UsageError, match=r"PASSWORD is not in the environment\. Set it: export PASSWORD="):
        fill_in(text, {})


def test_a_root_alone_is_a_script() -> None:
    spec = spec_of_root("https://example.org/docs/", scope={"pages": 3}, order="breadth-first")
    assert (spec.start, spec.scope.pages, spec.order) == (("https://example.org/docs/",), 3, "breadth-first")
    with pytest.raises(BadScript, match=r"^'example.org': the scheme is missing. Did you mean https://example.org \?$"):
        spec_of_root("example.org")
    with pytest.raises(BadScript, match="depht: is not known; did you mean depth"):
        spec_of_root("https://example.org/", scope={"depht": 3})


def test_the_schema_describes_every_key() -> None:
    schema = spec_schema()
    parts = [schema, *schema["$defs"].values()]
    bare = [
        f"{part['title']}.{name}"
        for part in parts
        for name, entry in part["properties"].items()
        if "description" not in entry
    ]
    assert bare == []
    assert schema["required"] == ["start"]
    assert schema["properties"]["start"]["anyOf"][1] == {"type": "string"}
    json.dumps(schema)
