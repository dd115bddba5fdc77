"""Python scripts: a `crawl`, and up to two functions for what rules cannot express.

| function | called | returns |
|---|---|---|
| `items(page)` or `items(page, html)` | once for each page without a problem, after the items of rules | mappings |
| `follow(link)` or `follow(link, page)` | once for each link in scope, before it enters the frontier | whether it does |

`page` is a `PageContent`, `html` the page's markup after its steps, `link` a `FoundLink`. Both run in the crawl's process, one call
at a time, and may be called again for a page that is refetched after a crash.
"""

from __future__ import annotations

import ast
import difflib
import dis
import inspect
import sys
import traceback
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import FunctionType, ModuleType, TracebackType
from typing import Any, Literal

import msgspec
from pydantic import ValidationError

from walker.crawl.job_records import FoundLink, PageContent
from walker.crawl.script.script_yaml import Place
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.spec_problems import BadScript, Problem, problems_of_types
from walker.errors import WalkerError

_PARAMETERS = {"items": (("page",), ("page", "html")), "follow": (("link",), ("link", "page"))}


class ScriptFailed(WalkerError):
    """A function of a Python script raised an exception, or returned an invalid value."""


class ScriptFunctions(msgspec.Struct, frozen=True, kw_only=True):
    """The functions of a Python script; None for undefined ones."""

    path: str = ""
    items: Callable[..., Any] | None = None
    follow: Callable[..., Any] | None = None

    def items_of(self, page: PageContent, html: str) -> tuple[dict[str, Any], ...]:
        """The script's items of a page, JSON-ready. Raises `ScriptFailed`."""
        if self.items is None:
            return ()
        with _UserCode(partial(self._failure, "items", page.url), self.path):
            found = self._call(self.items, page, html)
            return tuple(msgspec.json.decode(msgspec.json.encode(dict(record))) for record in found or ())

    def follows(self, link: FoundLink, page: PageContent) -> bool:
        """Whether the script follows this link. Raises `ScriptFailed`."""
        if self.follow is None:
            return True
        with _UserCode(partial(self._failure, "follow", link.url), self.path):
            return bool(self._call(self.follow, link, page))

    def _call(self, function: Callable[..., Any], *values: object) -> Any:
        count = len(inspect.signature(function).parameters)
        return function(*values[:count])

    def _failure(self, name: str, url: str, error: BaseException) -> ScriptFailed:
        line = _line_in(error, self.path)
        where = f"{self.path}:{line}" if line else self.path
        return ScriptFailed(f"{name}() raised {_told(error)}", where=where, advice=f"It was at {url}")


def run_script(path: Path, source: str) -> tuple[CrawlSpec, ScriptFunctions, Place]:
    """The values of a Python script, and the position of its `crawl`. It is the user's own code and runs unrestricted.
    Raises `BadScript`."""
    module = ModuleType(f"walker_crawl_script_{path.stem}")
    module.__file__ = str(path)
    try:
        tree = ast.parse(source, str(path))
        sys.modules[module.__name__] = module  # typing and dataclasses look up their module by name
        with _UserCode(partial(_failed_at_once, path), str(path), but=(SyntaxError, ValidationError)):
            exec(compile(tree, str(path), "exec"), module.__dict__)  # noqa: S102
    except SyntaxError as error:
        place = Place(error.lineno or 1, error.offset or 1)
        raise BadScript([Problem(location=(), what=f"not Python ({error.msg})").line(str(path), place)]) from None
    except ValidationError as error:
        place = Place(_line_in(error, str(path)) or 1, 1)
        raise BadScript(problem.line(str(path), place) for problem in problems_of_types(error)) from None
    return _values_of(module, tree, path)


class _UserCode:
    """A block of a user's code, which may raise anything, classes of its own too: all but Ctrl-C becomes what `named` makes of it."""

    def __init__(
        self, named: Callable[[BaseException], WalkerError], path: str, *, but: tuple[type[Exception], ...] = ()
    ) -> None:
        """`path` is the file of the code."""
        self._named, self._path, self._but = named, path, but

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> Literal[False]:
        is_pressed = isinstance(error, KeyboardInterrupt) and not _is_raised_in(error, self._path)
        if error is not None and not is_pressed and not isinstance(error, self._but):
            raise self._named(error) from error
        return False


def _is_raised_in(error: BaseException, path: str) -> bool:
    """Whether a `raise` of this file raised it; Ctrl-C comes between any two instructions."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    if place is None or place.tb_frame.f_code.co_filename != path:
        return False
    return dis.opname[place.tb_frame.f_code.co_code[place.tb_lasti]] == "RAISE_VARARGS"


def _told(error: BaseException) -> str:
    name, said = type(error).__name__, str(error)
    return f"{name}: {said}" if said else name


def _failed_at_once(path: Path, error: BaseException) -> BadScript:
    place = Place(_line_in(error, str(path)) or 1, 1)
    what = f"the script raised {_told(error)}"
    return BadScript([Problem(location=(), what=what).line(str(path), place)])


def _values_of(module: ModuleType, tree: ast.Module, path: Path) -> tuple[CrawlSpec, ScriptFunctions, Place]:
    place = _place_of_name(tree, "crawl")
    spec = getattr(module, "crawl", None)
    lines = []
    if not isinstance(spec, CrawlSpec):
        what = f"crawl is a {type(spec).__name__}" if hasattr(module, "crawl") else "there is no crawl"
        expected = "expected crawl = CrawlSpec(...) from walker.crawl.script.spec"
        lines.append(Problem(location=(), what=what, expected=expected).line(str(path), place))
    own = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, FunctionType) and _is_own(value, module)
    }
    lines += [
        problem.line(str(path), _place_of_name(tree, name))
        for name, function in own.items()
        for problem in _problems_of_function(name, function)
    ]
    if lines or not isinstance(spec, CrawlSpec):
        raise BadScript(lines)
    return spec, ScriptFunctions(path=str(path), items=own.get("items"), follow=own.get("follow")), place


def _is_own(function: FunctionType, module: ModuleType) -> bool:
    return function.__module__ == module.__name__


def _problems_of_function(name: str, function: FunctionType) -> Iterable[Problem]:
    if name not in _PARAMETERS:
        near = difflib.get_close_matches(name, _PARAMETERS, n=1, cutoff=0.75)
        if near:
            yield Problem(
                location=(name,), what="is never called", expected=f"did you mean {near[0]}? A _ in front silences this"
            )
        return
    if inspect.iscoroutinefunction(function) or inspect.isasyncgenfunction(function):
        yield Problem(location=(name,), what="is async", expected="expected a plain function")
    given = tuple(inspect.signature(function).parameters)
    if given not in _PARAMETERS[name]:
        forms = " or ".join(f"{name}({', '.join(form)})" for form in _PARAMETERS[name])
        yield Problem(location=(name,), what=f"takes ({', '.join(given)})", expected=f"expected {forms}")


def _place_of_name(tree: ast.Module, name: str) -> Place:
    for node in tree.body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name == name:
            return Place(node.lineno, node.col_offset + 1)
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return Place(node.lineno, 1)
    return Place(1, 1)


def _line_in(error: BaseException, path: str) -> int:
    lines = [frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == path]
    return lines[-1] if lines else 0
