"""Prints how many prices on boards of small letters the built-in strategy finds, with crops and without, and what a crop costs."""

from __future__ import annotations

import asyncio
import random
import statistics
import sys
import time
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from figures import print_figure

from tests.sites.pages_on_loopback import serve
from traces.events import PictureCropped
from walker.assembly import WalkResources, make_rules, read_task
from walker.settings import Settings
from walker.strategies.builtin.builtin_explorer import BuiltinExplorer
from walker.testing.fakes import EventList
from walker.walk.loop import walk

WARES = "Compass Lantern Anchor Sextant Harpoon Rudder Capstan Barometer Spyglass Mainsail Windlass Foghorn".split()
SITES = 8
WANTED = 0.8
"""Share of the prices that must be found with crops."""


def make_site(seed: int) -> tuple[dict[str, str | bytes], str, str]:
    """Pages, a question and its answer: three or four boards whose letters are shown 2 to 5 pixels high. The gate draws the
    first two larger by itself; the price stands on the third."""
    chance = random.Random(seed)
    wares = chance.sample(WARES, 12)
    prices = {ware: f"{chance.randint(200, 19_999) / 100:.2f}" for ware in wares}
    boards, shown = chance.randint(3, 4), chance.choice((2, 3, 4, 5))
    scale = shown / 28
    files, body = {}, ""
    for number in range(boards):
        rows = "".join(
            f'<text x="60" y="{90 + 80 * at}" font-size="28" font-family="sans-serif">{ware}</text>'
            f'<text x="900" y="{90 + 80 * at}" font-size="28" font-family="sans-serif">{prices[ware]} EUR</text>'
            for at, ware in enumerate(wares[number::boards])
        )
        files[f"/board{number}.svg"] = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="1060">{rows}</svg>'
        )
        size = f"width={round(1200 * scale)} height={round(1060 * scale)}"
        body += f"<h2>Prices, board {number + 1}</h2><p><img src=/board{number}.svg {size}></p>"
    head = "<html lang=en><title>Prices</title><h1>Our prices</h1><p>All prices of this season are on the boards.</p>"
    front = '<html lang=en><title>Shop</title><h1>Shop</h1><p>Things for the sea.</p><a href="/prices">Prices</a>'
    asked = chance.choice(wares[2::boards])
    return {"/": front, "/prices": head + body, **files}, f"What is the price of the {asked.lower()}?", prices[asked]


async def walk_all(crops: bool) -> list[tuple[bool, int, float]]:
    """All sites with readers of their own: what one arm has read, the other has to read too."""
    async with WalkResources(Settings(record=False, page_seconds=60)) as resources:
        await walked(resources, 999, crops=crops)
        return [await walked(resources, seed, crops=crops) for seed in range(SITES)]


async def walked(resources: WalkResources, seed: int, *, crops: bool) -> tuple[bool, int, float]:
    """Whether the price was found, how many crops it took, and CPU seconds of reading, the browser's left out."""
    pages, question, price = make_site(seed)
    with serve(pages) as base:
        task, events = read_task(base, question, "en"), EventList()
        edges = resources.edges(task)
        edges = msgspec.structs.replace(edges, explorer=BuiltinExplorer(resources.ranker, may_look=crops))
        began = time.process_time()
        try:
            outcome = await walk(task, edges, make_rules(task, resources.settings, resources), events)
        finally:
            await edges.browser.close()
    made = sum(isinstance(event, PictureCropped) for event in events.events)
    return outcome.answer.startswith(price), made, time.process_time() - began


async def main() -> None:
    """Both arms on all sites."""
    arms = {crops: await walk_all(crops) for crops in (True, False)}
    found = {crops: sum(told for told, _, _ in arm) / len(arm) for crops, arm in arms.items()}
    made = [crops for _, crops, _ in arms[True]]
    cost = [one - other for (_, crops, one), (_, _, other) in zip(arms[True], arms[False], strict=True) if crops]
    print_figure("small print found with crops", round(found[True], 3), "share", f">= {WANTED}", found[True] >= WANTED)
    gained = found[True] - found[False]
    print_figure("small print found without", round(found[False], 3), "share", "less than with", gained > 0)
    print_figure("crops of a page of small print", round(statistics.mean(made), 2), "crops", "<= 4", max(made) <= 4)
    seconds = sum(cost) / max(1, sum(made))
    print_figure("CPU seconds of a crop", round(seconds, 2), "s", "<= 3", seconds <= 3)


if __name__ == "__main__":
    asyncio.run(main())
