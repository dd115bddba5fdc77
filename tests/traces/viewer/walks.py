"""Real walks to look at, and made ones: a museum with a chart that only eyes read, and a run of any number of steps."""

# ruff: noqa: E501 (a page stands on one line)
from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from tests.fixtures.scripts import links_in
from tests.sites.pages_on_loopback import serve
from traces.events import (
    CounterMoved,
    EdgeCall,
    FindingsAdded,
    GateDecided,
    Judged,
    MoveTaken,
    PageObserved,
    PageOpened,
    StackMoved,
    Understood,
    WalkEnded,
    WalkStarted,
)
from traces.manifest import RunManifest
from traces.store.recorder import Recorder
from walker.asking import ask
from walker.settings import ModelSettings, Settings, VisionSettings
from walker.testing.chat_server import Asked, Endpoint, Reply

KEY = "sk-viewer-31f7"
QUESTION = "In which month does the curve of visitors of the maritime museum peak?"
STYLE = "<style>body{font:17px Georgia,serif;max-width:900px;margin:30px auto;color:#223}nav a{margin-right:18px}h1{color:#174a5b}table{border-collapse:collapse}td{border-bottom:1px solid #ccd;padding:4px 18px 4px 0}</style>"
CURVE = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="720" height="320"><rect width="720" height="320" fill="#eef3f7"/>'
    '<path d="M30 300C160 280 240 60 380 40S600 240 690 290" stroke="#1f6f8b" stroke-width="6" fill="none"/></svg>'
)


def _page(title: str, body: str) -> str:
    nav = "<nav><a href='/'>Home</a><a href='/ships'>Ships of the museum</a><a href='/curve'>The curve of visitors</a></nav>"
    return f"<!doctype html><html lang=en><title>{title}</title>{STYLE}<body>{nav}<main><h1>{title}</h1>{body}</main></body></html>"


PAGES: dict[str, str | bytes] = {
    "/": _page(
        "Maritime museum",
        "<p>The maritime museum keeps eleven ships and a lighthouse, and counts its visitors day by day since the year it was founded.</p>"
        "<ul><li><a href='/ships'>Ships of the museum</a></li><li><a href='/closed'>The closed wing</a></li><li><a href='/curve'>The curve of visitors</a></li></ul>",
    ),
    "/ships": _page(
        "Ships of the museum",
        "<p>Visitors of the museum see these ships on the quay. Most visitors come in the warm months of the year.</p>"
        "<table><tr><td>Aurora</td><td>1908</td></tr><tr><td>Gannet</td><td>1921</td></tr><tr><td>Plover</td><td>1933</td></tr></table>",
    ),
    "/curve": _page(
        "The curve of visitors",
        "<p>How the number of visitors went over the year, month by month, is drawn below.</p><img src='/curve.svg' width=720 height=320><button>Print</button>",
    ),
    "/curve.svg": CURVE,
}


def _says(plan: list[str]) -> Callable[[Asked], Reply]:
    """Goes where the plan says, and reads the month off the curve."""
    left = list(plan)

    def script(asked: Asked) -> Reply:
        if asked.schema_name == "look":
            seen = {"found": True, "answer": "July", "texts": ["a curve with its peak in July"], "target": 1}
            return Reply(text=json.dumps(seen), prompt_tokens=740)
        if asked.schema_name == "analysis":
            parts = [{"ask": "Which picture shows the curve?"}, {"ask": "In which month does it peak?", "needs": 1}]
            names = [{"name": "maritime museum", "also": ["museum of the sea"]}]
            said = {"kind": "date", "parts": parts, "names": names, "proof": "the highest point of the curve"}
            return Reply(text=json.dumps(said))
        if asked.schema_name == "critic_find":
            quote = "Most visitors come in the warm months of the year."
            found = [{"answer": "warm months", "quote": quote, "confidence": 40}] if quote in asked.prompt else []
            read = [{"answer": "July", "quote": "July", "confidence": 90}] if "peak in July" in asked.prompt else []
            return Reply(
                text=json.dumps({"relevance": 30, "findings": [*read, *found][:1], "list": 0}),
                reasoning="The page speaks of visitors.",
            )
        if asked.schema_name == "critic_judge":
            is_sure = "July" in asked.prompt
            verdict = {
                "sufficient": is_sure,
                "answer": "July" if is_sure else "",
                "confidence": 92 if is_sure else 20,
                "cite": [1] if is_sure else [],
                "missing": [] if is_sure else ["curve of visitors"],
            }
            return Reply(text=json.dumps(verdict))
        label = left.pop(0) if left else ""
        # In a row of links the page itself, which has no number, stands before the next one's label.
        number = next((one for shown, one in links_in(asked.prompt).items() if label and shown.endswith(label)), 0)
        action = "follow" if number else "back"
        return Reply(
            text=json.dumps(
                {
                    "action": action,
                    "number": number,
                    "text": "",
                    "reason": f"{label or 'nothing'} looks promising",
                }
            )
        )

    return script


async def museum_walk(folder: Path) -> Path:
    """A walk with a language model and a vision model; the folder of its run."""
    script = _says(
        [
            "(back, which the root refuses)",
            "Ships of the museum",
            "The curve of visitors",
            "The curve of visitors",
            "The curve of visitors",
        ]
    )
    with serve(PAGES) as base:
        async with Endpoint(script, models=("test-model", "qwen3-vl-8b"), key=KEY) as endpoint:
            settings = Settings(
                runs_folder=folder,
                pictures=True,
                model=ModelSettings(
                    name="test-model",
                    base_url=endpoint.base_url,
                    key=KEY,
                    prompt_price=0.4,
                    completion_price=1.6,
                    fetch_ahead=0,
                    order="in-turn",
                ),
                vision=VisionSettings(name="qwen3-vl-8b", base_url=endpoint.base_url, key=KEY),
            )
            outcome = await ask(f"{base}/", QUESTION, settings=settings)
    return Path(outcome.trace)


def made_run(folder: Path, steps: int, *, clock: Callable[[], float] | None = None) -> Path:
    """A run as a recorder writes it, of so many steps, with a page on each; the folder."""
    ticks = itertools.count(1_700_000_000_000, 40)
    manifest = RunManifest(
        run_id="made",
        created=1_700_000_000.0,
        question="How many harbours are listed?",
        root_url="http://made.example/",
    )
    recorder = Recorder.create(folder, manifest, clock=clock or (lambda: next(ticks) / 1000))
    write_start(recorder)
    for step in range(1, steps + 1):
        write_step(recorder, step)
    recorder.emit(
        WalkEnded(
            step=steps,
            stop_reason="exhausted",
            answer=f"{steps} harbours",
            confidence=0.8,
            items=(),
            citations=(),
            count={},
            pages=steps,
            steps=steps,
        )
    )
    recorder.seal("exhausted", {"pages": steps, "steps": steps})
    recorder.close()
    return folder


def write_start(recorder: Recorder) -> None:
    recorder.emit(
        WalkStarted(
            question="How many harbours are listed?",
            root_url="http://made.example/",
            language="en",
            requirement={"mode": "exhaustive", "target": 0, "noun": "harbours"},
            settings={},
        )
    )


def write_step(recorder: Recorder, step: int, html: str = "") -> None:
    """One page with everything that a walk notes of it."""
    url = f"http://made.example/harbour/{step}"
    html = html or _page(
        f"Harbour {step}",
        f"<p>Harbour number {step} has {step % 40 + 1} berths.</p>" + "<p>Ships call here day and night.</p>" * 12,
    )
    html_ref = msgspec.to_builtins(recorder.put(html.encode(), "text/html"))
    observation = {
        "url": url,
        "status": 200,
        "title": f"Harbour {step}",
        "blocks": [
            {"id": 1, "kind": "heading", "level": 1, "text": f"Harbour {step}"},
            {"id": 2, "kind": "paragraph", "text": f"Harbour number {step} has {step % 40 + 1} berths."},
        ],
        "links": [{"id": 1, "url": f"http://made.example/harbour/{step + 1}", "label": "Next harbour"}],
    }
    read_ref = msgspec.to_builtins(recorder.put(msgspec.json.encode(observation), "application/json"))
    depth = (step - 1) % 7 + 1
    path = tuple(f"http://made.example/harbour/{step - back}" for back in range(depth - 1, -1, -1))
    quote = f"Harbour number {step} has {step % 40 + 1} berths."
    terms = {
        "length": 9.0,
        "characters": 10.0,
        "format": 5.0,
        "relevance": 22.0,
        "paragraphs": 5.0,
        "navigation": 7.0,
        "density": 4.0,
        "special": 15.0,
    }
    for event in (
        _called(step, seam="browser", method="open", request={"url": url}, outcome={"snapshot": {"url": url, "final_url": url, "status": 200, "html": ""}, "html": html_ref}),
        PageOpened(step=step, url=url, final_url=url, key=url, status=200, title=f"Harbour {step}"),
        _called(step, seam="reader", method="read", request={"url": url, "html": f"{step:016x}"}, outcome=read_ref),
        PageObserved(step=step, url=url, title=f"Harbour {step}", language="en", blocks=2, links=1, controls=0, record_sets=0, figures=0),
        StackMoved(step=step, change="push", depth=depth, path=path, untried=1),
        _called(step, seam="critic", method="find", request={"step": step}, outcome={"relevance": 0.55, "findings": []}),
        Understood(step=step, score=77.0, text_quality=24.0, relevance=22.0, clarity=16.0, special=15.0, terms=terms),
        GateDecided(step=step, choice="read", score=60.0 + step % 40, threshold=70.0, reason="the text carries the page", terms={"intercept": 0.2, "understanding": 2.3, "gap": -0.4}),
        FindingsAdded(step=step, findings=({"text": f"{step % 40 + 1} berths", "quote": quote, "url": url, "step": step, "score": 0.6},), items=1),
        CounterMoved(step=step, mode="exhaustive", target=0, found=step, added=({"name": f"Harbour {step}", "page_url": url, "step": step, "quote": quote},), merged=(), done=False, complete=False),
        Judged(step=step, sufficient=False, answer="", confidence=0.1, citations=(), missing=("harbours",), reason="the list goes on"),
        MoveTaken(step=step, move="Open", url=f"http://made.example/harbour/{step + 1}", reason="the next harbour"),
    ):  # fmt: skip
        recorder.emit(event)


def _called(step: int, seam: str, method: str, request: dict[str, Any], outcome: Any) -> EdgeCall:
    return EdgeCall(step=step, seam=seam, method=method, fingerprint=f"{step:032x}", occurrence=0, request=request, outcome=outcome, seconds=0.02)  # fmt: skip
