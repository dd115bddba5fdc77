"""A small paper site and the crew that walks it, shared by the tests of the loop, of replay and of the policy."""

from __future__ import annotations

import functools

from memory.requirement import read_requirement
from memory.retrieval import Ranker, WordLlamaEmbedder
from perception.observation import Observation
from perception.ocr import NoReader
from perception.reading import observe
from perception.snapshot import Snapshot
from walker.assembly import LiveReader
from walker.budget import Budget
from walker.builtin_eye import BuiltinEye
from walker.minds.builtin_critic import BuiltinCritic
from walker.minds.builtin_explorer import BuiltinExplorer
from walker.policy import Policy
from walker.scene import Rules
from walker.scope import WalkScope
from walker.seams import Crew, PageFailure
from walker.settings import GLANCE_THRESHOLD, Limits
from walker.task import Task
from walker.testing import Paper, PaperSite

HOME = "http://reef.example/"


def page(title: str, body: str) -> str:
    return f'<html lang="en"><title>{title}</title><body><main><h1>{title}</h1>{body}</main></body></html>'


PAGES: dict[str, str | Paper] = {
    HOME: page(
        "Reef Station",
        "<p>The Reef Station studies corals and the fish that live among them, all year round.</p>"
        '<ul><li><a href="/boats.html">Boats</a></li><li><a href="/people.html">People</a></li>'
        '<li><a href="/loop-a.html">Tides</a></li><li><a href="/gone.html">Old news</a></li>'
        '<li><a href="/down.html">Weather</a></li><li><a href="http://elsewhere.example/">Partners</a></li>'
        '<li><a href="mailto:a@reef.example">Mail</a></li><li><a href="/map.pdf">Map</a></li></ul>',
    ),
    HOME + "boats.html": page(
        "Boats",
        "<p>The station has two boats, which are moored at the north quay when they are not at sea.</p>"
        "<p>The research vessel Mantis was launched in 1997 and is 18.4 metres long. She carries a crew of six.</p>"
        '<p>Go back to the <a href="/">start</a>.</p>',
    ),
    HOME + "people.html": page(
        "People",
        "<p>These people work at the station; the list goes on over two pages, 1-3 of 5.</p><h2>People of the station</h2>"
        '<ul class="people"><li><a href="/p/1">Ana Ruiz</a></li><li><a href="/p/2">Bo Lind</a></li>'
        '<li><a href="/p/3">Cem Kaya</a></li></ul><a rel="next" href="/people.html?page=2">Next page</a>',
    ),
    HOME + "people.html?page=2": page(
        "People",
        "<p>These people work at the station; the list goes on over two pages, 4-5 of 5.</p><h2>People of the station</h2>"
        '<ul class="people"><li><a href="/p/4">Dora Papp</a></li><li><a href="/p/5">Emil Berg</a></li></ul>',
    ),
    HOME + "loop-a.html": Paper(redirect=HOME + "loop-b.html"),
    HOME + "loop-b.html": Paper(redirect=HOME),
    HOME + "down.html": Paper(failure=PageFailure(url="", kind="refused", message="the connection was refused")),
}


@functools.cache
def ranker() -> Ranker:
    return Ranker(WordLlamaEmbedder.load())


def task_for(question: str, root: str = HOME) -> Task:
    return Task(question=question, root_url=root, language="en", requirement=read_requirement(question, "en"))


def crew_for(browser: PaperSite) -> Crew:
    return Crew(
        browser=browser,
        reader=LiveReader(),
        vision=BuiltinEye(NoReader),
        explorer=BuiltinExplorer(ranker()),
        critic=BuiltinCritic(ranker()),
    )


def rules_for(task: Task, *, pages: int = 30, depth: int = 12) -> Rules:
    limits = Limits(pages=pages, depth=depth)
    return Rules(
        policy=Policy(scope=WalkScope(root_url=task.root_url), max_depth=depth),
        budget=Budget(limits=limits),
        threshold=GLANCE_THRESHOLD,
    )


def observed(html: str, url: str = HOME, status: int = 200) -> Observation:
    return observe(Snapshot(url=url, final_url=url, status=status, html=html))
