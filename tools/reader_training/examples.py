"""Examples to learn from: a question with a text that answers it, and where, or with one that does not."""

from __future__ import annotations

import csv
import gzip
import logging
import math
import re
import subprocess
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random

import msgspec

from memory.words import tokens
from tools.reader_training.public_sets import Asked, AskedText, read_set
from tools.reader_training.site_texts import SENTENCE_END, SiteText, texts_of

_log = logging.getLogger(__name__)
HERE = Path(__file__).parent
PAGES_A_SITE = 220
ALIKE, HARD = 6, 2
"""Sentences of the same article that are most like a question, and how many of them are examples that do not answer it."""
FOUND, HARD_OF_SITE = 16, 6
"""The same of the texts that a search finds on a site."""
FOUND_WIDELY, MISTAKEN, LIKEST = 24, 5, 2
"""Texts of a site among which a net that has learnt before looks for those that it takes for answers; how many of these are
examples, and how many of the others, the likest to the question first."""
PLAIN_SHARE = 0.2
"""Examples whose headings are left away: a page may have none."""
SITE_WEIGHT = 1.5


class Example(msgspec.Struct, frozen=True, kw_only=True):
    """`start` and `end`: characters of the answer, None where the text has none or the whole text is it; `says` whether it has one."""

    question: str
    heading: str
    text: str
    says: bool
    start: int | None = None
    end: int | None = None
    weight: float = 1.0
    group: int = -1
    """Number of the question whose texts are told apart, -1 for none."""


Judge = Callable[[str, Sequence["SiteText"]], Sequence[float]]
"""Log odds that each text answers a question, by a net that has learnt before."""


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
    for path in paths_of(folder, source):
        yield path, content_of(folder, source, path)


def cloned_sites(folder: Path) -> tuple[Source, ...]:
    """The sites whose clone the folder holds; how many it lacks is logged."""
    sites = load_sources().sites
    here = tuple(one for one in sites if _clone(folder, one).exists())
    if len(here) < len(sites):
        _log.warning(
            "%s: %d of %d sites have no clone here and are left out", folder, len(sites) - len(here), len(sites)
        )
    return here


def paths_of(folder: Path, source: Source) -> list[str]:
    """Paths of a repository's files."""
    listed = _git(_clone(folder, source), "ls-tree", "-r", "-z", "--name-only", source.branch)
    paths = listed.decode("utf-8", "replace").split("\0")
    return [path for path in paths if re.search(source.files, path) and not re.search(source.skip, path)]


def content_of(folder: Path, source: Source, path: str) -> bytes:
    """One file."""
    return _git(_clone(folder, source), "show", f"{source.branch}:{path}")


def _clone(folder: Path, source: Source) -> Path:
    return folder / source.repository.replace("/", "+")


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


def texts_of_site(folder: Path, source: Source, paths: Sequence[str]) -> Iterator[SiteText]:
    """The texts of these files of a site."""
    for path in paths:
        content = content_of(folder, source, path).decode("utf-8", "replace").replace("\r\n", "\n")
        yield from texts_of(source.name, path, content)


def load_questions() -> list[dict[str, str]]:
    """The questions that were written for this: site, page, question, answer."""
    return rows_of(HERE / "questions.tsv")


def load_held_out() -> list[dict[str, str]]:
    """Questions like them that nothing is learnt from: they measure the reader, and weigh what it says."""
    return rows_of(HERE / "held_out.tsv")


def rows_of(file: Path) -> list[dict[str, str]]:
    """The lines of a file of tab-separated values below its first, which names the columns."""
    with file.open(encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


def several(text: str) -> tuple[str, ...]:
    """What one column holds several of, joined by " | "."""
    return tuple(part.strip() for part in text.split(" | ") if part.strip())


def site_examples(
    folder: Path,
    random: Random,
    rows: Sequence[dict[str, str]],
    judge: Judge | None = None,
    *,
    sites: Sequence[Source] = (),
) -> list[Example]:
    """Of written questions, with what a search finds beside the text that answers; with a judge, what it takes for answers, too.
    `sites`: those of `sources.json` if none are given."""
    examples: list[Example] = []
    for source in sites or load_sources().sites:
        asked = {row["page"] for row in rows if row["site"] == source.name}
        if not asked:
            continue
        order = paths_of(folder, source)
        random.shuffle(order)
        kept = [path for place, path in enumerate(order) if place < PAGES_A_SITE or path in asked]
        texts = list(texts_of_site(folder, source, kept))
        search = Search(texts)
        for row in rows:
            if row["site"] == source.name:
                others = (search, judge)
                made = _of_question((row["question"], row["answer"]), _of_page(texts, row["page"]), others, random)
                number = len(examples)
                examples += [msgspec.structs.replace(one, group=number) for one in made]
    return examples


def _of_page(texts: Sequence[SiteText], page: str) -> list[SiteText]:
    return [one for one in texts if one.page == page]


def _of_question(
    asked: tuple[str, str], texts: Sequence[SiteText], others: tuple[Search, Judge | None], random: Random
) -> Iterator[Example]:
    """`texts`: of the page that answers."""
    question, answer = asked
    held = [one for one in texts if answer in one.text]
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
    for one in _hard(question, answer, *others):
        yield Example(question=question, heading=one.heading, text=one.text, says=False)


def _hard(question: str, answer: str, search: Search, judge: Judge | None) -> list[SiteText]:
    """Texts of the site that are like the question and do not say the answer."""
    found = search.found(question, FOUND if judge is None else FOUND_WIDELY)
    others = [one for one in found if answer.lower() not in one.text.lower()]
    if judge is None:
        return others[:HARD_OF_SITE]
    scores = judge(question, others)
    mistaken = sorted(range(len(others)), key=lambda place: -scores[place])[:MISTAKEN]
    first = [place for place in range(len(others)) if place not in mistaken][:LIKEST]
    return [others[place] for place in (*mistaken, *first)]


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


def with_groups_apart(parts: Sequence[Sequence[Example]]) -> list[Example]:
    """All of these examples, with numbers of questions that no two parts share."""
    examples: list[Example] = []
    for part in parts:
        first = 1 + max((one.group for one in examples), default=-1)
        examples += [msgspec.structs.replace(one, group=one.group + first) if one.group >= 0 else one for one in part]
    return examples


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
