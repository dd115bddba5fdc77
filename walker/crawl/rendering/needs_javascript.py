"""Static signs in a page's markup that it needs JavaScript, checked before anything is rendered."""

from __future__ import annotations

import re
from collections.abc import Iterable
from hashlib import blake2b
from urllib.parse import urljoin

import msgspec
from lxml import etree

from memory.url_key import BadUrl, origin_of
from perception.document.dom import Element, parse_page, text_in
from walker.browser.page.settled_page import SHELL_CHARS

PLACES_AT_MOST = 60
HEAD_CHARS = 2000

_DATA = re.compile(r"(?!.*(?:javascript|ecmascript|jscript|babel))(?!\s*(?:module)?\s*$).+", re.IGNORECASE)
"""Types of script elements that contain data, not code."""
_STRINGS = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`", re.DOTALL)
_NAMES = re.compile(r"[A-Za-z_$][\w$]*")
_DIGITS = re.compile(r"\d+")
_ASKS_FOR_SCRIPTS = re.compile(r"java\s?script|\bJS\b|脚本|腳本|スクリプト|скрипт", re.IGNORECASE)
_UNFILLED = re.compile(r"\{\{[^{}]{1,80}\}\}")
_WAITING = re.compile(
    r"(?:loading|please wait|wird geladen|lädt|cargando|chargement|caricamento|加载中|載入中|载入中|読み込み中|загрузка)[\s.…]*",
    re.IGNORECASE,
)
_MORE = re.compile(
    r"(?:load|show|view|see|read)\s+(?:\d+\s+)?(?:more|all)\b.*|more(?:\s+\w+)?|mehr (?:laden|anzeigen)|voir plus|afficher plus"
    r"|ver más|cargar más|mostra altro|加载更多|查看更多|更多|もっと見る|показать ещё",
    re.IGNORECASE,
)
_GOES = re.compile(r"location|\bopen\s*\(|href|navigate|router|\bgo\w*\s*\(|submit|assign", re.IGNORECASE)

# The markup is searched for words first, as a pre-filter: most pages have none of them, and each search of the tree takes a third of
# the time of parsing.
_HANDLER_TEXT = re.compile(r"on[a-z]{3,}\s*=")
_EMPTY_TEXT = re.compile(
    r">\s*</(?:div|span|ul|ol|dl|table|tbody|section|main|article|p|output|select|nav|aside)\b",
)
_CUSTOM_TEXT = re.compile(r"</[a-z]+-")
_BUSY_WORDS = ("aria-busy", "spinner", "loading", "loader", "skeleton", "cloak")
_LAZY_WORDS = ("data-", "hx-get", "infinite-scroll", "lazy")
_MORE_WORDS = (
    ">more",
    "more<",
    " more",
    "> all",
    " all<",
    "mehr",
    "plus",
    "más",
    "altro",
    "更多",
    "もっと見る",
    "показать",
)
_WAITING_WORDS = (
    "loading wait geladen lädt cargando chargement caricamento 加载中 載入中 载入中 読み込み中 загрузка".split()
)

_UNSHOWN = frozenset(("script", "style", "noscript", "template"))
_SCRIPTS = etree.XPath("//script")
_HANDLERS = etree.XPath("//@*[starts-with(name(), 'on')]")
_NOSCRIPTS = etree.XPath("//noscript")
_PROSE = etree.XPath(
    "//body//text()[contains(., '{{')][not(ancestor::script or ancestor::style or ancestor::pre or ancestor::code)]"
)
_FRAMES = etree.XPath("//iframe[not(ancestor::noscript)] | //frame")
_SHADOWS = etree.XPath("//template[@shadowrootmode or @shadowroot]")
_REFRESHES = etree.XPath(
    "//meta[not(ancestor::noscript)][translate(@http-equiv, 'REFSH', 'refsh') = 'refresh'][contains(@content, '=')]"
)
_PARTS = etree.XPath("//*[contains(name(), '-')]")
_BUSY = etree.XPath(
    "//*[@aria-busy='true' or @v-cloak or @ng-cloak"
    " or contains(concat(' ', @class, ' '), ' spinner ') or contains(concat(' ', @class, ' '), ' loading ')"
    " or contains(concat(' ', @class, ' '), ' loader ') or contains(@class, 'skeleton')]"
)
_LAZY = etree.XPath(
    "//*[@data-src or @data-lazy or @data-lazy-src or @data-srcset or @data-original or @hx-get or @data-infinite-scroll"
    " or @infinite-scroll or contains(@class, 'lazyload') or contains(@class, 'infinite-scroll')]"
    " | //iframe[@loading='lazy']"
)
_BUTTONS = etree.XPath(
    "//button | //a[not(@href) or @href='#' or starts-with(@href, 'javascript:')] | //*[@role='button']"
    " | //input[@type='button']"
)
_SCRIPT_LINKS = etree.XPath("//a[starts-with(translate(@href, 'JAVSCRIPT', 'javscript'), 'javascript:')]/@href")
_EMPTY = etree.XPath(
    "//body//*[not(*) and (@id or @class)][not(normalize-space())]"
    "[self::div or self::span or self::ul or self::ol or self::dl or self::table or self::tbody or self::section"
    " or self::main or self::article or self::p or self::output or self::select or self::nav or self::aside]"
)
_LEAVES = etree.XPath("//body//*[not(*)][string-length(normalize-space()) < 30][normalize-space()]")


class PageFacts(msgspec.Struct, frozen=True, kw_only=True):
    """Features of a page that may make it different in a browser."""

    reasons: tuple[str, ...] = ()
    """Reasons to render it, independent of similar pages; a few words each."""
    programs: frozenset[str] = frozenset()
    """Scripts and event handlers, by URL or by the identifiers in them."""
    places: frozenset[str] = frozenset()
    """Empty elements that a script could fill."""

    @property
    def is_scripted(self) -> bool:
        """Whether it has any script."""
        return bool(self.programs)


def facts_of(html: str, url: str) -> PageFacts:
    """The features of a page served at this URL."""
    return facts_of_parsed(parse_page(html), html, url)


def facts_of_parsed(root: Element, html: str, url: str) -> PageFacts:
    """The same for a page that is parsed already; the tree is not changed."""
    lowered = html.lower()
    reasons = _static_reasons(root, lowered, url)
    handlers = _HANDLERS(root) if _HANDLER_TEXT.search(lowered) else []
    scripts = [script for script in _SCRIPTS(root) if not _DATA.fullmatch(script.get("type") or "")]
    programs = {_signature(script, url) for script in scripts} | {f"handler {_names(str(one))}" for one in handlers}
    if not programs:
        return PageFacts(reasons=tuple(reasons))
    reasons += _script_reasons(root, lowered)
    if any(_GOES.search(str(handler)) for handler in handlers):
        reasons.append("navigation by script")
    if "javascript:" in lowered:
        programs |= {f"link {_names(str(link))}" for link in _SCRIPT_LINKS(root)}
    return PageFacts(reasons=tuple(reasons), programs=frozenset(programs), places=frozenset(_places(root, lowered)))


def _static_reasons(root: Element, lowered: str, url: str) -> list[str]:
    """Reasons that apply without scripts."""
    reasons = []
    if "frame" in lowered and any(_is_own_frame(frame, url) for frame in _FRAMES(root)):
        reasons.append("a frame")
    if "shadowroot" in lowered and _SHADOWS(root):
        reasons.append("a shadow root")
    if "refresh" in lowered and _REFRESHES(root):
        reasons.append("a meta refresh")
    if "<noscript" in lowered and any(_ASKS_FOR_SCRIPTS.search(" ".join(part.itertext())) for part in _NOSCRIPTS(root)):
        reasons.append("it asks for JavaScript")
    if "<?xml-stylesheet" in lowered[:HEAD_CHARS]:
        reasons.append("an XML style sheet")
    return reasons


def _script_reasons(root: Element, lowered: str) -> list[str]:
    reasons = []
    if _is_shell(root):
        reasons.append("an empty shell")
    if "{{" in lowered and any(_UNFILLED.search(text) for text in _PROSE(root)):
        reasons.append("an unfilled template")
    if (_has(lowered, _BUSY_WORDS) and _BUSY(root)) or (
        _has(lowered, _WAITING_WORDS) and any(_WAITING.fullmatch(text_in(leaf)) for leaf in _LEAVES(root))
    ):
        reasons.append("something that is still loading")
    if _has(lowered, _LAZY_WORDS) and _LAZY(root):
        reasons.append("lazy content")
    if _has(lowered, _MORE_WORDS) and any(
        _MORE.fullmatch(text_in(button) or button.get("value") or "") for button in _BUTTONS(root)
    ):
        reasons.append("a load more button")
    return reasons


def _is_shell(root: Element) -> bool:
    """Whether there is almost no text; for most pages the first few elements decide."""
    chars = 0
    body = root.find("body")
    for part in body.iter() if body is not None else ():
        if part.text and part.tag not in _UNSHOWN:
            chars += len(part.text.strip())
        if part.tail and part is not body:
            chars += len(part.tail.strip())
        if chars >= SHELL_CHARS:
            return False
    return True


def _has(text: str, words: Iterable[str]) -> bool:
    return any(word in text for word in words)


def _is_own_frame(frame: Element, url: str) -> bool:
    """Whether a frame is of the same origin, so that the rendered snapshot would inline it."""
    if frame.get("srcdoc"):
        return True
    source = (frame.get("src") or "").strip()
    if not source or source.startswith(("about:", "javascript:")):
        return False
    try:
        return bool(origin_of(urljoin(url, source)) == origin_of(url))
    except (BadUrl, ValueError):
        return False


def _signature(script: Element, url: str) -> str:
    """The identity of a script: its URL, or the identifiers in its text, without embedded data."""
    if source := script.get("src"):
        return f"script {urljoin(url, source.strip()).partition('?')[0]}"
    return f"script {_names(script.text or '')}"


_NAMES_KEPT = 4096
_names_of: dict[bytes, str] = {}
"""By the digest of a script, since the scripts themselves are megabytes of data on some pages."""


def _names(code: str) -> str:
    """A digest of the identifiers in a script, the same for scripts that differ in their data only."""
    key = blake2b(code.encode("utf-8", "surrogatepass"), digest_size=16).digest()
    if (known := _names_of.get(key)) is not None:
        return known
    if len(_names_of) >= _NAMES_KEPT:
        _names_of.clear()
    names = sorted(set(_NAMES.findall(_STRINGS.sub('""', code))) - {"true", "false", "null", "undefined"})
    found = _names_of[key] = blake2b(" ".join(names).encode(), digest_size=8).hexdigest()
    return found


def _places(root: Element, lowered: str) -> set[str]:
    """Empty elements that a script could fill, by name; and custom elements, which it could define."""
    empty = _EMPTY(root) if _EMPTY_TEXT.search(lowered) else []
    custom = _PARTS(root) if _CUSTOM_TEXT.search(lowered) else []
    places = [f"empty {part.tag} {_DIGITS.sub('0', part.get('id') or part.get('class'))}" for part in empty]
    return set(list(dict.fromkeys(places + [f"element {part.tag}" for part in custom]))[:PLACES_AT_MOST])
