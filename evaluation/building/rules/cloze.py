"""Questions made without a model, from the facts of the pages of a site."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import zip_longest

from evaluation.building.candidate import Candidate
from evaluation.building.facts.fact import Fact, Headed, Marked, form_of
from evaluation.building.rules.comparing import write_both, write_dates, write_larger, write_lists
from evaluation.building.rules.linking import write_linked, write_named
from evaluation.building.rules.site_facts import NamedPage, is_single, named_pages, single
from evaluation.building.tree import SiteTree

A_PAGE = 8
"""Most single-page questions of a page."""
A_FORM = 3
"""Most of them of one form."""


def write_single(tree: SiteTree, *, seed: int = 0) -> Iterator[Candidate]:
    """Single-page questions, page after page, of forms that the site has few of first."""
    chance = random.Random(seed)  # noqa: S311 - a sample, no secret
    pages = named_pages(tree)
    common = Counter(form_of(fact) for page in pages for fact in page.facts)
    for page in pages:
        yield from (single(page, fact) for fact in _mixed(page, common, chance))


def write_multi(tree: SiteTree, *, seed: int = 0) -> Iterator[Candidate]:
    """Two-page questions, of each kind in turn: linked by a thing that both pages speak of, compared, and two facts at once."""
    chance = random.Random(seed)  # noqa: S311 - as above
    pages = named_pages(tree)
    kinds = (
        write_linked(pages, chance),
        write_named(pages, chance),
        write_lists(pages, chance),
        write_dates(pages, chance),
        write_larger(pages, chance),
        write_both(pages, chance),
    )
    for turn in zip_longest(*kinds):
        yield from (candidate for candidate in turn if candidate is not None)


def _mixed(page: NamedPage, common: Counter[str], chance: random.Random) -> Sequence[Fact]:
    published = {fact.value for fact in page.facts if isinstance(fact, Marked)}
    facts = [
        fact for fact in page.facts if is_single(fact) and not (isinstance(fact, Headed) and fact.value in published)
    ]
    chance.shuffle(facts)
    by_form: dict[str, list[Fact]] = defaultdict(list)
    for fact in facts:
        by_form[form_of(fact)].append(fact)
    ordered = sorted(by_form, key=lambda form: (common[form], form))
    turns = zip_longest(*(by_form[form][:A_FORM] for form in ordered))
    return [fact for turn in turns for fact in turn if fact is not None][:A_PAGE]
