"""Decides which pages are read over HTTP and which are rendered, by what was learned about each URL template."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Set
from urllib.parse import urlsplit

import msgspec

from walker.crawl.rendering.needs_javascript import PageFacts

SAMPLES = 2
"""Samples (pages fetched both ways) of a template before it is trusted; one more for each script that no sample had."""
EVERY = 50
"""One in so many pages of a trusted template is sampled again."""
KNOWN_SAMPLES, KNOWN_TEMPLATES = 3, 2
"""Samples, and templates, after which a script is known on its host. A page with known scripts only does not need a sample of its
template immediately:"""
LATE = 10
"""the template is sampled after so many of its pages were read."""
NEEDS_RENDERING_AT_MOST = 3
"""Pages of a template that need rendering, after which it is no longer fetched over HTTP at all, unless some of its pages are
trusted."""

GIVEN_UP_AT = 20
"""Pages of a template that differed for different reasons, or samples that were more than half of its pages: rendering all of them
costs less than sampling."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """The decision on one template."""

    template: str
    driver: str
    """`http`, `rendered`, or `mixed` if only some of its pages need rendering."""
    why: str
    pages: int


class _Program(msgspec.Struct, kw_only=True):
    """Statistics of one script on one host: samples on which it changed nothing, and their templates."""

    samples: int = 0
    templates: set[str] = msgspec.field(default_factory=set)

    @property
    def is_known(self) -> bool:
        return self.samples >= KNOWN_SAMPLES and len(self.templates) >= KNOWN_TEMPLATES


def has_suspects(programs: frozenset[str], suspects: Iterable[frozenset[str]], harmless: Set[str]) -> bool:
    """Whether a page with these scripts may differ as samples with the scripts `suspects` did. Scripts that also occur on pages
    without a difference, `harmless`, are not suspects, unless there were no others."""
    return any(
        suspect == programs or not (culprits := suspect - harmless) or culprits <= programs for suspect in suspects
    )


class _Template(msgspec.Struct, kw_only=True):
    pages: int = 0
    samples: int = 0
    needs_rendering: int = 0
    reason: str = ""
    given_up: str = ""
    harmless: set[str] = msgspec.field(default_factory=set)
    """Scripts of samples without a difference."""
    places: set[str] = msgspec.field(default_factory=set)
    suspects: list[frozenset[str]] = msgspec.field(default_factory=list)
    """Scripts of samples with a difference."""
    before: list[str] = msgspec.field(default_factory=list)
    """Pages that an earlier run of the job read over HTTP, whose scripts are unknown."""
    unchecked: list[tuple[str, frozenset[str]]] = msgspec.field(default_factory=list)
    """Pages read over HTTP since the last sample, with their scripts."""
    is_checked: bool = False
    """A sample is in progress, to recheck the template."""
    turn: asyncio.Lock = msgspec.field(default_factory=asyncio.Lock)

    def suspect_in(self, programs: frozenset[str]) -> bool:
        """Whether a page with these scripts may differ like an earlier sample."""
        return has_suspects(programs, self.suspects, self.harmless)


class RenderDecisions:
    """Statistics and decisions, shared by the workers of a crawl. Pure except for a lock, by which only one worker at a time
    samples a template."""

    def __init__(self, template_of: Callable[[str], str], *, samples: int = SAMPLES, every: int = EVERY) -> None:
        self._template_of, self._samples, self._every = template_of, samples, every
        self._templates: dict[str, _Template] = {}
        self._plain_hosts: dict[str, bool] = {}
        """Hosts of which a page without scripts was sampled: whether it was the same."""
        self._programs: dict[tuple[str, str], _Program] = {}
        self._places: dict[str, set[str]] = {}
        """Empty elements, by host, that remained empty in a browser."""
        self._refetch_urls: list[str] = []
        self.counts: Counter[str] = Counter()
        """Pages by driver and reason ("http: verified", "rendered: an empty shell")."""

    def turn(self, url: str) -> asyncio.Lock:
        """The lock to hold while a page of this template is decided."""
        return self._of(url).turn

    def why_rendered(self, url: str) -> str:
        """Why pages of this template are rendered without fetching their source, "" if they are not."""
        template = self._of(url)
        if template.given_up:
            return template.given_up
        return template.reason if template.needs_rendering >= NEEDS_RENDERING_AT_MOST and not template.samples else ""

    def is_settled(self, url: str) -> bool:
        """Whether pages of this template can be decided concurrently."""
        template = self._of(url)
        return template.pages > self._samples or template.needs_rendering >= NEEDS_RENDERING_AT_MOST

    def why_needs_rendering(self, url: str, facts: PageFacts) -> str:
        """Why this page must be rendered, "" for no reason."""
        if facts.reasons:
            return facts.reasons[0]
        template = self._of(url)
        return template.reason if template.suspect_in(facts.programs) else ""

    def why_sampled(self, url: str, facts: PageFacts) -> str:
        """Why this page is to be sampled, "" if it is not."""
        host, template = _host_of(url), self._of(url)
        if not facts.is_scripted and self._plain_hosts.get(host):
            # No script runs on it: the source is the page.
            return ""
        waiting = len(template.unchecked)
        unknown = facts.programs if template.samples < self._samples else facts.programs - template.harmless
        if unknown or template.samples < self._samples:
            is_known = bool(unknown) and all(self._program(host, name).is_known for name in unknown)
            is_usual = is_known and facts.places <= self._places.setdefault(host, set())
            return "" if is_usual and waiting < LATE - 1 else "a sample"
        if not facts.places <= template.places:
            return "an empty element that no sample had"
        if waiting >= self._every - 1 and not template.is_checked:
            template.is_checked = True
            return "one in many"
        return ""

    def record_http_read(self, url: str, facts: PageFacts) -> None:
        """Record a page that was read over HTTP only."""
        template = self._of(url)
        template.pages += 1
        if facts.is_scripted:
            template.unchecked.append((url, facts.programs))
        self.counts["http: verified" if facts.is_scripted else "http: no script"] += 1

    def record_earlier_reads(self, urls: Iterable[str]) -> None:
        """Record pages that an earlier run read over HTTP: a difference before this run's first good sample concerns them too."""
        for url in urls:
            self._of(url).before.append(url)

    def record_same(self, url: str, facts: PageFacts, why: str) -> None:
        """Record a sample without a difference."""
        host, template = _host_of(url), self._of(url)
        template.pages += 1
        template.samples += 1
        template.harmless |= facts.programs
        template.places |= facts.places
        template.is_checked = False
        template.unchecked.clear()
        template.before.clear()
        if template.samples > GIVEN_UP_AT and template.samples * 2 > template.pages:
            template.given_up = "other scripts on every page"
        for name in facts.programs:
            program = self._program(host, name)
            program.samples += 1
            program.templates.add(self._template_of(url))
        self._places.setdefault(host, set()).update(facts.places)
        if not facts.is_scripted:
            self._plain_hosts.setdefault(host, True)
        self.counts[f"rendered: {why}"] += 1

    def record_needs_rendering(self, url: str, facts: PageFacts, reason: str) -> None:
        """Record a page that needs rendering. If the reason is not visible in the source, its scripts become suspects."""
        template = self._of(url)
        template.pages += 1
        template.needs_rendering += 1
        template.reason = template.reason or reason
        template.is_checked = False
        if not facts.reasons and facts.programs not in template.suspects:
            template.suspects.append(facts.programs)
            if len(template.suspects) > GIVEN_UP_AT:
                template.given_up = template.reason
            self._refetch_urls += template.before
            template.before = []
            self._refetch_urls += [page for page, programs in template.unchecked if template.suspect_in(programs)]
            template.unchecked = [read for read in template.unchecked if not template.suspect_in(read[1])]
            if not facts.is_scripted:
                # The server itself distinguishes browsers.
                self._plain_hosts[_host_of(url)] = False
        self.counts[f"rendered: {_short(reason)}"] += 1

    def record_failed_sample(self, url: str) -> None:
        """Record a failed sample; another page will be sampled."""
        self._of(url).is_checked = False
        self.counts["rendered: failed"] += 1

    def record_rendered(self, url: str) -> None:
        """Record a page that was rendered because its template always is."""
        template = self._of(url)
        template.pages += 1
        self.counts[f"rendered: {_short(template.given_up or template.reason)}"] += 1

    def take_refetch_urls(self) -> tuple[str, ...]:
        """URLs to refetch: read over HTTP since the last good sample, before pages like them were found to differ."""
        refetch_urls, self._refetch_urls = tuple(self._refetch_urls), []
        return refetch_urls

    def verdicts(self) -> tuple[Verdict, ...]:
        """Verdicts on all templates, those with most pages first."""
        found = [
            Verdict(
                template=name,
                driver=_driver_of(known),
                why=known.given_up or known.reason or f"{known.samples} samples were the same",
                pages=known.pages,
            )
            for name, known in self._templates.items()
            if known.pages
        ]
        return tuple(sorted(found, key=lambda verdict: (-verdict.pages, verdict.template)))

    def _of(self, url: str) -> _Template:
        return self._templates.setdefault(self._template_of(url), _Template())

    def _program(self, host: str, name: str) -> _Program:
        return self._programs.setdefault((host, name), _Program())


def _driver_of(template: _Template) -> str:
    if template.given_up:
        return "rendered"
    if template.reason:
        return "mixed" if template.samples else "rendered"
    return "http"


def _host_of(url: str) -> str:
    return urlsplit(url).netloc.lower()


def _short(reason: str) -> str:
    """The reason without page-specific details."""
    return "the browser shows more" if " that the source has not" in reason else reason
