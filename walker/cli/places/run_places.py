"""Places of runs on the command line: folders, zip files, and addresses of an S3 store."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from traces.errors import StoreError, TraceError
from traces.store.file_lock import is_locked
from traces.store.mirror import MARK, Mirror, address_of, is_address, mirror_at
from traces.store.run_copy import unsent_runs
from traces.store.run_files import LOG_NAME, MANIFEST_NAME
from walker.cli.run_command import stop_with

if TYPE_CHECKING:
    _PathType = click.ParamType[Path]
else:
    _PathType = click.ParamType  # generic from click 8.4 on only


class RunsFolder(_PathType):
    """Where new runs are kept: a folder, or `s3://BUCKET/PREFIX`, which becomes the folder of its mirror. Nothing is asked yet."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ARG002 - click's
        """The folder."""
        if isinstance(value, Path) or not is_address(str(value)):
            return Path(value)
        with _told(ctx):
            folder = mirror_at(value).marked().folder
        if ctx is not None:
            ctx.call_on_close(lambda: tell_unsent(folder))
        return folder


class RecordedRuns(_PathType):
    """A run, or a folder of runs. One in a store is fetched as far as every command needs it, and becomes its folder here."""

    name = "path"

    def __init__(self, *, is_anew: bool = False, tells: bool = False) -> None:
        """`is_anew`: nothing that was fetched before, or is here only, is taken for what lies in the store. `tells`: the run may be
        written, so what of it is not in the store is told at the end."""
        self._is_anew, self._tells = is_anew, tells

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:  # noqa: ARG002 - click's
        """The path on this machine."""
        if isinstance(value, Path) or not is_address(str(value)):
            return Path(value)
        with _told(ctx):
            path = fetch_runs(str(value), self._temporary(ctx) if self._is_anew else None)
        if ctx is not None and self._tells:
            ctx.call_on_close(lambda: tell_unsent(path.parent))
        return path

    @staticmethod
    def _temporary(ctx: click.Context | None) -> Path:
        folder = tempfile.TemporaryDirectory(prefix="walker-store-")
        if ctx is not None:
            ctx.call_on_close(folder.cleanup)
        return Path(folder.name)


def fetch_runs(address: str, folder: Path | None = None) -> Path:
    """The run or the runs at an address, fetched into a mirror: `folder`, else the user's. Raises `StoreError` and `TraceError`."""
    above, _, name = address.rstrip("/").rpartition("/")
    if above.count("/") >= 2:
        mirror = mirror_at(above, folder)
        if mirror.bring(name):
            return mirror.folder / name
    mirror = mirror_at(address, folder)
    names = mirror.names()
    if not names and not _has_runs(mirror):
        raise StoreError("there is no run there", address, "Give s3://BUCKET/PREFIX/RUN, or the prefix of several runs")
    mirror.bring_all(names)
    return mirror.folder


def _has_runs(mirror: Mirror) -> bool:
    return mirror.folder.is_dir() and any((path / MANIFEST_NAME).is_file() for path in mirror.folder.iterdir())


@contextlib.contextmanager
def _told(ctx: click.Context | None) -> Iterator[None]:
    """Errors of a store as one line, and as JSON where the command was asked for that."""
    as_json = bool(ctx is not None and ctx.params.get("as_json"))
    try:
        yield
    except StoreError as error:
        _close(ctx)
        stop_with(f"{error}. {error.advice}", 2, as_json=as_json)
    except TraceError as error:
        _close(ctx)
        stop_with(str(error), 2, as_json=as_json)


def _close(ctx: click.Context | None) -> None:
    """Let go of what was opened for other arguments: click does not, where a command has not begun."""
    if ctx is not None:
        ctx.close()


def tell_unsent(folder: Path) -> None:
    """Say on stderr which runs of a mirror are not wholly in the store; nothing of any other folder."""
    if not (folder / MARK).is_file():
        return
    runs = [path for path in folder.iterdir() if (path / MANIFEST_NAME).is_file() and not is_locked(path / LOG_NAME)]
    for run in unsent_runs(sorted(runs)):
        what = f"the run is not whole in {address_of(run)}; all of it is in {run}"
        click.echo(f"walker: {what}. Send it with: walker runs copy {run} {address_of(folder)}", err=True)


def shown(path: Path | str) -> str:
    """A run as a person named it: its address where it lies in a store."""
    return address_of(Path(path))
