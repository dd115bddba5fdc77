"""Structural measurements of a page: the inputs of the understanding score and the viability check."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Sequence

from perception.document.dom import Element
from perception.document.page_text import PageText
from perception.document.visible import visible_text
from perception.observation import Block, Control, Figure, Link, Signals
from perception.snapshot import Layout

_PLAIN = re.compile(r"[\w\s!-/:-@\[-`{-~\u2010-\u2027\u3000-\u303f\uff00-\uffef]+")
_WIDGET_ADDRESS = re.compile(
    r"recaptcha/api|hcaptcha\.com|challenges\.cloudflare\.com|cdn-cgi/challenge-platform|geetest|arkoselabs|captcha-delivery",
    re.IGNORECASE,
)
_WIDGET_NAME = re.compile(
    r"(^|\s)(g-recaptcha|h-captcha|cf-turnstile|cf-challenge\S*|challenge-form|challenge-running|captcha)(\s|$)"
)
_APP_ROOTS = frozenset(("root", "app", "__next", "__nuxt", "main-app", "application"))
SHELL_CHARS = 200
"""Characters; a page with scripts and less text than this has not been rendered yet."""
UNSEEN_CHARS, UNSEEN_KEPT, UNSEEN_AT_MOST = 8, 80, 5
"""Least characters for an invisible text to be reported, characters kept of it, and the most texts reported."""
PAGE_VIEWPORTS = 3
"""Viewports from the top within which media count; those further down are not what a reader sees first."""


def read_signals(
    root: Element,
    page: PageText,
    links: Sequence[Link],
    controls: Sequence[Control],
    figures: Sequence[Figure],
    layout: Layout,
) -> Signals:
    """Counts, shares and areas of a page; no meaning of words is involved."""
    visible = [block for block in page.blocks if not block.hidden and not block.opener]
    chars = sum(len(block.text) for block in visible)
    content = sum(len(block.text) for block in visible if block.region == "main")
    media, unnamed = _media_shares(layout, figures)
    counts = page.counts
    scripts = sum(1 for _ in root.iter("script"))
    return Signals(
        text_chars=chars,
        meaningful_share=_meaningful_share(visible),
        content_chars=content,
        navigation_chars=chars - content,
        paragraphs=sum(
            block.kind in ("paragraph", "definition", "quote") and len(block.text) >= 40 for block in visible
        ),
        headings=sum(block.kind == "heading" for block in visible),
        list_items=counts.get("li", 0),
        tables=counts.get("table", 0),
        interactive=sum(not link.hidden and not link.opener for link in links)
        + sum(not control.hidden for control in controls),
        links=len(links),
        images=sum(figure.kind == "img" for figure in figures),
        scripts=scripts,
        password_fields=sum(control.kind == "password" and not control.hidden for control in controls),
        unnamed_media_area=unnamed,
        media_area=media,
        video=any(figure.kind == "video" for figure in figures),
        challenge=has_challenge(root),
        unseen=_unseen(root),
        empty_shell=bool(scripts) and chars < SHELL_CHARS and _is_shell(root, counts),
    )


def _meaningful_share(blocks: Sequence[Block]) -> float:
    """Share 0..1 of visible characters that are letters (with their marks), digits, punctuation or spaces of any script."""
    total = strange = 0
    for block in blocks:
        total += len(block.text)
        rest = _PLAIN.sub("", block.text)
        if rest:
            strange += sum(
                count for character, count in Counter(rest).items() if unicodedata.category(character)[0] in "SC"
            )
    return round(1 - strange / total, 4) if total else 0.0


def _media_shares(layout: Layout, figures: Sequence[Figure]) -> tuple[float, float]:
    """Shares 0..1 of the page covered by media, and by media without alternative text."""
    height = min(layout.page_height, PAGE_VIEWPORTS * layout.viewport_height)
    area = layout.viewport_width * height
    if area <= 0:
        return 0.0, 0.0
    captioned = frozenset(figure.kind for figure in figures if figure.caption)
    covered = unnamed = 0.0
    for media in layout.media:
        box = media.box
        shown = max(0.0, min(box.y + box.height, height) - max(box.y, 0.0)) * min(box.width, layout.viewport_width)
        covered += shown
        if not media.name and media.kind not in captioned:
            unnamed += shown
    return round(min(1.0, covered / area), 4), round(min(1.0, unnamed / area), 4)


def has_challenge(root: Element) -> bool:
    """Whether a page holds a CAPTCHA widget or the parts of an interstitial check."""
    for element in root.iter("iframe", "script", "form", "div"):
        address = element.get("src") or element.get("action") or ""
        if address and _WIDGET_ADDRESS.search(address):
            return True
        names = f"{element.get('class') or ''} {element.get('id') or ''}"
        if len(names) > 1 and _WIDGET_NAME.search(names.lower()):
            return True
    return False


def _unseen(root: Element) -> tuple[str, ...]:
    found = []
    for element in root.iterfind(".//*[@data-walker-hidden]"):
        why = element.get("data-walker-hidden") or ""
        text = visible_text("".join(element.itertext())) if why else ""
        if len(text) >= UNSEEN_CHARS:
            found.append(f"{why}: {text[:UNSEEN_KEPT]}")
        if len(found) == UNSEEN_AT_MOST:
            break
    return tuple(found)


def _is_shell(root: Element, counts: dict[str, int]) -> bool:
    if any((element.get("id") or "") in _APP_ROOTS for element in root.iter("div")):
        return True
    return sum(counts.values()) < 15
