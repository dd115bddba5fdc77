"""`walker library`: add to a library, list it, remove from it."""

from __future__ import annotations

import time
from pathlib import Path

import click
import msgspec
from rich.console import Console

from memory.library.protocol import LibraryInfo
from walker.cli.amounts import size_in_words
from walker.cli.places.run_places import RecordedRuns
from walker.cli.run_command import NOT_ANSWERED, error_console, run_for_person, stop_with
from walker.cli.tables import Column, print_folded, print_rows
from walker.errors import WalkerError
from walker.library.filling import LibraryFiller
from walker.library.opening import opened_library
from walker.library.sources import add_source
from walker.pictures.picture_text import checked_reader

_COLUMNS = (
    Column(gap=0, side="right", least=5),
    Column(side="right", least=3),
    Column(least=3),
    Column(gap=1, shortest=24, cut="middle"),
    Column(shortest=10, rank=1),
)
_FILE = click.Path(path_type=Path)
_JSON = click.option("--json", "as_json", is_flag=True, is_eager=True, help="Print JSON on stdout and nothing else.")
SITES_SHOWN = 10


@click.group("library")
def library_command() -> None:
    r"""Fill and look after libraries: files with the passages of pages, for walker search and walker ask --library.

    \b
    walker library add docs.library runs crawls/docs.example.org site.warc.gz
    walker library info docs.library
    walker library list docs.library --json
    walker library remove docs.library "https://docs.example.org/old/*"

    walker crawl ROOT --library FILE fills one as it goes.
    """


@library_command.command("add")
@click.argument("file", type=_FILE)
@click.argument("sources", nargs=-1, required=True, type=RecordedRuns())
@_JSON
@click.option(
    "--picture-text", is_flag=True, help="Read what is written in pictures too (OCR), so that words find them."
)
@click.option("-q", "--quiet", is_flag=True, help="Show no progress.")
def add_command(file: Path, sources: tuple[Path, ...], *, as_json: bool, picture_text: bool, quiet: bool) -> None:
    r"""Add the pages of SOURCES to FILE, which is made where it is not there. A source is the folder of a recorded walk or
    of a crawl, a folder of them, a pages.jsonl, or a WARC file. Of a crawl, pages are added that it kept (--keep html,
    markdown or text); what a source has of errors, login pages and other files is left out. Pictures are added where a WARC
    file has them, or a walk that recorded its network.

    Each page is safe once it was added: after an interruption run the same command again. What is there already stays
    as it is, and a page that has changed takes the place of the old one.

    \b
    walker library add docs.library runs
    walker library add docs.library crawls/docs.example.org
    walker library add docs.library site.warc.gz --json
    """
    work = _add(file, sources, error_console(quiet=quiet or as_json), reads_pictures=picture_text)
    filler = run_for_person(
        work, as_json=as_json, interrupted="interrupted; what was added is there. Run the same command again to go on"
    )
    if as_json:
        click.echo(msgspec.json.encode(dict(sorted(filler.counts.items()))).decode())
    elif not filler.counts:
        click.echo("walker: the sources hold no pages with text (a crawl keeps it with --keep html)", err=True)
    if not filler.counts:
        raise SystemExit(NOT_ANSWERED)


async def _add(file: Path, sources: tuple[Path, ...], console: Console, *, reads_pictures: bool) -> LibraryFiller:
    read = checked_reader("rapidocr") if reads_pictures else None
    with opened_library(file, writable=True) as library:
        whole = LibraryFiller(library)
        for source in sources:
            filler = await add_source(library, source, read)
            whole.counts.update(filler.counts)
            console.print(f"{source}: {_counted(filler)}", markup=False, soft_wrap=True)
        return whole


def _counted(filler: LibraryFiller) -> str:
    words = {
        "new": "new",
        "changed": "changed",
        "known": "known already",
        "empty": "without text",
        "refused": "left out",
    }
    counts = filler.counts
    told = ", ".join(f"{counts[kind]} {word}" for kind, word in words.items() if counts[kind])  # type: ignore[index]
    return told or "no pages"


@library_command.command("list")
@click.argument("file", type=_FILE)
@_JSON
def list_command(file: Path, *, as_json: bool) -> None:
    r"""List the pages of FILE by address: passages, pictures, language, title. With --json a line a page, with its other addresses.

    \b
    walker library list docs.library
    walker library list docs.library --json
    """
    try:
        with opened_library(file) as library:
            if not as_json:
                print_rows(
                    _COLUMNS,
                    (
                        (str(page.passages), str(page.pictures), page.language or "-", page.url, page.title)
                        for page in library.pages()
                    ),
                )
                return
            for page in library.pages():
                click.echo(msgspec.json.encode(page).decode())
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)


@library_command.command("remove")
@click.argument("file", type=_FILE)
@click.argument("addresses", nargs=-1, required=True)
@_JSON
def remove_command(file: Path, addresses: tuple[str, ...], *, as_json: bool) -> None:
    r"""Remove pages from FILE by their ADDRESSES; one that ends in * means all that begin with it. Exit code 3 if there is
    none of them.

    \b
    walker library remove docs.library https://docs.example.org/old.html
    walker library remove docs.library "https://docs.example.org/old/*"
    """
    try:
        with opened_library(file):
            pass  # a library that is not there is not made to remove something from it
        with opened_library(file, writable=True) as library:
            removed = sum(library.remove(address) for address in addresses)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode({"removed": removed}).decode())
    else:
        click.echo(f"{removed} removed")
    if not removed:
        raise SystemExit(NOT_ANSWERED)


@library_command.command("info")
@click.argument("file", type=_FILE)
@_JSON
def info_command(file: Path, *, as_json: bool) -> None:
    r"""Say what FILE holds: pages, addresses, passages, pictures, languages, sites, bytes.

    \b
    walker library info docs.library
    walker library info docs.library --json
    """
    try:
        with opened_library(file) as library:
            info = library.info()
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode(info).decode())
    else:
        _print_info(file, info)


def _print_info(file: Path, info: LibraryInfo) -> None:
    changed = time.strftime("%Y-%m-%d %H:%M", time.localtime(file.stat().st_mtime))
    print_folded(f"{file}: {size_in_words(info.bytes)}, changed {changed}, format {info.format}")
    pictures = f", {info.pictures} pictures" if info.pictures else ""
    print_folded(f"  {info.pages} pages under {info.addresses} addresses, {info.passages} passages{pictures}")
    if info.languages:
        print_folded("  languages: " + ", ".join(f"{name or 'unknown'} {n}" for name, n in info.languages.items()))
    for number, (site, pages) in enumerate(info.sites.items()):
        if number == SITES_SHOWN:
            print_folded(f"  and {len(info.sites) - SITES_SHOWN} sites more")
            break
        print_folded(f"  {site}: {pages}")
