"""A strict YAML subset for scripts: strings, lists and mappings, with the line of each.

Every scalar remains a string (`007` keeps its zeros, `no` is not false yet); the script's types decide its meaning. Duplicate keys,
tags, and aliases that expand to too many values are refused.
"""

from __future__ import annotations

from typing import Any

import msgspec
import yaml
from yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

MOST_BYTES = 256 << 10
MOST_NODES = 20_000
"""Most values after expanding aliases."""
DEEPEST = 24
_PLAIN_TAGS = frozenset(
    f"tag:yaml.org,2002:{name}" for name in "str int float bool null timestamp map seq merge value".split()
)
_MERGE = "tag:yaml.org,2002:merge"

Location = tuple[str | int, ...]
"""Keys and positions from the root of a document to one of its values."""


class Place(msgspec.Struct, frozen=True):
    """Line and column, from 1."""

    line: int
    column: int


class BadYaml(ValueError):
    """The text is not a valid document."""

    def __init__(self, what: str, place: Place) -> None:
        self.what, self.place = what, place
        super().__init__(f"{place.line}:{place.column}: {what}")


class Document(msgspec.Struct, frozen=True):
    """The values of a script with their positions."""

    data: Any
    keys: dict[Location, Place]
    values: dict[Location, Place]

    def place_of(self, location: Location, *, key: bool = False) -> Place:
        """The position of the value (or its key) at a location, else of its nearest ancestor. Parts that are not in the document
        (the branches of a union) are skipped."""
        found: Location = ()
        for part in location:
            if (*found, part) in self.values:
                found = (*found, part)
        return (self.keys if key else self.values).get(found) or self.values[found]

    def has(self, location: Location) -> bool:
        """Whether the document has a value at a location."""
        return location in self.values


def read_yaml(text: str) -> Document:
    """Parse one document. Raises `BadYaml`."""
    try:
        loader = yaml.SafeLoader(text)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        column = error.position - text.rfind("\n", 0, error.position)
        raise BadYaml(
            f"not YAML (the character {text[error.position]!a} is not allowed)", Place(line, column)
        ) from None
    try:
        node = loader.get_single_node()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(mark.line + 1, mark.column + 1) if mark else Place(1, 1)
        raise BadYaml(f"not YAML ({error.problem or error.context})", place) from None
    except yaml.YAMLError as error:
        raise BadYaml(f"not YAML ({str(error).splitlines()[0]})", Place(1, 1)) from None
    except RecursionError:
        raise BadYaml("nested too deep", Place(1, 1)) from None
    finally:
        loader.dispose()
    if node is None:
        raise BadYaml("the script is empty", Place(1, 1))
    unfolded = _Unfolding()
    data = unfolded.value(node, ())
    return Document(data, unfolded.keys, unfolded.values)


class _Unfolding:
    """Converts nodes to plain values and records their positions."""

    def __init__(self) -> None:
        self.keys: dict[Location, Place] = {}
        self.values: dict[Location, Place] = {}
        self._nodes = 0

    def value(self, node: Node, location: Location) -> Any:
        self._nodes += 1
        if self._nodes > MOST_NODES:
            raise BadYaml(f"aliases expand to more than {MOST_NODES} values", _start(node))
        if len(location) > DEEPEST:
            raise BadYaml(f"nested deeper than {DEEPEST}", _start(node))
        if node.tag not in _PLAIN_TAGS:
            raise BadYaml(f"the tag {node.tag} is not supported", _start(node))
        self.values[location] = _start(node)
        if isinstance(node, ScalarNode):
            return None if node.tag.endswith(":null") else node.value
        if isinstance(node, SequenceNode):
            return [self.value(one, (*location, position)) for position, one in enumerate(node.value)]
        assert isinstance(node, MappingNode), "the plain tags are those of the three kinds of node"
        return self._mapping(node, location)

    def _mapping(self, node: MappingNode, location: Location) -> dict[str, Any]:
        own: dict[str, tuple[Node, Node]] = {}
        merged: dict[str, tuple[Node, Node]] = {}
        for key, value in node.value:
            if key.tag == _MERGE:
                for name, pair in self._merged(value, 0).items():
                    merged.setdefault(name, pair)
                continue
            name = _key_text(key)
            if name in own:
                raise BadYaml(f"{name} is given twice, first in line {_start(own[name][0]).line}", _start(key))
            own[name] = (key, value)
        data = {}
        for name, (key, value) in (merged | own).items():
            self.keys[*location, name] = _start(key)
            data[name] = self.value(value, (*location, name))
        return data

    def _merged(self, node: Node, depth: int) -> dict[str, tuple[Node, Node]]:
        """The values merged by `<<`; the first of several mappings has precedence."""
        self._nodes += 1
        if self._nodes > MOST_NODES or depth > DEEPEST:
            raise BadYaml(f"aliases expand to more than {MOST_NODES} values", _start(node))
        if isinstance(node, SequenceNode):
            together: dict[str, tuple[Node, Node]] = {}
            for one in node.value:
                together = self._merged(one, depth + 1) | together
            return together
        if not isinstance(node, MappingNode):
            raise BadYaml("<< takes a mapping", _start(node))
        brought: dict[str, tuple[Node, Node]] = {}
        for key, value in node.value:
            self._nodes += 1
            if key.tag == _MERGE:
                brought = self._merged(value, depth + 1) | brought
            else:
                brought[_key_text(key)] = (key, value)
        return brought


def _key_text(key: Node) -> str:
    if not isinstance(key, ScalarNode):
        raise BadYaml("a key is a single word", _start(key))
    return str(key.value)


def _start(node: Node) -> Place:
    return Place(node.start_mark.line + 1, node.start_mark.column + 1)
