"""What the tests that read trees rest on: they run elsewhere, and fail here."""

from __future__ import annotations

import multiprocessing
import os

import pytest

from tests.architecture import source_tree
from tests.architecture.source_reader import reads_trees


@reads_trees
def where_it_runs() -> tuple[int, int]:
    return os.getpid(), len(source_tree.modules())


@reads_trees
def fails_everywhere() -> None:
    assert not source_tree.PACKAGES


@reads_trees
def fails_there() -> None:
    assert multiprocessing.parent_process() is None


@reads_trees
def breaks_there() -> None:
    raise KeyError("no such module")


def test_trees_are_read_elsewhere_and_held_by_one_process() -> None:
    source_tree.modules.cache_clear()  # a test that failed before may have explained itself from it
    reader, modules = where_it_runs()
    assert reader != os.getpid()
    assert modules > 30
    assert where_it_runs() == (reader, modules)
    assert source_tree.modules.cache_info().currsize == 0


def test_what_fails_there_is_told_as_what_fails_here() -> None:
    with pytest.raises(AssertionError, match=r"not .*'walker'"):
        fails_everywhere()


def test_what_fails_there_alone_fails() -> None:
    fails_there.__wrapped__()  # type: ignore[attr-defined]
    with pytest.raises(AssertionError):
        fails_there()


def test_another_error_is_the_test_s_too() -> None:
    with pytest.raises(KeyError, match="no such module"):
        breaks_there()
