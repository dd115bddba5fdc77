"""`walker view`: recorded walks as a page in the browser."""

from __future__ import annotations

import os
import sys
import webbrowser
from pathlib import Path

import click

from traces.errors import TraceReadError
from traces.viewer.export import write_page, write_site
from traces.viewer.library import Library
from traces.viewer.server import ViewerServer
from walker.cli.running import stop_with
from walker.errors import UsageError
from walker.viewing import WalkTools


@click.command("view")
@click.argument("run", type=click.Path(path_type=Path), default=Path("runs"))
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="Port on 127.0.0.1; a free one if not given.")
@click.option("--no-open", is_flag=True, help="Only say where the page is; open no browser.")
@click.option(
    "--export",
    "export_file",
    type=click.Path(path_type=Path),
    help="Write one HTML file that holds everything, to send to somebody, and stop.",
)
@click.option(
    "--site",
    "site_folder",
    type=click.Path(path_type=Path),
    help="Write a folder that any file server can serve, and stop.",
)
def view_command(run: Path, *, port: int, no_open: bool, export_file: Path | None, site_folder: Path | None) -> None:
    r"""Show RUN, a recorded walk or a folder of them ("runs" if not given), as a page in the browser.

    The page is served on this machine alone, follows a walk that is still going on, and contacts no other address.

    \b
    walker view
    walker view runs/20260101-120000-how-many-a1b2c3
    walker view packed.zip
    walker view runs/20260101-120000-how-many-a1b2c3 --export report.html
    """
    if export_file is not None and site_folder is not None:
        raise click.UsageError("--export and --site: choose one")
    try:
        library = Library(run, WalkTools())
        if export_file is not None:
            write_page(library, export_file)
            click.echo(str(export_file))
        elif site_folder is not None:
            write_site(library, site_folder)
            click.echo(str(site_folder))
        else:
            _serve(library, port, opens=not no_open)
    except TraceReadError as error:
        stop_with(f"{error}. Give the folder of a run, or one that holds runs", UsageError.exit_code, as_json=False)
    except OSError as error:
        place = export_file or site_folder or f"127.0.0.1:{port}"
        stop_with(f"{place}: {error.strerror}. Choose another one", 1, as_json=False)


def _serve(library: Library, port: int, *, opens: bool) -> None:
    library.read_ahead()
    with ViewerServer(library, port) as server:
        click.echo(server.url)
        click.echo("Ctrl-C ends it.", err=True)
        if opens and _has_screen():
            webbrowser.open(server.url)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            click.echo("", err=True)


def _has_screen() -> bool:
    """Whether a window can open here. Without one the system's browser may be a text browser that takes the terminal over."""
    return sys.platform in ("win32", "darwin") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
