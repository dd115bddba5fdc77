"""Which pages are read over HTTP and which in a browser: what was found out about each template of addresses."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from urllib.parse import urlsplit

import msgspec

from walker.crawl.page_doubts import PageFacts

SAMPLES = 2
"""Pages of a template that are fetched both ways before any is trusted."""
EVERY = 50
"""One page in so many of a trusted template is fetched both ways again."""


class Verdict(msgspec.Struct, frozen=True, kw_only=True):
    """What is known of one template."""

    template: str
    driver: str
    """`http`, `rendered`, or `unknown` while samples are missing."""
    why: str
    pages: int


class _Template(msgspec.Struct, kw_only=True):
    samples: int = 0
    pages: int = 0
    doubt: str = ""
    trusted: set[str] = msgspec.field(default_factory=set)
    unchecked: list[str] = msgspec.field(default_factory=list)
    turn: asyncio.Lock = msgspec.field(default_factory=asyncio.Lock)


class PageChoices:
    """Shared by the workers of a crawl. Pure but for the lock that keeps two workers from sampling one template at a time."""

    def __init__(self, template_of: Callable[[str], str], *, samples: int = SAMPLES, every: int = EVERY) -> None:
        self._template_of, self._samples, self._every = template_of, samples, every
        self._templates: dict[str, _Template] = {}
        self._plain_hosts: dict[str, str] = {}
        self._doubtful: list[str] = []
        self.counts: Counter[str] = Counter()
        """Pages by driver and reason ("http: verified", "rendered: an empty shell")."""

    def turn(self, url: str) -> asyncio.Lock:
        """Held while a page of this template is decided on."""
        return self._of(url).turn

    def why_rendered(self, url: str) -> str:
        """Why pages of this template are rendered, "" where they need not be."""
        return self._of(url).doubt

    def why_sampled(self, url: str, facts: PageFacts) -> str:
        """Why this page is to be fetched both ways, "" where it need not be."""
        template, host = self._of(url), _host_of(url)
        if not facts.is_scripted and not facts.doubts and self._plain_hosts.get(host) == "same":
            # A browser runs nothing on it: what the server sent is the page.
            return ""
        if template.samples < self._samples:
            return "a sample"
        if not facts.features <= template.trusted:
            return "scripts that no sample had"
        return "one in many" if len(template.unchecked) >= self._every - 1 else ""

    def is_settled(self, url: str) -> bool:
        """Whether pages of this template need not wait for one another."""
        template = self._of(url)
        return bool(template.doubt) or template.samples >= self._samples

    def read_over_http(self, url: str, facts: PageFacts) -> None:
        """A page was read over HTTP alone."""
        template = self._of(url)
        template.pages += 1
        if facts.is_scripted:
            template.unchecked.append(url)
        self.counts["http: verified" if facts.is_scripted else "http: no script"] += 1

    def was_same(self, url: str, facts: PageFacts, why: str) -> None:
        """A sample was in a browser what it was over HTTP."""
        template = self._of(url)
        template.samples += 1
        template.pages += 1
        template.trusted |= facts.features
        template.unchecked.clear()
        if not facts.is_scripted:
            self._plain_hosts.setdefault(_host_of(url), "same")
        self.counts[f"rendered: {why}"] += 1

    def was_doubted(self, url: str, facts: PageFacts, doubt: str) -> None:
        """A page must be rendered, and with it all of its template from now on."""
        template = self._of(url)
        template.doubt = template.doubt or doubt
        template.pages += 1
        self._doubtful += template.unchecked
        template.unchecked.clear()
        if not facts.is_scripted and not facts.doubts:
            # The server itself tells browsers apart.
            self._plain_hosts[_host_of(url)] = "differs"
        self.counts[f"rendered: {_short(doubt)}"] += 1

    def was_rendered(self, url: str) -> None:
        """A page was rendered because its template is."""
        template = self._of(url)
        template.pages += 1
        self.counts[f"rendered: {_short(template.doubt)}"] += 1

    def take_doubtful(self) -> tuple[str, ...]:
        """Addresses that were read over HTTP since the last good sample of a template that was found to differ: they are worth
        another visit, rendered."""
        doubtful, self._doubtful = tuple(self._doubtful), []
        return doubtful

    def verdicts(self) -> tuple[Verdict, ...]:
        """Of all templates met, those with most pages first."""
        found = [
            Verdict(
                template=name,
                driver="rendered" if known.doubt else "http" if known.samples >= self._samples else "unknown",
                why=known.doubt or f"{known.samples} samples were the same",
                pages=known.pages,
            )
            for name, known in self._templates.items()
            if known.pages
        ]
        return tuple(sorted(found, key=lambda verdict: (-verdict.pages, verdict.template)))

    def _of(self, url: str) -> _Template:
        return self._templates.setdefault(self._template_of(url), _Template())


def _host_of(url: str) -> str:
    return urlsplit(url).netloc.lower()


def _short(doubt: str) -> str:
    """Without what is special to one page."""
    return "the browser shows more" if " that the source has not" in doubt else doubt
