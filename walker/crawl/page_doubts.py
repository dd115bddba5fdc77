"""What in a page's source could make it another page in a browser: decided from markup, before anything is rendered."""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any
from urllib.parse import urljoin

import msgspec
from lxml import etree

from memory.url_key import BadUrl, origin_of
from perception.dom import Element, parse_page

SHELL_CHARS = 200
"""Characters of text below which a page with scripts is taken for one that fills itself, as the browsers take it."""
PLACES_AT_MOST = 60
HEAD_CHARS = 2000

_DATA = re.compile(r"(?!.*(?:javascript|ecmascript|jscript|babel))(?!\s*(?:module)?\s*$).+", re.IGNORECASE)
"""Types of script elements that are no programs."""
_STRINGS = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`", re.DOTALL)
_NAMES = re.compile(r"[A-Za-z_$][\w$]*")
_DIGITS = re.compile(r"\d+")
_ASKS_FOR_SCRIPTS = re.compile(r"java\s?script|\bJS\b|脚本|腳本|スクリプト|скрипт", re.IGNORECASE)
_UNFILLED = re.compile(r"\{\{[^{}]{1,80}\}\}|\[\[[^\[\]]{1,80}\]\]|<%=?[^%]{1,80}%>")
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

_SCRIPTS = etree.XPath("//script")
_HANDLERS = etree.XPath("//@*[starts-with(name(), 'on')]")
_NOSCRIPTS = etree.XPath("//noscript")
_TEXTS = etree.XPath("//body//text()[not(parent::script or parent::style or parent::noscript or parent::template)]")
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
    "//body//*[self::div or self::span or self::ul or self::ol or self::dl or self::table or self::tbody or self::section"
    " or self::main or self::article or self::p or self::output or self::select or self::nav or self::aside]"
    "[not(*) and not(normalize-space())][@id or @class]"
)
_LEAVES = etree.XPath("//body//*[not(*)][string-length(normalize-space()) < 30][normalize-space()]")


class PageFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What could change a page in a browser."""

    doubts: tuple[str, ...] = ()
    """Why it has to be rendered, whatever other pages like it are; a few words each."""
    features: frozenset[str] = frozenset()
    """What might change it, and is trusted where samples with the same did not change: its programs, its empty places."""
    is_scripted: bool = False


def facts_of(html: str, url: str) -> PageFacts:
    """The facts of a page that a server sent from this address."""
    root = parse_page(html)
    programs = [script for script in _SCRIPTS(root) if not _DATA.fullmatch(script.get("type") or "")]
    handlers = _HANDLERS(root)
    is_scripted = bool(programs or handlers)
    doubts = _still_doubts(root, url)
    if "<?xml-stylesheet" in html[:HEAD_CHARS]:
        doubts.append("an XML style sheet")
    features: set[str] = set()
    if is_scripted:
        doubts += _script_doubts(root)
        features |= {_signature(script, url) for script in programs}
        features |= {f"handler {_names(str(handler))}" for handler in handlers}
        features |= _places(root)
        if links := _SCRIPT_LINKS(root):
            features |= {f"link {_names(link)}" for link in links}
    return PageFacts(doubts=tuple(dict.fromkeys(doubts)), features=frozenset(features), is_scripted=is_scripted)


def _still_doubts(root: Element, url: str) -> list[str]:
    """Those that need no script."""
    doubts = []
    if any(_is_own_frame(frame, url) for frame in _FRAMES(root)):
        doubts.append("a frame")
    if _SHADOWS(root):
        doubts.append("a shadow root")
    if _REFRESHES(root):
        doubts.append("a meta refresh")
    if any(_ASKS_FOR_SCRIPTS.search(" ".join(part.itertext())) for part in _NOSCRIPTS(root)):
        doubts.append("it asks for JavaScript")
    return doubts


def _script_doubts(root: Element) -> list[str]:
    doubts = []
    texts = _TEXTS(root)
    if sum(len(text.strip()) for text in texts) < SHELL_CHARS:
        doubts.append("an empty shell")
    if any(_UNFILLED.search(text) for text in texts if "{{" in text or "[[" in text or "<%" in text):
        doubts.append("an unfilled template")
    if _BUSY(root) or any(_WAITING.fullmatch(_text(leaf)) for leaf in _LEAVES(root)):
        doubts.append("something that is still loading")
    if _LAZY(root):
        doubts.append("lazy content")
    if any(_MORE.fullmatch(_text(button) or button.get("value") or "") for button in _BUTTONS(root)):
        doubts.append("a load more button")
    if any(_GOES.search(str(handler)) for handler in _HANDLERS(root)):
        doubts.append("navigation by script")
    return doubts


def _is_own_frame(frame: Element, url: str) -> bool:
    """Whether a browser folds in what it shows: only of the same origin."""
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
    """What a program is recognised by: its address, or the names in its text; data that it carries does not count."""
    if source := script.get("src"):
        return f"script {urljoin(url, source.strip()).partition('?')[0]}"
    return f"script {_names(script.text or '')}"


def _names(code: str) -> str:
    names = sorted(set(_NAMES.findall(_STRINGS.sub('""', code))) - {"true", "false", "null", "undefined"})
    return blake2b(" ".join(names).encode(), digest_size=8).hexdigest()


def _places(root: Element) -> set[str]:
    """Empty places that a script could fill, by name; custom elements, which it could give a body."""
    places = [f"empty {part.tag} {_DIGITS.sub('0', part.get('id') or part.get('class'))}" for part in _EMPTY(root)]
    places += [f"element {part.tag}" for part in _PARTS(root)]
    return set(list(dict.fromkeys(places))[:PLACES_AT_MOST])


def _text(part: Any) -> str:
    return " ".join("".join(part.itertext()).split())
