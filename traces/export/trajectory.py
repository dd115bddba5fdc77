"""A walk as a trajectory for training: thoughts, tool calls and tool responses.

WebWatcher (arXiv 2508.05748) keeps a trajectory whose answer is right, whose steps are consistent, and that calls a tool at
least three times; so does `why_not`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import Any

import msgspec

from traces.errors import TraceReadError
from traces.events import EdgeCall
from traces.reading.reader import Run
from traces.reading.steps import Fields, Step, Walk
from traces.store.blobs import BlobRef

LEAST_CALLS = 3
PAGE_CHARS = 6_000
"""A page's text is truncated to so many characters in a response, as pages are often longer than a model's context."""
TOOLS: tuple[dict[str, Any], ...] = (
    {"name": "visit", "description": "Open a page and read it.", "arguments": {"url": "address of the page"}},
    {"name": "back", "description": "Leave this page for the one before.", "arguments": {}},
    {
        "name": "operate",
        "description": "Press a control, type into a field, or scroll, and read what the page shows then.",
        "arguments": {"action": "Click, TypeText or Scroll", "text": "what is typed, if anything"},
    },
)
SYSTEM = (
    "You answer a question by walking a web site. Think first, within <think> and </think>. Then either call one tool, as a JSON"
    " object with name and arguments within <tool_call> and </tool_call>, or give the answer within <answer> and </answer>. What a"
    " tool gives back stands within <tool_response> and </tool_response>.\n\nTools:\n"
)


class Turn(msgspec.Struct, frozen=True, kw_only=True):
    """One call of a tool and its response."""

    think: str
    tool: str
    arguments: Fields
    response: str


class Trajectory(msgspec.Struct, frozen=True, kw_only=True):
    """A whole walk, independent of the export format."""

    run_id: str
    question: str
    root_url: str
    turns: tuple[Turn, ...]
    last_thought: str
    answer: str
    inconsistent: tuple[str, ...]
    """Inconsistencies, one line each."""

    def why_not(self, is_right: bool | None) -> str:
        """Why it is unfit for training, "" where it is fit. `is_right` is None for an ungraded answer."""
        if is_right is None:
            return "its answer was not graded"
        if not is_right:
            return "its answer is wrong"
        if self.inconsistent:
            return f"its steps are not consistent: {self.inconsistent[0]}"
        if len(self.turns) < LEAST_CALLS:
            return f"it calls a tool {len(self.turns)} times, fewer than {LEAST_CALLS}"
        return ""


def trajectory_of(run: Run, walk: Walk) -> Trajectory:
    """The trajectory of a run; an unfinished run has no answer and is inconsistent."""
    texts = _Texts(run)
    turns: list[Turn] = []
    wrong: list[str] = []
    question = walk.start.get("question", run.manifest.question)
    pending: tuple[str, str, Fields] | None = ("I begin at the root.", "visit", {"url": run.manifest.root_url})
    last_thought = ""
    for step in walk.steps:
        wrong += _inconsistencies(step)
        if pending is not None:
            think, tool, arguments = pending
            turns.append(Turn(think=think, tool=tool, arguments=arguments, response=texts.of(step)))
            pending = None
        for proposal, move in _choices(step):
            think = _thought(step, proposal)
            if move["move"] == "Finish":
                last_thought = think
            elif move["move"] == "Pop":
                below = step.path[-2] if len(step.path) > 1 else run.manifest.root_url
                turns.append(Turn(think=think, tool="back", arguments={}, response=f"Back at {below}"))
            elif move["move"] == "Enlarge":
                continue  # turns hold page text only, without what vision added
            else:
                pending = (think, *_tool_call(proposal, move))
    if not walk.end:
        wrong.append("the walk was interrupted")
    verdict = walk.steps[-1].last("verdict") if walk.steps else {}
    return Trajectory(
        run_id=run.manifest.run_id,
        question=question,
        root_url=run.manifest.root_url,
        turns=tuple(turns),
        last_thought=last_thought or verdict.get("reason", "") or "What was found answers the question.",
        answer=walk.end.get("answer", ""),
        inconsistent=tuple(wrong),
    )


def system_text() -> str:
    """The system prompt of all trajectories."""
    return SYSTEM + "\n".join(msgspec.json.encode(tool).decode() for tool in TOOLS)


def said(turn: Turn) -> str:
    """The assistant's message in a turn."""
    call = msgspec.json.encode({"name": turn.tool, "arguments": turn.arguments}).decode()
    return f"<think>{turn.think}</think>\n<tool_call>{call}</tool_call>"


def concluded(trajectory: Trajectory) -> str:
    """The assistant's final message."""
    return f"<think>{trajectory.last_thought}</think>\n<answer>{trajectory.answer}</answer>"


def asked(trajectory: Trajectory) -> str:
    """The user's message."""
    return f"{trajectory.question}\nThe site: {trajectory.root_url}"


def is_same_answer(expected: str, got: str) -> bool:
    """Whether an answer matches the expected one: the same words, or these as whole words within a longer answer."""
    wanted, given = _words(expected), _words(got)
    return bool(wanted) and f" {wanted} " in f" {given} "


def _words(text: str) -> str:
    """Words and numbers; single characters in scripts without word spacing."""
    plain = re.sub(r"(?<=\d),(?=\d{3}\b)", "", unicodedata.normalize("NFKC", text).casefold())
    return " ".join(re.findall(r"\d+(?:\.\d+)?|[\u3040-\u9fff\uac00-\ud7af]|[^\W\d_]+", plain))


def _choices(step: Step) -> list[tuple[Fields, Fields]]:
    """Each move of a step with its proposal; the refused proposals before it are dropped."""
    proposals = list(step.stages.get("proposal", ()))
    refused = len(step.stages.get("refusal", ()))
    moves = step.stages.get("move", ())
    while refused and len(proposals) > len(moves):
        proposals.pop(0)
        refused -= 1
    padded: list[Fields] = [*proposals, *({} for _ in range(len(moves) - len(proposals)))]
    return list(zip(padded, moves, strict=False))


def _tool_call(proposal: Fields, move: Fields) -> tuple[str, Fields]:
    if move["move"] != "Operate":
        return "visit", {"url": move["url"]}
    detail = {name: value for name, value in proposal.get("detail", {}).items() if name == "text"}
    return "operate", {"action": proposal.get("action", "Scroll")} | detail


def _thought(step: Step, proposal: Fields) -> str:
    """The model's visible reasoning, else the reason of its proposal."""
    for call in reversed(step.calls):
        if call.seam == "chat" and isinstance(call.outcome, dict) and call.request.get("schema_name") == "explorer":
            if reasoning := call.outcome.get("reasoning", ""):
                return str(reasoning)
            break
    return proposal.get("detail", {}).get("reason", "") or "This is the likeliest way on."


def _inconsistencies(step: Step) -> list[str]:
    found = []
    page = step.last("page")
    if "kind" in page and "final_url" not in page:
        found.append(f"step {step.number}: the page could not be loaded ({page['kind']})")
    if refusal := step.last("refusal"):
        found.append(f"step {step.number}: {refusal['action']} was refused, {refusal['reason']}")
    for call in step.calls:
        if call.error:
            found.append(f"step {step.number}: {call.seam}.{call.method} failed")
        if isinstance(call.outcome, dict) and call.outcome.get("note"):
            found.append(f"step {step.number}: {call.outcome['note']}")
    return found


class _Texts:
    """Text of the pages of a run."""

    def __init__(self, run: Run) -> None:
        self._calls: dict[tuple[int, str], EdgeCall] = {}
        self._get: Callable[[BlobRef], bytes] = run.blobs.get
        for event in run.events:
            if isinstance(event, EdgeCall) and event.seam == "reader" and not event.error:
                self._calls[event.step, event.request.get("url", "")] = event

    def of(self, step: Step) -> str:
        page = step.last("page")
        if "final_url" not in page:
            return f"The page could not be loaded: {page.get('kind', 'nothing was recorded')}"
        rejection = step.last("rejection")
        left = f"\n(The page was left: {rejection['reason']})" if rejection else ""
        call = self._calls.get((step.number, page["final_url"]))
        if call is None:
            return f"{page['title'] or page['final_url']}{left}"
        try:
            plain = msgspec.json.decode(self._get(msgspec.convert(call.outcome, BlobRef)))
        except (TraceReadError, msgspec.MsgspecError):
            return f"{page['final_url']}\n(The recording of this page is damaged){left}"
        lines = [block["text"] for block in plain.get("blocks", ()) if not block.get("hidden")]
        links = [f"[{link['label']}]({link['url']})" for link in plain.get("links", ()) if not link.get("hidden")]
        text = "\n".join(lines)
        cut = f"{text[:PAGE_CHARS]}\n(truncated)" if len(text) > PAGE_CHARS else text
        shown = "\n".join(links)[: PAGE_CHARS // 2]
        return f"{plain.get('title', '')}\n{page['final_url']}\n\n{cut}\n\nLinks:\n{shown}{left}"
