"""A harvested site as the stages need it: its pages, what it says, its pictures that could be read, and searches in its library."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from functools import cached_property

import msgspec

from evaluation.building.harvesting import Harvested
from evaluation.building.tree import SiteTree
from evaluation.building.visual.examiner import SEARCHED, PictureHits
from evaluation.building.visual.graph import Triple
from evaluation.building.visual.knowledge import Knowledge, know
from evaluation.building.visual.locate import LibraryPicture
from evaluation.building.visual.site_pages import SitePage, read_site_pages
from evaluation.building.visual.verify import SeenLike
from memory.library.errors import BadQuery
from memory.url_key import key_of
from walker.library.library_file import LibraryFile
from walker.library.picture_search import LibraryPictureSearch
from walker.seams.search_protocols import PictureHit, SearchFailure

HITS = 8
SURE = 0.5


class SiteMaterial:
    """One site, with its library open for reading."""

    def __init__(self, harvested: Harvested, library: LibraryFile) -> None:
        self.tree: SiteTree = harvested.tree
        self.folder = harvested.folder
        self.pages: tuple[SitePage, ...] = read_site_pages(harvested.tree, harvested.pages)
        self.knowledge: Knowledge = know(harvested.tree, self.pages)
        self._told: tuple[Triple, ...] = ()
        self._library, self._search = library, LibraryPictureSearch(library)
        self._by_place = {
            place: page.page.key for page in self.pages for place in (page.page.key, _key(page.page.place))
        }
        self._hits: dict[str, tuple[PictureHit, ...]] = {}

    @cached_property
    def pictures(self) -> Mapping[str, LibraryPicture]:
        """The pictures of the library by their addresses."""
        with self._library.pictures() as pictures:
            numbers = pictures.numbers()
            marks = pictures.marks(numbers)
            places = pictures.places(numbers)
            texts = pictures.texts(numbers)
        return {
            place.url: LibraryPicture(
                digest=marks[number].digest,
                width=marks[number].width,
                height=marks[number].height,
                preview=marks[number].preview,
                text=texts.get(number, ""),
            )
            for number in numbers
            for place in places.get(number, ())
        }

    def learn(self, told: Sequence[Triple]) -> None:
        """Know also what was told of the site, as far as its pages say it."""
        if told:
            self._told = tuple(told)
            self.knowledge = know(self.tree, self.pages, self._told)

    @property
    def digest(self) -> str:
        """Of all that searches depend on, whatever the address of the site is: texts and pictures, and what was told beside them."""
        told = sorted((one.relation.label, one.value, one.quote) for one in self._told)
        return hashlib.sha256(msgspec.json.encode((self._read, told))).hexdigest()[:16] if told else self._read

    @cached_property
    def _read(self) -> str:
        said = [(page.page.title, page.page.lines) for page in self.pages]
        shown = sorted({picture.digest for picture in self.pictures.values()})
        return hashlib.sha256(msgspec.json.encode((sorted(said), shown))).hexdigest()[:16]

    def seen_like(self, url: str) -> tuple[SeenLike, ...]:
        """What a search by the picture at an address finds."""
        return tuple(SeenLike(url=hit.picture, score=hit.score) for hit in self._found(url))

    def picture_hits(self, url: str) -> PictureHits:
        """How surely the search finds this very picture, and what is told of all that it is sure of."""
        found, digest = self._found(url), self.pictures[url].digest
        return PictureHits(
            score=max((hit.score for hit in found if hit.digest == digest), default=0.0),
            told=tuple(f"{hit.words}\n{hit.title}" for hit in found if hit.score >= SURE),
        )

    def pages_for(self, question: str) -> tuple[str, ...]:
        """Keys of the pages that a search for the question finds, best first."""
        try:
            hits = self._library.search(question, SEARCHED)
        except BadQuery:
            return ()
        return tuple(self._by_place.get(_key(hit.url), "") for hit in hits)

    def text_of(self, pages: Sequence[str]) -> str:
        """The texts of pages."""
        return "\n".join(page.text for key in pages if (page := self.tree.page(key)) is not None)

    def _found(self, url: str) -> tuple[PictureHit, ...]:
        digest = self.pictures[url].digest
        if digest not in self._hits:
            found = self._search.find_now(self.pictures[url].preview, "", HITS)
            self._hits[digest] = () if isinstance(found, SearchFailure) else found
        return self._hits[digest]


def _key(url: str) -> str:
    return str(key_of(url)) if url else ""
