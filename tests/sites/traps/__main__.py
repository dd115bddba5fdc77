"""Serves the site for a person: python -m tests.sites.traps --port 8150 [--only calendar,mirror]"""

from __future__ import annotations

import argparse
import sys

from tests.sites.traps import TRAPS, Shape
from tests.sites.traps.server import TrapSite


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.sites.traps")
    parser.add_argument("--port", type=int, default=8150)
    parser.add_argument("--only", default=",".join(TRAPS), help="names of traps, with commas; empty for none")
    parser.add_argument("--pages", type=int, default=3, help="list pages of a category")
    parser.add_argument("--chapters", type=int, default=10)
    given = parser.parse_args()
    traps = {name for name in given.only.split(",") if name}
    if unknown := traps - set(TRAPS):
        parser.error(f"no trap is called {', '.join(sorted(unknown))}; there are {', '.join(TRAPS)}")
    site = TrapSite(Shape(pages=given.pages, chapters=given.chapters), traps, given.port)
    sys.stderr.write(f"{site.address}/ with {len(site.truth().pages)} real pages; stop it with Ctrl-C\n")
    try:
        site.serve_forever()
    except KeyboardInterrupt:
        site.server_close()


if __name__ == "__main__":
    main()
