"""What a prompt says of the task besides its question: how its parts are joined, other spellings, what would prove the answer."""

from __future__ import annotations

from collections.abc import Mapping

from perception.document.visible import visible_text
from walker.seams.task import Task

_WORDS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "joined": "Joined by",
        "names": "The site may write",
        "each": "Of each, besides its name",
        "proof": "What would prove it",
        "picture": "The question is about a picture, which the walk's first page shows",
        "pictured": "The picture shows, as far as is known",
    },
    "zh": {
        "joined": "合并方式",
        "names": "网站可能写作",
        "each": "每一项除名称外还要",
        "proof": "能证明答案的内容",
        "picture": "问题针对一张图片，图片显示在浏览的第一页上",
        "pictured": "目前所知图片内容",
    },
}


def task_lines(task: Task) -> str:
    """A few lines in the language of the prompt; "" where there is no more to say than the question does. Of an analysis by rules only
    what cannot be read off the question."""
    analysis, words = task.analysis, _WORDS.get(task.language, _WORDS["en"])
    lines: list[str] = []
    if task.picture is not None:
        lines.append(f"{words['pictured']}: {task.pictured}" if task.pictured else words["picture"])
    if len(analysis.parts) > 1 and analysis.operation not in ("none", "yes/no"):
        lines.append(f"{words['joined']}: {analysis.operation}")
    spelled = (f"{one.name} = {', '.join(one.spellings)}" for one in analysis.names if one.spellings)
    if names := "; ".join(spelled):
        lines.append(f"{words['names']}: {names}")
    if analysis.each:
        lines.append(f"{words['each']}: {analysis.each}")
    if analysis.by == "model" and analysis.proof:
        lines.append(f"{words['proof']}: {analysis.proof}")
    return "\n".join(map(visible_text, lines))
