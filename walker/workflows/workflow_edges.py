"""What a workflow calls outside itself, as one value."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from memory.retrieval import Ranker
from walker.seams.chat import ChatImage, Spent
from walker.seams.code_runner import CodeRunner
from walker.seams.passage_critic import PassageCritic
from walker.seams.protocols import Browser, ChatModel, Critic, PageReader, Summariser
from walker.seams.web.borders import FoundSites
from walker.seams.web.handover import Handover
from walker.workflows.passage_source import PassageSource


class WorkflowEdges(msgspec.Struct, frozen=True, kw_only=True):
    """The edges of one workflow; each is recorded by itself, and all else is derived again in a replay."""

    ranker: Ranker
    critic: Critic
    """Answers from passages where there is no model."""
    passage_critic: PassageCritic
    chat: ChatModel | None = None
    """None: no model."""
    passages: PassageSource | None = None
    """What is searched first; None where only the browser can search."""
    browser: Browser | None = None
    """Opens pages, and answers searches with pages of hits; None where a library is all there is."""
    reader: PageReader | None = None
    handover: Handover | None = None
    """Gets past a check page or a login; None where that is not wanted."""
    summariser: Summariser | None = None
    """None: what is opened is shown as it is."""
    code: CodeRunner | None = None
    """None: no code is run."""
    pictures: tuple[ChatImage, ...] = ()
    """The picture of the question, and the part that it is about."""
    spent: Callable[[], Spent] = Spent
    found_sites: FoundSites = msgspec.field(default_factory=FoundSites)

    async def close(self) -> None:
        """Close what is open."""
        for edge in (self.passages, self.browser, self.code):
            if edge is not None:
                await edge.close()
