r"""URL patterns, compiled once; no URL can make one slow.

A pattern is compared with the path and query, or with the whole URL if it contains `://`; fragments are ignored.

- `*` matches any text without a slash, `**` any text: `/docs/*` matches `/docs/a` and `/docs/a?page=2`, not `/docs/a/b`;
- a pattern that begins with neither `/` nor `**` matches below any folder: `*.pdf`, `print/**`;
- `re:` is followed by a regular expression that is searched anywhere: `re:/\d{4}/`.

Case-sensitive. `%7E` and `~`, `%c3` and `%C3`, `ü` and `%C3%BC` are equal.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache

from walker.crawl.script.linear_regex import BadExpression, Search, compile_search

LONGEST_PATTERN = 1000
LONGEST_URL = 4096
"""Characters; a longer URL matches nothing, so that no URL can make a pattern slow."""

_STARS = re.compile(r"(\*{2,}|\*)")
_ESCAPE = re.compile(r"%([0-9A-Fa-f]{2})")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")


class BadPattern(ValueError):
    """Invalid pattern; the message says why."""


class Pattern:
    """One pattern. Raises `BadPattern`."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.is_whole = "://" in text
        """Whether it is compared with the whole URL."""
        self._found = _compiled(text)

    def matches(self, url: str) -> bool:
        """Whether an absolute URL matches."""
        return self.matches_part(url_without_fragment(url) if self.is_whole else path_and_query(url))

    def matches_part(self, part: str) -> bool:
        """`matches` for the result of `path_and_query` or `url_without_fragment`."""
        return len(part) <= LONGEST_URL and self._found(part) is not None


class PatternSet:
    """A disjunction of patterns."""

    def __init__(self, texts: Iterable[str]) -> None:
        patterns = tuple(map(Pattern, texts))
        self._of_path = tuple(pattern for pattern in patterns if not pattern.is_whole)
        self._of_whole = tuple(pattern for pattern in patterns if pattern.is_whole)

    def __bool__(self) -> bool:
        return bool(self._of_path or self._of_whole)

    def first_match(self, url: str, path: str = "") -> str:
        """The text of the first pattern that matches this absolute URL, "" for none. `path` is its `path_and_query`, from callers
        that have it."""
        if self._of_path:
            part = path or path_and_query(url)
            for pattern in self._of_path:
                if pattern.matches_part(part):
                    return pattern.text
        if self._of_whole:
            part = url_without_fragment(url)
            for pattern in self._of_whole:
                if pattern.matches_part(part):
                    return pattern.text
        return ""


def path_and_query(url: str) -> str:
    """The path and query of a URL, with normalised percent-encoding, for comparison with a pattern."""
    url = url.partition("#")[0]
    host = url.find("://") + 3
    start = min((at for at in (url.find("/", host), url.find("?", host)) if at >= 0), default=len(url))
    part = url[start:]
    return _one_form(part if part.startswith("/") else "/" + part)


def url_without_fragment(url: str) -> str:
    """The whole URL, with normalised percent-encoding, for comparison with a pattern that contains `://`."""
    return _one_form(url.partition("#")[0])


def why_no_pattern(text: str) -> str:
    """Why a pattern is invalid, "" for a valid one."""
    try:
        Pattern(text)
    except BadPattern as error:
        return str(error)
    return ""


@lru_cache(maxsize=1024)
def _compiled(text: str) -> Search:
    if not text.strip():
        raise BadPattern("a pattern is empty")
    if len(text) > LONGEST_PATTERN:
        raise BadPattern(f"a pattern is longer than {LONGEST_PATTERN} characters")
    if not text.startswith("re:"):
        return re.compile(_glob(text), re.DOTALL).fullmatch
    expression = text.removeprefix("re:").strip()
    if not expression:
        raise BadPattern("nothing follows re:")
    try:
        return compile_search(expression)
    except BadExpression as error:
        raise BadPattern(str(error)) from None


def _glob(text: str) -> str:
    """The regular expression of a glob. After every star the leftmost match of the text up to the next star is final (atomic
    groups): a later one can never succeed where this one fails, so there is no backtracking."""
    if "://" not in text and not text.startswith(("/", "**")):
        text = "**/" + text
    pieces = [_one_form(piece) if not piece.startswith("*") else piece for piece in _STARS.split(text) if piece]
    last_deep = max((at for at, piece in enumerate(pieces) if piece.startswith("**")), default=-1)
    expression, at = "", 0
    while at < len(pieces):
        if not pieces[at].startswith("**"):
            end = next((after for after in range(at, len(pieces)) if pieces[after].startswith("**")), len(pieces))
            expression += _between(pieces[at:end], anchored=end == len(pieces))
        elif at == last_deep:
            expression += ".*?" + _between(pieces[at + 1 :], anchored=True) if at + 1 < len(pieces) else ".*"
            break
        else:
            end = next(after for after in range(at + 1, len(pieces)) if pieces[after].startswith("**"))
            expression += f"(?>.*?{_between(pieces[at + 1 : end], anchored=False)})"
        at = end
    return expression


def _between(pieces: list[str], *, anchored: bool) -> str:
    """Literal texts and single stars; the last star backtracks only if the pattern is anchored at the end."""
    expression, at = "", 0
    while at < len(pieces):
        if pieces[at] != "*":
            expression += re.escape(pieces[at])
            at += 1
            continue
        literal = re.escape(pieces[at + 1]) if at + 1 < len(pieces) else ""
        is_last = at + 2 >= len(pieces)
        if anchored and is_last:
            expression += f"[^/]*{literal}"
        else:
            expression += f"(?>[^/]*?{literal})"
        at += 2
    return expression


def _one_form(text: str) -> str:
    if not text.isascii():
        text = "".join(
            one if one.isascii() else "".join(f"%{byte:02X}" for byte in one.encode("utf-8", "surrogatepass"))
            for one in text
        )
    return _ESCAPE.sub(_unescaped, text) if "%" in text else text


def _unescaped(match: re.Match[str]) -> str:
    character = chr(int(match[1], 16))
    return character if character in _UNRESERVED else match[0].upper()
