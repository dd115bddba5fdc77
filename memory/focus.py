"""The part of a walk's memory that a model's prompt contains (the idea is ReFACT's): older steps are *defocused* to a line each, which
keeps the summary of a page where the walk makes summaries, and a step that is needed again is *refocused* in full, by its number."""

from __future__ import annotations

from itertools import groupby
from urllib.parse import unquote, urlsplit

from memory.state import MoveNote, PageNote, WalkMemory

_CAME = {
    "en": {"read": "nothing", "refused": "no connection", "empty": "no reply", "timeout": "did not come in time"},
    "zh": {"read": "无", "refused": "连接被关闭", "empty": "没有回复", "timeout": "未及时打开"},
}
"""What is told of a page without findings: that a server closed a connection is no rule's refusal."""
_HERE = {"en": "here: ", "zh": "本页："}
LINES_AT_MOST = 12
"""Steps that get a line; of those before, only their number and which of them had findings."""
TITLE_CHARS = 50
PATH_CHARS = 60
ANSWER_CHARS = 60
SUMMARY_CHARS = 800
"""Of a summary: five sentences of usual length."""
MOVES_AT_MOST = 8
"""Moves of one step that are told, the last ones."""
TOLD_AT_MOST = 8
"""Lines on what was refused of a reply."""


def defocus(memory: WalkMemory, language: str = "en") -> str:
    """The steps so far, a line each: number, title, what was found there or why the page was left, and what was done next; last
    what was done on the current page, if anything. What an old page gave nothing of is only counted. After going back the page that
    was left is a step like the others. `language`: of the prompt."""
    here = _left_for(memory)
    notes = memory.pages if here else memory.pages[:-1]
    older, recent = notes[:-LINES_AT_MOST], notes[-LINES_AT_MOST:]
    lines = [_line(note, memory, language) for note in older if _found_in(note.step, memory)]
    skipped = len(older) - len(lines)
    if skipped:
        lines.insert(0, f"({skipped})")
    for place, note in enumerate(recent, start=1):
        is_left = bool(here) and place == len(recent)
        lines.append(_line(note, memory, language, on=note.key if is_left else ""))
        if place == len(recent) and not is_left:
            lines += _told_of(note.step, memory)
    if memory.pages and (done := _done_from(memory.pages[-1].step, memory, on=here)):
        lines += [_HERE.get(language, _HERE["en"]) + done, *_told_of(memory.pages[-1].step, memory)]
    return "\n".join(lines)


def refocus(memory: WalkMemory, step: int) -> str:
    """A step in full: its page, its findings with their quotes, and its text: all of it where the walk summarised the page, else
    as it was shown. "" for a step that read no page."""
    note = next((note for note in reversed(memory.pages) if note.step == step), None)
    if note is None:
        return ""
    lines = [f"{step}. {name_of(note, memory)} {note.url}"]
    lines += [f"- {finding.text}: “{finding.quote}”" for finding in memory.findings if finding.step == step]
    if text := note.text or note.gist:
        lines.append(text)
    return "\n".join(lines)


def place_of(url: str) -> str:
    """A URL without its origin, as people write it; the route of an application belongs to it. "" for a page on a host that can never
    exist (RFC 6761, section 6.4): it was made for the walk, and its address tells nothing.

    >>> place_of("http://a/b%20c?d=e#f"), place_of("http://a/#/b"), place_of("https://a.invalid/b")
    ('/b c?d=e', '/#/b', '')
    """
    parts = urlsplit(url)
    if (parts.hostname or "").endswith(".invalid"):
        return ""
    query = f"?{parts.query}" if parts.query else ""
    route = f"#{parts.fragment}" if parts.fragment.startswith(("/", "!")) else ""
    return unquote(f"{parts.path}{query}{route}")


def name_of(note: PageNote, memory: WalkMemory) -> str:
    """A page's title; where another page has the same, its first heading."""
    shared = any(other.title == note.title and other.key != note.key for other in memory.pages)
    return note.heading or note.title if shared else note.title


def _left_for(memory: WalkMemory) -> str:
    """Key of the page on top of the stack, where it is not the one that was opened last; "" where it is."""
    top = memory.stack.top
    return top.key if top is not None and memory.pages and memory.pages[-1].key != top.key else ""


def _line(note: PageNote, memory: WalkMemory, language: str, *, on: str = "") -> str:
    kept = _kept_of(note, memory, language)
    done = _done_from(note.step, memory, on=on)
    name = name_of(note, memory)
    at = place_of(note.url)[-PATH_CHARS:]
    place = " ".join((name[:TITLE_CHARS], *((f"({at})",) if at else ()))) if name else note.url
    return f"{note.step}. {place}: {kept}" + (f" → {done}" if done else "")


def _kept_of(note: PageNote, memory: WalkMemory, language: str) -> str:
    """What a line keeps of a page: its summary, else the answers found there, else why there are none."""
    if note.summary:
        whole = " ".join(note.summary.split())
        return whole if len(whole) <= SUMMARY_CHARS else f"{whole[:SUMMARY_CHARS].rstrip()} …"
    if found := _found_in(note.step, memory):
        return "; ".join(text[:ANSWER_CHARS] for text in found)
    return _CAME.get(language, _CAME["en"]).get(note.outcome, note.outcome)


def _done_from(step: int, memory: WalkMemory, *, on: str = "") -> str:
    """What was done from this step on, before the next page was read, only `on` the page of this key if one is given; equal moves in a
    row are counted."""
    done = (move for move in _moves_from(step, memory) if on in ("", move.page))
    moves = [f"{move.what} ({move.outcome})" if move.outcome else move.what for move in done]
    runs = [(what, len(list(run))) for what, run in groupby(moves)]
    shown = [what if count == 1 else f"{what} x{count}" for what, count in runs]
    return "; ".join(shown[-MOVES_AT_MOST:])


def _moves_from(step: int, memory: WalkMemory) -> list[MoveNote]:
    until = min((note.step for note in memory.pages if note.step > step), default=memory.step + 1)
    return [move for move in memory.moves if step <= move.step < until]


def _told_of(step: int, memory: WalkMemory) -> list[str]:
    """What else is to be known of the outcomes of a step."""
    told = list(dict.fromkeys(line for move in _moves_from(step, memory) for line in move.told))
    more = [f"  and {len(told) - TOLD_AT_MOST} more"] if len(told) > TOLD_AT_MOST else []
    return [*(f"  {line}" for line in told[:TOLD_AT_MOST]), *more]


def _found_in(step: int, memory: WalkMemory) -> tuple[str, ...]:
    return tuple(dict.fromkeys(finding.text for finding in memory.findings if finding.step == step))[:2]
