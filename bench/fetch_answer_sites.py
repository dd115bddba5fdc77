"""Unpacks the sites of bench/answers into a cache folder outside the repository; a site that cannot be had is left out and named.

usage: python bench/fetch_answer_sites.py [--cache DIR] [--mirrors DIR] [--only NAME,NAME]
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from answers.question_set import read_set
from answers.unpacking import CACHE, NotUnpacked, unpack


def main() -> None:
    """Unpack each site that is not there yet, and print a line for each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cache", type=Path, default=CACHE, help="default: in the user's cache folder")
    parser.add_argument("--mirrors", type=Path, help="bare repositories named owner+name, used instead of the network")
    parser.add_argument("--only", default="", help="names of sites, separated by commas")
    options = parser.parse_args()
    wanted = set(filter(None, options.only.split(",")))
    for one in read_set():
        if wanted and one.site.name not in wanted:
            continue
        try:
            pages = unpack(one.site, options.cache, options.mirrors)
        except NotUnpacked as error:
            print(f"{one.site.name}: left out: {error}", flush=True)
        else:
            files = [file for file in pages.rglob("*") if file.is_file()]
            size = sum(file.stat().st_size for file in files) / 1e6
            print(f"{one.site.name}: {len(files)} files, {size:.0f} MB", flush=True)


if __name__ == "__main__":
    main()
