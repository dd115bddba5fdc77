"""`walker runs`: list, remove, copy, pack and unpack recorded walks."""

from __future__ import annotations

import shutil
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click
import msgspec

from traces.errors import StoreError, TraceError
from traces.reading.catalogue import RunEntry, RunFilter, describe_run, find_runs
from traces.store.mirror import bring_whole, mirror_of, place_at
from traces.store.packing import pack_run, unpack_run
from traces.store.run_copy import copy_run
from traces.store.run_files import MANIFEST_NAME
from traces.store.run_path import ZIP_SUFFIX
from walker.cli.amounts import read_age, read_size, size_in_words
from walker.cli.places.run_places import RecordedRuns, shown
from walker.cli.run_command import stop_with
from walker.cli.tables import Column, shortened, table_lines, terminal_width

DEFAULT = Path("runs")
WIDEST = 200
"""Columns of a line in a pipe; only answers make it longer."""
_COLUMNS = (
    Column(gap=0, shortest=30, cut="middle"),
    Column(least=13, shortest=8),
    Column(gap=1, side="right", rank=2),
    Column(gap=1, side="right", rank=3),
    Column(gap=1, side="right", least=9, rank=4),
    Column(shortest=12, rank=1),
)
_PATH = click.Path(path_type=Path)
_RUNS = RecordedRuns()
_SORTS = {
    "time": lambda entry: (-entry.created, entry.path.name),
    "size": lambda entry: (-entry.bytes, entry.path.name),
    "pages": lambda entry: (-entry.pages, entry.path.name),
    "question": lambda entry: (entry.question.casefold(), entry.created),
}


@click.group("runs", invoke_without_command=True)
@click.pass_context
def runs_command(context: click.Context) -> None:
    r"""List recorded walks, remove them, copy them, pack them into one file each and unpack them.

    \b
    walker runs                                            all of the folder runs, newest first
    walker runs list --find flume --state answered
    walker runs remove --older-than 30d --yes
    walker runs pack runs/20260101-120000-how-many-a1b2c3
    walker runs unpack 20260101-120000-how-many-a1b2c3.zip
    walker runs copy runs s3://walks/team
    """
    if context.invoked_subcommand is None:
        context.invoke(list_command)


def _with_filter(command: Any) -> Any:
    options = (
        click.option(
            "--find", "words", default="", metavar="WORDS", help="Words in the question, answer, address or name."
        ),
        click.option(
            "--state",
            "states",
            multiple=True,
            metavar="STATE",
            help="ended, failed, 'cut off', live or damaged, or a reason to stop such as answered (repeatable).",
        ),
        click.option(
            "--older-than", type=read_age, metavar="AGE", help="Recorded more than this long ago, such as 30d."
        ),
        click.option(
            "--newer-than", type=read_age, metavar="AGE", help="Recorded less than this long ago, such as 12h."
        ),
        click.option(
            "--larger-than", type=read_size, metavar="SIZE", default="0", help="At least this large, such as 100MB."
        ),
        click.option(
            "--json", "as_json", is_flag=True, is_eager=True, help="Print one JSON object on stdout and nothing else."
        ),
    )
    for option in reversed(options):
        command = option(command)
    return command


@runs_command.command("list")
@click.argument("folders", nargs=-1, type=_RUNS)
@_with_filter
@click.option("--sort", type=click.Choice(sorted(_SORTS)), default="time", show_default=True, help="Sort order.")
def list_command(folders: tuple[Path, ...], sort: str, as_json: bool, **given: Any) -> None:
    r"""List the runs in FOLDERS (the folder runs if none is given): also packed, interrupted ("cut off") and damaged ones.

    \b
    walker runs list
    walker runs list old-runs --sort size --larger-than 10MB
    walker runs list --state "cut off" --newer-than 12h --json
    walker runs list s3://walks/team
    """
    entries = sorted(_select(folders or (DEFAULT,), given, as_json=as_json), key=_SORTS[sort])
    total = sum(entry.bytes for entry in entries)
    if as_json:
        click.echo(msgspec.json.encode({"runs": entries, "bytes": total}, enc_hook=shown).decode())
        return
    _print_entries(entries)
    click.echo(f"{len(entries)} run{'s' * (len(entries) != 1)}, {size_in_words(total)}")


@runs_command.command("remove")
@click.argument("runs", nargs=-1, type=_RUNS)
@_with_filter
@click.option("--yes", is_flag=True, help="Remove them; without it they are only listed.")
def remove_command(runs: tuple[Path, ...], as_json: bool, yes: bool, **given: Any) -> None:
    r"""Remove runs: those named, or all in a folder that match the flags. A run that is still being written is skipped.

    \b
    walker runs remove --older-than 30d                    only lists them
    walker runs remove --older-than 30d --larger-than 50MB --yes
    walker runs remove runs/20260101-120000-how-many-a1b2c3 --yes
    """
    if not runs and not any(given.values()):
        raise click.UsageError("name the runs, or say which: --older-than, --larger-than, --state or --find")
    entries = [entry for entry in _select(runs or (DEFAULT,), given, as_json=as_json) if _may_go(entry)]
    removed = []
    for entry in entries:
        if yes:
            _remove(entry, as_json=as_json)
            removed.append(entry.path)
    if not yes and not as_json:
        _print_entries(entries)
    freed = size_in_words(sum(entry.bytes for entry in entries))
    if as_json:
        listed = {"removed": removed, "would_remove": [] if yes else [entry.path for entry in entries]}
        click.echo(msgspec.json.encode(listed, enc_hook=shown).decode())
    elif yes:
        click.echo(f"removed {len(entries)} run{'s' * (len(entries) != 1)}, {freed}")
    else:
        click.echo(f"{len(entries)} run{'s' * (len(entries) != 1)}, {freed}; add --yes to remove them")


@runs_command.command("pack")
@click.argument("runs", nargs=-1, required=True, type=_RUNS)
@click.option(
    "-o", "--to", "target", type=_PATH, help="File for one run, or folder for several; beside each run if not given."
)
def pack_command(runs: tuple[Path, ...], target: Path | None) -> None:
    r"""Pack each of RUNS into one zip file, which every command reads without unpacking; the folder is not removed.

    \b
    walker runs pack runs/20260101-120000-how-many-a1b2c3
    walker runs pack runs/2026* -o archive
    walker replay 20260101-120000-how-many-a1b2c3.zip
    """
    for run in runs:
        file = run.with_name(run.name + ZIP_SUFFIX)
        if target is not None:
            file = target / file.name if target.is_dir() or len(runs) > 1 else target
        try:
            if describe_run(run).state == "live":
                stop_with(f"{run}: it is being written; pack it when the walk has ended", 1, as_json=False)
            if len(runs) > 1 and target is not None:
                target.mkdir(parents=True, exist_ok=True)
            size = pack_run(run, file)
        except (TraceError, OSError) as error:
            stop_with(str(error), 1, as_json=False)
        click.echo(f"{file}  {size_in_words(size)}")


@runs_command.command("unpack")
@click.argument("file", type=_PATH)
@click.option(
    "-o", "--to", "folder", type=_PATH, help="Folder to make; named after FILE, in the folder runs, if not given."
)
def unpack_command(file: Path, folder: Path | None) -> None:
    r"""Unpack the zip file of a run. A zip that holds anything else is refused, and nothing is written.

    \b
    walker runs unpack 20260101-120000-how-many-a1b2c3.zip
    walker runs unpack from-a-friend.zip --to runs/from-a-friend
    """
    target = folder or DEFAULT / file.stem
    try:
        files = unpack_run(file, target)
    except TraceError as error:
        stop_with(str(error), 1, as_json=False)
    click.echo(f"{target}  {files} files")


@runs_command.command("copy")
@click.argument("runs", nargs=-1, required=True, type=_RUNS)
@click.argument("place", metavar="TO")
def copy_command(runs: tuple[Path, ...], place: str) -> None:
    r"""Copy RUNS, or folders of them, into TO: s3://BUCKET/PREFIX, or a folder. What lies there already is not sent again.

    \b
    walker runs copy runs s3://walks/team
    walker runs copy s3://walks/team/20260101-120000-how-many-a1b2c3 runs
    """
    try:
        target = place_at(place)
        for run in find_runs(runs):
            if describe_run(run).state == "live":
                stop_with(f"{shown(run)}: it is being written; copy it when the walk has ended", 1, as_json=False)
            bring_whole(run)
            copy_run(run, target)
            click.echo(f"{target}/{run.name}")
    except StoreError as error:
        stop_with(f"{error}. {error.advice}", 1, as_json=False)
    except (TraceError, OSError) as error:
        stop_with(str(error), 1, as_json=False)


def _select(paths: tuple[Path, ...], given: dict[str, Any], *, as_json: bool) -> list[RunEntry]:
    for path in paths:
        if not path.exists() and path != DEFAULT:
            stop_with(f"{path}: there is no run there, and no folder of runs", 2, as_json=as_json)
    now = time.time()
    older, newer = given["older_than"], given["newer_than"]
    wanted = RunFilter(
        words=given["words"],
        states=given["states"],
        created_before=now - older if older is not None else None,
        created_after=now - newer if newer is not None else None,
        least_bytes=given["larger_than"],
    )
    found = find_runs(path for path in paths if path.exists())
    return [entry for entry in map(describe_run, found) if wanted.takes(entry)]


def _may_go(entry: RunEntry) -> bool:
    """Whether it is a run, damaged or not, that no process is writing to."""
    return entry.state != "live" and (
        (entry.path / MANIFEST_NAME).exists() or (entry.is_packed and entry.state != "damaged")
    )


def _remove(entry: RunEntry, *, as_json: bool) -> None:
    try:
        if (mirror := mirror_of(entry.path)) is not None:
            mirror.remove(entry.path.name)
        if entry.path.is_dir() and not entry.path.is_symlink():
            shutil.rmtree(entry.path)
        else:
            entry.path.unlink()
    except StoreError as error:
        stop_with(f"{error}. {error.advice}", 1, as_json=as_json)
    except OSError as error:
        stop_with(f"{entry.path}: it cannot be removed ({error.strerror})", 1, as_json=as_json)


def _print_entries(entries: Sequence[RunEntry]) -> None:
    room = terminal_width()
    rows = [_cells(entry) for entry in entries]
    lines = table_lines(_COLUMNS, rows, room)
    for line in lines:
        click.echo(line if room is not None else shortened(line, WIDEST))


def _cells(entry: RunEntry) -> tuple[str, ...]:
    return (
        shown(entry.path),
        entry.stop_reason or entry.state,
        f"{entry.pages:>4} pages",
        f"{entry.seconds:>7.1f} s",
        size_in_words(entry.bytes),
        _said(entry),
    )


def _said(entry: RunEntry) -> str:
    """What came of a run: its answer, what it was not sure of, or what is wrong with it."""
    found = " ".join((entry.answer or entry.nearest).split())
    if found:
        return f"-> {found}" if entry.answer else f"not found; nearest: {found}"
    return entry.problem and f"({entry.problem})"
