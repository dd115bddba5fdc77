"""Archetypes whose message is a width, a colour, an order, or what the style sheet says."""

from __future__ import annotations

import json
import random

from gate_pages.archetype import Matter, archetype, svg, words
from gate_pages.facts import GOODS, MONTHS, PEOPLE, TOWNS, amounts, listed, prices

COLOURS = {"green": "#2a2", "red": "#c22", "yellow": "#ec0", "blue": "#26c"}


@archetype
def star_width(chance: random.Random) -> Matter:
    rated = [(name, chance.randint(1, 5)) for name in chance.sample(TOWNS, k=4)]
    name, stars = chance.choice(rated)
    rows = "".join(
        f'<tr><td>{who}</td><td><span class="stars"><i style="width:{20 * count}%"></i></span></td></tr>'
        for who, count in rated
    )
    return Matter(
        question=f"How many stars does {name} have?", answer=str(stars), heading="Ratings", pixels=f"<table>{rows}</table>", text=listed(rated, " stars"),
        style=".stars{display:inline-block;width:100px;height:20px;background:#ddd}.stars i{display:block;height:20px;background:#fb0}",
    )  # fmt: skip


@archetype
def status_dot(chance: random.Random) -> Matter:
    states = [
        (name, chance.choice(list(COLOURS)))
        for name in chance.sample(("Ferry", "Crane", "Lift", "Bridge", "Lock gate"), k=4)
    ]
    if len({colour for _, colour in states}) == 1:
        states[0] = (states[0][0], next(colour for colour in COLOURS if colour != states[0][1]))
    name, colour = chance.choice(states)
    items = "".join(
        f'<li>{what} <span class="dot" style="background:{COLOURS[shade]}"></span></li>' for what, shade in states
    )
    return Matter(
        question=f"Which colour is the state of the {name.lower()}?", answer=colour, heading="State of our services", pixels=f"<ul>{items}</ul>",
        text="<ul>" + "".join(f"<li>{what}: {shade}</li>" for what, shade in states) + "</ul>", style=".dot{display:inline-block;width:14px;height:14px;border-radius:7px}",
    )  # fmt: skip


@archetype
def heat_calendar(chance: random.Random) -> Matter:
    full = chance.randint(3, 28)
    cells = "".join(
        ("<tr>" if day % 7 == 1 else "")
        + f'<td class="day" style="background:{"#c22" if day == full else "#bfb"}">{day}</td>'
        + ("</tr>" if day % 7 == 0 else "")
        for day in range(1, 29)
    )
    month = chance.choice(MONTHS)
    return Matter(
        question=f"On which day of {month} is the house full?", answer=str(full), heading=f"Bookings in {month}",
        pixels=f'<p><span class="day key" style="background:#c22">&nbsp;&nbsp;</span> full</p><table>{cells}</table>', text=f"<p>The house is full on {full} {month}; on all other days there is room.</p>",
        style=".day{width:34px;height:28px;text-align:center;display:inline-block}td.day{display:table-cell}",
    )  # fmt: skip


@archetype
def generated_digits(chance: random.Random) -> Matter:
    name, price = prices(chance, GOODS, 1)[0]
    digits = list(price)
    style = "".join(f'.d{at}::before{{content:"{sign}"}}' for at, sign in enumerate(digits))
    marks = "".join(f'<b class="d{at}"></b>' for at in range(len(digits)))
    return Matter(
        question=f"What is the price of the {name.lower()}?", answer=price, heading=name, pixels=f"<p>Price: {marks} EUR</p>", text=f"<p>Price: {price} EUR</p>", style=style,
    )  # fmt: skip


@archetype
def scrambled_spans(chance: random.Random) -> Matter:
    number = "".join(chance.sample("123456789", k=6))
    order = list(range(6))
    while order == sorted(order):
        chance.shuffle(order)
    spans = "".join(f'<span style="left:{14 * at}px">{number[at]}</span>' for at in order)
    return Matter(
        question="What is the telephone number of the harbour office?", answer=number, heading="Harbour office", pixels=f'<p>Telephone:</p><div class="mix">{spans}</div>',
        text=f"<p>Telephone: {number}</p>", style=".mix{position:relative;height:24px}.mix span{position:absolute;width:14px;text-align:center}",
    )  # fmt: skip


@archetype
def progress_bar(chance: random.Random) -> Matter:
    share = chance.randint(2, 19) * 5
    return Matter(
        question="How many percent of the roof fund have been raised?", answer=str(share), heading="The roof fund",
        pixels=f'<p>Raised so far</p><div class="bar"><div class="fill" style="width:{share}%"></div></div>', text=f"<p>{share} percent of the roof fund have been raised so far.</p>",
        style=".bar{width:400px;height:24px;background:#ddd}.fill{height:24px;background:#2a2}",
    )  # fmt: skip


@archetype
def overlay(chance: random.Random) -> Matter:
    day, month = chance.randint(2, 28), chance.choice(MONTHS)
    drawn = words(40, 80, "Closed for repairs", 34) + words(40, 140, f"until {day} {month}", 30)
    return Matter(
        question="Until when is the tower closed for repairs?", answer=f"{day} {month}", heading="The tower", files={"notice.svg": svg(760, 520, drawn, "#fff3d6")},
        pixels='<p>The tower has two hundred steps and stands open to all who can climb them.</p><div class="over"><img src="notice.svg" width="760" height="520"></div>',
        text=f"<p>The tower is closed for repairs until {day} {month}.</p>", style=".over{position:fixed;left:240px;top:130px;z-index:9;box-shadow:0 0 0 999px rgba(0,0,0,.5)}",
    )  # fmt: skip


@archetype
def empty_shell(chance: random.Random) -> Matter:
    rows = amounts(chance, TOWNS, 4)
    name, value = chance.choice(rows)
    script = (
        f"const rows={json.dumps(rows)},c=document.createElement('canvas');c.width=600;c.height=260;document.getElementById('app').append(c);"
        "const x=c.getContext('2d');x.font='20px sans-serif';rows.forEach(([n,v],i)=>x.fillText(n+': '+v+' members',30,50+i*48));"
    )
    return Matter(
        question=f"How many members are there in {name}?", answer=str(value), heading="Members", files={"app.js": script},
        pixels='<div id="app"></div><script src="app.js"></script>', text=listed(rows, " members"),
    )  # fmt: skip


@archetype
def icon_toolbar(chance: random.Random) -> Matter:
    icons = {
        "printer": '<path d="M6 9V3h12v6M6 18H4v-8h16v8h-2M7 14h10v7H7z"/>',
        "bell": '<path d="M6 16V10a6 6 0 0 1 12 0v6l2 2H4zM10 21h4"/>',
        "house": '<path d="M3 12l9-8 9 8M6 10v10h12V10"/>',
        "envelope": '<path d="M3 6h18v12H3zM3 7l9 6 9-6"/>',
    }
    chosen = chance.sample(list(icons), k=3)
    place = chance.randint(0, 2)
    buttons = "".join(
        f'<button class="tool"><svg width="26" height="26" viewBox="0 0 24 24" fill="none" stroke="#222" stroke-width="2">{icons[name]}</svg></button>'
        for name in chosen
    )
    named = "".join(f"<button>{name}</button>" for name in chosen)
    order = ("first", "second", "third")
    return Matter(
        question=f"What does the {order[place]} button of the toolbar show?", answer=chosen[place], heading="Toolbar", pixels=f"<div>{buttons}</div>",
        text=f"<div>{named}</div><p>The {order[place]} button of the toolbar shows: {chosen[place]}.</p>", style=".tool{padding:8px;margin:4px}",
    )  # fmt: skip


@archetype
def sprite_buttons(chance: random.Random) -> Matter:
    labels = chance.sample(("Buy", "Rent", "Sell", "Swap", "Lend"), k=3)
    first = labels[0]
    drawn = "".join(words(14 + 110 * at, 38, label, 24) for at, label in enumerate(labels))
    style = ".sprite{display:inline-block;width:110px;height:60px;background:url(sprite.svg)}" + "".join(
        f".s{at}{{background-position:-{110 * at}px 0}}" for at in range(3)
    )
    return Matter(
        question="What does the first button of the boat market say?", answer=first, heading="Boat market", files={"sprite.svg": svg(330, 60, drawn, "#dfe8f5")}, style=style,
        pixels="".join(f'<a class="sprite s{at}" href="/{at}"></a>' for at in range(3)), text="".join(f'<a href="/{at}">{label}</a> ' for at, label in enumerate(labels)) + f"<p>The first button of the boat market says {first}.</p>",
    )  # fmt: skip


@archetype
def image_map(chance: random.Random) -> Matter:
    rooms = list(
        zip(("Library", "Archive", "Kitchen", "WalkResources"), chance.sample(range(101, 399), k=4), strict=True)
    )
    name, number = chance.choice(rooms)
    drawn = "".join(
        f'<rect x="{20 + 150 * at}" y="40" width="140" height="150" fill="#e8eef6" stroke="#446"/>'
        + words(34 + 150 * at, 100, room, 20)
        + words(34 + 150 * at, 140, f"Room {code}", 20)
        for at, (room, code) in enumerate(rooms)
    )
    areas = "".join(
        f'<area shape="rect" coords="{20 + 150 * at},40,{160 + 150 * at},190" href="/r{at}">' for at in range(4)
    )
    return Matter(
        question=f"Which number has the room of the {name.lower()}?", answer=str(number), heading="Plan of the house", files={"plan.svg": svg(640, 230, drawn)},
        pixels=f'<img src="plan.svg" usemap="#plan" width="640" height="230"><map name="plan">{areas}</map>', text="<ul>" + "".join(f"<li>{room}: room {code}</li>" for room, code in rooms) + "</ul>",
    )  # fmt: skip


@archetype
def signed_letter(chance: random.Random) -> Matter:
    person = chance.choice(PEOPLE)
    drawn = words(20, 60, person, 34, 'fill="#224" font-style="italic" font-family="serif"')
    return Matter(
        question="Who signed the letter to the members?", answer=person, heading="Letter to the members", files={"sign.svg": svg(320, 90, drawn)},
        pixels='<p>Dear members, the year was good to us. With thanks and kind regards,</p><img src="sign.svg" width="320" height="90">', text=f"<p>Dear members, the year was good to us. With thanks and kind regards, signed by {person}</p>",
    )  # fmt: skip
