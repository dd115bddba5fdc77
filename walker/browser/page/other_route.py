"""Routes of an application, which differ in the fragment of their addresses only."""

from __future__ import annotations


def is_other_route(shown: str, url: str) -> bool:
    """Whether two addresses are routes of one document: a browser would stay in it, and nobody could tell when the content of the one
    has replaced that of the other."""
    here, wanted = shown.partition("#"), url.partition("#")
    return here[0] == wanted[0] and here[2] != wanted[2]
