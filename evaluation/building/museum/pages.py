"""The pages of the museum as HTML, by their paths."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from html import escape
from urllib.parse import quote

from evaluation.building.museum.collection import CHINESE, ENGLISH, EXHIBITS, Exhibit

NAME, ZH_NAME = "Museum of the Valley", "河谷博物馆"
HOME, ZH_HOME = "/index.html", "/zh/index.html"
_STYLE = "body{font:16px/1.5 sans-serif;max-width:52rem;margin:2rem auto}th{text-align:left;padding-right:2rem}img{width:320px}"
_ABOUT = {
    "en": "Words on our cards. A painting, clock or instrument has a maker, a year in which it was completed, its height, strings or"
    " weight, the hall that it is shown in, and the town that it was acquired in. Of a maker we tell when she or he was born, the"
    " birthplace, by whom taught, the town of the workshop and the highest medal; of a hall when it was opened, its area, floor and"
    " door, by whom it was given and where the stone is from; of a town when it was founded, its river, altitude, emblem and patron."
    " Each has a picture.",
    "zh": "卡片说明：瓷瓶写明作者、烧成年份、高度、釉色，以及陈列于哪个展厅；工匠写明出生日期、师从何人、擅长的题材和窑址；"
    "展厅写明启用年份、面积、捐赠人或捐建人，以及匾额上的字。每张卡片都有一张图。"
    "本馆每周二至周日开放，馆内展品可以写生，但请勿触摸。",
}
_LISTS = {
    "painting": "Oils, temperas and watercolours of four painters' hands.",
    "clock": "What told the valley its time, from the quay to the mine.",
    "instrument": "Strings that were played in inns, churches and on the road.",
    "maker": "Women and men whose works the museum keeps.",
    "hall": "Where the collection stands, and how these rooms came to be.",
    "town": "Where the makers were born, learned and worked.",
}


@cache
def museum_pages() -> dict[str, str]:
    """HTML by path: a home page and a list of each kind, then a page for each thing; the Chinese part has one list."""
    lists = {f"/{kind}s/index.html": _list(kind, about) for kind, about in _LISTS.items()}
    things = {one.path: _thing(one) for one in EXHIBITS}
    return {HOME: _home(), **lists, ZH_HOME: _chinese_home(), **things}


def _home() -> str:
    links = "".join(
        f'<li><a href="/{kind}s/index.html">{kind.title()}s</a>: {about}</li>' for kind, about in _LISTS.items()
    )
    body = (
        "<h1>Museum of the Valley</h1><p>An invented museum, made to try things out. It keeps paintings, clocks and instruments of"
        f' five makers in four halls.</p><ul>{links}</ul><p><a href="{ZH_HOME}">中文馆藏</a></p>'
    )
    return _page("en", NAME, body)


def _list(kind: str, about: str) -> str:
    title = f"{kind.title()}s"
    return _page(
        "en",
        f"{title} | {NAME}",
        f"<h1>{title}</h1><p>{about}</p>{_links([one for one in ENGLISH if one.kind == kind])}",
    )


def _chinese_home() -> str:
    body = (
        f"<h1>{ZH_NAME}</h1><p>这里陈列着四位工匠烧制的四件瓷瓶，分别放在四间展厅。内容全部虚构。</p>{_links(CHINESE)}"
    )
    return _page("zh", ZH_NAME, body)


def _links(things: Sequence[Exhibit]) -> str:
    return "<ul>" + "".join(f'<li><a href="{quote(one.path)}">{escape(one.name)}</a></li>' for one in things) + "</ul>"


def _thing(one: Exhibit) -> str:
    chinese = not one.kind.isascii()
    article = "an" if one.kind[0] in "aeiou" else "a"
    told = f"{one.name}是一个{one.kind}。{one.about}" if chinese else f"{one.name} is {article} {one.kind}. {one.about}"
    rows = "".join(f"<tr><th>{escape(label)}</th><td>{_value(value)}</td></tr>" for label, value in one.facts)
    name = escape(one.name)
    body = (
        f'<h1>{name}</h1><p>{escape(told)}</p><figure><img src="{one.picture}" alt="{name}" width="320" height="240">'
        f"<figcaption>{name}</figcaption></figure><table>{rows}</table>"
    )
    return _page("zh" if chinese else "en", f"{name} | {ZH_NAME if chinese else NAME}", body)


def _value(value: str) -> str:
    linked = next((one for one in EXHIBITS if one.name == value), None)
    return f'<a href="{quote(linked.path)}">{escape(value)}</a>' if linked is not None else escape(value)


def _page(language: str, title: str, body: str) -> str:
    home, name = (ZH_HOME, ZH_NAME) if language == "zh" else (HOME, NAME)
    body += f"<p>{_ABOUT[language]}</p>"
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>{title}</title><style>{_STYLE}</style></head>'
        f'<body><header><nav><a href="{home}">{name}</a></nav></header><main>{body}</main></body></html>'
    )
