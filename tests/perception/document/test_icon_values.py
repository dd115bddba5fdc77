"""Values that a page shows as an icon or a picture."""

from __future__ import annotations

import pytest

from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot


def seen(body: str) -> Observation:
    url = "http://reef.example/"
    return observe(Snapshot(url=url, final_url=url, status=200, html=f"<main>{body}</main>"))


TABLE = "<table><tr><th>Boat</th><th>Fuel</th></tr><tr><td>Mantis</td><td>{}</td></tr><tr><td>Kelp</td><td>none</td></tr></table>"
ICONS = [
    ('<img src="1.png" alt="Diesel">', "Diesel"),
    ('<img src="1.png" title="Diesel">', "Diesel"),
    ('<span role="img" aria-label="Diesel"></span>', "Diesel"),
    ("<svg><title>Diesel</title><path/></svg>", "Diesel"),
    ('<img src="/i/diesel_engine.svg?v=2">', "(icon: diesel engine)"),
    ('<i class="fa fa-check" aria-hidden="true"></i>', "(icon: check)"),
    ('<i class="fa fa-star"></i><i class="fa fa-star"></i>', "(icon: star) ×2"),
    ('<img alt="Wind"><img alt="Sun">', "Wind, Sun"),
    ('<img src="/spacer.gif">', ""),
    ('<img alt="flag" src="fr.png"> France', "France"),
]


@pytest.mark.parametrize(("icon", "value"), ICONS)
def test_a_cell_of_icons_alone_says_what_they_mean(icon: str, value: str) -> None:
    observation = seen(TABLE.format(icon))
    (table,) = observation.record_sets
    assert table.records[0].fields[1].value == value
    row = next(block.text for block in observation.blocks if block.text.startswith("Mantis"))
    assert row.strip("| ") == (f"Mantis | {value}" if value else "Mantis")


@pytest.mark.parametrize(
    ("markup", "texts"),
    [
        ('<dl><dt>Type</dt><dd><img src="cargo-ship.png"></dd></dl>', ["Type", "(icon: cargo ship)"]),
        ('<p>Type: <img src="1.png" alt="Boat"><br>Size: 3</p>', ["Type: Boat Size: 3"]),
        ('<p>Type: <i class="fa fa-ship"></i></p>', ["Type: (icon: ship)"]),
        ('<p>Type: <i class="fa fa-ship"></i> Ferry</p>', ["Type: Ferry"]),
        ('<div>Type:</div><div><i class="icon-boat"></i></div><p>more</p>', ["Type:", "(icon: boat)", "more"]),
        ('<p><i class="fa fa-info"></i> Note:</p><p>the quay is closed</p>', ["Note:", "the quay is closed"]),
        ('<p>A boat <img alt="Boat"> at the quay</p>', ["A boat at the quay"]),
    ],
)
def test_an_icon_after_a_label_is_its_value(markup: str, texts: list[str]) -> None:
    assert [block.text for block in seen(markup).blocks] == texts
