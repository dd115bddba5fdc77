"""A museum of seven pages with drawn pictures: what each shows is said on the page that shows it, and its height on another."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np

from perception.images.image import Picture, encode_picture

WIDTH, HEIGHT = 640, 480


def _ground(seed: int, sky: tuple[int, int, int], earth: tuple[int, int, int]) -> Picture:
    """A sky and an earth with the grain of a photograph."""
    picture = np.empty((HEIGHT, WIDTH, 3), np.uint8)
    picture[:320], picture[320:] = sky, earth
    coarse = np.random.default_rng(seed).integers(-28, 28, (HEIGHT // 8, WIDTH // 8, 3)).astype(np.float32)
    grain = cv2.resize(coarse, (WIDTH, HEIGHT), interpolation=cv2.INTER_CUBIC)
    return np.asarray(np.clip(picture + grain, 0, 255), np.uint8)


def _span() -> Picture:
    picture = _ground(1, (225, 190, 150), (150, 110, 60))
    cv2.rectangle(picture, (0, 250), (WIDTH, 270), (60, 70, 90), -1)
    for x in range(30, WIDTH, 118):
        cv2.rectangle(picture, (x, 120), (x + 18, 400), (70, 80, 100), -1)
        cv2.ellipse(picture, (x + 68, 262), (50, 70), 0, 180, 360, (50, 60, 80), 6)
        for step in range(6):
            cv2.line(picture, (x + 9, 125), (x + 9 + 18 * step, 250), (90, 90, 110), 2)
    return picture


def _light() -> Picture:
    picture = _ground(2, (235, 215, 180), (90, 120, 100))
    tower = np.array([[290, 400], [350, 400], [336, 110], [304, 110]])
    cv2.fillPoly(picture, [tower], (235, 235, 240))
    for y in range(140, 400, 64):
        cv2.rectangle(picture, (296, y), (344, y + 28), (40, 40, 190), -1)
    cv2.rectangle(picture, (298, 76), (342, 112), (60, 200, 235), -1)
    cv2.fillPoly(picture, [np.array([[292, 78], [348, 78], [320, 46]])], (40, 40, 60))
    for number in range(14):
        cv2.circle(picture, (40 + 43 * number, 420 + 9 * (number % 4)), 12 + number % 5, (70, 85, 95), -1)
    return picture


def _mill() -> Picture:
    picture = _ground(3, (240, 205, 165), (70, 150, 110))
    cv2.fillPoly(picture, [np.array([[230, 410], [410, 410], [370, 190], [270, 190]])], (80, 110, 150))
    cv2.fillPoly(picture, [np.array([[262, 192], [378, 192], [320, 130]])], (40, 50, 80))
    for angle in range(20, 380, 90):
        far = (int(320 + 170 * np.cos(np.radians(angle))), int(170 + 130 * np.sin(np.radians(angle))))
        cv2.line(picture, (320, 170), far, (50, 60, 70), 7)
        cv2.line(picture, (330, 176), (far[0] + 14, far[1] + 10), (200, 215, 225), 5)
    for x in range(20, WIDTH, 60):
        cv2.line(picture, (x, 430), (x + 22, 470), (40, 110, 80), 3)
    return picture


@cache
def pictures() -> dict[str, bytes]:
    """The pictures of the site by their paths, PNG, 640 x 480."""
    drawn = {"/span.png": _span(), "/light.png": _light(), "/mill.png": _mill()}
    return {path: encode_picture(picture) for path, picture in drawn.items()}


def _page(title: str, body: str) -> str:
    home = '<nav><a href="/">Museum</a> <a href="/objects.html">Objects</a> <a href="/visit.html">Visit</a></nav>'
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title} – Harbour Museum</title></head>'
        f"<body>{home}<main><h1>{title}</h1>{body}</main></body></html>"
    )


def _object(title: str, file: str, caption: str, text: str) -> str:
    figure = (
        f'<figure><img src="/{file}" alt="{title}" width="640" height="480"><figcaption>{caption}</figcaption></figure>'
    )
    return _page(title, f"{figure}{text}")


@cache
def pages() -> dict[str, str | bytes]:
    """All that the site serves, by path."""
    objects = "".join(
        f'<li><a href="/{file}.html">{name}</a></li>'
        for file, name in (("span", "The Old Span"), ("light", "Norrey Light"), ("mill", "Gull Mill"))
    )
    told = {
        "/": _page("Harbour Museum", "<p>The museum tells of the harbour and what was built around it.</p>"),
        "/objects.html": _page(
            "Objects", f'<ul>{objects}</ul><p><a href="/heights.html">Heights of the towers</a></p>'
        ),
        "/span.html": _object(
            "The Old Span",
            "span.png",
            "The Old Span from the quay",
            "<p>The Old Span was built by the engineer Maren Holt and opened to carts in 1891.</p>"
            "<p>Its iron came from two wrecked steamers.</p>",
        ),
        "/light.html": _object(
            "Norrey Light",
            "light.png",
            "Norrey Light in summer",
            "<p>Norrey Light was built by the mason Edda Tarn in 1833.</p><p>Three keepers lived there at a time.</p>",
        ),
        "/mill.html": _object(
            "Gull Mill",
            "mill.png",
            "Gull Mill with all four sails",
            "<p>Gull Mill was built by the carpenter Tomas Brek in 1764.</p><p>It ground barley until 1920.</p>",
        ),
        "/heights.html": _page(
            "Heights of the towers",
            "<table><tr><th>Tower</th><th>Height</th></tr><tr><td>Norrey Light</td><td>41 m</td></tr>"
            "<tr><td>Gull Mill</td><td>23 m</td></tr><tr><td>Customs House</td><td>17 m</td></tr></table>",
        ),
        "/visit.html": _page("Visit", "<p>The museum is open from ten to four, except on Mondays.</p>"),
    }
    return {**told, **pictures()}
