"""Checks the subjects of commits: at most 72 characters, imperative, no full stop at the end.

Without arguments those since the last release, with `--message FILE` the one that is about to be made (a commit-msg hook).
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SINCE = "b670bdee58fa1f1d489f2ff14b3e4afc68553d08"
"""Where the rule begins as long as there is no release: older subjects are longer."""
LONGEST = 72
NOT_IMPERATIVE = re.compile(r"\w+(?:ing|ed|[^s]s)", re.IGNORECASE)
IMPERATIVE = frozenset(
    "bring embed exceed feed focus need ping proceed seed shed speed string succeed swing wing".split()
)
"""Verbs that only look like "adding", "added" and "adds"."""


def problems_of(subject: str) -> Iterator[str]:
    """What is wrong with a subject, one line each."""
    if len(subject) > LONGEST:
        yield f"{len(subject)} characters, {LONGEST} at most"
    first = subject.split(" ", maxsplit=1)[0]
    if not first[:1].isupper():
        yield "begins without a capital letter"
    if NOT_IMPERATIVE.fullmatch(first) and first.lower() not in IMPERATIVE:
        yield f"{first!r} is no imperative: say what the commit does, as a command"
    if subject.endswith("."):
        yield "ends with a full stop"


def new_subjects(folder: Path, since: str = SINCE) -> list[str] | None:
    """Subjects of the commits since the last tag vX.Y.Z, or since the one given; merges do not count. None where the history
    does not reach back so far."""
    tag = _git(folder, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*")
    subjects = _git(folder, "log", "--no-merges", "--format=%s", f"{tag or since}..HEAD")
    return None if subjects is None else subjects.splitlines()


def _git(folder: Path, *arguments: str) -> str | None:
    done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)  # noqa: S603, S607
    return done.stdout.strip() if done.returncode == 0 else None


def main() -> int:
    """0 where all subjects are as they should be."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--message", type=Path, metavar="FILE")
    message = parser.parse_args().message
    if message is not None:
        written = message.read_text(encoding="utf-8").splitlines()
        # What git makes itself, and what will be squashed, is not ours to word.
        subjects = [line for line in written[:1] if not re.match(r"Merge |Revert |fixup! |squash! ", line)]
    else:
        folder = Path(__file__).parents[1]
        found = new_subjects(folder)
        if found is None and _git(folder, "rev-parse", "--is-shallow-repository") != "true":
            print("commits: the commit where the rule begins is not in the history", file=sys.stderr)
            return 2
        if found is None:
            print(
                "commits: the history does not reach back to the last release; no subject was checked", file=sys.stderr
            )
            return 0
        subjects = [subject for subject in found if not subject.startswith("Revert ")]
    wrong = [f"{subject}\n    {problem}" for subject in subjects for problem in problems_of(subject)]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f"commits: {len(subjects)} subjects, {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
