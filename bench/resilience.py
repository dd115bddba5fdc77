"""Prints whether walks bear what real pages bring: walks of one page over 200 pages of the sites of bench/answers, PDF files and
pages made by scripts among them, by a model that tries all that a page offers; then a page of 5 MB of text and one of 20,000
links. No walk may end in an exception, no prompt may be above its limit, and the digest of a long page takes at most 200 ms.

The pages are drawn with a fixed seed, as many of each site; of each site a PDF in four where it has them. Exit status 1 if
anything fails.
usage: python bench/resilience.py [--half HALF] [--only NAME,NAME] [--walks 200] [--list-failures] [--with OPTIONS]
"""

from __future__ import annotations

import asyncio
import itertools
import random
import shlex
import sys
import tempfile
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from answers.options import listed, parser_of, sites_of
from answers.question_set import Site
from answers.restless import Restless
from answers.serving import serve_folder
from answers.site_map import SiteMap
from answers.sites_here import ServedSite
from answers.walks import MODEL, Walk, walk_all
from figures import best_seconds, print_figure

from memory.retrieval import Ranker, WordLlamaEmbedder
from memory.state import WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UrlStack
from perception.document.reading import observe
from perception.snapshot import Snapshot
from walker.models.token_count import count_tokens
from walker.settings import ModelSettings
from walker.strategies.model.digest.digest_request import DigestRequest
from walker.strategies.model.digest.link_marks import mark_links
from walker.strategies.model.digest.page_digest import digest_page
from walker.strategies.model.digest.page_parts import divide_page

WALKS, SEED, PDF_EVERY = 200, 7, 4
DIGEST_MS, ROUNDS = 200, 3
ASKED = ("What does {} say of {}?", "How many entries does {} list beside {}?", "Name 3 things that {} has besides {}.")
HOME = "http://site.example/"
Drawn = tuple[ServedSite, str, bool]
"""A site, the path of one of its pages, and whether that is a PDF."""


def long_pages() -> dict[str, str]:
    """By name, what the two long pages hold."""
    shut = (
        "<h2>Year {0}</h2><p>The station was shut in winter {0}. " + "Nothing of note was written down. " * 24 + "</p>"
    )
    return {
        "text": "".join(shut.format(year) for year in range(1, 5800)),
        "links": "".join(f'<p><a href="/boat/{number}.html">Boat {number}</a></p>' for number in range(20_000)),
    }


def drawn(sites: Sequence[ServedSite], count: int) -> list[Drawn]:
    """So many pages in all, of each site in turn."""
    rounds = itertools.zip_longest(*(_in_turn(served, served.map(), count) for served in sites))
    return [one for row in rounds for one in row if one is not None][:count]


def _in_turn(served: ServedSite, map_: SiteMap, count: int) -> list[Drawn]:
    chance = random.Random(f"{SEED} {served.site.name}")
    paths = chance.sample(sorted(map_.pages), len(map_.pages))
    pdfs = [path for path in paths if map_.pages[path].is_pdf]
    others = iter([path for path in paths if not map_.pages[path].is_pdf])
    mixed = [path for pdf in pdfs for path in (*itertools.islice(others, PDF_EVERY - 1), pdf)]
    return [(served, path, map_.pages[path].is_pdf) for path in (*mixed, *others)][:count]


def walks_of(pages: Sequence[Drawn]) -> list[Walk]:
    """A walk for each page, that starts there; the questions ask for a fact, a count or a list by turns."""
    asked = zip(itertools.cycle(ASKED), pages, strict=False)
    return [
        Walk(
            id=f"{number:03}",
            question=form.format(f"page {number:03}", served.site.kind),
            root=served.address(path),
            lang=served.site.language,
        )
        for number, (form, (served, path, _)) in enumerate(asked)
    ]


def check_walks(walks: Sequence[Walk], options: Sequence[str], checkout: Path) -> tuple[Restless, dict[str, str]]:
    """Walk each page; the model with what it was sent, and by the walk's id why it failed."""
    model, heard = Restless(walks), list[str]()
    given = ["--max-pages", "1", "--vision-model", MODEL, *options]
    ended = asyncio.run(walk_all(walks, model, given, checkout=checkout, heard=heard))
    failed = {id_: one.error for id_, one in ended.items() if one.error}
    failed |= {walk.id: "nothing was asked" for walk in walks if not model.tokens[walk.id] and walk.id not in failed}
    if any(line.startswith("Traceback") for line in heard):
        failed["batch"] = heard[-1]
    return model, failed


def print_walks(name: str, model: Restless, failed: int, limit: int) -> bool:
    """Print what came of some walks; whether all is well."""
    count, sent = len(model.tokens), [tokens for one in model.tokens.values() for tokens in one]
    most = max(sent, default=0)
    print_figure(f"{name}: walks that ended in no exception", count - failed, "walks", f">= {count}", not failed)
    print_figure(f"{name}: tokens of a prompt, most of {len(sent)}", most, "tokens", f"<= {limit}", most <= limit)
    return not failed and most <= limit


def digests() -> bool:
    """Print what the digest of each long page takes, in tokens and processor time; whether all is well."""
    ranker, most, is_well = Ranker(WordLlamaEmbedder.load()), ModelSettings(name=MODEL).page_tokens, True
    for name, html in long_pages().items():
        snapshot = Snapshot(url=HOME, final_url=HOME, status=200, html=_page(name, html))
        observation = observe(snapshot)
        memory = WalkMemory(step=1, stack=UrlStack().push(Frame(url=HOME, key=key_of(HOME), title="Home")))
        marks = mark_links(observation, memory)
        asked = DigestRequest(
            query="What was noted in winter 1904?",
            tokens=most,
            marks=marks,
            page=divide_page(observation, marks),
            with_lists=True,
        )
        tokens = count_tokens(digest_page(observation, asked, ranker).text)  # the ranker loads at its first use
        work: dict[str, Callable[[], object]] = {
            "links marked": partial(mark_links, observation, memory),
            "divided into parts": partial(divide_page, observation, marks),
            "shown": partial(digest_page, observation, asked, ranker),
        }
        took = {what: round(1000 * best_seconds(one, ROUNDS)) for what, one in work.items()}
        size, whole = f"{len(html) / 1e6:.1f} MB, {len(observation.links):,} links", sum(took.values())
        print_figure(f"long page ({size}): tokens", tokens, "tokens", f"<= {most}", tokens <= most)
        for what, spent in took.items():
            print_figure(f"long page ({size}): {what}", spent, "ms", "", True)
        print_figure(f"long page ({size}): digest in all", whole, "ms", f"<= {DIGEST_MS}", whole <= DIGEST_MS)
        is_well = is_well and tokens <= most and whole <= DIGEST_MS
    return is_well


def _page(name: str, html: str) -> str:
    head = f"<head><meta charset=utf-8><title>{name}</title></head>"
    return f"<!doctype html><html lang=en>{head}<body><main><h1>{name}</h1>{html}</main></body></html>"


def main() -> int:
    """Walk, measure, print, and say by the exit status whether all is well."""
    parser = parser_of(__doc__)
    parser.add_argument("--walks", type=int, default=WALKS, help="so many pages, drawn with a fixed seed")
    options = parser.parse_args()
    limit, more = ModelSettings(name=MODEL).step_tokens, shlex.split(options.more)
    with sites_of(options) as sites:
        pages = drawn(sites, options.walks)
        walks = walks_of(pages)
        model, failed = check_walks(walks, more, options.checkout)
    places: dict[str, tuple[Site, str]] = {
        walk.id: (served.site, path) for walk, (served, path, _) in zip(walks, pages, strict=True)
    }
    lines = [(places[id_][0], f"{places[id_][1]}: {why}") for id_, why in failed.items() if id_ in places]
    for line in listed(lines) if options.list_failures else ():
        print(line)
    pdfs, made = sum(is_pdf for _, _, is_pdf in pages), sum(one.site.pages == "javascript" for one, _, _ in pages)
    names = len({served.site.name for served, _, _ in pages})
    print(f"resilience: {len(pages)} pages of {names} sites, {pdfs} PDF, {made} made by scripts")
    print(f"resilience: tried {', '.join(f'{kind} {count}' for kind, count in model.actions.most_common())}")
    is_well = print_walks("pages of sites", model, len(failed), limit)
    with tempfile.TemporaryDirectory() as folder:
        for name, html in long_pages().items():
            (Path(folder) / f"{name}.html").write_text(_page(name, html), encoding="utf-8")
        with serve_folder(Path(folder)) as base:
            long = [
                Walk(id=name, question=f"What was noted of {name}?", root=f"{base}{name}.html") for name in long_pages()
            ]
            model, failed = check_walks(long, more, options.checkout)
    for name, why in failed.items():
        print(f"resilience: the long page of {name}: {why}")
    is_well = print_walks("long pages", model, len(failed), limit) and is_well
    return int(not (digests() and is_well))


if __name__ == "__main__":
    sys.exit(main())
