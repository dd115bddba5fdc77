"""`walker eval build --pictures` and `walker eval to-vqa`: questions about pictures of a site."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click
import msgspec

from evaluation.building.checks import reasons
from evaluation.building.harvesting import HarvestLimits
from evaluation.building.make import Tell
from evaluation.building.picture_set.building import Folders, Helpers, PicturePlan, PictureSet, build_picture_set
from evaluation.building.picture_set.converting import ConvertedQuestions, Converting, convert_to_pictures
from evaluation.building.picture_set.named_pictures import fetch_named_pictures
from evaluation.building.picture_set.refreshing import PictureRefreshing, RefreshedPictures, refresh_picture_set
from evaluation.cli.sites import read_sites, with_bundled_sites
from evaluation.dataset.files import load, save
from evaluation.dataset.question import Dataset, Question
from walker.assembly import WalkResources
from walker.cli.run_command import run_for_person, stop_with
from walker.crawl.script.spec import Driver
from walker.errors import UsageError, WalkerError
from walker.settings import ModelSettings, Settings

_DEFAULTS = HarvestLimits()
SHOWN_FAILURES = 20
"""Pictures that are named on the terminal; all are in the JSON."""


def read_levels(text: str) -> tuple[int, ...]:
    """The levels of "1,2". Raises `UsageError`."""
    levels = tuple(dict.fromkeys(part.strip() for part in text.split(",")))
    if not levels or set(levels) - {"1", "2"}:
        raise UsageError(f"“{text}” are no levels", where="--level", advice='Write "1", "2" or "1,2"')
    return tuple(sorted(map(int, levels)))


def is_about_pictures(old: Dataset | None) -> bool:
    """Whether a dataset was built from pictures. Raises `UsageError` for one that was in part."""
    levels = [question.level > 0 for question in old.questions] if old is not None else []
    if any(levels) and not all(levels):
        raise UsageError(
            "some of its questions are about pictures, and some are not",
            where="--refresh",
            advice="Refresh each kind in a file of its own",
        )
    return any(levels)


def folders_of(out: Path, *, today: bool = False) -> Folders:
    """Where all beside a dataset's file is kept; a refresh has the harvest of its day."""
    store = out.with_suffix(".harvest")
    day = datetime.now(UTC).date().isoformat()
    return Folders(store=store / day if today else store, pictures=out.with_suffix(".pictures"))


async def build_and_save(out: Path, plan: PicturePlan, model: ModelSettings | None, tell: Tell) -> PictureSet:
    """Build a set and write it. Raises `WalkerError`."""
    async with WalkResources(Settings(record=False, model=model)) as resources:
        helpers = Helpers.of(resources.endpoint, model.name) if model is not None else None
        built = await build_picture_set(plan, folders_of(out), helpers, tell=tell)
    save(out, built.questions)
    return built


async def refresh_and_save(out: Path, refreshing: PictureRefreshing, tell: Tell) -> RefreshedPictures:
    """Refresh a set and write it. Raises `WalkerError`."""
    done = await refresh_picture_set(refreshing, folders_of(out, today=True), tell=tell)
    if not done.questions:
        raise WalkerError("none of its questions holds any more", where=str(out), advice="Build the set again")
    save(out, done.questions)
    return done


def show_pictures(out: Path, done: PictureSet | RefreshedPictures, *, as_json: bool) -> None:
    """Tell what was built or refreshed."""
    told = _told(out, done.questions)
    if isinstance(done, RefreshedPictures):
        told |= {"kept": done.kept, "dropped": len(done.dropped), "added": done.added, "reasons": reasons(done.dropped)}
    else:
        told |= {
            "pages": done.pages,
            "pictures": done.pictures,
            "verified": done.verified,
            "rejected": done.rejected,
        }
    if as_json:
        click.echo(msgspec.json.encode(told).decode())
        return
    levels = ", ".join(f"{count} of level {level}" for level, count in told["levels"].items())
    click.echo(f"{len(done.questions)} questions ({levels}), digest {told['digest']}: {out}")
    if isinstance(done, RefreshedPictures):
        click.echo(f"  {done.kept} still hold, {len(done.dropped)} were dropped, {done.added} are new")
    else:
        click.echo(f"  of {done.verified} of {done.pictures} pictures it is known what they show")
    for reason, count in (told.get("rejected") or told.get("reasons") or {}).items():
        click.echo(f"  {count} were refused: {reason}")


@click.command("fetch-pictures")
@click.argument("dataset", metavar="FILE", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
def fetch_pictures_command(dataset: Path, as_json: bool) -> None:
    r"""Fetch the pictures that FILE (in any known format) names by their addresses into the folder "images" beside it. What is there is
    not fetched again; pictures on private networks are not fetched.

    \b
    walker eval fetch-pictures livevqa.jsonl
    """
    done = run_for_person(
        fetch_named_pictures(dataset),
        as_json=as_json,
        interrupted="interrupted; the pictures so far are kept. Run the same command again to go on",
    )
    if as_json:
        click.echo(msgspec.json.encode(done).decode())
    else:
        click.echo(f"{done.fetched} pictures fetched, {done.known} were there already")
    for line in done.failed[:SHOWN_FAILURES]:
        click.echo(f"walker: {line}", err=True)
    if done.failed:
        raise SystemExit(1)


@click.command("to-vqa")
@click.argument("dataset", metavar="FILE")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Output file; its pictures lie beside it.")
@click.option(
    "--site",
    "sites",
    multiple=True,
    metavar="NAME=BASE",
    help="URL of a site that the questions name (repeatable).",
)
@click.option(
    "--max-pages", "pages", default=_DEFAULTS.pages, show_default=True, help="Read at most this many pages of a site."
)
@click.option(
    "--driver",
    type=click.Choice(["auto", "http", "playwright", "selenium"]),
    default=_DEFAULTS.driver,
    show_default=True,
    help="What fetches pages: auto renders only where it makes a difference.",
)
@click.option("--ignore-robots", is_flag=True, help="Ignore robots.txt (for your own sites).")
@click.option("--chromium", envvar="WALKER_CHROMIUM", default="", help="Path of a browser; found if not given.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
def to_vqa_command(**given: Any) -> None:
    r"""Turn the questions of FILE that name something into questions that show a picture of it.

    \b
    walker eval to-vqa questions.jsonl --out pictured.jsonl
    walker eval to-vqa qa.jsonl --site docs=http://127.0.0.1:8101/ --out pictured.jsonl

    The site of each question is read with its pictures. A question is kept if a picture surely shows what it names, if nothing in
    it says the name any more, and if a search for it does not find a source without the picture.
    """
    options = _Options(**given)
    try:
        asked = load(options.dataset)
        sites = read_sites(options.sites)
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=options.as_json)
    limits = HarvestLimits(
        pages=options.pages,
        driver=options.driver,
        robots=not options.ignore_robots,
        chromium=options.chromium,
    )
    with with_bundled_sites(sites, {question.site for question in asked.questions}) as known:
        done: ConvertedQuestions = run_for_person(
            _convert(options.out, Converting(asked=asked, sites=known, limits=limits)),
            as_json=options.as_json,
            interrupted="interrupted; harvested pages are kept. Run the same command again to resume",
        )
    if options.as_json:
        told = _told(options.out, done.questions) | {"rejected": reasons(done.rejected)}
        click.echo(msgspec.json.encode(told).decode())
        return
    click.echo(f"{len(done.questions)} of {len(asked.questions)} questions are about pictures now: {options.out}")
    for reason, count in reasons(done.rejected).items():
        click.echo(f"  {count} were refused: {reason}")


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    dataset: str
    out: Path
    sites: tuple[str, ...]
    pages: int
    driver: Driver
    ignore_robots: bool
    chromium: str
    as_json: bool


async def _convert(out: Path, converting: Converting) -> ConvertedQuestions:
    done = await convert_to_pictures(converting, folders_of(out), tell=lambda line: click.echo(line, err=True))
    if not done.questions:
        why = next(iter(reasons(done.rejected)), "there are none")
        raise WalkerError(
            f"none of the questions can be asked about a picture: {why}",
            where=str(out),
            advice="Name things in the questions that pictures of the site have as caption or alternative text",
        )
    save(out, done.questions)
    return done


def _told(out: Path, questions: Sequence[Question]) -> dict[str, Any]:
    levels = {level: sum(one.level == level for one in questions) for level in sorted({one.level for one in questions})}
    digest = Dataset(name=out.stem, questions=tuple(questions)).digest
    return {"questions": len(questions), "levels": levels, "digest": digest, "out": str(out)}
