"""What a Markdown file says of itself before its text, between lines of --- (YAML) or +++ (TOML)."""

from __future__ import annotations

import re

_FRONT = re.compile(r"^(?:---\n(.*?)\n---|\+\+\+\n(.*?)\n\+\+\+)[^\S\n]*\n", re.DOTALL)
_TITLE = re.compile(r"^title\s*[:=]\s*[\"']?(.+?)[\"']?\s*$", re.MULTILINE)


def title_and_text(path: str, source: str) -> tuple[str, str]:
    r"""The title, that of the file's name where none is given, and the text behind the front matter.

    >>> title_and_text("guide/red-kite.md", '+++\ntitle = "The red kite"\n+++\nIt soars.')
    ('The red kite', 'It soars.')
    >>> title_and_text("guide/red-kite.md", "It soars.")
    ('red kite', 'It soars.')
    """
    title = path.rsplit("/", 1)[-1].rsplit(".", 1)[0].replace("-", " ")
    front = _FRONT.match(source)
    if front is None:
        return title, source
    named = _TITLE.search(front[0])
    return (named[1] if named else title), source[front.end() :]
