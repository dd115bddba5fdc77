"""What a page states under labels: items of markup, groups of like things, and what it says once of the whole."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence

import msgspec

from perception.document.dom import Element, base_address
from perception.document.regions.card_shapes import shape_of, shapes_among
from perception.document.visible import visible_text
from perception.markup.head_data import read_head
from perception.markup.json_ld import read_json_ld
from perception.markup.microdata import read_items
from perception.markup.parts import Group, Part, StatedPage, Thing
from perception.markup.shown_parts import QUOTE_CHARS, ShownParts, read_shown
from perception.markup.shown_text import HEADINGS, is_unseen, text_shown, words_of_class

FEWEST = 2
"""Things of a group."""
NAME_CHARS = 120
"""Of a link that is the name of a card."""
_WORDS = re.compile(r"[^\W\d_]{2}")
LOOKED_BACK = 6
"""Elements before a group among which its heading is looked for."""
_WRITERS = frozenset(("author", "authors", "byline"))
"""Words of the class of what says who wrote something."""
_MEMBERS = frozenset(("li", "article", "div", "section", "a", "p", "dl", "tr", "figure", "details"))


def read_stated(root: Element, url: str) -> StatedPage:
    """Read a parsed page; pure, and the tree is not changed."""
    base = base_address(root, url)
    things = (*read_json_ld(root, base), *read_items(root, base))
    shown = read_shown(root, base)
    tables = [(table, group) for table in root.iter("table") if (group := _table(table, shown)) is not None]
    alike = [members for _, members in _repeated(shown, lambda siblings: [shape_of(classes) for classes in siblings])]
    whole = Thing(parts=(*read_head(root, base), *_said_once(shown, alike)), source="text")
    groups = (
        *_groups_of_items(things),
        *(group for _, group in tables),
        *(_cards(members, shape, shown) for shape, members in _repeated(shown, shapes_among) if members[0].tag != "tr"),
    )
    return StatedPage(whole=whole, things=things, groups=groups)


def _groups_of_items(things: tuple[Thing, ...]) -> Iterator[Group]:
    """Items of markup of one type and syntax."""
    by_kind: dict[tuple[str, ...], list[Thing]] = {}
    for thing in things:
        by_kind.setdefault((thing.source, *thing.kinds), []).append(thing)
    for kinds, alike in by_kind.items():
        yield Group(things=tuple(alike), label=" ".join(kinds[1:]), shape=" ".join(kinds), source=alike[0].source)


def _repeated(
    shown: ShownParts, shapes_of: Callable[[Sequence[str]], Sequence[str]]
) -> Iterator[tuple[str, list[Element]]]:
    """Siblings of one tag and shape that hold parts, with their shape; `shapes_of` says those of siblings by their classes."""
    for parent in shown.ranges:
        by_tag: dict[str, list[Element]] = {}
        for child in parent:
            first, last = shown.ranges.get(child, (0, 0))
            if child.tag in _MEMBERS and last > first:
                by_tag.setdefault(child.tag, []).append(child)
        for tag, children in by_tag.items():
            alike: dict[str, list[Element]] = {}
            for child, shape in zip(children, shapes_of([child.get("class") or "" for child in children]), strict=True):
                alike.setdefault(f"{tag} {shape}".strip(), []).append(child)
            yield from ((shape, members) for shape, members in alike.items() if len(members) >= FEWEST)


def _said_once(shown: ShownParts, repeated: list[list[Element]]) -> list[Part]:
    """The parts but those whose label several members of one group have: the price of each related product is none of the page's."""
    left_out: set[int] = set()
    for members in repeated:
        counts: Counter[str] = Counter()
        for member in members:
            first, last = shown.ranges[member]
            counts.update({part.label.casefold() for part in shown.parts[first:last]})
        for member in members:
            first, last = shown.ranges[member]
            left_out.update(place for place in range(first, last) if counts[shown.parts[place].label.casefold()] > 1)
    return [part for place, part in enumerate(shown.parts) if place not in left_out and part.label]


def _table(table: Element, shown: ShownParts) -> Group | None:
    """The rows of a table with a header as things, None for any other table."""
    if table not in shown.ranges or table.find(".//table") is not None:
        return None
    rows = [row for row in table.iter("tr") if not is_unseen(row)]
    if len(rows) < FEWEST:
        return None
    heads = [cell for cell in rows[0] if cell.tag in ("th", "td")]
    is_head = all(cell.tag == "th" for cell in heads) or rows[0].getparent().tag == "thead"
    if len(heads) < 2 or not is_head or any(cell.get("colspan", "1") != "1" for cell in heads):
        return None
    columns = [text_shown(cell) for cell in heads]
    things = [thing for row in rows[1:] if (thing := _row(row, columns, shown)) is not None]
    caption = table.find("caption")
    label = text_shown(caption) if caption is not None else _heading_above(table)
    return Group(things=tuple(things), label=label, shape=" | ".join(columns), source="table") if things else None


def _row(row: Element, columns: list[str], shown: ShownParts) -> Thing | None:
    cells = [cell for cell in row if cell.tag in ("td", "th")]
    if len(cells) != len(columns) or all(cell.tag == "th" for cell in cells):
        return None
    texts = [text_shown(cell) for cell in cells]
    whole = " | ".join(texts)
    parts: list[Part] = []
    for column, cell, text in zip(columns, cells, texts, strict=True):
        if not text:
            continue
        held = shown.within(cell)
        url = next((part.url for part in held if part.url and part.source == "link"), "")
        machine = next((part.machine for part in held if part.machine), "")
        quote = whole if len(whole) <= QUOTE_CHARS else text
        parts.append(Part(label=column, text=text, quote=quote, source="table", url=url, machine=machine))
        parts += [part for part in held if part.source in ("picture", "link")]
    name = next((text for text in texts if text and not text.strip("#.").isdigit()), "")
    return Thing(parts=tuple(parts), name=name, source="table") if parts else None


def _cards(members: list[Element], shape: str, shown: ShownParts) -> Group:
    things = tuple(_card(member, shown) for member in members)
    first = members[0]
    label = _heading_above(first) or " ".join(words_of_class(first.getparent()))
    return Group(things=things, label=label, shape=shape, source="list" if first.tag == "li" else "text")


def _card(member: Element, shown: ShownParts) -> Thing:
    parts = shown.within(member)
    named = _name_of(member, parts)
    link = next((part for part in parts if part.source == "link" and part.url and part.quote), None)
    leads = named.url if named is not None and named.url else link.url if link is not None else ""
    own = [named] if named is not None else []
    if leads:
        own.append(Part(label="url", text=leads, quote=own[0].quote if own else "", source="link", url=leads))
    return Thing(parts=(*own, *parts), name=named.text if named is not None else "", source="text")


def _name_of(member: Element, parts: tuple[Part, ...]) -> Part | None:
    """What a card is called: its heading that leads somewhere, else its first heading of words, link or strong text; in full, where a
    link's title says what its text leaves out."""
    headings = [part for part in parts if part.source == "heading" and _WORDS.search(part.text)]
    links = [
        part for part in parts if part.source == "link" and part.url and part.quote and len(part.text) <= NAME_CHARS
    ]
    names = [part for part in headings if part.url] or headings or _own_first(member, links)
    chosen = names[0] if names else None
    if chosen is None:
        strong = next((text for element in member.iter("strong", "b") if (text := text_shown(element))), "")
        is_label = not strong or strong.endswith((":", "："))
        return None if is_label else Part(label="name", text=strong, quote=strong, source="heading")
    for title in (title for link in member.iter("a") if (title := visible_text(link.get("title") or ""))):
        if len(title) > len(chosen.text) and title.startswith(chosen.text.rstrip(" .…")):
            return msgspec.structs.replace(chosen, label="name", text=title, quote=f'title="{title}"', source="title")
    return msgspec.structs.replace(chosen, label="name", source="heading")


def _own_first(member: Element, links: list[Part]) -> list[Part]:
    """The links of a card without the names before its own: who wrote it stands before the title in lists of publications. A link
    is its own name where it says more than they do; else they may be what the card is about."""
    if not links:
        return links
    writers = {text_shown(link) for link in member.iter("a") if _names_writer(link, member)}
    if links[0].text not in writers:
        return links
    own = [part for part in links if part.text not in writers and len(part.text) > len(links[0].text)]
    return own or links


def _names_writer(link: Element, member: Element) -> bool:
    for around in (link, *link.iterancestors()):
        if around is member:
            return False
        if _WRITERS & {word for name in words_of_class(around) for word in name.split()}:
            return True
    return False


def _heading_above(element: Element) -> str:
    """The heading just before an element or before one around it."""
    for _ in range(3):
        for count, before in enumerate(element.itersiblings(preceding=True)):
            if before.tag in HEADINGS:
                return text_shown(before)
            if count >= LOOKED_BACK:
                break
        element = element.getparent()
        if element is None:
            return ""
    return ""
