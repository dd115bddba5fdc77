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


CARD = '<div class="card"><h3>{}</h3><p>Built at {}.</p><div class="kinds">{}</div></div>'
KINDS = {
    "a file": ('<img src="/kinds/sail.png">', '<img src="/kinds/motor.png">', "(icon: {})"),
    "a symbol": ('<svg><use href="#sail"/></svg>', '<svg><use xlink:href="i.svg#motor"/></svg>', "(icon: {})"),
    "a class": ('<i class="icon-sail"></i>', '<i class="icon-motor"></i>', "(icon: {})"),
    "a variant": ('<span class="kind kind-sail"></span>', '<span class="kind kind--motor"></span>', "(icon: {})"),
    "a title": ("<svg><title>sail</title></svg>", "<svg><title>motor</title></svg>", "{}"),
    "a label": ('<span role="img" aria-label="sail"></span>', '<span role="img" aria-label="motor"></span>', "{}"),
}


@pytest.mark.parametrize("kind", KINDS)
def test_icons_by_which_cards_or_entries_differ_are_values(kind: str) -> None:
    sail, motor, form = KINDS[kind]
    boats = (("Mantis", sail + motor), ("Kelp", sail), ("Orca", motor), ("Heron", motor))
    cards = "".join(CARD.format(name, "Fife", icons) for name, icons in boats)
    both = ", ".join(form.format(name) for name in ("sail", "motor"))
    assert both in [block.text for block in seen(cards).blocks]
    entries = seen(
        "<ul>" + "".join(f"<li>{icons} <a href='/{name}'>{name}</a></li>" for name, icons in boats) + "</ul>"
    )
    assert [block.text for block in entries.blocks][:2] == [f"Mantis {both}", f"Kelp {form.format('sail')}"]
    assert [record.name for record in entries.record_sets[0].records] == [name for name, _ in boats]
    rows = "".join(f"<tr><td>{name} {icons}</td><td>{len(name)} m</td></tr>" for name, icons in boats)
    assert f"| Mantis {both} | 6 m" in f"| {seen(f'<table>{rows}</table>').blocks[0].text}"


def test_the_only_one_of_its_type_has_its_value_too() -> None:
    kinds = {"Mantis": ("sail", "wood"), "Kelp": ("sail",), "Orca": ("steam", "wood"), "Heron": ("oars",)}
    cards = "".join(
        CARD.format(name, "Fife", "".join(f'<img src="/kinds/{kind}.png">' for kind in has))
        for name, has in kinds.items()
    )
    texts = [block.text for block in seen(cards).blocks]
    assert texts[2::3] == ["(icon: sail), (icon: wood)", "(icon: sail)", "(icon: steam), (icon: wood)", "(icon: oars)"]


@pytest.mark.parametrize(
    "entry",
    [
        '<li><img src="/photos/{}.jpg"> {}</li>',
        '<li><i class="fa fa-anchor"></i><img src="/boat.png"> {} {}</li>',
        '<li><img src="/sail.png" width="300"> {} {}</li>',
        '<li><button><img src="/sail.png"></button> {} {}</li>',
        '<li><i class="fa fa-chevron-right"></i> {} {}</li>',
    ],
)
def test_pictures_of_entries_decoration_and_what_can_be_pressed_are_no_values(entry: str) -> None:
    names = ("Mantis", "Kelp", "Orca", "Heron")
    plain = "<li>Otter is at sea</li><li>Squid is at sea</li>" if "anchor" not in entry else ""
    blocks = seen("<ul>" + "".join(entry.format(name, name) for name in names) + plain + "</ul>").blocks
    assert not any("icon" in block.text or "sail" in block.text for block in blocks)
