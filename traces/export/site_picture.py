"""Draws the site graph of a walk: its path from left to right, pages that were only linked to in grey."""

from __future__ import annotations

import io
import warnings
from collections import deque
from collections.abc import Sequence

import msgspec

SEEN_AT_MOST = 40
"""Most unvisited pages drawn in one column; more of them would be a grey bar."""
COLOURS = {"opened": "#2a6f97", "rejected": "#c77d1e", "failed": "#b3261e", "seen": "#c4c4c4"}


class DrawnPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page of the graph; `step` is 0 where it was not visited."""

    key: str
    label: str
    state: str
    step: int


def picture_of(pages: Sequence[DrawnPage], links: Sequence[tuple[str, str]], *, title: str) -> bytes:
    """A PNG. Columns are the number of links from the first page. Raises `ImportError` where matplotlib is not installed."""
    from matplotlib.figure import Figure  # noqa: PLC0415 - of an extra

    columns = _columns(pages, links)
    places = {
        page.key: (float(column), float(-row)) for column, drawn in enumerate(columns) for row, page in enumerate(drawn)
    }
    height = max((len(drawn) for drawn in columns), default=1)
    figure = Figure(figsize=(4 + 3.2 * max(1, len(columns)), 2 + 0.28 * height), dpi=110)
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set_title(title[:100], loc="left", fontsize=10)
    states = {page.key: page.state for page in pages}
    for source, target in links:
        if (
            source in places and target in places and places[source][0] < places[target][0]
        ):  # links back would hide the rest
            (x, y), (to_x, to_y) = places[source], places[target]
            taken = states[source] != "seen" and states[target] != "seen"
            axes.plot(
                [x, to_x], [y, to_y], color="#2a6f97" if taken else "#e3e3e3", linewidth=1.2 if taken else 0.5, zorder=1
            )
    for page in pages:
        if page.key in places:
            x, y = places[page.key]
            axes.scatter([x], [y], s=60 if page.step else 14, color=COLOURS[page.state], zorder=2)
            label = f"{page.step}  {page.label}" if page.step else page.label
            above = (0, 7) if page.step else (6, -2)
            size = 8 if page.step else 6
            axes.annotate(label[:48], (x, y), xytext=above, textcoords="offset points", fontsize=size)
    axes.margins(x=0.25, y=0.05)
    out = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # a title with glyphs that the font lacks is drawn as boxes
        figure.savefig(out, format="png", metadata={"Software": None})
    return out.getvalue()


def _columns(pages: Sequence[DrawnPage], links: Sequence[tuple[str, str]]) -> list[list[DrawnPage]]:
    """Pages by the fewest links from the first; visited ones first, in the order of the visit."""
    if not pages:
        return []
    onward: dict[str, list[str]] = {}
    for source, target in links:
        onward.setdefault(source, []).append(target)
    distance = {pages[0].key: 0}
    waiting = deque([pages[0].key])
    while waiting:
        key = waiting.popleft()
        for target in onward.get(key, ()):
            if target not in distance:
                distance[target] = distance[key] + 1
                waiting.append(target)
    columns: list[list[DrawnPage]] = [[] for _ in range(max(distance.values()) + 1)]
    for page in pages:
        if page.key in distance or page.step:
            columns[distance.get(page.key, 0)].append(page)
    return [_kept(column) for column in columns]


def _kept(column: list[DrawnPage]) -> list[DrawnPage]:
    visited = sorted((page for page in column if page.step), key=lambda page: page.step)
    return visited + [page for page in column if not page.step][:SEEN_AT_MOST]
