"""Archetypes whose words stand in pictures."""

from __future__ import annotations

import json
import random

from gate_pages.archetype import Matter, archetype, svg, words
from gate_pages.facts import DISHES, GOODS, MONTHS, PEOPLE, TOWNS, ZH_DISHES, ZH_PLACES, amounts, listed, prices

IMG = '<img src="picture.svg" width="{0}" height="{1}">'


def _pictured(question: str, answer: str, heading: str, drawn: str, text: str, size: tuple[int, int] = (640, 360), language: str = "en") -> Matter:  # fmt: skip
    return Matter(
        question=question, answer=answer, heading=heading, text=text, language=language,
        pixels=IMG.format(*size), files={"picture.svg": svg(*size, drawn)},
    )  # fmt: skip


@archetype
def canvas_chart(chance: random.Random) -> Matter:
    bars = amounts(chance, TOWNS, 5)
    name, value = chance.choice(bars)
    script = (
        f"const bars={json.dumps(bars)},c=document.getElementById('chart').getContext('2d');c.font='16px sans-serif';"
        "bars.forEach(([n,v],i)=>{const x=30+i*116;c.fillStyle='#47a';c.fillRect(x,300-v*2.5,70,v*2.5);c.fillStyle='#222';"
        "c.fillText(String(v),x+22,292-v*2.5);c.fillText(n,x+2,322)});"
    )
    return Matter(
        question=f"How many boats does {name} have?", answer=str(value), heading="Boats by town",
        pixels='<canvas id="chart" width="640" height="340"></canvas><script src="draw.js"></script>',
        text=listed(bars, " boats"), files={"draw.js": script},
    )  # fmt: skip


@archetype
def image_menu(chance: random.Random) -> Matter:
    dishes = prices(chance, DISHES, 6)
    name, price = chance.choice(dishes)
    drawn = words(250, 45, "Today", 30) + "".join(
        words(60, 95 + 42 * row, dish, 22) + words(460, 95 + 42 * row, f"{cost} EUR", 22)
        for row, (dish, cost) in enumerate(dishes)
    )
    return _pictured(f"What does the {name.lower()} cost?", price, "Menu", drawn, listed(dishes, " EUR"))


@archetype
def infographic(chance: random.Random) -> Matter:
    facts = amounts(chance, ("Lighthouses", "Ferries", "Museums", "Beaches", "Windmills", "Bridges"), 4)
    name, value = chance.choice(facts)
    drawn = "".join(
        f'<circle cx="{90 + 150 * place}" cy="130" r="60" fill="#e{place * 2}a"/>'
        + words(70 + 150 * place, 145, str(number), 38, 'fill="#fff"') + words(50 + 150 * place, 230, label, 17)
        for place, (label, number) in enumerate(facts)
    )  # fmt: skip
    text = "<ul>" + "".join(f"<li>{number} {label.lower()}</li>" for label, number in facts) + "</ul>"
    return _pictured(f"How many {name.lower()} does the island have?", str(value), "The island in numbers", drawn, text)


@archetype
def scanned_page(chance: random.Random) -> Matter:
    year, person = chance.randint(1821, 1949), chance.choice(PEOPLE)
    lines = [
        "Minutes of the founding meeting",
        f"The society was founded in the year {year}",
        f"by {person} and eleven others,",
        "in the back room of the old inn.",
    ]
    noise = '<filter id="n"><feTurbulence baseFrequency="0.9" numOctaves="2"/><feColorMatrix values="0 0 0 0 .5 0 0 0 0 .45 0 0 0 0 .4 0 0 0 .35 -.1"/></filter>'
    drawn = noise + '<g transform="rotate(1.2 300 200)">' + "".join(
        words(50, 70 + 48 * row, line, 23, 'fill="#333"') for row, line in enumerate(lines)
    ) + '</g><rect width="640" height="360" filter="url(#n)" opacity=".35"/>'  # fmt: skip
    text = "<p>" + " ".join(lines[1:]) + "</p>"
    return _pictured("In which year was the society founded?", str(year), "Founding minutes", drawn, text)


@archetype
def price_picture(chance: random.Random) -> Matter:
    name, price = prices(chance, GOODS, 1)[0]
    drawn = words(14, 44, f"€ {price}", 34, 'fill="#a11" font-weight="700"')
    return _pictured(
        f"What is the price of the {name.lower()}?", price, name, drawn, f"<p>Price: € {price}</p>", (190, 64)
    )


@archetype
def table_screenshot(chance: random.Random) -> Matter:
    rows = [
        (
            town,
            f"{chance.randint(6, 11):02}:{chance.choice((5, 20, 35, 50)):02}",
            f"{chance.randint(12, 21)}:{chance.choice((10, 25, 40)):02}",
        )
        for town in chance.sample(TOWNS, k=5)
    ]
    town, first, _ = chance.choice(rows)
    grid = [("Town", "First ferry", "Last ferry"), *rows]
    drawn = "".join(
        f'<line x1="20" x2="600" y1="{62 + 46 * at}" y2="{62 + 46 * at}" stroke="#ccc"/>' + "".join(words(30 + 200 * cell, 48 + 46 * at, text, 19) for cell, text in enumerate(row))
        for at, row in enumerate(grid)
    )  # fmt: skip
    text = (
        "<table>" + "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in grid) + "</table>"
    )
    return _pictured(f"At what time does the first ferry from {town} leave?", first, "Timetable", drawn, text)


@archetype
def gallery_captions(chance: random.Random) -> Matter:
    shots = list(zip(chance.sample(TOWNS, k=3), chance.sample(PEOPLE, k=3), strict=True))
    town, person = chance.choice(shots)
    files = {
        f"shot{at}.svg": svg(300, 200, '<circle cx="150" cy="80" r="50" fill="#8ac"/><rect y="158" width="300" height="42" fill="#000"/>' + words(10, 185, f"{place}, by {who}", 16, 'fill="#fff"'), "#cde")
        for at, (place, who) in enumerate(shots)
    }  # fmt: skip
    text = "<ul>" + "".join(f"<li>{place}, by {who}</li>" for place, who in shots) + "</ul>"
    return Matter(
        question=f"Who took the picture of {town}?", answer=person, heading="Gallery", text=text, files=files,
        pixels="".join(f'<img src="{name}" width="300" height="200">' for name in files),
    )  # fmt: skip


@archetype
def slide_deck(chance: random.Random) -> Matter:
    budget, day, month = chance.randint(21, 97) * 100, chance.randint(2, 28), chance.choice(MONTHS)
    slides = [
        ("Where we stand", ["The roof is mended", "The lamps are lit"]),
        ("The next year", [f"Budget: {budget} EUR", f"Work begins on {day} {month}"]),
    ]
    files = {
        f"slide{at}.svg": svg(560, 300, words(40, 70, title, 34) + "".join(words(60, 130 + 50 * row, line, 24) for row, line in enumerate(lines)), "#f4f1ea")
        for at, (title, lines) in enumerate(slides)
    }  # fmt: skip
    text = "".join(
        f"<h3>{title}</h3><ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>" for title, lines in slides
    )
    return Matter(
        question="What is the budget of the next year?", answer=str(budget), heading="Slides of the talk", text=text, files=files,
        pixels="".join(f'<img src="{name}" width="560" height="300">' for name in files),
    )  # fmt: skip


@archetype
def equation_picture(chance: random.Random) -> Matter:
    speed, length = chance.randint(11, 48), chance.randint(51, 97)
    drawn = words(40, 70, f"v = {speed} · √L", 40, 'fill="#111" font-style="italic"') + words(
        40, 130, f"L ≤ {length}", 34
    )
    return _pictured("What is the greatest length L in the formula?", str(length), "The hull speed formula", drawn, f"<p>v = {speed} · √L, where the greatest length L is {length}.</p>", (420, 170))  # fmt: skip


@archetype
def vertical_chinese(chance: random.Random) -> Matter:
    place, dish = chance.choice(ZH_PLACES), chance.choice(ZH_DISHES)
    line = f"{place}码头今日供应{dish}"
    drawn = "".join(words(70, 50 + 42 * at, sign, 34, 'fill="#611"') for at, sign in enumerate(line))
    return _pictured(f"{place}码头今日供应什么？", dish, "今日供应", drawn, f"<p>{line}。</p>", (180, 540), "zh")


@archetype
def chinese_menu(chance: random.Random) -> Matter:
    dishes = [(name, str(chance.randint(11, 98))) for name in chance.sample(ZH_DISHES, k=5)]
    name, price = chance.choice(dishes)
    drawn = "".join(
        words(50, 70 + 54 * row, dish, 26) + words(380, 70 + 54 * row, f"{cost}元", 26)
        for row, (dish, cost) in enumerate(dishes)
    )
    return _pictured(f"{name}多少钱？", price, "菜单", drawn, listed(dishes, "元"), language="zh")


@archetype
def background_text(chance: random.Random) -> Matter:
    opening, closing = chance.randint(7, 10), chance.randint(16, 21)
    drawn = words(30, 60, "Opening hours", 28) + words(30, 110, f"Daily {opening}:15 to {closing}:45", 24)
    return Matter(
        question="At what time does the house open?", answer=f"{opening}:15", heading="Opening hours", text=f"<p>Daily {opening}:15 to {closing}:45</p>",
        pixels='<div class="board"></div>', style=".board{width:460px;height:150px;background:url(picture.svg) no-repeat}", files={"picture.svg": svg(460, 150, drawn, "#eef3e2")},
    )  # fmt: skip


@archetype
def map_pins(chance: random.Random) -> Matter:
    pins = [(town, f"{chance.randint(3, 29)}.{chance.randint(1, 9)} km") for town in chance.sample(TOWNS, k=4)]
    town, far = chance.choice(pins)
    places = [[town_, far_, 60 + 140 * at, 80 + 60 * (at % 3)] for at, (town_, far_) in enumerate(pins)]
    script = (
        f"const pins={json.dumps(places)},c=document.getElementById('map').getContext('2d');c.fillStyle='#cfe3f1';c.fillRect(0,0,640,320);"
        "c.font='16px sans-serif';pins.forEach(([n,d,x,y])=>{c.fillStyle='#c22';c.beginPath();c.arc(x,y,8,0,7);c.fill();c.fillStyle='#111';"
        "c.fillText(n+' '+d,x-24,y+28)});"
    )
    return Matter(
        question=f"How far away is {town}?", answer=far.split()[0], heading="Map of the coast", files={"draw.js": script}, text=listed(pins),
        pixels='<canvas id="map" width="640" height="320"></canvas><script src="draw.js"></script>',
    )  # fmt: skip


@archetype
def path_letters(chance: random.Random) -> Matter:
    code = "".join(chance.choice("0123456789") for _ in range(4))
    drawn = "".join(_digit_path(20 + 44 * at, 20, digit) for at, digit in enumerate(code))
    return Matter(
        question="What is the number of the emergency line?", answer=code, heading="Emergency line", text=f"<p>The number of the emergency line is {code}.</p>",
        pixels=f'<svg width="220" height="110" viewBox="0 0 220 110"><g stroke="#111" stroke-width="7" fill="none" stroke-linecap="round">{drawn}</g></svg>',
    )  # fmt: skip


_SEGMENTS = {
    "0": "abcdef",
    "1": "bc",
    "2": "abged",
    "3": "abgcd",
    "4": "fgbc",
    "5": "afgcd",
    "6": "afgedc",
    "7": "abc",
    "8": "abcdefg",
    "9": "abfgcd",
}
_STROKES = {
    "a": (0, 0, 26, 0),
    "b": (26, 0, 26, 32),
    "c": (26, 32, 26, 64),
    "d": (0, 64, 26, 64),
    "e": (0, 32, 0, 64),
    "f": (0, 0, 0, 32),
    "g": (0, 32, 26, 32),
}


def _digit_path(x: int, y: int, digit: str) -> str:
    strokes = (_STROKES[segment] for segment in _SEGMENTS[digit])
    return "".join(f'<path d="M{x + a} {y + b}L{x + c} {y + d}"/>' for a, b, c, d in strokes)
