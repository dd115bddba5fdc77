"""`walker extract`: the fields of a schema, or its records, from pages; each value with its quote."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn

import click
import msgspec
from rich.console import Console

from walker.asking import ask_in
from walker.assembly import WalkResources
from walker.batch.extracting import Wanted, extract_batch
from walker.cli.grouped_command import GroupedCommand
from walker.cli.model_options import read_components, read_model, read_vision, with_model_options
from walker.cli.places.run_places import shown
from walker.cli.places.walk_places import check_place
from walker.cli.reach_options import read_reach, with_reach_options
from walker.cli.run_command import NOT_ANSWERED, error_console, print_secret_notice, run_for_person, stop_with
from walker.cli.tables import print_folded
from walker.cli.typed.schema_file import read_schema
from walker.cli.typed.shown_answer import show_stopped
from walker.cli.typed.typed_answer import show_typed
from walker.cli.walk_options import GROUPS
from walker.cli.walks.place_option import PlaceOption, read_place, with_place_option
from walker.cli.walks.way_out_options import read_way_out, with_run_options
from walker.errors import UsageError, WalkerError
from walker.extraction.schemas.program_schema import TypedSchema
from walker.extraction.schemas.record_lines import lines_of
from walker.extraction.schemas.schema_settings import as_checked, with_schema
from walker.extraction.schemas.typed_answers import TypedOutcome
from walker.extraction.schemas.wanted import WantedObject, leaves_of, records_of, told_schema
from walker.progress import ProgressLines
from walker.rules.scope import check_root
from walker.run_setup import StopKeeper
from walker.seams.protocols import TraceSink
from walker.settings import Limits, Settings

PAGES_FOLLOWED = 20


@click.command("extract", cls=GroupedCommand, groups=GROUPS)
@click.argument("roots", nargs=-1, metavar="[ROOT]...")
@click.option(
    "--schema", required=True, metavar="FILE|MODULE:MODEL", help="What is wanted: a JSON Schema, or a pydantic model."
)
@click.option("-o", "--out", type=click.Path(path_type=Path, dir_okay=False), help="Write JSON Lines, a line a record.")
@click.option("--plain", is_flag=True, help="Write the data alone into the file, without quotes and pages.")
@click.option("--about", default="", metavar="WORDS", help="Which thing is meant, where a page has several: its name.")
@click.option(
    "--follow", is_flag=True, help="Go on to further pages of a list, and to links that may lead to what is missing."
)
@click.option(
    "--max-pages",
    type=click.IntRange(1),
    help=f"Open at most this many pages of each ROOT. [default: 1, with --follow {PAGES_FOLLOWED}]",
)
@click.option("--dry-run", is_flag=True, help="Print how the schema is understood, and open nothing.")
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    is_eager=True,
    help="Print one JSON object for each ROOT on stdout and nothing else.",
)
@click.option("--no-boxes", is_flag=True, help="Draw no pages: values have no place on the page then.")
@click.option("--max-seconds", default=600.0, show_default=True, help="Stop after this many seconds.")
@click.option(
    "--scope",
    type=click.Choice(["host", "path"]),
    default="host",
    show_default=True,
    help="Follow links to the whole host, or only below the root's folder.",
)
@with_run_options("root")
@with_reach_options
@click.option(
    "--batch", "batch_file", type=click.Path(path_type=Path), help="Extract from each address of this file, one a line."
)
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True, help="Concurrent walks of a batch.")
@with_place_option
@with_model_options
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def extract_command(**given: Any) -> None:
    r"""Fill in a schema from the page at ROOT, or from the pages that it leads to.

    Every value is taken by code from words that stand on a page, and is told with them; what is not sure stays empty, with the
    reason. Without a model, values come from tables, cards, labels ("Price: 12 EUR") and the page's own data (JSON-LD, microdata).
    A model, where one is named, only says where a value stands: it cannot invent one.

    A schema is one thing ({"type": "object", "properties": {...}}), or a list of records ({"type": "array", "items": {...}}).
    Descriptions of fields are hints, in any language ("description": "Preis").

    \b
    walker extract https://shop.example/mug --schema product.json
    walker extract https://shop.example/mugs --schema shop.models:Products --follow -o mugs.jsonl
    walker extract https://shop.example/ --schema product.json --follow --about "Blue mug" --model qwen3:8b
    walker extract https://shop.example/mug --schema product.json --dry-run
    walker extract --batch mugs.txt --schema product.json -o mugs.jsonl --jobs 16 --on ray://10.0.0.5:10001

    A batch that is stopped or killed goes on with the same command: FILE.roots, beside the FILE of -o, holds what each address came
    to. The records in FILE are in the order of the addresses.

    Exit codes: 0 all required fields have a value, in every record or entry of a list too, 3 some have none, or nothing was found, 1 a page cannot be had, 2 the request cannot be.
    """
    if read_vision(given) is not None:
        raise click.UsageError("--vision-model: an extraction reads the text of pages, no pictures")
    model, components = read_model(given), read_components(given)
    reach, hidden = read_reach(given, as_json=given["as_json"])
    options = _Options(**given)
    _check_request(options)
    try:
        schema = read_schema(options.schema)
        for root in options.roots:
            check_root(root)
    except UsageError as error:
        stop_with(str(error), error.exit_code, as_json=options.as_json)
    if options.dry_run:
        _dry_run(schema, as_json=options.as_json)
        return
    settings = msgspec.structs.replace(_settings(options), model=model, components=components, **reach)
    settings = msgspec.structs.replace(settings, secrets=(*settings.secrets, *hidden))
    settings = with_schema(settings, schema, boxes=not options.no_boxes)
    console = error_console(quiet=options.quiet)
    print_secret_notice(settings, console)
    if options.batch_file is not None:
        _batch(options, settings, schema, console)
        return
    interrupted = f"interrupted; what was read so far is recorded in {shown(options.runs_folder)}"
    progress = StopKeeper(ProgressLines(console))
    is_complete = run_for_person(
        _extract_all(options, settings, schema, progress),
        as_json=options.as_json,
        interrupted=interrupted,
        on_interruption=lambda: show_stopped(
            progress.so_far(settings.sure, error=interrupted), as_json=options.as_json
        ),
    )
    raise SystemExit(0 if is_complete else NOT_ANSWERED)


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    roots: tuple[str, ...]
    schema: str
    out: Path | None
    plain: bool
    about: str
    follow: bool
    max_pages: int | None
    dry_run: bool
    as_json: bool
    no_boxes: bool
    max_seconds: float
    scope: str
    page_seconds: float
    runs_folder: Path
    no_record: bool
    header_lines: tuple[str, ...]
    proxy: str
    batch_file: Path | None
    jobs: int
    place: PlaceOption
    quiet: bool


def _check_request(options: _Options) -> None:
    """It names addresses, or a file of them. Raises `click.UsageError`."""
    check_place(options.place.where, is_batch=options.batch_file is not None)
    if options.batch_file is None:
        if not options.roots:
            raise click.UsageError("give a ROOT address, or --batch FILE with one a line")
        return
    if options.roots:
        raise click.UsageError("--batch takes its addresses from the file; give no ROOT")
    if options.out is None and not options.dry_run:
        raise click.UsageError("--batch needs -o FILE too")


def _batch(options: _Options, settings: Settings, schema: TypedSchema[Any], console: Console) -> NoReturn:
    assert options.batch_file is not None
    assert options.out is not None, "checked with the request"
    wanted = Wanted(schema=schema, question=_question(schema, options.about), plain=options.plain)
    place = read_place(options.place, settings, jobs=options.jobs, as_json=options.as_json)
    interrupted = f"interrupted; what was read so far is in {options.out}. Run the same command again to go on"
    work = extract_batch(options.batch_file, wanted, out=options.out, place=place, console=console)
    report = run_for_person(work, as_json=options.as_json, interrupted=interrupted)
    if options.as_json:
        click.echo(msgspec.json.encode(report).decode())
    else:
        click.echo(f"{report.lines} lines in {options.out}", err=True)
    if report.failed:
        failed = f"{report.failed} of {report.roots} addresses failed; {report.kept_in} says why"
        click.echo(f"walker: {failed}. Run the same command again to try them again", err=True)
    raise SystemExit(1 if report.failed else NOT_ANSWERED if report.incomplete else 0)


async def _extract_all(options: _Options, settings: Settings, schema: TypedSchema[Any], progress: TraceSink) -> bool:
    """Extract from each root in turn, in one browser; a root that cannot be had ends none of the others. Whether all is complete."""
    is_complete, is_begun = True, False
    written: set[str] = set()
    question = _question(schema, options.about)
    with _opened(options.out) as file:
        async with WalkResources(settings) as resources:
            for root in options.roots:
                try:
                    outcome = await ask_in(resources, root, question, progress=progress)
                except WalkerError as error:
                    if len(options.roots) == 1:
                        raise
                    click.echo(f"walker: {error}", err=True)
                    is_complete = False
                    continue
                typed = as_checked(outcome, schema)
                is_complete = is_complete and typed.answered and typed.is_complete
                show_typed(typed, as_json=options.as_json)
                _advise(options, typed)
                new = [line for line in lines_of(typed, plain=options.plain) if line not in written]
                written.update(new)
                if file is not None:
                    if not is_begun and options.out is not None and options.out.is_file():
                        file.truncate(0)
                    is_begun = True
                    file.writelines(f"{line}\n" for line in new)
                    file.flush()
    if options.out is not None and not options.as_json:
        click.echo(f"{len(written)} lines in {options.out}", err=True)
    return is_complete


def _advise(options: _Options, typed: TypedOutcome[Any]) -> None:
    """Say to whom one page was not enough that there are more: nothing else that is printed names the flag."""
    if not (typed.answered or typed.error or options.follow or options.as_json or options.quiet):
        what = "  Only ROOT was read. --follow goes on to pages that may have the rest"
        print_folded(
            f"{what}; --about says which thing is meant." if not typed.records else f"{what}.", hang=2, err=True
        )


@contextmanager
def _opened(out: Path | None) -> Iterator[IO[str] | None]:
    if out is None:
        yield None
        return
    try:
        # What an earlier run wrote stays until there is something to write: a site that is down takes nothing away.
        file = out.open("a", encoding="utf-8")
    except OSError as error:
        raise UsageError(
            f"cannot be written ({error.strerror})", where=str(out), advice="Choose another file"
        ) from None
    with file:
        yield file


def _question(schema: TypedSchema[Any], about: str) -> str:
    """What the run is called in lists of runs, and what its links are ranked by."""
    listed = records_of(schema.wanted)
    thing = listed.record if listed is not None else schema.wanted
    assert isinstance(thing, WantedObject), "a schema is an object or a list of objects"
    names = ", ".join(path for path, _ in leaves_of(thing)[:8])
    return " ".join(filter(None, ("Extract", thing.title, about))) + f": {names}"


def _dry_run(schema: TypedSchema[Any], *, as_json: bool) -> None:
    if as_json:
        click.echo(msgspec.json.encode(schema.wanted).decode())
        return
    listed = records_of(schema.wanted)
    click.echo("one thing:" if listed is None else "records, each with:")
    click.echo(told_schema(schema.wanted if listed is None else listed.record))


def _settings(options: _Options) -> Settings:
    if not options.page_seconds > 0 or not options.max_seconds > 0:
        raise click.UsageError("--page-seconds and --max-seconds take a number of seconds above 0")
    headers, proxy, sent = read_way_out(options.header_lines, options.proxy, as_json=options.as_json)
    return Settings(
        limits=Limits(
            pages=options.max_pages or (PAGES_FOLLOWED if options.follow else 1), seconds=options.max_seconds
        ),
        scope="path" if options.scope == "path" else "host",
        runs_folder=options.runs_folder,
        record=not options.no_record,
        page_seconds=options.page_seconds,
        chromium=os.environ.get("WALKER_CHROMIUM", ""),
        headers=headers,
        proxy=proxy,
        secrets=sent,
    )
