"""`walker login`: make a login, and save it for walks and crawls."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import click
import msgspec

from walker.cli.asked_person import next_line
from walker.cli.reach_options import has_display
from walker.cli.run_command import error_console, run_for_person, stop_with
from walker.crawl.errors import LoginFailed
from walker.crawl.script.secret_text import secret_names_of
from walker.crawl.script.spec import Login
from walker.crawl.script.spec_loader import read_login_script
from walker.errors import UsageError, WalkerError
from walker.logins.login_store import KEY_NAME, LoginStore, SavedLogin
from walker.logins.login_use import kept_to_hosts
from walker.logins.signing_in import Signing, by_person, by_script
from walker.logins.totp import CODE, WithCodes
from walker.rules.scope import check_root
from walker.seams.web.storage_state import NO_STATE, StorageState, read_state

NO_DISPLAY = "a window cannot be shown here: there is no display"
OTHER_WAYS = "Log in by --script FILE, bring a state with --from FILE, or run this where there is one (ssh -X, xvfb-run with VNC)"


@click.command("login")
@click.argument("url")
@click.option("--save", "name", required=True, metavar="NAME", help="Name of the login, for --profile.")
@click.option(
    "--script",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Log in by these steps instead of by hand: a YAML file with the words of a crawl's login (docs/crawl-scripts.md).",
)
@click.option(
    "--from",
    "state_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Save the state of this file, as Playwright writes it, and open nothing.",
)
@click.option(
    "--totp",
    default="",
    metavar="VARIABLE",
    help=f"Variable with the secret of one-time passwords; the script types the code of the moment as ${{VARIABLE{CODE}}}.",
)
@click.option(
    "--check",
    default="",
    metavar="TEXT|SELECTOR",
    help="What a page shows to those who are logged in: a text, or a selector that begins with # . [ or css=.",
)
@click.option("--also", "hosts", multiple=True, metavar="HOST", help="Keep the cookies of this host too (repeatable).")
@click.option("--proxy", default="", metavar="URL", help="Open pages through this proxy.")
@click.option("--seconds", default=600.0, show_default=True, help="Wait so long for a person.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object on stdout and nothing else.")
def login_command(url: str, *, name: str, as_json: bool, **given: Any) -> None:
    r"""Log in at URL, and save the session for walker ask, look, crawl and extract --profile NAME.

    A window opens: log in there, then press Enter in the terminal, or close the window. Nothing that is typed is kept: only the cookies
    and local storage of the site, in a file that you alone may read. Where WALKER_PROFILE_KEY is set, the file is encrypted with it.

    \b
    walker login https://wiki.example.org/ --save wiki
    walker login https://wiki.example.org/ --save wiki --check "Log out"
    walker login https://wiki.example.org/login --save wiki --script login.yaml --totp WIKI_TOTP
    walker ask https://wiki.example.org/ "Who is on call?" --profile wiki
    """
    options = _Options(url=url, name=name, as_json=as_json, **given)
    store = LoginStore(key=os.environ.get(KEY_NAME, ""))
    try:
        check_root(url)
        with store.locked(name):
            state, page = _made(options)
            if state == NO_STATE:
                raise LoginFailed(
                    "the site left no cookie and no local storage", where=url, advice="Log in before Enter"
                )
            signing = options.signing
            saved = SavedLogin(
                name=name,
                url=url,
                hosts=signing.all_hosts,
                saved_at=round(time.time(), 3),
                check=options.check,
                page=page,
                state=state,
            )
            path = store.write(saved)
    except WalkerError as error:
        stop_with(str(error), error.exit_code, as_json=as_json)
    if as_json:
        told = {"name": name, "file": str(path), "hosts": saved.hosts, "cookies": len(state.cookies)}
        click.echo(msgspec.json.encode(told).decode())
        return
    count = len(state.cookies)
    click.echo(f"saved {name}: {count} cookie{'s' if count != 1 else ''} of {', '.join(saved.hosts)}")
    # From the front of the site: the address that was given is often that of the form, which is left behind now.
    click.echo(f"  walker ask {urljoin(url, '/')} QUESTION --profile {name}")


class _Options(msgspec.Struct, frozen=True, kw_only=True):
    """The flags as click read them."""

    url: str
    name: str
    script: Path | None
    state_file: Path | None
    totp: str
    check: str
    hosts: tuple[str, ...]
    proxy: str
    seconds: float
    as_json: bool

    @property
    def signing(self) -> Signing:
        """How the login is made."""
        return Signing(
            url=self.url,
            hosts=self.hosts,
            check=self.check,
            chromium=os.environ.get("WALKER_CHROMIUM", ""),
            proxy=self.proxy,
            seconds=self.seconds,
        )


def _made(options: _Options) -> tuple[StorageState, str]:
    """The state, and the page where it was had. Raises a `WalkerError`."""
    if options.state_file is not None and options.script is not None:
        raise UsageError("--script and --from are both named", advice="Name one of them")
    if options.totp and options.script is None:
        raise UsageError("--totp needs --script FILE too: who logs in by hand has the code at hand")
    if options.state_file is not None:
        return _from_file(options, options.state_file), ""
    if options.script is not None:
        return _by_script(options, options.script)
    if not has_display():
        raise UsageError(NO_DISPLAY, advice=OTHER_WAYS)
    console = error_console(quiet=options.as_json)
    console.print(f"Log in at {options.url}, then press Enter here, or close the window.", markup=False)
    done = next_line if sys.stdin is not None else _never
    return run_for_person(by_person(options.signing, done), as_json=options.as_json)


def _from_file(options: _Options, file: Path) -> StorageState:
    """The state of a file, without the cookies that have expired: browsers ignore them."""
    state = kept_to_hosts(read_state(file), options.signing.all_hosts)
    now = time.time()
    expired = [one.expires for one in state.cookies if 0 < one.expires <= now]
    if not expired:
        return state
    last = time.strftime("%Y-%m-%d", time.gmtime(max(expired)))
    if len(expired) == len(state.cookies) and not state.origins:
        cookies = f"all {len(expired)} cookies" if len(expired) > 1 else "the only cookie"
        advice = "Log in anew in the browser, and save its state again"
        raise LoginFailed(f"{cookies} of this host expired by {last}", where=str(file), advice=advice)
    error_console(quiet=options.as_json).print(f"{len(expired)} expired (by {last}) and not saved", markup=False)
    valid = tuple(one for one in state.cookies if not 0 < one.expires <= now)
    return StorageState(cookies=valid, origins=state.origins)


def _by_script(options: _Options, script: Path) -> tuple[StorageState, str]:
    environment = WithCodes(os.environ, options.totp) if options.totp else os.environ
    spec = read_login_script(script, options.url)
    missing = [name for name in secret_names_of(spec) if name not in environment]
    if missing:
        raise UsageError(f"{missing[0]} is not in the environment", advice=f"Set it: export {missing[0]}=...")
    login = spec.login
    assert isinstance(login, Login), "a login script has a login"
    return run_for_person(by_script(options.signing, login, environment), as_json=options.as_json)


async def _never() -> None:
    """Nobody can press Enter; the window is closed, or the check shows."""
    await asyncio.Event().wait()
