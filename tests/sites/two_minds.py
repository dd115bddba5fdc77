"""A site that is of two minds, so that a walk is not sure of its answer."""

from __future__ import annotations

_MORE = (
    "<p>Ormsund has a pier, a ferry twice a day, a small museum of nets and a tide gauge from before the war.</p>" * 3
)
QUESTION = "In which year was the lighthouse of Ormsund built?"


def _page(title: str, text: str) -> str:
    return f"<title>{title}</title><h1>{title}</h1>{_MORE}{text}"


PAGES = {
    "/": _page(
        "Ormsund",
        "<h2>Guide</h2><p>The lighthouse of Ormsund was built in 1871.</p>"
        "<h2>Chronicle</h2><p>The lighthouse of Ormsund was built in 1884.</p>"
        "<ul><li><a href='/pier.html'>Pier</a></li><li><a href='/ferry.html'>Ferry</a></li></ul>",
    ),
    "/pier.html": _page("Pier", "<p>Anglers pay four crowns a day.</p>"),
    "/ferry.html": _page("Ferry", "<p>The ferry leaves at 9 and at 17.</p>"),
}
