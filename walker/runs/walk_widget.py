"""A recorded walk in a notebook: the page of the viewer in a frame of its own."""

from __future__ import annotations

import base64
import html
from pathlib import Path

from traces.errors import TraceReadError
from traces.viewer.export import whole_page
from traces.viewer.library import Library
from walker.errors import UsageError
from walker.runs.viewer_tools import WalkTools

HEIGHT = 640
MOST_BYTES = 24 << 20
"""Of a page that is put into a notebook; browsers take more, and notebooks are kept in one file each."""


class WalkWidget:
    """Shows a recorded walk, or two beside each other, as the value of a cell: steps, pages, what was read, chosen and refused.

    The page is in the notebook as a whole, and loads nothing. Its frame has no address, and may not reach the notebook: what is shown
    there was written by sites.
    """

    def __init__(self, *runs: Path | str, height: int = HEIGHT) -> None:
        """`runs` as `Outcome.trace` names them, the `height` in pixels. Raises `UsageError` where there is no run."""
        try:
            self._library = Library(*map(Path, runs), tools=WalkTools())
        except TraceReadError as error:
            raise UsageError(error.what, where=error.where, advice="Name a run, as outcome.trace does") from None
        self._runs, self._height = tuple(map(str, runs)), height

    def __repr__(self) -> str:
        """Where nothing can be drawn."""
        return f"WalkWidget({', '.join(map(repr, self._runs))})"

    def _repr_html_(self) -> str:
        """As a notebook shows it."""
        page = whole_page(self._library).encode()
        if len(page) > MOST_BYTES:
            told = f"This walk has {len(page) >> 20} MB, too much for a notebook. See it with: walker view {' '.join(self._runs)}"
            return f"<p>{html.escape(told)}</p>"
        # An address of data, as links within the page lead to parts of it: in a `srcdoc` they would lead to the notebook's address.
        address = f"data:text/html;base64,{base64.b64encode(page).decode('ascii')}"
        style = f"width:100%;height:{self._height}px;border:1px solid #8884;border-radius:8px"
        return f'<iframe sandbox="allow-scripts" title="A walk" style="{style}" src="{address}"></iframe>'
