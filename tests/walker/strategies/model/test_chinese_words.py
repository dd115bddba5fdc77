"""A prompt in Chinese speaks of the page and of the walk in Chinese."""

from __future__ import annotations

import re

import pytest

from memory.focus import defocus
from memory.state import MoveNote, PageNote, WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UrlStack
from tests.fixtures.paper import HOME, page
from tests.walker.strategies.model.shown_page import digest

_PART = "这一年没有什么值得记下来的事情，考察站整个冬天都关着。"
_DAYS = ("2024-11-02", "2024-10-20", "2024-10-03", "2024-09-10")
_WORD = re.compile(r"[A-Za-z]{2,}")
LONG = page("船", "".join(f"<h2>第{n}章</h2><p>{_PART * 20}</p>" for n in range(1, 30)))
LIST = page(
    "船",
    "<ul>" + "".join(f"<li><a href='/n/{n}.html'>第{n}号</a> {day}</li>" for n, day in enumerate(_DAYS)) + "</ul>"
    '<div>1 <a href="/boats.html?page=2">2</a> <a href="/boats.html?page=9">9</a></div>',
)
INDEX = page(
    "目录",
    "".join(
        f"<h2>第{n}章</h2><ul>" + "".join(f"<li><a href='/{n}/{k}.html'>第{k}节</a></li>" for k in range(30)) + "</ul>"
        for n in range(20)
    ),
)
ACTIONS = frozenset(("read", "list", "http", "reef", "example", "boats", "html"))


@pytest.mark.parametrize(("html", "tokens"), [(LONG, 1500), (LIST, 1500), (INDEX, 1500)])
def test_what_is_told_of_a_chinese_page_is_chinese(html: str, tokens: int) -> None:
    shown = digest(html, tokens, query="2003年的船有多少条？", language="zh", with_lists=True).text
    assert set(_WORD.findall(shown)) <= ACTIONS


def test_the_steps_are_told_in_chinese() -> None:
    key = key_of(HOME)
    stack = UrlStack().push(Frame(url=HOME, key=key, title="船"))
    pages = (PageNote(step=1, url=HOME + "a", key=key + "a", title="船", outcome="read"),)
    memory = WalkMemory(
        step=2,
        stack=stack,
        pages=(*pages, PageNote(step=2, url=HOME, key=key, title="港", outcome="read")),
        moves=(MoveNote(step=2, page=key, what="read part 3"),),
    )
    assert defocus(memory, "zh").splitlines() == ["1. 船 (/a): 无", "本页：read part 3"]
    assert defocus(memory).splitlines() == ["1. 船 (/a): nothing", "here: read part 3"]
