"""Random facts, so that no answer can be guessed."""

from __future__ import annotations

import random

GOODS = (
    "Rope",
    "Lantern",
    "Compass",
    "Oilskin coat",
    "Tar bucket",
    "Signal flag",
    "Brass bell",
    "Sea chart",
    "Fishing net",
    "Anchor",
)
DISHES = (
    "Fish soup",
    "Apple cake",
    "Espresso",
    "Smoked eel",
    "Rye bread",
    "Crab salad",
    "Lemon tart",
    "Flat white",
    "Ginger beer",
)
TOWNS = ("Brenholm", "Karsund", "Vellmar", "Oderby", "Tansvik", "Malmrode", "Eskdal", "Hollen", "Rivna", "Stellin")
PEOPLE = (
    "Ida Brandt",
    "Tomas Vik",
    "Greta Holm",
    "Anders Lund",
    "Mira Stern",
    "Jonas Falk",
    "Clara Nyberg",
    "Oskar Dahl",
)
MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
ZH_DISHES = ("红烧鱼", "海鲜面", "苹果派", "姜茶", "黑麦面包", "蟹肉沙拉", "柠檬挞")
ZH_PLACES = ("东港", "北岸", "石桥", "青湾", "白塔", "沙洲")


def prices(chance: random.Random, names: tuple[str, ...], count: int) -> list[tuple[str, str]]:
    """Names with a price each, all prices different."""
    chosen = chance.sample(names, k=count)
    cents = chance.sample(range(105, 2900, 5), k=count)
    return [(name, f"{value / 100:.2f}") for name, value in zip(chosen, cents, strict=True)]


def amounts(
    chance: random.Random, names: tuple[str, ...], count: int, low: int = 12, high: int = 98
) -> list[tuple[str, int]]:
    """Names with a whole number each, all different."""
    return list(zip(chance.sample(names, k=count), chance.sample(range(low, high), k=count), strict=True))


def listed(pairs: list[tuple[str, str]] | list[tuple[str, int]], unit: str = "") -> str:
    """A table of names and values."""
    rows = "".join(f"<tr><td>{name}</td><td>{value}{unit}</td></tr>" for name, value in pairs)
    return f"<table>{rows}</table>"
