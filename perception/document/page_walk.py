"""One pass over the tree: every run of text, and which element, heading, region and record it belongs to.

Text goes into one list of fragments; blocks, links and records are ranges of it. That keeps the pass linear, however
deep elements nest, and quotes verbatim.
"""

from __future__ import annotations

from lxml import etree

from perception.document import tags
from perception.document.controls.control_reading import is_control
from perception.document.controls.icon_names import stated_name, value_of, values_in
from perception.document.controls.openers import find_openers
from perception.document.controls.option_links import leading_options
from perception.document.controls.value_icons import find_value_icons
from perception.document.dom import Element, code_in, raised_text, stands_apart
from perception.document.link_places import leads_to_its_heading, moves_on, place_code_labels, place_labels
from perception.document.page_text import LINE_BREAK, Mark, PageText, Span, line_starts, outline_of
from perception.document.regions.card_shapes import CARD_TAGS, ROW_CHARS, shape_of
from perception.document.regions.regions import LANDMARKS, region_of
from perception.document.regions.strips import mark_strips
from perception.document.regions.tables import is_data_table
from perception.document.tags import HEADINGS, KINDS, PERMALINK, PERMALINK_TEXTS
from perception.observation import Block, BlockKind, Region

BLOCKS_AT_MOST = 20_000
"""Far more than a reader takes in; a page of ten megabytes stays a matter of seconds."""

_MARKED = {"a": "a", "b": "b", "strong": "strong", "code": "code", "tt": "code"}
_TRANSPARENT = frozenset(
    "span em i u small sub sup cite font abbr q var kbd samp time mark label ins del big s dfn bdi".split()
)
_PLACES = frozenset((*HEADINGS, "dt", "a"))
"""Tags whose identifiers stand for all that follows."""
_ICON_TAGS = frozenset(("img", "svg"))
_VALUES = frozenset(("td", "dd"))
_ENTRY_ROLES = frozenset(("listitem", "row"))
_ARTICLES = ("article", "main", "section")
_OUTSIDE = Span(None, "", 0, "main", hidden=False)


class PageWalk:
    """Reads a body element once, in document order."""

    def __init__(self) -> None:
        self.page = PageText()
        self._open: list[Span] = []
        self._outlines: dict[Region, list[tuple[int, str]]] = {}
        self._paths: dict[Region, tuple[str, ...]] = {}
        self._block_start = 0
        self._pre = 0
        self._rows = 0
        self._anchor = self._passed_id = ""
        """Where the nearest heading stands, and the last identifier that was passed since the last block."""
        self._pending: list[Mark] = []
        self._openers = self.page.openers
        self._icon: tuple[int, str] = (0, "")
        """The last icon that may be the value of a label, by a name that is guessed, with the number of fragments before it."""
        self._value_icons: dict[Element, str] = {}
        self._said: list[str] = []
        """What icons of the entry under way say, until its text is complete."""

    def read(self, body: Element) -> PageText:
        """Walk the element; the result is complete when this returns."""
        self._openers.update(find_openers(body))
        self._value_icons = find_value_icons(body)
        walker = etree.iterwalk(body, events=("start", "end"))
        for event, element in walker:
            tag = element.tag
            if event == "end":
                self._end(element, tag)
            elif not isinstance(tag, str):
                walker.skip_subtree()
            elif self._is_skipped(element, tag):
                walker.skip_subtree()
                self._open.append(Span(element, "", 0, "main", hidden=False))
            elif tag in _TRANSPARENT and self._open and self._pass_through(element):
                continue
            else:
                self._start(element, tag)
                if tag == "pre" and self._take_code(element):
                    walker.skip_subtree()
            if len(self.page.blocks) >= BLOCKS_AT_MOST:
                break
        self._flush()
        for mark in self._pending:
            mark.end = len(self.page.fragments)
        mark_strips(self.page)
        return self.page

    def _is_skipped(self, element: Element, tag: str) -> bool:
        counts = self.page.counts
        counts[tag] = counts.get(tag, 0) + 1
        if tag in tags.CONTROL_TAGS:
            self.page.controls.append((element, self._heading()))
            if tag == "select":
                self._take_options(element)
            return True
        if tag in tags.FIGURE_TAGS:
            self.page.add_figure(element, self._heading(), self._open[-1] if self._open else _OUTSIDE)
            if tag in _ICON_TAGS:
                self._pass_icon(element)
            return True
        if tag in tags.SKIPPED:
            # What a browser attaches to the element around it as a shadow root is text of the page.
            return tag != "template" or not element.get("shadowrootmode")
        if tag == "a":
            if PERMALINK.search(element.get("class") or ""):
                return True
            if len(element) == 0 and (element.text or "").strip() in PERMALINK_TEXTS - {""}:
                return True
            return (element.get("href") or "").startswith("#") and leads_to_its_heading(element)
        return False

    def _take_options(self, select: Element) -> None:
        """Note the pages that a select leads to; they stand in no text."""
        inside = self._open[-1] if self._open else _OUTSIDE
        is_unseen = "data-walker-hidden" in select.keys() or "hidden" in select.keys()  # noqa: SIM118 - of an element
        place = len(self.page.fragments)
        for option in leading_options(select):
            span = Span(option, "option", place, inside.region, inside.hidden or is_unseen, inside.opener)
            self.page.marks.append(Mark("a", place, place, element=option, span=span))

    def _start(self, element: Element, tag: str) -> None:
        # The list of names: asking an element for an attribute takes ten times as long as looking there.
        has = element.keys()
        parent = self._open[-1] if self._open else _OUTSIDE
        is_block = tag in tags.BLOCKS or tag == "template"
        hidden, opener, region, name, names, role = parent.hidden, parent.opener, parent.region, "", "", ""
        if (has and ("data-walker-hidden" in has or "hidden" in has)) or (
            self._openers and (tag == "summary" or element in self._openers)
        ):
            hidden, opener = self._closed_by(element, parent)
            is_block = True
        if has:
            name = element.get("id") or "" if "id" in has else ""
            classes = element.get("class") or "" if "class" in has else ""
            names = f"{name} {classes}" if name and classes else name or classes
            role = element.get("role") or "" if "role" in has else ""
        if (has or tag == "summary") and is_control(element, tag, has, role):
            self.page.controls.append((element, self._heading()))
        if is_block and (has or tag in LANDMARKS or (tag == "td" and not self._rows)):
            region = region_of(element, role, names, region, in_article=parent.inside_article)
        # Before its own heading is known: that is the name of one card, not of all.
        above = self._path(region) if tag in CARD_TAGS else ()
        place = len(self.page.fragments)
        span = Span(element, tag, place, region, hidden, opener, names=names, id=name, breaks=is_block, headings=above)
        span.first_block = self._next_block() if tag == "a" else 0
        span.inside_article = parent.inside_article or tag in _ARTICLES or role == "main"
        if is_block:
            self._break(tag)
            span.start = len(self.page.fragments)
            self._open_block(span, tag)
        elif tag == "br":
            self.page.fragments.append("\n" if self._pre else LINE_BREAK)
        if has and (name or tag == "a"):
            self._note_anchor(span, name or element.get("name") or "")
        if tag in _MARKED:
            self._mark(_MARKED[tag], span)
        self._open.append(span)
        if element.text:
            self.page.fragments.append(element.text)

    def _next_block(self) -> int:
        """Index of the block that begins here, -1 within one."""
        return -1 if "".join(self.page.fragments[self._block_start :]).strip() else len(self.page.blocks)

    def _note_anchor(self, span: Span, name: str) -> None:
        """Note an identifier that leads to what follows: of a heading, a term or a named place; one of another element counts where a
        heading begins it. Those of menus lead to no text."""
        if not name or outline_of(span.region) != "main":
            return
        is_place = span.tag in _PLACES or any(above.tag in HEADINGS for above in self._open[-2:])
        self._anchor, self._passed_id = (name, "") if is_place else (self._anchor, name)

    def _closed_by(self, element: Element, parent: Span) -> tuple[bool, str]:
        """Whether nobody sees an element, and what opens the closed part that it is in."""
        if element.tag == "summary" and parent.tag == "details" and len(self._open) > 1:
            return self._open[-2].hidden, self._open[-2].opener
        why = element.get("data-walker-hidden")
        is_marked = why is not None or element.get("hidden") is not None
        known = self._openers.get(element) if self._openers and not parent.opener else None
        if known is not None:
            return parent.hidden or (is_marked and not known.shows_text), known.name
        is_in_details = parent.tag == "details" and parent.opener and not why
        if is_in_details or not is_marked:
            return parent.hidden, parent.opener
        return True, parent.opener if parent.hidden else ""

    def _pass_through(self, element: Element) -> bool:
        """Whether an inline element only styles its text and so is treated as part of its parent, as two of three elements of
        a page are. The parent is then pushed on the stack again in its place."""
        has = element.keys()
        if has:
            is_icon = not element.text and len(element) == 0 and (element.tag == "i" or element in self._value_icons)
            if is_icon and "data-walker-hidden" not in has and "hidden" not in has:
                self._pass_icon(element)
            if "data-walker-hidden" in has or "hidden" in has or "role" in has:
                return False
            if "id" in has and self._open[-1].tag in HEADINGS:
                self._note_anchor(self._open[-1], element.get("id") or "")
        if not self._pre and self._open[-1].tag != "code" and stands_apart(element):
            self.page.fragments.append(" ")
        self._open.append(self._open[-1])
        if element.tag == "sup":
            self.page.fragments.append(raised_text(element, self.page.fragments))
        elif element.text:
            self.page.fragments.append(element.text)
        return True

    def _pass_icon(self, icon: Element) -> None:
        """Take an icon that follows a label or tells entries apart; any other says nothing."""
        if self._follows_label():
            self._take_value(icon)
        elif (said := self._value_icons.get(icon)) and self._open and not self._open[-1].hidden:
            self._said.append(said)

    def _follows_label(self) -> bool:
        """Whether the text before this place is a label that waits for its value ("Type:")."""
        if not self._open or self._open[-1].hidden:
            return False
        return self.page.ends_with_label

    def _take_value(self, picture: Element) -> None:
        """Read a picture as the value of a label; a name that is only guessed counts where no text follows."""
        if stated := stated_name(picture):
            self.page.fragments.append(f" {stated} ")
        else:
            self._icon = (len(self.page.fragments), value_of(picture))

    def _take_values(self, cell: Span) -> None:
        """Read the pictures of a cell or a definition without a text."""
        fragments = self.page.fragments
        if all(not text or text.isspace() for text in fragments[cell.start :]) and (said := values_in(cell.element)):
            fragments.append(said)
            self._icon = (0, "")
            self._said = []
        self._say_icons()

    def _say_icons(self) -> None:
        """Write what the icons of an entry say behind its text: a name is to begin it."""
        if self._said:
            self.page.fragments.append(f" {', '.join(dict.fromkeys(self._said))}")
            self._said = []

    def _take_icon(self) -> None:
        """Read the icons that were passed: one that follows a label if nothing was written since, and those of the entry."""
        if self._icon[1]:
            (place, name), self._icon = self._icon, (0, "")
            if not "".join(self.page.fragments[place:]).strip():
                self.page.fragments.append(f" {name}")
        self._say_icons()

    def _take_code(self, element: Element) -> bool:
        """Read a code element without links as one run: syntax highlighting splits it into hundreds of meaningless spans."""
        if element.find(".//a[@href]") is not None:
            return False
        self.page.fragments.append(code_in(element)[len(element.text or "") :])
        return True

    def _open_block(self, span: Span, tag: str) -> None:
        span.first_block = len(self.page.blocks)
        if tag == "pre":
            self._pre += 1
        elif tag in ("ul", "ol", "dl") or (tag == "table" and is_data_table(span.element)):
            span.children = []
            span.within = (self._open[-1].tag, self._open[-1].start) if self._open else span.within
            span.headings = self._path(span.region)
            span.before = self.page.introduction(span.headings)
            if tag == "table":
                self._rows += 1
        elif tag in HEADINGS:
            self._mark("heading", span)

    def _end(self, element: Element, tag: str) -> None:
        if not self._open:
            return
        span = self._open.pop()
        if span.element is not element:
            if element.tail:
                self.page.fragments.append(element.tail)
            return
        if tag in _VALUES and len(element) and not span.hidden:
            self._take_values(span)
        span.end = len(self.page.fragments)
        if span.tag:
            self._close(span, tag)
        if element.tail and self._open:
            self.page.fragments.append(element.tail)

    def _close(self, span: Span, tag: str) -> None:
        page = self.page
        if tag in _MARKED or tag in HEADINGS:
            self._close_mark(span.element)
        if tag in ("td", "th") and self._rows:
            page.fragments.append(" | ")
        if span.breaks:
            self._break(tag, span)
        if tag == "pre":
            self._pre -= 1
        if tag in tags.RECORD_PARTS:
            span.last_block = len(page.blocks)
            self._add_to_list(span)
        if span.children is not None:
            self._close_list(span, tag)
        if tag in CARD_TAGS and self._open:
            self._add_card_candidate(span, tag)
        if span.groups:
            page.card_groups += [(span, group) for group in span.groups.values() if len(group) >= 3]
        if tag in HEADINGS or self._is_title(span, tag):
            self._enter_heading(span, HEADINGS.get(tag, 1))

    def _close_list(self, span: Span, tag: str) -> None:
        if tag == "table":
            self._rows -= 1
        span.last_block = len(self.page.blocks)
        self.page.lists.append(span)
        self._note_nested_list(span)

    def _note_nested_list(self, inner: Span) -> None:
        for above in reversed(self._open):
            if above.tag in ("li", "dd"):
                above.list_start = above.list_start or inner.start
                inner.nested = True
                return

    def _add_to_list(self, span: Span) -> None:
        if span.tag == "tr" and not self._rows and self._open:
            self._add_layout_row(span)
        for above in reversed(self._open):
            if span.tag in ("td", "th"):
                if above.tag == "tr":
                    if above.children is None:
                        above.children = []
                    above.children.append(span)
                    return
            elif above.children is not None and above.tag != "tr":
                above.children.append(span)
                return

    def _add_card_candidate(self, span: Span, tag: str) -> None:
        role = span.element.get("role") or ""
        if role in _ENTRY_ROLES and span.element.find(".//*[@role='columnheader']") is None:
            self._group(span, (tag, role))
        elif tag == "article" or (span.names and shape_of(span.element.get("class") or "")):
            self._group(span, (tag, "" if tag == "article" else shape_of(span.element.get("class") or "")))

    def _add_layout_row(self, row: Span) -> None:
        """A short row of a table that lays out a page is like a card: values beside their label."""
        if len(row.children or ()) > 1 and len(self.page.text(row.start, row.end)) <= ROW_CHARS:
            row.headings = row.headings or self._path(row.region)
            self._group(row, ("tr", ""))

    def _group(self, span: Span, shape: tuple[str, str]) -> None:
        parent = self._open[-1]
        if parent.groups is None:
            parent.groups = {}
        span.last_block = len(self.page.blocks)
        parent.groups.setdefault(shape, []).append(span)

    def _mark(self, kind: str, span: Span) -> None:
        mark = Mark(kind, len(self.page.fragments), element=span.element, span=span)
        self.page.marks.append(mark)
        self._pending.append(mark)

    def _close_mark(self, element: Element) -> None:
        for mark in reversed(self._pending):
            if mark.element is element:
                mark.end = len(self.page.fragments)
                return

    def _break(self, tag: str, span: Span | None = None) -> None:
        """Begin or end a block; inside a row of a data table, only separate the words."""
        if self._rows and tag not in ("tr", "table", "caption"):
            self.page.fragments.append(" ")
        else:
            self._flush(span)

    def _flush(self, closing: Span | None = None) -> None:
        page = self.page
        self._take_icon()
        start, end = self._block_start, len(page.fragments)
        raw = "".join(page.fragments[start:end])
        if raw and not raw[-1].isspace():
            # Belongs to no block: keeps the words of adjacent blocks apart in the text of their common parent.
            page.fragments.append(" ")
        self._block_start = len(page.fragments)
        text = raw.strip("\r\n").rstrip() if self._pre else " ".join(raw.split())
        text = text.removesuffix(" |").rstrip()
        if not text or text in PERMALINK_TEXTS:
            return
        owner = self._owner(closing)
        inmost = closing or (self._open[-1] if self._open else None)
        kind: BlockKind = KINDS.get(owner.tag, "paragraph") if owner else "paragraph"
        number = len(page.blocks) + 1
        level = HEADINGS.get(owner.tag, 0) if owner else 0
        region: Region = owner.region if owner else "main"
        above = self._path(region)
        if level:
            above = tuple(title for depth, title in self._outlines.get(outline_of(region), ()) if depth < level)
        page.blocks.append(
            Block(
                id=number,
                kind=kind,
                text=text,
                headings=above,
                region=region,
                level=level,
                hidden=inmost.hidden if inmost else False,
                opener=inmost.opener if inmost else "",
                anchor=self._anchor_of(owner, region, level),
                depth=page.nesting(self._open) if kind == "item" else 0,
                breaks=self._breaks_of(raw, kind, text),
            )
        )
        if self._pending:
            self._place_marks(number, (start, end), is_heading=level > 0)

    def _breaks_of(self, raw: str, kind: BlockKind, text: str) -> tuple[int, ...]:
        """Where further lines of a block's text begin. Preformatted text has line feeds, and the sign of a break only as its own."""
        if LINE_BREAK not in raw or kind == "row" or self._pre:
            return ()
        # A bar that ends the text is cut off, and may have been a line.
        return tuple(start for start in line_starts(raw) if start < len(text))

    def _anchor_of(self, owner: Span | None, region: Region, level: int) -> str:
        """Its own identifier, else that of the nearest heading at or above it."""
        own = owner.id if owner is not None and (owner.tag in KINDS or owner.tag == "p") else ""
        if outline_of(region) != "main":
            return own
        if level and self._passed_id:
            self._anchor = own or self._passed_id
        self._passed_id = ""
        return own or self._anchor

    def _place_marks(self, number: int, fragments: tuple[int, int], *, is_heading: bool) -> None:
        """Note the block of the marks that have begun in it; a link around several blocks, such as a card, stands at its heading."""
        links: list[Mark] = []
        still_open: list[Mark] = []
        for mark in self._pending:
            if (not mark.block or moves_on(mark, self.page.blocks, is_heading=is_heading)) and (
                mark.end >= 0 or mark.start < fragments[1]
            ):
                mark.block = number
                if mark.kind == "a":
                    links.append(mark)
            if mark.end < 0:
                still_open.append(mark)
        self._pending = still_open
        if links and not self._pre:
            place_labels(links, self.page.fragments, fragments)
        elif links:
            place_code_labels(links, self.page.fragments, fragments)

    def _owner(self, closing: Span | None) -> Span | None:
        """The innermost open block: what the text that ends here belongs to."""
        if closing is not None and (closing.tag in KINDS or not self._open):
            return closing
        innermost: Span | None = closing
        for span in reversed(self._open):
            if not span.tag or not span.breaks:
                continue
            innermost = innermost or span
            if span.tag in KINDS:
                return span if span.tag != "tr" else innermost
            if span.tag in ("div", "section", "article", "table", "td", "body", "ul", "ol", "dl"):
                break
        return innermost

    def _heading(self) -> str:
        """The heading above the place that is being read."""
        path = self._path(self._open[-1].region) if self._open else ()
        return path[-1] if path else ""

    def _path(self, region: Region) -> tuple[str, ...]:
        return self._paths.get(outline_of(region), ())

    def _is_title(self, span: Span, tag: str) -> bool:
        """Whether an element is the page's title by its class only, as on pages without heading elements."""
        if tag != "div" or self._paths.get("main") or not span.names or self._rows:
            return False
        return any(name in ("fancy_title", "page-title", "title", "entry-title") for name in span.names.split())

    def _enter_heading(self, span: Span, level: int) -> None:
        if span.hidden:
            return
        text = self.page.text(span.start, span.end)
        if not text:
            return
        region = outline_of(span.region)
        outline = self._outlines.setdefault(region, [])
        while outline and outline[-1][0] >= level:
            outline.pop()
        outline.append((level, text))
        self._paths[region] = tuple(title for _, title in outline)
