"""Prints how many icons of a set that was never learnt from are named rightly and found by a word, and what an icon costs."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure

from perception.icons.icon_reader import MODEL, IconReader
from tools.icon_training.evaluate import (
    UnseenIcon,
    share_found,
    share_given_a_name,
    share_named_right,
    share_not_named,
    share_of_names_right,
)
from tools.icon_training.render import render_text
from tools.icon_training.unseen import drawn_icons
from walker.browser.launch.find_chromium import find_browser

SAMPLE = Path(__file__).parents[1] / "tests" / "perception" / "icons" / "unseen_icons.json"
AT_ONCE, ROUNDS = 40, 25
NAMED, FOUND, SURE, SILENT, MILLISECONDS, MEGABYTES = 0.90, 0.78, 0.90, 0.95, 1.0, 4.0
WORDS = "Sign in,Contact us,42,Read more,€ 19.99,Opening hours,Next page,FAQ,Monday,Terms of use,Jane Doe,12:30".split(
    ","
)


def main() -> int:
    """Measure on the committed icons, drawn now by the browser that is installed."""
    chromium = find_browser().path
    reader = IconReader.load(device="cpu")
    icons = drawn_icons(SAMPLE, chromium)
    common = sum(bool(icon.common) for icon in icons)
    results = [
        at_least(f"common icons of an unseen set named rightly, of {common}", share_named_right(reader, icons), NAMED),
        at_least("right icon out of 20 for the icon's name", share_found(reader, icons, phrases=True), FOUND),
        at_least("right icon out of 20 for one word of its name", share_found(reader, icons, phrases=False), FOUND),
        at_least(
            f"names given at {reader.threshold:.2f} or more that are right", share_of_names_right(reader, icons), SURE
        ),
        at_least("text left without a name", share_not_named(reader, render_text(WORDS, chromium)), SILENT),
        at_most("a crop read, 40 at once", milliseconds(reader, icons), "ms", MILLISECONDS),
        at_most("model file", MODEL.stat().st_size / 1e6, "MB", MEGABYTES),
    ]
    print_figure("common icons given a name", round(share_given_a_name(reader, icons), 3), "share", "no target", True)
    return 0 if all(results) else 1


def milliseconds(reader: IconReader, icons: list[UnseenIcon]) -> float:
    """The fastest of many rounds, for one crop: cutting, scaling and naming. What else the machine does is left out."""
    crops = [icon.crop for icon in icons[:AT_ONCE]]
    took = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        reader.read(crops)
        took.append((time.perf_counter() - start) * 1000 / AT_ONCE)
    return min(took)


def at_least(name: str, share: float, wanted: float) -> bool:
    """Print a share that should be no smaller."""
    print_figure(name, round(share, 3), "share", f">= {wanted}", share >= wanted)
    return share >= wanted


def at_most(name: str, value: float, unit: str, wanted: float) -> bool:
    """Print a cost that should be no larger."""
    print_figure(name, round(value, 3), unit, f"<= {wanted}", value <= wanted)
    return value <= wanted


if __name__ == "__main__":
    sys.exit(main())
