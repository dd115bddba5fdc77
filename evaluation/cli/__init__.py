"""`walker eval`: the commands of this package, found by walker through an entry point."""

from evaluation.cli.group import eval_group

__all__ = ["eval_group"]
