"""`walker watch` as a person uses it: a question, a script, a crawl and a schema, each checked again after the site changed."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.sites.serving import Answer, Asked, LoopbackSite, serving
from tests.walker.cli.program import walker_here
from walker.flows.script import Answer as FlowAnswer
from walker.flows.script import Effect, FlowScript, FlowStep, Locator, Passage
from walker.flows.script_file import text_of

pytestmark = pytest.mark.usefixtures("kept_chromium")


class Shop(LoopbackSite):
    """Two pages with ETags."""

    def __init__(self) -> None:
        super().__init__(keep_alive=True)
        self.price = "12 EUR"
        self.is_down = False
        self.not_modified = 0

    def answer(self, asked: Asked) -> Answer | None:
        if self.is_down:
            return Answer("<h1>Down</h1>", 500)
        text = "The blue mug holds 300 ml, is made by hand, and is glazed twice so that it lasts for many years of daily use."
        pages = {
            "/": f'<title>Shop</title><main><h1>Shop</h1><p>{text}</p><a href="/mug">Blue mug</a></main>',
            "/mug": f"<title>Blue mug</title><main><h1>Blue mug</h1><p>{text}</p><p>The price of the blue mug is {self.price}.</p>"
            f"<table><tr><th>Price</th><td>{self.price}</td></tr><tr><th>Size</th><td>300 ml</td></tr></table></main>",
        }
        body = pages.get(asked.path)
        if body is None:
            return None
        tag = f'"{hash(body)}"'
        if asked.headers.get("If-None-Match") == tag:
            self.not_modified += 1
            return Answer(status=304, headers=(("ETag", tag),))
        return Answer(f'<!doctype html><html lang="en"><body>{body}</body></html>', headers=(("ETag", tag),))


@pytest.fixture
def shop() -> Iterator[Shop]:
    with serving(Shop()) as site:
        yield site


def watch(folder: Path, *arguments: str, **more: str) -> tuple[int, dict[str, Any]]:
    ended = walker_here("watch", *arguments, "--json", "-q", folder=folder, **more)
    assert ended.out, ended.err
    return ended.code, json.loads(ended.out.splitlines()[-1])


def test_a_script_is_watched_and_its_change_runs_a_command(shop: Shop, tmp_path: Path) -> None:
    row = "Price | 12 EUR"
    script = FlowScript(
        walker="flow/1",
        start=shop.home,
        question="What does the blue mug cost?",
        steps=(
            FlowStep(open="{start}"),
            FlowStep(follow="Blue mug", find=(Locator(role="link", name="Blue mug"),), expect=Effect(url="/mug")),
        ),
        answer=FlowAnswer(value="12 EUR", passages=(Passage(step=2, quote=row, value="12 EUR", label="Price"),)),
    )
    (tmp_path / "mug.yaml").write_text(text_of(script))
    (tmp_path / "note.py").write_text("import sys; open('told.json', 'w').write(sys.stdin.read())")
    flags = ("--script", "mug.yaml", "--command", f"{sys.executable} note.py")
    assert watch(tmp_path, *flags)[0] == 0
    assert watch(tmp_path, *flags)[1]["state"] == "same"
    shop.price = "14 EUR"
    code, check = watch(tmp_path, *flags)
    assert (code, check["state"], check["change"]["answer"]) == (10, "changed", {"was": "12 EUR", "now": "14 EUR"})
    assert json.loads((tmp_path / "told.json").read_text())["lines"] == ["- 12 EUR", "+ 14 EUR"]
    shop.is_down = True
    code, check = watch(tmp_path, *flags)
    assert (code, check["state"]) == (1, "failed")
    assert "step 1" in check["error"]
    shown = walker_here("watch", "--script", "mug.yaml", "--history", folder=tmp_path)
    assert [line.split(maxsplit=3)[3][:7] for line in shown.out.splitlines() if line[:4].strip().isdigit()] == [
        "first: ",
        "same: 1",
        "changed",
        "failed:",
    ]
    assert "        command: exit code 0" in shown.out.splitlines()


def test_a_crawl_is_repeated_with_conditions_and_says_which_pages_changed(shop: Shop, tmp_path: Path) -> None:
    (tmp_path / "shop.yaml").write_text(f"start: {shop.home}\ndriver: http\nkeep: text\npolite: {{probe: false}}\n")
    code, first = watch(tmp_path, "--spec", "shop.yaml")
    assert (code, first["state"], first["found"]["pages"]["pages"]) == (0, "first", 2)
    assert (watch(tmp_path, "--spec", "shop.yaml")[1]["state"], shop.not_modified) == ("same", 2)
    shop.price = "14 EUR"
    code, check = watch(tmp_path, "--spec", "shop.yaml")
    assert (code, check["repetition"]) == (10, 3)
    assert check["change"]["pages"] == [{"url": f"{shop.home}mug", "change": "changed", "title": "Blue mug"}]
    # A kill after the crawl and before its line: the crawl that is done is not made again, and its change not lost.
    history = tmp_path / "watches" / "shop" / "history.jsonl"
    lines = history.read_bytes().splitlines(keepends=True)
    history.write_bytes(b"".join(lines[:-1]))
    asked = len(shop.asked)
    code, again = watch(tmp_path, "--spec", "shop.yaml")
    assert (code, again["repetition"], again["change"]) == (10, 3, check["change"])
    assert len(shop.asked) == asked
    assert watch(tmp_path, "--spec", "shop.yaml")[1]["state"] == "same"


def test_a_question_and_a_schema_are_watched(shop: Shop, tmp_path: Path) -> None:
    question = ("What does the blue mug cost?", "--no-record")
    first = watch(tmp_path, f"{shop.home}mug", *question)[1]
    schema = {"type": "object", "properties": {"price": {"type": "number"}}}
    (tmp_path / "mug.json").write_text(json.dumps(schema))
    typed = (f"{shop.home}mug", "--schema", "mug.json", "--max-pages", "1", "--no-record")
    assert watch(tmp_path, *typed)[1]["found"]["fields"] == {"price": "12"}
    shop.price = "14 EUR"
    code, check = watch(tmp_path, *typed)
    assert (code, check["change"]["fields"]) == (10, {"price": {"was": "12", "now": "14"}})
    code, now = watch(tmp_path, f"{shop.home}mug", *question)
    assert "12" in first["found"]["answer"]
    assert (code, "14" in now["found"]["answer"]) == (10, True)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "say what is watched"),
        (("http://a.example/",), "ROOT needs a question"),
        (("http://a.example/", "Q?", "--every", "1h", "--once"), "go one at a time"),
        (("http://a.example/", "Q?", "--every", "soon"), "--every soon: is no interval. Write it as 15m, 1h or 2d"),
        (("http://a.example/", "Q?", "--max-checks", "2"), "--max-checks goes with --every or --cron"),
        (("http://a.example/", "Q?", "--webhook", "http://b.example/"), "WALKER_WEBHOOK_SECRET is not set"),
        (("http://a.example/", "Q?", "--set", "a=b"), "--set goes with --script"),
        (("--script", "none.yaml"), "none.yaml: cannot be read"),
        (("--spec", "none.yaml", "--history"), "nothing was watched there yet"),
    ],
)
def test_what_cannot_be_watched_is_told_before_anything_is_opened(
    arguments: tuple[str, ...], said: str, tmp_path: Path
) -> None:
    ended = walker_here("watch", *arguments, folder=tmp_path)
    assert (ended.code, said in ended.err) == (2, True), ended.err
    assert not (tmp_path / "watches").exists()
