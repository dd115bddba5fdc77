"""The command line: the only place that reads the environment and prints."""

from __future__ import annotations

import importlib

from walker.cli import interruption


def main() -> None:
    """The program `walker`. Ctrl-C and SIGTERM are handled before the imports, which take a second."""
    interruption.leave_at_once()
    try:
        importlib.import_module("walker.cli.commands").main()
    finally:
        interruption.leave_at_once()


__all__ = ["main"]
