"""The work of the service: that of all servers, with crawl scripts of callers, logins that the operator allows, and a time after which
any work ends."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from walker.crawl.crawling import CrawlSettings, open_job, write_outputs
from walker.crawl.script.spec_loader import CrawlScript, spec_of_root
from walker.errors import RootUnreachable, UsageError, WalkerError
from walker.extraction.schemas.program_schema import typed_schema
from walker.handover.open_question import OpenQuestion
from walker.handover.whom_to_ask import ask_by
from walker.jobs.allowed_hosts import check_address
from walker.jobs.browser_pool import BrowserPool
from walker.jobs.kept_jobs import JobProgress, Work
from walker.jobs.long_work import LongWork
from walker.jobs.server_limits import ServerLimits, at_most
from walker.programs.named_settings import settings_by_name
from walker.recording.fault import TRACEBACK_NAME, one_line_for_a_fault
from walker.run_setup import trace_errors
from walker.settings import Settings

CONCURRENCY = 4
"""Pages of one crawl at a time."""
CRAWL_BYTES = 1 << 30
MARGIN_SECONDS = 60.0
"""Beyond the limit of a walk, until it is ended from outside: its own limit is looked at between pages."""


class Profiles(msgspec.Struct, frozen=True, kw_only=True):
    """The saved logins that callers may name."""

    names: frozenset[str] = frozenset()
    key: str = ""
    """What they are encrypted with, "" for nothing."""


class ServedWork(LongWork):
    """Questions, extractions and crawls of callers."""

    def __init__(
        self,
        settings: Settings,
        browsers: BrowserPool,
        data: Path,
        limits: ServerLimits,
        allowed: Sequence[str],
        profiles: Profiles,
    ) -> None:
        super().__init__(settings, browsers, data, limits, allowed)
        self._profiles = profiles

    def works(self) -> Mapping[str, Work]:
        """By the kind of the job."""
        return {"ask": self.ask, "extract": self.extract, "crawl": self.crawl}

    async def check(self, tool: str, given: Mapping[str, Any]) -> None:
        """Raise a `WalkerError` for what cannot be, before it is a job."""
        if tool == "crawl":
            await self.crawl_script(given)
        else:
            if given.get("ask_me") and not self._settings.ask_me:
                raise UsageError("this service asks nobody", advice="Whoever runs it starts it with --ask-me")
            await check_address(given["root" if tool == "ask" else "url"], self._allowed)
            self.walk_settings(given)
            if given["schema"] is not None:
                typed_schema(given["schema"])
        if given.get("webhook"):
            await check_address(given["webhook"], self._allowed)

    async def ask(self, name: str, given: Mapping[str, Any], progress: JobProgress) -> dict[str, Any]:
        """Answer a question by a walk."""
        async with self._in_time() as limit:
            if given.get("ask_me"):
                progress.person = OpenQuestion(progress.tell, lambda more: _put_off(limit, more))
                ask_by(progress.person.ask)
            return await super().ask(name, given, progress)

    async def extract(self, name: str, given: Mapping[str, Any], progress: JobProgress) -> dict[str, Any]:
        """Fill in a schema."""
        async with self._in_time():
            return await super().extract(name, given, progress)

    async def crawl(self, name: str, given: Mapping[str, Any], progress: JobProgress) -> dict[str, Any]:
        """Crawl; what was fetched can be read although the crawl is stopped."""
        try:
            async with self._in_time():
                return await super().crawl(name, given, progress)
        except (asyncio.CancelledError, RootUnreachable):
            with contextlib.suppress(WalkerError):
                self._write_outputs(name, given)
            raise

    async def crawl_script(self, given: Mapping[str, Any]) -> CrawlScript:
        """The script that a caller sent, its hosts checked. Raises a `WalkerError`."""
        script = self._script(given)
        for url in script.spec.start:
            await check_address(url, self._allowed)
        for host in script.spec.scope.hosts:
            if "*" not in host:
                await check_address(f"http://{host}/", self._allowed)
            elif self._allowed:
                raise UsageError("names of hosts are given in full here", where=host)
        return script

    def walk_settings(self, given: Mapping[str, Any]) -> Settings:
        """The settings of a walk, with the login that was named. Raises `UsageError`."""
        profile = given.get("profile", "")
        settings = msgspec.structs.replace(super().walk_settings(given), ask_me=bool(given.get("ask_me")))
        if not profile:
            return settings
        if profile not in self._profiles.names:
            raise UsageError("there is no such profile", where=profile, advice="Whoever runs the service allows them")
        return settings_by_name(settings, {"profile": profile, "profile_key": self._profiles.key})

    def _script(self, given: Mapping[str, Any]) -> CrawlScript:
        parts = {name: given[name] for name in _PARTS if name in given}
        _check_texts(parts)
        for rule in parts.get("pages", ()):
            if any(step.get("type") or step.get("submit") for step in rule.get("steps", ())):
                raise UsageError("steps that type or submit are not done here", where="pages")
            if {"pictures", "picture-text", "download"} & set(rule.get("keep", ())):
                raise UsageError("pictures and downloads are not kept here", where="pages")
        scope = dict(parts.get("scope", {}))
        scope["pages"] = at_most(int(given["max_pages"] or scope.get("pages", 0)), self._limits.pages)
        scope["seconds"] = at_most(float(given["max_seconds"] or scope.get("seconds", 0)), self._limits.seconds)
        scope["bytes"] = at_most(int(scope.get("bytes", 0)), CRAWL_BYTES)
        start, *others = given["start"]
        parts |= {"scope": scope, "concurrency": CONCURRENCY}
        if others:
            parts["start"] = tuple(given["start"])
        return CrawlScript(spec=spec_of_root(start, **parts))

    def _write_outputs(self, name: str, given: Mapping[str, Any]) -> None:
        folder, script = self.crawls / name, self._script(given)
        if folder.is_dir():
            with contextlib.closing(open_job(script, CrawlSettings(folder=folder))) as store:
                write_outputs(script.spec, store)

    @contextlib.asynccontextmanager
    async def _in_time(self) -> AsyncIterator[asyncio.Timeout]:
        most = self._limits.seconds + MARGIN_SECONDS
        try:
            async with asyncio.timeout(most) as limit:
                with one_line_for_a_fault(self.runs.parent / TRACEBACK_NAME), trace_errors():
                    yield limit
        except TimeoutError:
            raise RootUnreachable(f"took longer than {most:.0f} s, and was ended") from None


def _put_off(limit: asyncio.Timeout, seconds: float) -> None:
    """Let work end so much later, since it waits for a person."""
    ends = limit.when()
    if ends is not None:
        limit.reschedule(ends + seconds)


_PARTS = (
    "sitemaps",
    "scope",
    "order",
    "best",
    "driver",
    "pages",
    "press",
    "items",
    "keep",
    "counter",
)


def _check_texts(value: Any) -> None:
    """Raise `UsageError` for a variable anywhere: those of the service are not for callers."""
    if isinstance(value, str):
        if "${" in value:
            raise UsageError("variables are not filled in here", where=value[:40])
    elif isinstance(value, Mapping):
        for key, inner in value.items():
            _check_texts(key)
            _check_texts(inner)
    elif isinstance(value, Collection):
        for inner in value:
            _check_texts(inner)
