from __future__ import annotations

import msgspec

from walker.models.sampling import with_sampling
from walker.seams.chat import ChatMessage, ChatRequest
from walker.settings import ModelSettings

ASKED = ChatRequest(model="m", messages=(ChatMessage(role="user", content="hello"),))


def test_the_recorded_form_of_a_request_at_the_defaults_does_not_name_them() -> None:
    recorded = msgspec.to_builtins(with_sampling(ASKED, ModelSettings(name="m")))
    assert set(recorded) == {"model", "messages", "schema_name", "schema", "max_tokens", "prompt"}


def test_what_is_set_is_in_the_request_and_in_its_recorded_form() -> None:
    asked = with_sampling(ASKED, ModelSettings(name="m", temperature=0.6, top_p=0.95))
    assert (asked.temperature, asked.top_p) == (0.6, 0.95)
    recorded = msgspec.to_builtins(asked)
    assert (recorded["temperature"], recorded["top_p"]) == (0.6, 0.95)
    assert msgspec.convert(recorded, ChatRequest) == asked
