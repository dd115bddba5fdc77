"""The command line (written in walker/cli.py by the loop's author)."""
