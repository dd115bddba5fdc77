"""The reply that says nothing, for any JSON Schema: a model that found nothing and wants nothing."""

from __future__ import annotations

from typing import Any

QUIET = ("back", "none", "stop", "answer", "other", "no", "")
"""Preferred of the words that a schema offers: those that claim nothing."""


def blank(schema: Any) -> Any:
    """The least value that a schema allows."""
    if not isinstance(schema, dict):
        return None
    for key in ("anyOf", "oneOf", "allOf"):
        if schema.get(key):
            return blank(next((one for one in schema[key] if one.get("type") == "null"), schema[key][0]))
    if "const" in schema or schema.get("enum"):
        offered = schema.get("enum") or [schema["const"]]
        return next((word for word in QUIET if word in offered), offered[0])
    kind = schema.get("type", "object" if "properties" in schema else "string")
    return _of_kind(kind if isinstance(kind, str) else kind[0], schema)


def _of_kind(kind: str, schema: dict[str, Any]) -> Any:
    match kind:
        case "object":
            return {name: blank(inner) for name, inner in schema.get("properties", {}).items()}
        case "array":
            return [blank(schema.get("items", {})) for _ in range(schema.get("minItems", 0))]
        case "integer" | "number":
            return max(0, schema.get("minimum", 0))
        case "boolean":
            return False
        case "null":
            return None
    return ""


def schema_of(body: dict[str, Any]) -> dict[str, Any]:
    """The schema that a chat request asks its reply to have, whichever way it is sent; empty for none."""
    asked = body.get("response_format", {}).get("json_schema", {}).get("schema")
    tools = body.get("tools") or [{"function": {"parameters": {}}}]
    return dict(asked or tools[0]["function"].get("parameters") or {})
