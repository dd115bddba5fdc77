"""`walker ask --model` where the model crops a picture: a real browser, a real site, a real endpoint."""

from __future__ import annotations

import json
import re
from pathlib import Path

from tests.fixtures.scripts import in_one_reply
from tests.sites.endpoint_in_a_thread import served
from tests.sites.pages_on_loopback import serve
from tests.walker.cli.test_ask_with_a_model import run
from tests.walker.vision.test_closer_view import board
from walker.testing.chat_server import Asked, Endpoint, Reply

ROW = "Compass | 71.15 EUR"
PAGES: dict[str, str | bytes] = {
    "/": '<html lang=en><title>Shop</title><h1>Shop</h1><p>Things for the sea.</p><a href="/prices">Prices</a>',
    "/prices": (
        "<html lang=en><title>Prices</title><h1>Our prices</h1><p>All prices are on the board.</p>"
        "<img src=/board.svg width=40 height=40>"
    ),
    "/board.svg": board([("Rope", "3.90"), ("Lantern", "12.40"), ("Compass", "71.15"), ("Anchor", "88.25")], 42, 1560),
}


@in_one_reply
def cropping(asked: Asked) -> Reply:
    """Crops the page, then the corner of that crop that holds the board, once it is there."""
    sent = asked.prompt
    if asked.schema_name == "critic_find":
        found = [{"answer": "71.15 EUR", "quote": ROW, "confidence": 95}] if ROW in sent else []
        return Reply(text=json.dumps({"relevance": 40 if found else 10, "findings": found, "list": 0}))
    if asked.schema_name == "critic_judge":
        sufficient = ROW in sent or "71.15" in sent
        return Reply(text=json.dumps({"sufficient": sufficient, "answer": "71.15 EUR", "confidence": 95, "cite": [1]}))
    link = re.search(r"Prices \[(\d+)\]", sent)
    listed = re.findall(r"^(\d+) \d+x\d+", sent.partition("Pictures (crop):")[2], re.MULTILINE)
    listed += re.findall(
        r"\[picture (\d+)", sent.partition("Here: ")[2]
    )  # not listed again: its number stands in the text
    if link is not None:
        action = {"action": "follow", "number": int(link[1])}
    elif len(listed) == 2:
        action = {"action": "crop", "number": 0, "box": [0, 0, 1, 1]}
    elif len(listed) == 3:
        action = {"action": "crop", "number": 2, "box": [0, 0.1, 0.1, 0.3]}
    else:
        action = {"action": "back"}
    return Reply(text=json.dumps(action))


def test_a_model_crops_a_crop_and_reads_what_nobody_could(tmp_path: Path) -> None:
    with serve(PAGES) as base, served(Endpoint(cropping)) as endpoint:
        flags = ("--model", "test-model", "--base-url", endpoint.base_url, "--json")
        code, out, err = run("ask", base, "What is the price of the compass?", *flags, folder=tmp_path)
    told = json.loads(out)
    assert (told["answer"], code) == ("71.15 EUR", 0), err
    assert told["citations"] == [{"url": base + "/prices", "quote": ROW}]
    log = (tmp_path / told["trace"] / "events.jsonl").read_text(encoding="utf-8")
    events = [json.loads(line) for line in log.splitlines()]
    crops = [event["d"] for event in events if event["k"] == "crop"]
    assert [(crop["image_index"], crop["number"]) for crop in crops] == [(0, 2), (2, 3)]
    assert crops[1]["scale"] == 8
    assert 1 < crops[0]["scale"] < 4
    assert told["usage"]["vision_calls"] == sum(event["k"] == "look" for event in events)
    for more in ((), ("--deep",)):
        code, _, err = run("replay", told["trace"], *more, folder=tmp_path)
        assert code == 0, err


def test_what_a_crop_shows_stands_in_the_next_prompt_and_the_model_chooses_again(tmp_path: Path) -> None:
    """The model finds nothing by itself: what it asked to see must reach the prompt in which it chooses what to do next."""
    asked_for: list[tuple[str, str]] = []

    def looking(asked: Asked) -> Reply:
        asked_for.append((asked.schema_name, asked.prompt))
        if asked.schema_name == "critic_find":
            return Reply(text=json.dumps({"relevance": 10, "findings": [], "list": 0}))
        link = re.search(r"Prices \[(\d+)\]", asked.prompt)
        crops = sum("crop" in prompt.partition("Steps:")[2].partition("Here:")[0] for _, prompt in asked_for)
        action: dict[str, object] = {"action": "answer"}
        if link is not None:
            action = {"action": "follow", "number": int(link[1])}
        elif not crops:
            action = {"action": "crop", "number": 1, "box": [0, 0, 1, 1]}
        return Reply(text=json.dumps({"relevance": 10, "findings": [], "list": 0, "sufficient": False, **action}))

    large = PAGES["/prices"]
    assert isinstance(large, str)
    pages = {**PAGES, "/prices": large.replace("width=40 height=40", "width=195 height=195")}
    with serve(pages) as base, served(Endpoint(looking)) as endpoint:
        flags = ("--model", "test-model", "--base-url", endpoint.base_url, "--json", "--gate", "paper", "--tau", "0")
        run("ask", base, "What is the price of the compass?", *flags, folder=tmp_path)
    names = [name for name, _ in asked_for]
    assert names[:3] == ["analysis", "step", "step"], "nothing was looked at before the model asked"
    after = asked_for[3:]
    assert [name for name, _ in after] == ["critic_find", "explorer"], "read, then chosen again"
    assert all("71.15" in prompt for _, prompt in after)
