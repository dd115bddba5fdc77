"""Wiring of workflows: where their edges are made and put together, of what walks share."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from walker.assembly import WalkResources
from walker.browser.network.network_log import NetworkLog
from walker.browser.page.live_reader import LiveReader
from walker.handover.live_handover import handover_of
from walker.library.library_passages import LibraryPassages
from walker.models.deadline import Deadline
from walker.recording.recorded_passage_critic import RecordedPassageCritic
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordedChat, RecordedCode, RecordedHandover, recorded_pages
from walker.seams.chat import Spent
from walker.seams.code_runner import CodeRunner
from walker.seams.passage_critic import PassageCritic
from walker.seams.protocols import Browser, ChatModel, PageReader
from walker.seams.task import Task
from walker.seams.web.borders import FoundSites
from walker.seams.web.handover import Handover
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.passages.builtin_passage_critic import BuiltinPassageCritic
from walker.strategies.reader.passage_reader import NetReader
from walker.workflows.passage_source import PassageSource
from walker.workflows.recorded_passages import RecordedPassages
from walker.workflows.workflow_edges import WorkflowEdges


class LiveWorkflow(msgspec.Struct, frozen=True, kw_only=True):
    """The edges of a workflow that a recording stands in front of; None for those that it does without."""

    chat: ChatModel | None
    passages: PassageSource | None
    browser: Browser | None
    reader: PageReader
    handover: Handover | None = None
    code: CodeRunner | None = None
    network: NetworkLog | None = None
    found_sites: FoundSites = msgspec.field(default_factory=FoundSites)
    spent: Callable[[], Spent] = Spent


def workflow_edges(
    resources: WalkResources, task: Task, recording: Recording | None = None, spent: Spent | None = None
) -> WorkflowEdges:
    """The edges of one workflow: a library is searched directly, a site by its browser. Nothing starts before it is used. `spent` is
    what the model has cost already. Raises `UsageError`."""
    settings = resources.settings
    meter = resources.meter(spent, Deadline(settings.limits.seconds))
    finds_pictures = task.picture is not None and settings.beyond.pictures
    has_site = settings.workflow.name != "direct" and (
        settings.library is None or finds_pictures or settings.workflow.name == "extract"
    )
    network, found_sites = resources.network_log() if has_site else None, FoundSites()
    browser = resources.site_browser(task, network, recording, found=found_sites) if has_site else None
    live = LiveWorkflow(
        chat=meter,
        passages=None if settings.library is None else LibraryPassages(settings.library),
        browser=browser,
        reader=LiveReader(),
        handover=handover_of(settings, resources.browsers, resources.movable)
        if settings.workflow.name == "extract"
        else None,
        code=resources.code_runner() if settings.workflow.name == "agentic" else None,
        network=network,
        found_sites=found_sites,
        spent=(lambda: meter.spent) if meter is not None else Spent,
    )
    return edges_over(resources, task, live, recording)


def edges_over(
    resources: WalkResources, task: Task, live: LiveWorkflow, recording: Recording | None = None
) -> WorkflowEdges:
    """A workflow over these edges, with a recording between the two if one is given."""
    model = resources.settings.model
    chat, passages, browser, reader, code = live.chat, live.passages, live.browser, live.reader, live.code
    handover = live.handover
    if recording is not None:
        chat = RecordedChat(chat, recording) if chat is not None else None
        passages = RecordedPassages(passages, recording) if passages is not None else None
        code = RecordedCode(code, recording) if code is not None else None
        handover = RecordedHandover(handover, recording) if handover is not None else None
        if browser is not None:
            browser, reader = recorded_pages(browser, reader, recording, live.network)
    return WorkflowEdges(
        ranker=resources.ranker,
        critic=BuiltinCritic(resources.ranker, NetReader()),
        passage_critic=_passage_critic(resources, chat, recording),
        chat=chat,
        passages=passages,
        browser=browser,
        reader=reader,
        handover=handover,
        summariser=resources.summariser(chat),
        code=code,
        pictures=() if model is None else resources.pictures.sent(task, model.name),
        spent=live.spent,
        found_sites=live.found_sites,
    )


def _passage_critic(resources: WalkResources, chat: ChatModel | None, recording: Recording | None) -> PassageCritic:
    by_model = resources.settings.workflow.weigh_by == "model" and chat is not None
    critic = resources.passage_critic(chat) if by_model else BuiltinPassageCritic()
    return critic if recording is None else RecordedPassageCritic(critic, recording)
