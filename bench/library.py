"""Prints what a library costs and finds: processor time of a search at 10,000 and 200,000 passages and of adding 700 pages, and how
often a page that holds the answer is among the first 5 and 20 for the questions of bench/answers (static pages, scripted pages by
the texts of their maps; PDF files are left out).

usage: python bench/library.py [--half building|validation] [--only NAME,NAME] [--list-failures] [--skip-costs]
A line for each failure only of the building half.
"""

from __future__ import annotations

import argparse
import contextlib
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.question_set import HALVES, Question
from answers.site_map import OverHttp
from answers.sites_here import ServedSite, served_sites
from answers.unpacking import CACHE
from figures import print_figure
from testbeds import PAGES

from memory.library.protocol import NewPage, PageLine
from memory.retrieval import Ranker, WordLlamaEmbedder
from memory.url_key import key_of
from perception.encodings import decode_html
from perception.snapshot import Snapshot
from walker.library.library_file import LibraryFile
from walker.library.page_passages import library_page, plain_markup

ADDED, ADD_SECONDS = 700, 8.0
SEARCH_MS = {10_000: 30.0, 200_000: 120.0}
FEW, MANY = 5, 20
WANTED = {FEW: 0.9, MANY: 0.97}
QUERIES = (
    "What is the maximum length of an SQL statement?",
    "Which pragma sets the page size of the database file?",
    "How many bytes long is the header of a write-ahead log?",
    "When was the json_each function added?",
    "What does sqlite3_get_table() return in the C interface?",
    "Which compile-time option leaves out the authorization callback, and what happens to statements that need it?",
)


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """At which place the first and the last source page of a question stand among the pages found; 0 for not among the first 20."""

    question: Question
    first: int
    last: int


def main() -> None:
    """Costs on a documentation of this machine, then what is found on the sites of bench/answers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES)
    parser.add_argument("--only", default="")
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--list-failures", action="store_true")
    parser.add_argument("--skip-costs", action="store_true")
    options = parser.parse_args()
    if not options.skip_costs:
        print_costs()
    for half in (options.half,) if options.half else HALVES:
        only = tuple(filter(None, options.only.split(",")))
        with served_sites(options.cache, halves=(half,), only=only) as served:
            found = [one for site in served for one in found_on(site)]
        if found:
            print_found(half, found)
        if half == "building" and options.list_failures:
            for one in found:
                if not 0 < one.first <= FEW:
                    sys.stderr.write(f"at {one.first or '-'}: {one.question.id} {one.question.text}\n")


def print_costs() -> None:
    """Adding and searching the handbook of SQLite, and twenty times as much."""
    home = PAGES["sqlite"]
    files = sorted(home.rglob("*.html"))[:ADDED] if home.is_dir() else []
    if len(files) < ADDED:
        sys.stderr.write(
            "the costs are skipped: the documentation of SQLite is not there (apt-get install sqlite3-doc)\n"
        )
        return
    pages = [snapshot_of(f"http://docs.example/{file.relative_to(home)}", file.read_bytes()) for file in files]
    with new_library() as library:
        library_page(pages[0])
        began = time.process_time()
        for page in pages:
            library.add(library_page(page))
        seconds = time.process_time() - began
        name = f"library: processor time of adding {ADDED} pages"
        print_figure(name, round(seconds, 2), "s", f"<= {ADD_SECONDS:g}", seconds <= ADD_SECONDS)
        print_search(library, 10_000)
        print_ranker(library)
    with new_library() as library:
        chance = random.Random(1)
        read = [library_page(page) for page in pages]
        for copy in range(20):
            for one in read:
                library.add(varied(one, copy, chance))
        print_search(library, 200_000)


def print_search(library: LibraryFile, passages: int) -> None:
    """The median of several queries, each the best of three."""
    times = []
    for query in QUERIES:
        tries = []
        for _ in range(3):
            began = time.process_time()
            library.search(query, MANY)
            tries.append(1000 * (time.process_time() - began))
        times.append(min(tries))
    held, most = library.info().passages, SEARCH_MS[passages]
    name = f"library: processor time of a search among {held:,} passages"
    median = statistics.median(times)
    print_figure(f"{name}, median", round(median, 1), "ms", f"<= {most:g}", median <= most)
    print_figure(f"{name}, slowest", round(max(times), 1), "ms", f"<= {most:g}", max(times) <= most)


def print_ranker(library: LibraryFile) -> None:
    """How much less a search takes than ranking all passages for each query, as searches of an experiment did before."""
    pages = [page for entry in library.pages() if (page := library.page(entry.url)) is not None]
    texts = [f"{page.title}\n{passage.text}" for page in pages for passage in page.passages]
    ranker, shares = Ranker(WordLlamaEmbedder.load()), []
    for query in QUERIES[:3]:
        seconds = []
        for search in (lambda text: ranker.rank(text, texts), lambda text: library.search(text, MANY, a_page=0)):
            began = time.process_time()
            search(query)
            seconds.append(time.process_time() - began)
        shares.append(seconds[0] / seconds[1])
    share = statistics.median(shares)
    name = "library: a search of an experiment, times faster than ranking all passages"
    print_figure(name, round(share), "times", ">= 30", share >= 30)


def varied(page: NewPage, copy: int, chance: random.Random) -> NewPage:
    """A page of as many words under another address, and with a fifth of its lines exchanged for words of its own."""
    lines = tuple(
        line if chance.random() < 0.8 else PageLine(text=shuffled(line.text, chance), headings=line.headings)
        for line in page.lines
    )
    lines += (PageLine(text=f"copy{copy}"),)
    url = f"http://copy-{copy}.example/{page.url.rsplit('/', 1)[1]}"
    return msgspec.structs.replace(page, url=url, lines=lines, also=(), markup="")


def shuffled(text: str, chance: random.Random) -> str:
    """The words of a text in another order."""
    words = text.split()
    chance.shuffle(words)
    return " ".join(words)


def found_on(site: ServedSite) -> Iterator[Found]:
    """Search each question that the site answers, in a library of all its pages."""
    with new_library() as library:
        for page in pages_of(site):
            library.add(page)
        for question in site.questions:
            if question.kind == "none" or not question.sources:
                continue
            held = [source for source in question.sources if library.has(site.base + source)]
            if not held:
                continue
            order = [str(key_of(hit.url)) for hit in library.search(question.text, MANY)]
            places = [place_of(str(key_of(site.base + source)), library, order) for source in question.sources]
            here = [place for place in places if place]
            yield Found(question=question, first=min(here, default=0), last=max(places) if all(places) else 0)


def place_of(key: str, library: LibraryFile, order: Sequence[str]) -> int:
    """The place of a page, or of one that has its text, among those found."""
    page = library.page(key)
    return order.index(str(key_of(page.url))) + 1 if page is not None and str(key_of(page.url)) in order else 0


def pages_of(site: ServedSite) -> Iterator[NewPage]:
    """The pages that clicks reach, but for files."""
    pages = site.map().pages
    with OverHttp(site.base) as plain:
        for path, parts in pages.items():
            if parts.is_pdf:
                continue
            url = site.base + path
            if site.site.pages == "javascript":
                yield library_page(Snapshot(url=url, final_url=url, status=200, html=plain_markup(path, parts.text)))
            elif (answer := plain.get(path)) is not None and answer[0] == 200:
                yield library_page(snapshot_of(url, answer[2], answer[1].get("content-type", "")))


def snapshot_of(url: str, data: bytes, kind: str = "") -> Snapshot:
    """A page as a browser without scripts has it."""
    return Snapshot(url=url, final_url=url, status=200, html=decode_html(data, kind))


def print_found(half: str, found: Sequence[Found]) -> None:
    """Shares of the questions, by how many pages are looked at."""
    for most, wanted in WANTED.items():
        first = sum(0 < one.first <= most for one in found) / len(found)
        name = f"library: any source among the first {most}, {half} half, {len(found)} questions"
        print_figure(name, round(first, 3), "share", f">= {wanted}", first >= wanted)
    every = sum(0 < one.last <= MANY for one in found) / len(found)
    name = f"library: all sources among the first {MANY}, {half} half"
    print_figure(name, round(every, 3), "share", ">= 0.9", every >= 0.9)


@contextlib.contextmanager
def new_library() -> Iterator[LibraryFile]:
    """An empty library that is removed at the end."""
    with tempfile.TemporaryDirectory() as folder, contextlib.closing(LibraryFile.write(Path(folder) / "l")) as library:
        yield library


if __name__ == "__main__":
    main()
