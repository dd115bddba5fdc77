"""Prints how many questions about pictures are built without a model, and whether they hold: from the bundled museum, the Debian
Administrator's Handbook in English and Chinese, and sites of the building half of bench/answers.

usage: python bench/visual_questions.py [--handbook DIR] [--only NAME,NAME] [--seed 0] [--read 50] [--keep DIR]

--handbook is the folder of the package debian-handbook with a folder for each language; without it the handbook is left out, and said.
--read prints so many questions, drawn by lot, with their chains, for a person to read. --keep keeps the sets there.

A leak is a question that is answered rightly without its picture: by the reader without a model, from the eight best passages of a
search for its words. The search by embeddings beside it is another than that of the examiner, and told for comparison.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import http.server
import random
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.sites_here import served_sites
from answers.unpacking import CACHE
from figures import print_figure

from evaluation.building.harvesting import HarvestLimits
from evaluation.building.make import Site
from evaluation.building.museum.pages import museum_pages
from evaluation.building.museum.server import MUSEUM, serve_museum
from evaluation.building.picture_set.building import (
    Folders,
    NoPictureQuestions,
    PicturePlan,
    PictureSet,
    build_picture_set,
    site_material,
)
from evaluation.building.picture_set.refreshing import PictureRefreshing, refresh_picture_set
from evaluation.building.picture_set.site_material import SiteMaterial
from evaluation.building.tree import HarvestedPage
from evaluation.building.visual.examiner import FEWEST_ALIKE
from evaluation.building.visual.hops import LEAST_HOPS
from evaluation.building.visual.selector import is_named
from evaluation.critic.answering import BEST, Answerer
from evaluation.critic.cases import PassageCase, Sought, case_of
from evaluation.dataset.files import load, save
from evaluation.dataset.question import Question, address_of
from evaluation.grading.match import says
from memory.library.errors import BadQuery
from memory.library.protocol import Library
from memory.retrieval import Ranker, WordLlamaEmbedder
from memory.url_key import key_of
from walker.library.library_file import LibraryFile
from walker.strategies.builtin.builtin_critic import BuiltinCritic

HANDBOOK = Path("/usr/share/doc/debian-handbook/html")
WANTED = {1: 60, 2: 20}
LEAKS = 0.05
SEARCHED = 5
PAGES = 130
"""Of a site: the handbook has 127 in a language."""
BUILDING = ("slurm-doc", "shorewall")
CHANGED = 4
"""Values of the museum that are changed before a refresh, each on a page of its own."""


class Measured(msgspec.Struct, frozen=True, kw_only=True):
    """A set of one site, and what came of its checks."""

    name: str
    built: PictureSet
    questions: tuple[Question, ...]
    wrong: tuple[str, ...]
    """What a machine check says against a question."""
    named: int
    leaks: int
    near: int
    """Of which a search by embeddings finds a source among the first five pages."""


def main() -> None:
    """Build, check, refresh, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--handbook", type=Path, default=HANDBOOK)
    parser.add_argument("--only", default="")
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--read", type=int, default=0)
    parser.add_argument("--keep", type=Path)
    options = parser.parse_args()
    only = tuple(filter(None, options.only.split(",")))
    with ExitStack() as stack:
        folder = options.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        places = [
            one for one in stack.enter_context(served(options.handbook, options.cache)) if not only or one.name in only
        ]
        measured = [one for place in places if (one := measure(place, folder, options.seed)) is not None]
    print_sums(measured)
    if not only or MUSEUM in only:
        with tempfile.TemporaryDirectory() as scratch:
            print_repeated(Path(scratch), options.seed)
            print_refreshed(Path(scratch), options.seed)
    if options.read:
        print_drawn(measured, options.read, options.seed)


@contextmanager
def served(handbook: Path, cache: Path) -> Iterator[tuple[Site, ...]]:
    """The sites that are here, served."""
    with ExitStack() as stack:
        root = stack.enter_context(serve_museum())
        found = [Site(root=root, name=MUSEUM, base=root.removesuffix("index.html"))]
        if handbook.is_dir():
            base = stack.enter_context(serve_folder(handbook))
            found += [
                Site(root=f"{base}{language}/index.html", name=f"handbook-{language}", base=f"{base}{language}/")
                for language in ("en-US", "zh-CN")
            ]
        else:
            sys.stderr.write("left out: the handbook (--handbook DIR; package debian-handbook)\n")
        for one in stack.enter_context(served_sites(cache, halves=("building",), only=BUILDING)):
            found.append(Site(root=one.address(one.site.root), name=one.site.name, base=one.base))
        yield tuple(found)


@contextmanager
def serve_folder(folder: Path) -> Iterator[str]:
    """The files of a folder on a free port of 127.0.0.1."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  the name is the base class's
        """Say nothing."""


def limits_of(place: Site) -> HarvestLimits:
    """The handbook is below its folder; its other languages are not read."""
    return HarvestLimits(pages=PAGES, driver="http", scope="path" if place.name.startswith("handbook") else "host")


def measure(place: Site, folder: Path, seed: int) -> Measured | None:
    """Build the set of a site, and check it; None where it gives none, which is said."""
    folders = Folders(store=folder / f"{place.name}.harvest", pictures=folder / f"{place.name}.pictures")
    plan = PicturePlan(sites=(place,), limits=limits_of(place), seed=seed)
    try:
        built = asyncio.run(build_picture_set(plan, folders))
    except NoPictureQuestions as error:
        print(f"{place.name}: no questions: {error}")
        return None
    file = folder / f"{place.name}.jsonl"
    save(file, built.questions)
    measured = asyncio.run(checked(place, folders, built, load(file).questions))
    levels = Counter(one.level for one in measured.questions)
    print(
        f"{place.name}: {levels[1]} of level 1, {levels[2]} of level 2; {built.pages} pages, {built.verified} of {built.pictures}"
        f" pictures verified; {measured.leaks} leaks, {measured.near} with a source near by embeddings"
    )
    for reason, count in built.rejected.items():
        print(f"{place.name}: {count} refused: {reason}")
    return measured


async def checked(place: Site, folders: Folders, built: PictureSet, questions: Sequence[Question]) -> Measured:
    """All machine checks once more, from the file and the harvest alone."""
    ranker = Ranker(WordLlamaEmbedder.load())
    answerer = Answerer(BuiltinCritic(ranker))
    sites = {place.name: place.base}
    async with site_material(place, limits_of(place), folders.store, lambda _: None) as site:
        wrong = [f"{one.id}: {why}" for one in questions for why in wrong_with(one, site, sites)]
        leaks = 0
        with closing(LibraryFile.read(next(folders.store.glob("*.library")))) as library:
            for one in questions:
                case = case_of(library, Sought(id=one.id, question=one.question, language=one.language), SEARCHED)
                said = await answerer.from_best(case, best_places(library, case))
                leaks += any(says(said.answer[:200], answer) for answer in one.answers)
        near = nearest_pages(ranker, site, questions, sites)
    return Measured(
        name=place.name,
        built=built,
        questions=tuple(questions),
        wrong=tuple(wrong),
        named=sum(
            is_named(one.question, one.hidden) or any(name in one.question for name in one.hidden) for one in questions
        ),
        leaks=leaks,
        near=near,
    )


def best_places(library: Library, case: PassageCase) -> list[int]:
    """Places of the passages that fit the question best, as many as a reader is given."""
    places = {(one.url, one.place): place for place, one in enumerate(case.passages)}
    try:
        hits = library.search(case.sought.question, BEST, a_page=0)
    except BadQuery:
        return []
    return [places[hit.url, hit.passage.place] for hit in hits if (hit.url, hit.passage.place) in places]


def wrong_with(question: Question, site: SiteMaterial, sites: dict[str, str]) -> Iterator[str]:
    """What does not hold of a question."""
    if len(question.hops) < 3 or (question.level == 2 and len(question.hops) < LEAST_HOPS[2]):
        yield "too few hops"
    for source, quote, path in zip(question.sources, question.evidence, question.click_paths, strict=True):
        page = page_of(site, address_of(question, source, sites))
        if page is None or not site.tree.says(page, quote):
            yield f"{quote!r} is not on {source}"
        clicks = [msgspec.structs.replace(click, url=address_of(question, click.url, sites)) for click in path]
        if site.tree.walks(clicks) is not page:
            yield f"no way to {source}"
    if any(says(question.question, answer) for answer in question.answers):
        yield "it contains its answer"
    if not any(says(question.evidence[-1], answer) for answer in question.answers):
        yield "its last quote does not say the answer"
    url = next((url for url, picture in site.pictures.items() if picture.digest == question.picture_digest), "")
    if not url or not any(is_named(told, question.hidden) for told in site.picture_hits(url).told):
        yield "its picture does not tell what it shows"
    yield from told_by_a_search(question, site, sites)


def told_by_a_search(question: Question, site: SiteMaterial, sites: dict[str, str]) -> Iterator[str]:
    """The sources that a search without the picture finds, unless it finds at least three more pages of that kind, of level 1."""
    entities = site.knowledge.graph.entities.values()
    things = {one.page: (one.category, one.language) for one in entities if one.form == "thing"}
    found = site.pages_for(question.question)[:SEARCHED]
    kinds = Counter(things.get(page) for page in found)
    for key in {str(key_of(address_of(question, source, sites))) for source in question.sources} & set(found):
        if question.level > 1 or things.get(key) is None or kinds[things[key]] < FEWEST_ALIKE:
            yield f"a search finds {key}"


def page_of(site: SiteMaterial, address: str) -> HarvestedPage | None:
    """The page of the tree at an address."""
    return site.tree.page(str(key_of(address)))


def nearest_pages(ranker: Ranker, site: SiteMaterial, questions: Sequence[Question], sites: dict[str, str]) -> int:
    """Of how many questions a source is among the pages whose beginnings are most like their words."""
    pages = [one.page for one in site.pages]
    texts = [f"{page.title}\n{page.text[:1000]}" for page in pages]
    found = 0
    for question in questions:
        best = ranker.rank(question.question, texts)[:SEARCHED]
        keys = {str(key_of(address_of(question, source, sites))) for source in question.sources}
        found += bool(keys & {pages[one.index].key for one in best})
    return found


def print_sums(measured: Sequence[Measured]) -> None:
    """What is wanted of all sites together, and of the two that are named."""
    for level, wanted in WANTED.items():
        count = sum(
            question.level == level
            for one in measured
            if one.name == MUSEUM or one.name.startswith("handbook")
            for question in one.questions
        )
        print_figure(
            f"visual questions: level {level}, handbook and museum", count, "questions", f">= {wanted}", count >= wanted
        )
    total = sum(len(one.questions) for one in measured)
    wrong = [f"{one.name} {text}" for one in measured for text in one.wrong]
    for text in wrong[:20]:
        print(f"wrong: {text}")
    print_figure("visual questions: fail a machine check", len(wrong), "checks", "0", not wrong)
    named = sum(one.named for one in measured)
    print_figure("visual questions: name what they show", named, "questions", "0", named == 0)
    leaks = sum(one.leaks for one in measured) / max(1, total)
    print_figure(
        "visual questions: answered without the picture", round(leaks, 3), "share", f"<= {LEAKS}", leaks <= LEAKS
    )


def print_repeated(folder: Path, seed: int) -> None:
    """Whether the museum gives the same file again, from a harvest of its own."""
    files = []
    for name in ("first", "second"):
        with serve_museum() as root:
            place = Site(root=root, name=MUSEUM, base=root.removesuffix("index.html"))
            folders = Folders(store=folder / f"{name}.harvest", pictures=folder / "museum.pictures")
            built = asyncio.run(
                build_picture_set(PicturePlan(sites=(place,), limits=limits_of(place), seed=seed), folders)
            )
        file = folder / f"{name}.jsonl"
        save(file, built.questions)
        files.append(file.read_bytes())
    print_figure("visual questions: same seed, same file", files[0] == files[1], "", "true", files[0] == files[1])


def print_refreshed(folder: Path, seed: int) -> None:
    """Whether a refresh drops the questions whose quotes were changed, and no others."""
    old = load(folder / "first.jsonl")
    changes = drawn_changes(old.questions, seed)
    pages = museum_pages()
    changed = {
        path: pages[path].replace(f"<td>{value}</td>", "<td>quite another</td>") for path, (_, value) in changes.items()
    }
    gone = {
        question.id
        for question in old.questions
        for source, quote in zip(question.sources, question.evidence, strict=True)
        if f"/{source}" in changes and changes[f"/{source}"][0] == quote
    }
    with serve_museum(changed) as root:
        sites = {MUSEUM: root.removesuffix("index.html")}
        refreshing = PictureRefreshing(
            old=old, sites=sites, limits=HarvestLimits(pages=PAGES, driver="http"), seed=seed
        )
        folders = Folders(store=folder / "refresh.harvest", pictures=folder / "museum.pictures")
        done = asyncio.run(refresh_picture_set(refreshing, folders))
    dropped = {question.id for question in old.questions} - {question.id for question in done.questions}
    print(f"refresh: {len(gone)} of {len(old.questions)} rest on a changed value; {done.kept} kept, {done.added} added")
    is_exact = dropped == gone and bool(gone)
    print_figure("visual questions: dropped by a refresh as wanted", is_exact, "", "true", is_exact)


def drawn_changes(questions: Sequence[Question], seed: int) -> dict[str, tuple[str, str]]:
    """Quotes to change, by the path of their page, each with its value: such as end a chain, drawn by lot."""
    ends = sorted({(f"/{one.sources[-1]}", one.evidence[-1], one.answers[0]) for one in questions})
    random.Random(seed).shuffle(ends)
    pages = museum_pages()
    plain = {path: (quote, value) for path, quote, value in ends if f"<td>{value}</td>" in pages[path]}
    return dict(list(plain.items())[:CHANGED])


def print_drawn(measured: Sequence[Measured], number: int, seed: int) -> None:
    """Questions for a person to read."""
    every = [(one.name, question) for one in measured for question in one.questions]
    for name, question in random.Random(seed).sample(every, min(number, len(every))):
        print(
            f"\n{question.id} {name} level {question.level}, {question.picture.rpartition('/')[2][:12]}\n  {question.question}"
        )
        print(f"  = {' = '.join(question.answers)}\n  {' > '.join(question.hops)}")
        for source, quote in zip(question.sources, question.evidence, strict=True):
            print(f"    {source}: {quote[:110]}")


if __name__ == "__main__":
    main()
