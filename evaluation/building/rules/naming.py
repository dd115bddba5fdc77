"""What a person calls a page of a site: a name that no other page of it has."""

from __future__ import annotations

import re
from collections import Counter

from evaluation.building.tree import HarvestedPage, SiteTree
from evaluation.metrics.rates import plain

_SEPARATOR = re.compile(r"\s+(?:[-–—|·«»:]|::)\s+")
_HOURS = re.compile(r"^\d{1,2}[:.]\d\d(?:\s?[-–—]\s?\d{1,2}[:.]\d\d)?\s*[•·|:–—-]?\s*")
_BROKEN = re.compile(r"^\s*[-–—:|•]\s")
SHARED_BY = 3
"""A part of a title that so many pages have is the name of the site or of a section."""
MOST_CHARS = 110
_VAGUE = re.compile(r"^(?:home|index|untitled|error|name|synopsis|\W+|\d+)$", re.IGNORECASE)


def names_of(tree: SiteTree) -> dict[str, str]:
    """Key -> name of each page that has one: its main heading, the part of its title that is its own, or the label of the link to it,
    whichever is the first that no other page has in any of these places."""
    candidates = {page.key: _candidates(page) for page in tree.pages}
    parts = Counter(plain(part) for page in tree.pages for part in set(_SEPARATOR.split(page.title)))
    for page in tree.pages:
        own = [part for part in _SEPARATOR.split(page.title) if parts[plain(part)] < SHARED_BY]
        candidates[page.key].insert(1, " — ".join(own).strip())
    site = {plain(part) for part in _SEPARATOR.split(tree.root.title)}
    taken = Counter(name for names in candidates.values() for name in {plain(name) for name in names})
    found = {}
    for key, names in candidates.items():
        own_names = names if key == tree.root.key else [name for name in names if not _is_of(name, site)]
        name = next((name for name in own_names if taken[plain(name)] == 1 and _is_fit(name)), "")
        if name:
            found[key] = name
    return found


def _is_of(name: str, site: set[str]) -> bool:
    """Whether a name is that of the site, and would be taken for its first page."""
    return all(plain(part) in site for part in _SEPARATOR.split(name))


def _candidates(page: HarvestedPage) -> list[str]:
    heads = [passage.text for passage in page.passages if passage.level == 1]
    names = [heads[0] if len(heads) == 1 else "", page.title, page.label]
    return [_HOURS.sub("", name).strip() if not _BROKEN.match(name) else "" for name in names]


def _is_fit(name: str) -> bool:
    return 2 <= len(name) <= MOST_CHARS and any(letter.isalpha() for letter in name) and not _VAGUE.match(name)
