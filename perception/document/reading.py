"""Snapshot to observation: one parse, one walk over the tree."""

from __future__ import annotations

import re

import msgspec

from perception.document.addresses import absolute_url, without_fragment
from perception.document.controls.control_reading import read_controls
from perception.document.dom import Element, base_address, parse_page, text_in
from perception.document.figures import read_figures
from perception.document.links import read_links
from perception.document.page_text import PageText
from perception.document.page_walk import PageWalk
from perception.document.pagination import read_pagination
from perception.document.records import name_columns, read_record_sets
from perception.document.regions.card_headings import with_card_headings
from perception.document.signals import read_signals
from perception.observation import Observation, Pagination, Signals
from perception.page_pictures import pictures_of
from perception.snapshot import Snapshot

_REFRESH = re.compile(r"^\s*[\d.]+\s*[;,]\s*(?:url\s*=\s*)?['\"]?(.*?)['\"]?\s*$", re.IGNORECASE)


def observe(snapshot: Snapshot) -> Observation:
    """Read a page. Pure: the same snapshot gives the same observation. Never fails: malformed, empty or huge pages are read as
    far as they make sense."""
    return observe_parsed(parse_page(snapshot.html), snapshot)


def observe_text(snapshot: Snapshot) -> Observation:
    """Title, language and blocks of a page alone, as `observe` reads them but for the columns of rows, in less than two thirds of the
    time. Pure."""
    root = parse_page(snapshot.html)
    return _text_of(_walked(root), _Head(root, snapshot.final_url), snapshot)


def observe_parsed(root: Element, snapshot: Snapshot) -> Observation:
    """`observe` for a page that is parsed already; the tree is not changed."""
    head, page = _Head(root, snapshot.final_url), _walked(root)
    name_columns(page)
    links, own = read_links(page, head.base, snapshot.final_url)
    controls = read_controls(page.controls, head.base, snapshot.final_url, page.openers)
    figures = read_figures(page.figures, head.base)
    signals = read_signals(root, page, links, controls, figures, snapshot.layout)
    pagination = read_pagination(links, controls, page.blocks, without_fragment(snapshot.final_url), head.next_url)
    text, record_sets = _text_of(page, head, snapshot), read_record_sets(page, head.base)
    return msgspec.structs.replace(
        text,
        blocks=with_card_headings(text.blocks, record_sets),
        links=links,
        own=own,
        controls=controls,
        record_sets=record_sets,
        figures=figures,
        pagination=pagination,
        signals=signals,
        may_grow=_may_grow(snapshot, signals, pagination),
        blind=snapshot.layout.blind,
        described=snapshot.layout.described,
        pictures=pictures_of(snapshot.layout),
    )


def _may_grow(snapshot: Snapshot, signals: Signals, pagination: Pagination) -> bool:
    """Whether something may come on scrolling: the page listens to scroll events, and does not say that all of its list is there. Its
    height says nothing, for a pane in it may scroll by itself."""
    shows_all = pagination.shown_from == 1 and pagination.shown_to == pagination.total > 0
    return signals.scripts > 0 and snapshot.scrolls and not shows_all


def _walked(root: Element) -> PageText:
    body = root.find("body")
    return PageWalk().read(body if body is not None else root)


def _text_of(page: PageText, head: _Head, snapshot: Snapshot) -> Observation:
    return Observation(
        url=snapshot.final_url,
        status=snapshot.status,
        title=head.title or snapshot.title or next((b.text for b in page.blocks if b.kind == "heading"), ""),
        language=head.language,
        description=head.description,
        blocks=tuple(page.blocks),
        refresh_url=head.refresh_url,
        canonical_url=head.canonical_url,
    )


class _Head:
    """Metadata from the head of a page."""

    def __init__(self, root: Element, url: str) -> None:
        self.base = base_address(root, url)
        self.description = self.refresh_url = self.canonical_url = self.next_url = ""
        self.language = (
            (root.get("lang") or root.get("{http://www.w3.org/XML/1998/namespace}lang") or "").strip().lower()
        )
        self.language = self.language.replace("_", "-").split("-")[0]
        self.title = text_in(root.find(".//title"))
        for element in root.iter("meta", "link"):
            if element.tag == "meta":
                self._read_meta(element)
            else:
                self._read_link(element)

    def _read_meta(self, element: Element) -> None:
        content = element.get("content") or ""
        if (element.get("name") or "").lower() == "description":
            self.description = " ".join(content.split())
        elif (element.get("http-equiv") or "").lower() == "refresh" and (match := _REFRESH.match(content)):
            self.refresh_url = absolute_url(self.base, match.group(1))

    def _read_link(self, element: Element) -> None:
        relations = (element.get("rel") or "").lower().split()
        href = element.get("href") or ""
        if "canonical" in relations:
            self.canonical_url = absolute_url(self.base, href)
        elif "next" in relations:
            self.next_url = absolute_url(self.base, href)
