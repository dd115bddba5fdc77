"""What scripted models say on the paper site."""

from __future__ import annotations

import json
import re

from walker.chat import ChatRequest

QUOTE = "The research vessel Mantis was launched in 1997 and is 18.4 metres long."


def sensible(request: ChatRequest) -> str:
    """Finds the sentence where it stands, goes to the boats, else to the first link, else back."""
    sent = request.messages[-1].content
    if request.schema_name == "critic_find":
        found = [{"answer": "18.4 metres", "quote": QUOTE, "confidence": 90}] if QUOTE in sent else []
        return json.dumps({"relevance": 40 if found else 10, "findings": found, "list": 0})
    if request.schema_name == "critic_judge":
        return json.dumps({"sufficient": True, "answer": "18.4 metres", "confidence": 90, "cite": [1]})
    links = re.findall(r"^(\d+) (.+)$", sent.partition("Links:")[2].partition("Left behind:")[0], re.MULTILINE)
    boats = [number for number, label in links if label == "Boats"]
    number = int((boats or [number for number, _ in links] or ["0"])[0])
    return json.dumps({"action": "follow" if number else "back", "number": number})
