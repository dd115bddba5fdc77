"""What a page of the gate benchmark is made of, and how its variants are put together."""

from __future__ import annotations

import html
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

Variant = Literal["pixels", "echo", "text", "distractor"]
VARIANTS: tuple[Variant, ...] = ("pixels", "echo", "text", "distractor")
"""Pixels only; the same with the question's words in the text; the answer in the text; that beside a large decoration."""


@dataclass(frozen=True, kw_only=True)
class Matter:
    """One fact, shown in pixels and told in text."""

    question: str
    answer: str
    heading: str
    pixels: str
    """HTML that shows the fact to the eye only."""
    text: str
    """HTML that tells it in words."""
    style: str = ""
    files: dict[str, str] = field(default_factory=dict)
    """Name to content: pictures (SVG) and scripts, each a file of its own, so that the page does not hold their words."""
    language: str = "en"


@dataclass(frozen=True, kw_only=True)
class GatePage:
    """One labelled page."""

    archetype: str
    variant: Variant
    seed: int
    html: str
    files: dict[str, str]
    question: str
    answer: str
    needs_look: bool

    @property
    def path(self) -> str:
        """Where it is served."""
        return f"/{self.archetype}/{self.variant}/{self.seed}/"


Maker = Callable[[random.Random], Matter]
MAKERS: dict[str, Maker] = {}


def archetype(make: Maker) -> Maker:
    """Enter a maker under its name."""
    MAKERS[make.__name__] = make
    return make


def make_pages(seeds: tuple[int, ...] = (1, 2, 3)) -> tuple[GatePage, ...]:
    """All archetypes in all variants for each seed."""
    pages = []
    for name, make in MAKERS.items():
        for seed in seeds:
            for variant in VARIANTS:
                matter = make(random.Random(f"{name} {seed}"))
                pages.append(_page(name, matter, variant, seed))
    return tuple(pages)


def svg(width: int, height: int, inner: str, background: str = "#fff") -> str:
    """A picture as a file."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}">'
        f'<rect width="{width}" height="{height}" fill="{background}"/>{inner}</svg>'
    )


def words(x: float, y: float, text: str, size: int = 18, more: str = 'fill="#222"') -> str:
    """Text in a picture."""
    return f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="{size}" {more}>{html.escape(text)}</text>'


_PROSE = {
    "en": [
        "The society was founded by a group of neighbours who wanted to keep the old harbour open to everybody, and it has "
        "looked after the quay, the lamps and the little library ever since.",
        "Visitors are welcome on every day of the year. Please keep dogs on a lead, leave the boats where they lie, and ask "
        "at the desk before you climb the tower.",
        "In winter the sea may close the lower path; a notice at the gate says so, and the ferry then leaves from the "
        "eastern pier, which is ten minutes on foot from the market.",
        "Our members meet on the first Thursday of the month. New faces are always a pleasure, and there is soup for all who "
        "stay for the talk that follows.",
        "The display in the hall shows how the harbour grew, and a video tells of the great storm; an error in an earlier "
        "edition of our leaflet has been put right.",
        "If an image of yours is in the archive and you would like to have it back, write to the secretary, who will look "
        "for the picture in the catalogue and send it by post.",
    ],
    "zh": [
        "本协会由一群热爱老港口的居民创办，多年来一直照料码头、路灯和小图书馆，欢迎各地的朋友前来参观和交流。",
        "全年每天开放。请牵好宠物，不要移动停泊的船只，登塔之前请先到服务台登记，遇到大风天气请听从工作人员的安排。",
        "冬季海浪较大时，下层步道可能关闭，渡船改从东码头出发，从市场步行约需一刻钟，沿途有清楚的指示牌。",
        "会员在每月第一个周末聚会，讲座之后为大家准备热汤。新朋友随时可以加入，只要在服务台填写一张表格。",
    ],
}
_MENU = {"en": ("Home", "About us", "Visit", "Contact"), "zh": ("首页", "关于我们", "参观", "联系")}


def _page(name: str, matter: Matter, variant: Variant, seed: int) -> GatePage:
    chance = random.Random(f"frame {name} {seed}")
    prose = chance.sample(_PROSE[matter.language], k=chance.randint(2, 4))
    links = "".join(f'<a href="/{number}">{label}</a> ' for number, label in enumerate(_MENU[matter.language]))
    body = matter.pixels if variant in ("pixels", "echo") else matter.text
    echo = _echo(matter) if variant in ("echo", "distractor") else ""
    decoration = '<img src="decoration.svg" width="900" height="380">' if variant == "distractor" else ""
    files = dict(matter.files) if variant in ("pixels", "echo") else {}
    if decoration:
        files["decoration.svg"] = _decoration(chance)
    before, after = prose[:-1], prose[-1]
    page = (
        f'<!doctype html><html lang="{matter.language}"><head><meta charset="utf-8"><title>{matter.heading}</title><style>'
        "body{font:16px/1.5 sans-serif;margin:0 auto;max-width:1000px;padding:16px;color:#222}nav a{margin-right:14px}"
        f"footer{{color:#555;margin-top:30px}}{matter.style}</style></head><body><nav>{links}</nav><h1>{matter.heading}</h1>"
        + "".join(f"<p>{text}</p>" for text in before)
        + f"{decoration}<section><h2>{matter.heading}</h2>{echo}{body}</section><p>{after}</p>"
        "<footer>The Old Harbour Society</footer></body></html>"
    )
    return GatePage(
        archetype=name,
        variant=variant,
        seed=seed,
        html=page,
        files=files,
        question=matter.question,
        answer=matter.answer,
        needs_look=variant in ("pixels", "echo"),
    )


def _echo(matter: Matter) -> str:
    """The question's words, richly, without its answer."""
    asked = matter.question.rstrip("?？")
    if matter.language == "zh":
        return f"<p>常见问题：{asked}？很多人都想知道{asked}，所以我们把有关的内容放在这一页，请看下方。</p>"
    return (
        f"<p>Many people want to know: {asked}? We are often asked {asked[0].lower()}{asked[1:]}, and so all there is about "
        f"it has its place on this page. See {matter.heading.lower()} here.</p>"
    )


def _decoration(chance: random.Random) -> str:
    """Hills and a sun: large, and without a word."""
    hue = chance.randint(0, 359)
    hills = "".join(
        f'<ellipse cx="{chance.randint(0, 900)}" cy="{chance.randint(300, 420)}" rx="{chance.randint(150, 400)}" '
        f'ry="{chance.randint(60, 160)}" fill="hsl({(hue + 30 * number) % 360} 40% 60%)"/>'
        for number in range(6)
    )
    return svg(900, 380, f'<circle cx="700" cy="90" r="50" fill="#fd6"/>{hills}', f"hsl({hue} 60% 88%)")
