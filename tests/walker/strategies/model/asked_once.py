"""Strategies that ask a scripted model once a page, and the page that they stand on."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import msgspec

from memory.findings import Findings
from memory.state import WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UntriedLink, UrlStack
from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.fixtures.paper import HOME, page, ranker, task_for
from tests.fixtures.scripts import QUOTE
from walker.seams.chat import ChatRequest
from walker.seams.protocols import Critic, Explorer
from walker.settings import ModelSettings
from walker.strategies.strategy_assembly import model_strategies
from walker.testing.fakes import ScriptedChat

QUESTION = "How long is the research vessel Mantis?"
TASK = task_for(QUESTION)
MODEL = ModelSettings(name="scripted", fetch_ahead=0)
NOTHING: dict[str, Any] = {"relevance": 10, "findings": [], "list": 0, "sufficient": False}
FOUND = {"answer": "18.4 metres", "quote": QUOTE, "confidence": 90}
ENOUGH = {"sufficient": True, "answer": "18.4 metres", "confidence": 90, "cite": [1], "action": "answer"}


def boats() -> Observation:
    address = HOME + "boats.html"
    body = f'<p>{QUOTE} She carries six.</p><ul><li><a href="/engines.html">Engines</a></li></ul>'
    return observe(Snapshot(url=address, final_url=address, status=200, html=page("Boats", body)))


def standing(observation: Observation) -> WalkMemory:
    links = tuple(UntriedLink(url=link.url, key=key_of(link.url), label=link.label) for link in observation.links)
    here = Frame(url=observation.url, key=key_of(observation.url), title=observation.title)
    home = Frame(url=HOME, key=key_of(HOME), title="Reef")
    return WalkMemory(step=2, stack=UrlStack().push(home).push(here).offer(links))


def strategy_of(script: Callable[[ChatRequest], str]) -> tuple[Explorer, Critic, ScriptedChat]:
    chat = ScriptedChat(script)
    return *model_strategies(chat, MODEL, ranker(), seed="seed"), chat


def after(memory: WalkMemory, found: Findings) -> WalkMemory:
    return msgspec.structs.replace(memory, findings=(*memory.findings, *found.findings))


def asked(chat: ScriptedChat) -> list[str]:
    return [request.schema_name for request in chat.asked]


def same_for_all(**said: object) -> Callable[[ChatRequest], str]:
    return lambda _: json.dumps(NOTHING | said)


def pictured(*seen: str) -> Observation:
    return msgspec.structs.replace(boats(), seen_text=seen)


def sent(request: ChatRequest) -> str:
    return request.messages[-1].content
