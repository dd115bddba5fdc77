"""Which features an OpenAI-compatible server supports: learned from its error messages, once, and then remembered."""

from __future__ import annotations

import base64
import re
from dataclasses import dataclass
from typing import Any

import msgspec

from walker.models.discovery.model_families import family_of
from walker.models.discovery.model_family import Format, LimitName
from walker.models.discovery.thinking_switch import names_switch, switched
from walker.seams.chat import ChatMessage, ChatRequest

FORMATS: tuple[Format, ...] = ("json_schema", "tools", "json_object", "text")
_TOO_LONG = re.compile(
    r"context.{0,12}length|maximum context|context window|context size|prompt is too long|too many (?:input )?tokens"
    r"|exceeds?\b.{0,40}\b(?:context|max_model_len)|input length",
    re.IGNORECASE,
)
_NO_EYES = re.compile(
    r"image_url|image input|images? (?:is|are) not supported|(?:not|n't) support (?:images?|vision|multimodal)|multimodal|vision",
    re.IGNORECASE,
)
_FORMAT = re.compile(
    r"response_format|json_schema|json_object|structured|grammar|guided|tool|function|schema", re.IGNORECASE
)
_FIELD = (
    r"response_format|json_schema|json_object|\btools\b|tool_choice|stream_options|top_p|temperature|max_(?:completion_)?tokens"
    r"|logprobs"
)
_FAULTY_FIELD = re.compile(
    rf"(?=.*(?:{_FIELD}))(?=.*(?:validation error|literal_error|input should be|unsupported|not support|not implemented|unknown"
    r"|unrecogni[sz]ed|\brequires\b))",
    re.IGNORECASE | re.DOTALL,
)
_NO_LIMIT: LimitName = ""
FEW_LOGPROBS = 5
"""First tokens that servers with a lower limit give probabilities of."""
_NAMED_ELSE = re.compile(rf"stream_options|top_p|temperature|max_(?:completion_)?tokens|{_FORMAT.pattern}")


@dataclass(slots=True)
class Dialect:
    """The features that one server is assumed to support. `learn` drops one of them."""

    format: Format = "json_schema"
    stream: bool = True
    stream_options: bool = True
    temperature: bool = True
    top_p: bool = True
    effort_too: bool = True
    """Whether an effort may be named beside the parameter of a template that switches thinking."""
    most_logprobs: int = 20
    """First tokens whose probabilities may be asked for at once, 0 for a server that gives none."""
    limit_name: LimitName = "max_tokens"
    limits_left: tuple[LimitName, ...] = ("max_completion_tokens",)
    """Names that were not tried yet."""

    @classmethod
    def of(cls, model: str) -> Dialect:
        """What a first request to a model of this name holds: by its family, if it has one."""
        family = family_of(model)
        if family is None:
            return cls()
        others: tuple[LimitName, ...] = ("max_tokens", "max_completion_tokens")
        return cls(
            format=family.format,
            temperature=family.temperature,
            top_p=family.temperature,
            most_logprobs=20 if family.logprobs else 0,
            limit_name=family.limit_name,
            limits_left=tuple(name for name in others if name != family.limit_name),
        )

    def arguments(self, request: ChatRequest) -> dict[str, Any]:
        """The request's parameters in the form that this server supports."""
        asked: dict[str, Any] = {
            "model": request.model,
            "messages": [{"role": message.role, "content": _content(message)} for message in request.messages],
        }
        if self.stream:
            asked["stream"] = True
            if self.stream_options:
                asked["stream_options"] = {"include_usage": True}
        if self.temperature:
            asked["temperature"] = 0 if request.temperature is msgspec.UNSET else request.temperature
        if self.top_p and request.top_p is not msgspec.UNSET:
            asked["top_p"] = request.top_p
        if self.limit_name:
            asked[self.limit_name] = request.max_tokens
        if request.thinking is not msgspec.UNSET:
            switch = switched(request.model, request.thinking)
            asked |= switch if self.effort_too else {"extra_body": switch["extra_body"]}
        if most := self.logprobs_of(request):
            asked |= {"logprobs": True, "top_logprobs": most}
        if request.schema:
            asked |= self._held_to(request)
        return asked

    def _held_to(self, request: ChatRequest) -> dict[str, Any]:
        name = request.schema_name or "reply"
        match self.format:
            case "json_schema":
                schema = {"name": name, "schema": request.schema, "strict": True}
                return {"response_format": {"type": "json_schema", "json_schema": schema}}
            case "tools":
                function = {"name": name, "description": "Hand in the reply.", "parameters": request.schema}
                choice = {"type": "function", "function": {"name": name}}
                return {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
            case "json_object":
                return {"response_format": {"type": "json_object"}}
            case "text":
                return {}

    def logprobs_of(self, request: ChatRequest) -> int:
        """Of how many first tokens the probabilities are asked for, 0 for none."""
        return min(self.most_logprobs, request.top_logprobs) if request.top_logprobs else 0

    def learn(self, message: str, *, logprobs: int = 0) -> bool:
        """Drop the feature that an error message names, else the one least often supported; False if none is left to drop.
        `logprobs`: of how many first tokens the refused request asked for the probabilities."""
        said = message.lower()
        if logprobs and (self.most_logprobs < logprobs or self._give_up_logprobs(said)):
            return True
        if "stream_options" in said and self.stream and self.stream_options:
            self.stream_options = False
        elif "top_p" in said and self.top_p:
            self.top_p = False
        elif "temperature" in said and self.temperature:
            self.temperature = False
        elif re.search(r"max_(?:completion_)?tokens", said) and self.limit_name:
            self._give_up_limit(said)
        elif _FORMAT.search(said) and self.format != "text":
            self.format = FORMATS[FORMATS.index(self.format) + 1]
        else:
            return self._give_up_something()
        return True

    def learn_switch(self, message: str, request: ChatRequest) -> bool | None:
        """Drop what of the switch of thinking an error message refuses: True where something is left that switches it, False where
        nothing is, None where the message is about something else."""
        if request.thinking is msgspec.UNSET or not names_switch(message):
            return None
        sent = switched(request.model, request.thinking)
        is_spare = self.effort_too and len(sent) > 1 and "effort" in message.lower()
        self.effort_too = self.effort_too and not is_spare
        return is_spare

    def _give_up_limit(self, said: str) -> None:
        """Take the limit's other name where a message speaks of it, or refuses the newer one; else none."""
        is_newer = self.limit_name == "max_completion_tokens"
        self.limit_name = next((name for name in self.limits_left if is_newer or name in said), _NO_LIMIT)
        self.limits_left = ()

    def _give_up_logprobs(self, said: str) -> bool:
        """Ask for fewer probabilities where a message names them, then for none; for none where it names nothing else either."""
        is_named = "logprob" in said
        if not is_named and _NAMED_ELSE.search(said):
            return False
        self.most_logprobs = FEW_LOGPROBS if is_named and self.most_logprobs > FEW_LOGPROBS else 0
        return True

    def _give_up_something(self) -> bool:
        if self.format != "text":
            self.format = FORMATS[FORMATS.index(self.format) + 1]
        elif self.stream and self.stream_options:
            self.stream_options = False
        elif self.temperature or self.top_p:
            self.temperature = self.top_p = False
        else:
            return False
        return True


def _content(message: ChatMessage) -> str | list[dict[str, Any]]:
    """A message's content: the text alone, or its pictures as data URLs and then the text."""
    if not message.images:
        return message.content
    addresses = (f"data:{image.media_type};base64,{base64.b64encode(image.data).decode()}" for image in message.images)
    pictures: list[dict[str, Any]] = [{"type": "image_url", "image_url": {"url": address}} for address in addresses]
    return [*pictures, {"type": "text", "text": message.content}]


def blames_request(message: str) -> bool:
    """Whether the error message of a server that takes the blame (status 500) is about a field of the request all the same:
    llama-cpp-python answers so to a `response_format` that it does not know."""
    return _FAULTY_FIELD.search(message) is not None


def takes_no_pictures(message: str) -> bool:
    """Whether an error message says that the model takes no pictures."""
    return _NO_EYES.search(message) is not None


def is_too_long(code: str, message: str) -> bool:
    """Whether an error says that the prompt does not fit the model's context."""
    return code == "context_length_exceeded" or _TOO_LONG.search(message) is not None
