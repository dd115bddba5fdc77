"""Loads and validates crawl scripts before anything is fetched. docs/crawl-scripts.md teaches them by example."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
from pydantic import ValidationError

from walker.crawl.script.script_functions import ScriptFunctions, run_script
from walker.crawl.script.script_yaml import MOST_BYTES, BadYaml, Document, Location, Place, read_yaml
from walker.crawl.script.spec import CrawlSpec
from walker.crawl.script.spec_check import problems_of
from walker.crawl.script.spec_problems import BadScript, Problem, problems_of_types

ENDINGS = (".yaml", ".yml", ".json", ".py")
_ANYWHERE = "https://example.org/"

Named = Mapping[Location, str]
"""What keys of a script are called by whoever set them: ("output", "items") is `--out`."""


class CrawlScript(msgspec.Struct, frozen=True, kw_only=True):
    """A script with its functions."""

    spec: CrawlSpec
    functions: ScriptFunctions = ScriptFunctions()


def read_script(path: Path, environment: Mapping[str, str] | None = None) -> CrawlScript:
    """Load a script, with its functions if it is in Python. `environment` has the values of `${NAME}`; without it variables are not
    looked up. Raises `BadScript` with all problems."""
    source = _source(path)
    if path.suffix == ".py":
        spec, functions, place = run_script(path, source)
        found = problems_of(spec, environment, has_items_function=functions.items is not None)
        if found:
            raise BadScript(problem.line(str(path), place) for problem in found)
        return CrawlScript(spec=spec, functions=functions)
    try:
        document = read_yaml(source)
    except BadYaml as error:
        raise BadScript([Problem(location=(), what=error.what).line(str(path), error.place)]) from None
    return CrawlScript(spec=_spec_of_document(document, str(path), environment))


def spec_of_root(url: str, *, named: Named | None = None, **parts: Any) -> CrawlSpec:
    """The script of `walker crawl ROOT`: the whole host of one URL; `parts` are keys of a script that differ from the
    defaults, `named` says what they are called where they come from. Raises `BadScript`."""
    try:
        spec = CrawlSpec.model_validate({"start": (url,), **parts})
        found = problems_of(spec)
    except ValidationError as error:
        found = problems_of_types(error)
    if found:
        raise BadScript(_about_root(problem, url, named) for problem in found)
    return spec


def read_login_script(path: Path, url: str) -> CrawlSpec:
    """A file with the steps of a login: a crawl script, of which only `login` is used, or the keys of one alone (`steps`, and `url`
    where it is not the one given). Raises `BadScript` with all problems."""
    try:
        document = read_yaml(_source(path))
    except BadYaml as error:
        raise BadScript([Problem(location=(), what=error.what).line(str(path), error.place)]) from None
    keys = document.data if isinstance(document.data, dict) else {}
    login = keys.get("login", keys)
    if not isinstance(login, dict) or "steps" not in login:
        problem = Problem(location=("login",), what="there are no steps of a login", expected="expected steps, and url")
        raise BadScript([problem.line(str(path), None)])
    return spec_of_root(url, login={"url": url, **login})


def amended(spec: CrawlSpec, changes: Mapping[str, Any], *, named: Named | None = None) -> CrawlSpec:
    """A script with some keys changed; other keys of a part (`scope`, `polite`) are unchanged. `named` says what the changed keys are
    called where they come from. Raises `BadScript`."""
    merged = spec.model_dump(exclude_unset=True)
    for name, value in changes.items():
        merged[name] = {**merged.get(name, {}), **value} if isinstance(value, Mapping) else value
    try:
        made = CrawlSpec.model_validate(merged)
        found = problems_of(made)
    except ValidationError as error:
        found = problems_of_types(error)
    if found:
        raise BadScript(_about_root(problem, spec.start[0], named) for problem in found)
    return made


def spec_schema() -> dict[str, Any]:
    """JSON Schema of scripts in YAML or JSON, for editors; where a list is expected, a single value is accepted."""
    schema = CrawlSpec.model_json_schema(mode="validation")
    for part in (schema, *schema.get("$defs", {}).values()):
        part["properties"] = {name: _one_or_more(entry) for name, entry in part.get("properties", {}).items()}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **schema, "title": "Walker crawl script"}


def _one_or_more(entry: dict[str, Any]) -> dict[str, Any]:
    if entry.get("type") != "array":
        return entry
    said: dict[str, Any] = {name: entry[name] for name in ("title", "description", "default") if name in entry}
    array = {name: value for name, value in entry.items() if name not in said}
    return {**said, "anyOf": [array, entry["items"]]}


def _about_root(problem: Problem, url: str, named: Named | None) -> str:
    """A problem in a line: of what was set by a name by that name, of anything else by its place in the script."""
    location = problem.location
    if location[:1] == ("start",):
        return f"{problem.what}. {problem.expected}"
    within = (location[:length] for length in range(len(location), 0, -1))
    name = next((named[place] for place in within if place in named), "") if named else ""
    return msgspec.structs.replace(problem, location=()).line(name, None) if name else problem.line(url, None)


def _source(path: Path) -> str:
    if path.suffix not in ENDINGS:
        raise BadScript(
            [f"{path}: not a crawl script; expected a file ending in {' '.join(ENDINGS)}, or an address (https://...)"]
        )
    try:
        with path.open("rb") as file:
            raw = file.read(MOST_BYTES + 1)
        text = raw.decode("utf-8-sig")
    except OSError as error:
        raise BadScript([f"{path}: cannot be read ({error.strerror}); check the path"]) from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise BadScript([f"{path}:{line}: not UTF-8; save the script as UTF-8"]) from None
    if len(raw) > MOST_BYTES:
        raise BadScript([f"{path}: larger than {MOST_BYTES >> 10} KiB; a script is text that a person wrote"])
    return text


def _spec_of_document(document: Document, path: str, environment: Mapping[str, str] | None) -> CrawlSpec:
    data = _without_nothing(document.data)
    try:
        spec = CrawlSpec.model_validate(data)
        found = problems_of(spec, environment)
    except ValidationError as error:
        found = problems_of_types(error)
        found += _problems_of_the_rest(data, found, environment)
    if found:
        placed = [(problem, _place(problem, document)) for problem in found]
        placed.sort(key=lambda pair: (pair[1].line, pair[1].column))
        raise BadScript(problem.line(path, place) for problem, place in placed)
    return spec


def _place(problem: Problem, document: Document) -> Place:
    is_there = document.has(problem.location)
    return document.place_of(problem.location, key=problem.at_key and is_there)


def _without_nothing(value: Any) -> Any:
    """Remove keys without a value."""
    if isinstance(value, dict):
        return {key: _without_nothing(inner) for key, inner in value.items() if inner is not None}
    return [_without_nothing(inner) for inner in value] if isinstance(value, list) else value


def _problems_of_the_rest(data: Any, found: list[Problem], environment: Mapping[str, str] | None) -> list[Problem]:
    """Further problems after removing values of a wrong type, so that one run reports all."""
    bad = [problem.location for problem in found]
    for _ in range(10):
        for problem in sorted(found, key=lambda one: repr(one.location), reverse=True):
            is_missing = problem.what == "is missing"
            data = _without(data, problem.location[:-1] if is_missing else problem.location)
        if isinstance(data, dict):
            data.setdefault("start", [_ANYWHERE])
        try:
            spec = CrawlSpec.model_validate(data)
        except ValidationError as error:
            found = problems_of_types(error)
            continue
        return [problem for problem in problems_of(spec, environment) if not _follows(problem, bad)]
    return []


def _without(data: Any, location: Location) -> Any:
    """A copy without the value at a location."""
    if not location:
        return data
    head, rest = location[0], location[1:]
    if isinstance(data, dict) and head in data:
        if rest and isinstance(data[head], dict | list):
            return {**data, head: _without(data[head], rest)}
        return {key: value for key, value in data.items() if key != head}
    if isinstance(data, list) and isinstance(head, int) and head < len(data):
        if rest and isinstance(data[head], dict | list):
            return [*data[:head], _without(data[head], rest), *data[head + 1 :]]
        return [*data[:head], *data[head + 1 :]]
    return data


def _follows(problem: Problem, bad: list[Location]) -> bool:
    """Whether a problem may be due to a removed value above, below or beside it."""
    location = problem.location
    return any(
        location[: len(one)] == one
        or one[: len(location)] == location
        or (isinstance(one[-1], int) and location[: len(one) - 1] == one[:-1])
        or (problem.by_neighbours and location[:-1] == one[:-1])
        for one in bad
        if one
    )
