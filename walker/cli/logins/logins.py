"""`walker logins`: list saved logins, check whether they still are some, remove them."""

from __future__ import annotations

import importlib
import os
import time
from typing import Any

import click
import msgspec

from walker.cli.run_command import NOT_ANSWERED, run_for_person, stop_with
from walker.cli.tables import Column, print_rows
from walker.errors import WalkerError
from walker.logins.login_store import KEY_NAME, LoginStore, SavedLogin

_COLUMNS = (Column(gap=0, least=4), Column(shortest=16, cut="middle"), Column(shortest=12))
_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout and nothing else.")


@click.group("logins")
def logins_command() -> None:
    r"""Look after saved logins, which walker login makes.

    \b
    walker logins list
    walker logins check wiki
    walker logins remove wiki
    """


@logins_command.command("list")
@_JSON
def list_command(*, as_json: bool) -> None:
    r"""Print a line for each: its name, its hosts, and until when it may hold. Never a cookie.

    \b
    walker logins list --json
    """
    store = _store()
    rows: list[dict[str, Any]] = []
    for name in store.names():
        try:
            login = store.read(name)
        except WalkerError as error:
            rows.append({"name": name, "hosts": [], "told": error.what})
            continue
        rows.append(
            {
                "name": name,
                "url": login.url,
                "hosts": list(login.hosts),
                "told": _told(login),
                "saved_at": login.saved_at,
            }
        )
    if as_json:
        click.echo(msgspec.json.encode(rows).decode())
        return
    print_rows(_COLUMNS, [(str(row["name"]), ", ".join(row["hosts"]), str(row["told"])) for row in rows])
    if not rows:
        click.echo("no saved logins; make one: walker login URL --save NAME", err=True)


@logins_command.command("check")
@click.argument("name")
@_JSON
def check_command(name: str, *, as_json: bool) -> None:
    r"""Open the page of a login with it, and say whether it still is one. Exit code 3 where it has expired.

    \b
    walker logins check wiki
    """
    # Playwright is loaded for this command only.
    signing_in = importlib.import_module("walker.logins.signing_in")

    try:
        login = _store().read(name)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    why = run_for_person(
        signing_in.is_logged_in(login, chromium=os.environ.get("WALKER_CHROMIUM", "")), as_json=as_json
    )
    if as_json:
        click.echo(msgspec.json.encode({"name": name, "logged_in": not why, "why": why}).decode())
    else:
        again = f"{name} has expired ({why}). Log in again: walker login {login.url} --save {name}"
        click.echo(again if why else f"{name} is logged in")
    raise SystemExit(NOT_ANSWERED if why else 0)


@logins_command.command("remove")
@click.argument("names", nargs=-1, required=True)
def remove_command(names: tuple[str, ...]) -> None:
    r"""Remove saved logins. The site keeps its sessions until it ends them: log out there too.

    \b
    walker logins remove wiki
    """
    store = _store()
    for name in names:
        try:
            store.remove(name)
        except WalkerError as error:
            stop_with(str(error), error.exit_code, as_json=False)
        click.echo(f"removed {name}")


def _store() -> LoginStore:
    return LoginStore(key=os.environ.get(KEY_NAME, ""))


def _told(login: SavedLogin) -> str:
    if not login.ends_at:
        return "until the site ends it"
    day = time.strftime("%Y-%m-%d %H:%M", time.localtime(login.ends_at))
    return f"{'expired' if login.ends_at < time.time() else 'until'} {day}"
