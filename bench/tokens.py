"""Prints what one step of a model-driven walk sends, in tokens, on the pages that answer the development questions.

A step is all that is asked about a page to read, judge and leave it, prompts included: one call. Beside it stand the tokens of
the same page's full text, and of browser-use's own page state (installed into bench/out/browser-use by this script; left out
where that fails). `evidence kept` is the share of pages whose digest still holds the answer: few tokens are easy without it.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
from figures import print_figure
from testbeds import FOLDER, SITES, serve_or_skip

from memory.counting.counter import Counter
from memory.state import PageNote, WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UntriedLink, UrlStack
from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.assembly import WalkResources, read_task
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.launch.find_chromium import find_browser
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.models.token_count import count_tokens, counted_by
from walker.seams.chat import ChatReply, ChatRequest
from walker.seams.task import Task
from walker.settings import ModelSettings, Settings
from walker.strategies.model.quotes import plain

OUT = Path(__file__).parent / "out"
MEDIAN_WANTED = 6000
REPLIES = {
    "step": '{"relevance": 10, "findings": [], "list": 0, "sufficient": false, "action": "back"}',
    "critic_find": '{"relevance": 10, "findings": [], "list": 0}',
    "explorer": '{"action": "back", "number": 0, "text": "", "reason": ""}',
}


class CountingChat:
    """A model that says nothing of use and keeps what it was sent."""

    def __init__(self) -> None:
        self.sent: list[ChatRequest] = []

    async def complete(self, request: ChatRequest) -> ChatReply:
        """A reply that can be used."""
        self.sent.append(request)
        return ChatReply(text=REPLIES[request.schema_name])


async def main() -> None:
    """Open every source page, build the step's prompts, count."""
    serve_or_skip()
    questions = [json.loads(line) for line in (FOLDER / "qa_dev.jsonl").read_text().splitlines() if line.strip()]
    steps, calls, texts, kept, asked = [], [], [], [], []
    addresses: list[str] = []
    model = ModelSettings(name="counting")
    async with WalkResources(Settings(model=model)) as resources, Chromium(find_browser("")) as chromium:
        browser = PlaywrightBrowser(chromium, ContextOptions())
        for question in questions:
            for source in question["sources"]:
                url = SITES[question["site"]] + source
                opened = await browser.open(url)
                assert isinstance(opened, Snapshot), f"{url}: {opened}"
                observation = observe(opened)
                task = read_task(SITES[question["site"]] + question["root"], question["question"], question["lang"])
                sent = await _step(resources, task, observation)
                sizes = [sum(count_tokens(message.content) for message in request.messages) for request in sent]
                steps.append(sum(sizes))
                calls += sizes
                asked.append(len(sent))
                texts.append(count_tokens("\n".join(block.text for block in observation.blocks)))
                kept.append(_holds(sent[0], question))
                addresses.append(url)
        await browser.close()
    median = statistics.median(steps)
    print_figure(
        f"tokens of a step, median (by {counted_by()})",
        median,
        "tokens",
        f"<= {MEDIAN_WANTED}",
        median <= MEDIAN_WANTED,
    )
    once = sum(number == 1 for number in asked) / len(asked)
    print_figure("pages read, judged and left with one call", round(once, 3), "share of pages", ">= 1", once >= 1)
    most = max(calls)
    print_figure("tokens of a call, most", most, "tokens", f"<= {model.step_tokens}", most <= model.step_tokens)
    print_figure("tokens of the page's full text, median", statistics.median(texts), "tokens", "", True)
    print_figure("evidence kept in the digest", round(sum(kept) / len(kept), 3), "share of pages", "", True)
    if theirs := _browser_use(addresses):
        print_figure("tokens of browser-use's page state, median", statistics.median(theirs), "tokens", "", True)


async def _step(resources: WalkResources, task: Task, observation: Observation) -> list[ChatRequest]:
    chat = CountingChat()
    explorer, critic = resources.strategies(chat)
    memory = _memory_on(task, observation)
    await critic.find(task, observation, memory)
    await explorer.propose(task, observation, memory, ())
    return chat.sent


def _memory_on(task: Task, observation: Observation) -> WalkMemory:
    """A walk that stands on the page, ten steps after its start."""
    links = [
        UntriedLink(url=link.url, key=key_of(link.url), label=link.label, region=link.region)
        for link in observation.links
        if link.url.startswith("http")
    ]
    key = key_of(observation.url)
    pages = [
        PageNote(
            step=step,
            url=f"{task.root_url}page{step}.html",
            key=f"page{step}",
            title="A page of the documentation",
            outcome="read",
        )
        for step in range(1, 10)
    ]
    pages.append(PageNote(step=10, url=observation.url, key=key, title=observation.title, outcome="read"))
    stack = UrlStack().push(Frame(url=observation.url, key=key, title=observation.title)).offer(tuple(links))
    return WalkMemory(step=10, stack=stack, counter=Counter.start(task.requirement), pages=tuple(pages))


def _holds(request: ChatRequest, question: dict[str, Any]) -> bool:
    """Whether the page as it was sent holds the answer, or one of the pieces of evidence that the page gives."""
    sent = plain(request.messages[-1].content.partition("===")[2])
    wanted = [
        question["answer"],
        *question.get("accept", []),
        *question.get("items", []),
        *question.get("evidence", []),
    ]
    return any(plain(text) in sent for text in wanted)


def _browser_use(addresses: list[str]) -> list[int]:
    """Tokens of what browser-use would send of the same pages."""
    folder = OUT / "browser-use"
    python = folder / "bin" / "python"
    script = Path(__file__).parent / "browser_use_state.py"
    try:
        if not python.exists():
            subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True, capture_output=True)
            subprocess.run(
                [str(python), "-m", "pip", "install", "-q", "browser-use"], check=True, capture_output=True, timeout=900
            )
        given = json.dumps({"browser": find_browser("").path, "addresses": addresses})
        done = subprocess.run(
            [str(python), str(script)], input=given, capture_output=True, text=True, timeout=900, check=True
        )
    except (OSError, subprocess.SubprocessError) as error:
        sys.stderr.write(f"browser-use could not be asked: {error}\n{getattr(error, 'stderr', '') or ''}"[-600:] + "\n")
        return []
    return [
        count_tokens(msgspec.json.decode(line, type=str)) for line in done.stdout.splitlines() if line.startswith('"')
    ]


if __name__ == "__main__":
    asyncio.run(main())
