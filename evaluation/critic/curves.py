"""The figures of a passage critic as a report: a page of tables, and curves over thresholds and pages."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from importlib.util import find_spec
from pathlib import Path

from evaluation.critic.filtering import Filtering
from evaluation.published.reag import FILTERS, FILTERS_SOURCE
from walker.errors import MissingExtra

RECALL, SPECIFICITY, KEPT = "#0072b2", "#d55e00", "#009e73"
HEADS = ("pages", "threshold", "recall", "specificity", "a question", "offered", "kept", "answered")


def cells_of(row: Filtering) -> tuple[str, ...]:
    """A row of figures as text, in the order of `HEADS`."""
    answered = "-" if row.answered is None else f"{row.answered:.3f}"
    shares = (f"{value:.3f}" for value in (row.recall, row.specificity, row.specificity_a_question))
    return str(row.pages), f"{row.threshold:g}", *shares, f"{row.offered:.0f}", f"{row.kept:.1f}", answered


def draw_curves(folder: Path, rows: Sequence[Filtering], threshold: float) -> tuple[Path, ...]:
    """Over thresholds at most pages, and over pages at one threshold, as SVG and PNG. Raises `MissingExtra` without matplotlib."""
    if find_spec("matplotlib") is None:
        raise MissingExtra("matplotlib is not installed", advice="Install it: pip install 'gemwalker[report]'")
    folder.mkdir(parents=True, exist_ok=True)
    most = max(row.pages for row in rows)
    over_thresholds = [row for row in rows if row.pages == most]
    nearest = min((row.threshold for row in rows), key=lambda one: abs(one - threshold))
    over_pages = [row for row in rows if row.threshold == nearest]
    made = _draw(folder / "threshold", over_thresholds, f"threshold ({most} pages)", by_pages=False)
    return (*made, *_draw(folder / "pages", over_pages, f"pages (threshold {nearest:g})", by_pages=True))


def _draw(path: Path, rows: Sequence[Filtering], label: str, *, by_pages: bool) -> tuple[Path, Path]:
    # The object API, not pyplot: no window and no global state.
    from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - an extra, and 0.4 s
    from matplotlib.figure import Figure  # noqa: PLC0415

    figure: Figure = Figure(figsize=(7.2, 4.4), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    across = [float(row.pages) if by_pages else row.threshold for row in rows]
    axes.plot(across, [row.recall for row in rows], "o-", color=RECALL, label="recall")
    axes.plot(across, [row.specificity for row in rows], "s-", color=SPECIFICITY, label="specificity")
    if all(row.answered is not None for row in rows):
        axes.plot(across, [row.answered or 0.0 for row in rows], "^-", color="#542788", label="answered rightly")
    axes.set_ylim(0, 1.03)
    axes.set_xlabel(label)
    beside = axes.twinx()
    beside.plot(across, [row.kept for row in rows], "d--", color=KEPT, label="passages kept")
    beside.set_ylim(bottom=0)
    beside.set_ylabel("passages kept a question")
    figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=8)
    files = path.with_suffix(".svg"), path.with_suffix(".png")
    for file in files:
        figure.savefig(file, dpi=160)
    return files


def render_report(rows: Sequence[Filtering], notes: Sequence[str], pictures: Sequence[str]) -> str:
    """One page: what was measured, the published filters beside it, the curves."""
    ours = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells_of(row))}</tr>" for row in rows)
    theirs = "".join(
        f"<tr><td>{escape(one.system)}</td><td>{escape(one.model)}</td><td>{one.recall:.3f}</td><td>{one.specificity:.3f}</td></tr>"
        for one in FILTERS
    )
    heads = "".join(f"<th>{head}</th>" for head in HEADS)
    shown = "".join(f'<p><img src="{escape(name)}" alt="{escape(name)}" width="720"></p>' for name in pictures)
    told = "".join(f"<p>{escape(note)}</p>" for note in notes)
    style = (
        "body{font:15px system-ui;margin:max(12px,2vw)}td,th{padding:2px 12px;text-align:right}td:first-child{text-align:left}"
        "img{max-width:100%}.wide{overflow-x:auto}"
    )
    head = '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
    return (
        f'<!DOCTYPE html><html lang="en"><head>{head}<title>Passage critic</title><style>{style}</style></head>'
        f"<body><h1>Passage critic</h1>{told}<div class='wide'><table><tr>{heads}</tr>{ours}</table></div>"
        f"<h2>Published</h2><p>{escape(FILTERS_SOURCE)}</p><div class='wide'><table><tr><th>system</th><th>model</th><th>recall</th>"
        f"<th>specificity</th></tr>{theirs}</table></div>{shown}</body></html>\n"
    )
