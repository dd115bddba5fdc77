"""Two kinds of links that every site has: those that lead to overviews, and those that lead nowhere a reader goes."""

from __future__ import annotations

import re
from functools import lru_cache

_HUB = re.compile(
    r"^(?:the\s+)?(?:(?:full|complete|detailed|general|global|master|site|alphabetical|main|overall)\s+)*"
    r"(?:(?:table\s+of\s+)?contents?|index(?:es)?|site\s?map|a\s?-\s?z(?:\s+(?:index|list))?|documentation|docs|overview"
    r"|directory|listing|list\s+of\s+(?:all\s+)?(?:documents|pages|topics)|alphabetical\s+(?:list|listing|index)"
    r"|all|(?:all|more|browse|view|see)\s+(?:all\s+)?[\w ]{0,30}|more|read\s+more|library|resources|topics|categories"
    r"|permuted\s+(?:title\s+)?index|reference(?:\s+manual)?)(?:\s+(?:page|pages|of\s+[\w ]+|by\s+[\w ]+))?$"
    r"|\b(?:site\s?map|table of contents|a-z index|all (?:documents|pages|topics|modules|docs)|list of (?:documents|pages)"
    r"|(?:title|document|documentation|keyword|general|global)\s+(?:list|index)|index of)\b"
    r"|^(?:目录|总目录|网站地图|站点地图|全部|所有|更多|查看更多|查看全部|索引|导航|概览|总览|列表|栏目|一览|文档|资料)",
    re.IGNORECASE,
)
_CHROME = re.compile(
    r"^(?:log\s?[io]n|log\s?out|sign\s?(?:in|up|out|on)|register|my account|print(?:able)?(?: version)?|rss|atom|feed"
    r"|subscribe|share|tweet|facebook|twitter|x|linkedin|weibo|wechat|instagram|youtube|flickr|github|mastodon|rss feed"
    r"|english|deutsch|français|español|italiano|português|русский|日本語|한국어|en|de|fr|zh|中文|中文版|简体中文|繁體中文"
    r"|privacy(?: policy)?|cookies?(?: policy| settings)?|terms(?: of (?:use|service))?|legal(?: notice)?|imprint|impressum"
    r"|disclaimer|accessibility(?: statement)?|copyright|colophon|credits|show source|view source|source|edit(?: this page)?"
    r"|report (?:a )?(?:bug|issue|problem)|feedback|donate|cart|checkout|wishlist|top|back to top|home|homepage|next|previous"
    r"|prev|up|back|skip to (?:main )?content|download(?:s)?|webmail|intranet|search|menu|close|permalink|¶|#"
    r"|登录|注册|登陆|退出|打印|收藏|设为首页|加入收藏|微博|微信|英文版|返回顶部|返回首页|返回|首页|上一页|下一页|上一篇|下一篇"
    r"|隐私(?:政策|声明)?|法律声明|免责声明|版权声明|无障碍|邮箱登录|内网|下载|搜索|站内搜索|友情链接|旧版网站|旧版)$",
    re.IGNORECASE,
)
_MACHINERY = re.compile(r"/(?:_?sources?|login|logout|signin|register|print|download|cgi-bin)(?:[/.?]|$)", re.IGNORECASE)


@lru_cache(maxsize=1 << 15)
def is_hub(label: str) -> bool:
    """Whether the label promises an overview of many pages."""
    return len(label) <= 60 and _HUB.search(label.strip(" .…»>→:")) is not None


@lru_cache(maxsize=1 << 15)
def is_chrome(label: str, path: str = "") -> bool:
    """Whether the link belongs to the running of the site: login, print, languages, legal notes, social media."""
    bare = label.strip(" .…»>→←«<|[]()")
    return not bare or _CHROME.match(bare) is not None or _MACHINERY.search(path) is not None
