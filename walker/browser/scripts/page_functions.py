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
_EXPORT = re.compile(r"^export ((?:async )?(?:function|const) (\w+))", re.MULTILINE)


@cache
def page_function(file: str, name: str) -> str:
    """An expression that is the function of this name in a module ("steps/click.js"). Raises `ValueError` where the module exports
    no such function, or imports go round in a ring; `FileNotFoundError` where there is no such module."""
    bodies: dict[str, str] = {}
    _add_module(file, bodies, ())
    if name not in exported_names(file):
        raise ValueError(f"{file} exports no {name}")
    modules = "\n".join(bodies.values())
    return f'(() => {{\n"use strict";\n{modules}\nreturn {_variable(file)}.{name};\n}})()'


def call_of(function: str, argument: Any = None) -> str:
    """An expression that calls a function of at most one argument."""
    return f"({function})({msgspec.json.encode(argument).decode()})"


def init_script(function: str, argument: Any = None) -> str:
    """A script that calls a function before the scripts of each page; such scripts may stand one after the other."""
    return f"{call_of(function, argument)};\n"


def exported_names(file: str) -> tuple[str, ...]:
    """What a module hands to others, in the order of its text."""
    return tuple(name for _, name in _EXPORT.findall(_read(file)))


def imported_files(file: str) -> tuple[str, ...]:
    """Modules that a module imports directly."""
    return tuple(_resolved(file, source) for _, source in _IMPORT.findall(_read(file)))


@cache
def _read(file: str) -> str:
    return resources.files(PACKAGE).joinpath(file).read_text(encoding="utf-8")


def _add_module(file: str, bodies: dict[str, str], importers: tuple[str, ...]) -> None:
    if file in importers:
        raise ValueError(f"imports go round: {' -> '.join((*importers, file))}")
    if file in bodies:
        return
    for source in imported_files(file):
        _add_module(source, bodies, (*importers, file))
    text = _read(file)
    body = _IMPORT.sub(lambda found: f"const {{{found[1]}}} = {_variable(_resolved(file, found[2]))};\n", text)
    body = _EXPORT.sub(r"\1", body)
    bodies[file] = f"const {_variable(file)} = (() => {{\n{body}return {{ {', '.join(exported_names(file))} }};\n}})();"


def _resolved(importer: str, source: str) -> str:
    return normpath(join(dirname(importer), source))


def _variable(file: str) -> str:
    return "$" + re.sub(r"\W", "_", file.removesuffix(".js"))
