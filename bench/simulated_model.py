"""A stand-in for a language model, for measuring the runtime around it: it knows the answers, and errs at set rates.

What it says of a page it takes from the prompt, as a model would, so what the prompt lacks it does not find. It is a simulation:
it says nothing of how well any real model walks.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from collections import Counter
from typing import Any

import msgspec

from memory.words import tokens
from walker.strategies.model.quotes import plain
from walker.testing.chat_server import Asked, Reply

_HERE = re.compile(r"^(?:Here: |当前位置：)", re.MULTILINE)


class Known(msgspec.Struct, frozen=True, kw_only=True):
    """A question with all that is known of its answer. `sources` are whole addresses."""

    id: str
    kind: str
    text: str
    language: str
    root: str
    sources: tuple[str, ...]
    answers: tuple[str, ...]
    items: tuple[str, ...] = ()
    wanted: int = 0
    """Items that are asked for, 0 for all."""
    evidence: tuple[str, ...] = ()


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """How often it errs, 0..1 of the occasions."""

    wrong_link: float = 0.15
    loop: float = 0.2
    """Goes to a page that it has been on, where it is let."""
    miscount: float = 0.4
    invented: float = 0.15
    """Tells a fact with a quote that stands nowhere."""
    bad_json: float = 0.05


class SimulatedModel:
    """A script for `walker.testing.chat_server.Endpoint`."""

    def __init__(self, questions: tuple[Known, ...], rates: Rates, seed: int) -> None:
        self._known = {question.text: question for question in questions}
        self._rates, self._seed = rates, seed
        self._calls: Counter[str] = Counter()
        self.erred: Counter[str] = Counter()
        self.told: dict[str, int] = {}
        """By question, the number that it last claimed to have counted, where it miscounted."""

    def __call__(self, asked: Asked) -> Reply:
        """Answer one call."""
        line = re.search(r"^(?:Question: |问题：)(.+)$", asked.prompt, re.MULTILINE)
        assert line, "every prompt holds its question"
        question = self._known[line[1].strip()]
        self._calls[question.id] += 1
        seed = hashlib.sha256(f"{self._seed} {question.id} {self._calls[question.id]}".encode()).digest()
        chance = random.Random(seed)
        if chance.random() < self._rates.bad_json:
            self.erred["bad json"] += 1
            return Reply(text="Sure! {action: follow, number: 1")
        fenced = asked.prompt.split("===")
        page = fenced[2] if len(fenced) > 2 else ""
        match asked.schema_name:
            case "analysis":
                said = {"kind": "other"}
            case "critic_find":
                said = self._find(question, page, chance)
            case "critic_judge":
                said = self._judge(question, page, [])
            case "step":
                found = self._find(question, page, chance)
                judged = self._judge(question, page, found["findings"])
                said = {**found, **judged, **self._step(question, page, fenced[-1], chance)}
            case _:
                said = self._step(question, page, fenced[-1], chance)
        return Reply(text=json.dumps(said, ensure_ascii=False))

    def _find(self, question: Known, page: str, chance: random.Random) -> dict[str, Any]:
        here = _address(page)
        findings: list[dict[str, Any]] = []
        if chance.random() < self._rates.invented:
            self.erred["invented"] += 1
            findings.append({"answer": "42", "quote": "It is known to all that the answer is 42.", "confidence": 95})
        if here not in question.sources:
            return {"relevance": 10, "findings": findings, "list": 0}
        number = self._list_of(question, page)
        if question.items and not number:
            findings.append(self._counted(question, page, chance))
        elif not question.items and (line := self._telling_line(question, page)):
            findings.append({"answer": line[:80], "quote": line, "confidence": 90})
        return {"relevance": 40 if findings or number else 20, "findings": findings, "list": number}

    def _list_of(self, question: Known, page: str) -> int:
        """The list that shows most of the items."""
        items = {plain(item) for item in question.items}
        best, most = 0, 0
        for number, names in re.findall(r"^list (\d+): .*\(\d+\): (.+)$", page, re.MULTILINE):
            held = sum(plain(name) in items for name in names.split("; "))
            if held > most:
                best, most = int(number), held
        return best

    def _counted(self, question: Known, page: str, chance: random.Random) -> dict[str, Any]:
        """Its own count of what the page lists, right or not."""
        right = question.wanted or len(question.items)
        told = right
        if chance.random() < self._rates.miscount:
            told += chance.choice((-1, 1)) if right > 1 else 1
            self.erred["miscount"] += 1
        self.told[question.id] = told
        names = "; ".join((*question.items, "one more")[:told])
        quote = next(
            (line for line in page.splitlines() if len(line) > 20 and not line.startswith(("#", "http", "["))), ""
        )
        return {"answer": names if question.wanted else str(told), "quote": quote, "confidence": 90}

    def _telling_line(self, question: Known, page: str) -> str:
        wanted = [plain(text) for text in (*question.evidence, *question.answers) if text]
        lines = [line for line in page.splitlines() if len(line) > 2 and not line.startswith(("#", "http", "["))]
        return next((line for text in wanted for line in lines if text in plain(line)), "")

    def _judge(self, question: Known, page: str, new: list[dict[str, Any]]) -> dict[str, Any]:
        told = re.findall(r"^\[(\d+)\] (.*?): (?:\(.*?\) )?“.*”.*, (\S+)$", page, re.MULTILINE)
        told += [(str(number), one["answer"], _address(page)) for number, one in enumerate(new, start=len(told) + 1)]
        kept = [(int(number), text, url) for number, text, url in told if url.partition("#")[0] in question.sources]
        met = {url.partition("#")[0] for _, _, url in kept}
        enough = bool(kept) and met == set(question.sources)
        answer = "" if not kept else kept[-1][1] if question.items else question.answers[0] if enough else kept[-1][1]
        cite = [number for number, _, _ in kept]
        missing = [] if enough else [question.text[:80]]
        return {"sufficient": enough, "answer": answer, "confidence": 90, "cite": cite, "missing": missing}

    def _step(self, question: Known, page: str, after: str, chance: random.Random) -> dict[str, Any]:
        body, _, left = _HERE.split(page)[-1].partition("(jump):")
        if not left:
            body, _, left = body.partition("（jump）：")
        links = [(number, label) for label, number in re.findall(r"([^\n\[\]·]+) \[(\d+)\]", body)]
        earlier = re.findall(r"^(\d+) (.*)$", re.split(r"\(click|（click", left)[0], re.MULTILINE)
        been = {plain(title) for title in re.findall(r"^\d+\. (.+?): ", page, re.MULTILINE)}
        again = [number for number, label in links if any(plain(label) and plain(label) in title for title in been)]
        again += re.findall(r"\[(\d+) seen\]", body)
        if again and chance.random() < self._rates.loop:
            self.erred["loop"] += 1
            return {"action": "follow", "number": int(chance.choice(again)), "reason": "back to it"}
        if links and chance.random() < self._rates.wrong_link:
            self.erred["wrong link"] += 1
            return {"action": "follow", "number": int(chance.choice(links)[0]), "reason": "this one"}
        here = _best(links, question)
        there = _best(earlier, question)
        if there is not None and (here is None or there[0] > here[0] or "Refused:" in after):
            return {"action": "jump", "number": there[1], "reason": "left behind"}
        if here is not None:
            return {"action": "follow", "number": here[1], "reason": "the best"}
        return {"action": "back", "number": 0, "reason": "nothing here"}


def _address(page: str) -> str:
    """The URL of the page in a prompt, "" where there is none."""
    address = re.search(r"^https?://\S+$", page, re.MULTILINE)
    return address[0].partition("#")[0] if address else ""


def _best(links: list[tuple[str, str]], question: Known) -> tuple[float, int] | None:
    """The link that shares most words with the question, the first of equals, with its score."""
    asked = frozenset(tokens(question.text))
    scored = [
        (len(asked.intersection(tokens(label))) / (1 + len(tokens(label))), -place, int(number))
        for place, (number, label) in enumerate(links)
    ]
    best = max(scored, default=None)
    return (best[0], best[2]) if best is not None else None
