"""`walker view`: recorded walks as a page in the browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path
from typing import Any

import click
import msgspec

from traces.errors import TraceReadError
from traces.viewer.export import write_page, write_site
from traces.viewer.library import Library
from traces.viewer.server import PageKeys, ViewerServer
from walker.cli.places.run_places import RecordedRuns
from walker.cli.run_command import stop_with
from walker.errors import UsageError
from walker.runs.viewer_tools import WalkTools


class Output(msgspec.Struct, frozen=True, kw_only=True):
    """Where the page goes: to a browser on this machine, into one file, or into a folder."""

    port: int = 0
    no_open: bool = False
    export_file: Path | None = None
    site_folder: Path | None = None


@click.command("view")
@click.argument("run", type=RecordedRuns(), required=False)
@click.option(
    "--diff",
    "pair",
    nargs=2,
    metavar="A B",
    type=RecordedRuns(),
    help="Show the runs A and B beside each other, aligned as by walker diff.",
)
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port on 127.0.0.1; a free one if not given.")
@click.option("--no-open", is_flag=True, help="Print the page's address instead of opening a browser.")
@click.option(
    "--export",
    "export_file",
    type=click.Path(path_type=Path),
    help="Write one self-contained HTML file, to send to somebody, and stop.",
)
@click.option(
    "--site",
    "site_folder",
    type=click.Path(path_type=Path),
    help="Write a static site that any file server can serve, and stop.",
)
def view_command(run: Path | None, pair: tuple[Path, Path] | None, **given: Any) -> None:
    r"""Show RUN, a recorded walk or a folder of them ("runs" if not given), as a page in the browser.

    The page is served on 127.0.0.1 only, updates while the walk is running, and loads nothing from other hosts. What a walk with --ask-me
    asks can be answered there, by whoever has the address that is printed.

    \b
    walker view
    walker view runs/20260101-120000-how-many-a1b2c3
    walker view packed.zip
    walker view --diff runs/20260101-120000-how-many-a1b2c3 runs/20260102-090000-how-many-d4e5f6
    walker view runs/20260101-120000-how-many-a1b2c3 --export report.html
    """
    output = Output(**given)
    if output.export_file is not None and output.site_folder is not None:
        raise click.UsageError("--export and --site: choose one")
    if run is not None and pair is not None:
        raise click.UsageError("--diff names both runs; leave RUN out")
    show_runs(pair or (run or Path("runs"),), output)


def show_runs(places: tuple[Path, ...], output: Output, opening: str = "") -> None:
    """Serve or write the page of these runs, open at what `opening` names; two are shown beside each other."""
    place = output.export_file or output.site_folder or f"127.0.0.1:{output.port}"
    try:
        library = Library(*places, tools=WalkTools(), opening=opening)
        if output.export_file is not None:
            write_page(library, output.export_file)
            click.echo(str(place))
        elif output.site_folder is not None:
            write_site(library, output.site_folder)
            click.echo(str(place))
        else:
            _serve(library, output.port, opens=not output.no_open)
    except TraceReadError as error:
        stop_with(f"{error}. Give the folder of a run, or one that holds runs", UsageError.exit_code, as_json=False)
    except OSError as error:
        stop_with(f"{place}: {error.strerror}. Choose another one", 1, as_json=False)


def _serve(library: Library, port: int, *, opens: bool) -> None:
    library.read_ahead()
    keys = PageKeys()
    with ViewerServer(library, port, keys) as server:
        opening = f"#{library.opening}" if library.opening else ""
        click.echo(f"{server.url}?key={keys.key}{opening}")
        click.echo("Ctrl-C ends it.", err=True)
        if opens and _has_screen():
            webbrowser.open(f"{server.url}?key={keys.code()}{opening}")
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("", err=True)


def _has_screen() -> bool:
    """Whether a window can open here. Without one the system's browser may be a text browser that takes the terminal over."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
