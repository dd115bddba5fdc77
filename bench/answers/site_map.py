"""All pages of a served site that clicks reach from its root, with their texts, links and distances."""

from __future__ import annotations

import http.client
from collections import deque
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, urljoin, urlsplit

import msgspec

from answers.page_parts import PageParts, collapsed, path_of, read_html
from walker.pdf.pdf_text import read_pdf

MOST_PAGES = 6000
MOST_RENDERED = 1200
PDF_BYTES = 30_000_000
FORM = 3


class SiteMap(msgspec.Struct, frozen=True, kw_only=True):
    """What clicks reach. Pages go by their paths below the base address."""

    root: str
    pages: dict[str, PageParts]
    distance: dict[str, int]
    """Least number of clicks from the root."""
    also: dict[str, str] = {}
    """Other paths of pages: before a redirect, without the file's name."""
    form: int = 0
    """Of what is kept of a page; a kept map of another form is made again."""

    def named(self, path: str) -> str:
        """The path under which a page is kept."""
        plain = path if not path or path.endswith("/") is False else path + "index.html"
        plain = plain or "index.html"
        return self.also.get(plain, plain)

    def ways_to(self, goal: str) -> dict[str, int]:
        """Clicks from each page to this one; pages that do not lead there are left out."""
        into: dict[str, list[str]] = {}
        for path, page in self.pages.items():
            for link in page.links:
                into.setdefault(self.named(link.target), []).append(path)
        away, todo = {goal: 0}, deque([goal])
        while todo:
            here = todo.popleft()
            for before in into.get(here, ()):
                if before not in away:
                    away[before] = away[here] + 1
                    todo.append(before)
        return away


class Fetched(msgspec.Struct, frozen=True, kw_only=True):
    """One page as it was found: its own path, and its parts."""

    path: str
    parts: PageParts


Fetch = Callable[[str], Fetched | None]


def map_site(root: str, fetch: Fetch, *, most: int = MOST_PAGES) -> SiteMap:
    """Breadth first from the root. A page that refreshes to another at once is that other; one that leaves the site is none."""
    pages: dict[str, PageParts] = {}
    distance: dict[str, int] = {}
    also: dict[str, str] = {}
    todo = deque([(root, 0)])
    known = {root}
    while todo and len(pages) < most:
        asked, depth = todo.popleft()
        found = fetch(asked)
        passed = [asked]
        while found is not None and found.parts.moved_to and found.parts.moved_to not in passed:
            passed += [found.path, found.parts.moved_to]
            found = fetch(found.parts.moved_to)
        if found is None or found.parts.leaves:
            continue
        known.add(found.path)
        also.update({path: found.path for path in passed if path != found.path})
        if found.path in pages:
            continue
        pages[found.path], distance[found.path] = found.parts, depth
        for link in found.parts.links:
            if link.target not in known:
                known.add(link.target)
                todo.append((link.target, depth + 1))
    return SiteMap(root=also.get(root, root), pages=pages, distance=distance, also=also, form=FORM)


class OverHttp:
    """Fetches pages of a site by plain HTTP, with one connection: `with OverHttp(base) as fetch:`."""

    def __init__(self, base: str) -> None:
        self._base, self._home = base, urlsplit(base)
        assert self._home.hostname, "a base address names a host"
        self._line = http.client.HTTPConnection(self._home.hostname, self._home.port or 80, timeout=30)

    def __enter__(self) -> OverHttp:
        return self

    def __exit__(self, *_: object) -> None:
        self._line.close()

    def __call__(self, path: str) -> Fetched | None:
        """The page at a path below the base; None for what is no page."""
        for _ in range(5):
            answer = self.get(path)
            if answer is None:
                return None
            status, headers, data = answer
            if status in (301, 302, 303, 307, 308):
                path = path_of(urljoin(self._base + quote(path), headers.get("location", "")), self._base) or ""
                continue
            own = path_of(urljoin(self._base, headers.get("content-location") or quote("/" + path)), self._base) or path
            kind = headers.get("content-type", "").partition(";")[0]
            if status != 200:
                return None
            if kind == "application/pdf":
                return Fetched(path=own, parts=_pdf(data))
            is_page = kind in ("text/html", "application/xhtml+xml")
            return Fetched(path=own, parts=read_html(data, self._base + quote(own), self._base)) if is_page else None
        return None

    def get(self, path: str) -> tuple[int, dict[str, str], bytes] | None:
        """Status, headers by lower-case name, and body; None where the address cannot be asked for."""
        target = self._home.path + quote(path.partition("#")[0])
        try:
            self._line.request("GET", target)
            answer = self._line.getresponse()
            return answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read()
        except (http.client.HTTPException, OSError):
            self._line.close()
            return None


def _pdf(data: bytes) -> PageParts:
    text = collapsed(read_pdf(data).text) if len(data) <= PDF_BYTES else ""
    return PageParts(text=text, whole=text, is_pdf=True)


def kept_map(file: Path, make: Callable[[], SiteMap]) -> SiteMap:
    """The map from a file, or made and written there."""
    if file.is_file():
        try:
            kept = msgspec.msgpack.decode(file.read_bytes(), type=SiteMap)
            if kept.form == FORM:
                return kept
        except msgspec.DecodeError:
            pass  # of an earlier form
    made = make()
    file.write_bytes(msgspec.msgpack.encode(made))
    return made
