"""Decides which URLs belong to a walk, by code alone: nothing that a page says changes it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import urlsplit

import msgspec

from memory.url_key import WEB_SCHEMES, BadUrl, key_of, origin_of, same_site
from memory.words import lazy_re
from walker.errors import NotAUrl
from walker.seams.searches import SEARCH_HOST, is_own_page, roots_of
from walker.settings import Scope

FILE_ENDING = lazy_re.compile(
    r"\.(?:pdf|zip|gz|tgz|bz2|xz|7z|rar|tar|exe|msi|dmg|pkg|deb|rpm|apk|iso|whl|jar|png|jpe?g|gif|webp|svg|ico|bmp|tiff?"
    r"|mp[34]|m4[av]|avi|mov|mkv|webm|ogg|wav|flac|do[ct][xm]?|xl[st][xm]?|xlsb|pptx?|pp[st]m|ppsx?|pot[xm]|o[dt][tsp]|rtf|epub|mobi|csv|tsv|ics|css|js"
    r"|woff2?|ttf)$",
    re.IGNORECASE,
)
"""Path suffixes of URLs that lead to a file, not to a page."""
PICTURE_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".bmp", ".ico")
DOCUMENT_ENDINGS = frozenset(
    (
        ".pdf .docx .docm .dotx .dotm .xlsx .xlsm .xltx .xltm .pptx .pptm .ppsx .ppsm .potx .potm"
        " .odt .ott .ods .ots .odp .otp .csv .tsv"
    ).split()
)
"""Those of files that become pages (`walker/documents`)."""
READ_ENDINGS = DOCUMENT_ENDINGS.union(PICTURE_ENDINGS)
"""Those of files that a walk reads like pages: a picture is a page that shows a picture."""
OLD_ENDINGS = (".doc", ".dot", ".xls", ".xlt", ".xlsb", ".ppt", ".pps")
OLD_REFUSED = (
    "an office file in an old or binary form (.doc, .xls, .ppt), which is not read: look for one that says the same"
)
FILE_REFUSED = "a file that is not read here: look for a page or a PDF that says the same"


_ORIGIN = lazy_re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#\\]*")
_AFTER_PATH = lazy_re.compile(r"[?#]")
_NO_HOST = lazy_re.compile(r"[/\\?#@*\s]|:$|^:(?!:)")


_ENDS_SESSION = lazy_re.compile(
    r"[/=](?:log|sign)[-_]?(?:out|off)(?:[/.?&;#]|$)|[/=](?:abmelden|deconnexion|cerrar-sesion)(?:[/.?&;#]|$)",
    re.IGNORECASE,
)


class WalkScope(msgspec.Struct, frozen=True, kw_only=True):
    """What a walk may enter: the sites of its roots, or parts of them, and hosts that are named besides.

    With `opens_hits` the sites of what its searches find, too.
    """

    root_url: str
    kind: Scope = "host"
    also: tuple[str, ...] = ()
    """Further hosts, `host` or `host:port`."""
    is_library: bool = False
    """Whether the walk goes through a library alone: its pages have no links but to others of it, and it has no network."""
    opens_hits: bool = False
    """Whether a hit may lead to any site, whose own pages are inside from then on."""

    @property
    def roots(self) -> tuple[str, ...]:
        """The addresses that the walk was given, () for a walk that begins with a search."""
        return _roots(self.root_url)

    @property
    def named_addresses(self) -> tuple[str, ...]:
        """Addresses of all hosts that a person named: their private addresses may be connected to."""
        return (*self.roots, *(f"http://{host}/" for host in self.also))

    def why_outside(self, url: str, hit_sites: Iterable[str] = ()) -> str:
        """Why this URL may not be opened, "" if it may; `hit_sites` are origins of what was found so far."""
        matched = _ORIGIN.match(url)
        origin = matched.group(0) if matched else url
        if why := _why_no_page(origin):
            return why
        if _ENDS_SESSION.search(url, len(origin)):
            return "it would end the session"
        path = _AFTER_PATH.split(url[matched.end() :] if matched else "", maxsplit=1)[0]
        refused = _why_unread(path)
        roots = tuple(root for root in self.roots if same_site(origin, root))
        if roots:
            if refused:
                return refused
            is_below = self.kind == "host" or any(path.startswith(root_folder(root)) for root in roots)
            return "" if is_below else "outside the root's folder"
        if not (self._is_named(origin) or any(same_site(origin, site) for site in hit_sites)):
            return "off site"
        return refused

    def sites_of_hits(self, urls: Iterable[str]) -> tuple[str, ...]:
        """The origins that open by hits with these addresses, besides what is inside already; sorted, () where hits open none."""
        if not self.opens_hits:
            return ()
        return tuple(sorted({site for url in urls if (site := _origin_or_none(url)) and self._is_other(site)}))

    def _is_other(self, origin: str) -> bool:
        named = self._is_named(origin) or any(same_site(origin, root) for root in self.roots)
        return not named and not _why_no_page(origin)

    def _is_named(self, origin: str) -> bool:
        """Whether a host is inside by its name."""
        return self.is_library or any(same_site(origin, f"{origin.partition(':')[0]}://{host}") for host in self.also)


def _why_unread(path: str) -> str:
    """Why the file that a path leads to by its ending is not read, "" for one that is, and for a page."""
    found = FILE_ENDING.search(path)
    ending = found[0].lower() if found else ""
    if not ending or ending in READ_ENDINGS:
        return ""
    return OLD_REFUSED if ending in OLD_ENDINGS else FILE_REFUSED


@lru_cache(maxsize=256)
def _roots(root_url: str) -> tuple[str, ...]:
    return roots_of(root_url) if is_own_page(root_url) else (root_url,)


@lru_cache(maxsize=4096)
def _origin_or_none(url: str) -> str:
    try:
        return origin_of(url)
    except BadUrl:
        return ""


@lru_cache(maxsize=4096)
def _why_no_page(origin: str) -> str:
    """Why an origin has no page of a site, "" if it may; cached, as the thousands of links of a page have a handful of origins."""
    try:
        scheme = urlsplit(origin).scheme
        if scheme not in WEB_SCHEMES:
            return f"{scheme or 'no'} scheme is not http or https"
        origin_of(origin)
    except ValueError:
        return "not a valid address"
    # Nothing that a page says leads to a page of our own.
    return "off site" if (urlsplit(origin).hostname or "").rstrip(".") == SEARCH_HOST else ""


@lru_cache(maxsize=256)
def root_folder(root_url: str) -> str:
    """Path of the root URL's folder, with a slash at its end."""
    return urlsplit(root_url).path.rsplit("/", 1)[0] + "/"


def check_host(text: str) -> str:
    """A host that a person allows besides the roots, `host` or `host:port`. Raises `NotAUrl` with advice."""
    host = text.strip()
    advice = "Give a host alone, such as wiki.example or 127.0.0.1:8080"
    if "://" in host:
        advice = f"Give its host alone: {host.split('://', 1)[1].split('/')[0] or 'wiki.example'}"
    if not host or _NO_HOST.search(host):
        raise NotAUrl("is no host", where=f"--also {text}", advice=advice)
    try:
        origin_of(f"http://{host}/")
        urlsplit(f"http://{host}/").port  # noqa: B018 - raises for one that cannot be
    except ValueError:
        raise NotAUrl("is no host", where=f"--also {text}", advice=advice) from None
    return host.lower()


def check_root(root: str) -> str:
    """The root URL to open; raises `NotAUrl` with advice on the form that was probably meant."""
    text = root.strip()
    if not text:
        raise NotAUrl("no address was given", advice="Give the address of a site, such as https://docs.python.org/3/")
    try:
        parts = urlsplit(text)
        host = parts.hostname
        key_of(text)
    except ValueError as error:
        raise NotAUrl(f"not a valid address ({error})", where=text, advice="Give it as https://host/path") from None
    if parts.scheme in ("http", "https") and host:
        return text
    if parts.scheme and "://" in text:
        raise NotAUrl(f"{parts.scheme} is not http or https", where=text, advice="Walker opens web pages only")
    if "." in text.split("/")[0] or text.startswith("localhost"):
        scheme = "http" if text.startswith(("localhost", "127.")) else "https"
        raise NotAUrl("the scheme is missing", where=text, advice=f"Did you mean {scheme}://{text} ?")
    raise NotAUrl("not an address of a web page", where=text, advice="Give it as https://host/path")
