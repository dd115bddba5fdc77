"""Regular expressions that are compiled when they are first used."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

from memory.words import lazy_re

COUNTED = """
import re, sys
made = []
compiler = re._compiler.compile
re._compiler.compile = lambda pattern, flags: made.append(sys._getframe(3).f_globals["__name__"]) or compiler(pattern, flags)
import walker.asking
print(sum(name.startswith(("memory", "walker.strategies", "walker.rules")) for name in made))
"""


def test_it_does_what_the_compiled_pattern_does() -> None:
    lazy, compiled = (
        lazy_re.compile(r"(?P<day>\d+)\. may", re.IGNORECASE),
        re.compile(r"(?P<day>\d+)\. may", re.IGNORECASE),
    )
    text = "3. May and 14. MAY"
    assert [one.span() for one in lazy.finditer(text)] == [one.span() for one in compiled.finditer(text)]
    assert (lazy.sub("-", text), lazy.split(text)) == (compiled.sub("-", text), compiled.split(text))
    assert (lazy.pattern, lazy.flags, lazy.groups, dict(lazy.groupindex)) == (
        compiled.pattern,
        compiled.flags,
        compiled.groups,
        dict(compiled.groupindex),
    )
    assert lazy_re.compile(rb"\d").findall(b"1 2") == [b"1", b"2"]


def test_a_wrong_pattern_is_told_when_it_is_used() -> None:
    wrong = lazy_re.compile("(")
    assert wrong.pattern == "("
    with pytest.raises(re.error):
        wrong.search("x")
    with pytest.raises(AttributeError, match="no attribute found"):
        getattr(wrong, "found")  # noqa: B009 - what a pattern does not have


def test_a_walk_is_imported_without_compiling_what_reads_questions() -> None:
    asked = subprocess.run([sys.executable, "-c", COUNTED], capture_output=True, text=True, check=True)
    assert int(asked.stdout) < 20, "each compiled pattern makes every command start later: use memory.words.lazy_re"
