"""URL normalisation: the one place that decides whether two URLs are the same page.

A URL is fetched byte for byte as the page wrote it; its *key* is what is compared and remembered. Only what
RFC 3986 section 6.2.2 and 6.2.3 call equivalent is merged, with four additions: query parameters may be in any order,
tracking and session parameters do not count, host names follow UTS 46, and a fragment that is a route is kept.
`/A` and `/a`, `%2F` and `/`, `/dir/` and `/dir/index.html` remain different pages.
"""

from __future__ import annotations

import ipaddress
import re
from functools import lru_cache
from typing import NewType
from urllib.parse import SplitResult, unquote, urljoin, urlsplit

import idna

from memory.words import lazy_re

UrlKey = NewType("UrlKey", str)


class BadUrl(ValueError):
    """The text is not a valid URL (port, host or brackets are wrong). The link is skipped, or the root refused."""


DEFAULT_PORT = {"http": 80, "https": 443}
WEB_SCHEMES = frozenset(DEFAULT_PORT)
INDEXES = ("index.html", "index.htm", "index.php")
"""Names by which servers keep the page of a folder."""

NEUTRAL_PARAMETERS = frozenset(
    """
    gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid ysclid twclid ttclid li_fat_id igshid igsh mc_cid mc_eid
    _ga _gl _hsenc _hsmi hsctatracking mkt_tok vero_id oly_enc_id oly_anon_id srsltid _openstat spm
    phpsessid jsessionid cfid cftoken zenid oscsid
    """.split()
)
"""Names, in lower case, of query and path parameters for tracking and sessions, which do not affect the content."""
NEUTRAL_PREFIXES = ("utm_", "aspsessionid", "pk_campaign", "pk_kwd", "mtm_")
SESSION_PARAMETERS = frozenset("sessionid session_id session sid".split())
"""Names of parameters that hold a session's id on some sites, and a talk's or a story's on others: only a random value is neutral."""
_IDENTIFIER = lazy_re.compile(r"[A-Za-z0-9]{20,128}")
_ALTERNATION = lazy_re.compile(r"[0-9](?=[A-Za-z])|[A-Za-z](?=[0-9])")
LEAST_ALTERNATIONS = 4
"""Changes between digits and letters of an id that a server drew: ten on average where it has 26 characters. Names hardly have any."""

_PLAIN_ORIGIN = r"https?://[a-z0-9.-]*[a-z0-9](?::(?!(?:80|443)(?![0-9]))(?:[1-5][0-9]{4}|[1-9][0-9]{0,3}))?"
_ORIGIN = lazy_re.compile(_PLAIN_ORIGIN + r"(?=[/?#]|\Z)")
"""A URL whose origin is its literal beginning."""
_PLAIN = lazy_re.compile(
    rf"({_PLAIN_ORIGIN}"
    r"(?:/[A-Za-z0-9_~!$&'*+,=:@-][A-Za-z0-9_~!$&'*+,=:@.-]*)*/)?([A-Za-z0-9_~$*+,=@.-]*)(?:#(?!/|![!-~])[!-~]*)?"
)
"""A URL that, but for its fragment, is its own key: the common case, answered without parsing it."""
_ESCAPE = lazy_re.compile(r"%([0-9A-Fa-f]{2})?")
_NOT_IN_PATH = lazy_re.compile(r"[^A-Za-z0-9._~!$&'()*+,;=:@/%-]+")
_NOT_IN_QUERY = lazy_re.compile(r"[^A-Za-z0-9._~!$&()*+,;=:@/?%-]+")
"""Apostrophes are escaped, as browsers do in queries of web addresses (WHATWG URL, special-query percent-encode set)."""
_NOT_IN_FRAGMENT = lazy_re.compile(r"[^A-Za-z0-9._~!$&'()*+,;=:@/?%-]+")
_UNRESERVED = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
_COOKIELESS_SESSION = lazy_re.compile(r"/\((?:[AFSX]\([A-Za-z0-9_-]{20,}\))+\)(?=/|$)")
"""ASP.NET puts the session id into the path as `/(S(24 characters))/`."""
_TRIMMED = "".join(map(chr, range(0x21)))
_BEFORE_HOST = lazy_re.compile(r"(?:(https?):)?(/*)", re.IGNORECASE)
_LINE_BREAKS = str.maketrans("", "", "\t\r\n")
_HOST_BREAKERS = lazy_re.compile(r"[\x00-\x20#%/:<>?@\[\\\]^|\x7f]")


def is_route(fragment: str) -> bool:
    """Whether a fragment names a page of an application (`#/talks`, `#!talks`) and no place on one; `#!` alone leads nowhere."""
    return fragment.startswith("/") or (fragment.startswith("!") and len(fragment) > 1)


def without_place(url: str) -> str:
    """The address without a fragment that names a place on the page; the route of an application stays."""
    bare, _, fragment = url.partition("#")
    return url if is_route(fragment) else bare


@lru_cache(maxsize=1 << 14)
def key_of(url: str) -> UrlKey:
    """The key of a page; equal keys are the same page. Idempotent. Raises `BadUrl`."""
    plain = _PLAIN.fullmatch(url)
    if plain and plain[1] and not plain[2].startswith("."):
        return UrlKey(plain[1] + plain[2])
    parts = _split(url)
    if not parts.netloc and parts.scheme in WEB_SCHEMES:
        raise BadUrl(f"no host in {url!r}")
    path = _path_key(parts.path)
    if parts.netloc and not path:
        path = "/"
    query = _query_key(parts.query)
    authority = "//" + _authority(parts) if parts.netloc else ""
    route = _normal(parts.fragment, _NOT_IN_FRAGMENT) if is_route(parts.fragment) else ""
    scheme = parts.scheme + ":" if parts.scheme else ""
    return UrlKey(f"{scheme}{authority}{path}{'?' if query else ''}{query}{'#' if route else ''}{route}")


def key_or(url: str, fallback: str) -> str:
    """The key of a page, or the fallback for what is no valid URL."""
    try:
        return key_of(url)
    except BadUrl:
        return fallback


def other_spellings(key: str) -> tuple[str, ...]:
    """Keys that most servers answer with the same page though they may be others: a folder with and without its slash, and its index.

    >>> other_spellings("http://a/b/")
    ('http://a/b', 'http://a/b/index.html', 'http://a/b/index.htm', 'http://a/b/index.php')
    >>> other_spellings("http://a/b/index.html"), other_spellings("http://a/c.html"), other_spellings("http://a/b/?c=1")
    (('http://a/b/', 'http://a/b'), (), ())
    """
    if "?" in key or "#" in key:
        return ()
    folder, _, name = key.rpartition("/")
    bare = (folder,) if folder.count("/") > 2 else ()  # deeper than the host
    if name in INDEXES:
        return (f"{folder}/", *bare)
    if not name:
        return (*bare, *(f"{folder}/{index}" for index in INDEXES))
    return () if "." in name else (f"{key}/", *(f"{key}/{index}" for index in INDEXES))


def join_link(base: str, href: str) -> str | None:
    """The absolute URL of a link, escapes as written; None where it leads to no web page (`mailto:`, nothing, ...).

    White space is treated as in the WHATWG URL standard (ends trimmed, tabs and line breaks removed), backslashes before the query
    are slashes, and any number of slashes may stand before a host. The result always has a key.
    """
    target = href.strip(_TRIMMED).translate(_LINE_BREAKS)
    if not target:
        return None
    try:
        joined = urljoin(base, _with_host(base, _slashed(target)))
        if not joined.startswith(("http://", "https://")):
            scheme, colon, rest = joined.partition(":")
            if scheme.lower() not in WEB_SCHEMES:
                return None
            joined = scheme.lower() + colon + rest
        key_of(joined)
    except ValueError:
        return None
    return joined


def origin_of(url: str) -> str:
    """Scheme, host and port (RFC 6454), without a default port. Raises `BadUrl`, also where there is no host."""
    if plain := _ORIGIN.match(url):
        return plain[0]
    parts = _split(url)
    if not parts.netloc:
        raise BadUrl(f"no host in {url!r}")
    return f"{parts.scheme}://{_authority(parts).rpartition('@')[2]}"


def same_site(a: str, b: str) -> bool:
    """Whether two URLs have the same host, with or without `www.`, and the same port, where the default ports of http and https
    count as one; False where either has no host."""
    first, second = _bare_authority(a), _bare_authority(b)
    return first == second != ""


@lru_cache(maxsize=4096)
def _bare_authority(url: str) -> str:
    try:
        return origin_of(url).partition("://")[2].removeprefix("www.")
    except BadUrl:
        return ""


def _split(url: str) -> SplitResult:
    text = url.strip(_TRIMMED).translate(_LINE_BREAKS)
    try:
        return urlsplit(_slashed(text))
    except ValueError as error:
        raise BadUrl(f"{error}: {url!r}") from None


def _with_host(base: str, text: str) -> str:
    """A reference whose host is preceded by two slashes, as in browsers: where it names another scheme than the base, or begins with
    two slashes or more, a host follows whatever their number."""
    match = _BEFORE_HOST.match(text)
    scheme, slashes = (match[1] or "", match[2]) if match else ("", "")
    is_other = bool(scheme) and base[: len(scheme) + 1].lower() != f"{scheme.lower()}:"
    if len(slashes) > 2 or (is_other and len(slashes) < 2):
        return f"{scheme}{':' if scheme else ''}//{text[match.end() :] if match else text}"
    return text


def _slashed(text: str) -> str:
    """Backslashes up to the query as slashes, as in browsers (WHATWG URL)."""
    if "\\" not in text:
        return text
    scheme = re.match(r"([A-Za-z][A-Za-z0-9+.-]*):", text)
    if scheme and scheme[1].lower() not in WEB_SCHEMES:
        return text
    end = re.search(r"[?#]", text)
    stop = end.start() if end else len(text)
    return text[:stop].replace("\\", "/") + text[stop:]


def _authority(parts: SplitResult) -> str:
    try:
        port = parts.port
    except ValueError as error:
        raise BadUrl(f"{error}: {parts.geturl()!r}") from None
    host = _host(parts)
    if not host and parts.scheme in WEB_SCHEMES:
        raise BadUrl(f"no host in {parts.geturl()!r}")
    user = _normal(parts.netloc.rpartition("@")[0], _NOT_IN_PATH)
    shown_port = "" if port is None or port == DEFAULT_PORT.get(parts.scheme) else f":{port}"
    return f"{user}{'@' if user else ''}{host}{shown_port}"


def _host(parts: SplitResult) -> str:
    host = parts.hostname or ""
    if "[" in parts.netloc:
        try:
            return f"[{ipaddress.IPv6Address(host).compressed}]"
        except ValueError as error:
            raise BadUrl(f"{error}: {parts.geturl()!r}") from None
    return _host_name(host)


@lru_cache(maxsize=4096)
def _host_name(host: str) -> str:
    """ASCII form of a host name by UTS 46. Labels that IDNA 2008 forbids (emoji) are encoded as browsers do."""
    if "%" in host:
        host = unquote(host).lower()
    if not host.isascii():
        try:
            mapped = idna.uts46_remap(host, std3_rules=False, transitional=False)
            host = ".".join(map(_label, mapped.split(".")))
        except (idna.IDNAError, UnicodeError) as error:
            raise BadUrl(f"not a host name ({error}): {host!r}") from None
    if _HOST_BREAKERS.search(host):
        raise BadUrl(f"not a host name: {host!r}")
    return host.lower()


def _label(label: str) -> str:
    if label.isascii():
        return label
    try:
        return idna.alabel(label).decode("ascii")
    except idna.InvalidCodepoint:
        return "xn--" + label.encode("punycode").decode("ascii")


def _path_key(path: str) -> str:
    if ";" in path:
        path = "/".join(map(_without_session, path.split("/")))
    if "(" in path:
        path = _COOKIELESS_SESSION.sub("", path)
    return _without_dots(_normal(path, _NOT_IN_PATH))


def _without_session(segment: str) -> str:
    name, *parameters = segment.split(";")
    kept = [part for part in parameters if not _is_neutral(part)]
    return ";".join([name, *kept])


def _without_dots(path: str) -> str:
    """RFC 3986 section 5.2.4."""
    if "/." not in path and not path.startswith("."):
        return path
    output: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            if len(output) > 1:
                output.pop()
        elif segment != ".":
            output.append(segment)
    if segments[-1] in (".", ".."):
        output.append("")
    return "/".join(output)


def _query_key(query: str) -> str:
    if not query:
        return ""
    parts = _normal(query, _NOT_IN_QUERY).split("&")
    pairs = [(part.partition("=")[0], part) for part in parts if part and not _is_neutral(part)]
    pairs.sort(key=_first)  # stable: repeated names keep their order
    return "&".join([pair for _, pair in pairs])


def _first(pair: tuple[str, str]) -> str:
    return pair[0]


def _is_neutral(parameter: str) -> bool:
    """Whether a parameter ("name=value") does not affect the content."""
    name, _, value = parameter.partition("=")
    lowered = name.lower()
    if lowered in SESSION_PARAMETERS:
        return _IDENTIFIER.fullmatch(value) is not None and len(_ALTERNATION.findall(value)) >= LEAST_ALTERNATIONS
    return lowered in NEUTRAL_PARAMETERS or lowered.startswith(NEUTRAL_PREFIXES)


def _normal(text: str, forbidden: re.Pattern[str]) -> str:
    """Percent-encoding normalised: unreserved characters decoded, other escapes in upper case, forbidden characters escaped."""
    if "%" in text:
        text = _ESCAPE.sub(_normal_escape, text)
    return forbidden.sub(_escape, text)


def _normal_escape(match: re.Match[str]) -> str:
    digits = match[1]
    if digits is None:
        return "%25"
    character = chr(int(digits, 16))
    return character if character in _UNRESERVED else "%" + digits.upper()


def _escape(match: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in match[0].encode("utf-8", "surrogatepass"))
