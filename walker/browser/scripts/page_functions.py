"""Functions of ours that run inside pages: exported by the JavaScript modules of this folder, handed to a browser as one expression.

A browser evaluates an expression in a page, and knows nothing of our modules; so the module that exports the function and all that
it imports are put into one, each module in a function of its own, those first that others import. The state of a module is that of
one evaluation. What Python has to say to a function is its argument, never a part of its text.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import resources
from posixpath import dirname, join, normpath
from typing import Any

import msgspec

PACKAGE = "walker.browser.scripts"
_IMPORT = re.compile(r'^import \{([^}]*)\} from "(\.[\w./]*\.js)";\n', re.MULTILINE)
_COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)
"""On lines of its own. Comments are half of the text, which is sent and read with every call."""
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const) (\w+))", re.MULTILINE)


@cache
def page_function(file: str, name: str, *, package: str = PACKAGE) -> str:
    """An expression that is the function of this name in a module ("steps/click.js"). Raises `ValueError` where the module exports
    no such function, or imports go round in a ring; `FileNotFoundError` where there is no such module."""
    modules = page_modules(package)
    if name not in modules.exported_names(file):
        raise ValueError(f"{file} exports no {name}")
    bodies: dict[str, str] = {}
    modules.add(file, bodies, ())
    text = "\n".join(bodies.values())
    return f'(() => {{\n"use strict";\n{text}\nreturn {_variable(file)}.{name};\n}})()'


def call_of(function: str, argument: Any = None) -> str:
    """An expression that calls a function of at most one argument."""
    return f"({function})({msgspec.json.encode(argument).decode()})"


def init_script(function: str, argument: Any = None) -> str:
    """A script that calls a function before the scripts of each page; such scripts may stand one after the other."""
    return f"{call_of(function, argument)};\n"


def work_scripts(*, lean: bool) -> tuple[str, ...]:
    """Scripts to run before those of each page, by which it tells what it still has to do, and what stands in the shadow roots that
    its scripts close. Outside the lean mode of crawls what a page would do later by itself is held off; in it, the page tells which
    others it will open after a while."""
    pending = init_script(page_function("page_world/pending_work.js", "watchPendingWork"))
    coming = init_script(page_function("page_world/coming_work.js", "watchComingWork"), not lean)
    closed = init_script(page_function("page_world/closed_roots.js", "watchClosedRoots"))
    if not lean:
        return pending, coming, closed
    return pending, coming, closed, init_script(page_function("page_world/late_redirects.js", "watchLateRedirects"))


def undrawn_script() -> str:
    """A script to run before those of each page in a tab without frames, by which it tells whether it needs some."""
    return init_script(page_function("page_world/frame_needs.js", "watchFrameNeeds"))


@cache
def page_modules(package: str = PACKAGE) -> PageModules:
    """The modules of a package, each read once a process."""
    return PageModules(package)


class PageModules:
    """JavaScript modules, named by their paths below a package."""

    def __init__(self, package: str) -> None:
        self._folder = resources.files(package)
        self._texts: dict[str, str] = {}

    def exported_names(self, file: str) -> tuple[str, ...]:
        """What a module hands to others, in the order of its text."""
        return tuple(name for _, name in _EXPORT.findall(self._text(file)))

    def imported_files(self, file: str) -> tuple[str, ...]:
        """Modules that a module imports directly."""
        return tuple(_resolved(file, source) for _, source in _IMPORT.findall(self._text(file)))

    def add(self, file: str, bodies: dict[str, str], importers: tuple[str, ...]) -> None:
        """Add a module and all that it imports, each as a constant, those first that others import."""
        if file in importers:
            raise ValueError(f"imports go round: {' -> '.join((*importers, file))}")
        if file in bodies:
            return
        for source in self.imported_files(file):
            self.add(source, bodies, (*importers, file))
        text = _IMPORT.sub(
            lambda found: f"const {{{found[1]}}} = {_variable(_resolved(file, found[2]))};\n", self._text(file)
        )
        exports = ", ".join(self.exported_names(file))
        body = _COMMENT.sub("", _EXPORT.sub(r"\1", text))
        bodies[file] = f"const {_variable(file)} = (() => {{\n{body}return {{ {exports} }};\n}})();"

    def _text(self, file: str) -> str:
        if file not in self._texts:
            self._texts[file] = self._folder.joinpath(file).read_text(encoding="utf-8")
        return self._texts[file]


def _resolved(importer: str, source: str) -> str:
    return normpath(join(dirname(importer), source))


def _variable(file: str) -> str:
    return "$" + re.sub(r"\W", "_", file.removesuffix(".js"))
