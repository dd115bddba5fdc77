"""The pages and links seen, as a directed graph: nodes are page keys, edges carry the texts of the links."""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Literal

import msgspec

from memory.url_key import BadUrl, key_of
from memory.words import lazy_re

if TYPE_CHECKING:
    import networkx as nx

PageState = Literal["seen", "opened", "rejected", "failed"]

_NOT_XML = lazy_re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
"""Characters that XML 1.0 cannot represent."""


@cache
def networks() -> Any:
    """networkx, imported when a graph is first made: that takes 0.15 s, and few walks and no crawl make one."""
    import networkx  # noqa: PLC0415 - as the docstring says

    return networkx


class SeenPage(msgspec.Struct, frozen=True, kw_only=True):
    """A node of the graph. `step` is the step at which the page was last visited, 0 while it is only linked to."""

    key: str
    url: str
    title: str = ""
    state: PageState = "seen"
    step: int = 0


class SiteGraph:
    """Mutable; the same calls in the same order give the same exports, byte for byte."""

    def __init__(self) -> None:
        self._graph: nx.DiGraph[str] = networks().DiGraph()

    def saw_page(self, url: str, title: str = "", state: PageState = "opened", step: int = 0) -> None:
        """Record a visit. A visited page never becomes merely seen again, and keeps an earlier title."""
        key = key_of(url)
        node = self._graph.nodes.get(key)
        if node is None:
            self._graph.add_node(key, url=url, title=title, state=state, step=step)
            return
        if state != "seen":
            node.update(url=url, state=state, step=step)
        node["title"] = title or node["title"]

    def saw_links(self, url: str, links: Iterable[tuple[str, str]]) -> None:
        """Record the links of a page as (absolute URL, link text); invalid URLs are ignored."""
        source = key_of(url)
        self.saw_page(url, state="seen")
        for target_url, anchor in links:
            try:
                target = key_of(target_url)
            except BadUrl:
                continue
            self.saw_page(target_url, state="seen")
            edge = self._graph.get_edge_data(source, target)
            if edge is None:
                self._graph.add_edge(source, target, anchors=[])
                edge = self._graph[source][target]
            text = " ".join(anchor.split())
            if text and text not in edge["anchors"]:
                edge["anchors"].append(text)

    def pages(self) -> tuple[SeenPage, ...]:
        """Every page seen, in the order in which it was first seen."""
        return tuple(SeenPage(key=key, **attributes) for key, attributes in self._graph.nodes(data=True))

    def page(self, url: str) -> SeenPage | None:
        """One page; None if it was never seen."""
        key = key_of(url)
        return SeenPage(key=key, **self._graph.nodes[key]) if key in self._graph else None

    def shortest_path(self, start: str, end: str) -> tuple[str, ...]:
        """URLs of a path with the fewest links from one page to another, both ends included; () if none is known."""
        try:
            keys = networks().shortest_path(self._graph, key_of(start), key_of(end))
        except (networks().NetworkXNoPath, networks().NodeNotFound):
            return ()
        return tuple(self._graph.nodes[key]["url"] for key in keys)

    def to_json(self) -> str:
        """Nodes and edges as one JSON object: {"pages": [...], "links": [{"from", "to", "anchors"}]}."""
        links = [
            {"from": source, "to": target, "anchors": attributes["anchors"]}
            for source, target, attributes in self._graph.edges(data=True)
        ]
        pages = [msgspec.to_builtins(page) for page in self.pages()]
        return json.dumps({"pages": pages, "links": links}, ensure_ascii=False)

    def to_graphml(self) -> bytes:
        """The graph as GraphML, for Gephi, yEd or networkx."""
        plain: nx.DiGraph[str] = networks().DiGraph()
        for key, attributes in self._graph.nodes(data=True):
            plain.add_node(key, **_writable(attributes))
        for source, target, attributes in self._graph.edges(data=True):
            plain.add_edge(source, target, anchors=_NOT_XML.sub("", " | ".join(attributes["anchors"])))
        written = BytesIO()
        networks().write_graphml(plain, written)
        return written.getvalue()


def _writable(attributes: dict[str, Any]) -> dict[str, Any]:
    return {name: _NOT_XML.sub("", value) if isinstance(value, str) else value for name, value in attributes.items()}
