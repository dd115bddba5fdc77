"""An observation: a page as text under its headings, links, controls, records, figures and signals."""

from __future__ import annotations

from typing import Literal

import msgspec

from perception.page_pictures import PagePicture
from perception.picture_lines import PictureLines
from perception.snapshot import BlindRegion

Region = Literal["main", "nav", "header", "footer", "aside"]
BlockKind = Literal["heading", "paragraph", "item", "term", "definition", "row", "code", "quote", "caption"]
ControlKind = Literal["button", "text", "search", "select", "checkbox", "submit", "link", "password"]
ControlState = Literal["expanded", "collapsed", "checked", "selected", "unselected", "pressed", "disabled"]
"""`unselected`: a tab whose panel is not the one that is shown."""
RecordSetKind = Literal["table", "list", "definitions", "repeated"]


class Block(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One run of text that a reader sees as a unit, white space collapsed (kept in code).

    `headings` is the path from the page's top heading down to the nearest one above. A table row is one block whose
    cells are joined by " | ".
    """

    id: int
    kind: BlockKind
    text: str
    headings: tuple[str, ...] = ()
    region: Region = "main"
    level: int = 0
    """1 to 6 for a heading, else 0."""
    hidden: bool = False
    """Nobody sees it, and it is never shown to a model. With an `opener` it is text of a closed menu."""
    opener: str = ""
    """Of a closed tab, accordion or menu: the name of the visible control that opens it. A block that is not hidden
    has it too: it is text of the page, one press away."""
    anchor: str = ""
    """Nearest fragment identifier at or above the block, for a citation that leads to the place."""
    columns: tuple[str, ...] = ()
    """Of a row of a table with a header: the names of its columns, in the order of the cells."""
    pictured: bool = False
    """From OCR; `Observation.seen_text` contains it too."""
    depth: int = 0
    """Of an entry of a list, how many lists this one is nested in."""
    breaks: tuple[int, ...] = ()
    """Where the second and each further line of the text begins, of lines that the page breaks itself (`<br>`); no break stands in the
    text, and none in a row of a table."""

    @property
    def lines(self) -> tuple[str, ...]:
        """The text by the lines that the page breaks it into."""
        ends = (*self.breaks, len(self.text) + 1)
        return tuple(self.text[start : end - 1] for start, end in zip((0, *self.breaks), ends, strict=True))


class Place(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A range of characters of a block's text, `text[start:end]`; `block` is the block's id."""

    block: int
    start: int = 0
    end: int = 0


class Link(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A link of the page, numbered from 1 in document order; `url` is absolute and otherwise as the page wrote it."""

    id: int
    url: str
    label: str
    context: str = ""
    """Text around the link in its own block, without the label, at most 160 characters."""
    heading: str = ""
    region: Region = "main"
    rel: tuple[str, ...] = ()
    hidden: bool = False
    """Nobody sees it, and no visible control opens what it is in."""
    opener: str = ""
    """Of a link in a closed part (a menu, a drawer, a tab): the name of the visible control that opens it."""
    block: int = 0
    """Id of the block that it stands in, 0 for none (a picture alone in its box)."""
    start: int = 0
    end: int = 0
    """Its label in that block's text is `text[start:end]`; empty where the label is no text of the page, and the label's
    beginning where it goes on in the blocks below."""
    again: tuple[Place, ...] = ()
    """Where the same URL stands under the same label once more."""


class Control(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A button or form field; `selector` is a CSS path that finds it again on the live page. A name that several have says
    what each is about."""

    id: int
    kind: ControlKind
    name: str
    selector: str
    form_method: str = ""
    form_action: str = ""
    hidden: bool = False
    opener: str = ""
    """Of a control in a closed part: the name of the visible control that opens it."""
    state: tuple[ControlState, ...] = ()
    group: str = ""
    """The legend or label of the group around it, else the heading above it."""


class Field(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One cell of a record, under the name of its column, term or CSS class ("" where it has none)."""

    name: str
    value: str


class Record(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """One row, list item, definition or repeated sibling. `name` is what identifies it to a reader: the text of its
    first link, bold run, code or cell, else its beginning."""

    name: str
    text: str
    fields: tuple[Field, ...] = ()
    url: str = ""
    """Where its main link leads, absolute; "" where it has none."""
    first: int = 0
    """Id of the first block that is all its own; 0 for a record that shares its blocks, or has others nested in it."""
    last: int = 0
    """Id of the last of them."""


class RecordSet(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Adjacent records of one kind, in document order."""

    id: int
    kind: RecordSetKind
    records: tuple[Record, ...]
    columns: tuple[str, ...] = ()
    caption: str = ""
    """A table's caption, else the sentence that introduces the list ("" where there is none)."""
    headings: tuple[str, ...] = ()
    region: Region = "main"
    nested: bool = False
    """Nested in an item of another list."""


class Figure(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A picture, drawing, chart or video, with all text that the page gives for it."""

    id: int
    kind: Literal["img", "canvas", "svg", "video", "audio", "object"]
    url: str = ""
    alt: str = ""
    caption: str = ""
    label: str = ""
    """aria-label, title or labelling element."""
    heading: str = ""
    block: int = 0
    """Id of the block that it stands in or before, one more than that of the last block where none follows."""
    region: Region = "main"
    hidden: bool = False
    linked: bool = False
    """It stands in a link, whose number tells of it."""

    @property
    def is_described(self) -> bool:
        """Whether the page gives any text for it."""
        return bool(self.alt or self.caption or self.label)


class Pagination(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The page's place in a series of pages. `shown_*` and `total` come from texts such as "1-20 of 57"."""

    next_url: str = ""
    next_control: int = 0
    """Id of the control that loads more, 0 for none."""
    previous_url: str = ""
    page_urls: tuple[str, ...] = ()
    current: int = 0
    last: int = 0
    shown_from: int = 0
    shown_to: int = 0
    total: int = 0


class Signals(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Measured structure of the page: the inputs of the understanding score and of the viability check."""

    html_chars: int = 0
    text_chars: int = 0
    """Visible characters, white space collapsed."""
    meaningful_share: float = 0.0
    """Letters, digits, punctuation and spaces of any script, 0..1 of all visible characters."""
    content_chars: int = 0
    navigation_chars: int = 0
    paragraphs: int = 0
    headings: int = 0
    list_items: int = 0
    tables: int = 0
    interactive: int = 0
    links: int = 0
    images: int = 0
    scripts: int = 0
    password_fields: int = 0
    unnamed_media_area: float = 0.0
    """Share 0..1 of the page area (at most three viewports) covered by media that has no accessible name or caption."""
    media_area: float = 0.0
    video: bool = False
    challenge: bool = False
    """A CAPTCHA widget or an interstitial check, found by structure (known frames, scripts and form fields)."""
    empty_shell: bool = False
    """A JavaScript application's empty root: next to no text, scripts present."""
    unseen: tuple[str, ...] = ()
    """Texts that are rendered but invisible, at most five, each after the reason ("same colour: ..."): they may be meant for
    machines. Text that is not rendered, as in closed menus, does not count."""


class Observation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A parsed page: a pure function of a snapshot, `observe(snapshot)` in `perception.document.reading`."""

    url: str
    """Final URL of the snapshot."""
    status: int
    title: str = ""
    language: str = ""
    """BCP 47 primary tag in lower case ("en", "zh"), "" if unknown."""
    description: str = ""
    blocks: tuple[Block, ...] = ()
    links: tuple[Link, ...] = ()
    own: tuple[Place, ...] = ()
    """Where labels of links to the page itself stand."""
    controls: tuple[Control, ...] = ()
    record_sets: tuple[RecordSet, ...] = ()
    figures: tuple[Figure, ...] = ()
    pagination: Pagination = Pagination()
    signals: Signals = Signals()
    may_grow: bool = False
    """Scrolling may show more: its scripts listen to scroll events or watch what is in sight, it was not scrolled to its end yet, and
    it does not say that all of its list is there."""
    refresh_url: str = ""
    """Target of a meta refresh, absolute."""
    canonical_url: str = ""
    blind: tuple[BlindRegion, ...] = ()
    """Regions whose meaning the text does not carry."""
    described: tuple[BlindRegion, ...] = ()
    """Pictures that the page has words for, which may show more than these say."""
    pictures: tuple[PagePicture, ...] = ()
    """What a vision model can be shown: the whole page, its larger pictures, then each enlarged part; () for a page of text only."""
    seen_text: tuple[str, ...] = ()
    """Text that vision added: OCR lines, icon names, a vision model's words."""
    picture_lines: tuple[PictureLines, ...] = ()
    """What OCR read in its pictures, line by line, where each stands."""

    def link(self, number: int) -> Link | None:
        """The link with that number, or None."""
        return self.links[number - 1] if 1 <= number <= len(self.links) else None


msgspec.json.Decoder(Observation)  # described at import: docs/design/msgspec.md
