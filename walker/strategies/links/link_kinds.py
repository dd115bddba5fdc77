"""Detects links that every site has: to overviews, to another language, and to pages that never hold an answer."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from memory.words import lazy_re

HubKind = Literal["", "contents", "index", "overview"]

_DOCUMENTS = r"(?:documents|pages|topics|articles|modules|docs|documentation|titles)"
_CONTENTS = lazy_re.compile(
    r"^(?:the\s+)?(?:(?:full|complete|detailed|global|site|overall)\s+)*(?:table\s+of\s+)?contents?(?:\s+page)?$"
    r"|\bsite\s?map\b|\btable of contents\b|^a\s?[-–]\s?z$|\ba\s?[-–]\s?z\s+(?:index|list|of)\b"
    rf"|\b(?:list|listing|index|directory|overview)\s+of\s+(?:all\s+)?{_DOCUMENTS}\b|\blisting of all\b"
    rf"|^(?:all|browse|view all|see all)\s+{_DOCUMENTS}$"
    r"|\b(?:alphabetical|title|document|page)\s+(?:list|listing|index)\b"
    r"|^(?:总?目录|网站地图|站点地图|网站导航|全部栏目|所有页面|文档目录)$",
    re.IGNORECASE,
)
_INDEX = lazy_re.compile(
    r"^(?:the\s+)?(?:(?:general|master|keyword|subject|full|global|website|site|permuted|term)\s+){0,2}"
    r"(?:index|indices)$|^(?:the\s+)?(?:\w+\s+)?(?:documentation|docs|manuals?)$|^(?:主题)?索引$|^(?:帮助)?文档$",
    re.IGNORECASE,
)
_OVERVIEW = lazy_re.compile(
    r"^(?:the\s+)?(?:overview|directory|resources|topics|categories|all|more|browse|view all|see all|show all|show more"
    r"|(?:\w+\s+)?(?:reference|handbook)|(?:all|older|previous|past|earlier)\s+\w+)$"
    r"|^(?:全部|所有|更多|查看更多|查看全部|概览|总览|列表|一览|往期\w{0,4}|更多>+)$",
    re.IGNORECASE,
)
_CHROME_WORDS = """
log ?in|log ?on|log ?out|sign ?(?:in|up|out|on)|register|my account|webmail|intranet|cart|checkout|wishlist
print(?:able)?(?: version)?|rss(?: feed)?|atom|feed|subscribe|share|tweet|feedback|donate
facebook|twitter|x|linkedin|weibo|wechat|instagram|youtube|flickr|github|mastodon
english|deutsch|français|español|italiano|português|русский|日本語|한국어|中文|中文版|简体中文|繁體中文|英文版|en|de|fr|es|zh|ja
privacy(?: policy)?|cookies?(?: policy| settings)?|terms(?: of (?:use|service))?|legal(?: notice)?|imprint|impressum
disclaimer|accessibility(?: statement)?|copyright|colophon|credits
show source|view source|source|edit(?: this page)?|report (?:a )?(?:bug|issue|problem)|downloads?
home|homepage|top|back to top|next|previous|prev|up|back|skip to (?:main )?content|search|menu|close|permalink|¶|#
登录|注册|登陆|退出|邮箱登录|内网|打印|收藏|设为首页|加入收藏|微博|微信|下载|搜索|站内搜索|友情链接|旧版网站|旧版
返回顶部|返回首页|返回|首页|上一页|下一页|上一篇|下一篇|隐私(?:政策|声明)?|法律声明|免责声明|版权声明|无障碍
"""
_CHROME = lazy_re.compile("|".join(_CHROME_WORDS.split("\n")[1:-1]).replace(" ", r"\s"), re.IGNORECASE)
_MACHINERY = lazy_re.compile(
    r"/(?:_?sources?|login|logout|signin|register|print|download|cgi-bin)(?:[/.?]|$)"
    r"|\.(?:png|jpe?g|gif|webp|svg|bmp|ico)$",
    re.IGNORECASE,
)
_LANGUAGES = {
    "zh": lazy_re.compile(r"中文(?:版|网站|站|主页)?|简体中文|简体|chinese|zh(?:-\w+)?|cn", re.IGNORECASE),
    "en": lazy_re.compile(r"english(?: version| site)?|英文(?:版|网站|站|主页)?|英语|en(?:-\w+)?", re.IGNORECASE),
    "de": lazy_re.compile(r"deutsch|german|de", re.IGNORECASE),
    "fr": lazy_re.compile(r"français|french|fr", re.IGNORECASE),
    "es": lazy_re.compile(r"español|spanish|es", re.IGNORECASE),
    "ja": lazy_re.compile(r"日本語|japanese|ja|jp", re.IGNORECASE),
}
_MARKS = " .…»>→←«<|[]():-"


@lru_cache(maxsize=1 << 13)
def hub_kind(label: str, url: str = "") -> HubKind:
    """What kind of overview the label names, "" for none; a link with a fragment never leads to an overview."""
    bare = label.strip(_MARKS)
    if "#" in url or len(bare) > 60:
        return ""
    if _CONTENTS.search(bare):
        return "contents"
    if _INDEX.search(bare):
        return "index"
    return "overview" if _OVERVIEW.search(bare) else ""


@lru_cache(maxsize=1 << 13)
def is_chrome(label: str, url: str = "") -> bool:
    """Whether the link belongs to the site's chrome: login, print, languages, legal notices, social media."""
    bare = label.strip(_MARKS)
    return not bare or _CHROME.fullmatch(bare) is not None or _MACHINERY.search(url) is not None


@lru_cache(maxsize=1 << 13)
def leads_to_language(label: str, language: str) -> bool:
    """Whether the label is the switch to this language (BCP 47 primary tag)."""
    names = _LANGUAGES.get(language)
    return names is not None and names.fullmatch(label.strip(_MARKS)) is not None
