"""The sites that are unpacked here, served, and their maps."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import quote

import msgspec

from answers.question_set import (
    FOLDER,
    HALVES,
    MEASURED,
    Half,
    Part,
    Question,
    QuestionSetError,
    Site,
    read_questions,
    read_set,
)
from answers.rendering import folder_of, rendered
from answers.serving import serve_site
from answers.site_map import MOST_RENDERED, OverHttp, SiteMap, kept_map, map_site
from answers.unpacking import pages_of


class ServedSite(msgspec.Struct, frozen=True, kw_only=True):
    """A site that answers at `base` (with a slash at its end), and its questions."""

    site: Site
    base: str
    questions: tuple[Question, ...]
    map_file: Path | None = None
    """Where its map is kept, None for nowhere."""

    def address(self, path: str) -> str:
        """Where a page is opened: a folder by its own name, as its links do, since scripts may know no other; the root as named."""
        if self.site.pages == "static":
            return self.base + quote(path if path == self.site.root else folder_of(path))
        bare, mark, route = path.partition("#")
        return self.base + quote(folder_of(bare)) + mark + quote(route, safe="/!?=&")

    def map(self) -> SiteMap:
        """Its pages; made once for each unpacked site."""
        if self.map_file is None:
            return self._made()
        return kept_map(self.map_file, self._made)

    def _made(self) -> SiteMap:
        if self.site.pages == "static":
            with OverHttp(self.base) as plain:
                return map_site(self.site.root, plain)
        with rendered(self.base) as fetch:
            return map_site(self.site.root, fetch, most=MOST_RENDERED)


@contextlib.contextmanager
def served_sites(
    cache: Path,
    *,
    halves: Sequence[Half] = HALVES,
    only: Sequence[str] = (),
    folder: Path = FOLDER,
    parts: Sequence[Part] = MEASURED,
) -> Iterator[tuple[ServedSite, ...]]:
    """Yields every site of the set that is unpacked; what is not is said on standard error, in one line."""
    with contextlib.ExitStack() as stack:
        served, missing = [], []
        for one in read_set(folder, halves=halves, parts=parts):
            if only and one.site.name not in only:
                continue
            pages = pages_of(one.site, cache)
            if pages is None:
                missing.append(one.site.name)
                continue
            base = stack.enter_context(serve_site(one.site, pages))
            kept = pages.parent / "map.msgpack"
            served.append(ServedSite(site=one.site, base=base, questions=one.questions, map_file=kept))
        if missing:
            names = ", ".join(missing)
            sys.stderr.write(f"left out, not unpacked here (python bench/fetch_answer_sites.py): {names}\n")
        yield tuple(served)


def sites_elsewhere(file: Path, bases: dict[str, str]) -> tuple[ServedSite, ...]:
    """The sites of any question file that are served already, at these base addresses by name. Raises `QuestionSetError`."""
    by_site: dict[str, list[Question]] = {}
    for question in read_questions(file):
        by_site.setdefault(question.site, []).append(question)
    if unknown := sorted(by_site.keys() - bases.keys()):
        raise QuestionSetError(f"no address is known for {', '.join(unknown)}: add --site NAME=BASE")
    return tuple(
        ServedSite(site=_plain_site(name, questions), base=bases[name].rstrip("/") + "/", questions=tuple(questions))
        for name, questions in by_site.items()
    )


def _plain_site(name: str, questions: Sequence[Question]) -> Site:
    return msgspec.convert(
        {
            "name": name,
            "kind": "site",
            "language": questions[0].lang,
            "half": "building",
            "pages": "static",
            "root": questions[0].root,
            "what": "served elsewhere",
            "licence": "",
            "source": {},
        },
        type=Site,
    )
