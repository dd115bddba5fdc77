"""A calibration as one self-contained page: curves drawn as SVG, tables, and what they mean."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import msgspec
from jinja2 import Environment, PackageLoader, StrictUndefined, Template, select_autoescape

from walker.calibration.fit import CostPoint, Costs, Example, Fitted, cost_curve, held_out_trust

WIDTH, HEIGHT, EDGE = 420, 320, 42


class PageRow(msgspec.Struct, frozen=True, kw_only=True):
    """One page in the report's table."""

    page: str
    site: str
    needs_look: bool
    trust: float
    text_right: bool
    glance_right: bool


@cache
def _template() -> Template:
    """Compiled once for all reports of a process."""
    environment = Environment(
        loader=PackageLoader("walker.calibration", "."), autoescape=select_autoescape(), undefined=StrictUndefined
    )
    return environment.get_template("report.html")


def render_report(examples: Sequence[Example], fitted: Fitted, costs: Costs) -> str:
    """HTML with no address outside it."""
    trusts = held_out_trust(examples)
    curve = cost_curve(examples, trusts, costs)
    rows = [
        PageRow(
            page=example.page,
            site=example.site,
            needs_look=example.needs_look,
            trust=trust,
            text_right=example.text_right,
            glance_right=example.glance_right,
        )
        for example, trust in sorted(zip(examples, trusts, strict=True), key=lambda pair: pair[1])
    ]
    return _template().render(
        fitted=fitted,
        costs=costs,
        rows=rows,
        roc=_line([(point.wasted, point.found) for point in fitted.curve]),
        quality=_line([(point.looked, point.right) for point in curve]),
        marks=[_mark(number, point) for number, point in enumerate(fitted.costs)],
        width=WIDTH,
        height=HEIGHT,
        edge=EDGE,
    )


def _line(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_x(x):.1f},{_y(y):.1f}" for x, y in sorted(points))


def _mark(number: int, point: CostPoint) -> dict[str, object]:
    """A labelled point: the label is on the free side, and labels of equal points do not overlap."""
    turned = point.looked > 0.6
    return {
        "x": round(_x(point.looked), 1),
        "y": round(_y(point.right), 1),
        "name": point.name,
        "anchor": "end" if turned else "start",
        "label_x": round(_x(point.looked) + (-7 if turned else 7), 1),
        "label_y": round(_y(point.right) + (16 if number % 2 else -6), 1),
    }


def _x(share: float) -> float:
    return EDGE + share * (WIDTH - EDGE - 12)


def _y(share: float) -> float:
    return HEIGHT - EDGE - share * (HEIGHT - EDGE - 14)
