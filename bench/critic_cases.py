"""Libraries of the sites of bench/answers and of the shared ones, and what a passage critic is asked for their questions."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from answers.question_set import Question
from answers.sites_here import ServedSite
from library import pages_of

from evaluation.critic.cases import PassageCase, Sought, case_of
from walker.library.library_file import LibraryFile

KEPT = Path(__file__).parent / "out" / "critic"


@contextlib.contextmanager
def site_library(served: ServedSite) -> Iterator[LibraryFile]:
    """The library of all pages of a site, at `http://NAME.example/`; made once and kept in bench/out/critic."""
    KEPT.mkdir(parents=True, exist_ok=True)
    file = KEPT / f"{served.site.name}.library"
    if not file.is_file():
        part = file.with_suffix(".part")
        part.unlink(missing_ok=True)
        with contextlib.closing(LibraryFile.write(part)) as library:
            for page in pages_of(served):
                url = page.url.replace(served.base, home_of(served))
                library.add(msgspec.structs.replace(page, url=url, also=(), markup=""))
        part.rename(file)
    with contextlib.closing(LibraryFile.read(file)) as library:
        yield library


def home_of(served: ServedSite) -> str:
    """The address that a site has in its library, whatever port served it."""
    return f"http://{served.site.name}.example/"


def sought_of(served: ServedSite, question: Question) -> Sought:
    """A question with its evidence."""
    pairs = zip(question.sources, question.evidence, strict=False)
    return Sought(
        id=question.id,
        question=question.text,
        language=question.lang,
        site=question.site,
        quotes=tuple((home_of(served) + source, quote) for source, quote in pairs if quote.strip()),
    )


def cases_of(
    served: ServedSite, questions: Sequence[Question], library: LibraryFile, most_pages: int
) -> list[PassageCase]:
    """The cases of a site's questions."""
    return [case_of(library, sought_of(served, question), most_pages) for question in questions]
