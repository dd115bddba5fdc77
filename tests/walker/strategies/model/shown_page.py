"""A page as prompts show it, at a place in a walk."""

from __future__ import annotations

from memory.state import PageNote, WalkMemory
from memory.url_key import key_of
from memory.url_stack import Frame, UntriedLink, UrlStack
from perception.document.reading import observe
from perception.observation import Observation
from perception.snapshot import Snapshot
from tests.fixtures.paper import HOME, page, ranker
from walker.strategies.model.digest.digest_request import DigestRequest
from walker.strategies.model.digest.link_marks import mark_links
from walker.strategies.model.digest.page_digest import Digest, digest_page
from walker.strategies.model.digest.page_parts import Looks, divide_page

HERE = HOME + "boats.html"
QUERY = "How long is the research vessel Mantis?"
HERE_FRAME = Frame(url=HERE, key=key_of(HERE), title="Boats")
MANTIS = "The research vessel Mantis is 18.4 metres long."


def seen(html: str) -> Observation:
    return observe(Snapshot(url=HERE, final_url=HERE, status=200, html=html))


def standing(observation: Observation, *been: str, failed: tuple[str, ...] = ()) -> WalkMemory:
    """On the page, after these others."""
    stack = UrlStack().push(Frame(url=HOME, key=key_of(HOME), title="Reef"))
    for url in (*been, *failed):
        stack = stack.enter(key_of(url))
    stack = stack.push(Frame(url=HERE, key=key_of(HERE), title="Boats"))
    links = tuple(
        UntriedLink(url=link.url, key=key_of(link.url), label=link.label)
        for link in observation.links
        if link.url.startswith(HOME)
    )
    notes = tuple(PageNote(step=1, url=url, key=key_of(url), outcome="http error") for url in failed)
    return WalkMemory(step=2, stack=stack.offer(links), pages=notes)


def digest(html: str | Observation, tokens: int = 6000, **asked: object) -> Digest:
    observation = html if isinstance(html, Observation) else seen(html)
    marks = mark_links(observation, standing(observation))
    request = DigestRequest(
        query=asked.pop("query", QUERY),  # type: ignore[arg-type]
        tokens=tokens,
        marks=marks,
        page=divide_page(
            observation,
            marks,
            asked.get("seen_around") or {},  # type: ignore[arg-type]
            looks=asked.pop("looks", Looks()),  # type: ignore[arg-type]
        ),
        **asked,  # type: ignore[arg-type]
    )
    return digest_page(observation, request, ranker())


def chapters(number: int, told: dict[int, str] | None = None) -> str:
    """A page of chapters, each a part of its own, with what is told in some of them."""
    told = told or {}
    filler = "Nothing of note was written down in this year, and the station was shut for the winter. " * 9
    return page("Log", "".join(f"<h2>Year {n}</h2><p>{told.get(n, '')} {filler}</p>" for n in range(1, number + 1)))
