"""A JSON Schema as what it wants: the part of draft 2020-12 that says what a record looks like. Other keywords are refused by name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from walker.errors import UsageError
from walker.extraction.schemas.keyword_values import wrong_keyword
from walker.extraction.schemas.wanted import ScalarKind, Wanted, WantedField, WantedList, WantedObject, WantedScalar

DEEPEST = 8
_TOLD = frozenset(
    "title description default examples deprecated readOnly writeOnly $comment $schema $id $defs definitions".split()
)
"""Keywords that say something of a field and limit nothing."""
_KEYWORDS: dict[str, frozenset[str]] = {
    "object": frozenset(("properties", "required", "additionalProperties")),
    "array": frozenset(("items", "minItems", "maxItems", "uniqueItems")),
    "string": frozenset(("minLength", "maxLength", "pattern", "format", "enum", "const")),
    "number": frozenset(("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "enum", "const")),
    "boolean": frozenset(("enum", "const")),
}
_KEYWORDS["integer"] = _KEYWORDS["number"]
_FORMATS: dict[str, ScalarKind] = {
    "date": "date",
    "date-time": "datetime",
    "time": "time",
    "uri": "url",
    "url": "url",
    "iri": "url",
    "uri-reference": "url",
    "email": "email",
    "idn-email": "email",
}
_ADVICE = "docs/design/typed-answers.md lists what a schema may say"


def wanted_of(schema: Mapping[str, Any]) -> Wanted:
    """What a schema wants. Raises `UsageError` in one line that names the place of what is not supported."""
    reader = _Reader(schema)
    wanted = reader.read(schema, "", 0)
    if isinstance(wanted, WantedScalar) or (isinstance(wanted, WantedList) and not isinstance(wanted.of, WantedObject)):
        raise _refused("", "the schema has no fields: give an object, or a list of objects")
    return wanted


class _Reader:
    def __init__(self, whole: Mapping[str, Any]) -> None:
        self._whole = whole

    def read(self, schema: Any, place: str, depth: int) -> Wanted:
        """One schema within the whole; `place` is its path from the root."""
        if depth > DEEPEST:
            raise _refused(place, f"it is nested more than {DEEPEST} deep, or within itself")
        node = self._resolved(schema, place)
        kind = self._kind(node, place)
        unknown = set(node) - _TOLD - _KEYWORDS[kind] - {"type"}
        if unknown:
            raise _refused(place, f"{min(unknown)} is not supported")
        wrong = wrong_keyword(node)
        if wrong:
            raise _refused(place, wrong)
        if kind == "object":
            return self._object(node, place, depth)
        if kind == "array":
            if "items" not in node:
                raise _refused(place, "a list without items says nothing of what it holds")
            of = self.read(node["items"], f"{place}/items", depth + 1)
            if isinstance(of, WantedList):
                raise _refused(place, "a list of lists is not supported")
            return WantedList(of=of, least=int(node.get("minItems", 0)), most=node.get("maxItems"))
        return _scalar(kind, node, place)

    def _object(self, node: Mapping[str, Any], place: str, depth: int) -> WantedObject:
        properties = node.get("properties")
        if not isinstance(properties, Mapping) or not properties:
            raise _refused(place, "an object without properties has no fields to fill")
        if isinstance(node.get("additionalProperties"), Mapping):
            raise _refused(place, "additionalProperties with a schema is not supported")
        required = node.get("required", ())
        return WantedObject(
            title=str(node.get("title", "")),
            description=str(node.get("description", "")),
            fields=tuple(
                self._field(name, one, f"{place}/{name}", depth, name in required) for name, one in properties.items()
            ),
        )

    def _field(self, name: str, schema: Any, place: str, depth: int, required: bool) -> WantedField:  # noqa: FBT001
        if not isinstance(schema, Mapping):
            raise _refused(place, "a field is described by an object")
        target = self._resolved(schema, place)
        said = {**{key: target[key] for key in ("title", "description") if key in target}, **schema}
        title = str(said.get("title", ""))
        # pydantic makes a title of every name; one that only repeats it is no further word.
        repeats = re.sub(r"[\W_]", "", title).casefold() == re.sub(r"[\W_]", "", name).casefold()
        return WantedField(
            name=name,
            title="" if repeats else title,
            description=str(said.get("description", "")),
            is_required=required and not _may_be_null(schema),
            takes_null=required and _may_be_null(schema),
            wanted=self.read(schema, place, depth + 1),
        )

    def _resolved(self, schema: Any, place: str) -> Mapping[str, Any]:
        """The schema that references lead to, and that is left of an `anyOf` with null."""
        for _ in range(DEEPEST):
            node = _part(schema, place)
            told = {key: node[key] for key in ("title", "description") if key in node}
            options = _choices(node)
            if "$ref" in node:
                schema = {**self._target(str(node["$ref"]), place), **told}
            elif isinstance(node.get("allOf"), list) and len(node["allOf"]) == 1:
                schema = {**_part(node["allOf"][0], place), **told}
            elif options:
                real = [one for one in options if not (isinstance(one, Mapping) and one.get("type") == "null")]
                if len(real) != 1:
                    raise _refused(place, "a choice of several types is not supported; choose one, or null")
                schema = {**_part(real[0], place), **told}
            else:
                return node
        raise _refused(place, "its references go round in a circle")

    def _target(self, reference: str, place: str) -> Mapping[str, Any]:
        found: Any = self._whole
        if not reference.startswith("#"):
            raise _refused(place, f"$ref {reference} leads out of the schema")
        for step in reference.removeprefix("#").strip("/").split("/"):
            name = step.replace("~1", "/").replace("~0", "~")
            found = found.get(name) if name and isinstance(found, Mapping) else found if not name else None
        if not isinstance(found, Mapping):
            raise _refused(place, f"$ref {reference} leads nowhere")
        return found

    @staticmethod
    def _kind(node: Mapping[str, Any], place: str) -> str:
        kinds = node.get("type")
        if isinstance(kinds, list):
            real = [kind for kind in kinds if kind != "null"]
            kinds = real[0] if len(real) == 1 else None
        if kinds is None and "properties" in node:
            kinds = "object"
        if kinds is None and ("enum" in node or "const" in node):
            options = _options(node)
            kinds = "string" if all(isinstance(one, str) for one in options) else "number"
        if not isinstance(kinds, str) or kinds not in _KEYWORDS:
            raise _refused(place, "it has no type" if kinds is None else f"type {kinds} is not supported")
        return kinds


def _choices(schema: Mapping[str, Any]) -> list[Any]:
    """The members of `anyOf` and `oneOf`; what is no list has none, and is then refused by its name."""
    return [one for name in ("anyOf", "oneOf") if isinstance(schema.get(name), list) for one in schema[name]]


def _part(schema: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(schema, Mapping):
        raise _refused(place, "a schema is an object")
    return schema


def _may_be_null(schema: Mapping[str, Any]) -> bool:
    kinds = schema.get("type")
    options = _choices(schema)
    is_listed = isinstance(kinds, list) and "null" in kinds
    return is_listed or any(isinstance(one, Mapping) and one.get("type") == "null" for one in options)


def _scalar(kind: str, node: Mapping[str, Any], place: str) -> WantedScalar:
    written = node.get("format", "")
    pattern = str(node.get("pattern", ""))
    try:
        re.compile(pattern)
    except re.error as error:
        raise _refused(place, f"its pattern cannot be read ({error})") from None
    above, below = node.get("exclusiveMinimum"), node.get("exclusiveMaximum")
    return WantedScalar(
        kind=_FORMATS.get(written, "string") if kind == "string" else kind,  # type: ignore[arg-type]
        options=tuple(one for one in _options(node) if one is not None),
        least=above if above is not None else node.get("minimum"),
        most=below if below is not None else node.get("maximum"),
        is_above=above is not None,
        is_below=below is not None,
        least_chars=int(node.get("minLength", 0)),
        most_chars=node.get("maxLength"),
        pattern=pattern,
    )


def _options(node: Mapping[str, Any]) -> list[Any]:
    if "const" in node:
        return [node["const"]]
    enum = node.get("enum")
    return enum if isinstance(enum, list) else []


def _refused(place: str, what: str) -> UsageError:
    return UsageError(what, where=f"schema {place.replace('/properties', '') or '/'}", advice=_ADVICE)
