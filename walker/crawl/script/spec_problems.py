"""Problems of a script as messages that say what was expected."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator
from typing import Any, get_args, get_origin

import msgspec
from pydantic import BaseModel, ValidationError

from walker.crawl.script.script_yaml import Location, Place
from walker.crawl.script.spec import CrawlSpec
from walker.errors import UsageError

_NUMBERS = {"int": "a whole number", "float": "a number", "bool": "true or false"}


class Problem(msgspec.Struct, frozen=True, kw_only=True):
    """One problem."""

    location: Location
    what: str
    expected: str = ""
    at_key: bool = False
    """Whether the key is wrong rather than its value."""
    by_neighbours: bool = False
    """Whether it may be a consequence of another problem."""

    def line(self, path: str, place: Place | None) -> str:
        """One line: file, line, column, key, problem, what was expected."""
        where = f"{path}:{place.line}:{place.column}" if place else path
        key = dotted(self.location)
        return f"{where}: {key}{': ' if key else ''}{self.what}" + (f"; {self.expected}" if self.expected else "")


class BadScript(UsageError):
    """Invalid script; nothing was fetched. `lines` has one line per problem."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines = tuple(lines)
        super().__init__("\n".join(self.lines))


def dotted(location: Location) -> str:
    """`pages[0].steps[1].click`, positions from 0."""
    text = ""
    for part in location:
        text += f"[{part}]" if isinstance(part, int) else f"{'.' if text else ''}{part}"
    return text


def problems_of_types(error: ValidationError) -> list[Problem]:
    """Pydantic's errors, one problem per value: for a union, that of its first branch."""
    found: dict[Location, Problem] = {}
    for entry in error.errors(include_url=False):
        problem = _problem(entry)
        found.setdefault(problem.location, problem)
    return list(found.values())


def _problem(entry: Any) -> Problem:
    kind, location, context = entry["type"], _without_branches(entry["loc"]), entry.get("ctx", {})
    given = _shown(entry.get("input"))
    if kind == "extra_forbidden":
        return Problem(location=location, what="is not known", expected=_meant(location), at_key=True)
    if kind == "missing":
        return Problem(
            location=location, what="is missing", expected=f"{_description(location)}".rstrip("."), at_key=True
        )
    if kind == "literal_error":
        return Problem(
            location=location, what=f"{given} is not known", expected=_nearest(entry["input"], context["expected"])
        )
    if kind.endswith(("_parsing", "_type")) and (wanted := _NUMBERS.get(kind.partition("_")[0])):
        return Problem(location=location, what=f"{given} does not fit", expected=f"expected {wanted}")
    bound = next((context[name] for name in ("ge", "le", "gt", "lt") if name in context), None)
    if bound is not None:
        words = {"ge": "at least", "le": "at most", "gt": "more than", "lt": "less than"}
        sign = next(name for name in words if name in context)
        return Problem(location=location, what=f"{given} is out of range", expected=f"expected {words[sign]} {bound:g}")
    wanted = {
        "string_type": "a text",
        "tuple_type": "a list",
        "dict_type": "a mapping of names to values",
        "model_type": "a mapping of keys to values",
        "path_type": "a path",
        "too_short": "at least one entry",
        "finite_number": "a finite number",
    }.get(kind, "")
    what = f"{given} does not fit" if wanted else str(entry["msg"])
    return Problem(location=location, what=what, expected=f"expected {wanted}" if wanted else "")


def _without_branches(location: Location) -> Location:
    """Remove union branches, which pydantic includes in locations (`tuple[str, ...]`, `literal['none']`)."""
    return tuple(
        part for part in location if isinstance(part, int) or not part.startswith(("tuple[", "literal[", "constrained"))
    )


def _meant(location: Location) -> str:
    """A suggestion for an unknown key. The same key elsewhere is meant only where that lies within what the key stands in, or around
    it: of a page's `url`, that of the login is not."""
    model, key = _model_at(location[:-1]), str(location[-1])
    here = "".join(f"{part}." for part in location[:-1] if not isinstance(part, int))
    elsewhere = [
        place
        for place in _places_of_keys(CrawlSpec, "")
        if place.rpartition(".")[2] == key and (place.startswith(here) or here.startswith(place.rpartition(".")[0]))
    ]
    near = difflib.get_close_matches(key.lower().replace("-", "_"), model.model_fields, n=1, cutoff=0.6)
    if elsewhere and not (near and near[0] == key.lower().replace("-", "_")):
        known = f" Known here: {', '.join(model.model_fields)}" if here else ""
        if elsewhere[0] == key and here:
            return f"it belongs at the top of the script.{known}"
        return f"did you mean {elsewhere[0]}?{known}"
    if near:
        return f"did you mean {near[0]}?"
    return f"expected one of {', '.join(model.model_fields)}"


def _places_of_keys(model: type[BaseModel], prefix: str) -> Iterator[str]:
    for name, field in model.model_fields.items():
        yield prefix + name
        inner = _inner_model(field.annotation)
        if inner:
            yield from _places_of_keys(inner, f"{prefix}{name}.")


def _model_at(location: Location) -> type[BaseModel]:
    model: type[BaseModel] = CrawlSpec
    is_name = False
    for part in location:
        if is_name or isinstance(part, int):
            is_name = False
        elif part in model.model_fields:
            annotation = model.model_fields[part].annotation
            model = _inner_model(annotation) or model
            is_name = get_origin(annotation) is dict
    return model


def _inner_model(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    return next((model for one in get_args(annotation) if (model := _inner_model(one))), None)


def _description(location: Location) -> str:
    field = _model_at(location[:-1]).model_fields.get(str(location[-1]))
    return f"expected: {field.description}" if field and field.description else ""


def _nearest(given: Any, expected: str) -> str:
    words = [word.strip(" '\"") for word in expected.replace(" or ", ", ").split(",")]
    words = [word for word in words if word]
    near = difflib.get_close_matches(str(given).lower(), words, n=1, cutoff=0.7)
    return f"did you mean {near[0]}?" if near else f"expected one of {', '.join(words)}"


def _shown(value: Any) -> str:
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list | tuple):
        return "a list"
    if value is None:
        return "nothing"
    text = str(value)
    return f"'{text[:40]}…'" if len(text) > 40 else f"'{text}'"
