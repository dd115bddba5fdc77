"""Some fifty recorded walks to make trajectories of: the kept ones, and walks of a real browser over sites on loopback."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

import msgspec

sys.path.insert(0, str(Path(__file__).parent))
sys.path.insert(0, str(Path(__file__).parents[1]))
from small_print import make_site

from tests.sites.museum import pages as museum_pages
from tests.sites.museum import pictures as museum_pictures
from tests.sites.pages_on_loopback import serve
from tests.sites.practice.countries import countries_site
from tests.sites.practice.shop import shop_site
from tests.sites.serving import LoopbackSite, serving
from walker.asked_picture.picture_file import read_picture
from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.demo.server import serve_institute
from walker.files.atomic_output import write_output
from walker.settings import Components, Limits, Settings

KEPT = Path(__file__).parents[1] / "tests" / "recordings"
LIMITS = Limits(pages=12, seconds=60.0)
INSTITUTE = (
    "What is the greatest depth of water in the tidal flume?",
    "Which is longer, the tidal flume or the wave basin?",
    "Name three papers of 2025.",
    "How many people are listed on the institute's people pages?",
    "硕士课程每年的学费是多少？",
    "How long is the research boat Curlew?",
    "How many people does the boat Avocet carry?",
    "What is the fee of the certificate in tide measurement?",
    "Until when are applications for the autumn of 2027 open?",
    "Who is the skipper of the boats?",
    "How many paddles does the wave basin have?",
    "What does the freeze corer cost a day?",
    "When was the tidal flume built?",
    "On which days does the summer school take place?",
    "What is the telephone number of the institute?",
    "What is a neap tide?",
    "When is the open day?",
    "Who won the harbour prize?",
    "How many courses are listed on the 'Courses' page?",
    "Name two kinds of research of the institute.",
    "What is the melting point of tungsten?",
    "Which language does the director speak at home?",
    "Who teaches the evening class?",
    "How much carbon does the salt marsh store?",
    "研究所的电话号码是多少？",
)
MUSEUM = (
    "Who built the Old Span?",
    "How tall is Norrey Light?",
    "Which is taller, Norrey Light or Gull Mill?",
    "When was Gull Mill built, and how tall is it?",
    "On which day is the museum closed?",
    "How many towers are listed on the 'Heights of the towers' page?",
    "What did Gull Mill grind?",
    "Who is the director of the museum?",
)
PICTURED = ("When was the mill in the picture built?", "How tall is this mill?")
COUNTRIES = (
    "How many frames are there on the 'Turtles All the Way Down' page?",
    "Name three countries.",
    "Which lesson speaks of films?",
)
SHOP = ("Name two laptops of the shop.", "How many tablets are listed in the static shop?", "What are popups?")
BOARDS = tuple(make_site(seed) for seed in range(3))
"""Shops with prices in pictures of small letters, of which walks enlarge parts."""
BASELINE = Components(vision=False, url_stack=False, counter=False)
WITHOUT_VISION = Components(vision=False)


class Walks(msgspec.Struct, frozen=True, kw_only=True):
    """Questions to one site, and the modules of the walks."""

    site: str
    questions: tuple[str, ...]
    components: Components = Components()
    picture: str = ""
    """Path of the picture on the site that all of them ask about."""


PLAN = (
    Walks(site="institute", questions=INSTITUTE),
    Walks(site="museum", questions=MUSEUM),
    Walks(site="countries", questions=COUNTRIES),
    Walks(site="shop", questions=SHOP),
    Walks(site="institute", questions=INSTITUTE[:4], components=BASELINE),
    Walks(site="institute", questions=INSTITUTE[4:8], components=WITHOUT_VISION),
    Walks(site="museum", questions=PICTURED, picture="/mill.png"),
    # Asked again, so that a group of samples has a picture.
    Walks(site="museum", questions=PICTURED, picture="/mill.png", components=WITHOUT_VISION),
    *(Walks(site=f"boards-{number}", questions=(question,)) for number, (_, question, _) in enumerate(BOARDS)),
)


async def make_walks(folder: Path) -> tuple[Path, ...]:
    """The runs, made where they are missing: three kept ones and 54 new ones."""
    runs = []
    for kind in ("count", "model", "single"):
        if not (folder / kind).exists():
            shutil.copytree(KEPT / kind, folder / kind)
        runs.append(folder / kind)
    settings = Settings(limits=LIMITS, chromium=os.environ.get("WALKER_CHROMIUM", ""))
    with ExitStack() as stack:
        roots = {
            "institute": stack.enter_context(serve_institute()),
            "museum": stack.enter_context(serve(museum_pages())) + "/",
            "countries": stack.enter_context(serving(LoopbackSite(countries_site))).home,
            "shop": stack.enter_context(serving(LoopbackSite(shop_site))).home,
        }
        for number, (pages, _, _) in enumerate(BOARDS):
            roots[f"boards-{number}"] = stack.enter_context(serve(pages)) + "/"
        async with WalkResources(settings) as resources:
            for place, walks in enumerate(PLAN):
                runs += await _asked(resources, walks, roots[walks.site], folder / f"walks-{place}")
    return tuple(runs)


async def _asked(resources: WalkResources, walks: Walks, root: str, folder: Path) -> Sequence[Path]:
    found = []
    picture = None
    if walks.picture:
        file = folder.with_suffix(".png")
        write_output(file, museum_pictures()[walks.picture])
        picture = read_picture(file)
    for number, question in enumerate(walks.questions):
        place = folder / f"{number:02}"
        if not any(place.glob("*/run.json")):
            settings = msgspec.structs.replace(resources.settings, runs_folder=place, components=walks.components)
            await ask_in(resources.with_settings(settings), root, question, picture=picture)
        found += [run.parent for run in sorted(place.glob("*/run.json"))][:1]
    return found
