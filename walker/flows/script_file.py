"""Flow scripts as YAML files: read with the line of each error, written, and single steps of one replaced."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import yaml

from walker.crawl.script.patterns import why_no_pattern
from walker.crawl.script.script_yaml import MOST_BYTES, BadYaml, Document, Location, read_yaml
from walker.errors import UsageError
from walker.flows.script import ACTIONS, START, FlowScript, FlowStep
from walker.rules.scope import check_root

WIDTH = 130
ADVICE = "Mend the script, or make one: walker export RUN --to script -o FILE"
_PART = re.compile(r"\.([A-Za-z_]\w*)|\[(\d+|\.\.\.)\]")
_LOCATED = ("follow", "click", "type")


class FlowFile(msgspec.Struct, frozen=True, kw_only=True):
    """A script with the text that it was read from."""

    path: Path
    text: str
    script: FlowScript


def read_flow(path: Path) -> FlowFile:
    """Read a script. Raises `UsageError` in one line with the line of the file that is wrong."""
    try:
        raw = path.read_bytes()[: MOST_BYTES + 1]
        text = raw.decode("utf-8-sig")
    except OSError as error:
        raise UsageError(f"cannot be read ({error.strerror})", where=str(path), advice=ADVICE) from None
    except UnicodeDecodeError:
        raise UsageError("not UTF-8 text", where=str(path), advice=ADVICE) from None
    if len(raw) > MOST_BYTES:
        raise UsageError(f"larger than {MOST_BYTES >> 10} KiB", where=str(path), advice=ADVICE)
    return FlowFile(path=path, text=text, script=script_of(text, str(path)))


def script_of(text: str, where: str) -> FlowScript:
    """The script that a text is. Raises `UsageError`."""
    try:
        document = read_yaml(text)
    except BadYaml as error:
        raise UsageError(error.what, where=f"{where}:{error.place.line}", advice=ADVICE) from None
    try:
        script = msgspec.convert(_without_nothing(document.data), FlowScript, strict=False)
    except msgspec.ValidationError as error:
        what, _, place = str(error).partition(" - at ")
        raise UsageError(_placed(what, place), where=f"{where}:{_line(document, place)}", advice=ADVICE) from None
    for number, problem in _problems(script):
        line = document.place_of(("steps", number - 1) if number else ()).line
        raise UsageError(problem, where=f"{where}:{line}", advice=ADVICE)
    check_root(script.start)
    return script


def text_of(script: FlowScript) -> str:
    """A script as YAML, each key that has its default left out."""
    plain = msgspec.to_builtins(script)
    steps = plain.pop("steps")
    answer = plain.pop("answer", None)
    head = f"# Play it: walker play FILE [--set name=value]. What each key means: docs/commands.md\n{_yaml(plain)}"
    body = "\nsteps:\n" + "".join(_step_text(step) for step in steps)
    return head + body + ("" if answer is None else "\n" + _yaml({"answer": answer}))


def with_steps(text: str, healed: Mapping[int, FlowStep]) -> str:
    """The text of a script with some steps, by their numbers from 1, replaced: all other lines stay as a person left them."""
    lines = text.splitlines(keepends=True)
    for number in sorted(healed, reverse=True):
        first, last, indent = _extent(text, number)
        new = _step_text(msgspec.to_builtins(healed[number]), indent)
        lines[first:last] = [new]
    return "".join(lines)


def patch_of(name: str, before: str, after: str) -> str:
    """A unified diff of a file of this name, which `patch -p0` takes in its folder; "" where nothing differs."""
    diff = difflib.unified_diff(before.splitlines(keepends=True), after.splitlines(keepends=True), name, name)
    return "".join(line if line.endswith("\n") else f"{line}\n\\ No newline at end of file\n" for line in diff)


def _extent(text: str, number: int) -> tuple[int, int, int]:
    """First line of a step and the one behind its last, from 0, and the column of its dash."""
    root = yaml.compose(text, Loader=yaml.SafeLoader)
    assert root is not None, "a script that was read is no empty document"
    sequence = next(value for key, value in root.value if key.value == "steps")
    node = sequence.value[number - 1]
    first, last = node.start_mark.line, node.end_mark.line + (node.end_mark.column > 0)
    lines = text.splitlines()
    while last - 1 > first and (not lines[last - 1].strip() or lines[last - 1].lstrip().startswith("#")):
        last -= 1  # what stands between two steps belongs to the next one
    return first, last, len(lines[first]) - len(lines[first].lstrip())


def _step_text(step: Any, indent: int = 2) -> str:
    written = _yaml(step).splitlines(keepends=True)
    space = " " * indent
    return "".join(f"{space}{'  ' if place else '- '}{line}" for place, line in enumerate(written))


def _yaml(value: Any) -> str:
    dumped: str = yaml.dump(
        value, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=WIDTH, default_flow_style=False
    )
    return dumped


class _Dumper(yaml.SafeDumper):
    """Short mappings of plain values (a locator, an effect) on one line."""


def _mapping(dumper: yaml.SafeDumper, value: dict[str, Any]) -> yaml.MappingNode:
    plain = all(not isinstance(one, dict | list | tuple) for one in value.values())
    is_short = plain and sum(len(f"{name}: {one}, ") for name, one in value.items()) < WIDTH - 20
    return dumper.represent_mapping(
        "tag:yaml.org,2002:map", value, flow_style=is_short and not {"walker", "open"} & set(value)
    )


def _sequence(dumper: yaml.SafeDumper, value: Any) -> yaml.SequenceNode:
    plain = all(not isinstance(one, dict | list | tuple) for one in value)
    is_short = plain and sum(len(str(one)) + 4 for one in value) < WIDTH - 20
    return dumper.represent_sequence("tag:yaml.org,2002:seq", value, flow_style=is_short)


_Dumper.add_representer(dict, _mapping)
_Dumper.add_representer(tuple, _sequence)
_Dumper.add_representer(list, _sequence)


def _problems(script: FlowScript) -> list[tuple[int, str]]:
    """What types do not say, with the number of the step; 0 for the script itself."""
    found = [(0, "it has no steps")] if not script.steps else []
    if START in script.variables:
        found.append((0, "the variable start is the key start"))
    for number, step in enumerate(script.steps, start=1):
        done = [name for name in ACTIONS if getattr(step, name)]
        if len(done) != 1:
            found.append((number, f"step {number} does {len(done)} things; one of {', '.join(ACTIONS)} is wanted"))
        elif done[0] in _LOCATED and not step.find:
            found.append((number, f"step {number}: {done[0]} needs find"))
        elif done[0] == "back" and not 0 < step.back < number:
            found.append((number, f"step {number}: there is no step {step.back} to go back to"))
        elif number == 1 and done[0] != "open":
            found.append((number, "step 1 has to open a page"))
        elif step.expect.url and (why := why_no_pattern(step.expect.url)):
            found.append((number, f"step {number}: expect.url: {why}"))
        elif any(not (one.name or one.text or one.css or one.address or one.place) for one in step.find):
            found.append((number, f"step {number}: find: one of name, text, css, address, place is wanted"))
    steps = len(script.steps)
    named = [one.step for one in script.answer.passages] + [one.step for one in script.answer.lists]
    found += [(0, f"answer: there is no step {number}") for number in named if not 0 < number <= steps]
    return found


def _placed(what: str, place: str) -> str:
    path = place.strip("`").removeprefix("$").lstrip(".")
    return f"{path}: {what}" if path else what


def _line(document: Document, place: str) -> int:
    location: list[str | int] = []
    for name, number in _PART.findall(place):
        location.append(name or (int(number) if number.isdecimal() else number))
    return document.place_of(tuple(_known(document, location))).line


def _known(document: Document, location: list[str | int]) -> Location:
    return tuple(location) if document.has(tuple(location)) else tuple(location[:-1])


def _without_nothing(value: Any) -> Any:
    """Remove keys without a value."""
    if isinstance(value, dict):
        return {key: _without_nothing(inner) for key, inner in value.items() if inner is not None}
    return [_without_nothing(inner) for inner in value] if isinstance(value, list) else value
