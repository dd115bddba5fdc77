"""`walker test-selector`: what a selector of a crawl script finds on a page."""

from __future__ import annotations

import os
from typing import get_args

import click
import msgspec

from walker.cli.run_command import NOT_ANSWERED, run_for_person
from walker.crawl.script.spec import Driver, FieldType
from walker.crawl.starting_script import values_at


@click.command("test-selector")
@click.argument("url")
@click.argument("selector")
@click.option("--attr", default="", help="Take this attribute instead of the text.")
@click.option(
    "--type",
    "kind",
    type=click.Choice(get_args(FieldType)),
    default="text",
    show_default=True,
    help="As a field of this type.",
)
@click.option(
    "--driver", type=click.Choice(get_args(Driver)), default="auto", show_default=True, help="How the page is fetched."
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON array on stdout and nothing else.")
def selector_trial_command(url: str, selector: str, attr: str, kind: FieldType, driver: str, as_json: bool) -> None:
    r"""Print what SELECTOR (CSS, or XPath from / ./ or a bracket) finds on the page at URL, a line each.

    \b
    walker test-selector https://books.example.org/ "li.product h3"
    walker test-selector https://books.example.org/ "li.product a" --attr href --type url
    walker test-selector https://books.example.org/ .price --type number

    Exit codes: 0 found, 1 failed, 2 wrong usage, 3 nothing found, 130 interrupted.
    """
    chromium = os.environ.get("WALKER_CHROMIUM", "")
    found = run_for_person(values_at(url, selector, (kind, attr), chromium, driver=driver), as_json=as_json)
    if as_json:
        click.echo(msgspec.json.encode(found).decode())
    else:
        for value in found:
            click.echo(value or "(nothing)")
        click.echo(f"{len(found)} found", err=True)
    raise SystemExit(0 if found else NOT_ANSWERED)
