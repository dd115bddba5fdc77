"""Wiring: the one place where edges are made and put together. No other module constructs one."""

from __future__ import annotations

import copy
import importlib
import secrets
from collections.abc import Callable, Sequence
from types import TracebackType

import msgspec

from memory.counting.requirement import Requirement, read_requirement
from memory.retrieval import Ranker, WordLlamaEmbedder
from memory.url_key import key_of
from memory.url_stack import NoStack, UrlStack
from perception.images.freed_memory import give_back_memory, keep_few_arenas
from traces.redaction import Redactor
from walker.asked_picture.question_pictures import QuestionPictures, picture_search_of
from walker.browser.egress.egress_proxy import EgressProxy
from walker.browser.launch.browser_kinds import BrowserKinds
from walker.browser.launch.chromium import Chromium, ContextOptions
from walker.browser.network.network_log import NetworkLog
from walker.browser.network.recorded_network import NOWHERE, RecordedNetwork
from walker.browser.page.live_reader import LiveReader
from walker.browser.playwright.movable_browser import MovableBrowser
from walker.browser.playwright.playwright_browser import PlaywrightBrowser
from walker.browser.playwright.tabs_home import Prepare
from walker.code.runners import runner_of
from walker.errors import EmptyQuestion, UsageError
from walker.finding.finding_browser import FindingBrowser
from walker.finding.scout import Scout
from walker.handover.likely_links import LikelyLinks
from walker.handover.live_handover import handover_of
from walker.handover.live_person import person_of
from walker.library.filling_browser import FillingBrowser
from walker.library.library_browser import LibraryBrowser
from walker.library.walk_library import WalkLibrary
from walker.models.deadline import Deadline
from walker.models.language_tables import open_in_file
from walker.models.lazy_chat import LazyChat
from walker.models.meter import MeteredChat
from walker.models.openai_compatible import OpenAICompatible
from walker.models.retry import RetryingChat
from walker.recording.recorded_search import RecordedTextSearch
from walker.recording.recorded_site import RecordedSite
from walker.recording.recording import Recording
from walker.recording.recording_proxies import RecordedChat, with_recording
from walker.rules.budget import Budget
from walker.rules.cropping import CropRules
from walker.rules.language import language_of
from walker.rules.language_statistics import MODEL
from walker.rules.policy import Policy
from walker.rules.question_picture.picture_searching import PictureSearchRules
from walker.rules.scope import WalkScope, check_root
from walker.seams.chat import ChatImage, Spent
from walker.seams.code_runner import CodeRunner
from walker.seams.passage_critic import PassageCritic
from walker.seams.protocols import Analyst, Browser, ChatModel, Critic, Edges, Explorer, Summariser, VisionModel
from walker.seams.search_protocols import PictureSearch, QuestionPicture, TextSearch
from walker.seams.searches import SearchReach, is_own_page, is_start, start_address
from walker.seams.site_reader import SiteReader
from walker.seams.task import Task
from walker.seams.web.borders import Borders, FoundSites
from walker.seams.web.storage_state import state_of
from walker.seams.web.way_out import WayOut, secrets_of_way_out, way_out_of_walk
from walker.search.service_file import secrets_of_service
from walker.search.walk_browsers import browser_from_roots, browser_without_root
from walker.search.walk_scope import entered_scope, may_search, scope_of
from walker.settings import Beyond, BrowserKind, ModelSettings, Settings
from walker.strategies.analysis.builtin_analyst import BuiltinAnalyst
from walker.strategies.analysis.model_analyst import ModelAnalyst
from walker.strategies.builtin.builtin_critic import BuiltinCritic
from walker.strategies.builtin.builtin_explorer import BuiltinExplorer
from walker.strategies.builtin.links_ahead import promising_links
from walker.strategies.model.model_talk import ModelTalk
from walker.strategies.model.prompt_values import Offers
from walker.strategies.passages.builtin_passage_critic import BuiltinPassageCritic
from walker.strategies.passages.model_passage_critic import ModelPassageCritic
from walker.strategies.reader.passage_reader import NetReader
from walker.strategies.strategy_assembly import model_strategies
from walker.strategies.summaries.choosing_summariser import make_summariser
from walker.vision.builtin_vision import BuiltinVision
from walker.vision.calibrations import Calibrations
from walker.vision.endpoint_vision import EndpointVision
from walker.vision.model_source import ModelSource, OwnModels
from walker.walk.walk_state import Rules

CALIBRATIONS = ".vision-calibrations.json"
FILE_SHARE = 0.6
"""Of the time limit of a page, for reading a file (PDF, Word, CSV ...) that has arrived."""
"""In the folder of runs: the fitted coordinates of unknown vision models."""


def read_task(
    root: str | Sequence[str],
    question: str,
    language: str = "",
    *,
    counter: bool = True,
    picture: QuestionPicture | None = None,
) -> Task:
    """The task of a person's words, with one root or several, or with a picture. Raises `NotAUrl` or `EmptyQuestion`."""
    given = (root,) if isinstance(root, str) else root
    roots = tuple({key_of(url): url for url in map(check_root, given)}.values())
    root_url = roots[0] if len(roots) == 1 else start_address(roots) if roots else check_root("")
    if picture is not None:
        root_url = start_address([url for url in roots if not is_own_page(url)], picture.digest)
    text = " ".join(question.split())
    if not text:
        raise EmptyQuestion("the question is empty", advice="Say what you want to know, in quotes")
    spoken = language or language_of(text)
    requirement = read_requirement(text, spoken) if counter else Requirement()
    return Task(question=text, root_url=root_url, language=spoken, requirement=requirement, picture=picture)


class WalkResources:
    """What several walks of one process share: one Chromium, and the models of built-in strategy and vision."""

    def __init__(
        self,
        settings: Settings,
        *,
        picture_search: Callable[[], PictureSearch] | None = None,
        models: ModelSource | None = None,
    ) -> None:
        """`picture_search` opens what pages are searched by pictures with, for each walk; asked where the settings say so. `models`
        are those of built-in vision, by default this process's own."""
        keep_few_arenas()
        named = picture_search_of(settings, lambda: self._way_out_of(()).proxy)
        self.pictures = QuestionPictures(picture_search or named)
        MODEL.open_with(open_in_file)
        self.settings, self._models = settings, models or OwnModels(settings)
        self.browsers = BrowserKinds(
            path=settings.chromium, kind=settings.browser_kind, cdp=settings.cdp, windows=settings.windows
        )
        self.movable: MovableBrowser | None = None
        """The last that was made: that of the walk whose edges are being made."""
        self._ranker: Ranker | None = None
        self._builtin_vision: BuiltinVision | None = None
        self._client: OpenAICompatible | None = None
        self._endpoint: ChatModel | None = None
        self._calibrations: Calibrations | None = None
        self._vision_client: OpenAICompatible | None = None
        self._vision_endpoint: ChatModel | None = None

    async def __aenter__(self) -> WalkResources:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.browsers.close()
        for client in (self._client, self._vision_client):
            if client is not None:
                await client.close()

    def with_settings(self, settings: Settings) -> WalkResources:
        """Resources for walks with other modules, or another gate: shares this one's browser and models, and is left with it."""
        # What is made on first use is made now, so that there is one of each.
        model, vision = self.settings.model, self.settings.vision
        of_models = (("endpoint", model), ("vision_endpoint", vision), ("calibrations", vision))
        for name in ("chromium", "ranker", "builtin_vision", *(name for name, model in of_models if model is not None)):
            getattr(self, name)
        sibling = copy.copy(self)
        sibling.settings = settings
        return sibling

    @property
    def chromium(self) -> Chromium:
        """Shared by all walks; it starts with the first page. Raises `BrowserUnavailable` where none is found."""
        return self.browsers.first

    @property
    def ranker(self) -> Ranker:
        """Loaded on first use, 0.5 s."""
        if self._ranker is None:
            self._ranker = Ranker(WordLlamaEmbedder.load())
        return self._ranker

    def edges(self, task: Task) -> Edges:
        """The edges of one walk. The browser starts with the first page, the model with the first question."""
        return self._edges(task)

    def recorded_edges(self, task: Task, recording: Recording, spent: Spent | None = None) -> Edges:
        """The same with a recording between them and the walk. `spent` is what the walk has cost already."""
        network, settings = self.network_log(), self.settings
        live = self._edges(task, recording, network, spent)
        return with_recording(live, recording, network=network, pictures=settings.pictures and settings.record)

    def _edges(
        self,
        task: Task,
        recording: Recording | None = None,
        network: NetworkLog | None = None,
        spent: Spent | None = None,
    ) -> Edges:
        give_back_memory()  # what the walk before has left
        deadline = Deadline(self.settings.limits.seconds)
        meter = self.meter(spent, deadline)
        chat = RecordedChat(meter, recording) if meter is not None and recording is not None else meter
        pictures = self.pictures.sent_in_walk(task, self.settings)
        explorer, critic = self.strategies(chat, may_search=may_search(task, self.settings), pictures=pictures)
        vision_meter = self._vision_meter(meter, spent, deadline)
        counting, vision_model = meter or vision_meter, self.vision_model(vision_meter, recording)
        found, self.movable = FoundSites(), None
        return Edges(
            browser=self.site_browser(task, network, recording, vision_model, found),
            handover=handover_of(self.settings, self.browsers, self.movable),
            person=person_of(self.settings, LikelyLinks(self.ranker), deadline.put_off),
            found_sites=found,
            reader=LiveReader(),
            vision=self.builtin_vision,
            explorer=explorer,
            critic=critic,
            analyst=self.analyst(chat),
            vision_model=vision_model,
            summariser=self.summariser(chat),
            code=self.code_runner(),
            spent=Spent if counting is None else lambda: counting.spent,
        )

    def site_browser(
        self,
        task: Task,
        network: NetworkLog | None,
        recording: Recording | None,
        vision: VisionModel | None = None,
        found: FoundSites | None = None,
    ) -> Browser:
        """The browser of pages, searches and pictures. Raises `UsageError` without a root, a search and a library."""
        by_picture = self.pictures.search(recording) if self.settings.beyond.pictures else None
        site, scope = self._browser(task, network, recording, found), entered_scope(task, self.settings)
        return self.pictures.in_front_of(site, task, scope, by_picture, (self.builtin_vision, vision))

    def meter(self, spent: Spent | None = None, deadline: Deadline | None = None) -> MeteredChat | None:
        """The language model with its budget, None where none is set. `spent` is what it has cost already; at the `deadline` its calls
        end."""
        model = self.settings.model
        if model is None:
            return None
        return MeteredChat(LazyChat(lambda: self.endpoint), model, spent, deadline=deadline)

    def summariser(self, chat: ChatModel | None = None) -> Summariser | None:
        """Who summarises pages, with the language model if one is given; None where nobody does."""
        settings = self.settings
        return make_summariser(chat, settings.model, self.ranker, settings.seed) if settings.summarises else None

    @property
    def builtin_vision(self) -> BuiltinVision:
        """Shared by all walks; its models are loaded at the first look, 0.6 s."""
        if self._builtin_vision is None:
            self._builtin_vision = BuiltinVision(self._models.text_reader, self._models.icon_namer)
        return self._builtin_vision

    def strategies(
        self, chat: ChatModel | None = None, *, may_search: SearchReach = False, pictures: tuple[ChatImage, ...] = ()
    ) -> tuple[Explorer, Critic]:
        """The strategy, explorer and critic: with the language model if one is given, else built-in. `may_search`: the walk has
        something to search; `pictures`: that of the question, for a model that takes pictures."""
        may_look, counts, model = self.settings.may_look, self.settings.components.counter, self.settings.model
        if chat is None or model is None:
            explorer = BuiltinExplorer(self.ranker, may_look=may_look, may_search=bool(may_search))
            return explorer, BuiltinCritic(self.ranker, NetReader())
        pages, tools = self.settings.limits.pages, self.settings.chosen_tools
        looks = self.settings.limits.looks
        offers = Offers(
            may_look=may_look, may_search=may_search, tools=tools, may_count=counts, pages=pages, looks=looks
        )
        return model_strategies(chat, model, self.ranker, seed=self.settings.seed, offers=offers, pictures=pictures)

    def code_runner(self) -> CodeRunner | None:
        """What runs a model's code, None where nothing is set; it starts with the first run. Raises `UsageError` where it cannot."""
        code = self.settings.code
        return runner_of(code, lambda: self.chromium.new_context(ContextOptions(proxy=NOWHERE))) if code else None

    def passage_critic(self, chat: ChatModel | None = None) -> PassageCritic:
        """Of the settings' model, else built-in. `chat`: that model as it is metered and recorded, None for one meter of its own."""
        model = self.settings.model
        if model is None:
            return BuiltinPassageCritic()
        return ModelPassageCritic(chat or MeteredChat(self.endpoint, model), model, BuiltinPassageCritic())

    def analyst(self, chat: ChatModel | None = None) -> Analyst:
        """Who says what a question asks for: the language model if one is given and set to, else rules."""
        model = self.settings.model
        if chat is None or model is None or model.analysis == "rules":
            return BuiltinAnalyst()
        talk = ModelTalk(chat, model, self.settings.seed, repairs=0)
        return ModelAnalyst(talk, BuiltinAnalyst(), may_count=self.settings.components.counter)

    def vision_model(self, chat: ChatModel | None, recording: Recording | None = None) -> VisionModel | None:
        """The vision model for what built-in vision leaves open, if one is set."""
        vision = self.settings.vision
        if vision is None or chat is None:
            return None
        asked = RecordedChat(chat, recording) if recording is not None else chat
        return EndpointVision(asked, vision, self.settings.seed, self.calibrations)

    @property
    def calibrations(self) -> Calibrations:
        """The fitted coordinates of unknown vision models, shared by all walks."""
        if self._calibrations is None:
            file = self.settings.runs_folder / CALIBRATIONS if self.settings.record else None
            self._calibrations = Calibrations(file)
        return self._calibrations

    def _vision_meter(self, meter: MeteredChat | None, spent: Spent | None, deadline: Deadline) -> MeteredChat | None:
        vision, model = self.settings.vision, self.settings.model
        if vision is None:
            return None
        lazy = LazyChat(lambda: self.vision_endpoint)
        return MeteredChat(lazy, model or ModelSettings(name=vision.name), spent, shared=meter, deadline=deadline)

    @property
    def vision_endpoint(self) -> ChatModel:
        """The vision model's endpoint; that of the language model where both are at one address."""
        vision, model = self.settings.vision, self.settings.model
        assert vision is not None, "asked only where a vision model is set"
        if vision.folder:
            if self._vision_endpoint is None:
                self._vision_endpoint = self._models.picture_chat(vision.folder)
            return self._vision_endpoint
        if model is not None and (vision.base_url, vision.key) == (model.base_url, model.key):
            return self.endpoint
        if self._vision_endpoint is None:
            self._vision_client = OpenAICompatible(vision.base_url, vision.key, seconds=vision.seconds)
            self._vision_endpoint = RetryingChat(self._vision_client, address=self._vision_client.address)
        return self._vision_endpoint

    @property
    def endpoint(self) -> ChatModel:
        """The language model, shared by all walks of the process; made on first use."""
        model = self.settings.model
        assert model is not None, "asked only where a model is set"
        if self._endpoint is None:
            self._client = OpenAICompatible(model.base_url, model.key, seconds=model.seconds)
            self._endpoint = RetryingChat(self._client, address=self._client.address)
        return self._endpoint

    def _browser(
        self, task: Task, network: NetworkLog | None, recording: Recording | None, found: FoundSites | None
    ) -> Browser:
        """Raises `UsageError` for a walk through a library that is not named."""
        web, scope = self._web_search(recording), scope_of(task, self.settings)
        library = self.settings.library
        if not scope.roots:
            if library is None and web is None:
                raise UsageError("this walk goes through a library", advice="Name its file with --library FILE")
            shelf = LibraryBrowser(library) if library is not None else None
            if shelf is not None and scope.is_library:
                return shelf
            return browser_without_root(self.live_browser(task, network, found), scope, shelf, web)
        site = self._site_browser(task, network, recording, found)
        if isinstance(site, FindingBrowser):
            return browser_from_roots(site, scope, web, site.find)
        return site if web is None and not is_start(task.root_url) else browser_from_roots(site, scope, web)

    def _web_search(self, recording: Recording | None) -> TextSearch | None:
        """The service that finds pages by words, if one is set."""
        service = self.settings.beyond.search
        if service is None:
            return None
        # An HTTP client takes 0.3 s to import; replays and most walks need none.
        made = importlib.import_module("walker.search.json_search")
        search: TextSearch = made.JsonSearch(service, proxy=self._way_out_of(()).proxy)
        return search if recording is None else RecordedTextSearch(search, recording)

    def _site_browser(
        self, task: Task, network: NetworkLog | None, recording: Recording | None, found: FoundSites | None
    ) -> Browser:
        """The browser of pages of sites, and of searches where the walk sends scouts."""
        if self.settings.scouts:
            return self.finding_browser(task, network, recording, found)
        live, library = self.live_browser(task, network, found), self.settings.library
        return live if library is None else FillingBrowser(live, WalkLibrary(library, self._cleaner()), network)

    def finding_browser(
        self,
        task: Task,
        network: NetworkLog | None = None,
        recording: Recording | None = None,
        found: FoundSites | None = None,
    ) -> FindingBrowser:
        """A browser whose sites can be searched, and are scouted for it; the scouts share their pages."""
        settings, scope = self.settings, scope_of(task, self.settings)
        library = WalkLibrary(settings.library, self._cleaner())
        filling = FillingBrowser(self.live_browser(task, network, found), library, network)
        # An HTTP client and its settings take 0.3 s to import; replays, and walks with a model, send no scout.
        polite = importlib.import_module("walker.finding.polite_site")
        scouts = []
        for root in scope.roots:
            site: SiteReader = polite.PoliteSite(
                root,
                page_seconds=settings.page_seconds,
                way_out=self._way_out(task),
                state=state_of(settings.session),
            )
            if recording is not None:
                site = RecordedSite(site, recording, root=root if len(scope.roots) > 1 else "")
            own, pages = WalkScope(root_url=root, kind=settings.scope), -(-settings.scouts // len(scope.roots))
            scouts.append(Scout(site, filling, library, own, pages=pages))
        return FindingBrowser(filling, library, scouts, scope)

    def _cleaner(self) -> Callable[[str], str]:
        """Replaces the secrets of these settings in a text."""
        keyed = (self.settings.model, self.settings.vision, self.settings.picture_search)
        keys = (one.key for one in keyed if one is not None and one.key)
        sent = secrets_of_way_out(self.settings.headers, self.settings.proxy)
        sent += secrets_of_service(self.settings.beyond.search)
        return Redactor((*self.settings.secrets, *keys, *sent), secrets.token_bytes(32)).clean_text

    def _way_out(self, task: Task, found: FoundSites | None = None) -> WayOut:
        """Of a walk's browser and scouts; one that stays on its root's site needs no borders. Where hits open sites, those `found` are
        within them."""
        scope = scope_of(task, self.settings)
        out = self._way_out_of(scope.roots)
        if self.settings.beyond == Beyond() and not is_start(task.root_url):
            return out
        sites = found or FoundSites()

        def may_open(url: str) -> bool:
            return not scope.why_outside(url, scope.sites_of_hits(sites.all))

        return msgspec.structs.replace(out, borders=Borders(may_open, scope.roots))

    def _way_out_of(self, roots: Sequence[str]) -> WayOut:
        """Raises `UsageError` for a header or a proxy that cannot be."""
        try:
            return way_out_of_walk(roots, self.settings.headers, self.settings.proxy)
        except ValueError as error:
            raise UsageError(str(error)) from None

    def live_browser(
        self,
        task: Task,
        network: NetworkLog | None = None,
        found: FoundSites | None = None,
        prepare: Prepare | None = None,
    ) -> MovableBrowser:
        """A browser of pages of sites. `prepare` is called with each new context, where its network is not recorded."""
        way_out = self._way_out(task, found)
        context = ContextOptions(
            file_seconds=FILE_SHARE * self.settings.page_seconds,
            own_headers=way_out.headers,
            borders=way_out.borders,
            state=state_of(self.settings.session),
        )

        def make(kind: BrowserKind | None) -> PlaywrightBrowser:
            return PlaywrightBrowser(
                self.chromium if kind is None else self.browsers.of(kind),
                context,
                page_seconds=self.settings.page_seconds,
                egress=EgressProxy(*scope_of(task, self.settings).named_addresses, way_out=way_out),
                prepare=network.watch if network is not None else prepare,
            )

        self.movable = MovableBrowser(make)
        return self.movable

    def network_log(self) -> NetworkLog | None:
        """The network source also pins the clock, so a walk with a pinned clock keeps it when resumed."""
        settings = self.settings
        return NetworkLog(pinned_at=settings.pinned_at) if settings.network or settings.pinned_at else None

    def recorded_browser(self, network: RecordedNetwork) -> PlaywrightBrowser:
        """A browser that gets recorded responses only."""
        context = ContextOptions(proxy=NOWHERE, file_seconds=FILE_SHARE * self.settings.page_seconds)
        return PlaywrightBrowser(self.chromium, context, page_seconds=self.settings.page_seconds, prepare=network.serve)


def make_rules(task: Task, settings: Settings, resources: WalkResources) -> Rules:
    """The rules of a walk with these settings."""
    model, components = settings.model, settings.components
    return Rules(
        policy=Policy(
            scope=entered_scope(task, settings),
            max_depth=settings.limits.depth,
            crops=CropRules(may_look=components.vision, looks=settings.limits.looks),
            may_search=bool(may_search(task, settings)),
            picture_searches=PictureSearchRules(may_search=settings.beyond.pictures),
            tools=settings.chosen_tools,
        ),
        budget=Budget(limits=settings.limits),
        threshold=settings.threshold,
        look_threshold=settings.look_threshold,
        weights=settings.weights,
        may_look=components.vision,
        looks_back=components.vision and model is None and settings.gate == "walker",
        gate=settings.gate,
        empty_stack=UrlStack() if components.url_stack else NoStack(),
        side_by_side=model is not None and model.order == "side-by-side",
        prefetch=promising_links(task, lambda: resources.ranker, model.fetch_ahead)
        if model is not None and model.fetch_ahead
        else None,
        # Asked for only where two names are near duplicates, so a replay seldom has to load the model.
        similarity=lambda one, other: resources.ranker.similarities(one, [other])[0],
        sure=settings.sure,
    )
