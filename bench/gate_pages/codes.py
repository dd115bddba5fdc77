"""Archetypes that are no letters: a QR code, and a check that is told and never solved."""

from __future__ import annotations

import random

import cv2

from gate_pages.archetype import Matter, archetype, svg, words
from gate_pages.facts import PEOPLE, TOWNS

MODULE = 7
"""Pixels of one square of a QR code."""


@archetype
def qr_code(chance: random.Random) -> Matter:
    ticket = f"TICKET-{chance.randint(10_000, 99_999)}"
    squares = cv2.QRCodeEncoder.create().encode(ticket)
    size = squares.shape[0] * MODULE
    drawn = "".join(
        f'<rect x="{column * MODULE}" y="{row * MODULE}" width="{MODULE}" height="{MODULE}"/>'
        for row in range(squares.shape[0])
        for column in range(squares.shape[1])
        if squares[row, column] == 0
    )
    return Matter(
        question="What does the code of the ticket say?", answer=ticket, heading="Your ticket",
        pixels=f'<img src="code.svg" width="{size}" height="{size}">', text=f"<p>The code of the ticket says {ticket}</p>", files={"code.svg": svg(size, size, drawn)},
    )  # fmt: skip


@archetype
def signpost(chance: random.Random) -> Matter:
    town, minutes = chance.choice(TOWNS), chance.randint(11, 95)
    drawn = '<path d="M40 40h360l50 45-50 45H40z" fill="#2a5"/>' + words(
        60, 96, f"{town} {minutes} min", 34, 'fill="#fff"'
    )
    drawn += '<rect x="200" y="130" width="20" height="150" fill="#853"/>'
    person = chance.choice(PEOPLE)
    return Matter(
        question=f"How many minutes is it to {town}?", answer=str(minutes), heading="The path along the cliff", files={"post.svg": svg(480, 290, drawn, "#dff")},
        pixels='<img src="post.svg" width="480" height="290">', text=f"<p>It is {minutes} minutes to {town}, says {person}.</p>",
    )  # fmt: skip
