"""The flags common to all commands that walk."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from walker.settings import Settings

_DEFAULTS = Settings()
GROUPS = {
    "Limits": (
        *(
            "max-pages",
            "max-seconds",
            "max-depth",
            "page-seconds",
            "effort",
            "scope",
            "scout-pages",
            "no-scout",
            "sure",
            "lang",
        ),
        *("max-tokens", "max-calls", "max-cost"),
    ),
    "Output and recording": (
        "json",
        "out",
        "runs",
        "record",
        "no-record",
        "sync",
        "secret",
        "library",
        "quiet",
        "verbose",
    ),
    "Beyond the site": ("search", "also", "open"),
    "A typed answer": ("schema", "about", "follow", "plain", "dry-run", "no-boxes"),
    "A question about a picture": ("picture", "box", "picture-search", "picture-model"),
    "Network": ("header", "proxy", "browser", "cdp", "headed", "chromium"),
    "Logins": ("profile", "state", "ask-me"),
    "Many questions, and resuming": ("batch", "site", "jobs", "on", "share-models", "model-gpu", "resume"),
    "Language model": (
        *("model", "base-url", "price", "page-tokens", "model-seconds", "model-at-once", "thinking"),
        *("temperature", "top-p", "order", "analysis", "one-by-one"),
    ),
    "Tools": ("code", "tools"),
    "Pictures": ("ocr", "tau", "tau2", "gate", "pictures", "vision-model", "vision-url", "vision-folder"),
    "Ways to answer": ("workflow", "turns", "hits", "passages", "keep-from", "weigh-by", "summaries", "no-summaries"),
    "Experiments": ("without", "variant", "samples", "only"),
}
"""Of the flags of `walker ask` and `walker eval run`, as their help lists them."""
_OPTIONS = (
    click.option(
        "--max-seconds",
        default=_DEFAULTS.limits.seconds,
        show_default=True,
        help="Stop the walk after this many seconds.",
    ),
    click.option(
        "--ocr",
        type=click.Choice(["rapidocr", "tesseract", "none"]),
        default=_DEFAULTS.ocr,
        show_default=True,
        help="OCR engine for text in images: rapidocr reads Latin, Chinese and Japanese; tesseract the languages installed for it.",
    ),
    click.option(
        "--scope",
        type=click.Choice(["host", "path"]),
        default="host",
        show_default=True,
        help="Walk the whole host, or only below the root's folder.",
    ),
    click.option(
        "--page-seconds", default=_DEFAULTS.page_seconds, show_default=True, help="Time-out for loading one page."
    ),
)


def with_walk_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """A command with these flags."""
    for option in reversed(_OPTIONS):
        command = option(command)
    return command
