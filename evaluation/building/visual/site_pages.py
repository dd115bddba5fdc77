"""The pages of a site as questions about pictures need them: names, headings, links by their labels, and pictures."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from evaluation.building.tree import HarvestedPage, SiteTree
from evaluation.building.visual.numbering import numbered
from evaluation.metrics.rates import plain
from memory.url_key import key_or, without_place
from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from walker.pictures.shown_pictures import ShownPicture, shown_in

_MARKS = (" — ", " – ", " | ", " · ", " - ", " :: ")
"""Between the name of a page and that of its site."""


class PageHeading(msgspec.Struct, frozen=True, kw_only=True):
    """A heading of the main part, in document order; `level` 1 to 6."""

    level: int
    text: str


class PageLink(msgspec.Struct, frozen=True, kw_only=True):
    """A link to a page of the tree, by the key of that page."""

    label: str
    key: str


class SitePage(msgspec.Struct, frozen=True, kw_only=True):
    """One page of the tree."""

    page: HarvestedPage
    title: str
    """Without the name of the site."""
    headings: tuple[PageHeading, ...]
    links: tuple[PageLink, ...]
    pictures: tuple[ShownPicture, ...]


def read_site_pages(tree: SiteTree, snapshots: Iterable[Snapshot]) -> tuple[SitePage, ...]:
    """The pages of a tree with what their snapshots hold, in the order of their addresses."""
    placed = {place: page for page in tree.pages for place in (page.key, key_or(page.place, "")) if place}
    read: dict[str, SitePage] = {}
    for snapshot in snapshots:
        page = placed.get(key_or(snapshot.url, "")) or placed.get(key_or(snapshot.final_url, ""))
        if page is not None and page.key not in read:
            read[page.key] = _site_page(page, observe(snapshot), placed)
    return tuple(sorted(read.values(), key=lambda one: one.page.url))


def _site_page(page: HarvestedPage, observation: Observation, placed: dict[str, HarvestedPage]) -> SitePage:
    headings = tuple(
        PageHeading(level=block.level, text=" ".join(block.text.split()))
        for block in observation.blocks
        if block.kind == "heading" and block.region == "main" and not block.hidden and block.text.strip()
    )
    links = [
        PageLink(label=" ".join(link.label.split()), key=target.key)
        for link in observation.links
        if not link.hidden and link.label.strip() and (target := placed.get(key_or(without_place(link.url), "")))
    ]
    return SitePage(
        page=page,
        title=_title(page, headings),
        headings=headings,
        links=tuple(dict.fromkeys(links)),
        pictures=shown_in(observation),
    )


def _title(page: HarvestedPage, headings: tuple[PageHeading, ...]) -> str:
    """The first heading where the title says it too, else the title up to the name of the site."""
    title = " ".join(page.title.split())
    if headings and plain(headings[0].text) in plain(title) and len(numbered(headings[0].text).text) >= 2:
        return headings[0].text
    for mark in _MARKS:
        head, found, _ = title.partition(mark)
        if found and len(head) >= 2:
            return head.strip()
    return title or page.label
