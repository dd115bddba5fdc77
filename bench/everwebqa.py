"""Builds a set of the size of EverWebQA (680 questions, Table 1 of V-GEMS) without a model, and checks it by machine.

usage: python bench/everwebqa.py [--out DIR] [--cache DIR] [--max-pages 240] [--port 9400] [--only NAME,NAME] [--changed 12]
       python bench/everwebqa.py --read 100 --seed N [--out DIR]
The set is DIR/everwebqa.jsonl (bench/out/everwebqa if not given), its figure DIR/everwebqa.png. It is built by `walker eval build
--roots` and `join`, refreshed from the same pages, which must keep all of it, and refreshed once more after some pages were replaced,
which must drop exactly the questions that rest on these. An interrupted run goes on where it was. Exit status 1 if a check fails.
--read builds nothing: it draws so many questions of the set by lot and prints them with their pages, for a person to judge.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.question_set import read_set
from answers.rendering import folder_of
from answers.serving import serve_folder
from answers.unpacking import CACHE, pages_of
from drawn_questions import drawn, tell_drawn
from figures import print_figure
from testbeds import PAGES

from evaluation.building.balancing import PAPER
from evaluation.dataset.files import load, save
from evaluation.dataset.question import Question

OUT = Path(__file__).parent / "out" / "everwebqa"
DOMAINS = {
    "conference": "conference",
    "catalogue": "game",
    "game": "game",
    "club": "organization",
    "course": "education",
}
"""Of a site by its kind; of any other kind the kind itself."""
SHARED_DOMAIN = "documentation"
SCRIPTED_PAGES = 80
"""Pages of a site that scripts make: each is opened in a browser."""
NOTICE = b"<!doctype html><title>Moved</title><main><h1>Moved</h1><p>%s</p></main>" % (
    b"This page was replaced by another one. " * 4
)


class Served(msgspec.Struct, frozen=True, kw_only=True):
    """A site at its address, and the pages that are sent in place of its own."""

    name: str
    base: str
    root: str
    domain: str
    language: str
    scripted: bool
    folder: Path
    instead: dict[str, bytes]


@contextlib.contextmanager
def served(options: argparse.Namespace) -> Iterator[tuple[Served, ...]]:
    """Every building site and shared site whose pages are here, at a port of its own that is the same in every run."""
    found: list[tuple[str, Path, str, str, str, bool]] = []
    for one in read_set(halves=("building",)):
        folder = pages_of(one.site, options.cache)
        if folder is not None:
            site = one.site
            kind = DOMAINS.get(site.kind, site.kind)
            scripted = site.pages == "javascript"
            root = folder_of(site.root) if scripted else site.root
            found.append((site.name, folder, root, kind, site.language, scripted))
    found += [
        (name, folder, "index.html", SHARED_DOMAIN, "en", False) for name, folder in PAGES.items() if folder.is_dir()
    ]
    only = set(filter(None, options.only.split(",")))
    with contextlib.ExitStack() as stack:
        sites = []
        for number, (name, folder, root, domain, language, scripted) in enumerate(found):
            if only and name not in only:
                continue
            instead: dict[str, bytes] = {}
            fallback = root or "index.html" if scripted else ""
            base = stack.enter_context(
                serve_folder(folder, fallback=fallback, port=options.port + number, instead=instead)
            )
            sites.append(Served(name=name, base=base, root=root, domain=domain, language=language, scripted=scripted,
                                folder=folder, instead=instead))  # fmt: skip
        yield tuple(sites)


def walker(*arguments: str) -> dict[str, Any]:
    """What a command of `walker eval` tells as JSON. Raises `SystemExit` with its last line if it fails."""
    command = [sys.executable, "-m", "walker", "eval", *arguments, "--json"]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[1])
    if ended.returncode:
        raise SystemExit(f"walker eval {arguments[0]}: {(ended.stderr.strip().splitlines() or ['failed'])[-1]}")
    told: dict[str, Any] = json.loads(ended.stdout)
    return told


def build(sites: tuple[Served, ...], options: argparse.Namespace) -> Path:
    """The set: one from plain pages, one from pages that scripts make, joined with the paper's counts."""
    parts = []
    for scripted, driver, pages in ((False, "http", options.max_pages), (True, "auto", SCRIPTED_PAGES)):
        chosen = [site for site in sites if site.scripted == scripted]
        if not chosen:
            continue
        name = "scripted" if scripted else "plain"
        roots = options.out / f"{name}.tsv"
        rows = ["root\tdomain\tlanguage\tname\tbase"]
        rows += [f"{one.base}{one.root}\t{one.domain}\t{one.language}\t{one.name}\t{one.base}" for one in chosen]
        roots.write_text("\n".join(rows) + "\n", encoding="utf-8")
        part = options.out / f"{name}.jsonl"
        limits = (
            "--counts",
            "paper",
            "--max-pages",
            str(pages),
            "--driver",
            driver,
            "--ignore-robots",
            "--sites-at-once",
            "2",
        )
        told = walker("build", "--roots", str(roots), "--out", str(part), *limits)
        print_figure(
            f"{name}: questions from {told['pages']} pages",
            told["questions"],
            "questions",
            "> 0",
            told["questions"] > 0,
        )
        for root, why in told["failed"].items():
            print(f"left out: {root}: {why}")
        parts.append(str(part))
    whole: Path = options.out / "everwebqa.jsonl"
    walker("join", *parts, "--out", str(whole), "--counts", "paper")
    return whole


def refreshed(
    sites: tuple[Served, ...], whole: Path, name: str, options: argparse.Namespace
) -> tuple[int, frozenset[str]]:
    """How many questions a refresh from the pages as they are served now drops, and the ids of those that it keeps."""
    questions = load(whole).questions
    places = [argument for site in sites for argument in ("--site", f"{site.name}={site.base}")]
    dropped, kept = 0, set[str]()
    for scripted, driver, pages in ((False, "http", options.max_pages), (True, "auto", SCRIPTED_PAGES)):
        names = {site.name for site in sites if site.scripted == scripted}
        part = [question for question in questions if question.site in names]
        if not part:
            continue
        old = options.out / f"{name}-{driver}-before.jsonl"
        into = options.out / f"{name}-{driver}.jsonl"
        save(old, part)
        limits = ("--max-pages", str(pages), "--driver", driver, "--ignore-robots", "--sites-at-once", "2")
        dropped += walker("build", "--refresh", str(old), "--out", str(into), *places, *limits)["dropped"]
        kept |= {question.id for question in load(into).questions} & {question.id for question in part}
    return dropped, frozenset(kept)


def replaceable(questions: tuple[Question, ...], count: int) -> list[tuple[str, str]]:
    """Site and path of some sources through which no question's click path leads on, drawn by lot; what a script shows at a route is
    no page of its own."""
    through = {(one.site, click.url) for one in questions for path in one.click_paths for click in path[:-1]}
    known = {(one.site, source) for one in questions for source in one.sources if "#" not in source}
    sources = sorted(known - through)
    return random.Random(0).sample(sources, min(count, len(sources)))


def main() -> int:
    options = _options()
    if options.read:
        return read(options)
    options.out.mkdir(parents=True, exist_ok=True)
    began = time.monotonic()
    with served(options) as sites:
        if not sites:
            sys.stderr.write("skipped: no site is unpacked here (python bench/fetch_answer_sites.py)\n")
            return 0
        whole = build(sites, options)
        questions = load(whole).questions
        told = walker("describe", str(whole), "--out", str(whole.with_suffix(".png")))
        holds = [_as_the_paper(told["table"])]
        several = [one for one in questions if one.kind == "multi"]
        apart = sum(bool(one.items) for one in several)
        print(f"multi-source: {len(several) - apart} linked or compared, {apart} two facts at once")
        for aspect in ("domain", "language", "site"):
            print(f"{aspect}: " + ", ".join(f"{name} {count}" for name, count in told["counts"][aspect].items()))
        dropped, kept = refreshed(sites, whole, "refreshed", options)
        holds.append(dropped == 0 and len(kept) == len(questions))
        print_figure("kept by a refresh from the same pages", len(kept), "questions", str(len(questions)), holds[-1])
        changed = replaceable(questions, options.changed)
        for name, path in changed:
            site = next(one for one in sites if one.name == name)
            file = path if (site.folder / path).is_file() else f"{path.rstrip('/')}/index.html".lstrip("/")
            site.instead[file] = NOTICE
        rest = {one.id for one in questions if any((one.site, source) in changed for source in one.sources)}
        _, kept = refreshed(sites, whole, "changed", options)
        gone = {one.id for one in questions} - kept
        holds.append(gone == rest)
        print_figure(
            f"dropped when {len(changed)} pages were replaced", len(gone), "questions", str(len(rest)), holds[-1]
        )
    print(f"{time.monotonic() - began:.0f} seconds; {'all checks hold' if all(holds) else 'a check failed'}")
    return 0 if all(holds) else 1


def read(options: argparse.Namespace) -> int:
    """Print questions of the set that was built."""
    whole: Path = options.out / "everwebqa.jsonl"
    if not whole.is_file():
        sys.stderr.write(f"{whole} is not there: build it first (without --read)\n")
        return 1
    bases = {row["name"]: row["base"] for file in options.out.glob("*.tsv") for row in _rows(file)}
    print(f"{options.read} of {whole}, drawn with seed {options.seed}")
    tell_drawn(drawn(load(whole).questions, options.read, options.seed), bases, options.out)
    return 0


def _rows(file: Path) -> Iterator[dict[str, str]]:
    with file.open(encoding="utf-8") as lines:
        yield from csv.DictReader(lines, delimiter="\t")


def _as_the_paper(table: dict[str, dict[str, int]]) -> bool:
    """Whether the set has the counts of Table 1, each of which is printed."""
    right = True
    for (kind, level), wanted in PAPER.items():
        count = table[level][kind]
        print_figure(f"{kind}-source, {level}", count, "questions", str(wanted), count == wanted)
        right = right and count == wanted
    return right


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="A set of the size of EverWebQA, built and checked.")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--max-pages", type=int, default=240)
    parser.add_argument("--port", type=int, default=9400)
    parser.add_argument("--only", default="")
    parser.add_argument("--changed", type=int, default=12)
    parser.add_argument("--read", type=int, default=0)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
