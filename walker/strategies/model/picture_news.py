"""Whether what was seen in the pictures of a page is worth asking a model about: a logo that repeats the site's name is not."""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec

from memory.words import lazy_re, tokens
from perception.observation import Observation
from walker.rules.pictures.picture_fit import is_decoration
from walker.seams.task import Task
from walker.strategies.model.quotes import PageText

LOGO_WORDS = 4
"""Most words of a logo."""
NAME_CHARS = 4
"""Least characters of a word of a site's name that tells a logo."""
_WORD = lazy_re.compile(r"[^\W\d_]+")


def brings_news(observation: Observation, task: Task) -> bool:
    """Whether anything that was seen is said neither by the page's text, as under a heading that stands on a picture, nor by a logo.
    Where the question asks for a picture, a logo may be the one."""
    written = tuple(block for block in observation.blocks if not block.pictured)
    text = PageText(msgspec.structs.replace(observation, seen_text=(), blocks=written))
    new = [seen for seen in observation.seen_text if not text.holds(seen)]
    if not new or task.analysis.picture:
        return bool(new)
    asked = frozenset(tokens(" ".join((task.question, *task.analysis.spellings))))
    logos = _texts_of_decoration(observation)
    return not all(asked.isdisjoint(tokens(seen)) and (seen in logos or _names_site(seen, observation)) for seen in new)


def _texts_of_decoration(observation: Observation) -> frozenset[str]:
    """What was seen in logos, icons and banners alone."""
    regions = (*observation.blind, *observation.described)
    names = {region.name for region in regions if region.name and is_decoration(region)}
    names -= {region.name for region in regions if not is_decoration(region)}
    others = {block.text for block in observation.blocks if block.pictured and names.isdisjoint(block.headings)}
    decorated = {block.text for block in observation.blocks if block.pictured and not names.isdisjoint(block.headings)}
    return frozenset(decorated - others)


def _names_site(seen: str, observation: Observation) -> bool:
    """Whether a few words without a number hold one of the page's title or of the site's address."""
    if len(seen.split()) > LOGO_WORDS or any(map(str.isdigit, seen)):
        return False
    named = _WORD.findall(f"{observation.title} {urlsplit(observation.url).hostname or ''}".casefold())
    return any(len(word) >= NAME_CHARS and word in seen.casefold() for word in named)
