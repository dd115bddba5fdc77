"""Wiring: the one place where edges are made and put together. No other module constructs one."""

from __future__ import annotations

import asyncio
from types import TracebackType

import msgspec

from memory.requirement import read_requirement
from memory.retrieval import Ranker, WordLlamaEmbedder
from walker.browser.chromium import Chromium
from walker.browser.finding import find_browser
from walker.budget import Budget
from walker.egress import EgressRule
from walker.errors import EmptyQuestion
from walker.language import language_of
from walker.minds.builtin_critic import BuiltinCritic
from walker.minds.builtin_explorer import BuiltinExplorer
from walker.policy import Policy
from walker.reader import SnapshotReader
from walker.scene import Rules
from walker.scope import WalkScope, check_root
from walker.seams import Browser, Crew
from walker.settings import Settings
from walker.task import Task
from walker.vision import BuiltinVision


def read_task(root: str, question: str, language: str = "") -> Task:
    """The task that a person's words describe; raises `NotAUrl` or `EmptyQuestion`."""
    root_url = check_root(root)
    text = " ".join(question.split())
    if not text:
        raise EmptyQuestion("the question is empty", advice="Say what you want to know, in quotes")
    spoken = language or language_of(text)
    return Task(question=text, root_url=root_url, language=spoken, requirement=read_requirement(text, spoken))
