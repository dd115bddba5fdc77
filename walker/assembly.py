"""Wiring: the one place where edges are made and put together. No other module constructs one."""

from __future__ import annotations

from types import TracebackType

from memory.requirement import read_requirement
from memory.retrieval import Ranker, WordLlamaEmbedder
from perception.observation import Observation
from perception.reading import observe
from perception.snapshot import Snapshot
from walker.browser.chromium import Chromium, WalkContext
from walker.browser.egress_proxy import EgressProxy
from walker.browser.finding import find_browser
from walker.browser.playwright_browser import PlaywrightBrowser
from walker.budget import Budget
from walker.errors import EmptyQuestion
from walker.language import language_of
from walker.minds.builtin_critic import BuiltinCritic
from walker.minds.builtin_explorer import BuiltinExplorer
from walker.policy import Policy
from walker.scene import Rules
from walker.scope import WalkScope, check_root
from walker.seams import Browser, Crew, Critic, Explorer
from walker.settings import Settings
from walker.task import Task
from walker.vision import BuiltinVision


def read_task(root: str, question: str, language: str = "") -> Task:
    """The task that a person's words describe; raises `NotAUrl` or `EmptyQuestion`."""
    root_url = check_root(root)
    text = " ".join(question.split())
    if not text:
        raise EmptyQuestion("the question is empty", advice="Say what you want to know, in quotes")
    spoken = language or language_of(text)
    return Task(question=text, root_url=root_url, language=spoken, requirement=read_requirement(text, spoken))


class LiveReader:
    """Reads each snapshot as it comes."""

    async def read(self, snapshot: Snapshot) -> Observation:
        """The observation of a snapshot."""
        return observe(snapshot)


class Workshop:
    """What several walks of one process share: one Chromium, and the models of the built-in minds."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._chromium: Chromium | None = None
        self._ranker: Ranker | None = None

    async def __aenter__(self) -> Workshop:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._chromium is not None:
            await self._chromium.close()

    @property
    def ranker(self) -> Ranker:
        """Loaded on first use, 0.5 s."""
        if self._ranker is None:
            self._ranker = Ranker(WordLlamaEmbedder.load())
        return self._ranker

    def crew(self, task: Task) -> Crew:
        """The edges of one walk. The browser starts with the first page."""
        explorer, critic = self.minds()
        return Crew(
            browser=self._browser(task),
            reader=LiveReader(),
            vision=BuiltinVision(),
            explorer=explorer,
            critic=critic,
        )

    def minds(self) -> tuple[Explorer, Critic]:
        """The explorer and the critic that need no model."""
        return BuiltinExplorer(self.ranker), BuiltinCritic(self.ranker)

    def _browser(self, task: Task) -> Browser:
        if self._chromium is None:
            self._chromium = Chromium(find_browser(self.settings.chromium), headed=self.settings.headed)
        return PlaywrightBrowser(
            self._chromium,
            WalkContext(),
            page_seconds=self.settings.page_seconds,
            egress=EgressProxy(task.root_url),
        )


def make_rules(task: Task, settings: Settings, workshop: Workshop) -> Rules:
    """What decides on a walk with these settings."""
    return Rules(
        policy=Policy(scope=WalkScope(root_url=task.root_url, kind=settings.scope), max_depth=settings.limits.depth),
        budget=Budget(limits=settings.limits),
        threshold=settings.threshold,
        # Asked for only where two names are near duplicates, so a replay seldom has to load the model.
        similarity=lambda one, other: workshop.ranker.similarities(one, [other])[0],
    )
