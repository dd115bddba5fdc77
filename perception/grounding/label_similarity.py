"""Similarity of labels: stemming, typing errors and synonyms of user interfaces."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import Stemmer
from rapidfuzz.distance import OSA

_GROUPS = (
    "search find lookup look seek magnifier 搜索 查找 检索",
    "cart basket bag trolley 购物车",
    "signin login logon 登录 登陆",
    "signout logout logoff 退出 注销",
    "signup register join 注册",
    "delete remove trash bin discard 删除 移除",
    "settings preferences options gear configure configuration 设置 选项",
    "close dismiss exit hide cross x 关闭",
    "menu navigation hamburger 菜单 导航",
    "home house homepage start 首页 主页",
    "download save export 下载 保存 导出",
    "upload attach import 上传",
    "share forward send 分享 发送",
    "edit change modify pencil 编辑 修改",
    "next forward following 下一页 下一步",
    "previous back prior earlier 上一页 返回",
    "add plus new create 添加 新建",
    "buy purchase order checkout pay 购买 付款 结账",
    "help support question 帮助",
    "profile account user person 账户 用户 个人",
    "mail email envelope message inbox 邮件 邮箱",
    "phone call telephone 电话",
    "like favourite favorite heart love 喜欢 收藏",
    "star rate rating bookmark 评分",
    "notification notifications bell alert alerts 通知",
    "calendar date schedule 日历 日期",
    "print printer 打印",
    "refresh reload sync 刷新",
    "play start 播放",
    "filter funnel refine 筛选",
    "sort order arrange 排序",
    "copy duplicate clipboard 复制",
    "submit send confirm ok apply 提交 确认",
    "cancel abort undo 取消",
    "password passcode 密码",
    "name username 姓名 用户名",
    "location place map address pin 地址 位置",
    "language translate globe 语言",
)
"""Synonyms on controls."""
_STOP = frozenset(
    "the a an to of for in on at with and or is are where which what find me please i can my your this that it show go press"
    " click tap open use do you how page here there one us them their our me".split()
)
_ROLES = {
    "button": "button", "link": "link", "field": "textbox", "box": "textbox", "input": "textbox", "textbox": "textbox",
    "checkbox": "checkbox", "tab": "tab", "icon": "icon", "picture": "img", "image": "img", "photo": "img",
    "按钮": "button", "链接": "link", "输入框": "textbox", "图标": "icon", "图片": "img",
}  # fmt: skip
_WORD = re.compile(r"[\u4e00-\u9fff]+|[^\W_]+")
_JOINED = (
    ("sign in", "signin"),
    ("log in", "login"),
    ("sign out", "signout"),
    ("log out", "logout"),
    ("sign up", "signup"),
)
_stem = Stemmer.Stemmer("english", 0).stemWord
_GROUPS_OF: dict[str, set[int]] = {}
for _number, _words in enumerate(_GROUPS):
    for _one in _words.split():
        _GROUPS_OF.setdefault(_one if not _one.isascii() else _stem(_one), set()).add(_number)
_NO_GROUP: set[int] = set()
TYPO = 0.8
"""Similarity 0..1 from which two words are one with a typing error: one letter of five wrong, or two swapped."""


@lru_cache(maxsize=1 << 12)
def content_words(text: str) -> tuple[str, ...]:
    """Stems of the words without role names and stop words, unless there is nothing else."""
    plain = unicodedata.normalize("NFKC", text).casefold().replace("-", " ")
    for apart, joined in _JOINED:
        plain = plain.replace(apart, joined)
    words = _split_chinese(_WORD.findall(plain))
    kept = [word for word in words if word not in _STOP and word not in _ROLES]
    return tuple(_stem(word) if word.isascii() else word for word in kept or words)


@lru_cache(maxsize=1 << 12)
def role_asked(text: str) -> str:
    """The kind of thing that a phrase asks for: button, link, textbox, checkbox, tab, icon, img, "" for any."""
    plain = unicodedata.normalize("NFKC", text).casefold()
    found = [
        (plain.rfind(word), role) for word, role in _ROLES.items() if re.search(rf"(?<![a-z]){word}(?![a-z])", plain)
    ]
    return max(found)[1] if found else ""


def word_likeness(one: str, other: str) -> float:
    """1 for the same stem, 0.85 for synonyms, up to 0.8 for a typing error or a common prefix, else 0."""
    if one == other:
        return 1.0
    if _GROUPS_OF.get(one, _NO_GROUP) & _GROUPS_OF.get(other, _NO_GROUP):
        return 0.85
    if len(one) >= 4 and len(other) >= 4:
        ratio = float(OSA.normalized_similarity(one, other))
        if ratio >= TYPO and min(len(one), len(other)) >= 5:
            return 0.9 * ratio
        if one.startswith(other) or other.startswith(one):
            return 0.7
    if not one.isascii() and len(one) > 1 and len(other) > 1 and (one in other or other in one):
        return 0.9
    return 0.0


def phrase_likeness(query: tuple[str, ...], label: tuple[str, ...]) -> tuple[float, float]:
    """Share 0..1 of the query's words that the label holds, and share of the label's that the query holds."""
    if not query or not label:
        return 0.0, 0.0
    held = sum(max(word_likeness(word, other) for other in label) for word in query) / len(query)
    back = sum(max(word_likeness(word, other) for other in query) for word in label) / len(label)
    return held, back


def _split_chinese(words: list[str]) -> list[str]:
    """Split runs of Chinese at role names and synonyms."""
    parts: list[str] = []
    for word in words:
        if word.isascii():
            parts.append(word)
            continue
        rest = word
        for role in _ROLES:
            if not role.isascii():
                rest = rest.replace(role, " ")
        rest = re.sub(r"在哪里?|请|点击|打开|的|找到|哪个|是", " ", rest)
        parts += rest.split() or [word]
    return parts
