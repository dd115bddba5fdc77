"""Walker for programs: questions and crawls that share one browser, and the functions that make one for a call."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypedDict, TypeVar, Unpack, overload

import msgspec

from walker.asked_picture.picture_file import read_picture
from walker.asking import GivenPicture, Roots, ask_in, run_to_end
from walker.assembly import WalkResources
from walker.browser.launch.find_chromium import find_browser
from walker.browser.launch.kept_chromium import keep_chromium
from walker.crawl.crawl_events import CrawlSink
from walker.crawl.crawl_report import CrawlReport
from walker.crawl.crawling import CrawlSettings
from walker.crawl.crawling import crawl as run_crawl
from walker.crawl.script.script_functions import ScriptFunctions
from walker.crawl.script.spec import CrawlSpec
from walker.errors import BrowserUnavailable, EndpointUnusable, TraceUnwritable, WalkerError
from walker.extraction.schemas.program_schema import typed_schema
from walker.extraction.schemas.schema_settings import as_typed, with_schema
from walker.extraction.schemas.typed_answers import TypedOutcome
from walker.logins.login_use import state_for
from walker.programs.crawl_request import CrawlOptions, job_place, requested_script
from walker.programs.named_settings import SettingNames, settings_by_name
from walker.run_setup import StopKeeper
from walker.seams.outcome import Outcome, StopReason
from walker.seams.protocols import TraceSink
from walker.seams.web.storage_state import StorageState, state_of
from walker.settings import Settings

T = TypeVar("T")
Asked = tuple[Roots, str]
"""A root, or several, and a question."""


class QuestionOptions(TypedDict, total=False):
    """What may be said of one question by name."""

    picture: GivenPicture | None
    box: Sequence[float] | None
    lang: str
    progress: TraceSink | None


class Walker:
    """One browser, and one set of models, for many questions and crawls.

    async with Walker(max_pages=10) as walker:
        outcome = await walker.ask("https://www.sqlite.org/", "What is the maximum length of an SQL statement?")
        outcomes = await walker.ask_many([(root, question), ...], jobs=2)
        report = await walker.crawl("https://docs.example.org/", keep=["markdown"])
    """

    def __init__(self, *, settings: Settings | None = None, **named: Unpack[SettingNames]) -> None:
        """`named` are settings by the names of the flags of `walker ask`. Raises `UsageError` for one that cannot be."""
        self.settings = settings_by_name(settings or Settings(), named)
        self._resources: WalkResources | None = None

    async def __aenter__(self) -> Walker:
        self._resources = await WalkResources(self.settings).__aenter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        resources, self._resources = self._opened(), None
        await resources.__aexit__(kind, error, trace)

    def _opened(self) -> WalkResources:
        if self._resources is None:
            raise RuntimeError("the walker is not open: use it within `async with Walker() as walker:`")
        return self._resources

    @overload
    async def ask(
        self, root: Roots, question: str, *, schema: None = None, **about: Unpack[QuestionOptions]
    ) -> Outcome: ...

    @overload
    async def ask(
        self, root: Roots, question: str, *, schema: type[T], **about: Unpack[QuestionOptions]
    ) -> TypedOutcome[T]: ...

    @overload
    async def ask(
        self, root: Roots, question: str, *, schema: Mapping[str, Any], **about: Unpack[QuestionOptions]
    ) -> TypedOutcome[Any]: ...

    async def ask(self, root: Roots, question: str, *, schema: Any = None, **about: Unpack[QuestionOptions]) -> Outcome:
        """Answer a question by walking the site under `root`, or the sites of several; about a picture, or the part of one in `box`;
        with a `schema` as a `TypedOutcome`. Raises a `WalkerError` as `walker.ask` does."""
        resources, picture = self._opened(), about.get("picture")
        asked = None if picture is None else read_picture(picture, about.get("box"))
        language, progress = about.get("lang", ""), about.get("progress")
        if schema is None:
            return await ask_in(resources, root, question, language=language, progress=progress, picture=asked)
        typed = typed_schema(schema)
        own = resources.with_settings(with_schema(self.settings, typed))
        return as_typed(await ask_in(own, root, question, language=language, progress=progress), typed)

    async def ask_many(self, questions: Iterable[Asked], *, jobs: int = 2) -> tuple[Outcome, ...]:
        """The outcomes of several questions, in their order, `jobs` at a time. One that fails has the stop reason `failed` and says
        why in `error`; without browser, model or room for the recordings all end with the error."""
        waiting = list(enumerate(questions))
        outcomes: dict[int, Outcome] = {}
        queue = iter(waiting)

        async def ask_on() -> None:
            for place, (root, question) in queue:
                outcomes[place] = await self._ask_one(root, question)

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(max(1, jobs)):
                    group.create_task(ask_on())
        except BaseExceptionGroup as several:
            named, others = several.split(WalkerError)
            if named is None or others is not None:
                raise
            raise named.exceptions[0] from None
        return tuple(outcomes[place] for place, _ in waiting)

    async def crawl(
        self,
        start: str | CrawlSpec,
        *,
        items: Callable[..., Any] | None = None,
        follow: Callable[..., Any] | None = None,
        sink: CrawlSink | None = None,
        **options: Unpack[CrawlOptions],
    ) -> CrawlReport:
        """Crawl from an address, or by a script: its file or its `CrawlSpec`; the same call goes on with the same job. `options` have
        the names of the flags of `walker crawl`; `items` and `follow` are those of a script in Python (docs/crawl-scripts.md).
        The items and pages are in the files of the report. Raises a `WalkerError`."""
        resources, environment = self._opened(), options.get("environment", {})
        script = requested_script(start, options, environment)
        if items is not None or follow is not None:
            own = script.functions
            functions = ScriptFunctions(path=own.path, items=items or own.items, follow=follow or own.follow)
            script = msgspec.structs.replace(script, functions=functions)
        (folder, address), library = job_place(options.get("job"), script), options.get("library")
        settings = CrawlSettings(
            folder=folder,
            address=address,
            environment=environment,
            chromium=self.settings.chromium,
            browser=options.get("browser") or self.settings.browser_kind,
            windows=self.settings.windows,
            state=_session(options).over(state_of(self.settings.session)),
            fresh=options.get("fresh", False),
            again=options.get("again", False),
            library=None if library is None else Path(library),
        )
        if settings.browser is not None:
            return await run_crawl(script, settings, sink=sink)
        with keep_chromium(find_browser(self.settings.chromium), resources.chromium):
            return await run_crawl(script, settings, sink=sink)

    async def _ask_one(self, root: Roots, question: str) -> Outcome:
        kept = StopKeeper()
        try:
            return await self.ask(root, question, progress=kept)
        except (BrowserUnavailable, EndpointUnusable, TraceUnwritable):
            raise
        except WalkerError as error:
            so_far = kept.so_far(self.settings.sure, error=str(error))
            return _failed(question, error) if so_far is None else _with_failure(so_far)


async def ask_many(
    questions: Iterable[Asked], *, jobs: int = 2, settings: Settings | None = None, **named: Unpack[SettingNames]
) -> tuple[Outcome, ...]:
    """The outcomes of several questions, each a root and a question, in their order; see `Walker.ask_many`."""
    async with Walker(settings=settings, **named) as walker:
        return await walker.ask_many(questions, jobs=jobs)


async def crawl(
    start: str | CrawlSpec,
    *,
    items: Callable[..., Any] | None = None,
    follow: Callable[..., Any] | None = None,
    sink: CrawlSink | None = None,
    **options: Unpack[CrawlOptions],
) -> CrawlReport:
    """Crawl a site, as `walker crawl` does; see `Walker.crawl`."""
    async with Walker() as walker:
        return await walker.crawl(start, items=items, follow=follow, sink=sink, **options)


def crawl_sync(start: str | CrawlSpec, **given: Any) -> CrawlReport:
    """`crawl` for programs without `await`."""
    return run_to_end(lambda: crawl(start, **given))


def _failed(question: str, error: WalkerError) -> Outcome:
    return Outcome(
        question=question,
        answer="",
        items=(),
        confidence=0.0,
        citations=(),
        stop_reason=StopReason.FAILED,
        pages=0,
        steps=0,
        count={},
        answered=False,
        error=str(error),
    )


def _with_failure(so_far: Outcome) -> Outcome:
    return msgspec.structs.replace(so_far, stop_reason=StopReason.FAILED)


def _session(options: CrawlOptions) -> StorageState:
    """What the options of a crawl name. Raises `UsageError`."""
    file = options.get("state")
    return state_for(
        None if file is None else Path(file), options.get("profile", ""), key=options.get("profile_key", "")
    )
