"""What of a walk stands before a mind (the idea is ReFACT's): older steps are *defocused* to a line each, and a step that is
wanted again is *refocused* whole, by its number."""

from __future__ import annotations

from memory.state import PageNote, WalkMemory

LINES_AT_MOST = 12
"""Steps that get a line; of those before, only how many there were and which of them told something."""
TITLE_CHARS = 60
ANSWER_CHARS = 60


def defocus(memory: WalkMemory) -> str:
    """The steps so far, a line each: number, title, and what was found there or why the page was left. The current page, the
    last one read, is left out."""
    notes = memory.pages[:-1]
    older, recent = notes[:-LINES_AT_MOST], notes[-LINES_AT_MOST:]
    lines = [_line(note, memory) for note in older if _found_in(note.step, memory)]
    skipped = len(older) - len(lines)
    if skipped:
        lines.insert(0, f"({skipped})")
    return "\n".join((*lines, *(_line(note, memory) for note in recent)))


def refocus(memory: WalkMemory, step: int) -> str:
    """A step whole: its page, its findings with their quotes, and what of its text bore on the question. "" for a step
    that read no page."""
    note = next((note for note in reversed(memory.pages) if note.step == step), None)
    if note is None:
        return ""
    lines = [f"{step}. {note.title} {note.url}"]
    lines += [f"- {finding.text}: “{finding.quote}”" for finding in memory.findings if finding.step == step]
    if note.gist:
        lines.append(note.gist)
    return "\n".join(lines)


def _line(note: PageNote, memory: WalkMemory) -> str:
    found = _found_in(note.step, memory)
    kept = (
        "; ".join(text[:ANSWER_CHARS] for text in found) if found else (note.outcome if note.outcome != "read" else "-")
    )
    return f"{note.step}. {(note.title or note.url)[:TITLE_CHARS]}: {kept}"


def _found_in(step: int, memory: WalkMemory) -> tuple[str, ...]:
    return tuple(dict.fromkeys(finding.text for finding in memory.findings if finding.step == step))[:2]
