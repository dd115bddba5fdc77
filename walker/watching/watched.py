"""What a check found, what changed since the one before, and a check as a line of the history."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

CheckState = Literal["first", "same", "changed", "failed"]
MOST_TOLD = 200
"""Entries of one kind of change that are kept: a line of the history is read whole."""


class WatchFound(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one check found; what a kind of check does not have is empty."""

    answer: str = ""
    nearest: str = ""
    """What was found where there is no answer that is sure; not compared."""
    items: tuple[str, ...] = ()
    """What was counted, or the records of a typed answer as JSON."""
    fields: dict[str, str] = {}
    """Of a typed answer, by path, as JSON; those that have a value."""
    urls: tuple[str, ...] = ()
    """What the answer cites."""
    pages: dict[str, int] = {}
    """Of a crawl: number of pages by what became of them."""
    trace: str = ""
    """Folder of the recorded run, or of the job."""


class FieldChange(msgspec.Struct, frozen=True, kw_only=True):
    """A value that is another; "" for none."""

    was: str
    now: str


class PageChange(msgspec.Struct, frozen=True, kw_only=True):
    """A page or an item of a crawl that is new, changed or gone."""

    url: str
    change: str
    title: str = ""


class Change(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is not as it was in the check before."""

    answer: FieldChange | None = None
    new_items: tuple[str, ...] = ()
    gone_items: tuple[str, ...] = ()
    fields: dict[str, FieldChange] = {}
    pages: tuple[PageChange, ...] = ()
    crawled_items: tuple[dict[str, Any], ...] = ()
    """Items of a crawl that are new, changed or gone, as the job has them."""
    left_out: int = 0
    """Entries beyond `MOST_TOLD`."""

    @property
    def is_none(self) -> bool:
        """Whether all is as it was."""
        return self == Change()

    @property
    def lines(self) -> tuple[str, ...]:
        """For people, the most important first."""
        lines = []
        if self.answer is not None:
            lines += [f"- {self.answer.was or '(no answer)'}", f"+ {self.answer.now or '(no answer)'}"]
        lines += [f"- {name}" for name in self.gone_items] + [f"+ {name}" for name in self.new_items]
        for path, one in self.fields.items():
            lines.append(f"{path}: {one.was or '(none)'} -> {one.now or '(none)'}")
        lines += [f"{one.change}: {one.url}{f'  {one.title}' if one.title else ''}" for one in self.pages]
        lines += [f"item {one.get('change', '')}: {_brief(one)}" for one in self.crawled_items]
        return (*lines, *([f"and {self.left_out} more"] if self.left_out else []))


class Check(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="check"):
    """One check, as the history has it."""

    number: int
    at: float
    """When it began, seconds since the epoch."""
    seconds: float
    state: CheckState
    found: WatchFound | None = None
    """None where it failed."""
    change: Change = Change()
    error: str = ""
    tells: tuple[str, ...] = ()
    """Who is to be told of the change: webhook, command."""
    repetition: int = 0
    """Of a crawl: which one of its job it was."""


class Told(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="told"):
    """That somebody was told of a change."""

    number: int
    by: str
    at: float
    detail: str = ""


class Watched(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, tag="watch"):
    """The first line of a history: what is watched."""

    id: str
    """Random, the beginning of the ids that receivers are given."""
    what: dict[str, str]


Entry = Watched | Check | Told


def changes_between(before: WatchFound, now: WatchFound) -> Change:
    """What is another in the answer, the items and the fields; case, white space and the order of items do not count."""
    was, became = {_form(one): one for one in before.items}, {_form(one): one for one in now.items}
    new = [name for form, name in became.items() if form not in was]
    gone = [name for form, name in was.items() if form not in became]
    # An answer that enumerates what was counted says the same as the items.
    differs = _form(before.answer) != _form(now.answer) and not (before.items and now.items and not new and not gone)
    return Change(
        answer=FieldChange(was=before.answer, now=now.answer) if differs else None,
        new_items=tuple(new[:MOST_TOLD]),
        gone_items=tuple(gone[:MOST_TOLD]),
        fields=_field_changes(before.fields, now.fields),
        left_out=max(0, len(new) - MOST_TOLD) + max(0, len(gone) - MOST_TOLD),
    )


def changes_of_crawl(pages: Sequence[Mapping[str, Any]], items: Sequence[Mapping[str, Any]]) -> Change:
    """What a repeated crawl said of its pages and items."""
    told = [one for one in pages if one.get("change") in ("new", "changed", "gone")]
    named = [one for one in items if one.get("change") in ("new", "changed", "gone")]
    return Change(
        pages=tuple(
            PageChange(url=str(one["url"]), change=str(one["change"]), title=str(one.get("title") or ""))
            for one in told[:MOST_TOLD]
        ),
        crawled_items=tuple(dict(one) for one in named[:MOST_TOLD]),
        left_out=max(0, len(told) - MOST_TOLD) + max(0, len(named) - MOST_TOLD),
    )


def _field_changes(before: Mapping[str, str], now: Mapping[str, str]) -> dict[str, FieldChange]:
    paths = [*before, *(path for path in now if path not in before)]
    return {
        path: FieldChange(was=before.get(path, ""), now=now.get(path, ""))
        for path in paths
        if _form(before.get(path, "")) != _form(now.get(path, ""))
    }


def _brief(item: Mapping[str, Any]) -> str:
    shown = [str(value) for name, value in item.items() if name not in ("change", "page_url") and value]
    return ", ".join(shown)[:160]


def _form(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).split()).casefold()


msgspec.json.Decoder(Entry)  # described at import: docs/design/msgspec.md
