"""Parses model replies into values, the only place that does. An unusable reply raises `BadReply`, whose text is sent back to the
model."""

from __future__ import annotations

import re
from typing import Any, Literal, TypeVar

import msgspec

from walker.seams.chat import ChatReply

R = TypeVar("R", bound=msgspec.Struct)

Choice = Literal["follow", "jump", "read", "next", "click", "type", "scroll", "crop", "back", "answer", "refocus"]


class BadReply(ValueError):
    """A reply that cannot be used; the message says why, worded for the model."""


class FoundReply(msgspec.Struct, frozen=True, kw_only=True):
    """One finding in a critic's reply."""

    answer: str
    quote: str
    confidence: int = 50


class ItemReply(msgspec.Struct, frozen=True, kw_only=True):
    """One of the things that the question counts or lists: its name, and the words of the page that hold it."""

    name: str
    quote: str = ""


class FindReply(msgspec.Struct, frozen=True, kw_only=True):
    """Stage 1 of the critic: relevance 0, 10, 20, 30 or 40, the findings, the number of the list with the items to count (0 for none),
    and items to count that stand elsewhere, each with a quote."""

    relevance: int
    findings: tuple[FoundReply, ...] = ()
    list: int = 0
    items: tuple[ItemReply, ...] = ()


class JudgeReply(msgspec.Struct, frozen=True, kw_only=True):
    """Stage 2 of the critic: whether the findings are enough, the answer, the numbers of the findings that support it, and what is
    still missing."""

    sufficient: bool
    answer: str = ""
    confidence: int = 50
    cite: tuple[int, ...] = ()
    missing: tuple[str, ...] = ()


class StepReply(msgspec.Struct, frozen=True, kw_only=True):
    """One action of the explorer. `number` is that of a link, control, step or picture, `text` is to be typed, `box` is a part of
    the picture: left, top, right, lower edge."""

    action: Choice
    number: int = 0
    text: str = ""
    box: tuple[float, ...] = ()
    reason: str = ""


class PageReply(msgspec.Struct, frozen=True, kw_only=True):
    """All about a page in one reply: what it gives, whether everything is enough, and the next action. In `cite` the new findings are
    numbered on from those that were shown."""

    relevance: int
    findings: tuple[FoundReply, ...] = ()
    list: int = 0
    items: tuple[ItemReply, ...] = ()
    sufficient: bool = False
    answer: str = ""
    confidence: int = 50
    cite: tuple[int, ...] = ()
    missing: tuple[str, ...] = ()
    action: Choice
    number: int = 0
    text: str = ""
    box: tuple[float, ...] = ()
    reason: str = ""

    @property
    def found(self) -> FindReply:
        """What the page gives."""
        return FindReply(relevance=self.relevance, findings=self.findings, list=self.list, items=self.items)

    @property
    def judgement(self) -> JudgeReply:
        """Whether it is enough."""
        return JudgeReply(
            sufficient=self.sufficient,
            answer=self.answer,
            confidence=self.confidence,
            cite=self.cite,
            missing=self.missing,
        )

    @property
    def step(self) -> StepReply:
        """What to do next."""
        return StepReply(action=self.action, number=self.number, text=self.text, box=self.box, reason=self.reason)


class LookReply(msgspec.Struct, frozen=True, kw_only=True):
    """The reply of a vision model: the answer, the lines that it read, and the answer's place as a mark, a point or a box."""

    found: bool
    answer: str = ""
    texts: tuple[str, ...] = ()
    marks: tuple[int, ...] = ()
    target: int = 0
    place: tuple[float, ...] = ()


_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_LOST_OPENING = re.compile(r"\A.*?</(?:think|thinking|thought|reasoning)>", re.DOTALL | re.IGNORECASE)
_FENCED = re.compile(r"```[a-zA-Z0-9]*\s*\n?(.*?)```", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SHOWN = 160


def read_reply(reply: ChatReply, kind: type[R]) -> R:
    """Parse a reply into a value of this type. Raises `BadReply`."""
    if reply.refusal or reply.finish == "content_filter":
        raise BadReply(f"it was refused: {reply.refusal or 'content filter'}"[:_SHOWN])
    said = without_reasoning(reply.text)
    if not said.strip():
        cut = " before it said anything" if reply.finish == "length" else ""
        raise BadReply("the reply was cut off" + cut if cut else "the reply was empty")
    found = _object_in(said)
    if found is None:
        cut = ", and was cut off: be shorter" if reply.finish == "length" else ""
        raise BadReply(f"the reply holds no JSON object{cut}")
    try:
        return msgspec.convert(_tidied(found), kind, strict=False)
    except msgspec.ValidationError as error:
        raise BadReply(f"the JSON does not fit: {error}") from None


def schema_of(kind: type[msgspec.Struct], *, leave_out: frozenset[str] = frozenset()) -> dict[str, Any]:
    """JSON Schema of a reply type in the form that strict servers require: no references, all fields required, no others.
    `leave_out`: names of fields and of actions that make no sense now."""
    whole, parts = msgspec.json.schema_components([kind])
    schema: dict[str, Any] = _resolved(whole[0], parts)
    fields = {name: inner for name, inner in schema["properties"].items() if name not in leave_out}
    for inner in fields.values():
        if "enum" in inner:
            inner["enum"] = [value for value in inner["enum"] if value not in leave_out]
    return _strict(schema | {"properties": fields})  # type: ignore[no-any-return]


def without_reasoning(text: str) -> str:
    """The reply without its reasoning."""
    bare = _THOUGHT.sub("", text)
    return _LOST_OPENING.sub("", bare)


def _object_in(text: str) -> dict[str, Any] | None:
    """The JSON object in a text: all of it, in a code fence, or from an opening brace to its closing one."""
    for candidate in (text, *(match[1] for match in _FENCED.finditer(text)), *_braced(text)):
        try:
            value = msgspec.json.decode(candidate.strip())
        except msgspec.DecodeError:
            continue
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if isinstance(value, dict):
            return value
    return None


def _braced(text: str) -> list[str]:
    """The outermost balanced pairs of braces, last first: models explain before they answer."""
    runs, depth, start, quoted, escaped = [], 0, 0, False, False
    for place, character in enumerate(text):
        if quoted:
            quoted = escaped or character != '"'
            escaped = character == "\\" and not escaped
        elif character == '"' and depth:
            quoted = True
        elif character == "{":
            start = place if not depth else start
            depth += 1
        elif character == "}" and depth:
            depth -= 1
            if not depth:
                runs.append(text[start : place + 1])
    return runs[::-1]


def _tidied(value: dict[str, Any]) -> dict[str, Any]:
    """The object with harmless deviations corrected: nulls are dropped, names become lower case."""
    tidy = {str(name).strip().lower(): inner for name, inner in value.items() if inner is not None}
    if isinstance(tidy.get("action"), str):
        tidy["action"] = tidy["action"].strip().lower()
    tidy |= {name: _whole(name, tidy[name]) for name in ("confidence", "relevance", "number", "list") if name in tidy}
    if isinstance(tidy.get("texts"), str):
        tidy["texts"] = [tidy["texts"]]
    for name in ("place", "box"):
        if name in tidy:
            tidy[name] = _numbers(tidy[name])
    if isinstance(tidy.get("marks"), list):
        tidy["marks"] = [int(mark) for mark in tidy["marks"] if str(mark).strip().isdigit()]
    if isinstance(tidy.get("target"), str):
        tidy["target"] = int(digits[0]) if (digits := re.search(r"\d+", tidy["target"])) else 0
    if isinstance(tidy.get("findings"), list):
        tidy["findings"] = [_tidied(entry) for entry in tidy["findings"] if isinstance(entry, dict)]
    if isinstance(tidy.get("items"), list):
        tidy["items"] = [
            _tidied(entry) if isinstance(entry, dict) else {"name": entry, "quote": entry}
            for entry in tidy["items"]
            if isinstance(entry, dict | str)
        ]
    return tidy


def _whole(name: str, number: Any) -> Any:
    """An integer from a number written as text or with a fraction; a confidence of 0.8 means 80."""
    if isinstance(number, str) and (digits := re.search(r"-?\d+", number)):
        return int(digits[0])
    if isinstance(number, float):
        return round(number * 100) if name == "confidence" and 0 < number <= 1 else round(number)
    return number


def _numbers(place: Any) -> list[float]:
    """The numbers of a point or a box in any notation; of a list of boxes the first."""
    if isinstance(place, dict):
        place = list(place.values())
    if isinstance(place, str):
        place = [float(number) for number in _NUMBER.findall(place)]
    inner = place[0] if isinstance(place, list) and place and isinstance(place[0], list) else place
    numbers = [value for value in inner if isinstance(value, int | float)] if isinstance(inner, list) else []
    return numbers if len(numbers) in (2, 4) else numbers[:4] if len(numbers) > 4 else []


def _resolved(schema: Any, parts: dict[str, Any]) -> Any:
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _resolved(parts[schema["$ref"].rsplit("/", 1)[-1]], parts)
        return {name: _resolved(inner, parts) for name, inner in schema.items() if name not in ("title", "default")}
    return [_resolved(inner, parts) for inner in schema] if isinstance(schema, list) else schema


def _strict(schema: Any) -> Any:
    if isinstance(schema, dict):
        plain = {name: _strict(inner) for name, inner in schema.items() if name != "description"}
        if plain.get("type") == "object":
            plain |= {"required": list(plain["properties"]), "additionalProperties": False}
        return plain
    return [_strict(inner) for inner in schema] if isinstance(schema, list) else schema
