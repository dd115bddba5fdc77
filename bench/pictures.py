"""Prints how well pictures are found again, and what that costs: 500 pictures of the sites of bench/answers in a library, asked for
shrunk to half (JPEG 60), and by 36 % of their area (JPEG 60); pictures that are not there; and a search among 50,000.

usage: python bench/pictures.py [--half building|validation] [--fit] [--many 50000]

--fit prints the weights of the chance of a hit, fitted to the building half; figures are to be taken on the other. Of the 50,000 those
beyond the sites' own are mixed of the words and features of these. A picture whose pixels another one here shows too, as another cut
of one photograph, is no absent one, and is left out and counted.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

import cv2
import msgspec
import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from answers.question_set import HALVES
from answers.unpacking import CACHE
from figures import print_figure
from picture_material import Sample, cropped, drawn, samples, shows_too, shrunk

from memory.library.pictures import PagePicture, PictureMarks
from memory.library.protocol import NewPage, PageLine
from perception.images.picture_file import open_picture
from perception.picture_search.features import look_of
from perception.picture_search.finding import LOOKED_AT_FROM, SIGNALS, candidates, check, signals_of
from perception.picture_search.pixels import PixelCheck
from perception.picture_search.visual_words import gathered
from walker.calibration.logistic_fit import SignalExample, fit_logistic
from walker.library.library_file import LibraryFile
from walker.library.picture_search import LibraryPictureSearch
from walker.pictures.picture_marks import look_of_marks, marks_of
from walker.seams.search_protocols import PictureHit

KEPT, ASKED, ABSENT, ASKED_AMONG_MANY, SEED = 500, 100, 100, 10, 3
FITTED = 28
"""Pictures that are compared with each, to fit the weights."""
HOME = "https://pictures.example/"
SURE = 0.5


def main() -> None:
    """Fill a library, ask, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--half", choices=HALVES, default="validation")
    parser.add_argument("--cache", type=Path, default=CACHE)
    parser.add_argument("--many", type=int, default=50_000)
    parser.add_argument("--fit", action="store_true")
    options = parser.parse_args()
    cv2.setNumThreads(1)
    chance = random.Random(SEED)
    found = samples("building" if options.fit else options.half, options.cache)
    chosen = drawn(found, KEPT + ABSENT, chance)
    if len(chosen) < KEPT // 2:
        sys.stderr.write("skipped: the sites of bench/answers are not unpacked here (bench/fetch_answer_sites.py)\n")
        return
    here, absent = chosen[: len(chosen) * 5 // 6], chosen[len(chosen) * 5 // 6 :]
    sites = ", ".join(f"{site} {count}" for site, count in Counter(one.site for one in chosen).most_common())
    sys.stderr.write(f"{len(here)} pictures in the library, {len(absent)} absent ones, of: {sites}\n")
    began = time.process_time()
    marks = [marks_of(one.data) for one in here]
    cost = 1000 * (time.process_time() - began) / len(marks)
    if options.fit:
        print_fit(here, absent, marks, chance)
        return
    print_figure("pictures: processor time of reading one for a library", round(cost, 1), "ms", "<= 60", cost <= 60)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pictures.library"
        fill(path, marks)
        size = path.stat().st_size / len(marks) / 1000
        print_figure("pictures: size of one in a library", round(size, 1), "KB", "<= 60", size <= 60)
        print_found(path, here, absent, chance)
        print_among_many(path, here, marks, options.many, chance)


def fill(path: Path, marks: Sequence[PictureMarks], start: int = 0) -> None:
    """A page for each picture."""
    with closing(LibraryFile.write(path)) as library:
        for number, one in enumerate(marks, start=start):
            url = f"{HOME}{number}"
            lines = (PageLine(text=f"Page {number}"),)
            shown = (PagePicture(marks=one, url=f"{url}.png"),)
            library.add(NewPage(url=url, title=str(number), lines=lines, pictures=shown))


def print_found(path: Path, here: Sequence[Sample], absent: Sequence[Sample], chance: random.Random) -> None:
    """Pictures that are there, and such that are not."""
    with closing(LibraryFile.read(path)) as library:
        search = LibraryPictureSearch(library)
        times: list[float] = []

        def part(data: bytes) -> bytes:
            return cropped(data, chance)

        for name, change, first, among in (
            ("the same picture, half as large", shrunk, 0.97, 0.97),
            ("36 % of the picture", part, 0.85, 0.95),
        ):
            ranks = [
                rank_of(ask(search, change(here[number].data), times), number)
                for number in chance.sample(range(len(here)), min(ASKED, len(here)))
            ]
            for most, want in ((1, first), (5, among)):
                share = sum(0 < rank <= most for rank in ranks) / len(ranks)
                print_figure(f"pictures: {name} @{most}", round(share, 3), "share", f">= {want}", share >= want)
        for name, change in (("whole", shrunk), ("36 %", part)):
            print_absent(search, here, absent, name, change, times)
    mean, slowest = 1000 * statistics.mean(times), 1000 * max(times)
    print_figure(
        f"pictures: processor time of a search among {len(here)}, mean", round(mean, 1), "ms", "<= 80", mean <= 80
    )
    print_figure(f"pictures: the same, slowest of {len(times)}", round(slowest, 1), "ms", "-", ok=True)


def print_absent(
    search: LibraryPictureSearch,
    here: Sequence[Sample],
    absent: Sequence[Sample],
    name: str,
    change: Callable[[bytes], bytes],
    times: list[float],
) -> None:
    """Of pictures that the library has not, how many are refused."""
    refused, left_out = 0, 0
    for one in absent:
        data = change(one.data)
        hits = ask(search, data, times)
        if any(hit.score >= SURE / 2 and shows_too(data, here[int(hit.title)].data, hit.part) for hit in hits):
            left_out += 1
            continue
        refused += not hits or hits[0].score < SURE
    asked = max(1, len(absent) - left_out)
    label = f"pictures: absent ones refused, {name} ({left_out} of {len(absent)} left out: their pixels are there)"
    print_figure(label, round(refused / asked, 3), "share", ">= 0.95", refused / asked >= 0.95)


def print_among_many(
    path: Path, here: Sequence[Sample], marks: Sequence[PictureMarks], many: int, chance: random.Random
) -> None:
    """What a search costs in a large library, and whether the pictures are still found."""
    began = time.process_time()
    with closing(LibraryFile.write(path)) as library:
        for start in range(len(marks), many, 250):
            mixes = [mixed(marks, number, chance) for number in range(start, min(many, start + 250))]
            url = f"{HOME}many/{start}"
            shown = tuple(PagePicture(marks=one, url=f"{url}/{n}.png") for n, one in enumerate(mixes))
            library.add(NewPage(url=url, title="many", lines=(PageLine(text=f"Page {start}"),), pictures=shown))
    sys.stderr.write(f"{many} pictures after {time.process_time() - began:.0f} s of processor time\n")
    with closing(LibraryFile.read(path)) as library:
        cold: list[float] = []
        ask(LibraryPictureSearch(library), shrunk(here[0].data), cold)
        search, times = LibraryPictureSearch(library), list[float]()
        ask(search, shrunk(here[0].data), [])
        for name, change in (("half as large", shrunk), ("36 %", lambda data: cropped(data, chance))):
            numbers = chance.sample(range(len(here)), ASKED_AMONG_MANY)
            ranks = [rank_of(ask(search, change(here[number].data), times), number) for number in numbers]
            share = ranks.count(1) / len(ranks)
            print_figure(f"pictures: {name}, first among {many:,}", share, "share", "-", ok=True)
    mean = 1000 * statistics.mean(times)
    print_figure(f"pictures: processor time of a search among {many:,}, mean", round(mean), "ms", "<= 250", mean <= 250)
    first = 1000 * cold[0]
    print_figure("pictures: the same, the first of a process", round(first), "ms", "<= 250", first <= 250)


def mixed(marks: Sequence[PictureMarks], number: int, chance: random.Random) -> PictureMarks:
    """A picture that is none: an eighth of the words of each of eight pictures, the features of one, and a hash by lot."""
    parts = [np.frombuffer(one.signature, "<u2") for one in chance.sample(list(marks), 8)]
    some = [part[chance.randrange(8) :: 8] for part in parts]
    words = np.unique(np.concatenate(some)).astype("<u2")
    other = chance.choice(list(marks))
    digest = f"{number:064x}"
    return msgspec.structs.replace(
        other,
        digest=digest,
        hash=chance.getrandbits(64),
        signature=words.tobytes(),
        preview=b"",
        thumbnail=bytes(reversed(other.thumbnail)),
    )


def ask(search: LibraryPictureSearch, data: bytes, times: list[float]) -> tuple[PictureHit, ...]:
    """The hits; what it took is added to `times`."""
    began = time.process_time()
    hits = search.find_now(data, "", 10)
    times.append(time.process_time() - began)
    assert isinstance(hits, tuple), "the library can be read"
    return hits


def rank_of(hits: Sequence[PictureHit], number: int) -> int:
    """From 1; 0 for not among them."""
    return next((rank for rank, hit in enumerate(hits, start=1) if hit.title == str(number)), 0)


def print_fit(
    here: Sequence[Sample], absent: Sequence[Sample], marks: Sequence[PictureMarks], chance: random.Random
) -> None:
    """The weights, from pairs whose pixels say whether they show the same; then those where pixels are compared."""
    looks = [look_of_marks(one) for one in marks]
    among = gathered([(number, one.hash, one.signature) for number, one in enumerate(marks)])
    asked = [(number, here[number].data) for number in chance.sample(range(len(here)), min(ASKED, len(here)))]
    examples: list[SignalExample] = []
    looked: list[SignalExample] = []
    for number, whole in (*asked, *((-1, one.data) for one in absent)):
        for data in (shrunk(whole), cropped(whole, chance)):
            picture = open_picture(data)
            searched = look_of(picture)
            pixels = PixelCheck(picture, lambda place: marks[place].preview)
            for one in check(
                searched, lambda wanted: {n: looks[n] for n in wanted}, candidates(searched, among.postings, FITTED)
            ):
                alike = one.match.agreeing >= 8 or one.match.bits <= 14
                is_right = one.picture == number or (alike and shows_too(data, here[one.picture].data, one.match.part))
                signals = signals_of(one.match)
                examples.append(SignalExample(signals=signals, right=is_right))
                # Another cut of the same photograph is neither: its pixels agree in part.
                if is_right and one.picture != number:
                    continue
                if one.chance >= LOOKED_AT_FROM and (same := pixels.agrees(one.picture, one.match)) is not None:
                    looked.append(SignalExample(signals=(*signals, same), right=is_right))
    for names, some in ((SIGNALS, examples), ((*SIGNALS, "same"), looked)):
        fitted = fit_logistic(names, some, ridge=1.0)
        sys.stdout.write(f"{len(some)} pairs, {sum(one.right for one in some)} of the same pixels: {fitted}\n")


if __name__ == "__main__":
    main()
