"""A real process fills a library and is killed, fifty times: what it said was added is there, whole and once."""

from __future__ import annotations

import os
import random
import re
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

KILLS, PAGES = 50, 40
FILLING = """
import os, sys
from pathlib import Path
from walker.library.library_file import LibraryFile
from memory.library.protocol import NewPage, PageLine

def fill(path, turn):
    os.write(1, f"started {os.getpid()}\\n".encode())
    library = LibraryFile.write(Path(path))
    for step in range(10_000):
        number = step % PAGES
        text = f"Page {number} was changed by turn {turn}. " if number % 2 else f"Page {number} stays as it is. "
        lines = tuple(PageLine(text=text + "word " * 100) for _ in range(3))
        added = library.add(NewPage(url=f"https://a.example/{number}", title=f"Page {number}", lines=lines, markup=text))
        os.write(1, f"{turn} {number} {added}\\n".encode())

print("ready", flush=True)
for line in sys.stdin:
    child = os.fork()
    if not child:
        fill(sys.argv[1], line.strip())
        os._exit(0)
    os.waitpid(child, 0)
    print("ended", flush=True)
""".replace("PAGES", str(PAGES))
"""Has loaded the program, and makes a process of it for each line."""


def test_fifty_kills_lose_and_double_nothing(tmp_path: Path) -> None:
    path, chance = tmp_path / "docs.library", random.Random(7)
    newest: dict[int, str] = {}
    command = [sys.executable, "-c", FILLING, str(path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as mother:
        assert mother.stdin is not None
        assert mother.stdout is not None
        assert mother.stdout.readline() == "ready\n"
        for turn in range(KILLS):
            mother.stdin.write(f"{turn}\n")
            child = int(mother.stdout.readline().split()[1])
            before_kill = chance.randint(1, 12)
            while (line := mother.stdout.readline()) != "ended\n":
                said_turn, number, _ = line.split()
                newest[int(number)] = said_turn
                before_kill -= 1
                if before_kill == 0:
                    os.kill(child, signal.SIGKILL)
            check(path, newest, turn)
        mother.stdin.close()
    assert len(newest) >= 12


def check(path: Path, newest: dict[int, str], turn: int) -> None:
    base = sqlite3.connect(path)
    try:
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        base.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        base.rollback()
        indexed = base.execute("SELECT rowid FROM words ORDER BY 1").fetchall()
        assert indexed == base.execute("SELECT id FROM passages ORDER BY 1").fetchall()
        pages = base.execute(
            "SELECT title, text FROM pages JOIN passages ON page = pages.id ORDER BY pages.id, place"
        ).fetchall()
        titles = [title for title, _ in pages]
        assert all(titles.count(title) == 3 for title in set(titles)), "a page is whole, and there once"
        assert len(set(titles)) == base.execute("SELECT COUNT(*) FROM pages").fetchone()[0]
        text_of = dict(pages)
        for number, said in newest.items():
            # What was said is there, or what a later turn wrote of it that was not said any more.
            if number % 2:
                written = int(re.findall(r"changed by turn (\d+)\.", text_of[f"Page {number}"])[0])
                assert int(said) <= written <= turn
    finally:
        base.close()
