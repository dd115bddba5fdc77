"""Prints at which place a search of a library has the page that a written question was asked of, by keywords alone and by all that
speaks for a page, and the weights of memory/library/page_ranking.py as they are fitted now.

usage: python bench/fit_page_ranking.py CLONES [--only NAME,NAME]
CLONES holds the repositories of tools/reader_training/sources.json as OWNER+NAME. Places are of sites held out, four folds of sites.
A page weighs by its best passage; the weights are those of a softmax over the pages that a search finds.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure

from memory.library.errors import BadQuery
from memory.library.page_ranking import Signals
from perception.snapshot import Snapshot
from tools.reader_training.examples import Source, cloned_sites, content_of, load_questions, paths_of
from tools.reader_training.list_pages import page_of
from walker.library.library_file import LibraryFile
from walker.library.page_passages import page_of_text

Numbers = npt.NDArray[np.float64]
NAMES = Signals.__struct_fields__
FILES_A_SITE = 400
FOLDS, STEPS, RATE, L2 = 4, 300, 0.05, 1e-3
PLACES = (1, 5, 20)


class Searched(msgspec.Struct, frozen=True):
    """The pages that a search found: their signals, a row each, and which is the source; no rows where nothing was found."""

    site: str
    signals: Numbers
    is_source: npt.NDArray[np.bool_]


def main() -> None:
    """Search, fit with sites held out, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clones", type=Path)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    only = tuple(filter(None, options.only.split(",")))
    sources = [one for one in cloned_sites(options.clones) if not only or one.name in only]
    searched = [one for source in sources for one in searched_on(options.clones, source)]
    folds = sorted({one.site for one in searched})
    if len(folds) < FOLDS:
        raise SystemExit(f"{options.clones}: clones of {len(folds)} sites with questions, {FOLDS} or more are needed")
    keywords = np.eye(len(NAMES))[0]
    placed: dict[str, list[int]] = {"keywords": [place_of(one, keywords) for one in searched], "pages": []}
    for fold in range(FOLDS):
        weights = fitted([one for one in searched if folds.index(one.site) % FOLDS != fold])
        placed["pages"] += [place_of(one, weights) for one in searched if folds.index(one.site) % FOLDS == fold]
    for name, places in placed.items():
        for most in PLACES:
            share = sum(0 < place <= most for place in places) / len(places)
            told = f"{name}: the source among the first {most}, {len(places)} questions on {len(folds)} sites"
            print_figure(told, round(share, 4), "share", "-", ok=True)
    for name, weight in zip(NAMES, fitted(searched), strict=True):
        print_figure(f"weight of {name}", round(float(weight), 2), "-", "-", ok=True)


def searched_on(clones: Path, source: Source) -> Iterator[Searched]:
    """Ask every question of a site whose page is in its clone."""
    asked: dict[str, list[str]] = defaultdict(list)
    for question in load_questions():
        if question["site"] == source.name:
            asked[question["page"]].append(question["question"])
    paths = paths_of(clones, source) if asked else []
    step = max(1, len(paths) // FILES_A_SITE)
    with contextlib.closing(LibraryFile.in_memory()) as library:
        urls = {}
        for place, path in enumerate(paths):
            if path in asked or place % step == 0:
                page = page_of(source.name, path, content_of(clones, source, path).decode("utf-8", "replace"))
                library.add(page_of_text(page, Snapshot(url=page.url, final_url=page.url, status=200, html="")))
                urls[path] = page.url
        for path in sorted(asked.keys() & urls.keys()):
            # A page whose text another has is found under that one's address.
            stored = library.page(urls[path])
            if stored is not None:
                yield from (_searched(library, source.name, text, stored.url) for text in asked[path])


def _searched(library: LibraryFile, site: str, question: str, url: str) -> Searched:
    with contextlib.suppress(BadQuery):
        signals: dict[str, tuple[float, ...]] = {}
        for page, told in library.signals(question):
            signals.setdefault(page, msgspec.structs.astuple(told))
        if signals:
            return Searched(site, np.array(list(signals.values())), np.array([one == url for one in signals]))
    return Searched(site, np.zeros((0, len(NAMES))), np.zeros(0, dtype=bool))


def place_of(searched: Searched, weights: Numbers) -> int:
    """The place of the source by these weights, from 1; 0 where the search did not find it."""
    if not searched.is_source.any():
        return 0
    scores = searched.signals @ weights
    return int((scores > scores[searched.is_source].max()).sum()) + 1


def fitted(searched: Sequence[Searched]) -> Numbers:
    """Weights by gradient descent (Adam) on the log probability of the source among what was found."""
    told = [one for one in searched if one.is_source.any()]
    signals, sources = np.concatenate([one.signals for one in told]), np.concatenate([one.is_source for one in told])
    counts = np.array([len(one.is_source) for one in told])
    starts, group = np.cumsum(counts) - counts, np.repeat(np.arange(len(counts)), counts)
    spread = signals.std(axis=0) + 1e-6
    scaled = (signals - signals.mean(axis=0)) / spread
    weights, mean, square = (np.zeros(len(NAMES)) for _ in range(3))
    for step in range(1, STEPS + 1):
        scores = scaled @ weights
        grown = np.exp(scores - np.maximum.reduceat(scores, starts)[group])
        slope = scaled.T @ (grown / np.add.reduceat(grown, starts)[group] - sources) / len(told) + L2 * weights
        mean, square = 0.9 * mean + 0.1 * slope, 0.999 * square + 0.001 * slope**2
        weights = weights - RATE * (mean / (1 - 0.9**step)) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return np.asarray(weights / spread)


if __name__ == "__main__":
    main()
