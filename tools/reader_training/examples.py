"""Examples to learn from: a question with a text that answers it, and where, or with one that does not."""

from __future__ import annotations

import csv
import gzip
import math
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec

from memory.words import tokens
from tools.reader_training.public_sets import Asked, AskedText, read_set
from tools.reader_training.site_texts import SENTENCE_END, SiteText, texts_of

HERE = Path(__file__).parent
PAGES_A_SITE = 220
ALIKE, HARD = 6, 2
"""Sentences of the same article that are most like a question, and how many of them are examples that do not answer it."""
FOUND, HARD_OF_SITE = 16, 6
"""The same of the texts that a search finds on a site."""
PLAIN_SHARE = 0.2
"""Examples whose headings are left away: a page may have none."""
SITE_WEIGHT = 1.5


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """`start` and `end`: characters of the answer, None where the text has none; `says` whether it has one."""

    question: str
    heading: str
    text: str
    says: bool
    start: int | None = None
    end: int | None = None
    weight: float = 1.0


class Source(msgspec.Struct, frozen=True, kw_only=True):
    """A public repository of a site or a set. `files` and `skip` are regular expressions of paths."""

    repository: str
    files: str
    name: str = ""
    form: str = ""
    skip: str = "$^"
    branch: str = "HEAD"
    share: float = 1.0
    """Of its texts that are taken."""


class Sources(msgspec.Struct, frozen=True, kw_only=True):
    """What `sources.json` holds."""

    sites: tuple[Source, ...]
    sets: tuple[Source, ...]


def load_sources() -> Sources:
    """The repositories to learn from."""
    return msgspec.json.decode((HERE / "sources.json").read_bytes(), type=Sources)


def files_of(folder: Path, source: Source) -> Iterator[tuple[str, bytes]]:
    """Paths and bytes of a repository's files; `folder` holds clones as OWNER+NAME."""
    clone = folder / source.repository.replace("/", "+")
    listed = _git(clone, "ls-tree", "-r", "-z", "--name-only", source.branch).decode("utf-8", "replace").split("\0")
    for path in listed:
        if re.search(source.files, path) and not re.search(source.skip, path):
            yield path, _git(clone, "show", f"{source.branch}:{path}")


def general_examples(folder: Path, random: Random) -> list[Example]:
    """Of the public sets."""
    examples: list[Example] = []
    for source in load_sources().sets:
        articles: dict[str, list[AskedText]] = defaultdict(list)
        for path, content in files_of(folder, source):
            file = folder / "read" / path.replace("/", "_")
            file.parent.mkdir(exist_ok=True)
            file.write_bytes(gzip.decompress(content) if path.endswith(".gz") else content)
            for text in read_set(source.form, file, random):
                if random.random() < source.share:
                    articles[text.title].append(text)
        for texts in articles.values():
            examples += _of_article(texts, random)
    return examples


def texts_of_site(folder: Path, source: Source) -> Iterator[SiteText]:
    """All texts of a site."""
    for path, content in files_of(folder, source):
        yield from texts_of(source.name, path, content.decode("utf-8", "replace").replace("\r\n", "\n"))


def site_examples(folder: Path, random: Random) -> list[Example]:
    """Of the questions that were written for this, with what a search finds beside the text that answers."""
    with (HERE / "questions.tsv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    examples: list[Example] = []
    for source in load_sources().sites:
        pages: dict[str, list[SiteText]] = defaultdict(list)
        for text in texts_of_site(folder, source):
            pages[text.page].append(text)
        asked = {row["page"] for row in rows if row["site"] == source.name}
        order = sorted(pages)
        random.shuffle(order)
        kept = [page for place, page in enumerate(order) if place < PAGES_A_SITE or page in asked]
        texts = [text for page in kept for text in pages[page]]
        search = Search(texts)
        for row in rows:
            if row["site"] == source.name:
                examples += _of_question(row, texts, search, random)
    return examples


def _of_question(row: dict[str, str], texts: Sequence[SiteText], search: Search, random: Random) -> Iterator[Example]:
    question, answer = row["question"], row["answer"]
    held = [one for one in texts if one.page == row["page"] and answer in one.text]
    if not held:
        return
    source = max(held, key=lambda one: len(_words(question) & _words(f"{one.heading} {one.text}")))
    start = source.text.find(answer)
    yield _answering(question, source.heading, source.text, (start, start + len(answer)))
    ends = [0, *(match.end() for match in SENTENCE_END.finditer(source.text)), len(source.text)]
    first = max(end for end in ends if end <= start)
    last = min(end for end in ends if end >= start + len(answer))
    heading = source.heading if random.random() >= PLAIN_SHARE else ""
    yield _answering(question, heading, source.text[first:last], (start - first, start - first + len(answer)))
    others = [one for one in search.found(question, FOUND) if answer.lower() not in one.text.lower()]
    for one in others[:HARD_OF_SITE]:
        yield Example(question=question, heading=one.heading, text=one.text, says=False)


def _answering(question: str, heading: str, text: str, span: tuple[int, int]) -> Example:
    return Example(
        question=question, heading=heading, text=text, says=True, start=span[0], end=span[1], weight=SITE_WEIGHT
    )


def _of_article(texts: Sequence[AskedText], random: Random) -> Iterator[Example]:
    sentences = [(one, _words(one)) for text in texts for one in SENTENCE_END.split(text.text) if len(one) > 10]
    for text in texts:
        for asked in text.asked:
            yield from _of_asked(asked, text, sentences, random)


def _of_asked(
    asked: Asked, text: AskedText, sentences: Sequence[tuple[str, frozenset[str]]], random: Random
) -> Iterator[Example]:
    heading = text.title if random.random() >= PLAIN_SHARE else ""
    words = _words(asked.question)
    bounds = [0, *(match.end() for match in SENTENCE_END.finditer(text.text)), len(text.text)]
    answer = min(asked.answers, key=lambda one: (-asked.answers.count(one), len(one)), default="")
    if answer and answer not in text.text:
        return
    places = [match.start() for match in re.finditer(re.escape(answer), text.text)] if answer else []
    if places:
        start = max(places, key=lambda at: len(words & _words(text.text[max(0, at - 150) : at + len(answer) + 150])))
    else:  # the sentence that is most like the question
        start = max(bounds[:-1], key=lambda at: len(words & _words(text.text[at : at + 200])))
    first = max(number for number, bound in enumerate(bounds) if bound <= start)
    last = min(number for number, bound in enumerate(bounds) if bound >= start + max(1, len(answer)))
    left = bounds[max(0, first - random.choice((0, 0, 1, 1, 2, 3)))]
    right = bounds[min(len(bounds) - 1, last + random.choice((0, 0, 1, 1, 2, 3)))]
    span = (start - left, start - left + len(answer)) if answer else (None, None)
    part = text.text[left:right]
    yield Example(question=asked.question, heading=heading, text=part, says=bool(answer), start=span[0], end=span[1])
    if answer:
        others = [(len(words & held) + random.random(), one) for one, held in sentences if answer not in one]
        alike = [one for _, one in sorted(others, reverse=True)[:ALIKE]]
        for one in random.sample(alike, min(HARD, len(alike))):
            yield Example(question=asked.question, heading=heading, text=one, says=False)


class Search:
    """Finds texts of a site by their words (BM25, Robertson and Zaragoza 2009)."""

    K, B = 1.2, 0.75

    def __init__(self, texts: Sequence[SiteText]) -> None:
        self._texts = texts
        self._held = [Counter(tokens(f"{one.heading} {one.text}")) for one in texts]
        self._in = Counter(word for held in self._held for word in held)
        self._mean = sum(map(Counter.total, self._held)) / max(1, len(texts))

    def found(self, question: str, most: int) -> list[SiteText]:
        """The texts that are most like a question, best first."""
        words = set(tokens(question))
        scored = sorted(
            ((sum(self._worth(word, held) for word in words), place) for place, held in enumerate(self._held)),
            reverse=True,
        )
        return [self._texts[place] for score, place in scored[:most] if score]

    def _worth(self, word: str, held: Counter[str]) -> float:
        if word not in held:
            return 0.0
        rare = math.log(1 + (len(self._texts) - self._in[word] + 0.5) / (self._in[word] + 0.5))
        length = 1 - self.B + self.B * held.total() / self._mean
        return rare * held[word] * (self.K + 1) / (held[word] + self.K * length)


def _words(text: str) -> frozenset[str]:
    return frozenset(tokens(text))


def _git(clone: Path, *arguments: str) -> bytes:
    return subprocess.run(  # noqa: S603 - git, in clones that the user made
        ["git", "-C", str(clone), *arguments],  # noqa: S607
        check=True,
        capture_output=True,
    ).stdout
