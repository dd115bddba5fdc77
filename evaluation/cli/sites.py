"""URLs of the sites that questions name."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import click

from evaluation.dataset.files import DEMO_SITE
from walker.demo.server import serve_institute
from walker.errors import NotAUrl
from walker.rules.scope import check_root


def read_sites(pairs: tuple[str, ...]) -> dict[str, str]:
    """URLs by site name. Raises `click.UsageError`."""
    sites: dict[str, str] = {}
    for pair in pairs:
        name, mark, base = pair.partition("=")
        if not mark or not name or not base:
            raise click.UsageError(f"--site {pair}: write it as NAME=http://host/")
        try:
            sites[name] = check_root(base)
        except NotAUrl as error:
            raise click.UsageError(f"--site {pair}: {error.what}. {error.advice}") from None
    return sites


@contextlib.contextmanager
def with_demo_site(sites: dict[str, str], *, wanted: bool) -> Iterator[dict[str, str]]:
    """The same with the demo site, served for the duration of the block if it is wanted and has no URL."""
    if not wanted or DEMO_SITE in sites:
        yield sites
        return
    with serve_institute() as root:
        yield sites | {DEMO_SITE: root.removesuffix("index.html")}
