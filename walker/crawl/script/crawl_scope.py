"""The scope of a crawl; fast, as it is checked for every link, of which a site may have a hundred thousand."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from urllib.parse import urlsplit

from memory.url_key import DEFAULT_PORT, BadUrl, key_of, same_site
from walker.crawl.script.patterns import LONGEST_URL, Pattern, PatternSet, path_and_query
from walker.crawl.script.spec import CrawlSpec, Keep, PageRule
from walker.rules.scope import DOCUMENT_ENDINGS, FILE_ENDING, OLD_ENDINGS


class CrawlScope:
    """The scope of a validated script. Start URLs are always in scope, regardless of `path`, `include` and `exclude`."""

    def __init__(self, spec: CrawlSpec) -> None:
        scope = spec.scope
        self._starts = frozenset(key_of(url) for url in spec.start)
        self._hosts = _Hosts(spec.start, scope.hosts)
        self._path = scope.path if scope.path.startswith("/") else "/" + scope.path
        self._depth = scope.depth
        self._include, self._exclude = PatternSet(scope.include), PatternSet(scope.exclude)
        self._wanted = _endings_of(spec.keep)
        self._file_rules = tuple(
            (Pattern(rule.match), endings) for rule in spec.pages if (endings := _endings_of(rule.keep)) != ()
        )

    def why_outside(self, url: str, depth: int = 0) -> str:
        """Why this absolute URL is out of scope, "" if it is in scope. `depth`: number of links from a start URL."""
        if len(url) > LONGEST_URL:
            return f"longer than {LONGEST_URL} characters"
        if why := self.why_foreign(url):
            return "" if self._is_start(url) and "scheme" not in why else why
        if self._depth and depth > self._depth:
            return f"deeper than {self._depth} links"
        why = self._why_unwanted(url)
        return "" if why and self._is_start(url) else why

    def why_foreign(self, url: str) -> str:
        """Why this absolute URL is not on a host of the crawl, "" if it is."""
        slash = url.find("/", 8)
        origin = url if slash < 0 else url[:slash]
        return self._hosts.why_foreign(origin.partition("?")[0].partition("#")[0])

    def _why_unwanted(self, url: str) -> str:
        path = path_and_query(url)
        if not path.startswith(self._path):
            return f"not below {self._path}"
        if self._include and not self._include.first_match(url, path):
            return "matches no include pattern"
        if self._exclude and (pattern := self._exclude.first_match(url, path)):
            return f"matches {pattern}, which is excluded"
        ending = FILE_ENDING.search(path.partition("?")[0])
        if ending and not self._wants(url, ending[0].lower()):
            return "a file, and the script keeps neither downloads nor the text of it"
        return ""

    def _wants(self, url: str, ending: str) -> bool:
        if self._wanted is None or ending in self._wanted:
            return True
        return any(
            (endings is None or ending in endings) and pattern.matches(url) for pattern, endings in self._file_rules
        )

    def _is_start(self, url: str) -> bool:
        try:
            return key_of(url) in self._starts
        except BadUrl:
            return False


def _endings_of(keep: Collection[Keep]) -> Collection[str] | None:
    """The endings of the files that a script keeps something of, None for all. Files of old forms are asked for with the new ones, so
    that the report says of each that it is not read."""
    if "download" in keep:
        return None
    pdf = (".pdf",) if "pdf" in keep else ()
    return (*pdf, *(DOCUMENT_ENDINGS - {".pdf"}), *OLD_ENDINGS) if "office" in keep else pdf


def is_file(url: str) -> bool:
    """Whether a URL looks like that of a file, by its extension."""
    return FILE_ENDING.search(urlsplit(url).path) is not None


class RulesOfPages:
    """The page rules of a script by URL."""

    def __init__(self, spec: CrawlSpec) -> None:
        self._rules = tuple((Pattern(rule.match), rule) for rule in spec.pages)

    def of(self, url: str) -> tuple[PageRule, ...]:
        """All rules that match, in the order of the script."""
        return tuple(rule for pattern, rule in self._rules if pattern.matches(url))


class _Hosts:
    """The allowed origins. A host that the script names without a port is allowed at the default ports and at those of the start
    URLs on it; without named hosts, `www.` is ignored."""

    def __init__(self, starts: tuple[str, ...], hosts: tuple[str, ...]) -> None:
        self._starts = starts
        self._named: set[tuple[str, int]] = set()
        self._below: set[tuple[str, int]] = set()
        start_ports: dict[str, set[int]] = {}
        for url in starts:
            host, port = _host_and_port(url)
            start_ports.setdefault(host, set()).add(port)
        for entry in hosts:
            name = entry.removeprefix("*.")
            host, port = _host_and_port("//" + name)
            ports = {port} if port else {80, 443} | start_ports.get(host, set())
            target = self._below if entry.startswith("*.") else self._named
            target.update((host, one) for one in ports)
        self.why_foreign = lru_cache(maxsize=4096)(self._why_foreign)

    def _why_foreign(self, origin: str) -> str:
        try:
            scheme = urlsplit(origin).scheme
            if scheme not in DEFAULT_PORT:
                return f"{scheme or 'no'} scheme is not http or https"
            host, port = _host_and_port(origin)
        except ValueError:
            return "not a valid URL"
        if not host:
            return "not a valid URL"
        if self._named or self._below:
            return "" if self._is_named(host, port) else "another host"
        is_home = any(same_site(origin, start) for start in self._starts)
        return "" if is_home else "another host"

    def _is_named(self, host: str, port: int) -> bool:
        if (host, port) in self._named:
            return True
        return any(port == one and host.endswith("." + name) for name, one in self._below)


def why_no_host(entry: str) -> str:
    """Why an entry of `hosts` is invalid, "" for a valid one."""
    name = entry.removeprefix("*.")
    try:
        host, _ = _host_and_port("//" + name)
    except ValueError:
        host = ""
    if not host or any(mark in name for mark in "/*?#@ "):
        return f"'{entry}' is not a host"
    return ""


def _host_and_port(url: str) -> tuple[str, int]:
    """The normalised host, and the effective port; 0 for a URL with neither scheme nor port."""
    parts = urlsplit(url)
    port = parts.port or DEFAULT_PORT.get(parts.scheme, 0)
    key = key_of(f"http://{parts.netloc.rpartition('@')[2]}/")
    return urlsplit(key).hostname or "", port
