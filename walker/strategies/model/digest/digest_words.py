"""The words by which a prompt names what it shows of a page, in the language of the prompt, which speaks of them by these names."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

_WORDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "en": MappingProxyType(
            {
                "lists": "Lists of this page:",
                "more lists": "({0} more lists by number and length: {1})",
                "aside": "Beside the text",
                "nav": "Navigation",
                "header": "Header",
                "footer": "Footer",
                "closed": "Closed menu “{0}”",
                "loose": "Other links",
                "hidden": "Links that are not shown now ({0}), the likeliest: ",
                "around": 'Around the text as on step {0}, {1} links ("read" {2} shows all)',
                "likeliest": ", the likeliest: ",
                "more": "… {0} more left out",
                "tree": 'Too long to show whole: "part 7: ..." stands for entries left out there; "read" shows them by this number.',
                "links left": "Links of the parts left out: ",
                "names": "All {0} entries of this page by name: ",
                "left behind": '(best by words, or beside what gave something; "refocus" shows all of a step, "back" the page before)',
                "left there": " ({0} more left)",
                "left there at": " ({0} more left, step {1})",
                "page of": " (this is page {0} of {1})",
                "instead of seen": ": refocus shows what it said",
                "instead of shape": ": take a link of another kind, or answer",
                "instead of deep": ": go back first",
                "blank": "blank, perhaps not loaded",
                "unseen": "(of [picture: ...] nothing is known but its name, and text that was read in it, if there is any)",
            }
        ),
        "zh": MappingProxyType(
            {
                "lists": "本页的列表：",
                "more lists": "（另有 {0} 个列表，编号和长度：{1}）",
                "aside": "正文旁",
                "nav": "导航",
                "header": "页眉",
                "footer": "页脚",
                "closed": "收起的菜单“{0}”",
                "loose": "其他链接",
                "hidden": "现在没有显示的链接（共 {0} 个），最可能有用的：",
                "around": '正文周围与第 {0} 步相同，{1} 个链接 ("read" {2} 显示全部)',
                "likeliest": "，最可能有用的：",
                "more": "…… 另有 {0} 项省略",
                "tree": '本页太长，未全部显示："part 7: ..." 这样的行代表该处省略的条目，用 read 加此编号可见。',
                "links left": "省略部分中的链接：",
                "names": "本页全部 {0} 个条目的名称：",
                "left behind": "（只列出用词最相近的和有收获的链接旁边的；refocus 显示某一步的全部，back 显示上一页的）",
                "left there": "（另有 {0} 个）",
                "left there at": "（另有 {0} 个，第 {1} 步）",
                "page of": " (第 {0} 页，共 {1} 页)",
                "instead of seen": "：用 refocus 可见其内容",
                "instead of shape": "：请走别种链接，或作答",
                "instead of deep": "：先用 back 返回",
                "blank": "空白，可能没有加载",
                "unseen": "（[picture: ...] 是图片，无法查看：只知道它的名称，以及从中读出的文字，如果有的话）",
            }
        ),
    }
)


def said(name: str, language: str, *values: object) -> str:
    """The words of that name with these values put in; English where the language of the prompt is none of ours.

    >>> said("closed", "zh", "Club")
    '收起的菜单“Club”'
    """
    return _WORDS.get(language, _WORDS["en"])[name].format(*values)
