"""Detects pages that must not be stored as a success, from status, text and structure."""

from __future__ import annotations

import re
from hashlib import blake2b

import msgspec
from rapidfuzz import fuzz

from perception.document.dom import Element, parse_page
from perception.document.signals import has_challenge
from walker.browser.page.settled_page import SHELL_CHARS
from walker.crawl.job_records import PageProblem
from walker.rules.viability import PROBE_CHARS, REFUSED, SAME_PAGE_SIMILARITY, SPARSE_CHARS, says_check

NOT_FOUND_CHARS = 600
"""Most words of a "not found" page; a page about the status code has more."""
WALL_CHARS = 300
"""Most words of a login wall besides its form."""
STRANGE_SHARE = 0.2
"""Share of replacement and private-use characters from which a text is unreadable."""

_MISSING = re.compile(
    r"^\W*(?:error\s*)?404\b|^\W*not found\W*$"
    r"|\b(?:page|site|file|document|content|product|article|item)s?\s+"
    r"(?:(?:was|were|is|are|could|can)\s*(?:no|n[o']?t)?\s*(?:be\s+)?)?"
    r"(?:not\s+(?:be\s+)?found|missing|no longer (?:available|exists?))"
    r"|(?:page|this)\s+(?:does\s*n[o']t|does not) exist"
    r"|seite (?:wurde )?nicht gefunden|page introuvable|página no encontrada"
    r"|页面不存在|找不到(?:该|此)?页面|页面未找到|ページが見つかりません",
    re.IGNORECASE,
)
_SIGN_IN = re.compile(
    r"\b(?:log|sign)[ -]?(?:in|on)\b|\blogin\b|authenticat|anmeld|einloggen|connexion|connectez|iniciar sesión|accedi"
    r"|登录|登入|ログイン|войти",
    re.IGNORECASE,
)
_STRANGE = re.compile("[\ufffd\ue000-\uf8ff]")
_APP_ROOTS = frozenset(("root", "app", "__next", "__nuxt", "main-app", "application"))


class PageFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The inputs of the detection."""

    status: int
    title: str
    heading: str
    """First h1, "" for none."""
    text: str
    """Words of the main content."""
    links: int
    probe: str = ""
    """Main text of the site's response to a URL that cannot exist, if its status was 200; "" if it was not probed."""


def probe_url(origin: str) -> str:
    """An address that does not exist on a site, the same in every crawl of it: what is learned there is no matter of chance."""
    return f"{origin}/{_probe_name(origin)}"


def probe_statement(text: str, origin: str) -> str:
    """The text of a site's response to `probe_url`, without the name that it repeats."""
    return text.replace(_probe_name(origin), "")


def _probe_name(origin: str) -> str:
    return blake2b(origin.encode(), digest_size=12).hexdigest()


def problem_of(html: str, facts: PageFacts) -> tuple[PageProblem, str]:
    """The problem and a one-line reason; ("", "") for a good page. Only a page with little text is parsed again for it."""
    named = facts.heading or facts.title
    if len(facts.text) < SPARSE_CHARS:
        root = parse_page(html)
        if _is_check(root, facts):
            return "challenge page", named
        if facts.status == 401 or (facts.status < 500 and _is_wall(root, facts)):
            return "login wall", named
        if facts.status < 400 and (why := _why_shell(root, facts)):
            return "empty shell", why
    if facts.status >= 400:
        return "http error", f"status {facts.status}"
    if _says_missing(facts) or _is_like_probe(facts):
        return "soft 404", named
    if facts.text and len(_STRANGE.findall(facts.text)) > STRANGE_SHARE * len(facts.text):
        return "unreadable", "no encoding decodes the text"
    return "", ""


def _is_check(root: Element, facts: PageFacts) -> bool:
    """Whether the page is nothing but a CAPTCHA; a CAPTCHA in a form of a page does not count."""
    checking, refused = says_check(facts.title, facts.text), facts.status in REFUSED
    return (refused and checking) or (has_challenge(root) and (refused or checking or len(facts.text) < SHELL_CHARS))


def _why_shell(root: Element, facts: PageFacts) -> str:
    if facts.links or len(facts.text) >= SHELL_CHARS or next(root.iter("script"), None) is None:
        return ""
    if any((each.get("id") or "") in _APP_ROOTS and not "".join(each.itertext()).strip() for each in root.iter("div")):
        return "its root element is empty"
    if not facts.text.strip() and next(root.iter("img", "video", "canvas", "svg", "iframe"), None) is None:
        return "no text before its scripts ran"
    return ""


def _is_wall(root: Element, facts: PageFacts) -> bool:
    """Whether the page is nothing but a login form; a login form in the header of every page does not count."""
    says_so = _SIGN_IN.search(f"{facts.heading}\n{facts.title}") is not None
    return (says_so or len(facts.text) < WALL_CHARS) and _asks_for_password(root)


def _asks_for_password(root: Element) -> bool:
    for field in root.iter("input"):
        if (field.get("type") or "").lower() == "password" and not any(
            "data-walker-hidden" in each.attrib or "hidden" in each.attrib for each in (field, *field.iterancestors())
        ):
            return True
    return False


def _says_missing(facts: PageFacts) -> bool:
    if len(facts.text) >= NOT_FOUND_CHARS:
        return False
    return any(_MISSING.search(words) for words in (facts.heading, facts.title) if 0 < len(words) < 100)


def _is_like_probe(facts: PageFacts) -> bool:
    if not facts.probe or len(facts.text) >= PROBE_CHARS:
        return False
    return fuzz.token_sort_ratio(_statement(facts.text), _statement(facts.probe)) >= SAME_PAGE_SIMILARITY


def _statement(text: str) -> str:
    """The text without URLs, as a "not found" page repeats the requested one."""
    return " ".join(word for word in text.split() if "/" not in word)
