"""The shared documentation sites, served from where their packages lie, with the questions that stand beside the project."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from testbeds import FOLDER, PAGES

from answers.question_set import read_questions
from answers.serving import serve_folder
from answers.sites_here import ServedSite, sites_elsewhere


@contextlib.contextmanager
def shared_sites() -> Iterator[tuple[ServedSite, ...]]:
    """Yields each shared site whose pages and questions are here, at an address of its own."""
    file = FOLDER / "qa_dev.jsonl"
    here = {name: folder for name, folder in PAGES.items() if folder.is_dir()} if file.is_file() else {}
    named = frozenset(question.site for question in read_questions(file)) if here else frozenset[str]()
    with contextlib.ExitStack() as stack:
        bases = {name: stack.enter_context(serve_folder(folder)) for name, folder in here.items()}
        served = sites_elsewhere(file, bases) if here and named <= bases.keys() else ()
        yield served
