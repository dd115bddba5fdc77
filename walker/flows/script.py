"""The values of a flow script: its steps, how each finds its target, what it has to bring about, and the answer at the end."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal
from urllib.parse import quote_plus

import msgspec

FORMAT = "flow/1"
START = "start"
"""The variable that holds the address of the first page."""
_VARIABLE = re.compile(r"\{([a-z][a-z0-9_]*)\}")

LocatorKind = Literal["name", "text", "css", "address", "place"]
ActionKind = Literal["open", "follow", "click", "type", "scroll", "back"]
ACTIONS: tuple[ActionKind, ...] = ("open", "follow", "click", "type", "scroll", "back")


class Locator(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One way to find a link or a control on a page."""

    role: str = ""
    """ARIA role, for `name` and `place`."""
    name: str = ""
    """Its accessible name; a link's label."""
    under: str = ""
    """The heading or group that it stands under."""
    text: str = ""
    """Its name with the text around it, compared by likeness."""
    css: str = ""
    address: str = ""
    """Of a link: path and query, or the whole address of another site."""
    place: int = 0
    """Number, from 1, among those of its role under the same heading."""

    @property
    def kind(self) -> LocatorKind:
        """The way that it is."""
        return (
            "place" if self.place else next(kind for kind in ("name", "text", "css", "address") if getattr(self, kind))
        )


class Effect(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a step has to bring about; what is empty is not asked for."""

    url: str = ""
    """Pattern of the address, as in crawl scripts: of path and query on the script's site, or of a whole address."""
    heading: str = ""
    """A heading that the page has."""
    text: tuple[str, ...] = ()
    """Texts that can be seen on it."""


class Fingerprint(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a page was like."""

    title: str = ""
    headings: tuple[str, ...] = ()
    lines: str = ""
    """The smallest digests of its lines (MinHash), six hex digits each; "" for a page without words."""


class FlowStep(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """One step; exactly one of `ACTIONS` is set."""

    open: str = ""
    """An address: absolute, or from the start's site on."""
    follow: str = ""
    """A link, in words for people; `find` finds it."""
    click: str = ""
    """A control, likewise."""
    type: str = ""
    """A field, likewise, that `text` is typed into and submitted."""
    text: str = ""
    scroll: Literal["", "end"] = ""
    back: int = 0
    """Number of an earlier step, from 1, to whose page to go back."""
    find: tuple[Locator, ...] = ()
    expect: Effect = Effect()
    page: Fingerprint = Fingerprint()

    @property
    def action(self) -> ActionKind:
        """What it does. Raises `StopIteration` for a step that does nothing, which no script that was read has."""
        return next(kind for kind in ACTIONS if getattr(self, kind))

    @property
    def target(self) -> str:
        """What it does it to, for people."""
        return str(getattr(self, self.action))


class Variable(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A value that may be set for each play."""

    value: str = ""
    secret: bool = False
    """Has no value in the script, has to be set, and is hidden in recordings."""


class Passage(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """Where the answer, or a part of it, stood."""

    step: int
    """Number of the step whose page it stood on."""
    quote: str
    value: str = ""
    """The part of the quote that is in the answer, "" for none."""
    label: str = ""
    """Of a row or a definition: what it is about."""
    column: str = ""
    """Of a row: the header of the value's column."""
    before: str = ""
    """Of other text: the words before the value in its block,"""
    after: str = ""
    """and those behind it."""


class Listed(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What was counted on one page."""

    step: int
    names: tuple[str, ...]
    under: str = ""
    """The heading over the list."""
    some: bool = False
    """Only some of the list were wanted: others in it are no change."""


class Answer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What the walk answered, and where that stood."""

    value: str = ""
    passages: tuple[Passage, ...] = ()
    lists: tuple[Listed, ...] = ()


class FlowScript(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A whole script."""

    walker: Literal["flow/1"]
    start: str
    """Address of the first page; may be set as the variable `start`."""
    steps: tuple[FlowStep, ...]
    name: str = ""
    question: str = ""
    made_from: str = ""
    """Name of the run that it was exported from."""
    variables: dict[str, Variable] = {}
    answer: Answer = Answer()


def filled(text: str, values: Mapping[str, str], *, in_address: bool = False) -> str:
    """A text with the values of its variables, encoded as in a query where it is an address; other braces stay."""

    def value(match: re.Match[str]) -> str:
        found = values.get(match[1])
        return match[0] if found is None else quote_plus(found) if in_address and match[1] != START else found

    return _VARIABLE.sub(value, text)


msgspec.json.Decoder(FlowScript)  # described at import: docs/design/msgspec.md
