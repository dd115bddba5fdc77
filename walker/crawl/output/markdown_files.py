"""Pages as Markdown: a folder of files with front matter, and passages of them for retrieval."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from walker.files.atomic_output import write_output

CHUNK_CHARS = 1_200
"""Most characters of a passage, unless a paragraph or a block of code alone is longer."""
NAME_CHARS = 80
_UNSAFE = re.compile(r"[^\w.-]+")
_HEADING = re.compile(r"(#{1,6})\s+(.+)")
_FENCE = re.compile(r"\s*(```|~~~)")


def write_markdown_folder(folder: Path, pages: Iterable[Mapping[str, Any]]) -> int:
    """Write a file for each page that has Markdown, by the path of its address (`docs/guide.md`), and return their number. Front
    matter says `url`, `title`, `depth` and `fetched` (UTC). Raises `OutputUnwritable`."""
    taken: set[str] = set()
    for page in pages:
        if text := page.get("markdown"):
            name = _name_of(str(page.get("final_url") or page["url"]))
            if name.casefold() in taken:
                name = f"{name}-{hashlib.sha256(page['url'].encode()).hexdigest()[:8]}"
            taken.add(name.casefold())
            write_output(folder / f"{name}.md", f"{_front_matter(page)}\n{text}\n".encode())
    return len(taken)


def passages_of(pages: Iterable[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The pages' Markdown in passages under their headings, in order: `url`, `title`, `headings` from the top down, `number` on the
    page from 0, `text`."""
    for page in pages:
        for number, (headings, text) in enumerate(_cut(str(page.get("markdown") or ""))):
            url, title = page.get("final_url") or page["url"], page.get("title", "")
            yield {"url": url, "title": title, "headings": list(headings), "number": number, "text": text}


def _front_matter(page: Mapping[str, Any]) -> str:
    fetched = dt.datetime.fromtimestamp(float(page.get("fetched_at") or 0), dt.UTC).isoformat(timespec="seconds")
    values = {
        "url": page.get("final_url") or page["url"],
        "title": page.get("title", ""),
        "depth": page.get("depth", 0),
        "fetched": fetched,
    }
    # A JSON text is a YAML text.
    lines = [f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in values.items()]
    return "\n".join(("---", *lines, "---", ""))


def _name_of(url: str) -> str:
    """The path of an address as a path without its ending that any file system takes."""
    parts = urlsplit(url)
    steps = [_UNSAFE.sub("-", unquote(step)).strip("-.")[:NAME_CHARS] for step in parts.path.split("/")]
    steps = [step for step in steps if step]
    if not steps or parts.path.endswith("/"):
        steps.append("index")
    last = re.sub(r"\.(?:x?html?|php|aspx?|md)$", "", steps[-1], flags=re.IGNORECASE) or "index"
    if parts.query:
        last += "-" + (_UNSAFE.sub("-", unquote(parts.query)).strip("-.")[:NAME_CHARS] or "query")
    return "/".join((*steps[:-1], last))


def _cut(markdown: str) -> Iterator[tuple[tuple[str, ...], str]]:
    headings: dict[int, str] = {}
    kept: list[str] = []
    for block in _blocks(markdown):
        heading = _HEADING.fullmatch(block)
        if kept and (heading or sum(map(len, kept)) + len(block) > CHUNK_CHARS):
            yield tuple(headings.values()), "\n\n".join(kept)
            kept = []
        if heading is None:
            kept.append(block)
            continue
        level = len(heading[1])
        headings = {at: text for at, text in headings.items() if at < level} | {level: heading[2].strip()}
    if kept:
        yield tuple(headings.values()), "\n\n".join(kept)


def _blocks(markdown: str) -> Iterator[str]:
    """Paragraphs, headings, and blocks of code as a whole."""
    lines: list[str] = []
    fence = ""
    for line in (*markdown.split("\n"), ""):
        mark = _FENCE.match(line)
        if mark and (not fence or fence == mark[1]):
            fence = "" if fence else mark[1]
        if fence or (line.strip() and not (_HEADING.fullmatch(line) and not mark)):
            lines.append(line)
            continue
        if lines:
            yield "\n".join(lines)
            lines = []
        if line.strip():
            yield line.strip()
    if lines:
        yield "\n".join(lines)
