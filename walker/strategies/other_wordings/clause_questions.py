"""Words what a French or Spanish clause says of a thing as a question of its own: "Quelle association organise le tournoi ?" of
"l'association qui organise le tournoi"."""

from __future__ import annotations

import re
from collections.abc import Mapping

_FRENCH_PERSON = re.compile(r"personne|gens|celui|celle", re.IGNORECASE)
_SPANISH_PERSON = re.compile(r"persona|quien", re.IGNORECASE)
_FRENCH_PREPOSITION = re.compile(r"(?P<at>dans|pour|avec|sur|à)\s", re.IGNORECASE)
_SPANISH_PREPOSITION = re.compile(r"(?P<at>en|con|a|de)\s", re.IGNORECASE)


def french_inner(said: Mapping[str, str]) -> str:
    """Of the article, the noun, the relative pronoun and what is said.

    >>> french_inner({"art": "la ", "noun": "salle", "rel": "où ", "said": "joue le club"})
    'Dans quelle salle joue le club ?'
    """
    noun, rel, rest = said["noun"].strip(), said["rel"].strip().lower(), said["said"].strip()
    if rel == "qui" and _FRENCH_PERSON.fullmatch(noun):
        return f"Qui {rest} ?"
    article = said["art"].strip().lower()
    which = {"la": "quelle", "les": "quels", "des": "quels", "aux": "quels"}.get(article, "quel")
    at = _FRENCH_PREPOSITION.match(f"{rel} ")
    before = {"où": "dans ", "dont": "de "}.get(rel, f"{at['at']} " if at is not None else "")
    asked = f"{before}{which} {noun} {rest} ?"
    return asked[0].upper() + asked[1:]


def spanish_inner(said: Mapping[str, str]) -> str:
    """Of the noun, the relative pronoun and what is said.

    >>> spanish_inner({"noun": "entidad", "rel": "que", "said": "publicó la guía"})
    '¿Qué entidad publicó la guía?'
    """
    noun, rel, rest = said["noun"].strip(), said["rel"].strip().lower(), said["said"].strip()
    if rel == "que" and _SPANISH_PERSON.fullmatch(noun):
        return f"¿Quién {rest}?"
    if rel.startswith("cuy"):
        return f"¿Qué {noun}, {rel} {rest}?"
    at = _SPANISH_PREPOSITION.match(rel)
    before = "En qué" if rel == "donde" else f"{at['at'].capitalize()} qué" if at is not None else "Qué"
    return f"¿{before} {noun} {rest}?"
