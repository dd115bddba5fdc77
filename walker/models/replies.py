"""Parses model replies into values, the only place that does. An unusable reply raises `BadReply`, whose text is sent back to the
model."""

from __future__ import annotations

import re
from typing import Any, Literal, TypeVar, get_args

import msgspec

from walker.seams.calculations import CalculationName
from walker.seams.chat import ChatReply
from walker.seams.task_analysis import AnswerKind, TaskOperation

R = TypeVar("R", bound=msgspec.Struct)

Choice = Literal[
    "follow",
    "jump",
    "read",
    "next",
    "click",
    "type",
    "scroll",
    "crop",
    "back",
    "answer",
    "refocus",
    "search",
    "search_picture",
    "run",
    "ocr",
    "ground",
]


class BadReply(ValueError):
    """A reply that cannot be used; the message says why, worded for the model."""


class FoundReply(msgspec.Struct, frozen=True, kw_only=True):
    """One finding in a critic's reply; `part` are numbers of the parts of the question that it answers, from 1."""

    answer: str
    quote: str
    confidence: int = 50
    part: tuple[int, ...] = ()


class ItemReply(msgspec.Struct, frozen=True, kw_only=True):
    """One of the things that the question counts or lists: its name, what is asked of it besides, and the words of the page that prove
    it, near which its name stands."""

    name: str
    value: str = ""
    quote: str = ""
    part: tuple[int, ...] = ()
    """Numbers of the parts of the question that it belongs to."""


class FindReply(msgspec.Struct, frozen=True, kw_only=True):
    """Stage 1 of the critic: relevance 0, 10, 20, 30 or 40, the findings, the number of the list with the items to count (0 for none),
    and items to count that stand elsewhere, each with a quote."""

    relevance: int
    findings: tuple[FoundReply, ...] = ()
    list: int = 0
    list_part: tuple[int, ...] = ()
    items: tuple[ItemReply, ...] = ()


class CalculationReply(msgspec.Struct, frozen=True, kw_only=True):
    """What code is to compute: numbers of the findings that state the values, the names of what these belong to, and a value that the
    question itself compares with."""

    operation: CalculationName
    of: tuple[int, ...]
    names: tuple[str, ...] = ()
    bound: str = ""


class JudgeReply(msgspec.Struct, frozen=True, kw_only=True):
    """Stage 2 of the critic: whether the findings are enough, the answer, the numbers of the findings that support it, what is to be
    computed of them, and what is still missing."""

    sufficient: bool
    answer: str = ""
    confidence: int = 50
    cite: tuple[int, ...] = ()
    calculation: CalculationReply | None = None
    missing: tuple[str, ...] = ()


class StepReply(msgspec.Struct, frozen=True, kw_only=True):
    """One action of the explorer. `number` is that of a link, control, step or picture, `text` is to be typed, searched for or run as
    code, `box` is a part of the picture: left, top, right, lower edge."""

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
    list_part: tuple[int, ...] = ()
    items: tuple[ItemReply, ...] = ()
    sufficient: bool = False
    answer: str = ""
    confidence: int = 50
    cite: tuple[int, ...] = ()
    calculation: CalculationReply | None = None
    missing: tuple[str, ...] = ()
    action: Choice
    number: int = 0
    text: str = ""
    box: tuple[float, ...] = ()
    reason: str = ""

    @property
    def found(self) -> FindReply:
        """What the page gives."""
        return FindReply(
            relevance=self.relevance,
            findings=self.findings,
            list=self.list,
            list_part=self.list_part,
            items=self.items,
        )

    @property
    def judgement(self) -> JudgeReply:
        """Whether it is enough."""
        return JudgeReply(
            sufficient=self.sufficient,
            answer=self.answer,
            confidence=self.confidence,
            cite=self.cite,
            calculation=self.calculation,
            missing=self.missing,
        )

    @property
    def step(self) -> StepReply:
        """What to do next."""
        return StepReply(action=self.action, number=self.number, text=self.text, box=self.box, reason=self.reason)


class PartReply(msgspec.Struct, frozen=True, kw_only=True):
    """One thing to find out; `needs` is the number of an earlier part whose answer it needs, 0 for none."""

    ask: str
    needs: int = 0


class NameReply(msgspec.Struct, frozen=True, kw_only=True):
    """A name of the question, and other spellings that the site may use."""

    name: str
    also: tuple[str, ...] = ()


class AnalysisReply(msgspec.Struct, frozen=True, kw_only=True):
    """What a question asks for. `other`, "", 0 and empty lists say nothing; `which` of the things named by `noun`, and what
    is asked of `each` besides its name."""

    kind: Literal[AnswerKind, "other"]
    unit: str = ""
    parts: tuple[PartReply, ...] = ()
    operation: TaskOperation = "none"
    names: tuple[NameReply, ...] = ()
    counts: Literal["listed", "stated", "no"] = "no"
    noun: str = ""
    which: str = ""
    each: str = ""
    target: int = 0
    picture: str = ""
    proof: str = ""


class SummaryReply(msgspec.Struct, frozen=True, kw_only=True):
    """A page summarised for a goal: why it bears on it, quotes that prove it, and what it says."""

    rationale: str = ""
    evidence: tuple[str, ...] = ()
    summary: str = ""


class TargetReply(msgspec.Struct, frozen=True, kw_only=True):
    """The number of the link or control that a step of a played script means, 0 for none."""

    number: int
    reason: str = ""


class LookReply(msgspec.Struct, frozen=True, kw_only=True):
    """The reply of a vision model: what the picture shows, the answer, the lines that it read, and the answer's place as a mark, a
    point or a box."""

    found: bool
    shows: str = ""
    answer: str = ""
    texts: tuple[str, ...] = ()
    marks: tuple[int, ...] = ()
    target: int = 0
    place: tuple[float, ...] = ()


class LocateReply(msgspec.Struct, frozen=True, kw_only=True):
    """Where a vision model sees a thing: the box of all of it, () for nowhere."""

    found: bool
    box: tuple[float, ...] = ()


_THOUGHT = re.compile(r"<(think|thinking|thought|reasoning)>(.*?)(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_LOST_OPENING = re.compile(r"\A.*?</(?:think|thinking|thought|reasoning)>", re.DOTALL | re.IGNORECASE)
_OTHER_THOUGHTS = re.compile(
    r"\[think\].*?(?:\[/think\]|\Z)|<\|channel\|>\s*analysis\b.*?(?:<\|end\|>|(?=<\|channel\|>|<\|start\|>)|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""As Mistral's models write them, and the channels of OpenAI's open models (harmony); a thought that is cut off is one to its end."""
_FENCED = re.compile(r"```[a-zA-Z0-9]*\s*\n?(.*?)```", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?")
_SHOWN = 160
_OBJECTS: dict[str, tuple[str, ...]] = {
    "findings": (),
    "items": ("name", "quote"),
    "parts": ("ask",),
    "names": ("name",),
}
"""Fields that hold objects, and the fields of these that a bare text stands for."""
_WHOLE = ("confidence", "relevance", "number", "list", "needs", "target")


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
    `leave_out`: names of fields, of fields of listed objects too, and of actions that make no sense now."""
    whole, parts = msgspec.json.schema_components([kind])
    schema: dict[str, Any] = _strict(_without(_resolved(whole[0], parts), leave_out))
    return schema


def without_reasoning(text: str) -> str:
    """The reply without its reasoning."""
    bare = _OTHER_THOUGHTS.sub("", _THOUGHT.sub("", text))
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
    for name in ("action", "kind", "operation", "counts"):
        if isinstance(tidy.get(name), str):
            tidy[name] = tidy[name].strip().lower()
    if isinstance(tidy.get("operation"), str):
        tidy["operation"] = _identifier(tidy["operation"])
    tidy |= {name: _whole(name, tidy[name]) for name in _WHOLE if name in tidy}
    for name in ("texts", "also", "evidence", "quotes", "queries"):
        if isinstance(tidy.get(name), str):
            tidy[name] = [tidy[name]]
    for name in ("place", "box"):
        if name in tidy:
            tidy[name] = _numbers(tidy[name])
    if isinstance(tidy.get("marks"), list):
        tidy["marks"] = [int(mark) for mark in tidy["marks"] if str(mark).strip().isdigit()]
    tidy |= {name: 0 for name in ("target", "needs") if isinstance(tidy.get(name), str)}
    tidy |= {
        name: _objects(tidy[name], fields) for name, fields in _OBJECTS.items() if isinstance(tidy.get(name), list)
    }
    readers = {"part": _whole_numbers, "list_part": _whole_numbers, "calculation": _calculation}
    return tidy | {name: read(tidy[name]) for name, read in readers.items() if name in tidy}


def _calculation(said: Any) -> dict[str, Any] | None:
    """What is to be computed; None where the operation or the findings are not named in a known way: then the model's own answer
    stands."""
    fields = said if isinstance(said, dict) else {}
    operation = _identifier(str(fields.get("operation", "")))
    numbers = _whole_numbers(fields.get("of"))
    if operation not in get_args(CalculationName) or not numbers:
        return None
    named = fields.get("names")
    names = [str(name) for name in named] if isinstance(named, list) else []
    return {"operation": operation, "of": numbers, "names": names, "bound": str(fields.get("bound") or "")}


def _identifier(said: str) -> str:
    return re.sub(r"[\s-]+", "_", said.strip().lower())


def _whole_numbers(said: Any) -> list[int]:
    """Whole numbers, of a list or of one number, written as text too."""
    several = said if isinstance(said, list) else [said]
    return [int(digits[0]) for one in several if (digits := re.search(r"\d+", str(one)))]


def _objects(entries: list[Any], fields: tuple[str, ...]) -> list[dict[str, Any]]:
    """The objects of a list, tidied; a text in place of one gives its fields, where it can."""
    return [
        _tidied(entry) if isinstance(entry, dict) else dict.fromkeys(fields, entry)
        for entry in entries
        if isinstance(entry, dict) or (fields and isinstance(entry, str))
    ]


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


def _without(schema: Any, names: frozenset[str]) -> Any:
    """The schema without these fields and choices, however deep."""
    if isinstance(schema, list):
        return [_without(inner, names) for inner in schema]
    if not isinstance(schema, dict):
        return schema
    kept = {name: _without(inner, names) for name, inner in schema.items() if name not in ("properties", "enum")}
    if "enum" in schema:
        kept["enum"] = [value for value in schema["enum"] if value not in names]
    if "properties" in schema:
        fields = schema["properties"].items()
        kept["properties"] = {name: _without(inner, names) for name, inner in fields if name not in names}
    return kept


def _resolved(schema: Any, parts: dict[str, Any]) -> Any:
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _resolved(parts[schema["$ref"].rsplit("/", 1)[-1]], parts)
        return {name: _resolved(inner, parts) for name, inner in schema.items() if name not in ("title", "default")}
    return [_resolved(inner, parts) for inner in schema] if isinstance(schema, list) else schema


def _is_null(schema: dict[str, Any]) -> bool:
    return schema.get("type") == "null"


def _strict(schema: Any) -> Any:
    if isinstance(schema, dict):
        plain = {name: _strict(inner) for name, inner in schema.items() if name != "description"}
        if plain.get("type") == "object":
            plain |= {"required": list(plain["properties"]), "additionalProperties": False}
        if "anyOf" in plain:
            # Versions of msgspec differ in the order, and a recorded request has one.
            plain["anyOf"].sort(key=_is_null)
        return plain
    return [_strict(inner) for inner in schema] if isinstance(schema, list) else schema


msgspec.json.Decoder(AnalysisReply)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(FindReply)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(JudgeReply)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(LocateReply)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(LookReply)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(TargetReply)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(PageReply)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(StepReply)  # described at import: docs/design/msgspec.md
msgspec.json.Decoder(SummaryReply)  # described at import: docs/design/msgspec.md
