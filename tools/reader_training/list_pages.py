"""Lists of Markdown pages as a walk reads them: each page is written as HTML and observed, and its lists are weighed."""

from __future__ import annotations

import html
import re
from functools import lru_cache

import msgspec
from markdown_it import MarkdownIt

from memory.retrieval import Ranker
from memory.words import tokens
from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tools.reader_training.front_matter import title_and_text
from walker.assembly import read_task
from walker.strategies.answers.list_signals import ListCandidate, list_candidates
from walker.strategies.answers.lists import PageLists
from walker.strategies.builtin.counted_lists import AskedCount, asked_count
from walker.strategies.question.question import Part, read_question

_TEMPLATE = re.compile(
    r"\{%.*?%\}|\{\{.*?\}\}|^(?:import\b[^\n]*\bfrom\b|export\b)[^\n]*$|^[ \t]*:::[^\n]*$"
    r"|[ \t]*\{:?[ \t]*(?:[.#][\w-]+|\w+=[^\n{}]*)[^\n{}]*\}[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
"""What a site's program replaces or leaves out: templates, imports of MDX, the marks of a box, attributes of a heading or picture."""
_BOX = re.compile(
    r"^([ \t]*)(?:!!!|\?\?\?\+?|===\+?)[ \t]+([^\n]*)\n((?:[ \t]*\n|\1(?: {4}|\t)[^\n]*(?:\n|\Z))+)", re.MULTILINE
)
"""A box of MkDocs: its mark and title, and what is written below it and indented."""
BOXES_WITHIN = 3
"""Boxes within boxes that are opened."""
_PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


class AskedOfLists(msgspec.Struct, frozen=True, kw_only=True):
    """A question that counts or names several, as it is read; None of `count` where it is not read as one."""

    part: Part
    count: AskedCount | None


@lru_cache(maxsize=4000)
def page_of(site: str, path: str, source: str) -> Observation:
    """A Markdown file as a page of `http://SITE.example/`."""
    title, text = title_and_text(path, source.replace("\r\n", "\n"))
    body = _PARSER.render(_TEMPLATE.sub("", _unboxed(text)))
    heading = "" if "<h1" in body else f"<h1>{html.escape(title)}</h1>"
    markup = f"<html><head><title>{html.escape(title)}</title></head><body><main>{heading}{body}</main></body></html>"
    url = f"http://{site}.example/{path.rsplit('.', 1)[0]}"
    return observe(Snapshot(url=url, final_url=url, status=200, html=markup))


def _unboxed(text: str) -> str:
    """The text with what stands in boxes as part of it, below their titles."""
    for _ in range(BOXES_WITHIN):
        text = _BOX.sub(_of_box, text)
    return text


def _of_box(box: re.Match[str]) -> str:
    quoted = re.search(r'"([^"]*)"', box[2])
    title = f"{box[1]}**{quoted[1]}**\n" if quoted and quoted[1] else ""
    within = re.sub(rf"^{box[1]}(?: {{4}}|\t)", box[1], box[3], flags=re.MULTILINE)
    return f"{title}\n{within}\n"


def read_asked(question: str, language: str) -> AskedOfLists:
    """What a question counts."""
    task = read_task("http://site.example/", question, language)
    read = read_question(question, task.language)
    return AskedOfLists(part=read.parts[0], count=asked_count(task, read) if len(read.parts) == 1 else None)


def candidates_on(page: Observation, part: Part, count: AskedCount, site: str, ranker: Ranker) -> list[ListCandidate]:
    """The lists of a page that may be meant, likeliest first."""
    return list_candidates(PageLists(page), part, count.noun, count.target, frozenset(tokens(site)), ranker)
