"""The command line: the only place that reads the environment and prints."""

from walker.cli.main import main

__all__ = ["main"]
