"""What lies beside what in a picture: labels of several lines, a label and its value, the neighbour on each side, trees."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Literal

import msgspec

from perception.geometry import Box, box_around
from perception.picture_lines import PlacedText

Side = Literal["right", "left", "below", "above"]

LABEL_GAP, LABEL_LINES = 0.7, 5
"""Line heights between two lines of one label, and its most lines: more are a paragraph or a list."""
ALIKE_HEIGHT = 0.66
"""Least ratio of the heights of two lines of one label."""
ALIGNED = 0.8
"""Line heights that the middles, or the left edges, of two lines of one label may be apart."""
IN_BAND = 0.5
"""Share of the smaller extent that two texts have in common where one lies beside the other."""
OFF_AXIS = 1.5
"""What a pixel off the axis counts beside one along it: of two texts below, the one in the middle is meant."""
OFF_LINE = 0.2
"""Share of the way between two texts that another may lie off it and still stand at the arrow."""
_DASHED = re.compile(r"([^\W\d_][^\s–—=]{0,30}(?: [^\s–—=-][^\s–—=]{0,20}){0,3}?) [-–—=] (\S.*)")
"""A label, a dash, and its value: "eth1 - 10.1.1.1"."""
_NUMBER = re.compile(r"[€$£~]? ?\d[\d.,]*(?: ?[%€$£]| [^\W\d]{1,3})?")
"""A number as it stands at the bar of a chart."""
STEP, TREE_GAP = 0.6, 3.0
"""Line heights that an entry of a tree is further in than the one above it, and most line heights from one to the next."""


class Label(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """One or more lines that are read as one text."""

    text: str
    box: Box
    lines: tuple[PlacedText, ...]


def label_of(line: PlacedText) -> Label:
    """A line that is read by itself."""
    return Label(text=line.text, box=line.box, lines=(line,))


class LabelledValue(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A text of a picture, and the one that says what it is."""

    label: str
    value: str
    by: Literal["line", "label", "row", "column", "bar", "tree"]
    """Both stand in one line, behind a colon or a dash; in one label, the value below; side by side; one above the other; as
    at the bar of a chart, the value above; or the value is what a tree has further in."""
    over: str = ""
    """Of a tree: the entries over the label."""


def labels_in(lines: Sequence[PlacedText]) -> tuple[Label, ...]:
    """The lines, those below each other put together where they are one label, from the top down."""
    groups: list[list[PlacedText]] = []
    for line in sorted(lines, key=lambda one: (one.box.y, one.box.x)):
        group = next((group for group in reversed(groups) if _goes_on(group, line, lines)), None)
        if group is None:
            groups.append([line])
        else:
            group.append(line)
    kept = [part for group in groups for part in ([group] if len(group) <= LABEL_LINES else [[one] for one in group])]
    return tuple(_label(group) for group in kept)


def neighbour(of: Box, labels: Sequence[Label], side: Side) -> Label | None:
    """The nearest label on one side of a box, None where there is none."""
    beside = [(far, one) for one in labels if (far := _distance(of, one.box, side)) is not None]
    return min(beside, key=lambda pair: pair[0])[1] if beside else None


def between(one: Box, other: Box, labels: Sequence[Label]) -> Label | None:
    """The label nearest to the line from one box to another, of those that lie between them."""
    ax, ay = one.center.x, one.center.y
    dx, dy = other.center.x - ax, other.center.y - ay
    length = (dx * dx + dy * dy) ** 0.5
    found = []
    for label in labels:
        if not length or label.box.overlap(one) or label.box.overlap(other):
            continue
        x, y = label.box.center.x - ax, label.box.center.y - ay
        along, off = (x * dx + y * dy) / length, abs(x * dy - y * dx) / length
        if 0 < along < length and off < OFF_LINE * length + 0.5 * label.box.height:
            found.append((off + 0.5 * abs(along - length / 2), label))
    return min(found, key=lambda pair: pair[0])[1] if found else None


def cell_at(head: PlacedText, row: PlacedText, lines: Sequence[PlacedText]) -> PlacedText | None:
    """The text of a table that stands below its head and in the row that another text names; None where there is none."""
    if (
        row.box.center.y < head.box.y + LABEL_GAP * head.box.height
        or _common(head.box.x, head.box.right, row.box.x, row.box.right) > 0
    ):
        return None
    found = [
        one
        for one in lines
        if one not in (head, row)
        and _common(row.box.y, row.box.bottom, one.box.y, one.box.bottom) >= IN_BAND
        and _common(head.box.x, head.box.right, one.box.x, one.box.right) >= IN_BAND
    ]
    return min(found, key=lambda one: abs(one.box.center.x - head.box.center.x), default=None)


def labelled_values(lines: Sequence[PlacedText]) -> tuple[LabelledValue, ...]:
    """Every text with the one that may say what it is, each pair once."""
    labels = labels_in(lines)
    found = (
        *_in_lines(lines),
        *_in_labels(labels),
        *_in_rows(lines, labels),
        *_in_columns(labels),
        *_at_bars(labels),
        *_in_trees(lines),
    )
    return tuple(dict.fromkeys(pair for pair in found if pair.label != pair.value))


def _label(group: Sequence[PlacedText]) -> Label:
    text = " ".join(one.text for one in group)
    return Label(text=text, box=box_around(one.box for one in group), lines=tuple(group))


def _goes_on(group: Sequence[PlacedText], line: PlacedText, lines: Sequence[PlacedText]) -> bool:
    """Whether a line continues a label: close below it, of its size, under its middle or its left edge, and not both
    cells of rows."""
    above = group[-1].box
    height, taller = sorted((above.height, line.box.height))
    if height < ALIKE_HEIGHT * taller or not -height < line.box.y - above.bottom < LABEL_GAP * height:
        return False
    if line.box.y - above.y < 0.5 * height:
        return False
    if group[-1].text.rstrip().endswith((":", "：")):
        return False
    is_aligned = min(abs(above.center.x - line.box.center.x), abs(above.x - line.box.x)) < ALIGNED * height
    return is_aligned and not all(any(_is_cell(box, one.box) for one in lines) for box in (above, line.box))


def _is_cell(one: Box, other: Box) -> bool:
    """Whether another text stands so near to the right or left that both are cells of a row."""
    apart = max(other.x - one.right, one.x - other.right)
    return _common(one.y, one.bottom, other.y, other.bottom) >= IN_BAND and 0 < apart < 2 * one.height


def _common(start: float, end: float, other_start: float, other_end: float) -> float:
    """What two extents have in common, as a share of the smaller."""
    shared = min(end, other_end) - max(start, other_start)
    return shared / max(1e-6, min(end - start, other_end - other_start))


def _distance(of: Box, box: Box, side: Side) -> float | None:
    """How far a box lies on one side of another; None for one that does not."""
    across = _common(of.x, of.right, box.x, box.right)
    down = _common(of.y, of.bottom, box.y, box.bottom)
    if side in ("right", "left"):
        gap = box.x - of.right if side == "right" else of.x - box.right
        is_there = down >= IN_BAND and gap > -IN_BAND * min(of.width, box.width)
        off = abs(box.center.y - of.center.y)
    else:
        gap = box.y - of.bottom if side == "below" else of.y - box.bottom
        is_there = across >= IN_BAND and gap > -IN_BAND * min(of.height, box.height)
        off = abs(box.center.x - of.center.x)
    return max(0.0, gap) + OFF_AXIS * off if is_there and box != of else None


def _in_lines(lines: Sequence[PlacedText]) -> Iterator[LabelledValue]:
    for line in lines:
        label, mark, value = line.text.replace("：", ":").partition(":")
        if mark and len(label.strip()) > 1 and len(value.strip()) > 0 and not label.strip()[-1].isdigit():
            yield LabelledValue(label=label.strip(), value=value.strip(), by="line")
        elif dashed := _DASHED.fullmatch(line.text.strip()):
            yield LabelledValue(label=dashed[1], value=dashed[2], by="line")


def _in_labels(labels: Sequence[Label]) -> Iterator[LabelledValue]:
    """Of a label of several lines each line below the first, named by those above it."""
    for label in labels:
        for at in range(1, len(label.lines)):
            above = " ".join(line.text for line in label.lines[:at])
            yield LabelledValue(label=above, value=label.lines[at].text, by="label")


def _in_rows(lines: Sequence[PlacedText], labels: Sequence[Label]) -> Iterator[LabelledValue]:
    single = [_label([line]) for line in lines]
    for one in (*single, *(label for label in labels if len(label.lines) > 1)):
        right = neighbour(one.box, single, "right")
        if right is not None:
            yield LabelledValue(label=one.text, value=right.text, by="row")


def _in_columns(labels: Sequence[Label]) -> Iterator[LabelledValue]:
    """Each label with the text below it, unless that is nearer to another one above."""
    for one in labels:
        below = neighbour(one.box, labels, "below")
        if below is not None and neighbour(below.box, labels, "above") == one:
            yield LabelledValue(label=one.text, value=below.text, by="column")


def _at_bars(labels: Sequence[Label]) -> Iterator[LabelledValue]:
    """Each name with the number that stands above it, unless something stands over that number which it may belong to."""
    for one in labels:
        above = neighbour(one.box, labels, "above") if not _NUMBER.fullmatch(one.text) else None
        if above is None or not _NUMBER.fullmatch(above.text) or neighbour(above.box, labels, "below") != one:
            continue
        over = neighbour(above.box, labels, "above")
        if over is None or above.box.y - over.box.bottom > one.box.y - above.box.bottom:
            yield LabelledValue(label=one.text, value=above.text, by="bar")


def _in_trees(lines: Sequence[PlacedText]) -> Iterator[LabelledValue]:
    """Entries of a tree that are further in than the one over them, all together, named by those over them."""
    order = sorted(lines, key=lambda one: one.box.y)
    over: dict[int, int] = {}
    open_ones: list[int] = []
    for at, line in enumerate(order):
        while open_ones and not _is_further_in(order[open_ones[-1]], line):
            open_ones.pop()
        if open_ones and line.box.y - order[at - 1].box.y < TREE_GAP * line.box.height:
            over[at] = open_ones[-1]
        open_ones.append(at)
    if len(set(over.values())) < 2:  # one entry with others below it is a heading
        return
    for parent in sorted(set(over.values())):
        inside = [order[at] for at, one in over.items() if one == parent]
        left = [one.box.x for one in inside]
        if len(inside) > 1 and max(left) - min(left) < STEP * inside[0].box.height:
            names: list[str] = []
            top = parent
            while top in over:
                top = over[top]
                names.insert(0, order[top].text)
            value = ", ".join(one.text for one in inside)
            yield LabelledValue(label=order[parent].text, value=value, by="tree", over=" ".join(names))


def _is_further_in(over: PlacedText, line: PlacedText) -> bool:
    return line.box.x - over.box.x > STEP * line.box.height
